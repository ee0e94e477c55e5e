// SPDX-License-Identifier: Apache-2.0
#include "pile_relaxation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>

namespace carom::benchmarks {
namespace {

/// Bodies are moved by up to this at random, relative to the radius, so that they are not packed as
/// a crystal.
constexpr double shaken = 0.5;

/// Bodies at the bottom overlap by this part of a radius over the bodies in a row, at first: so
/// little that no row holds one more.
constexpr double overlap_of_row = 0.01;
constexpr double stiffer = 10.;

/// The part of its weight that nothing balances, of any body, and what rounding of positions adds,
/// times the stiffness [m].
constexpr double balanced = 1e-5;
constexpr double rounded = 1e-13;
constexpr int most_steps = 1'000'000;

/// Pairs are listed up to this distance, relative to the diameter.
constexpr double reach = 1.15;

using Force = std::array<double, 3>;

class SoftPile {
 public:
  explicit SoftPile(Pile& pile)
      : pile_(pile), up_(pile.kind == Kind::spheres ? 2 : 1), forces_(pile.bodies.size()) {}

  void shake() {
    std::minstd_rand random(1);  // NOLINT: the same in every run
    for (Placed& p : pile_.bodies) {
      for (std::size_t c = 0; c <= up_; ++c) {
        const double part = static_cast<double>(random()) / std::minstd_rand::max();
        p.position[c] += shaken * pile_radius * (2. * part - 1.);
      }
    }
    list_pairs();
  }

  /// Descends to rest by the fast inertial relaxation engine [Bitzek et al. 2006]: motion that is
  /// turned towards the forces, and stops where it would go up.
  bool minimise(double stiffness) {
    constexpr int before_faster = 5;
    constexpr double faster = 1.1;
    constexpr double slower = 0.5;
    constexpr double turned = 0.1;
    constexpr double turned_less = 0.99;
    const double longest = 0.3 * std::sqrt(pile_mass / stiffness);
    double step = 0.3 * longest;
    double turn = turned;
    int downhill = 0;
    stop();
    for (int k = 0; k < most_steps; ++k) {
      find_forces(stiffness);
      double power = 0.;
      double speed = 0.;
      double force = 0.;
      double worst = 0.;
      each([&](double f, double& v, double& /*x*/) {
        power += f * v;
        speed += v * v;
        force += f * f;
        worst = std::max(worst, std::abs(f));
      });
      if (worst <= balanced * pile_mass * gravity + rounded * stiffness) {
        stop();
        return true;
      }
      if (power > 0.) {
        const double along = turn * std::sqrt(speed / force);
        each([&](double f, double& v, double& /*x*/) { v = (1. - turn) * v + along * f; });
        if (++downhill > before_faster) {
          step = std::min(faster * step, longest);
          turn *= turned_less;
        }
      } else {
        stop();
        downhill = 0;
        step *= slower;
        turn = turned;
      }
      each([&](double f, double& v, double& x) {
        v += step * f / pile_mass;
        x += step * v;
      });
    }
    return false;
  }

 private:
  /// Calls f with each force, velocity and coordinate.
  template <class F>
  void each(const F& f) {
    for (std::size_t i = 0; i < forces_.size(); ++i) {
      Placed& p = pile_.bodies[i];
      for (std::size_t c = 0; c <= up_; ++c) f(forces_[i][c], p.velocity[c], p.position[c]);
    }
  }

  void stop() {
    for (Placed& p : pile_.bodies) p.velocity = {};
  }

  static double square_distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    double sum = 0.;
    for (std::size_t c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
  }

  // By height.
  void list_pairs() {
    const std::vector<Placed>& bodies = pile_.bodies;
    const double most = reach * 2. * pile_radius;
    std::vector<std::uint32_t> order(bodies.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto height = [&](std::uint32_t i) { return bodies[i].position[up_]; };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return height(a) < height(b); });
    pairs_.clear();
    for (auto a = order.begin(); a != order.end(); ++a) {
      for (auto b = a + 1; b != order.end() && height(*b) - height(*a) < most; ++b) {
        if (square_distance(bodies[*a].position, bodies[*b].position) < most * most) {
          pairs_.emplace_back(*a, *b);
        }
      }
    }
    listed_.clear();
    for (const Placed& p : bodies) listed_.push_back(p.position);
  }

  [[nodiscard]] bool is_used_up() const {
    const double most = (reach - 1.) * pile_radius;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      if (square_distance(listed_[i], pile_.bodies[i].position) > most * most) return true;
    }
    return false;
  }

  void find_forces(double stiffness) {
    if (is_used_up()) list_pairs();
    const std::vector<Placed>& bodies = pile_.bodies;
    const double r = pile_radius;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto& x = bodies[i].position;
      Force& f = forces_[i];
      f = {};
      f[up_] = stiffness * std::max(0., r - x[up_]) - pile_mass * gravity;
      for (std::size_t c = 0; c < up_; ++c) {
        f[c] = stiffness * (std::max(0., r - x[c]) - std::max(0., x[c] + r - pile_.width));
      }
    }
    for (const auto& [a, b] : pairs_) {
      const double square = square_distance(bodies[a].position, bodies[b].position);
      if (square >= 4. * r * r) continue;
      const double distance = std::sqrt(square);
      const double f = stiffness * (2. * r - distance) / distance;
      for (std::size_t c = 0; c <= up_; ++c) {
        const double by = f * (bodies[b].position[c] - bodies[a].position[c]);
        forces_[a][c] -= by;
        forces_[b][c] += by;
      }
    }
  }

  Pile& pile_;
  std::size_t up_;  ///< the vertical coordinate
  std::vector<Force> forces_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<std::array<double, 3>> listed_;  ///< where bodies were when pairs were listed
};

}  // namespace

bool relax(Pile& pile) {
  SoftPile soft(pile);
  soft.shake();
  const double row = 0.5 * pile.width / pile_radius;  // bodies in it, and about their rows
  double k = pile_mass * gravity * row * row / (overlap_of_row * pile_radius);
  for (; k < relaxed_stiffness; k *= stiffer) {
    if (!soft.minimise(k)) return false;
  }
  return soft.minimise(relaxed_stiffness);
}

}  // namespace carom::benchmarks
