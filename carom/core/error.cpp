// SPDX-License-Identifier: Apache-2.0
#include <carom/core/error.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace carom {
namespace {

/// What a user wrote may hold line ends; the message is one line all the same.
std::string printable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x20 && u != 0x7f) {
      out += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", u);
      out += code;
    }
  }
  return out;
}

}  // namespace

std::string shortest(double value) {
  char text[32];
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

void require_finite(double x, std::string_view field) {
  if (!std::isfinite(x)) throw InputError(std::string(field), x, "a finite number");
}

InputError::InputError(std::string field, std::string problem, std::string where)
    : field_(std::move(field)), problem_(std::move(problem)), where_(std::move(where)) {
  if (!where_.empty()) text_ += where_ + ": ";
  if (!field_.empty()) text_ += field_ + ": ";
  text_ += problem_;
  text_ = printable(text_);
}

InputError::InputError(std::string field, double value, std::string_view allowed)
    : InputError(std::move(field), "must be " + std::string(allowed) + ", got " + shortest(value)) {
}

}  // namespace carom
