// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/papers/html_report.hpp>
#include <carom/papers/judgement.hpp>
#include <carom/papers/paper_text.hpp>
#include <carom/study/map.hpp>

#include "command_line.hpp"
#include "progress.hpp"

namespace carom::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  bool all = false;
  std::string out;
  bool errata = false;
  bool json = false;
  bool full = false;
  unsigned threads = 0;
  bool quiet = false;
};

std::vector<const papers::Publication*> chosen(const Options& o) {
  std::vector<const papers::Publication*> list;
  if (o.all) {
    if (!o.names.empty()) throw InputError("--all", "goes without names, got '" + o.names[0] + "'");
    for (const papers::Publication& p : papers::publications()) list.push_back(&p);
    return list;
  }
  std::vector<std::string_view> known;
  for (const papers::Publication& p : papers::publications()) known.push_back(p.name);
  for (const std::string& name : o.names) {
    const papers::Publication* found = papers::find_publication(name);
    if (found == nullptr) {
      throw InputError("NAME",
                       fmt::format("no publication '{}'{}", name, did_you_mean(name, known)));
    }
    if (std::find(list.begin(), list.end(), found) == list.end()) list.push_back(found);
  }
  return list;
}

/// Recomputes one after the other.
std::vector<papers::Recomputed> recomputed(const std::vector<const papers::Publication*>& list,
                                           const Options& o, const std::atomic<bool>& stop) {
  std::vector<papers::Recomputed> all;
  ProgressBar bar("carom papers: computing", !o.quiet);
  for (const papers::Publication* p : list) {
    if (stop.load()) throw study::Interrupted();
    bar.show(static_cast<double>(all.size()) / static_cast<double>(list.size()));
    all.push_back({.publication = p, .result = p->reproduce()});
  }
  return all;
}

void write_out(const std::vector<papers::Recomputed>& all, const Options& o,
               const std::atomic<bool>& stop) {
  {
    ProgressBar bar("carom papers: drawing", !o.quiet);
    papers::write_report(o.out, all,
                         {.version = CAROM_VERSION,
                          .threads = o.threads,
                          .progress = [&](double share) { bar.show(share); },
                          .stop = &stop});
  }
  if (!o.quiet) {
    std::fprintf(stderr, "carom: wrote %s\n",
                 (std::filesystem::path(o.out) / "index.html").c_str());
  }
}

void show(const std::vector<papers::Recomputed>& all, const Options& o, const report::Page& page) {
  for (const papers::Recomputed& one : all) {
    if (o.errata) {
      print(papers::errata_markdown(*one.publication, one.result) + "\n");
    } else if (o.json) {
      print(papers::paper_json(*one.publication, one.result));
    } else if (!o.out.empty()) {
      print(fmt::format("{}: {}\n", one.publication->name,
                        papers::tally_words(papers::tally(one.result))));
    } else {
      print((&one == &all.front() ? "" : "\n") +
            papers::paper_text(*one.publication, one.result, page, o.full));
    }
  }
}

/// @return whether nothing differs but what is known
bool run_papers(const Options& o) {
  const report::Page page{.colour = false, .width = page_width()};
  const auto list = chosen(o);
  if (list.empty()) {
    if (!o.out.empty()) throw InputError("--out", "needs --all or the names of publications");
    if (o.errata || o.json || o.full) {
      throw InputError(o.errata ? "--errata" : (o.json ? "--json" : "--full"),
                       "needs --all or the names of publications");
    }
    print(papers::list_text(page));
    return true;
  }
  if (!o.out.empty()) papers::make_report_directory(o.out);  // before the work, not after it
  const StopOnSignal on_signal;
  const auto all = recomputed(list, o, on_signal.stop());
  if (!o.out.empty()) write_out(all, o, on_signal.stop());
  show(all, o, page);
  bool well = true;
  for (const papers::Recomputed& one : all) {
    for (const std::string& fault : papers::faults(one.result)) {
      complain(fmt::format("{}: {}", one.publication->name, fault));
      well = false;
    }
  }
  return well;
}

}  // namespace

void add_papers(CLI::App& app, int& exit_code) {
  auto* cmd =
      app.add_subcommand("papers", "Publications recomputed: what each prints, and what comes out");
  auto o = std::make_shared<Options>();
  cmd->add_option("NAME", o->names, "Publications to recompute; none: list them")->type_name("");
  cmd->add_flag("-a,--all", o->all, "All of them");
  cmd->add_option("-o,--out", o->out,
                  "Write a report for a browser into this directory, with every picture, its data "
                  "and its script (needs gnuplot)")
      ->type_name("DIR");
  cmd->add_flag("--errata", o->errata, "Only the errata and open points, as Markdown");
  cmd->add_flag("--json", o->json, "Every comparison as JSON, one line a publication");
  cmd->add_flag("--full", o->full, "Every comparison on a line of its own, not only differences");
  cmd->add_option("--threads", o->threads, "Threads that draw (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(0U, 1024U));
  cmd->add_flag("-q,--quiet", o->quiet, "No progress bar, no words");
  cmd->footer(
      "The exit code is 1 if anything differs that is not on the list of known differences.\n\n"
      "Examples:\n"
      "  carom papers\n"
      "  carom papers shen-townsend\n"
      "  carom papers --all --out report\n"
      "  carom papers --all --errata > errata.md");
  const CLI::Option* out = cmd->get_option("--out");
  cmd->callback([o, out, &exit_code] {
    exit_code = done;
    if (out->count() > 0 && o->out.empty()) {
      throw InputError("--out", "must name a directory, got ''");
    }
    if (o->errata && o->json) throw InputError("--json", "goes without --errata");
    try {
      if (!run_papers(*o)) exit_code = failed;
    } catch (const study::Interrupted&) {
      complain("interrupted; nothing more is written");
      exit_code = interrupted;
    }
  });
}

}  // namespace carom::cli
