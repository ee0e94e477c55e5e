// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/cases.hpp>

#include <cmath>
#include <cstdlib>

namespace carom::papers::disc_ball {
namespace {

/// The number that a cell begins with: 1.20 of "1.20 (paper on its face)", 0 of "-".
double leading(const Row& row, std::string_view column) {
  return std::strtod(row.text(column).c_str(), nullptr);
}

Body body_of(const Row& row) {
  return {.mass = row.number("mass [g]") / 1e3,
          .radius = row.number("radius [mm]") / 1e3,
          .half_thickness = leading(row, "thickness [mm]") / 2e3,
          .modulus = leading(row, "Y [GPa]") * 1e9,
          .poisson_ratio = row.number("nu")};
}

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

}  // namespace

const std::vector<Row>& rows(std::string_view table) {
  return printed_rows("liu-zhang-zhao-brogliato/" + std::string(table));
}

const Body& ball() {
  static const Body body = body_of(rows("table-1")[0]);
  return body;
}

const Body& disc() {
  static const Body body = body_of(rows("table-1")[1]);
  return body;
}

motion::DiscModel disc_model() {
  return motion::DiscModel({.mass = disc().mass,
                            .radius = disc().radius,
                            .half_thickness = disc().half_thickness,
                            .gravity = gravity});
}

motion::State state_of(const Eigen::Vector3d& q, const Eigen::Vector3d& u) {
  return {.q = q, .u = u};
}

motion::ContactMotion contact_motion(const motion::Model& model, std::size_t contact,
                                     const motion::State& state) {
  motion::ContactMotion m;
  m.W.resize(3, 3);
  model.contact(contact, state, m);
  return m;
}

std::span<const Case> all_cases() {
  static const std::vector<Case> all = read_cases();
  return all;
}

std::span<const Case> cases() { return all_cases().subspan(1); }

const Case& case_of(int number) { return all_cases()[static_cast<std::size_t>(number - 1)]; }

double softness() { return 1. - ball().poisson_ratio * ball().poisson_ratio; }

double modulus_at_D() { return 1. / (softness() / ball().modulus + softness() / disc().modulus); }

double modulus_on_ground() {
  return 1. / (softness() / ball().modulus + softness() / ball().modulus);
}

double hertz_stiffness(double modulus, double radius) {
  return 4. / 3. * modulus * std::sqrt(radius);
}

double hertz_time(double modulus, double radius) {
  const double m = ball().mass * disc().mass / (ball().mass + disc().mass);
  return 2.87 * std::pow(m * m / (radius * modulus * modulus), 0.2);
}

double time_constant() { return hertz_time(modulus_at_D(), ball().radius); }

double printed_time_constant() { return rows("time-constant")[0].number("k_Tc [m^0.2 s^0.8]"); }

}  // namespace carom::papers::disc_ball
