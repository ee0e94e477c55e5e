// SPDX-License-Identifier: Apache-2.0
// Table 5: modes of the contacts after the impact, and where they change.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <papers/liu-zhang-zhao-brogliato/disc_ball_patterns.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double case2 = 0.275;  // the speed that the table is for [m/s]

struct PrintedMode {
  const char* mode;
  const char* interval;
  double inside;                      ///< a height in the interval
  std::array<const char*, 3> points;  ///< A, B, C
  const char* spin;
  std::array<bool, 3> as_written_same;  ///< of A, B, C
};
constexpr std::array<PrintedMode, 7> modes{{
    {"I", "b/r < 0", -0.3, {"NC", "NC", "NC"}, "> 0", {true, true, false}},
    {"II", "b/r = 0", 0., {"SP", "SP", "SP"}, "= 0", {true, true, true}},
    {"III", "(0, 0.0507]", 0.025, {"NC", "NC", "NC"}, "< 0", {false, true, true}},
    {"IV", "(0.0507, 0.244]", 0.15, {"SP", "NC", "NC"}, "< 0", {true, true, true}},
    {"V", "(0.244, 0.254]", 0.249, {"ST", "NC", "NC"}, "< 0", {false, true, true}},
    {"VI", "(0.254, 0.4344]", 0.34, {"SN", "NC", "NC"}, "< 0", {false, true, true}},
    {"III", "(0.4344, 1]", 0.7, {"NC", "NC", "NC"}, "< 0", {true, true, true}},
}};

const char* spin_word(int sign) { return sign == 0 ? "= 0" : sign > 0 ? "> 0" : "< 0"; }

Table table_of_modes() {
  Table t{.caption =
              "Table 5: state of A, B, C after the impact, at a height inside each interval; NC "
              "no contact, SP and SN slip along +y and -y, ST stick; v_b = 0.275 m/s",
          .columns = {"mode", "interval of b/r", "at b/r", "A", "B", "C", "theta'", "A, variant",
                      "B, variant", "C, variant", "theta', variant"},
          .rows = {}};
  for (const PrintedMode& m : modes) {
    const Pattern w = pattern_of(scaled_at(m.inside, case2, Way::as_written));
    const Pattern v = pattern_of(scaled_at(m.inside, case2, Way::variant));
    Table::Row row{{given(m.mode), given(m.interval), given(fmt::format("{:g}", m.inside))}};
    for (std::size_t i = 0; i < 3; ++i) {
      row.cells.push_back(
          compared_word(w.points[i], m.points[i], m.as_written_same[i] ? "" : "L35"));
    }
    row.cells.push_back(compared_word(spin_word(w.spin), m.spin));
    for (std::size_t i = 0; i < 3; ++i) {
      row.cells.push_back(compared_word(v.points[i], m.points[i]));
    }
    row.cells.push_back(compared_word(spin_word(v.spin), m.spin));
    t.rows.push_back(std::move(row));
  }
  return t;
}

Table table_of_boundaries() {
  const PatternBoundaries w = pattern_boundaries(case2, Way::as_written);
  const PatternBoundaries p = pattern_boundaries(case2, Way::variant);
  const PatternBoundaries v = pattern_boundaries(case2, Way::variant, contact_time_constant());
  const auto row = [](const char* what, const char* printed, double written, double variant,
                      double with_time, const char* known_written, const char* known) {
    return Table::Row{{given(what), compared(written, printed, known_written), ours(variant),
                       compared(with_time, printed, known)}};
  };
  return {
      .caption =
          "Boundaries of the modes, b/r, for v_b = 0.275 m/s. As written A stays on the "
          "ground from the centre on",
      .columns = {"boundary", "as written", "variant, T_c as printed", "variant, T_c by Table 1"},
      .rows = {row("A comes to stay: III to IV", "0.0507", w.contact_begins, p.contact_begins,
                   v.contact_begins, "L35", ""),
               row("slip ends: IV to V", "0.244", w.stick_begins, p.stick_begins, v.stick_begins,
                   "L39", "L39"),
               row("slip back begins: V to VI", "0.254", w.stick_ends, p.stick_ends, v.stick_ends,
                   "L39", "L39"),
               row("A leaves: VI to III", "0.4344", w.contact_ends, p.contact_ends, v.contact_ends,
                   "L39", "L39")}};
}

Scaled scaled(const DiscBallCase& c, const DiscBallRow& row, double radius) {
  const double speed = gravity * printed_contact_time(c.velocity);
  Scaled s{.normal = normal_velocities(row, half_thickness),
           .slip = slip(row, radius) / c.velocity,
           .spin = radius * row.spin / c.velocity};
  for (double& v : s.normal) v /= speed;
  return s;
}

/// Which mode each experiment is in, by its own speed and friction.
Table table_of_cases() {
  constexpr std::array<const char*, 9> printed{"II", "IV", "IV", "IV", "V", "VI", "III", "I", "I"};
  constexpr std::array<const char*, 9> known_written{"",    "", "",    "",   "L35",
                                                     "L33", "", "L35", "L35"};
  Table t{.caption =
              "The mode of each experiment, with its own speed and friction; \"-\": none of the "
              "six, C slides while A and B have left",
          .columns = {"case", "b/r", "as written", "v_A/(g T_c)", "v_C/(g T_c)", "variant",
                      "v_A/(g T_c), variant"},
          .rows = {}};
  for (const DiscBallCase& c : disc_ball_cases()) {
    const auto i = static_cast<std::size_t>(c.number - 1);
    const Scaled w = scaled(c, disc_ball_as_written(system_of(c), surfaces_of(c)), disc_radius);
    const Scaled v = scaled(c, disc_ball_variant(system_of(c), surfaces_of(c)), variant_radius);
    t.rows.push_back(
        {{given(fmt::format("{}", c.number)), given(fmt::format("{:.3f}", c.height / disc_radius)),
          compared_word(pattern_of(w).mode, printed[i], known_written[i]), ours(w.normal[0]),
          ours(w.normal[2]),
          compared_word(pattern_of(v).mode, printed[i], c.number == 6 ? "L33" : ""),
          ours(v.normal[0])}});
  }
  return t;
}

}  // namespace

Part pattern_table_part() {
  return {.id = "Table 5",
          .title = "Modes after the impact and where they change",
          .text =
              "A point stays in contact where v_n < g T_c (eq. 2.37), the one with the least v_n "
              "alone unless they tie. The model as written shares modes II, IV and, for high "
              "blows, III with the table; the variant of Table 4 has all of them in the printed "
              "intervals, with boundaries that differ a little.",
          .tables = {table_of_modes(), table_of_boundaries(), table_of_cases()}};
}

}  // namespace carom::papers::disc_ball
