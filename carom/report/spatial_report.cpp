// SPDX-License-Identifier: Apache-2.0
#include <carom/report/spatial_report.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/json_parts.hpp>
#include <carom/report/law_words.hpp>
#include <carom/report/spatial_json.hpp>

namespace carom::report {
namespace {

using study::SpatialAnswer;
using study::SpatialComparison;

/// One quantity of an answer: its name for people and for CSV, and how to get it.
struct Quantity {
  std::string label;
  std::string column;
  std::function<std::optional<double>(const SpatialAnswer&)> value;
  std::optional<double> before{};  ///< the same before the impact, where that means something
  bool ruled = false;              ///< a line stands above it in the table
};

bool any_couple(const SpatialComparison& c) {
  return std::any_of(c.answers.begin(), c.answers.end(),
                     [](const SpatialAnswer& a) { return a.outcome.couple != Vec3{}; });
}

/// The three components of a vector of the outcome.
void add_contact(std::vector<Quantity>& all, const std::string& label, const std::string& column,
                 const std::string& unit, const std::string& column_unit,
                 Vec3 SpatialOutcome::*vector, const Vec3* before) {
  struct Part {
    const char* label;
    const char* column;
    double Vec3::*part;
  };
  static constexpr Part parts[] = {{"normal", "normal", &Vec3::n},
                                   {"tangent 1", "tangent1", &Vec3::t1},
                                   {"tangent 2", "tangent2", &Vec3::t2}};
  for (const Part& p : parts) {
    all.push_back({.label = label + ", " + p.label + " [" + unit + "]",
                   .column = column + "_" + p.column + "_" + column_unit,
                   .value = [vector, part = p.part](
                                const SpatialAnswer& a) { return (a.outcome.*vector).*part; },
                   .before = before != nullptr ? std::optional(before->*p.part) : std::nullopt});
  }
}

void add_energy(std::vector<Quantity>& all, const SpatialComparison& c) {
  const double T = c.energy_before;
  const auto stage = [](double StageWork::*part) {
    return [part](const SpatialAnswer& a) -> std::optional<double> {
      if (!a.outcome.energy.stages) return std::nullopt;
      return (*a.outcome.energy.stages).*part;
    };
  };
  const auto ledger = [](double EnergyLedger::*part) {
    return [part](const SpatialAnswer& a) { return a.outcome.energy.*part; };
  };
  all.push_back({.label = "energy change [J]",
                 .column = "energy_change_J",
                 .value = ledger(&EnergyLedger::change)});
  all.push_back(
      {.label = c.kinetic ? "  in % of the kinetic energy" : "  in % of the contact energy",
       .column = "energy_change_percent",
       .value = [T](const SpatialAnswer& a) -> std::optional<double> {
         if (!(T > 0.)) return std::nullopt;
         return 100. * a.outcome.energy.change / T;
       }});
  all.push_back({.label = "  normal, compression [J]",
                 .column = "normal_compression_J",
                 .value = stage(&StageWork::compression)});
  all.push_back({.label = "  normal, restitution [J]",
                 .column = "normal_restitution_J",
                 .value = stage(&StageWork::restitution)});
  all.push_back({.label = "  normal, total [J]",
                 .column = "normal_J",
                 .value = ledger(&EnergyLedger::normal)});
  all.push_back({.label = "  friction [J]",
                 .column = "friction_J",
                 .value = ledger(&EnergyLedger::friction)});
  if (any_couple(c)) {
    all.push_back(
        {.label = "  couple [J]", .column = "couple_J", .value = ledger(&EnergyLedger::couple)});
  }
}

void add_equivalent(std::vector<Quantity>& all) {
  const auto measured = [](std::optional<double> EquivalentRestitution::*part) {
    return [part](const SpatialAnswer& a) { return a.equivalent.*part; };
  };
  all.push_back({.label = "e measured by newton",
                 .column = "equivalent_e_newton",
                 .value = measured(&EquivalentRestitution::newton),
                 .ruled = true});
  all.push_back({.label = "e measured by poisson",
                 .column = "equivalent_e_poisson",
                 .value = measured(&EquivalentRestitution::poisson)});
  all.push_back({.label = "e measured by energetic",
                 .column = "equivalent_e_energetic",
                 .value = measured(&EquivalentRestitution::energetic)});
}

/// Velocity, spin and energy of body i.
void add_body(std::vector<Quantity>& all, const SpatialComparison& c, std::size_t i) {
  static constexpr const char* axes[] = {"x", "y", "z"};
  const std::string column = column_part(c.names[i]);
  for (std::size_t k = 0; k < 3; ++k) {
    all.push_back(
        {.label = fmt::format("{}, v_{} [m/s]", c.names[i], axes[k]),
         .column = fmt::format("{}_v{}_m_s", column, axes[k]),
         .value = [i, k](const SpatialAnswer& a) { return a.bodies[i].motion.velocity[k]; },
         .before = c.before[i].motion.velocity[k],
         .ruled = k == 0});
  }
  for (std::size_t k = 0; k < 3; ++k) {
    all.push_back({.label = fmt::format("{}, spin {} [rad/s]", c.names[i], axes[k]),
                   .column = fmt::format("{}_spin_{}_rad_s", column, axes[k]),
                   .value = [i, k](const SpatialAnswer& a) { return a.bodies[i].motion.spin[k]; },
                   .before = c.before[i].motion.spin[k]});
  }
  all.push_back({.label = fmt::format("{}, energy of translation [J]", c.names[i]),
                 .column = column + "_translation_J",
                 .value = [i](const SpatialAnswer& a) { return a.bodies[i].energy.translation; },
                 .before = c.before[i].energy.translation});
  all.push_back({.label = fmt::format("{}, energy of rotation [J]", c.names[i]),
                 .column = column + "_rotation_J",
                 .value = [i](const SpatialAnswer& a) { return a.bodies[i].energy.rotation; },
                 .before = c.before[i].energy.rotation});
}

std::vector<Quantity> quantities(const SpatialComparison& c) {
  std::vector<Quantity> all;
  add_contact(all, "impulse", "impulse", "N s", "Ns", &SpatialOutcome::impulse, nullptr);
  if (any_couple(c)) {
    add_contact(all, "couple", "couple", "N m s", "Nms", &SpatialOutcome::couple, nullptr);
  }
  add_contact(all, "velocity", "velocity", "m/s", "m_s", &SpatialOutcome::velocity,
              &c.problem.approach);
  all.push_back(
      {.label = "slip speed [m/s]",
       .column = "slip_speed_m_s",
       .value = [](const SpatialAnswer& a) { return tangential_size(a.outcome.velocity); },
       .before = tangential_size(c.problem.approach)});
  add_energy(all, c);
  add_equivalent(all);
  for (std::size_t i = 0; i < c.before.size(); ++i) add_body(all, c, i);
  return all;
}

/// What the contact does, in words. In space slip that begins anew need not reverse.
std::string contact_text(const SpatialOutcome& o) {
  if (o.flags.has(Verdict::no_solution)) return "no solution";
  if (o.mode == Mode::stops_in_compression_slips) {
    return "slip stops in compression, then slips again";
  }
  if (o.mode == Mode::stops_in_restitution_slips) {
    return "slip stops in restitution, then slips again";
  }
  return std::string(describe(o.mode));
}

template <std::size_t n>
std::string figures(const std::array<double, n>& values) {
  std::string text;
  for (const double x : values) text += (text.empty() ? "" : ", ") + figure(x);
  return "(" + text + ")";
}

std::string surface_text(const Surface& s) {
  std::string text = fmt::format("e = {}", figure(s.restitution));
  if (s.impulse_ratio) text += ", mu_t = " + figures(*s.impulse_ratio);
  if (s.tangential_coefficient) text += ", e_t = " + figures(*s.tangential_coefficient);
  const bool by_friction = !s.impulse_ratio && !s.tangential_coefficient;
  if (by_friction || s.friction > 0.) text += fmt::format(", mu = {}", figure(s.friction));
  if (s.static_friction > s.friction) text += fmt::format(", mu_s = {}", figure(s.static_friction));
  if (s.tangential_restitution > 0.) {
    text += fmt::format(", eps_T = {}", figure(s.tangential_restitution));
  }
  if (s.moment_coefficients != Surface{}.moment_coefficients) {
    text += ", e_m = " + figures(s.moment_coefficients);
  }
  if (s.moment_ratio) text += ", M/P_n = " + figures(*s.moment_ratio) + " m";
  return text;
}

/// How far the laws are apart, where two or more of them find an impact.
std::string spread(const SpatialComparison& c) {
  std::vector<double> normal;
  std::vector<double> slip;
  std::vector<double> change;
  for (const SpatialAnswer& a : c.answers) {
    if (!(a.outcome.impulse.n > 0.)) continue;
    normal.push_back(a.outcome.velocity.n);
    slip.push_back(tangential_size(a.outcome.velocity));
    change.push_back(a.outcome.energy.change);
  }
  if (normal.size() < 2) return "";
  const auto [v_least, v_most] = std::minmax_element(normal.begin(), normal.end());
  const auto [s_least, s_most] = std::minmax_element(slip.begin(), slip.end());
  const auto [e_least, e_most] = std::minmax_element(change.begin(), change.end());
  // To the six digits shown.
  const double speed = std::abs(c.problem.approach.n) + tangential_size(c.problem.approach);
  const auto near = [](double a, double b, double scale) {
    return b - a <= 5e-7 * std::abs(scale);
  };
  if (near(*v_least, *v_most, speed) && near(*s_least, *s_most, speed) &&
      near(*e_least, *e_most, c.energy_before)) {
    return "These laws agree on the normal velocity, the speed of slip and the energy.\n";
  }
  std::string text =
      fmt::format("Between the laws: normal velocity after {} to {} m/s, slip {} to {}",
                  figure(*v_least), figure(*v_most), figure(*s_least), figure(*s_most));
  if (c.energy_before > 0.) {
    text += fmt::format(", energy change {:.4g} to {:.4g} %", 100. * *e_least / c.energy_before,
                        100. * *e_most / c.energy_before);
  }
  return text + ".\n";
}

/// What a reader should not overlook.
std::string remarks(const scenario::Scenario& s, const SpatialComparison& c, bool colour) {
  const Vec3& v = c.problem.approach;
  if (v.n > 0.) {
    return fmt::format(
        "No impact: the contact separates at {} m/s (normal velocity above zero).{}\n", figure(v.n),
        s.system_type == "space-rod" ? " In a rod's axes y points down."
        : s.system_type == "space"   ? " The normal points into the first body."
                                     : "");
  }
  std::string text = spread(c);
  if (const std::string laws = laws_with(c.answers, Verdict::energy_gained); !laws.empty()) {
    text += red(laws + ": energy is created here.", colour) + '\n';
  }
  if (const std::string laws = laws_with(c.answers, Verdict::still_approaching); !laws.empty()) {
    text += laws + ": the contact still approaches afterwards.\n";
  }
  if (!laws_with(c.answers, Verdict::jam).empty()) {
    text += "The contact jams: slip drives it further in before it turns (Painleve).\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::recompressed); !laws.empty()) {
    text += laws + ": slip swings round so far that compression resumes during restitution.\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::target_unreachable); !laws.empty()) {
    text += laws + ": the contact locks before what e asks for is reached.\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::no_solution); !laws.empty()) {
    text += laws + ": no solution; the velocities are left as they were.\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::not_converged); !laws.empty()) {
    text += laws + ": not computed to the tolerance asked for.\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::several_solutions); !laws.empty()) {
    text += laws + ": several solutions; one of them is shown.\n";
  }
  return text;
}

/// The table's last rows, where distances were asked for.
void add_distances(Table& table, const SpatialComparison& c) {
  if (c.answers.empty() || !c.answers.front().distance) return;
  std::vector<Table::Cell> from{{"", false}};
  std::vector<Table::Cell> distance{{"", false}};
  std::vector<Table::Cell> mode{{"", false}};
  for (const SpatialAnswer& a : c.answers) {
    from.push_back({a.distance->from, false});
    // What is only rounding is not shown.
    const auto off = a.distance->relative;
    distance.push_back({!off ? "-" : *off < 1e-14 ? "0" : figure(*off), false});
    mode.push_back({!a.distance->same_mode   ? "-"
                    : *a.distance->same_mode ? "same"
                                             : "differs",
                    false});
  }
  table.rule();
  table.row("against", std::move(from));
  table.row("  velocity off by, in |v-|", std::move(distance));
  table.row("  mode", std::move(mode));
}

void append_row(std::string& out, std::string_view key, std::span<const double> values) {
  out += key;
  out += '[';
  for (const double x : values) {
    if (out.back() != '[') out += ',';
    append_number(out, x);
  }
  out += ']';
}

void append_surface(std::string& out, const Surface& s) {
  const auto number = [&](std::string_view key, double value) {
    out += key;
    append_number(out, value);
  };
  number(",\"surface\":{\"restitution\":", s.restitution);
  number(",\"friction\":", s.friction);
  number(",\"static_friction\":", s.static_friction);
  number(",\"tangential_restitution\":", s.tangential_restitution);
  if (s.impulse_ratio) append_row(out, ",\"impulse_ratio\":", *s.impulse_ratio);
  if (s.tangential_coefficient) {
    append_row(out, ",\"tangential_coefficient\":", *s.tangential_coefficient);
  }
  append_row(out, ",\"moment_coefficients\":", s.moment_coefficients);
  if (s.moment_ratio) append_row(out, ",\"moment_ratio\":", *s.moment_ratio);
  out += '}';
}

/// The bodies before: names, motions, energies.
void append_before(std::string& out, const SpatialComparison& c) {
  out += ",\n\"bodies_before\":[";
  for (std::size_t i = 0; i < c.before.size(); ++i) {
    out += i == 0 ? "{\"name\":" : ",{\"name\":";
    append_text(out, c.names[i]);
    out += ',';
    append_state(out, c.before[i]);
    out += '}';
  }
  out += ']';
}

}  // namespace

std::string spatial_notes(const SpatialComparison& c) {
  std::string text = left_out_text(c.left_out);
  for (const SpatialAnswer& a : c.answers) {
    if (!a.note.empty()) text += fmt::format("Note on {}: {}.\n", a.law->name, a.note);
  }
  return text;
}

std::string spatial_table(const scenario::Scenario& s, const SpatialComparison& c,
                          const Page& page) {
  const bool colour = page.colour;
  std::string out;
  if (!s.title.empty()) out += printable(s.title) + "\n";
  const auto& [G, v, surface, spin] = c.problem;
  out += fmt::format("{}: approach {} m/s, slip ({}, {}) m/s; {}\n", s.system_type, figure(v.n),
                     figure(v.t1), figure(v.t2), surface_text(surface));
  out += fmt::format("G = [[{}, {}, {}], [{}, {}, {}], [{}, {}, {}]] 1/kg\n\n", figure(G.nn),
                     figure(G.n1), figure(G.n2), figure(G.n1), figure(G.t11), figure(G.t12),
                     figure(G.n2), figure(G.t12), figure(G.t22));
  if (v.n > 0.) return out + remarks(s, c, colour);  // every law says the same: nothing

  std::vector<std::string> columns = {"before"};
  for (const SpatialAnswer& a : c.answers) columns.emplace_back(a.law->name);
  Table table(std::move(columns));
  const auto row = [&](const std::string& label, std::string before, const auto& cell) {
    std::vector<Table::Cell> cells = {{std::move(before), false}};
    for (const SpatialAnswer& a : c.answers) cells.push_back(cell(a));
    table.row(label, std::move(cells));
  };
  const auto gains = [](const SpatialAnswer& a) {
    return a.outcome.flags.has(Verdict::energy_gained);
  };
  table.rule();
  for (const Quantity& q : quantities(c)) {
    if (q.column == "energy_change_J") {
      row("the contact", "", [](const SpatialAnswer& a) {
        return Table::Cell{contact_text(a.outcome), false};
      });
      row("mode", "", [](const SpatialAnswer& a) {
        const std::string label = mode_label(*answering(*a.law, in_space)->info, a.outcome.mode);
        return Table::Cell{label.empty() ? "-" : label, false};
      });
      table.rule();
    }
    if (q.ruled) table.rule();
    const bool energy = q.column.starts_with("energy_change");
    row(q.label, q.before ? figure(*q.before) : "", [&](const SpatialAnswer& a) {
      const auto value = q.value(a);
      return Table::Cell{value ? figure(*value) : "-", energy && gains(a)};
    });
  }
  add_distances(table, c);
  table.rule();
  row("verdict", "", [&](const SpatialAnswer& a) {
    return Table::Cell{verdict_text(a.outcome.flags), gains(a)};
  });
  out += table.text(colour, page.width);
  const std::string below = remarks(s, c, colour) + spatial_notes(c);
  if (!below.empty()) out += "\n" + below;
  return out;
}

std::string spatial_csv(const SpatialComparison& c) {
  const auto all = quantities(c);
  const bool distances = !c.answers.empty() && c.answers.front().distance.has_value();
  std::string out = "law";
  for (const Quantity& q : all) out += "," + q.column;
  if (distances) out += ",against,distance,same_mode";
  out += ",mode,verdict\n";
  for (const SpatialAnswer& a : c.answers) {
    out += a.law->name;
    for (const Quantity& q : all) {
      out += ',';
      if (const auto value = q.value(a)) append_number(out, *value);
    }
    if (distances) {
      out += ',' + a.distance->from + ',';
      if (a.distance->relative) append_number(out, *a.distance->relative);
      out += !a.distance->same_mode ? "," : *a.distance->same_mode ? ",true" : ",false";
    }
    out += ',' + mode_label(*answering(*a.law, in_space)->info, a.outcome.mode);
    out += ',' + verdict_text(a.outcome.flags) + '\n';
  }
  return out;
}

std::string spatial_json(const scenario::Scenario& s, const SpatialComparison& c,
                         std::string_view more) {
  const auto& [G, v, surface, spin] = c.problem;
  std::string out = "{\"scenario\":";
  append_text(out, s.name);
  out += ",\"title\":";
  append_text(out, s.title);
  out += ",\"system\":";
  append_text(out, s.system_type);
  out += ",\n\"inverse_inertia\":[";
  append_triple(out, World3{G.nn, G.n1, G.n2});
  out += ',';
  append_triple(out, World3{G.n1, G.t11, G.t12});
  out += ',';
  append_triple(out, World3{G.n2, G.t12, G.t22});
  out += "],\"approach\":";
  append_triple(out, v);
  append_surface(out, surface);
  out += ",\"energy_before\":";
  append_number(out, c.energy_before);
  if (!c.before.empty()) append_before(out, c);
  out += ",\n\"outcomes\":[";
  for (std::size_t i = 0; i < c.answers.size(); ++i) {
    const SpatialAnswer& a = c.answers[i];
    out += i == 0 ? "\n" : ",\n";
    append_outcome(out, SpatialRecord{.id = "",
                                      .law_name = a.law->name,
                                      .law = *a.law,
                                      .problem = c.problem,
                                      .outcome = a.outcome,
                                      .bodies = a.bodies,
                                      .distance = a.distance ? &*a.distance : nullptr});
  }
  out += "],\n\"left_out\":";
  append_left_out(out, c.left_out);
  out += more;
  out += "}\n";
  return out;
}

}  // namespace carom::report
