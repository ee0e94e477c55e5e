// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/laws/catalogue.hpp>
#include <carom/laws/multi_catalogue.hpp>
#include <carom/laws/spatial_catalogue.hpp>
#include <carom/report/table.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

std::string_view where_it_works(std::string_view name) {
  if (find_multi_law(name) != nullptr) return "plane, space, many";
  if (find_spatial_law(name) == nullptr) return "plane";
  return find_law(name) == nullptr ? "space" : "plane, space";
}

std::string list() {
  std::string out;
  const auto line = [&](std::string_view name, std::string_view where, std::string_view summary) {
    out += fmt::format("{:20}  {:18}  {}\n", name, where, summary);
  };
  for (const NamedLaw& law : catalogue()) line(law.name, where_it_works(law.name), law.summary);
  for (const NamedSpatialLaw& law : spatial_catalogue()) {
    if (find_law(law.name) == nullptr) line(law.name, where_it_works(law.name), law.summary);
  }
  return out +
         "\nmany: also several contacts at once.\n'carom laws NAME' tells what a law assumes, its "
         "parameters and its source.\n";
}

/// "required", "default 0", or what may stand in its place.
std::string when_not_given(const LawParameter& p) {
  if (!p.fallback.empty()) return fmt::format("default {}", p.fallback);
  if (p.instead.empty()) return "required";
  return fmt::format("required, unless {} is given", fmt::join(p.instead, " or "));
}

/// @param alias_of  the law that this is another name for; empty: none
std::string describe_law(std::string_view name, std::string_view summary, const LawInfo& about,
                         std::string_view alias_of) {
  std::string out =
      fmt::format("{}\n  {}\n  Works in: {}.\n\n", name, summary, where_it_works(name));
  if (!alias_of.empty()) {
    const bool in_space = find_spatial_law(name) != nullptr;
    out += fmt::format("{}nother name for {}.\n\n", in_space ? "In the plane a" : "A", alias_of);
  }
  for (const std::string& line : report::wrap(about.assumptions, 96)) out += line + "\n";
  out += "\nParameters\n";
  for (const LawParameter& p : about.parameters) {
    const std::string text = fmt::format("{}; {}; {}", p.meaning, p.allowed, when_not_given(p));
    bool first = true;
    for (const std::string& line : report::wrap(text, 66)) {
      out += first ? fmt::format("  {:23} {:6} {}\n", p.key, p.symbol, line)
                   : fmt::format("  {:30} {}\n", "", line);
      first = false;
    }
  }
  return out + fmt::format("\nSource: {}\n(keys resolve in docs/refs.bib)\n", about.source);
}

/// What a law that is there for one contact does with several.
std::string with_several(const std::string& name) {
  const NamedMultiLaw* law = find_multi_law(name);
  if (law == nullptr) return "";
  std::string out = "\nWith several contacts\n";
  for (const std::string& line : report::wrap(law->info->assumptions, 94))
    out += "  " + line + "\n";
  return out + fmt::format("  Source: {}\n", law->info->source);
}

std::string describe(const std::string& name) {
  if (const NamedMultiLaw* several = find_multi_law(name);
      several != nullptr && several->needs_stiffness) {
    return describe_law(name, several->summary, *several->info, "");
  }
  const NamedLaw* planar = find_law(name);
  const NamedSpatialLaw* spatial = find_spatial_law(name);
  if (spatial != nullptr && (planar == nullptr || planar->is_alias)) {
    const std::string_view in_the_plane = planar != nullptr ? info(planar->law).id : "";
    return describe_law(name, spatial->summary, *spatial->info, in_the_plane);
  }
  const NamedLaw& law = find_law(name, "NAME");
  const LawInfo& about = info(law.law);
  return describe_law(law.name, law.summary, about, law.is_alias ? about.id : "") +
         with_several(name);
}

}  // namespace

void add_laws(CLI::App& app, int& exit_code) {
  auto* cmd = app.add_subcommand("laws", "What each law assumes, its parameters and its source");
  auto name = std::make_shared<std::string>();
  cmd->add_option("NAME", *name, "A law; default: list all")->type_name("");
  cmd->footer("Example: carom laws energetic");
  cmd->callback([name, &exit_code] {
    print(name->empty() ? list() : describe(*name));
    exit_code = done;
  });
}

}  // namespace carom::cli
