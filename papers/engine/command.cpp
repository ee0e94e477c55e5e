// SPDX-License-Identifier: Apache-2.0
// The program carom-papers.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <papers/engine/html_report.hpp>
#include <papers/engine/judgement.hpp>
#include <papers/engine/text.hpp>

#include <apps/cli/command_line.hpp>
#include <apps/cli/papers_options.hpp>
#include <apps/cli/progress.hpp>

namespace carom::cli {
namespace {

std::vector<const papers::Publication*> chosen(const PapersOptions& o) {
  std::vector<const papers::Publication*> list;
  if (o.all) {
    if (!o.names.empty()) throw InputError("--all", "goes without names, got '" + o.names[0] + "'");
    for (const papers::Publication& p : papers::publications()) list.push_back(&p);
    return list;
  }
  std::vector<std::string_view> known;
  for (const papers::Publication& p : papers::publications()) known.push_back(p.name);
  for (const papers::Publication& p : papers::studies()) known.push_back(p.name);
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
                                           const PapersOptions& o, const std::atomic<bool>& stop) {
  std::vector<papers::Recomputed> all;
  ProgressBar bar("carom papers: computing", !o.quiet);
  for (const papers::Publication* p : list) {
    interrupt_if(&stop);
    const auto show = [&](double share) {
      bar.show((static_cast<double>(all.size()) + share) / static_cast<double>(list.size()));
    };
    show(0.);
    all.push_back(
        {.publication = p,
         .result = p->reproduce({.threads = o.threads, .progress = show, .stop = &stop})});
  }
  return all;
}

/// @return why pictures are missing, or nothing
std::string write_out(const std::vector<papers::Recomputed>& all, const PapersOptions& o,
                      const std::atomic<bool>& stop) {
  std::string missing;
  {
    ProgressBar bar("carom papers: drawing", !o.quiet);
    missing = papers::write_report(o.out, all,
                                   {.version = CAROM_VERSION,
                                    .threads = o.threads,
                                    .progress = [&](double share) { bar.show(share); },
                                    .stop = &stop});
  }
  if (!o.quiet) {
    std::fprintf(stderr, "carom: wrote %s\n",
                 (std::filesystem::path(o.out) / "index.html").c_str());
  }
  return missing;
}

void show(const std::vector<papers::Recomputed>& all, const PapersOptions& o,
          const report::Page& page) {
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

/// @return whether nothing differs but what is known, and all was written
bool run_papers(const PapersOptions& o) {
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
  const std::string missing = o.out.empty() ? "" : write_out(all, o, on_signal.stop());
  show(all, o, page);
  bool well = missing.empty();
  if (!well) complain(missing);
  for (const papers::Recomputed& one : all) {
    for (const std::string& fault : papers::faults(one.result)) {
      complain(fmt::format("{}: {}", one.publication->name, fault));
      well = false;
    }
  }
  return well;
}

void add_papers(CLI::App& app, int& exit_code) {
  add_papers_options(app, [&exit_code](const PapersOptions& o) {
    if (!run_papers(o)) exit_code = failed;
  });
}

}  // namespace
}  // namespace carom::cli

int main(int argc, char** argv) {
  return carom::cli::run_program(argc, argv, carom::cli::add_papers);
}
