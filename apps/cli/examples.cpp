// SPDX-License-Identifier: Apache-2.0
#include "examples.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
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

constexpr const char* variable = "CAROM_EXAMPLES";

std::filesystem::path directory() {
  std::error_code none;
  if (const char* named = std::getenv(variable); named != nullptr && *named != '\0') {
    if (std::filesystem::is_directory(named, none)) return named;
    throw InputError(variable,
                     "must name a directory of examples, got '" + std::string(named) + "'");
  }
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::array<std::filesystem::path, 3> places{
      program.parent_path().parent_path() / CAROM_EXAMPLES_INSTALL_DIRECTORY,
      CAROM_EXAMPLES_SOURCE_DIRECTORY, CAROM_EXAMPLES_FULL_INSTALL_DIRECTORY};
  for (const auto& place : places) {
    if (std::filesystem::is_directory(place, none)) return place;
  }
  throw InputError(
      variable, "must name the directory of examples: they are not in " + places.back().string());
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

/// What the file says of itself.
struct Described {
  std::string command = "solve";
  std::string title;
};

Described describe(const Example& example) {
  Described d;
  try {
    const scenario::Document document(scenario::read_text(example.file), example.file.string());
    const scenario::Table top = document.top();
    if (top.has("map")) d.command = "map";
    if (top.has("motion")) d.command = "simulate";
    d.title = top.text("title", "");
  } catch (const InputError& e) {
    d.title = e.problem();  // the others are worth listing
  }
  return d;
}

std::string list() {
  const std::vector<Example> all = examples();
  std::size_t width = 0;
  for (const Example& e : all) width = std::max(width, e.name.size());
  std::string out;
  std::filesystem::path folder;
  for (const Example& e : all) {
    if (!out.empty() && e.file.parent_path() != folder) out += "\n";
    folder = e.file.parent_path();
    const Described d = describe(e);
    out += fmt::format("{:{}}  {:8}  {}\n", e.name, width, d.command, d.title);
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
                            std::string_view missing) {
  std::vector<std::string> candidates;
  const Example* found = nullptr;
  for (const Example& e : all) {
    if (e.name == name || "examples/" + e.name == name) return e;
    if (last_part(e.name) != name) continue;
    candidates.push_back(e.name);
    found = &e;
  }
  if (candidates.size() > 1) {
    throw InputError(
        "", fmt::format("several examples have this name: {}", fmt::join(candidates, ", ")), name);
  }
  if (found != nullptr) return *found;
  std::vector<std::string> names;
  for (const Example& e : all) {
    names.push_back(e.name);
    names.push_back(last_part(e.name));
  }
  const std::string_view near =
      nearest(name, std::vector<std::string_view>(names.begin(), names.end()));
  const std::string hint =
      near.empty() ? "'carom examples' lists them" : fmt::format("did you mean '{}'?", near);
  throw InputError("", fmt::format("{}; {}", missing, hint), name);
}

std::string scenario_file(const std::string& given) {
  std::error_code none;
  if (given == "-" || given.ends_with(".toml") ||
      (std::filesystem::exists(given, none) && !std::filesystem::is_directory(given, none))) {
    return given;
  }
  return find_example(examples(), given, "no such file or example").file.string();
}

std::string command_for(const Example& example) { return describe(example).command; }

void add_examples(CLI::App& app, int& exit_code) {
  auto* cmd = app.add_subcommand("examples", "List the examples, or print one");
  auto name = std::make_shared<std::string>();
  cmd->add_option("NAME", *name,
                  "Print this example: its name in the list, or the last part of it where no other "
                  "has the same")
      ->type_name("");
  cmd->footer(
      "The list says which command an example is for. Commands that read a scenario take the name\n"
      "of an example in place of a file; a file of that name comes first.\n\n"
      "Examples:\n"
      "  carom examples\n"
      "  carom examples bar > my.toml\n"
      "  carom solve bar\n"
      "  carom simulate motion/rocking-block");
  const CLI::Option* given = cmd->get_option("NAME");
  cmd->callback([name, given, &exit_code] {
    exit_code = done;
    if (given->count() == 0) return print(list());
    print(scenario::read_text(find_example(examples(), *name).file));
  });
}

}  // namespace carom::cli
