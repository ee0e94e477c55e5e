// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/laws/table.hpp>
#include <carom/report/table.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

/// "plane, space, many"
std::string where_it_works(const Law& law) {
  std::string text;
  const auto add = [&](ContactKind kind, const char* where) {
    if (answering(law, kind) == nullptr) return;
    text += (text.empty() ? "" : ", ") + std::string(where);
  };
  add(in_the_plane, "plane");
  add(in_space, "space");
  add(several_contacts, "many");
  return text;
}

std::string list_of_laws() {
  std::string out;
  for (const Law& law : laws()) {
    out += fmt::format("{:20}  {:18}  {}\n", law.name, where_it_works(law), law.summary);
  }
  return out +
         "\nmany: also several contacts at once.\n'carom laws NAME' shows what a law assumes, its "
         "parameters and its source.\n";
}

/// "required", "default 0", or what may stand in its place.
std::string when_not_given(const LawParameter& p) {
  if (!p.fallback.empty()) return fmt::format("default {}", p.fallback);
  if (p.instead.empty()) return "required";
  return fmt::format("required, unless {} is given", fmt::join(p.instead, " or "));
}

std::string paragraph(std::string_view heading, std::string_view text) {
  if (text.empty()) return "";
  std::string out = fmt::format("\n{}\n", heading);
  for (const std::string& line : report::wrap(text, 94)) out += "  " + line + "\n";
  return out;
}

/// "In the plane another name for poisson."
std::string same_as(const Law& law) {
  if (law.same_in_plane.empty()) return "";
  if (law.is_alias()) return fmt::format("Another name for {}.\n\n", law.same_in_plane);
  const bool both = law.same_in_space == law.same_in_plane;
  return fmt::format("{} the same as {}.\n\n", both ? "At one contact" : "In the plane",
                     law.same_in_plane);
}

std::string describe(const Law& law) {
  const LawInfo& about = *law.info;
  std::string out =
      fmt::format("{}\n  {}\n  Works in: {}.\n\n", law.name, law.summary, where_it_works(law));
  out += same_as(law);
  for (const std::string& line : report::wrap(about.assumptions, 96)) out += line + "\n";
  if (answering(law, in_space) == &law) out += paragraph("In space", about.in_space);
  if (answering(law, several_contacts) == &law) {
    out += paragraph("With several contacts", about.with_several);
  }
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
  auto* cmd = app.add_subcommand(
      "laws", "List the laws, or print the assumptions, parameters and source of one");
  auto name = std::make_shared<std::string>();
  cmd->add_option("NAME", *name, "A law; default: list all")->type_name("");
  cmd->footer("Example: carom laws energetic");
  cmd->callback([name, &exit_code] {
    print(name->empty() ? list_of_laws() : describe(find_law(*name, "NAME")));
    exit_code = done;
  });
}

}  // namespace carom::cli
