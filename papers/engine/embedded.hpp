// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// Files of the source tree that are built in, so that the program stands alone.
namespace carom::papers {

struct EmbeddedFile {
  std::string_view path;  ///< from the root of the tree: "papers/brach/errata.md"
  std::string_view text;
};

/// Every .md, .csv, .html and .css file of papers/ and every scenario of examples/.
[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

/// The text of one. Throws std::invalid_argument where there is none.
[[nodiscard]] std::string_view embedded(std::string_view path);

/// The text of a scenario of examples/: "maps/payr-glocker-4", "kane-levinson".
[[nodiscard]] std::string_view example(std::string_view name);

}  // namespace carom::papers
