// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

#include <algorithm>

#include <carom/core/scalar.hpp>
#include <carom/laws/lzb/lzb.hpp>
#include <papers/publications.hpp>

namespace carom::papers::disc_ball {
namespace {

// --- Tables 2 to 4 -------------------------------------------------------------------------------

/// @param stiff  the row that prints the stiffness
Surface surface_of(const Row& row, const Row& stiff) {
  return {.restitution = row.number("e"),
          .friction = row.number("mu"),
          .static_friction = row.number("mu_s"),
          .stiffness = stiff.number("k [N/m^1.5]")};
}

/// Cases 5 and 6 have rows of their own for the ground.
std::array<Surface, 4> surfaces_of(const Row& row) {
  const auto& table = rows("table-3");
  Surface ground = surface_of(table[1], table[1]);
  for (const Row& own : table) {
    if (own.text("cases") == row.text("case")) ground = surface_of(own, table[1]);
  }
  return {ground, ground, ground, surface_of(table[0], table[0])};
}

std::vector<Case> read_cases() {
  std::vector<Case> all;
  for (const Row& row : rows("table-2")) {
    Case& c = all.emplace_back();
    c.number = static_cast<int>(row.index) + 1;
    c.height = row.number("b [mm]") / 1e3;
    c.velocity = row.number("v_b [m/s]");
    c.surfaces = surfaces_of(row);
    if (row.index == 0) continue;
    const std::size_t first = 3 * (row.index - 1);  // of three rows a case
    for (std::size_t k = 0; k < 3; ++k) {
      c.measured[k] = rows("table-4")[first + k].number("measured");
      c.up[k] = rows("spreads")[first + k].number("up");
      c.down[k] = rows("spreads")[first + k].number("down");
    }
    const auto numerical = [&](std::size_t k) {
      return rows("table-4")[first + k].number("as written");
    };
    c.numerical = {.v1 = numerical(0), .spin = numerical(1), .v2 = numerical(2)};
  }
  all[2].down[1] /= 10.;
  all[6].numerical.v1 *= -1.;
  return all;
}

// --- The impact ----------------------------------------------------------------------------------

constexpr std::size_t D = 3;

/// The impulses of some contacts under `lzb` from velocities v of all, added to P; the others do
/// nothing.
void strike(const std::vector<std::size_t>& contacts, const Eigen::MatrixXd& G,
            const Eigen::VectorXd& v, const Case& c, Eigen::VectorXd& P) {
  std::vector<std::size_t> at;  // components
  ContactProblem problem;
  for (const std::size_t i : contacts) {
    at.insert(at.end(), {2 * i, 2 * i + 1});
    problem.surfaces.push_back(c.surfaces[i]);
  }
  for (const std::size_t j : at) problem.approach.push_back(v[static_cast<Eigen::Index>(j)]);
  problem.G = BlockMatrix::from_dense(G(at, at), 2);
  const Outcome o = solve_lzb(problem, {.tolerance = 1e-11});
  P(at) += Eigen::Map<const Eigen::VectorXd>(o.impulse.data(), std::ssize(at));
}

/// D alone, P_t = +mu P_n along the slip that the normal impulse begins, if it begins any. The
/// slope of v_n is then constant, so that every hypothesis gives v_n+ = -e v_n-.
void drive(const Eigen::MatrixXd& G, const Eigen::VectorXd& v, const Surface& s,
           Eigen::VectorXd& P) {
  const double ratio = G(6, 7) == 0. ? 0. : times_sign(s.friction, G(6, 7));
  P(6) = -(1. + s.restitution) * v(6) / (G(6, 6) + ratio * G(6, 7));
  P(7) = ratio * P(6);
}

}  // namespace

std::span<const Case> all_cases() {
  static const std::vector<Case> all = read_cases();
  return all;
}

std::span<const Case> cases() { return all_cases().subspan(1); }

const Case& case_of(int number) { return all_cases()[static_cast<std::size_t>(number - 1)]; }

DiscBall system_of(const Case& c, double radius) {
  return {.ball_mass = ball().mass,
          .disc_mass = disc().mass,
          .radius = radius,
          .half_thickness = disc().half_thickness,
          .height = c.height,
          .ball_velocity = {c.velocity, 0.}};
}

Course course_of(const Case& c, const SolveOptions& options) {
  Course course{.at = at_impact(system_of(c))};
  course.outcome = solve_lzb({.G = course.at.problem.G,
                              .approach = course.at.problem.approach,
                              .surfaces = {c.surfaces.begin(), c.surfaces.end()}},
                             options, &course.trace);
  course.after = course.at.velocity_after(course.outcome.impulse);
  return course;
}

Velocities velocities_of(const std::vector<double>& u, double radius) {
  return {.v1 = u[2] + (radius - gauge) * u[4], .spin = u[4], .v2 = u[2], .rise = u[3]};
}

Reading variant(double radius) { return {.ground_waits = true, .drives = true, .radius = radius}; }

Velocities velocities_by(const Reading& reading, const Case& c) {
  const SystemAtImpact at = at_impact(system_of(c, reading.radius));
  const Eigen::MatrixXd G = at.problem.G.dense();
  Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(at.problem.approach.data(), G.rows());
  Eigen::VectorXd P = Eigen::VectorXd::Zero(G.rows());
  std::vector<std::size_t> together = reading.ground;
  if (!reading.ground_waits) {
    together.push_back(D);
  } else {
    if (reading.drives) {
      drive(G, v, c.surfaces[D], P);
    } else {
      strike({D}, G, v, c, P);
    }
    v += G * P;
  }
  strike(together, G, v, c, P);
  return velocities_of(
      at.velocity_after(std::span<const double>(P.data(), static_cast<std::size_t>(P.size()))),
      reading.radius);
}

double off_from_print(const Case& c, const Velocities& v) {
  const Velocities& p = c.numerical;
  const double v1 = c.number == 9 ? 0. : std::abs((v.v1 - p.v1) / p.v2);
  return std::max({v1, std::abs(v.spin / p.spin - 1.), std::abs(v.v2 / p.v2 - 1.)});
}

Nearest nearest_reading(const Case& c) {
  Nearest best;
  const auto attempt = [&](const Reading& reading, Case with) {
    for (const auto& points : {std::vector<std::size_t>{0, 1, 2}, {0, 2}, {1}}) {
      for (const int row : {2, 5, 6}) {
        for (const double e : {c.surfaces[0].restitution, c.surfaces[D].restitution, 0.}) {
          Surface ground = case_of(row).surfaces[0];
          ground.restitution = e;
          std::fill_n(with.surfaces.begin(), D, ground);
          Reading r = reading;
          r.ground = points;
          const double off = off_from_print(c, velocities_by(r, with));
          ++best.tried;
          if (off >= best.off) continue;
          best.off = off;
          best.reading = r;
        }
      }
    }
  };
  Case smooth = c;
  smooth.surfaces[D].friction = smooth.surfaces[D].static_friction = 0.;
  for (const double radius : {disc().radius, variant().radius}) {
    for (const bool waits : {false, true}) {
      for (const Case& with : {c, smooth}) attempt({.ground_waits = waits, .radius = radius}, with);
    }
    attempt(variant(radius), c);
  }
  return best;
}

}  // namespace carom::papers::disc_ball

carom::papers::Computations carom::papers::liu_zhang_zhao_brogliato() {
  using namespace disc_ball;
  return merged({kinematics(), law(), friction(), tables(), patterns(), motions()});
}
