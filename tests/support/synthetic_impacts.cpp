// SPDX-License-Identifier: Apache-2.0
#include <support/synthetic_impacts.hpp>

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>

#include <carom/core/random.hpp>
#include <support/measured.hpp>

namespace carom::test {

using namespace study::fit;

Parameters parameters_of(const Synthetic& s) {
  Parameters parameters;
  for (std::size_t k = 0; k < s.parameters.size(); ++k) {
    const Coefficient& c = *find_coefficient(s.parameters[k]);
    const double high = std::min(c.high, 10.);
    parameters.list.push_back({.name = s.parameters[k],
                               .unit = "",
                               .start = std::clamp(0.5, c.low, high),
                               .low = c.low,
                               .high = high});
    parameters.coefficients.push_back({.coefficient = &c, .index = 0, .constant = {k}});
  }
  parameters.surface.given = 0;
  return parameters;
}

MeasuredImpacts synthetic_impacts(const Synthetic& s, std::uint64_t set) {
  constexpr double mass = 0.04;
  constexpr double k = 0.02;
  MeasuredImpacts data = free_planar_body(mass, k, k);
  const RandomStream random(20'261'118, set);
  std::uint64_t drawn = 0;
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * random.uniform(drawn++);
  };
  const auto normal = [&] {
    return boost::math::quantile(boost::math::normal(), random.uniform(drawn++));
  };
  data.grouped = s.rows_a_group > 1;
  if (data.grouped) data.groups.clear();
  for (std::size_t i = 0; i < s.rows; ++i) {
    MeasuredImpact impact;
    impact.id = std::to_string(i + 1);
    impact.group = data.grouped ? i / s.rows_a_group : 0;
    if (data.grouped && impact.group == data.groups.size()) {
      data.groups.push_back(std::to_string(impact.group));
    }
    // A body of about 3 by 2 cm whose contact is below the mass centre.
    impact.numbers = {uniform(-0.03, 0.03), uniform(-0.035, -0.02)};
    do {
      impact.before = {uniform(-2., 2.), uniform(-3., -1.), uniform(-20., 20.)};
    } while (impact.before[1] + impact.numbers[0] * impact.before[2] > -0.5);
    impact.after = {0., 0., 0.};
    data.impacts.push_back(std::move(impact));
  }
  const Objective objective(data, find_law(s.law, "law"), parameters_of(s));
  for (std::size_t i = 0; i < s.rows; ++i) {
    MeasuredImpact& impact = data.impacts[i];
    (void)objective.predict(i, s.truth, impact.after);
    for (std::size_t j = 0; j < impact.after.size(); ++j) {
      impact.after[j] += s.noise * normal() * data.norm(impact.before) / std::sqrt(data.metric[j]);
    }
  }
  return data;
}

}  // namespace carom::test
