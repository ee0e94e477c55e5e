// SPDX-License-Identifier: Apache-2.0
#include <papers/payr-glocker/cases.hpp>

#include <cmath>

#include <carom/core/scalar.hpp>
#include <carom/impact/labels.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/publications.hpp>

namespace carom::papers {

Computations payr_glocker() {
  return merged({pg::energy(), pg::impact_states(), pg::regimes(), pg::ratios(), pg::spheres(),
                 pg::pictures()});
}

namespace pg {

Sym2 bar(double K, double angle_deg) {
  return contact_space(configuration(Bar{.inertia_factor = K, .angle = angle_deg * degree})).G;
}

// One number after the other: the order of a call's arguments is the compiler's.
Surface random_surface(FixedRandom& random, double least_eps_n, double most_mu) {
  const double mu = random(0.05, most_mu);
  const double eps_t = random(0., 1.);
  return surface(random(least_eps_n, 1.), eps_t, mu);
}

PlanarProblem random_bar(FixedRandom& random) {
  const double angle = random(2., 178.);
  const Sym2 G = bar(random(0.1, 1.), angle);
  const Surface s = random_surface(random, 0., 3.);
  return {.G = G, .approach = {.n = -random(0.1, 3.), .t = random(-5., 5.)}, .surface = s};
}

double apart(const Vec2& a, const Vec2& b, const Vec2& scale) {
  const Vec2 d = a - b;
  return std::sqrt(dot(d, d) / dot(scale, scale));
}

double threshold(double from, double to, const std::function<bool(double)>& holds) {
  const bool first = holds(from);
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (from + to);
    if (middle == from || middle == to) break;
    (holds(middle) == first ? from : to) = middle;
  }
  return to;
}

std::string state_name(Mode mode) {
  std::string name(regime_name(mode));
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

Values values_of(const PlanarOutcome& o, Values more) {
  more.insert({{"P_n", o.impulse.n},
               {"P_t", o.impulse.t},
               {"v_n", o.velocity.n + 0.},  // not -0
               {"v_t", o.velocity.t},
               {"state", state_name(o.mode)},
               {"change", o.energy.change}});
  return more;
}

Computed impact_row(const Vec2& impulse, const Vec2& velocity) {
  return {{"Λ_N [N s]", impulse.n},
          {"Λ_T [N s]", impulse.t},
          {"γ_N⁺ [m/s]", velocity.n},
          {"γ_T⁺ [m/s]", velocity.t}};
}

}  // namespace pg
}  // namespace carom::papers
