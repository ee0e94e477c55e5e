// SPDX-License-Identifier: Apache-2.0
#include <carom/report/law_words.hpp>

namespace carom::report {

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

std::string verdict_text(const Verdicts& flags) {
  std::string text;
  flags.for_each_name(
      [&](std::string_view flag) { text += (text.empty() ? "" : " + ") + std::string(flag); });
  return text.empty() ? std::string(name(Verdict::ordinary)) : text;
}

std::string column_part(const std::string& name) {
  std::string part;
  for (const char c : name) {
    const bool special = static_cast<unsigned char>(c) <= 0x20 || c == ',' || c == '"' || c == '/';
    part += special ? '_' : c;
  }
  return part;
}

}  // namespace carom::report
