// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <carom/impact/labels.hpp>
#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/mechanics/configuration.hpp>
#include <papers/engine/computations.hpp>
#include <papers/engine/fixed_random.hpp>

/// The systems of [Shen & Townsend 1998] and its procedure, step by step. Theirs and ours: F = P_n;
/// tau = P_t counted so that it is +mu F while the contact slips as at first.
namespace carom::papers::st {

/// The double pendulum of Example 1: rods of 2 m and 3 kg at 20 and 30 degrees from the vertical,
/// both absolute; or with the lower one counted from the upper one.
[[nodiscard]] Configuration pendulum(bool relative_angles = false);

/// A single rod of it, at some angle from the vertical.
[[nodiscard]] Configuration single_pendulum(double angle_deg);

/// Two like spheres of 1 kg; the first comes at 30 cm/s, 60 degrees from the normal, with a spin of
/// -11 rad/s. Lengths in cm. u = (v1x, v1y, w1, v2x, v2y, w2), x along the line of centres.
[[nodiscard]] Configuration spheres(double radius);

[[nodiscard]] Surface surface(double e, double mu_s, double mu);
[[nodiscard]] PlanarProblem problem(const Configuration& c, const Surface& s);

[[nodiscard]] PlanarOutcome solve_by(const char* law, const PlanarProblem& p);
/// Under the publication's own law, `shen-townsend`.
[[nodiscard]] PlanarOutcome process(const PlanarProblem& p);

/// The double pendulum with these coefficients, or with those of a row of its tables.
[[nodiscard]] PlanarProblem example_1(double e, double mu_s, double mu);
[[nodiscard]] PlanarProblem example_1(const Row& row);

/// The four rows of Tables 1 to 3.
[[nodiscard]] const std::vector<Row>& example_1_rows();

/// Which of the printed slips are kept; none: as mended.
struct Reading {
  bool slips_if_below = false;   ///< ST1: i(c) asks for "<"
  bool friction_of_one = false;  ///< ST2: eq. 30
  bool signed_ratio = false;     ///< ST3: case iii without absolute values
  bool any_t_star = false;       ///< ST4: a negative F* is taken for one
};

/// What the procedure finds [Secs 3-4].
struct Collision {
  ShenTownsendCase kase = ShenTownsendCase::iii;
  double F_star = 0.;    ///< normal impulse where slip would vanish; infinite: it never does
  double u_n_star = 0.;  ///< normal velocity there
  double F_c = 0.;       ///< normal impulse of compression
  double F_s = 0.;       ///< (1 + e) F_c
  double needed = 0.;    ///< tau_res/F_res that stick needs
  bool stops = false;    ///< slip vanishes within the collision
  bool sticks = false;   ///< and stays zero
  Vec2 impulse;
  Vec2 velocity;
};

/// Empty: the tests as read lead nowhere. @pre v_n < 0, G of full rank
[[nodiscard]] std::optional<Collision> procedure(const PlanarProblem& p, const Reading& as = {});

/// Any body, any surface, slip one way or the other.
[[nodiscard]] PlanarProblem random_problem(FixedRandom& random);

/// Of two outcomes, relative to the approach.
[[nodiscard]] double difference(const PlanarProblem& p, const Vec2& a, const Vec2& b);

/// The same of what two laws give.
[[nodiscard]] double apart(const PlanarProblem& p, const char* law, const char* other);

/// What static friction changes: the law beside Keller's, which knows the kinetic coefficient
/// alone.
[[nodiscard]] double apart_from_kinetic_alone(const PlanarProblem& p);

/// "Decrease" or "Increase", as the tables put it.
[[nodiscard]] std::string direction(double change);
[[nodiscard]] std::string yes_or_no(bool b);
/// "(iii)"
[[nodiscard]] std::string case_of(const PlanarOutcome& o);

/// The slip after is against that before.
[[nodiscard]] bool slip_reverses(const PlanarProblem& p, const PlanarOutcome& o);
[[nodiscard]] bool ends_in_stick(const PlanarOutcome& o);

// Topic by topic.
[[nodiscard]] Computations procedure_and_discussion();  ///< Sections 3, 4 and 7
[[nodiscard]] Computations pendulums();                 ///< Section 6.1, Tables 1 to 4
[[nodiscard]] Computations pendulum_charts();
[[nodiscard]] Computations two_spheres();  ///< Example 2
[[nodiscard]] Computations errata();

}  // namespace carom::papers::st
