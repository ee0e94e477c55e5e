// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/surface.hpp>

#include <algorithm>
#include <string>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>

namespace carom {

// A law that runs over a large array of problems waits for memory. With a PlanarProblem of 192
// bytes in place of 176, the bare kernels of the benchmark `planar` take 1.15 to 1.2 times as long.
static_assert(sizeof(Surface) <= 13 * sizeof(double));

namespace {

std::string path(std::string_view prefix, std::string_view key) {
  std::string text(prefix);
  text += '.';
  text += key;
  return text;
}

}  // namespace

void validate(const Coefficient& c, const Surface& s, std::string_view prefix, Release release,
              std::size_t components) {
  const auto numbers = c.read(s);
  const double high = release == Release::allowed ? c.high_releasing : c.high;
  const std::size_t size = std::min(numbers.size(), c.size(components));
  for (std::size_t i = 0; i < size; ++i) {
    const double x = numbers[i];
    if (x >= c.low && x <= high) continue;  // false for NaN, too
    std::string field = path(prefix, c.key);
    if (c.size(components) > 1) field.append("[").append(std::to_string(i)).append("]");
    throw InputError(field, x, x > c.high && high > c.high ? "at most 1e60" : c.allowed);
  }
}

void validate(const Surface& s, std::string_view prefix, Release release, std::size_t components) {
  for (const Coefficient& c : coefficients()) validate(c, s, prefix, release, components);
  if (!(s.static_friction >= s.friction)) {
    throw InputError(path(prefix, "static_friction"), s.static_friction,
                     "in [friction, 1e60], friction being " + shortest(s.friction));
  }
}

}  // namespace carom
