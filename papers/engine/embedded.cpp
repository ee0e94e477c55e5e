// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/embedded.hpp>

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

}  // namespace carom::papers
