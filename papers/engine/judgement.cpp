// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/judgement.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <carom/core/error.hpp>

namespace carom::papers {
namespace {

/// What rounding may do beside half a unit of the last digit.
constexpr double slack = 1e-9;

const Erratum* find(const std::vector<Erratum>& errata, const std::string& id) {
  const auto at =
      std::find_if(errata.begin(), errata.end(), [&](const Erratum& e) { return e.id == id; });
  return at == errata.end() ? nullptr : &*at;
}

/// Of what differs or does not, and is known or not.
/// @param units  of the last digit by which it differs; 0 of words and statements
Agreement agreement(bool same, double units, const std::string& known,
                    const std::vector<Erratum>& errata) {
  if (known.empty()) return same ? Agreement::equal : Agreement::differs;
  const Erratum* erratum = find(errata, known);
  if (erratum == nullptr) throw std::invalid_argument("no erratum '" + known + "'");
  if (same) return Agreement::stale;
  if (erratum->reason == Reason::unexplained) return Agreement::unexplained;
  return units > 0. && units < 1.5 ? Agreement::last_digit : Agreement::explained;
}

/// A true minus sign is one.
std::string plain_minus(std::string_view digits) {
  constexpr std::string_view sign = "\u2212";
  std::string text;
  if (digits.starts_with(sign)) {
    text = "-";
    digits.remove_prefix(sign.size());
  }
  return text.append(digits);
}

std::string cell_words(const Cell& c) {
  const std::string value = c.computed ? shortest(*c.computed) : "'" + c.text + "'";
  return fmt::format("computed {}, printed '{}'{}", value, c.printed,
                     c.known.empty() ? "" : ", listed under " + c.known);
}

}  // namespace

const AgreementWords& words(Agreement a) {
  static constexpr std::array<AgreementWords, 7> all{{{"-", " ", "equal"},
                                                      {"equal", "=", "equal"},
                                                      {"last digit", "~", "last"},
                                                      {"erratum", "!", "erratum"},
                                                      {"unexplained", "?", "open"},
                                                      {"DIFFERS", "X", "fault"},
                                                      {"NO DIFFERENCE", "X", "fault"}}};
  return all.at(static_cast<std::size_t>(a));
}

PrintedNumber parse_printed(std::string_view digits) {
  const std::string text = plain_minus(digits);
  PrintedNumber n;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n.value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(n.value)) {
    throw std::invalid_argument("not a printed number: '" + text + "'");
  }
  const auto e = std::min(text.find_first_of("eE"), text.size());
  const auto point = text.find('.');
  const auto decimals = point < e ? static_cast<int>(e - point) - 1 : 0;
  int exponent = 0;
  if (e < text.size()) {
    const std::size_t first = e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + first, text.data() + text.size(), exponent);
  }
  n.last_digit = std::pow(10., exponent - decimals);
  return n;
}

Judgement judge(const Cell& cell, const std::vector<Erratum>& errata) {
  if (cell.printed.empty()) return {};
  if (!cell.computed) {
    return {.agreement = agreement(cell.text == cell.printed, 0., cell.known, errata)};
  }
  const PrintedNumber p = parse_printed(cell.printed);
  const double difference = *cell.computed - p.value;
  const double units = std::abs(difference) / p.last_digit;
  if (!std::isfinite(difference)) {  // whatever is known of it: nothing was computed
    return {.agreement = Agreement::differs, .difference = difference};
  }
  const bool same = units <= 0.5 + slack;
  return {.agreement = agreement(same, units, cell.known, errata), .difference = difference};
}

Judgement judge(const Statement& s, const std::vector<Erratum>& errata) {
  return {.agreement = agreement(s.holds, 0., s.known, errata)};
}

std::vector<Comparison> comparisons(const Reproduction& r) {
  std::vector<Comparison> all;
  const auto add = [&](Comparison c, const auto& compared) {
    c.judged = judge(compared, r.errata);
    if (c.judged.agreement != Agreement::none) all.push_back(c);
  };
  for (const Part& part : r.parts) {
    for (const Table& table : part.tables) {
      for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& cells = table.rows[i].cells;
        for (std::size_t j = 0; j < cells.size(); ++j) {
          add({.part = &part, .table = &table, .row = i, .column = j}, cells[j]);
        }
      }
    }
    for (const Statement& s : part.statements) add({.part = &part, .statement = &s}, s);
  }
  return all;
}

Tally tally(const Reproduction& r) {
  constexpr std::array kinds{&Tally::equal,     &Tally::equal,       &Tally::last_digit,
                             &Tally::explained, &Tally::unexplained, &Tally::faults,
                             &Tally::faults};
  Tally sum;
  for (const Comparison& c : comparisons(r)) {
    ++(sum.*kinds.at(static_cast<std::size_t>(c.judged.agreement)));
  }
  for (const Erratum& e : r.errata) sum.faults += e.holds ? 0 : 1;
  return sum;
}

std::vector<std::string> faults(const Reproduction& r) {
  std::vector<std::string> found;
  for (const Comparison& c : comparisons(r)) {
    if (!is_fault(c.judged.agreement)) continue;
    const std::string_view name = words(c.judged.agreement).name;
    if (c.table != nullptr) {
      found.push_back(fmt::format("{}, row {}, {}: {}; {}", c.part->id, c.row + 1,
                                  c.table->columns[c.column], name, cell_words(c.cell())));
    } else {
      found.push_back(
          fmt::format("{}: {}; '{}': {}", c.part->id, name, c.statement->says, c.statement->found));
    }
  }
  for (const Erratum& e : r.errata) {
    if (!e.holds) found.push_back(fmt::format("erratum {}: not shown; {}", e.id, e.shown));
  }
  return found;
}

}  // namespace carom::papers
