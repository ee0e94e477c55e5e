// SPDX-License-Identifier: Apache-2.0
#include <carom/report/comparison/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/impact/outcome_words.hpp>
#include <carom/report/comparison/cells.hpp>
#include <carom/report/law_words.hpp>
#include <carom/study/quantity.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;
using study::Over;
using study::Quantity;
using study::QuantityEntry;
using study::Shown;

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

std::string with_unit(const std::string& label, const std::string& unit) {
  return unit.empty() || unit == "%" ? label : label + " [" + unit + "]";
}

/// "impulse, normal [N s]", "  friction [J]", "u_x [m/s]", "joint upper, x [N s]".
std::string label_of(const QuantityEntry& e, const Comparison& c) {
  const Quantity& q = *e.quantity;
  std::string label(q.label);
  // Which energy that is depends on the system.
  constexpr std::string_view before = "energy before";
  if (label.ends_with(before)) {
    label.replace(label.size() - before.size(), before.size(),
                  c.system.knows_kinetic_energy() ? "kinetic energy" : "contact energy");
  }
  switch (q.over) {
    case Over::component:
    case Over::spin:
      return with_unit(e.of.empty() ? label : label + ", " + e.of, e.unit);
    case Over::coordinate:
      return with_unit(e.of, e.unit);
    case Over::body:
    case Over::vehicle:
      return with_unit(e.of + ", " + label, e.unit);
    case Over::joint:
      return with_unit("joint " + e.of + ", " + label, e.unit);
    default:
      return with_unit((q.indented ? "  " : "") + label, e.unit);
  }
}

bool gains(const Answer& a) { return a.outcome.flags.has(Verdict::energy_gained); }

/// Is this cell one that a reader must not overlook?
bool alarms(const Quantity& q, const Answer& a) {
  return gains(a) && (q.name.starts_with("energy_change") || q.name == "verdict");
}

/// Rows for distances, with a line below, where they were asked for.
bool add_distances(Table& table, const Comparison& c) {
  if (c.answers.empty() || !c.answers.front().distance) return false;
  std::vector<Table::Cell> from{{"", false}};
  std::vector<Table::Cell> distance{{"", false}};
  std::vector<Table::Cell> mode{{"", false}};
  for (const Answer& a : c.answers) {
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
  table.rule();
  return true;
}

/// The laws side by side: all that is of the impact, and with one contact all that is of it.
std::string law_table(const Comparison& c, const Page& page) {
  std::vector<std::string> columns = {"before"};
  for (const Answer& a : c.answers) columns.emplace_back(a.law->name);
  Table table(std::move(columns));
  table.rule();
  bool ruled = true;
  const study::OutcomeView first = view_of(c, c.answers.front());
  for (const Quantity& q : study::quantities()) {
    if (!is_shown(q, c, Shown::tables) || (has_several(c) && is_of_contacts(q.over))) continue;
    if (q.name == "verdict" && add_distances(table, c)) ruled = true;
    std::vector<QuantityEntry> entries = entries_of(q, c.problem(), &c.system);
    std::erase_if(entries, [&](const QuantityEntry& e) { return !any(c, e); });
    if (entries.empty()) continue;
    if (q.ruled && !ruled) table.rule();
    ruled = false;
    for_shown(
        entries.size(),
        [&](std::size_t i) {
          const QuantityEntry& e = entries[i];
          const double before = q.before != nullptr ? q.before(first, e.index) : 0.;
          const std::string known = std::isnan(before) ? "-" : figure(before);
          std::vector<Table::Cell> cells = {{q.before != nullptr ? known : "", false}};
          for (const Answer& a : c.answers) cells.push_back({cell(c, a, e), alarms(q, a)});
          table.row(label_of(e, c), std::move(cells));
        },
        [&](std::size_t hidden) {
          table.row(fmt::format("... {} more", hidden),
                    std::vector<Table::Cell>(c.answers.size() + 1));
        });
  }
  return table.text(page.colour, page.width);
}

/// What one law says of each contact.
std::string contact_table(const Comparison& c, const Answer& a, const Page& page) {
  struct Column {
    QuantityEntry entry;  ///< of the first contact
    std::size_t step;     ///< from a contact to the next
    bool before;
  };
  std::vector<Column> all;
  std::vector<std::string> headings;
  for (const Quantity& q : study::quantities()) {
    if (!is_shown(q, c, Shown::tables) || !is_of_contacts(q.over)) continue;
    const auto entries = entries_of(q, c.problem(), &c.system);
    const std::size_t step = entries.size() / c.problem().contacts();
    for (std::size_t k = 0; k < step; ++k) {
      const QuantityEntry& e = entries[k];
      if (std::all_of(c.answers.begin(), c.answers.end(),
                      [&](const Answer& x) { return cell(c, x, e) == "-"; })) {
        continue;  // as friction where there is no tangent
      }
      std::string heading(q.symbol.empty() ? q.label : q.symbol);
      if (q.over != Over::contact) {
        heading += "_" + std::string(component_symbol(c.problem().components(), k));
      }
      if (q.before != nullptr) {
        headings.push_back(with_unit(heading + " before", e.unit));
        all.push_back({e, step, true});
        heading += " after";
      }
      headings.push_back(with_unit(heading, e.unit));
      all.push_back({e, step, false});
    }
  }
  Table table(std::move(headings));
  table.rule();
  const study::OutcomeView view = view_of(c, a);
  for_shown(
      c.problem().contacts(),
      [&](std::size_t i) {
        std::vector<Table::Cell> cells;
        for (const Column& column : all) {
          QuantityEntry e = column.entry;
          e.index += i * column.step;
          cells.push_back(
              {column.before ? figure(e.quantity->before(view, e.index)) : cell(c, a, e), false});
        }
        table.row("  " + c.system.names[i], std::move(cells));
      },
      [&](std::size_t hidden) {
        table.row(fmt::format("  ... {} more", hidden), std::vector<Table::Cell>(all.size()));
      });
  return table.text(page.colour, page.width);
}

/// The least and the greatest of what the laws that find an impact say.
struct Range {
  double least = 0.;
  double most = 0.;

  /// To the six digits shown.
  [[nodiscard]] bool is_one(double scale) const { return most - least <= 5e-7 * std::abs(scale); }
};

std::optional<Range> range_of(const Comparison& c, std::string_view quantity) {
  std::vector<double> values;
  const Quantity& q = study::find_quantity(quantity, "");
  for (const Answer& a : c.answers) {
    if (a.outcome.impulse[0] > 0. || has_several(c)) values.push_back(q.get(view_of(c, a), 0));
  }
  if (values.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return Range{*least, *most};
}

/// How far the laws are apart, where two or more of them find an impact.
std::string spread(const Comparison& c) {
  const auto energy = range_of(c, "energy_change");
  if (!energy) return "";
  std::vector<std::string> agreed;
  std::vector<std::string> apart;
  double speed = 0.;
  for (const double v : c.problem().approach) speed = std::max(speed, std::abs(v));
  const auto add = [&](const Range& r, double scale, const std::string& what,
                       const std::string& range) {
    r.is_one(scale) ? agreed.push_back("the " + what) : apart.push_back(what + " " + range);
  };
  if (!has_several(c)) {
    for (const auto& [quantity, what] :
         {std::pair{"normal_velocity", "normal velocity"}, std::pair{"slip", "slip"}}) {
      const Quantity& q = study::find_quantity(quantity, "");
      if (q.refuses != nullptr && !q.refuses(kind_of(c.problem())).empty()) continue;
      const Range r = *range_of(c, quantity);
      add(r, speed, what, fmt::format("{} to {} m/s", figure(r.least), figure(r.most)));
    }
  }
  if (c.energy_before > 0.) {
    add(*energy, c.energy_before, "energy change",
        fmt::format("{:.4g} to {:.4g} %", 100. * energy->least / c.energy_before,
                    100. * energy->most / c.energy_before));
  }
  if (apart.empty() && agreed.empty()) return "";
  if (apart.empty()) return "These laws agree on " + join(agreed) + ".\n";
  std::string text = fmt::format("After, between the laws: {}", fmt::join(apart, ", "));
  if (!agreed.empty()) text += "; they agree on " + join(agreed);
  return text + ".\n";
}

/// What is said of laws that have a verdict.
struct Remark {
  Verdict verdict;
  std::string_view text;
};
constexpr Remark remarks_on_verdicts[] = {
    {Verdict::energy_gained, "energy is created here"},
    {Verdict::still_approaching, "the contact still approaches afterwards"},
    {Verdict::recompressed, "a contact was compressed more than once"},
    {Verdict::target_unreachable, "the contact locks before what e asks for is reached"},
    {Verdict::no_solution, "no solution; the velocities are left as they were"},
    {Verdict::not_converged, "not computed to the tolerance asked for"},
    {Verdict::several_solutions, "several solutions; one of them is shown"},
    {Verdict::jam, "a contact jams: slip drives it further in before it turns (Painleve)"},
};

/// Where an impact that is none may come from.
struct Hint {
  std::string_view system_type;
  std::string_view text;
};
constexpr Hint hints[] = {{"rod", " In a rod's axes y points down."},
                          {"space-rod", " In a rod's axes y points down."},
                          {"bodies", " The normal points into the first body."},
                          {"space", " The normal points into the first body."},
                          {"vehicles",
                           " The vehicles pass each other along this contact plane: look at its "
                           "angle."}};

bool separates(const Comparison& c) { return !has_several(c) && c.problem().approach[0] > 0.; }

/// What a reader should not overlook.
std::string remarks(const scenario::Scenario& s, const Comparison& c, bool colour) {
  if (separates(c)) {
    std::string text =
        fmt::format("No impact: the contact separates at {} m/s (normal velocity above zero).",
                    figure(c.problem().approach[0]));
    for (const Hint& hint : hints) {
      if (hint.system_type == s.system_type) text += hint.text;
    }
    return text + "\n";
  }
  std::string text = spread(c);
  for (const Remark& remark : remarks_on_verdicts) {
    const std::string laws = laws_with(c.answers, remark.verdict);
    if (laws.empty()) continue;
    std::string line = laws + ": " + std::string(remark.text);
    const auto mu = remark.verdict == Verdict::jam ? jamming_friction(c.problem()) : std::nullopt;
    if (mu) line += fmt::format("; mu is above {}", figure(*mu));
    line += ".";
    text += (remark.verdict == Verdict::energy_gained ? red(line, colour) : line) + "\n";
  }
  const Surface& surface = c.problem().surfaces.front();
  for (const Answer& a : c.answers) {
    if (has_several(c) || !(a.outcome.impulse[0] > 0.)) continue;
    if (surface.restitution > 1.) {
      text += fmt::format("{}: restitution above 1 releases {} J in the normal direction.\n",
                          a.law->name, figure(a.outcome.energy.normal));
    }
    if (surface.tangential_rule == BrachRule::impulse_ratio &&
        info_of(c, a).knows("impulse_ratio") && a.outcome.energy.friction > 0.) {
      text +=
          fmt::format("{}: this impulse ratio accelerates the slip: friction does {} J of work.\n",
                      a.law->name, figure(a.outcome.energy.friction));
    }
  }
  return text;
}

/// "[[2, 0.1], [0.1, 1]]" of one contact.
std::string matrix_text(const ContactProblem& p) {
  std::string text;
  for (std::size_t r = 0; r < p.components(); ++r) {
    text += r == 0 ? "[" : ", [";
    for (std::size_t k = 0; k < p.components(); ++k) {
      text += (k == 0 ? "" : ", ") + figure(p.G(r, k));
    }
    text += "]";
  }
  return "[" + text + "]";
}

/// What was asked.
std::string heading(const scenario::Scenario& s, const Comparison& c) {
  std::string out;
  if (!s.title.empty()) out += printable(s.title) + "\n";
  const ContactProblem& p = c.problem();
  const std::string coefficients = coefficients_text(p, false);
  if (!has_several(c)) {
    out += fmt::format("{}: approach {} m/s", s.system_type, figure(p.approach[0]));
    std::string slip;
    for (std::size_t k = 1; k < p.components(); ++k) {
      slip += (k == 1 ? "" : ", ") + figure(p.approach[k]);
    }
    if (p.components() > 2) slip = "(" + slip + ")";
    if (!slip.empty()) out += ", slip " + slip + " m/s";
    return out + "; " + coefficients + "\nG = " + matrix_text(p) + " 1/kg\n";
  }
  std::size_t approaching = 0;
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    if (p.approach[i * p.G.components()] < 0.) ++approaching;
  }
  return out + fmt::format("{}: {} contacts, {} of them approach{}; {}\n", s.system_type,
                           p.contacts(), approaching, approaching == 1 ? "es" : "", coefficients);
}

}  // namespace

std::string coefficients_text(const ContactProblem& p, bool for_pictures) {
  const auto shown = [&](double x) { return for_pictures ? pretty(x) : figure(x); };
  std::string text;
  for (const Coefficient& k : coefficients()) {
    const auto asks = [&](const Surface& s) {
      if (k.read(s).empty()) return false;
      return k.asks != nullptr ? k.asks(s, couple_size(p.components())) : is_given(s, k.key);
    };
    if (p.components() == 1 && k.key == "friction") continue;  // without a tangent there is none
    if (std::none_of(p.surfaces.begin(), p.surfaces.end(), asks)) continue;
    text += fmt::format("{}{} = ", text.empty() ? "" : ", ", for_pictures ? k.glyph : k.symbol);
    const std::size_t size = k.size(p.components());
    std::string values;
    for (std::size_t i = 0; i < size; ++i) {
      double least = std::numeric_limits<double>::infinity();
      double most = -least;
      for (const Surface& s : p.surfaces) {
        if (k.read(s).empty() || (!k.default_is_none && !is_given(s, k.key))) continue;
        least = std::min(least, k.read(s)[i]);
        most = std::max(most, k.read(s)[i]);
      }
      values += (i == 0 ? "" : ", ") + shown(least) + (most > least ? " to " + shown(most) : "");
    }
    text += size > 1 ? "(" + values + ")" : values;
    if (!k.unit.empty()) text += " " + std::string(k.unit);
  }
  return text;
}

std::string comparison_notes(const Comparison& c) {
  std::string text = left_out_text(c.left_out);
  for (const Answer& a : c.answers) {
    if (!a.note.empty()) text += fmt::format("Note: {} {}.\n", a.law->name, a.note);
    if (const std::string_view caution = caution_of(*a.law, c.problem()); !caution.empty()) {
      text += fmt::format("Note on {}: {}.\n", a.law->name, caution);
    }
  }
  return text;
}

std::string comparison_table(const scenario::Scenario& s, const Comparison& c, const Page& page) {
  std::string out = heading(s, c) + "\n";
  if (separates(c)) return out + remarks(s, c, page.colour);  // every law says the same: nothing
  if (has_several(c)) {
    for (const Answer& a : c.answers) {
      out += fmt::format("{}\n{}\n", a.law->name, contact_table(c, a, page));
    }
  }
  out += law_table(c, page);
  const std::string below = remarks(s, c, page.colour) + comparison_notes(c);
  if (!below.empty()) out += "\n" + below;
  return out;
}

}  // namespace carom::report
