// SPDX-License-Identifier: Apache-2.0
#include "papers_options.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>

namespace carom::cli {

void add_papers_options(CLI::App& app, std::function<void(const PapersOptions&)> work) {
  auto* cmd =
      app.add_subcommand("papers", "Recompute publications and compare with the printed numbers");
  auto o = std::make_shared<PapersOptions>();
  cmd->add_option("NAME", o->names, "Publications to recompute; default: list them")->type_name("");
  cmd->add_flag("-a,--all", o->all, "All publications; not 'measured', which takes about a minute");
  const CLI::Option* out =
      cmd->add_option("-o,--out", o->out,
                      "Write a report for a browser into this directory, with every picture, its "
                      "record and its script")
          ->type_name("DIR");
  cmd->add_flag("--errata", o->errata, "Only the errata and open points, as Markdown");
  cmd->add_flag("--json", o->json, "Every comparison as JSON, one line per publication");
  cmd->add_flag("--full", o->full, "Every comparison on a line of its own, not only differences");
  cmd->add_option("--threads", o->threads, "Threads (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(0U, 1024U));
  cmd->add_flag("-q,--quiet", o->quiet, "No progress bar, no messages");
  cmd->footer(
      "The exit code is 1 if there is a difference that is not on the list of known differences, "
      "or if\n"
      "pictures cannot be drawn because Python or a package is missing; the pages are written "
      "anyway.\n\n"
      "Examples:\n"
      "  carom papers\n"
      "  carom papers shen-townsend\n"
      "  carom papers --all --out report\n"
      "  carom papers measured --out measured\n"
      "  carom papers --all --errata > errata.md");
  cmd->callback([o, out, work = std::move(work)] {
    if (out->count() > 0 && o->out.empty()) {
      throw InputError("--out", "must name a directory, got ''");
    }
    if (o->errata && o->json) throw InputError("--json", "goes without --errata");
    work(*o);
  });
}

}  // namespace carom::cli
