// SPDX-License-Identifier: Apache-2.0
#include <carom/core/error.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace carom {
namespace {

/// Control characters are U+0000 to U+001F, U+007F, and U+0080 to U+009F, which in UTF-8 are two
/// bytes, the first 0xc2.
std::string visible(std::string_view text, bool keeps_line_ends) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto u = static_cast<unsigned char>(text[i]);
    bool control = u < 0x20 || u == 0x7f;
    if (u == 0xc2 && i + 1 < text.size()) {
      const auto next = static_cast<unsigned char>(text[i + 1]);
      control = next >= 0x80 && next < 0xa0;
      if (control) {
        u = next;
        ++i;
      }
    }
    if (!control || (keeps_line_ends && u == '\n')) {
      out += text[i];
      continue;
    }
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", u);
    out += code;
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return visible(text, false); }

std::string printable_lines(std::string_view text) { return visible(text, true); }

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

void require_positive(double x, std::string_view field) {
  if (!(x > 0. && std::isfinite(x))) throw InputError(std::string(field), x, "a finite number > 0");
}

void require_magnitude(double x, std::string_view field, std::string_view unit) {
  require_finite(x, field);
  if (x != 0. && !(std::abs(x) >= least_magnitude && std::abs(x) <= most_magnitude)) {
    std::string allowed("0 or of magnitude 1e-60 to 1e60 ");
    allowed += unit;
    throw InputError(std::string(field), x, allowed);
  }
}

double require_tolerance(double x, std::string_view field) {
  constexpr double least = 1e-14;  // about `rounding`: no method reaches less
  constexpr double most = 1e-3;    // a larger one is taken for a mistake
  if (!(x >= least && x <= most)) throw InputError(std::string(field), x, "in [1e-14, 1e-3]");
  return x;
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
