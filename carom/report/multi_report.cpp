// SPDX-License-Identifier: Apache-2.0
#include <carom/report/multi_report.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/json_parts.hpp>
#include <carom/report/law_words.hpp>

namespace carom::report {
namespace {

using study::MultiAnswer;
using study::MultiComparison;

/// Of more rows than this the first and the last are shown.
constexpr std::size_t most_rows = 24;
constexpr std::size_t shown_at_each_end = 10;

/// Calls `row(i)` for each that is shown, and `gap(hidden)` where some are left out.
template <class Row, class Gap>
void for_shown(std::size_t count, const Row& row, const Gap& gap) {
  const bool all = count <= most_rows;
  for (std::size_t i = 0; i < count; ++i) {
    if (!all && i == shown_at_each_end) {
      gap(count - 2 * shown_at_each_end);
      i = count - shown_at_each_end;
    }
    row(i);
  }
}

/// A quantity of one contact under one law: its name for people and for CSV, and how to get it.
struct Quantity {
  std::string label;
  std::string column;
  std::optional<double> (*value)(const MultiComparison&, const MultiAnswer&, std::size_t contact);
};

double entry(const std::vector<double>& v, const MultiComparison& c, std::size_t contact,
             std::size_t component) {
  return v[contact * c.problem.components() + component];
}

/// Components, named and in the units of their vector.
void add_components(std::vector<Quantity>& all, const MultiComparison& c) {
  const bool space = c.problem.components() == 3;
  all.push_back({"impulse n [N s]", "impulse_normal_Ns",
                 [](const MultiComparison& k, const MultiAnswer& a, std::size_t i) {
                   return std::optional(entry(a.outcome.impulse, k, i, 0));
                 }});
  if (c.problem.components() > 1) {
    all.push_back({space ? "t1 [N s]" : "t [N s]",
                   space ? "impulse_tangent1_Ns" : "impulse_tangential_Ns",
                   [](const MultiComparison& k, const MultiAnswer& a, std::size_t i) {
                     return std::optional(entry(a.outcome.impulse, k, i, 1));
                   }});
  }
  if (space) {
    all.push_back({"t2 [N s]", "impulse_tangent2_Ns",
                   [](const MultiComparison& k, const MultiAnswer& a, std::size_t i) {
                     return std::optional(entry(a.outcome.impulse, k, i, 2));
                   }});
  }
  all.push_back({"v_n before [m/s]", "approach_normal_m_s",
                 [](const MultiComparison& k, const MultiAnswer&, std::size_t i) {
                   return std::optional(entry(k.problem.approach, k, i, 0));
                 }});
  all.push_back({"v_n after [m/s]", "velocity_normal_m_s",
                 [](const MultiComparison& k, const MultiAnswer& a, std::size_t i) {
                   return std::optional(entry(a.outcome.velocity, k, i, 0));
                 }});
  if (c.problem.components() > 1) {
    all.push_back({space ? "v_t1 before [m/s]" : "v_t before [m/s]",
                   space ? "approach_tangent1_m_s" : "approach_tangential_m_s",
                   [](const MultiComparison& k, const MultiAnswer&, std::size_t i) {
                     return std::optional(entry(k.problem.approach, k, i, 1));
                   }});
    all.push_back({space ? "v_t1 after [m/s]" : "v_t after [m/s]",
                   space ? "velocity_tangent1_m_s" : "velocity_tangential_m_s",
                   [](const MultiComparison& k, const MultiAnswer& a, std::size_t i) {
                     return std::optional(entry(a.outcome.velocity, k, i, 1));
                   }});
  }
  if (space) {
    all.push_back({"v_t2 before [m/s]", "approach_tangent2_m_s",
                   [](const MultiComparison& k, const MultiAnswer&, std::size_t i) {
                     return std::optional(entry(k.problem.approach, k, i, 2));
                   }});
    all.push_back({"v_t2 after [m/s]", "velocity_tangent2_m_s",
                   [](const MultiComparison& k, const MultiAnswer& a, std::size_t i) {
                     return std::optional(entry(a.outcome.velocity, k, i, 2));
                   }});
  }
}

void add_work(std::vector<Quantity>& all, const MultiComparison& c) {
  all.push_back({"normal work [J]", "normal_J",
                 [](const MultiComparison&, const MultiAnswer& a, std::size_t i) {
                   return std::optional(a.outcome.contacts[i].energy.normal);
                 }});
  if (c.problem.components() > 1) {
    all.push_back({"friction [J]", "friction_J",
                   [](const MultiComparison&, const MultiAnswer& a, std::size_t i) {
                     return std::optional(a.outcome.contacts[i].energy.friction);
                   }});
  }
}

std::vector<Quantity> quantities(const MultiComparison& c) {
  std::vector<Quantity> all;
  add_components(all, c);
  add_work(all, c);
  return all;
}

/// The stages of work, which only CSV has room for.
std::vector<Quantity> stage_quantities() {
  return {
      {"", "normal_compression_J",
       [](const MultiComparison&, const MultiAnswer& a, std::size_t i) {
         const auto& stages = a.outcome.contacts[i].energy.stages;
         return stages ? std::optional(stages->compression) : std::nullopt;
       }},
      {"", "normal_restitution_J", [](const MultiComparison&, const MultiAnswer& a, std::size_t i) {
         const auto& stages = a.outcome.contacts[i].energy.stages;
         return stages ? std::optional(stages->restitution) : std::nullopt;
       }}};
}

std::size_t compressions(const Outcome& o, std::size_t contact) {
  std::size_t count = 0;
  bool compressing = false;
  for (const Phase& phase : o.phases) {
    if (phase.contact != contact) continue;
    const bool now = phase.stage == Stage::compression;
    if (now && !compressing) ++count;
    compressing = now;
  }
  return count;
}

/// What the contact did: "stick", "slip", and how often it was compressed if more than once.
std::string contact_text(const Outcome& o, std::size_t contact) {
  if (o.contacts[contact].mode == Mode::no_impulse) return "-";
  std::string text(name(o.contacts[contact].mode));
  const std::size_t times = compressions(o, contact);
  if (times > 1) text += fmt::format(" ({}x{})", times, o.phases_left_out > 0 ? " or more" : "");
  return text;
}

/// Work that is only rounding is shown as none.
std::string work_figure(const MultiComparison& c, double work) {
  return figure(std::abs(work) <= 1e-12 * c.energy_before ? 0. : work);
}

std::string shown(const MultiComparison& c, const Quantity& q, double value) {
  return q.column.ends_with("_J") ? work_figure(c, value) : figure(value);
}

std::string contact_table(const MultiComparison& c, const MultiAnswer& a, const Page& page) {
  const auto all = quantities(c);
  std::vector<std::string> columns;
  for (const Quantity& q : all) columns.push_back(q.label);
  columns.emplace_back("motion");
  Table table(columns);
  table.rule();
  for_shown(
      c.names.size(),
      [&](std::size_t i) {
        std::vector<Table::Cell> cells;
        for (const Quantity& q : all) {
          const auto value = q.value(c, a, i);
          cells.push_back({value ? shown(c, q, *value) : "-", false});
        }
        cells.push_back({contact_text(a.outcome, i), false});
        table.row("  " + c.names[i], std::move(cells));
      },
      [&](std::size_t hidden) {
        std::vector<Table::Cell> cells(all.size() + 1);
        table.row(fmt::format("  ... {} more", hidden), std::move(cells));
      });
  return table.text(page.colour, page.width);
}

/// What the outcome was computed to, in the words of its kind.
std::string accuracy_text(const MultiAnswer& a) {
  if (a.law->info->knows("stiffness") && a.outcome.collapsed > 0) {
    return fmt::format("{} steps, {} collapsed", a.outcome.steps, a.outcome.collapsed);
  }
  if (a.law->info->knows("stiffness")) return fmt::format("{} steps", a.outcome.steps);
  return fmt::format("residual {:.1e}", a.outcome.residual);
}

void add_energies(Table& table, const MultiComparison& c) {
  const auto row = [&](const std::string& label, const auto& cell) {
    std::vector<Table::Cell> cells = {{"", false}};
    for (const MultiAnswer& a : c.answers) cells.push_back(cell(a));
    table.row(label, std::move(cells));
  };
  const auto number = [&](const std::string& label, const auto& value) {
    row(label, [&](const MultiAnswer& a) {
      const std::optional<double> x = value(a);
      const bool percent = label.find('%') != std::string::npos;
      return Table::Cell{
          !x        ? "-"
          : percent ? figure(std::abs(*x) <= 1e-10 ? 0. : *x)
                    : work_figure(c, *x),
          label.starts_with("energy") && a.outcome.flags.has(Verdict::energy_gained)};
    });
  };
  using Value = std::optional<double>;
  number("energy change [J]", [](const MultiAnswer& a) { return Value(a.outcome.energy.change); });
  number(c.kinetic ? "  in % of the kinetic energy" : "  in % of the contact energy",
         [&](const MultiAnswer& a) {
           return c.energy_before > 0. ? Value(100. * a.outcome.energy.change / c.energy_before)
                                       : std::nullopt;
         });
  number("  normal, compression [J]", [](const MultiAnswer& a) {
    const auto& stages = a.outcome.energy.stages;
    return stages ? Value(stages->compression) : std::nullopt;
  });
  number("  normal, restitution [J]", [](const MultiAnswer& a) {
    const auto& stages = a.outcome.energy.stages;
    return stages ? Value(stages->restitution) : std::nullopt;
  });
  number("  normal, total [J]",
         [](const MultiAnswer& a) { return Value(a.outcome.energy.normal); });
  if (c.problem.components() > 1) {
    number("  friction [J]", [](const MultiAnswer& a) { return Value(a.outcome.energy.friction); });
  }
  table.rule();
  row("computed to", [](const MultiAnswer& a) { return Table::Cell{accuracy_text(a), false}; });
  row("verdict", [](const MultiAnswer& a) {
    return Table::Cell{verdict_text(a.outcome.flags), a.outcome.flags.has(Verdict::energy_gained)};
  });
}

/// The laws side by side: velocities of the coordinates, energies, verdicts.
std::string law_table(const MultiComparison& c, const Page& page) {
  std::vector<std::string> columns = {"before"};
  for (const MultiAnswer& a : c.answers) columns.emplace_back(a.law->name);
  Table table(std::move(columns));
  table.rule();
  for_shown(
      c.coordinates.size(),
      [&](std::size_t i) {
        std::vector<Table::Cell> cells = {{figure(c.velocity_before[i]), false}};
        for (const MultiAnswer& a : c.answers)
          cells.push_back({figure(a.velocity_after[i]), false});
        table.row(c.coordinates[i], std::move(cells));
      },
      [&](std::size_t hidden) {
        table.row(fmt::format("... {} more", hidden),
                  std::vector<Table::Cell>(c.answers.size() + 1));
      });
  if (!c.coordinates.empty()) table.rule();
  add_energies(table, c);
  return table.text(page.colour, page.width);
}

/// "e = 0.9", or "e = 0.7 to 0.9" where contacts differ.
std::string range_text(const MultiComparison& c, std::string_view symbol, double Surface::*part) {
  double least = c.problem.surfaces.front().*part;
  double most = least;
  for (const Surface& s : c.problem.surfaces) {
    least = std::min(least, s.*part);
    most = std::max(most, s.*part);
  }
  return least == most ? fmt::format("{} = {}", symbol, figure(least))
                       : fmt::format("{} = {} to {}", symbol, figure(least), figure(most));
}

std::string surfaces_text(const MultiComparison& c, bool stiffness) {
  const auto& surfaces = c.problem.surfaces;
  const auto any = [&](const auto& holds) {
    return std::any_of(surfaces.begin(), surfaces.end(), holds);
  };
  std::string text = range_text(c, "e", &Surface::restitution);
  if (c.problem.components() > 1) {
    text += ", " + range_text(c, "mu", &Surface::friction);
    if (any([](const Surface& s) { return s.static_friction > s.friction; })) {
      text += ", " + range_text(c, "mu_s", &Surface::static_friction);
    }
    if (any([](const Surface& s) { return s.tangential_restitution > 0.; })) {
      text += ", " + range_text(c, "eps_T", &Surface::tangential_restitution);
    }
  }
  if (stiffness) {
    text += ", " + range_text(c, "k", &Surface::stiffness);
    text += ", " + range_text(c, "exponent", &Surface::exponent);
  }
  return text;
}

/// What a reader should not overlook.
std::string remarks(const MultiComparison& c, bool colour) {
  std::string text;
  if (const std::string laws = laws_with(c.answers, Verdict::energy_gained); !laws.empty()) {
    text += red(laws + ": energy is created here.", colour) +
            " With unequal coefficients this law does not exclude it.\n";
  }
  for (const MultiAnswer& a : c.answers) {
    if (!a.outcome.flags.has(Verdict::several_solutions)) continue;
    text += fmt::format(
        "{}: several solutions{}; one of them is shown.\n", a.law->name,
        a.outcome.solutions.empty() ? "" : fmt::format(", {} found", a.outcome.solutions.size()));
  }
  if (const std::string laws = laws_with(c.answers, Verdict::no_solution); !laws.empty()) {
    text += laws + ": no solution; the velocities are left as they were.\n";
  }
  for (const MultiAnswer& a : c.answers) {
    if (!a.outcome.flags.has(Verdict::not_converged)) continue;
    text += fmt::format("{}: not computed to the tolerance asked for ({}).\n", a.law->name,
                        accuracy_text(a));
  }
  if (const std::string laws = laws_with(c.answers, Verdict::recompressed); !laws.empty()) {
    text +=
        laws + ": a contact was compressed more than once (the number of times is beside it).\n";
  }
  if (const std::string laws = laws_with(c.answers, Verdict::jam); !laws.empty()) {
    text += laws + ": a contact jams: slip drives it further in before it turns (Painleve).\n";
  }
  return text;
}

}  // namespace

std::string multi_notes(const MultiComparison& c) {
  std::string text = left_out_text(c.left_out);
  for (const MultiAnswer& a : c.answers) {
    if (!a.note.empty()) text += fmt::format("Note on {}: {}.\n", a.law->name, a.note);
  }
  return text;
}

std::string multi_table(const scenario::Scenario& s, const MultiComparison& c, const Page& page) {
  std::string out;
  if (!s.title.empty()) out += printable(s.title) + "\n";
  const std::size_t n = c.problem.contacts();
  std::size_t approaching = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (entry(c.problem.approach, c, i, 0) < 0.) ++approaching;
  }
  out += fmt::format("{}: {} contact{}, {} of them approach{}; {}\n", s.system_type, n,
                     n == 1 ? "" : "s", approaching, approaching == 1 ? "es" : "",
                     surfaces_text(c, s.surfaces.has("stiffness")));
  for (const MultiAnswer& a : c.answers) {
    out += fmt::format("\n{}\n{}", a.law->name, contact_table(c, a, page));
  }
  out += "\n" + law_table(c, page);
  const std::string below = remarks(c, page.colour) + multi_notes(c);
  if (!below.empty()) out += "\n" + below;
  return out;
}

std::string multi_csv(const MultiComparison& c) {
  auto all = quantities(c);
  for (Quantity& q : stage_quantities()) all.push_back(std::move(q));
  std::string out = "law,contact";
  for (const Quantity& q : all) out += "," + q.column;
  out += ",mode,verdict\n";
  for (const MultiAnswer& a : c.answers) {
    for (std::size_t i = 0; i < c.names.size(); ++i) {
      out += fmt::format("{},{}", a.law->name, column_part(c.names[i]));
      for (const Quantity& q : all) {
        out += ',';
        if (const auto value = q.value(c, a, i)) append_number(out, *value);
      }
      out +=
          fmt::format(",{},{}\n", name(a.outcome.contacts[i].mode), verdict_text(a.outcome.flags));
    }
  }
  return out;
}

}  // namespace carom::report
