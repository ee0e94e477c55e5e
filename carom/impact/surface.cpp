// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/surface.hpp>

#include <algorithm>
#include <string>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>

namespace carom {
namespace {

std::string path(std::string_view prefix, std::string_view key) {
  std::string text(prefix);
  text += '.';
  text += key;
  return text;
}

}  // namespace

void validate(const Surface& s, std::string_view prefix, Release release, std::size_t components) {
  const bool releases = release == Release::allowed;
  for (const Coefficient& c : coefficients()) {
    const auto numbers = c.read(s);
    const double high = releases ? c.high_releasing : c.high;
    const std::size_t size = std::min(numbers.size(), c.size(components));
    for (std::size_t i = 0; i < size; ++i) {
      const double x = numbers[i];
      if (x >= c.low && x <= high) continue;  // false for NaN, too
      std::string field = path(prefix, c.key);
      if (c.size(components) > 1) field.append("[").append(std::to_string(i)).append("]");
      throw InputError(field, x, x > c.high && high > c.high ? "at most 1e60" : c.allowed);
    }
  }
  if (!(s.static_friction >= s.friction)) {
    throw InputError(path(prefix, "static_friction"), s.static_friction,
                     "in [friction, 1e60], friction being " + shortest(s.friction));
  }
  if (s.impulse_ratio && s.tangential_coefficient) {
    throw InputError(path(prefix, "tangential_coefficient"),
                     "must not stand beside impulse_ratio: one follows from the other");
  }
}

}  // namespace carom
