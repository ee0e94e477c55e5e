// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/table.hpp>
#include <papers/engine/judgement.hpp>
#include <papers/engine/publication.hpp>

/// Publications recomputed, as text.
namespace carom::papers {

/// The list of all, with what each does.
[[nodiscard]] std::string list_text(const report::Page& page);

/// For a terminal: every part with its tables and statements, and the sum.
/// @param full  every comparison on a line of its own, not only those that differ
[[nodiscard]] std::string paper_text(const Publication& publication, const Reproduction& r,
                                     const report::Page& page, bool full);

/// "312 compared: 290 equal, 4 in the last digit, ..."
[[nodiscard]] std::string tally_words(const Tally& t);

/// Ours, with two digits more than are printed, or six.
[[nodiscard]] std::string computed_text(const Cell& cell);

/// What a reason is called: "misprint", "perhaps the scan", ...
[[nodiscard]] std::string_view reason_words(Reason reason);

/// The errata of a publication as a section of Markdown.
[[nodiscard]] std::string errata_markdown(const Publication& publication, const Reproduction& r);

/// Every comparison, one object a publication, one line each.
[[nodiscard]] std::string paper_json(const Publication& publication, const Reproduction& r);

}  // namespace carom::papers
