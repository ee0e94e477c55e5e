// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/laws/catalogue.hpp>
#include <carom/report/table.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

std::string list() {
  std::string out;
  for (const NamedLaw& law : catalogue()) out += fmt::format("{:20}  {}\n", law.name, law.summary);
  return out + "\n'carom laws NAME' tells what a law assumes, its parameters and its source.\n";
}

/// "required", "default 0", or what may stand in its place.
std::string when_not_given(const LawParameter& p) {
  if (!p.fallback.empty()) return fmt::format("default {}", p.fallback);
  if (p.instead.empty()) return "required";
  return fmt::format("required, unless {} is given", fmt::join(p.instead, " or "));
}

std::string describe_law(const NamedLaw& law) {
  const LawInfo& about = info(law.law);
  std::string out = fmt::format("{}\n  {}\n\n", law.name, law.summary);
  if (law.is_alias) out += fmt::format("Another name for {}.\n\n", about.id);
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

}  // namespace

void add_laws(CLI::App& app, int& exit_code) {
  auto* cmd = app.add_subcommand("laws", "What each law assumes, its parameters and its source");
  auto name = std::make_shared<std::string>();
  cmd->add_option("NAME", *name, "A law; default: list all")->type_name("");
  cmd->footer("Example: carom laws energetic");
  cmd->callback([name, &exit_code] {
    print(name->empty() ? list() : describe_law(find_law(*name, "NAME")));
    exit_code = done;
  });
}

}  // namespace carom::cli
