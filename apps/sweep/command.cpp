// SPDX-License-Identifier: Apache-2.0
// The program carom-sweep.
#include <charconv>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/report/pending_file.hpp>
#include <carom/report/picture.hpp>
#include <carom/report/sweep/rows.hpp>
#include <carom/report/sweep/summary.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/sweep/ranks.hpp>
#include <carom/study/sweep/store.hpp>
#include <carom/study/sweep/sweep.hpp>

#include <apps/cli/command_line.hpp>
#include <apps/cli/examples.hpp>
#include <apps/cli/progress.hpp>
#include <apps/cli/sweep_options.hpp>

namespace carom::cli {
namespace {

/// Part i of n, counted from 1.
struct Shard {
  std::size_t part = 1;
  std::size_t parts = 1;
};

Shard shard_of(const std::string& text) {
  Shard s;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, s.part);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, s.parts) : first;
  if (!slash || second.ec != std::errc() || second.ptr != end || s.part < 1 || s.part > s.parts) {
    throw InputError("--shard", "must be I/N with I from 1 to N, as in 2/5; got '" + text + "'");
  }
  return s;
}

/// The file's [sweep], with what the command line says in its place.
scenario::SweepRequest request_of(const SweepOptions& o, const std::string& text,
                                  const std::string& name) {
  const scenario::Document document(text, name);
  const scenario::Table top = document.top();
  scenario::SweepRequest r;
  if (top.has("sweep")) r = scenario::read_sweep(top.table("sweep"));
  for (const std::string& axis : o.vary) r.vary(scenario::parse_sweep_axis(axis, "--vary"));
  const auto names = [](std::vector<scenario::PlacedText>& list,
                        const std::vector<std::string>& given, const char* field) {
    if (!given.empty()) list.clear();
    for (const std::string& one : given) list.push_back({.text = one, .field = field, .place = ""});
  };
  names(r.show, o.show, "--show");
  names(r.laws, o.laws, "--law");
  if (!o.method.empty()) r.method = scenario::sweep_method(o.method, "--method", "");
  if (r.method == scenario::SweepMethod::grid && !o.samples) r.samples.reset();
  if (o.samples) {
    r.samples =
        scenario::require_count(*o.samples, 1, scenario::most_sweep_samples, "--samples", "");
  }
  constexpr double most_seed = 0x1p53;
  if (o.seed) r.seed = scenario::require_count(*o.seed, 0, most_seed, "--seed", "");
  if (o.bins) {
    r.bins = scenario::require_count(*o.bins, 1, scenario::most_sweep_bins, "--bins", "");
  }
  if (!o.quantiles.empty()) r.quantiles = o.quantiles;
  scenario::require_quantiles(r.quantiles, "--quantiles", "");
  r.indices = r.indices || o.indices;
  if (!o.keep.empty()) {
    if (o.keep != "rows" && o.keep != "statistics") {
      throw InputError("--keep", "must be rows or statistics, got '" + o.keep + "'");
    }
    r.keep_rows = o.keep == "rows";
  }
  return r;
}

void write_csv(const study::SweepPlan& plan, const study::SweepResult& result,
               const study::BlockStore& store, const SweepFiles& files,
               const std::atomic<bool>& stop) {
  if (files.csv == "-") {
    report::write_sweep_csv(plan, result, store, [&](std::string_view part) {
      interrupt_if(&stop);
      print(std::string(part));
    });
    return;
  }
  report::PendingFile file(files.csv);
  report::write_sweep_csv(plan, result, store, [&](std::string_view part) {
    interrupt_if(&stop);
    file.append(part);
  });
  file.keep();
  tell(files.quiet, "wrote " + files.csv);
}

/// Everything that is made of the blocks.
void report_all(const study::SweepPlan& plan, const study::BlockStore& store,
                const SweepFiles& files, const std::atomic<bool>& stop) {
  const study::SweepResult result = study::gather(plan, store, &stop);
  if (!files.csv.empty()) write_csv(plan, result, store, files, stop);
  if (!files.out.empty()) {
    interrupt_if(&stop);
    report::write_sweep_hdf5(plan, result, store, files.out);
    tell(files.quiet, "wrote " + files.out);
  }
  if (!files.plot.empty()) {
    interrupt_if(&stop);
    const report::PictureFiles picture = report::picture_files(files.plot, "--plot");
    try {
      report::draw(picture, report::sweep_record(plan, result, store));
    } catch (const std::runtime_error&) {
      interrupt_if(&stop);  // Python got the signal, too
      throw;
    }
    if (!files.quiet) std::fputs(report::wrote(picture).c_str(), stderr);
  }
  if (files.json) {
    print(report::sweep_record(plan, result, store) + "\n");
  } else if (files.csv != "-") {
    const report::Page page{.colour = false, .width = page_width()};
    print(printable_lines(report::sweep_summary(plan, result, page)));
  }
  if (result.faults.total() == plan.evaluations()) {
    throw std::runtime_error("no point of the sweep could be computed: " +
                             result.faults.kinds.front().example);
  }
}

/// Names of files that are none, or one for two.
void check_names(const SweepFiles& files) {
  if (files.out == "-") throw InputError("--out", "must name a file, got '-'");
  if (!files.plot.empty()) (void)report::picture_files(files.plot, "--plot");
  if (!files.csv.empty() && files.csv == files.out) {
    throw InputError("--csv", "must be another file than that of --out, got '" + files.csv + "'");
  }
  if (files.json && files.csv == "-") throw InputError("--json", "not together with --csv -");
}

/// Where finished blocks are kept: for a shard the result itself, else beside it.
std::string part_of(const SweepOptions& o) {
  if (!o.shard.empty()) return o.files.out;
  if (!o.files.out.empty()) return o.files.out + ".part";
  return o.files.csv.empty() || o.files.csv == "-" ? "" : o.files.csv + ".part";
}

void check_shard(const SweepOptions& o) {
  if (o.shard.empty()) return;
  if (o.files.out.empty()) {
    throw InputError("--out", "is missing; a part is a file for carom merge");
  }
  for (const auto& [name, given] :
       {std::pair{"--csv", !o.files.csv.empty()}, std::pair{"--plot", !o.files.plot.empty()},
        std::pair{"--json", o.files.json}}) {
    if (given) throw InputError(name, "is for carom merge: a part has no results of its own");
  }
}

/// A sweep of which nothing is computed yet. Its store refers to its plan.
struct PreparedSweep {
  study::SweepPlan plan;
  std::vector<std::size_t> blocks;
  std::string part;  ///< the file beside which finished blocks are kept; empty: none
  std::unique_ptr<study::BlockStore> store;
};

/// Reads and checks everything that can be wrong in options, scenario and files.
std::unique_ptr<PreparedSweep> prepared_sweep(const SweepOptions& o, const study::Ranks& ranks) {
  check_names(o.files);
  check_shard(o);
  const Shard shard = o.shard.empty() ? Shard{} : shard_of(o.shard);
  const std::string part = part_of(o);
  if (o.resume && part.empty()) {
    throw InputError("--resume", "needs --out, the file beside which finished blocks are kept");
  }
  if (o.file == "-" && !ranks.alone()) throw InputError("FILE", "must be a file under mpirun");
  const std::string file = scenario_file(o.file, "sweep");
  const std::string name = file == "-" ? "<stdin>" : file;
  const std::string text = file == "-" ? all_of_standard_input() : scenario::read_text(file);
  scenario::SweepRequest request = request_of(o, text, name);
  if (part.empty() && o.files.csv.empty() && !request.keep_rows) request.keep_rows = false;
  auto sweep = std::make_unique<PreparedSweep>(
      PreparedSweep{.plan = study::plan_sweep(text, name, std::move(request), CAROM_VERSION),
                    .blocks = {},
                    .part = part,
                    .store = nullptr});
  sweep->blocks = study::blocks_of(sweep->plan, shard.part, shard.parts);
  if (part.empty() || ranks.rank() > 0) {
    sweep->store = study::in_memory(sweep->plan);
  } else {
    const auto existing = o.files.force ? study::Existing::replace
                          : o.resume    ? study::Existing::resume
                                        : study::Existing::refuse;
    sweep->store = study::in_file(sweep->plan, part, existing);
  }
  return sweep;
}

void run_sweep(const SweepOptions& o, PreparedSweep& sweep, study::Ranks& ranks) {
  const study::SweepPlan& plan = sweep.plan;
  const StopOnSignal on_signal;
  bool mine = false;
  try {
    std::size_t computed = 0;
    for (const std::size_t b : sweep.blocks) computed += plan.block_size(b);
    ProgressBar bar("carom sweep", !o.files.quiet && ranks.rank() == 0,
                    {.count = static_cast<double>(computed * plan.evaluations_per_point()),
                     .unit = plan.motion ? "motions" : "impacts"});
    const unsigned threads = plan.parallel ? o.threads : 1;
    mine = study::compute_sweep(plan, sweep.blocks, *sweep.store, *ranks.distributor(plan, threads),
                                &on_signal.stop(), [&](double share) { bar.show(share); });
  } catch (const Interrupted&) {
    if (sweep.part.empty()) throw;
    throw std::runtime_error("interrupted; the same command with --resume goes on");
  }
  if (!mine) return;
  if (!o.shard.empty()) {
    tell(o.files.quiet, "wrote " + o.files.out);
    return;
  }
  report_all(plan, *sweep.store, o.files, on_signal.stop());
  sweep.store.reset();
  if (!sweep.part.empty()) std::filesystem::remove(sweep.part);
}

/// "3 to 7, 9".
std::string ranges(const std::vector<std::size_t>& numbers) {
  std::string text;
  constexpr std::size_t most_text = 60;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end > i) text += " to " + std::to_string(numbers[end]);
    i = end + 1;
    if (text.size() > most_text && i < numbers.size()) return text + ", ...";
  }
  return text;
}

void run_merge(const MergeOptions& o) {
  check_names(o.files);
  if (!o.files.force && std::ranges::find(o.parts, o.files.out) != o.parts.end()) {
    throw InputError("--out", "must not be one of the parts, got '" + o.files.out + "'");
  }
  const study::PartHeader header = study::read_header(o.parts.front());
  if (header.version != CAROM_VERSION) {
    throw InputError("", "was made by Carom " + header.version + ", this is " CAROM_VERSION,
                     o.parts.front());
  }
  const scenario::Document asked(header.asked, "[sweep] of " + o.parts.front());
  const study::SweepPlan plan = study::plan_sweep(
      header.text, header.name, scenario::read_sweep(asked.top().table("sweep")), CAROM_VERSION);
  const auto store = study::in_parts(plan, {o.parts.begin(), o.parts.end()});
  std::vector<std::size_t> missing;
  for (std::size_t b = 0; b < plan.blocks(); ++b) {
    if (!store->has(b)) missing.push_back(b);
  }
  if (!missing.empty()) {
    throw InputError(
        "FILE",
        fmt::format("these parts lack {} of {} blocks ({}); give the other parts, or finish "
                    "them with --resume",
                    missing.size(), plan.blocks(), ranges(missing)));
  }
  const StopOnSignal on_signal;
  report_all(plan, *store, o.files, on_signal.stop());
}

/// How some work ended: with an exit code, and a line where it failed.
struct Ended {
  int code = done;
  std::string complaint;
};

Ended ending_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Interrupted&) {
    return {interrupted, "interrupted; nothing more is written"};
  } catch (const InputError& e) {
    return {wrong_input, e.what()};
  } catch (const std::exception& e) {
    return {failed, e.what()};
  }
}

/// What is wrong before anything is computed is mostly wrong on each rank: the first of them says
/// so, and all end. Later a rank that fails says so and ends the others, which do not ask.
int sweep_on(study::Ranks& ranks, const SweepOptions& o) {
  std::unique_ptr<PreparedSweep> sweep;
  const Ended preparing = ending_of([&] { sweep = prepared_sweep(o, ranks); });
  if (const auto failure = ranks.first_failure(preparing.code)) {
    if (failure->rank == ranks.rank()) complain(preparing.complaint);
    return failure->exit_code;
  }
  const Ended computing = ending_of([&] { run_sweep(o, *sweep, ranks); });
  if (computing.code != done) {
    complain(computing.complaint);
    ranks.abort(computing.code);
  }
  return computing.code;
}

void add_sweep(CLI::App& app, int& exit_code) {
  add_sweep_options(
      app,
      [&exit_code](const SweepOptions& given) {
        study::Ranks ranks;
        exit_code = sweep_on(ranks, given);
      },
      run_merge);
}

}  // namespace
}  // namespace carom::cli

int main(int argc, char** argv) {
  return carom::cli::run_program(argc, argv, carom::cli::add_sweep);
}
