// SPDX-License-Identifier: Apache-2.0
#include "examples.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/toml_table.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

constexpr const char* examples_variable = "CAROM_EXAMPLES";

std::filesystem::path directory() {
  std::error_code none;
  if (const char* named = std::getenv(examples_variable); named != nullptr && *named != '\0') {
    if (std::filesystem::is_directory(named, none)) return named;
    throw InputError(examples_variable,
                     "must name a directory of examples, got '" + std::string(named) + "'");
  }
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::array<std::filesystem::path, 3> places{
      program.parent_path().parent_path() / CAROM_EXAMPLES_INSTALL_DIRECTORY,
      CAROM_EXAMPLES_SOURCE_DIRECTORY, CAROM_EXAMPLES_FULL_INSTALL_DIRECTORY};
  for (const auto& place : places) {
    if (std::filesystem::is_directory(place, none)) return place;
  }
  throw InputError(examples_variable, "must name the directory of examples: they are not in " +
                                          places.back().string());
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

/// What the file says of itself.
struct Described {
  std::string command = "solve";
  bool moves = false;  ///< a motion: for `simulate`, not for `solve` or `map`
  std::string title;
};

Described describe(const Example& example) {
  Described d;
  try {
    const scenario::Document document(scenario::read_text(example.file), example.file.string());
    const scenario::Table top = document.top();
    if (top.has("map")) d.command = "map";
    if (top.has("motion")) d.command = "simulate";
    d.moves = top.has("motion");
    if (top.has("sweep")) d.command = "sweep";
    if (top.has("fit")) d.command = "fit";
    d.title = top.text("title", "");
  } catch (const InputError& e) {
    d.title = e.problem();  // the others are worth listing
  }
  return d;
}

/// What is for `simulate` or `fit` is only for that, and they take nothing else. What is for `map`
/// can be solved, and the other way round with axes on the command line.
bool can_use(std::string_view command, const Example& example) {
  if (command != "solve" && command != "map" && command != "simulate" && command != "fit") {
    return true;
  }
  const Described d = describe(example);
  if (command == "fit" || d.command == "fit") return command == d.command;
  return (command == "simulate") == d.moves;
}

/// The example of that name, or else all whose last part it is: those that `command` can use, if
/// there are any.
std::vector<const Example*> candidates(const std::vector<Example>& all, const std::string& name,
                                       std::string_view command) {
  std::vector<const Example*> found;
  for (const Example& e : all) {
    if (e.name == name || "examples/" + e.name == name) return {&e};
    if (last_part(e.name) == name) found.push_back(&e);
  }
  std::vector<const Example*> usable;
  std::ranges::copy_if(found, std::back_inserter(usable),
                       [&](const Example* e) { return can_use(command, *e); });
  return usable.empty() ? found : usable;
}

std::string names_of(const std::vector<const Example*>& some, const char* between) {
  std::string out;
  for (const Example* e : some) out += (out.empty() ? "" : between) + e->name;
  return out;
}

/// For a file that is missing: "'bar'", the example that may have been meant, or nothing.
std::string example_meant(const std::string& file, std::string_view command) {
  try {
    const std::vector<Example> all = examples();
    const auto meant = candidates(all, file.substr(0, file.rfind('.')), command);
    return meant.empty() ? "" : "'" + names_of(meant, "' or '") + "'";
  } catch (const InputError&) {  // no examples are installed
    return "";
  }
}

std::string list_of_examples() {
  const std::vector<Example> all = examples();
  std::size_t width = 0;
  for (const Example& e : all) width = std::max(width, e.name.size());
  std::string out;
  std::filesystem::path folder;
  for (const Example& e : all) {
    if (!out.empty() && e.file.parent_path() != folder) out += "\n";
    folder = e.file.parent_path();
    const Described d = describe(e);
    out += fmt::format("{:{}}  {:8}  {}\n", e.name, width, d.command, printable(d.title));
  }
  return out;
}

}  // namespace

std::vector<Example> examples() {
  const std::filesystem::path top = directory();
  std::vector<Example> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top)) {
    if (entry.path().extension() != ".toml") continue;
    auto name = entry.path().lexically_relative(top);
    all.push_back({.name = name.replace_extension().generic_string(), .file = entry.path()});
  }
  for (Example& e : all) {
    const bool shared = std::ranges::any_of(
        all, [&](const Example& other) { return other.name.ends_with("/" + e.name); });
    if (shared) e.name = "examples/" + e.name;
  }
  std::ranges::sort(
      all, {}, [](const Example& e) { return std::pair(e.file.parent_path(), e.file.filename()); });
  return all;
}

const Example& find_example(const std::vector<Example>& all, const std::string& name,
                            std::string_view command) {
  const auto found = candidates(all, name, command);
  if (found.size() == 1) return *found.front();
  if (found.size() > 1) {
    throw InputError("", "several examples have this name: " + names_of(found, ", "), name);
  }
  std::vector<std::string> names;
  for (const Example& e : all) {
    names.push_back(e.name);
    names.push_back(last_part(e.name));
  }
  const std::string_view near =
      nearest(name, std::vector<std::string_view>(names.begin(), names.end()));
  throw InputError(
      "",
      fmt::format(
          "no such {}; {}", command == "examples" ? "example" : "file or example",
          near.empty() ? "'carom examples' lists them" : fmt::format("did you mean '{}'?", near)),
      name);
}

std::string scenario_file(const std::string& given, std::string_view command) {
  std::error_code none;
  if (given == "-" ||
      (std::filesystem::exists(given, none) && !std::filesystem::is_directory(given, none))) {
    return given;
  }
  if (!given.ends_with(".toml")) return find_example(examples(), given, command).file.string();
  if (const std::string meant = example_meant(given, command); !meant.empty()) {
    throw InputError("", "no such file; did you mean the example " + meant + "?", given);
  }
  return given;  // whoever reads it says what is wrong
}

std::string command_for(const Example& example) { return describe(example).command; }

void add_examples(CLI::App& app, int& exit_code) {
  auto* cmd = app.add_subcommand("examples", "List the examples, or print one");
  auto name = std::make_shared<std::string>();
  cmd->add_option("NAME", *name,
                  "Print this example: its name in the list, or the last part of the name if it is "
                  "unique")
      ->type_name("");
  cmd->footer(
      "The list says which command an example is for. Commands that read a scenario take the name\n"
      "of an example in place of a file; a file of that name takes precedence.\n\n"
      "Examples:\n"
      "  carom examples\n"
      "  carom examples bar > my.toml\n"
      "  carom solve bar\n"
      "  carom simulate motion/rocking-block");
  const CLI::Option* given = cmd->get_option("NAME");
  cmd->callback([name, given, &exit_code] {
    exit_code = done;
    if (given->count() == 0) return print(list_of_examples());
    print(scenario::read_text(find_example(examples(), *name, "examples").file));
  });
}

}  // namespace carom::cli
