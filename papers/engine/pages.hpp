// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <papers/engine/publication.hpp>

/// The prose of a publication, as publication.md and errata.md have it: Markdown of a fixed form,
/// see papers/README.md. A paragraph's line breaks are spaces. All that read throw InputError with
/// file and line.
namespace carom::papers {

/// A text and where it stands: "papers/brach/publication.md:31".
struct Placed {
  std::string text{};
  std::string place{};
};

/// `### table NAME`, `### statement NAME [ERRATUM]` or `### picture NAME`.
struct Section {
  std::string kind{};
  std::string name{};
  std::string known{};  ///< of a statement; may be empty
  Placed text{};        ///< caption, or what is stated
  Placed found{};       ///< of a statement: the quotation, a template
  std::string place{};
};

/// `## ID: TITLE`.
struct PartPage {
  std::string id{};
  std::string title{};
  Placed text{};  ///< a template where the part's text has values
  std::vector<Section> sections{};
  std::string place{};
};

struct PublicationPage {
  Publication front{};  ///< without `reproduce`
  std::vector<PartPage> parts{};
};

/// `### ID (REASON): WHERE`, then `- printed: `, `- corrected: ` and `- shown: `, all three
/// templates.
struct ErratumEntry {
  Erratum erratum{};  ///< id, reason, where
  Placed printed{};
  Placed corrected{};
  Placed shown{};
  std::string place{};
};

[[nodiscard]] PublicationPage read_publication(std::string_view text, const std::string& file);
[[nodiscard]] std::vector<ErratumEntry> read_errata(std::string_view text, const std::string& file);

}  // namespace carom::papers
