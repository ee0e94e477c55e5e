// SPDX-License-Identifier: Apache-2.0
#include <carom/report/comparison_report.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/law_words.hpp>
#include <carom/report/outcome_json.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;

/// One quantity of an answer: its name for people and for CSV, and how to get it.
struct Quantity {
  std::string label;
  std::string column;
  std::function<std::optional<double>(const Answer&)> value;
  bool ruled = false;  ///< a line stands above it in the table
};

std::vector<Quantity> quantities(const Comparison& c) {
  const double T = c.energy_before;
  const auto percent = [T](const Answer& a) {
    return T > 0. ? std::optional(100. * a.outcome.energy.change / T) : std::nullopt;
  };
  const std::string whole = c.kinetic ? "kinetic energy" : "contact energy";
  const auto stage = [](double StageWork::*part) {
    return [part](const Answer& a) -> std::optional<double> {
      if (!a.outcome.energy.stages) return std::nullopt;
      return (*a.outcome.energy.stages).*part;
    };
  };
  std::vector<Quantity> q{
      {"impulse, normal [N s]", "impulse_normal_Ns",
       [](const Answer& a) { return a.outcome.impulse.n; }},
      {"impulse, tangential [N s]", "impulse_tangential_Ns",
       [](const Answer& a) { return a.outcome.impulse.t; }},
      {"velocity after, normal [m/s]", "velocity_normal_m_s",
       [](const Answer& a) { return a.outcome.velocity.n; }},
      {"velocity after, slip [m/s]", "velocity_slip_m_s",
       [](const Answer& a) { return a.outcome.velocity.t; }},
      {"energy change [J]", "energy_change_J",
       [](const Answer& a) { return a.outcome.energy.change; }},
      {"  in % of the " + whole, "energy_change_percent", percent},
      {"  normal, compression [J]", "normal_compression_J", stage(&StageWork::compression)},
      {"  normal, restitution [J]", "normal_restitution_J", stage(&StageWork::restitution)},
      {"  normal, total [J]", "normal_J", [](const Answer& a) { return a.outcome.energy.normal; }},
      {"  friction [J]", "friction_J", [](const Answer& a) { return a.outcome.energy.friction; }},
      {"e measured by newton", "equivalent_e_newton",
       [](const Answer& a) { return a.equivalent.newton; }, true},
      {"e measured by poisson", "equivalent_e_poisson",
       [](const Answer& a) { return a.equivalent.poisson; }},
      {"e measured by energetic", "equivalent_e_energetic",
       [](const Answer& a) { return a.equivalent.energetic; }},
      {"Brach's e_t", "brach_e_t", [](const Answer& a) { return a.brach.e_t; }},
      {"  impulse ratio mu_t", "brach_impulse_ratio",
       [](const Answer& a) { return a.brach.impulse_ratio; }},
      {"  that ends slip, mu_0", "brach_critical_impulse_ratio",
       [](const Answer& a) { return a.brach.critical_ratio; }},
  };
  const auto has_couple = [](const Answer& a) { return a.outcome.couple != 0.; };
  if (std::any_of(c.answers.begin(), c.answers.end(), has_couple)) {
    const auto after = [&](std::string_view column, Quantity added) {
      const auto at =
          std::find_if(q.begin(), q.end(), [&](const Quantity& x) { return x.column == column; });
      q.insert(at + 1, std::move(added));
    };
    after("friction_J",
          {"  couple [J]", "couple_J", [](const Answer& a) { return a.outcome.energy.couple; }});
    after("impulse_tangential_Ns",
          {"couple [N m s]", "couple_Nms", [](const Answer& a) { return a.outcome.couple; }});
  }
  if (c.configuration) {
    const auto& names = c.configuration->coordinates;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string unit = names[i].unit.empty() ? "" : " [" + names[i].unit + "]";
      const std::string column =
          names[i].name + "_after" + (names[i].unit.empty() ? "" : "_" + names[i].unit);
      q.push_back(
          {names[i].name + " after" + unit, column_part(column),
           [i](const Answer& a) { return (*a.velocity_after)(static_cast<Eigen::Index>(i)); },
           i == 0});
    }
  }
  for (std::size_t i = 0; i < c.joints.size(); ++i) {
    const std::string label = "joint " + c.joints[i].name;
    const std::string column = "joint_" + column_part(c.joints[i].name);
    q.push_back({label + ", x [N s]", column + "_x_Ns",
                 [i](const Answer& a) { return a.joints[i].impulse[0]; }, i == 0});
    q.push_back({label + ", y [N s]", column + "_y_Ns",
                 [i](const Answer& a) { return a.joints[i].impulse[1]; }});
    if (c.joints[i].kind == JointKind::prismatic) {
      q.push_back({label + ", couple [N m s]", column + "_couple_Nms",
                   [i](const Answer& a) { return a.joints[i].couple; }});
    }
  }
  return q;
}

/// "4, case iii" for a process law, the regime for moreau.
std::string mode_text(const Answer& a) {
  std::string text = mode_label(info(planar_kernel(*a.law)), a.outcome.mode, a.outcome.slider);
  if (text.empty()) return "-";
  if (const auto c = shen_townsend_case(a.outcome)) text += fmt::format(", case {}", name(*c));
  return text;
}

/// What the contact does, in words.
std::string contact_text(const PlanarOutcome& o) {
  if (o.mode != Mode::compliant) return std::string(describe(o.mode));
  if (o.slider.size() > 1) return fmt::format("slider in {} states", o.slider.size());
  return o.slider.last() == SliderStates::State::stick ? "sticks throughout" : "slips throughout";
}

std::string surface_text(const scenario::Scenario& scenario) {
  const Surface& s = scenario.surface();
  std::string text = fmt::format("e = {}", figure(s.restitution));
  if (s.impulse_ratio) text += fmt::format(", mu_t = {}", figure((*s.impulse_ratio)[0]));
  if (s.tangential_coefficient)
    text += fmt::format(", e_t = {}", figure((*s.tangential_coefficient)[0]));
  const bool by_friction = !s.impulse_ratio && !s.tangential_coefficient;
  if (by_friction || s.friction > 0.) text += fmt::format(", mu = {}", figure(s.friction));
  if (s.static_friction > s.friction) text += fmt::format(", mu_s = {}", figure(s.static_friction));
  if (s.tangential_restitution > 0.) {
    text += fmt::format(", eps_T = {}", figure(s.tangential_restitution));
  }
  if (scenario.place_of("compliance_ratio") != nullptr)
    text += fmt::format(", eta^2 = {}", figure(s.compliance_ratio));
  if (s.has_couples(1)) text += fmt::format(", e_m = {}", figure(s.moment_coefficients[0]));
  return text;
}

/// How far the laws are apart, where two or more of them find an impact.
std::string spread(const Comparison& c) {
  std::vector<double> normal;
  std::vector<double> change;
  for (const Answer& a : c.answers) {
    if (!(a.outcome.impulse.n > 0.)) continue;
    normal.push_back(a.outcome.velocity.n);
    change.push_back(a.outcome.energy.change);
  }
  if (normal.size() < 2) return "";
  const auto [v_least, v_most] = std::minmax_element(normal.begin(), normal.end());
  const auto [e_least, e_most] = std::minmax_element(change.begin(), change.end());
  // To the six digits shown.
  const auto near = [](double a, double b, double scale) {
    return b - a <= 5e-7 * std::abs(scale);
  };
  const bool same_energy = near(*e_least, *e_most, c.energy_before);
  if (near(*v_least, *v_most, c.problem.approach.n)) {
    if (same_energy) return "These laws agree on the normal velocity and on the energy.\n";
    return fmt::format(
        "These laws agree on the normal velocity; energy change {:.4g} to {:.4g} %.\n",
        100. * *e_least / c.energy_before, 100. * *e_most / c.energy_before);
  }
  std::string text = fmt::format("Between the laws: normal velocity after {} to {} m/s",
                                 figure(*v_least), figure(*v_most));
  if (c.energy_before > 0.) {
    text += fmt::format(", energy change {:.4g} to {:.4g} %", 100. * *e_least / c.energy_before,
                        100. * *e_most / c.energy_before);
  }
  return text + ".\n";
}

/// What a reader should not overlook.
std::string remarks(const scenario::Scenario& s, const Comparison& c, bool colour) {
  std::string text;
  const auto& [G, v, surface, spin] = c.problem;
  if (v.n > 0.) {
    return fmt::format(
        "No impact: the contact separates at {} m/s (normal velocity above zero).{}\n", figure(v.n),
        s.system_type == "rod"      ? " In a rod's axes y points down."
        : s.system_type == "bodies" ? " The normal points into the first body."
                                    : "");
  }
  text += spread(c);
  if (const std::string laws = laws_with(c.answers, Verdict::energy_gained); !laws.empty()) {
    text += red(laws +
                    ": energy is created here. The speed of separation is prescribed, whatever "
                    "friction did to the normal velocity.",
                colour) +
            '\n';
  }
  for (const Answer& a : c.answers) {
    if (surface.restitution > 1. && a.outcome.impulse.n > 0.) {
      text += fmt::format("{}: restitution above 1 releases {} J in the normal direction.\n",
                          a.law->name, figure(a.outcome.energy.normal));
    }
    if (!info(planar_kernel(*a.law)).knows("impulse_ratio") || !(a.outcome.impulse.t * v.t > 0.))
      continue;
    if (!surface.impulse_ratio || !(a.outcome.energy.friction > 0.)) continue;
    text += fmt::format(
        "{}: this impulse ratio drives the slip on (friction does {} J); against slip {} 0 it is "
        "{}.\n",
        a.law->name, figure(a.outcome.energy.friction), v.t > 0. ? ">" : "<",
        v.t > 0. ? "negative" : "positive");
  }
  if (!laws_with(c.answers, Verdict::jam).empty()) {
    text += fmt::format(
        "The contact jams: slip drives it further in before it turns (Painleve; mu is above {}).\n",
        figure(G.nn / std::abs(G.nt)));
  }
  if (const std::string laws = laws_with(c.answers, Verdict::target_unreachable); !laws.empty()) {
    text += laws + ": the contact locks before what e asks for is reached.\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::no_solution); !laws.empty()) {
    text += laws + ": no solution; the velocities are left as they were.\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::several_solutions); !laws.empty()) {
    text += laws + ": several solutions; the limit of ever slower approaches is shown.\n";
  }
  return text;
}

std::vector<JointRecord> joint_records(const Comparison& c, const Answer& a) {
  std::vector<JointRecord> all;
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    all.push_back({.name = c.joints[i].name, .impulse = a.joints[i]});
  }
  return all;
}

}  // namespace

std::string comparison_notes(const Comparison& c) {
  std::string text = left_out_text(c.left_out);
  const double G_nt = std::abs(c.problem.G.nt);
  const bool sphere = G_nt <= rounding * (c.problem.G.nn + c.problem.G.tt);
  for (const Answer& a : c.answers) {
    if (!a.note.empty()) text += fmt::format("Note on {}: {}.\n", a.law->name, a.note);
    if (a.law->name == "walton" && !sphere) {
      text += "Note on walton: it is meant for spheres (G_nt = 0); this is moreau.\n";
    }
  }
  return text;
}

std::string comparison_table(const scenario::Scenario& s, const Comparison& c, const Page& page) {
  const bool colour = page.colour;
  std::string out;
  if (!s.title.empty()) out += printable(s.title) + "\n";
  const auto& [G, v, surface, spin] = c.problem;
  out += fmt::format("{}: approach {} m/s, slip {} m/s; {}\n", s.system_type, figure(v.n),
                     figure(v.t), surface_text(s));
  out += fmt::format("G = [[{0}, {1}], [{1}, {2}]] 1/kg\n\n", figure(G.nn), figure(G.nt),
                     figure(G.tt));

  if (v.n > 0.) return out + remarks(s, c, colour);  // every law says the same: nothing

  std::vector<std::string> columns;
  for (const Answer& a : c.answers) columns.emplace_back(a.law->name);
  Table table(std::move(columns));
  const auto row = [&](const std::string& label, const auto& cell) {
    std::vector<Table::Cell> cells;
    for (const Answer& a : c.answers) cells.push_back(cell(a));
    table.row(label, std::move(cells));
  };
  const auto gains = [](const Answer& a) { return a.outcome.flags.has(Verdict::energy_gained); };
  table.rule();
  for (const Quantity& q : quantities(c)) {
    if (q.column == "energy_change_J") {
      row("the contact", [](const Answer& a) {
        return Table::Cell{a.outcome.flags.has(Verdict::no_solution) ? "no solution"
                                                                     : contact_text(a.outcome)};
      });
      row("mode", [](const Answer& a) { return Table::Cell{mode_text(a)}; });
      table.rule();
    }
    if (q.ruled) table.rule();
    const bool energy = q.column.starts_with("energy_change");
    row(q.label, [&](const Answer& a) {
      const auto value = q.value(a);
      return Table::Cell{value ? figure(*value) : "-", energy && gains(a)};
    });
  }
  table.rule();
  row("verdict", [&](const Answer& a) {
    return Table::Cell{verdict_text(a.outcome.flags), gains(a)};
  });
  out += table.text(colour, page.width);
  const std::string below = remarks(s, c, colour) + comparison_notes(c);
  if (!below.empty()) out += "\n" + below;
  return out;
}

std::string comparison_csv(const Comparison& c) {
  const auto q = quantities(c);
  std::string out = "law";
  for (const Quantity& quantity : q) out += "," + quantity.column;
  out += ",mode,verdict\n";
  for (const Answer& a : c.answers) {
    out += a.law->name;
    for (const Quantity& quantity : q) {
      out += ',';
      if (const auto value = quantity.value(a)) append_number(out, *value);
    }
    out += ',' + mode_label(info(planar_kernel(*a.law)), a.outcome.mode, a.outcome.slider);
    out += ',' + verdict_text(a.outcome.flags) + '\n';
  }
  return out;
}

std::string comparison_json(const scenario::Scenario& s, const Comparison& c,
                            std::string_view more) {
  const auto& [G, v, surface, spin] = c.problem;
  std::string out = "{\"scenario\":";
  append_text(out, s.name);
  out += ",\"title\":";
  append_text(out, s.title);
  out += ",\"system\":";
  append_text(out, s.system_type);
  const auto number = [&](std::string_view key, double value) {
    out += key;
    append_number(out, value);
  };
  number(",\n\"inverse_inertia\":[[", G.nn);
  number(",", G.nt);
  number("],[", G.nt);
  number(",", G.tt);
  number("]],\"approach\":[", v.n);
  number(",", v.t);
  number("],\"surface\":{\"restitution\":", surface.restitution);
  number(",\"friction\":", surface.friction);
  number(",\"static_friction\":", surface.static_friction);
  number(",\"tangential_restitution\":", surface.tangential_restitution);
  if (s.place_of("compliance_ratio") != nullptr) {
    number(",\"compliance_ratio\":", surface.compliance_ratio);
  }
  if (surface.impulse_ratio) number(",\"impulse_ratio\":", (*surface.impulse_ratio)[0]);
  if (surface.tangential_coefficient) {
    number(",\"tangential_coefficient\":", (*surface.tangential_coefficient)[0]);
  }
  number(",\"moment_coefficients\":", surface.moment_coefficients[0]);
  number("},\"energy_before\":", c.energy_before);
  if (c.configuration) {
    out += ",\"coordinates\":[";
    for (std::size_t i = 0; i < c.configuration->coordinates.size(); ++i) {
      if (i > 0) out += ',';
      append_text(out, c.configuration->coordinates[i].name);
    }
    out += ']';
  }
  out += ",\n\"outcomes\":[";
  for (std::size_t i = 0; i < c.answers.size(); ++i) {
    const Answer& a = c.answers[i];
    out += i == 0 ? "\n" : ",\n";
    append_outcome(out, {.id = "",
                         .law_name = a.law->name,
                         .law = planar_kernel(*a.law),
                         .problem = c.problem,
                         .outcome = a.outcome,
                         .velocity_after = a.velocity_after ? &*a.velocity_after : nullptr,
                         .joints = joint_records(c, a)});
  }
  out += "],\n\"left_out\":";
  append_left_out(out, c.left_out);
  out += more;
  out += "}\n";
  return out;
}

}  // namespace carom::report
