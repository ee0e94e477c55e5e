// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/complementarity/block_lu.hpp>
#include <carom/laws/lzb/system.hpp>

/// When to end an impact without friction whose contacts keep colliding with decreasing energy.
namespace carom::lzb {

/// Predicts the end of an impact: the velocities if all contacts that still approach stopped for
/// good now. P are the impulses that this takes: 0 <= P complementary to v+ = v + G P >= 0.
///
/// The true end is near this one, whatever the springs do. Among all velocities u of the bodies,
/// those without approach are a convex cone. u+ is the nearest point in it by kinetic energy, so
/// that u = u+ + w with u+ and w orthogonal. A later end u' has received further nonnegative
/// impulses, so that u'.u+ >= u.u+ = u+.u+, and its energy does not exceed the present energy.
/// Hence
///
///     |u' - u+|^2 <= |w|^2 + 2 E = P.G P + 2 E,      |v'_i - v+_i| <= sqrt(G_ii) |u' - u+|
///
/// with E the stored energy and |u|^2 twice the kinetic energy.
class Prospect {
 public:
  explicit Prospect(const Model& model) : model_(model) {}

  /// Returns false if that end is not found. Nothing is concluded then.
  bool look(const State& state);

  /// Upper bound of the error of a velocity of that end.
  [[nodiscard]] double most_off() const { return off_; }
  [[nodiscard]] const std::vector<double>& impulses() const { return P_; }
  /// Velocities now, and at that end.
  [[nodiscard]] const std::vector<double>& now() const { return v_; }
  [[nodiscard]] const std::vector<double>& then() const { return end_; }

  /// The least remaining impulse over all contacts, in units of the present impact at that contact
  /// and its neighbours. A contact with nearly none may separate for good. Zero if the impact has
  /// not arrived yet.
  [[nodiscard]] double blows_to_come(const State& state);

 private:
  bool solve();

  const Model& model_;
  double off_ = 0.;
  std::vector<double> v_, end_, P_, blow_, right_;
  std::vector<std::uint8_t>
      stops_;  ///< contacts with an impulse; the first guess of the next search
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> column_;
  complementarity::BlockLu lu_;
};

/// Detects the collapse of a cluster of contacts. With equal exponents the impacts at one energy
/// scale resemble those at the scale before. A cluster that stayed together by a wide margin while
/// its energy was halved stays together. With a smaller margin several halvings are required.
class Collapse {
 public:
  /// @param tolerance  a smaller one requires more halvings
  explicit Collapse(double tolerance);

  /// The next check. Returns whether the cluster counts as collapsed.
  bool watch(const Prospect& prospect, double blows_to_come);

 private:
  double tolerance_;
  double needed_;            ///< required halvings, of those with many impacts to come
  double quiet_ = 0.;        ///< halvings so far; those with fewer impacts to come count less
  double began_ = 0.;        ///< most_off() when this halving began
  double least_ = 0.;        ///< least number of impacts to come in it
  std::vector<double> end_;  ///< velocities of the predicted end when it began
};

}  // namespace carom::lzb
