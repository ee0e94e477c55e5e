// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/complementarity/block_lu.hpp>
#include <carom/laws/lzb_system.hpp>

/// When to end an impact without friction whose contacts go on in ever smaller blows.
namespace carom::lzb {

/// What is left of an impact, told by the end it would have if contacts that still approach stopped
/// for good at once, P the impulses that takes: 0 <= P complementary to v+ = v + G P >= 0.
///
/// Whatever else the springs do, the true end is not far from that one. Of all velocities u of the
/// bodies those without approach are a convex cone; u+ is the nearest in it by kinetic energy, so
/// that u = u+ + w with u+ and w orthogonal; a later end u' has gained impulses that
/// push, so that u'.u+ >= u.u+ = u+.u+, and its energy is no more than what there is. Hence
///
///     |u' - u+|^2 <= |w|^2 + 2 E = P.G P + 2 E,      |v'_i - v+_i| <= sqrt(G_ii) |u' - u+|
///
/// with E the energy stored and |u|^2 twice the kinetic energy.
class Prospect {
 public:
  explicit Prospect(const Model& model) : model_(model) {}

  /// False where that end is not found: nothing is told.
  bool look(const State& state);

  /// How far off a velocity of that end can be.
  [[nodiscard]] double most_off() const { return off_; }
  [[nodiscard]] const std::vector<double>& impulses() const { return P_; }
  /// Velocities now, and then.
  [[nodiscard]] const std::vector<double>& now() const { return v_; }
  [[nodiscard]] const std::vector<double>& then() const { return end_; }

  /// The least impulse still to come, in blows as they are now at that contact and its neighbours:
  /// one that comes near to none may separate for good. Zero where the impact has yet to arrive.
  [[nodiscard]] double blows_to_come(const State& state);

 private:
  bool solve();

  const Model& model_;
  double off_ = 0.;
  std::vector<double> v_, end_, P_, blow_, right_;
  std::vector<std::uint8_t>
      stops_;  ///< contacts that would have an impulse; the next search's first guess
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> column_;
  complementarity::BlockLu lu_;
};

/// Watches a cluster of contacts collapse: with equal exponents the blows at every scale are like
/// those at the scale before, so that a cluster that has stayed together, by far, while its energy
/// was halved, stays together; by less, while it was halved time and again.
class Collapse {
 public:
  /// @param tolerance  the smaller, the longer it watches
  explicit Collapse(double tolerance);

  /// The next look. True: as good as collapsed.
  bool watch(const Prospect& prospect, double blows_to_come);

 private:
  double tolerance_;
  double needed_;            ///< halvings, of those with plenty of blows to come
  double quiet_ = 0.;        ///< so far; one with fewer blows to come counts for less
  double began_ = 0.;        ///< most_off() when this halving began
  double least_ = 0.;        ///< blows to come, the fewest in it
  std::vector<double> end_;  ///< velocities of the end as foreseen when it began
};

}  // namespace carom::lzb
