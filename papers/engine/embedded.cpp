// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/embedded.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace carom::papers {

std::string_view embedded(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == path) return file.text;
  }
  throw std::invalid_argument("no built-in file '" + std::string(path) + "'");
}

std::string_view example(std::string_view name) {
  return embedded("examples/" + std::string(name) + ".toml");
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace carom::papers
