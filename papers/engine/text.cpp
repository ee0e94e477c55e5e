// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/report/json_writer.hpp>
#include <carom/report/map/words.hpp>

namespace carom::papers {
namespace {

using report::letters;

std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::string space(width - std::min(width, letters(text)), ' ');
  return to_the_right ? space + text : text + space;
}

std::string paragraph(const std::string& text, const report::Page& page, std::string_view indent) {
  std::string out;
  if (text.empty()) return out;
  for (const std::string& line : report::wrap(text, page.width - indent.size())) {
    out += std::string(indent) + line + '\n';
  }
  return out;
}

/// The table as the paper has it, of our numbers, each with its mark; columns that do not fit go
/// into another block, with the first column again.
std::string grid(const Table& table, const std::vector<Erratum>& errata, const report::Page& page) {
  const std::size_t columns = table.columns.size();
  std::vector<std::size_t> width(columns, 0);
  std::vector<std::vector<std::string>> texts;
  for (std::size_t j = 0; j < columns; ++j) width[j] = letters(table.columns[j]);
  for (const Table::Row& row : table.rows) {
    std::vector<std::string>& line = texts.emplace_back();
    for (std::size_t j = 0; j < columns && j < row.cells.size(); ++j) {
      const Agreement a = judge(row.cells[j], errata).agreement;
      line.push_back(computed_text(row.cells[j]) +
                     (a == Agreement::none ? "" : " " + std::string(words(a).mark)));
      width[j] = std::max(width[j], letters(line.back()));
    }
  }
  std::string out;
  for (std::size_t first = 1; first < std::max<std::size_t>(columns, 2);) {
    std::size_t total = 2 + width[0];
    std::size_t last = first;
    while (last < columns && (last == first || total + 2 + width[last] <= page.width)) {
      total += 2 + width[last++];
    }
    if (first > 1) out += '\n';
    const auto put = [&](const std::vector<std::string>& cells) {
      std::string line = "  " + padded(cells[0], width[0], false);
      for (std::size_t j = first; j < last; ++j) line += "  " + padded(cells[j], width[j], true);
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + '\n';
    };
    put(table.columns);
    for (const auto& line : texts) put(line);
    if (last == columns) break;
    first = last;
  }
  return out;
}

/// What the row is: its first cell, if that is not compared.
std::string row_name(const Table::Row& row, std::size_t i) {
  if (row.cells.empty() || !row.cells[0].printed.empty()) return fmt::format("row {}", i + 1);
  return computed_text(row.cells[0]);
}

std::string differences(const Table& table, const std::vector<Erratum>& errata,
                        const report::Page& page, bool full) {
  std::string out;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& cells = table.rows[i].cells;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const Judgement judged = judge(cells[j], errata);
      const bool same = judged.agreement == Agreement::equal;
      if (judged.agreement == Agreement::none || (same && !full)) continue;
      std::string line = fmt::format("  {} {}, {}: printed {}, computed {}",
                                     words(judged.agreement).mark, row_name(table.rows[i], i),
                                     table.columns[j], cells[j].printed, computed_text(cells[j]));
      if (cells[j].computed) line += fmt::format(", difference {:+.2g}", judged.difference);
      line += fmt::format(", {}", words(judged.agreement).name);
      if (!cells[j].known.empty()) line += " " + cells[j].known;
      out += is_fault(judged.agreement) ? report::red(line, page.colour) : line;
      out += '\n';
    }
  }
  return out;
}

std::string statement_text(const Statement& s, const std::vector<Erratum>& errata,
                           const report::Page& page) {
  const Agreement a = judge(s, errata).agreement;
  std::string line = s.says + ": " + (a == Agreement::equal ? "yes" : std::string(words(a).name));
  if (!s.known.empty()) line += " " + s.known;
  if (!s.found.empty()) line += "; " + s.found;
  std::string out = paragraph(line, page, "    ");
  out.replace(2, 1, words(a).mark);
  return is_fault(a) ? report::red(out, page.colour) : out;
}

}  // namespace

std::string computed_text(const Cell& cell) {
  if (!cell.computed) return cell.text;
  if (!std::isfinite(*cell.computed)) return "-";
  if (cell.printed.empty()) return report::figure(*cell.computed);
  const PrintedNumber p = parse_printed(cell.printed);
  const double value = *cell.computed == 0. ? 0. : *cell.computed;
  const int decimals = static_cast<int>(std::lround(-std::log10(p.last_digit))) + 2;
  if (std::abs(value) >= 1e6 || (std::abs(value) < 1e-3 && value != 0. && decimals > 7)) {
    const int before = static_cast<int>(std::floor(std::log10(std::abs(value))));
    return fmt::format("{:.{}e}", value, std::clamp(before + decimals, 2, 12));
  }
  const std::string text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 12));
  return text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1)
                                                                              : text;
}

std::string tally_words(const Tally& t) {
  std::string text = fmt::format("{} compared: {} equal", t.compared(), t.equal);
  const auto add = [&](std::size_t n, std::string_view words) {
    if (n > 0) text += fmt::format(", {} {}", n, words);
  };
  add(t.last_digit, "off by one in the last digit");
  add(t.explained, "explained by an erratum");
  add(t.unexplained, "unexplained");
  add(t.faults, "FAULTY");
  return text;
}

std::string_view reason_words(Reason reason) {
  constexpr std::array<std::string_view, 4> words{"misprint", "perhaps the scan", "reading",
                                                  "unexplained"};
  return words.at(static_cast<std::size_t>(reason));
}

std::string list_text(const report::Page& page) {
  std::string out;
  const auto list = [&](const std::vector<Publication>& all) {
    for (const Publication& p : all) {
      out += fmt::format("{}\n", p.name);
      out += paragraph(fmt::format("{} ({}): {}. {}.", p.authors, p.year, p.title, p.where), page,
                       "  ");
      out += paragraph(std::string(p.about), page, "  ") + "\n";
    }
  };
  list(publications());
  out +=
      "'carom papers NAME' recomputes one; 'carom papers --all --out DIR' writes a report of "
      "all, with pictures.\n\nNot part of --all, because it takes about a minute:\n\n";
  list(studies());
  out.pop_back();
  return out;
}

std::string paper_text(const Publication& publication, const Reproduction& r,
                       const report::Page& page, bool full) {
  std::string out = paragraph(fmt::format("{} ({}): {}. {}.", publication.authors, publication.year,
                                          publication.title, publication.where),
                              page, "");
  out +=
      "marks: = equal to the printed digits, ~ one off in the last, ! erratum, ? unexplained, X "
      "fault\n";
  for (const Part& part : r.parts) {
    out += fmt::format("\n{}  {}\n", part.id, part.title);
    out += paragraph(part.text, page, "  ");
    for (const Table& table : part.tables) {
      out += '\n' + paragraph(table.caption, page, "  ");
      out += grid(table, r.errata, page);
      out += differences(table, r.errata, page, full);
    }
    if (!part.statements.empty()) out += '\n';
    for (const Statement& s : part.statements) out += statement_text(s, r.errata, page);
  }
  const auto shown = static_cast<std::size_t>(
      std::count_if(r.errata.begin(), r.errata.end(), [](const Erratum& e) { return e.holds; }));
  out += fmt::format("\n{}\n{} of {} errata and open points shown by a computation\n",
                     tally_words(tally(r)), shown, r.errata.size());
  return out;
}

std::string errata_markdown(const Publication& publication, const Reproduction& r) {
  std::string out =
      fmt::format("## {} {} (`{}`)\n", publication.authors, publication.year, publication.name);
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
      text.replace(at, 1, "\\|");
    }
    return text;
  };
  out +=
      "\n| | where | kind | as printed | corrected | shown by |\n| --- | --- | --- | --- | --- | "
      "--- |\n";
  for (const Erratum& e : r.errata) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", e.id, cell(e.where),
                       reason_words(e.reason), cell(e.printed), cell(e.corrected), cell(e.shown));
  }
  return out;
}

std::string paper_json(const Publication& publication, const Reproduction& r) {
  report::JsonWriter json;
  json.begin_object().member("name", publication.name).key("comparisons").begin_array();
  for (const Comparison& c : comparisons(r)) {
    json.begin_object().member("part", c.part->id);
    if (c.table != nullptr) {
      const Cell& cell = c.cell();
      json.member("row", row_name(c.table->rows[c.row], c.row));
      json.member("column", c.table->columns[c.column]).member("printed", cell.printed);
      json.key("computed");
      if (cell.computed) json.number(*cell.computed);
      if (!cell.computed) json.text(cell.text);
    } else {
      json.member("statement", c.statement->says).member("found", c.statement->found);
    }
    json.member("agreement", words(c.judged.agreement).name);
    const std::string& known = c.table != nullptr ? c.cell().known : c.statement->known;
    if (!known.empty()) json.member("erratum", known);
    json.end_object();
  }
  return json.end_array().end_object().take() + "\n";
}

}  // namespace carom::papers
