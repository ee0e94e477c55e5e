// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/reproduce.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/args.h>
#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <papers/engine/judgement.hpp>
#include <papers/engine/pages.hpp>

namespace carom::papers {
namespace {

[[noreturn]] void fail(const std::string& place, std::string problem) {
  throw InputError("", std::move(problem), place);
}

/// The names in the braces of a text.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string_view::npos;) {
    if (text.substr(at, 2) == "{{") {
      at += 2;
      continue;
    }
    const auto end = std::min(text.find_first_of(":}", at), text.size());
    names.emplace_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return names;
}

/// Finds functions by name, and knows which were asked for.
class Register {
 public:
  template <class Function>
  void use(const std::map<std::string, Function>& functions, std::string_view kind,
           const std::string& name, const std::string& place) {
    const auto at = functions.find(name);
    if (at == functions.end()) fail(place, fmt::format("no function for the {} '{}'", kind, name));
    if (!used_.insert(&at->second).second) fail(place, fmt::format("{} '{}' again", kind, name));
  }

  template <class Function>
  void refuse_unused(const std::map<std::string, Function>& functions, std::string_view kind,
                     const std::string& file) const {
    for (const auto& [name, function] : functions) {
      if (used_.contains(&function)) continue;
      fail(file + ":1", fmt::format("no {} '{}', which has a function", kind, name));
    }
  }

 private:
  std::set<const void*> used_{};
};

Cell cell_of(const Value* computed, const CsvCell& csv, const std::string& place) {
  if (!csv.known.empty() && (computed == nullptr || csv.text.empty())) {
    fail(place, fmt::format("[{}] at a cell that is not compared", csv.known));
  }
  if (computed == nullptr) return {.text = csv.text};
  if (const auto* word = std::get_if<std::string>(&computed->get())) {
    return {.text = *word, .printed = csv.text, .known = csv.known};
  }
  const auto* number = std::get_if<double>(&computed->get());
  const double x =
      number != nullptr ? *number : static_cast<double>(std::get<long long>(computed->get()));
  try {
    if (!csv.text.empty()) (void)parse_printed(csv.text);
  } catch (const std::invalid_argument& e) {
    fail(place, e.what());
  }
  return {.computed = x, .printed = csv.text, .known = csv.known};
}

/// What was computed for each column, or null.
std::vector<const Value*> by_column(const std::vector<std::string>& columns,
                                    const Computed& computed, const std::string& place) {
  std::vector<const Value*> values(columns.size(), nullptr);
  for (const auto& [head, value] : computed) {
    std::size_t j = 0;
    while (j < columns.size() && (columns[j] != head || values[j] != nullptr)) ++j;
    if (j == columns.size()) fail(place, fmt::format("no column '{}', which is computed", head));
    values[j] = &value;
  }
  return values;
}

std::vector<Computed> rows_of(const CsvTable& csv, const std::variant<RowOf, RowsOf>& function) {
  if (const auto* all = std::get_if<RowsOf>(&function)) return (*all)();
  std::vector<Computed> rows;
  for (std::size_t i = 0; i < csv.lines.size(); ++i) {
    rows.push_back(std::get<RowOf>(function)(Row(csv, i)));
  }
  return rows;
}

Table table_of(const CsvTable& csv, std::string caption,
               const std::variant<RowOf, RowsOf>& function) {
  const std::size_t first = csv.columns[0] == "key" ? 1 : 0;  // it is for the code alone
  Table table{
      .caption = std::move(caption),
      .columns = {csv.columns.begin() + static_cast<std::ptrdiff_t>(first), csv.columns.end()},
      .rows = {}};
  const auto rows = rows_of(csv, function);
  if (!csv.lines.empty() && rows.size() != csv.lines.size()) {
    fail(csv.file + ":1",
         fmt::format("{} rows, but {} were computed", csv.lines.size(), rows.size()));
  }
  const std::vector<CsvCell> empty(csv.columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string place =
        csv.lines.empty() ? csv.file + ":1" : fmt::format("{}:{}", csv.file, csv.lines[i].number);
    const auto& printed = csv.lines.empty() ? empty : csv.lines[i].cells;
    const auto values = by_column(csv.columns, rows[i], place);
    Table::Row& row = table.rows.emplace_back();
    for (std::size_t j = first; j < csv.columns.size(); ++j) {
      row.cells.push_back(cell_of(values[j], printed[j], place));
    }
  }
  return table;
}

/// Reads, checks all names, then computes.
class Reproducer {
 public:
  Reproducer(std::string_view name, std::span<const EmbeddedFile> files,
             const Computations& computations)
      : folder_(fmt::format("papers/{}/", name)), files_(files), of_(computations) {}

  Reproduction run() {
    const std::string page_file = folder_ + "publication.md";
    page_ = read_publication(text_of(page_file, page_file + ":1"), page_file);
    if (folder_ != fmt::format("papers/{}/", page_.front.name)) {
      fail(page_file + ":1", fmt::format("the name is '{}', not the folder's", page_.front.name));
    }
    errata_ = read_errata(text_of(folder_ + "errata.md", page_file + ":1"), folder_ + "errata.md");
    check_names(page_file);
    Reproduction r;
    for (const PartPage& part : page_.parts) r.parts.push_back(part_of(part));
    for (const ErratumEntry& entry : errata_) r.errata.push_back(erratum_of(entry));
    return r;
  }

 private:
  std::string_view text_of(const std::string& path, const std::string& place) const {
    for (const EmbeddedFile& file : files_) {
      if (file.path == path) return file.text;
    }
    fail(place, fmt::format("there is no {}", path));
  }

  void check_names(const std::string& page_file) {
    for (const ErratumEntry& e : errata_) {
      use_.use(of_.checks, "erratum", e.erratum.id, e.place);
      ids_.insert(e.erratum.id);
    }
    for (const PartPage& part : page_.parts) {
      if (of_.texts.contains(part.id)) use_.use(of_.texts, "text", part.id, part.place);
      for (const Section& s : part.sections) check_section(s);
    }
    use_.refuse_unused(of_.checks, "statement or erratum", page_file);
    use_.refuse_unused(of_.tables, "table", page_file);
    use_.refuse_unused(of_.pictures, "picture", page_file);
    use_.refuse_unused(of_.texts, "part", page_file);
  }

  void check_section(const Section& s) {
    if (s.kind == "statement") {
      use_.use(of_.checks, s.kind, s.name, s.place);
      check_known(s.known, s.place);
    } else if (s.kind == "picture") {
      use_.use(of_.pictures, s.kind, s.name, s.place);
    } else {
      use_.use(of_.tables, s.kind, s.name, s.place);
      const std::string file = folder_ + s.name + ".csv";
      const CsvTable& csv =
          tables_.emplace(s.name, read_csv(text_of(file, s.place), file)).first->second;
      for (const auto& line : csv.lines) {
        for (const CsvCell& cell : line.cells) {
          check_known(cell.known, fmt::format("{}:{}", file, line.number));
        }
      }
    }
  }

  void check_known(const std::string& known, const std::string& place) const {
    if (!known.empty() && !ids_.contains(known)) fail(place, fmt::format("no erratum '{}'", known));
  }

  Part part_of(const PartPage& page) const {
    const auto values = of_.texts.find(page.id);
    Part part{
        .id = page.id,
        .title = page.title,
        .text = filled(page.text.text, values == of_.texts.end() ? Values{} : values->second(),
                       page.text.place)};
    for (const Section& s : page.sections) {
      if (s.kind == "statement") {
        const Found found = of_.checks.at(s.name)();
        part.statements.push_back({.says = s.text.text,
                                   .holds = found.holds,
                                   .found = filled(s.found.text, found.values, s.found.place),
                                   .known = s.known});
      } else if (s.kind == "picture") {
        part.pictures.push_back(
            {.name = s.name, .caption = s.text.text, .draw = of_.pictures.at(s.name)});
      } else {
        part.tables.push_back(table_of(tables_.at(s.name), s.text.text, of_.tables.at(s.name)));
      }
    }
    return part;
  }

  Erratum erratum_of(const ErratumEntry& entry) const {
    const Found found = of_.checks.at(entry.erratum.id)();
    const auto fill = [&](const Placed& p) { return filled(p.text, found.values, p.place); };
    Erratum e = entry.erratum;
    e.printed = fill(entry.printed);
    e.corrected = fill(entry.corrected);
    e.shown = fill(entry.shown);
    e.holds = found.holds;
    return e;
  }

  std::string folder_;
  std::span<const EmbeddedFile> files_;
  const Computations& of_;
  Register use_{};
  PublicationPage page_{};
  std::vector<ErratumEntry> errata_{};
  std::set<std::string> ids_{};
  std::map<std::string, CsvTable> tables_{};
};

}  // namespace

Computations merged(std::initializer_list<Computations> several) {
  Computations all;
  const auto add = [](auto& to, const auto& more) {
    for (const auto& [name, function] : more) to[name] = function;
  };
  for (const Computations& one : several) {
    add(all.checks, one.checks);
    add(all.tables, one.tables);
    add(all.pictures, one.pictures);
    add(all.texts, one.texts);
  }
  return all;
}

std::string filled(std::string_view text, const Values& values, const std::string& place) {
  for (const std::string& name : names_in(text)) {
    if (!values.contains(name)) fail(place, fmt::format("no value '{}' was computed", name));
  }
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const auto& value : values) {
    const char* name = value.first.c_str();
    std::visit([&](const auto& x) { store.push_back(fmt::arg(name, x)); }, value.second.get());
  }
  try {
    return fmt::vformat(fmt::string_view(text.data(), text.size()), store);
  } catch (const fmt::format_error& e) {
    fail(place, fmt::format("'{}': {}", text, e.what()));
  }
}

Reproduction reproduce(std::string_view name, std::span<const EmbeddedFile> files,
                       const Computations& computations) {
  return Reproducer(name, files, computations).run();
}

Publication publication(std::string_view name, std::function<Computations()> computations) {
  return publication(
      name, [computations = std::move(computations)](const Work&) { return computations(); });
}

Publication publication(std::string_view name,
                        std::function<Computations(const Work&)> computations) {
  const std::string file = fmt::format("papers/{}/publication.md", name);
  Publication p = read_publication(embedded(file), file).front;
  p.reproduce = [name = p.name, computations = std::move(computations)](const Work& work) {
    return reproduce(name, embedded_files(), computations(work));
  };
  return p;
}

}  // namespace carom::papers
