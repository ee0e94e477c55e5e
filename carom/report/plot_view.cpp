// SPDX-License-Identifier: Apache-2.0
#include <carom/report/plot_view.hpp>

#include <cmath>

#include <fmt/format.h>

namespace carom::report {

double unit_of(const Range& r) {
  const double largest = std::max(std::abs(r.least), std::abs(r.most));
  if (!(largest > 0.) || (largest >= 0.01 && largest < 10'000.)) return 1.;
  return std::pow(10., 3. * std::floor(std::log10(largest) / 3.));
}

std::string with_unit(double unit, std::string_view si) {
  if (unit == 1.) return std::string(si);
  return fmt::format("10^{{{}}} {}", static_cast<int>(std::lround(std::log10(unit))), si);
}

double tick_distance(const Range& r, double unit, int most) {
  const double least = r.size() / unit / most;
  const double power = std::pow(10., std::floor(std::log10(least)));
  for (const double round : {1., 2., 5.}) {
    if (round * power >= least) return round * power;
  }
  return 10. * power;
}

}  // namespace carom::report
