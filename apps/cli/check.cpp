// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/map.hpp>
#include <carom/study/spatial_comparison.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

/// Its [map], if there is one, at the corners.
void check_map(const std::string& text, const scenario::Scenario& s) {
  scenario::MapRequest request = s.map;
  if (!request.x) return;
  request.x->points = 2;
  if (request.y) request.y->points = 2;
  (void)study::compute_map(text, s.name, request);
}

/// Those for several contacts that the file asks for, or that know all that it gives.
std::vector<const NamedMultiLaw*> applying(const scenario::MultiImpact& impact) {
  if (!impact.laws.empty()) return impact.laws;
  std::vector<const NamedMultiLaw*> laws;
  for (const NamedMultiLaw& law : multi_catalogue()) {
    if (law.needs_stiffness && !impact.stiffness_given) continue;
    const auto at_odds = [&](const MultiSurface& s) { return cannot_honour(law, s).has_value(); };
    if (std::none_of(impact.surfaces.begin(), impact.surfaces.end(), at_odds)) {
      laws.push_back(&law);
    }
  }
  return laws;
}

/// The names of the laws that apply, or that the file asks for.
std::vector<std::string_view> answering(const scenario::Scenario& s) {
  std::vector<std::string_view> names;
  if (s.multi) {
    for (const NamedMultiLaw* law : applying(*s.multi)) names.push_back(law->name);
  } else if (s.space) {
    for (const auto& a : study::compare_spatial_laws(s).answers) names.push_back(a.law->name);
  } else {
    for (const auto& a : study::compare_laws(s).answers) names.push_back(a.law->name);
  }
  return names;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto* cmd = app.add_subcommand("check", "Validate scenario files and say which laws apply");
  auto files = std::make_shared<std::vector<std::string>>();
  cmd->add_option("FILE", *files, "Scenarios (TOML)")->required()->type_name("");
  cmd->footer("Example: carom check examples/*.toml");
  cmd->callback([files, &exit_code] {
    exit_code = done;
    for (const std::string& file : *files) {
      try {
        const std::string text = scenario::read_text(file);
        const auto scenario = scenario::parse(text, file);
        std::string contacts;
        if (scenario.multi) {
          const std::size_t n = scenario.multi->system.contact.G.blocks();
          contacts = fmt::format(" with {} contact{}", n, n == 1 ? "" : "s");
        }
        const std::string laws = fmt::format("{}", fmt::join(answering(scenario), ", "));
        check_map(text, scenario);
        print(fmt::format("{}: ok: {}{}, laws {}{}\n", file, scenario.system_type, contacts, laws,
                          scenario.map.x ? "; map" : ""));
      } catch (const InputError& e) {  // the other files are worth a look, too
        complain(e.what());
        exit_code = wrong_input;
      }
    }
  });
}

}  // namespace carom::cli
