// SPDX-License-Identifier: Apache-2.0
#include <carom/report/law_words.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <carom/core/error.hpp>

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

std::string csv_field(std::string_view text) {
  const std::string shown = printable(text);
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

void append_csv_number(std::string& out, double value) {
  if (!std::isfinite(value)) return;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), end);
}

std::string left_out_text(const std::vector<study::LeftOut>& left_out) {
  std::vector<std::string> reasons;
  for (const study::LeftOut& l : left_out) {
    if (l.quiet) continue;
    if (std::find(reasons.begin(), reasons.end(), l.reason) == reasons.end()) {
      reasons.push_back(l.reason);
    }
  }
  std::string text;
  for (const std::string& reason : reasons) {
    std::vector<std::string> names;
    for (const study::LeftOut& l : left_out) {
      if (l.reason == reason) names.emplace_back(l.law->name);
    }
    const bool lacks = reason.ends_with("is not given");
    text += "Left out: " + join(names) + " (" + reason + ")" +
            (lacks ? "." : "; --law includes a law by its name.") + "\n";
  }
  return text;
}

std::string laws_with(const std::vector<study::Answer>& answers, Verdict verdict) {
  std::vector<std::string> names;
  for (const study::Answer& a : answers) {
    if (a.outcome.flags.has(verdict)) names.emplace_back(a.law->name);
  }
  return join(names);
}

}  // namespace carom::report
