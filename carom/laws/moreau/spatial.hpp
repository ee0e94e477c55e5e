// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>

/// `moreau` in space: the set-valued law with Coulomb's cone [Moreau 1988; Glocker 2001].
///
/// Hypothesis newton: with xi = v+ + eps v-, eps_N for the normal and eps_T for both tangential
/// components, 0 <= P_n _|_ xi_n >= 0 and -P_T in mu P_n Sgn(xi_T), where Sgn is the unit vector
/// along xi_T, or the unit disc if xi_T = 0. In the plane this is [Payr & Glocker 2005, eqs 11-12].
///
/// Hypothesis poisson, in two stages [Pfeiffer & Glocker 1996]: compression is the same law with
/// eps = 0; expansion is 0 <= P_En - e P_Cn _|_ v_n+ >= 0 with -P_ET in mu P_En Sgn(v_T+). eps_T is
/// undefined.
///
/// With strong friction there can be several solutions, even for an approaching contact. All are
/// found. The one returned is stick, if it is a solution; otherwise the slip that leaves the least
/// kinetic energy. (In two stages this is the rule of compression. Expansion then delivers e P_Cn
/// if that gives v_n+ >= 0, and otherwise follows the same rule.) Without approach, v_n- = 0, no
/// impulse is always a solution, and the rule applies to all of them.
namespace carom {

/// One solution of the law.
struct SpatialMoreauSolution {
  Mode mode = Mode::no_impulse;  ///< stick, slip (in two stages: in both), or no impulse
  Vec3 impulse;                  ///< [N s]
  Vec3 velocity;                 ///< v+ [m/s]
};

/// All solutions, distinct by velocity. The first one is that of the outcome.
class SpatialMoreauSolutions {
 public:
  static constexpr std::size_t capacity = 16;

  void add(const SpatialMoreauSolution& s) {
    if (size_ < capacity) solutions_[size_++] = s;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const SpatialMoreauSolution* begin() const { return solutions_.data(); }
  [[nodiscard]] const SpatialMoreauSolution* end() const { return solutions_.data() + size_; }
  [[nodiscard]] const SpatialMoreauSolution& operator[](std::size_t i) const {
    return solutions_[i];
  }

 private:
  std::array<SpatialMoreauSolution, capacity> solutions_{};
  std::size_t size_ = 0;
};

/// @param hypothesis  newton (one stage) or poisson (two). @pre the problem was validated
[[nodiscard]] SpatialOutcome moreau(const SpatialProblem& problem, Hypothesis hypothesis);

/// All solutions. A contact with v_n- > 0 takes eps_N = eps_T = 0. Empty if there is none.
[[nodiscard]] SpatialMoreauSolutions moreau_solutions(const SpatialProblem& problem,
                                                      Hypothesis hypothesis);

/// The law as a value.
struct SpatialMoreau {
  Hypothesis hypothesis = Hypothesis::newton;

  [[nodiscard]] SpatialOutcome operator()(const SpatialProblem& problem,
                                          const SpatialOptions& /*options*/) const {
    return moreau(problem, hypothesis);
  }
  bool operator==(const SpatialMoreau&) const = default;
};

}  // namespace carom
