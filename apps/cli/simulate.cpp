// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/motion/files.hpp>
#include <carom/report/motion/frames.hpp>
#include <carom/report/motion/hdf5.hpp>
#include <carom/report/motion/history.hpp>
#include <carom/report/motion/log.hpp>
#include <carom/report/motion/record.hpp>
#include <carom/report/motion/shown.hpp>
#include <carom/report/motion/trajectory.hpp>
#include <carom/report/motion/vtk.hpp>
#include <carom/report/picture.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/parallel.hpp>

#include "command_line.hpp"
#include "examples.hpp"
#include "progress.hpp"
#include "simulate_options.hpp"

namespace carom::cli {
namespace {

constexpr std::size_t log_lines = 40;  ///< at each end of a log that is shown, without --full

constexpr double default_samples = 1000.;

constexpr double default_checkpoint = 2.;  // of computing time [s]

/// A run ends within a second of Ctrl-C. Where one impact takes longer it is not waited for: with
/// files it can be resumed at any moment.
constexpr std::chrono::milliseconds patience{800};

/// Passes each sample and event on to the log, the files, the pictures and the progress bar.
class Recorders : public motion::Recorder {
 public:
  Recorders(const scenario::MotionScenario& scenario, const report::Wording& wording,
            const std::atomic<bool>& stop, const SimulateOptions& o)
      : scenario_(scenario),
        stop_(stop),
        checkpoint_(o.checkpoint.value_or(default_checkpoint)),
        bar_("carom simulate", !o.quiet),
        names_(*scenario.model),
        story_(names_, wording, o.full ? report::LogLines::all : log_lines),
        table_(*scenario.model),
        rows_(table_, [this](const std::vector<double>& row) { write(row); }) {}

  /// @param resumed  null: a new run
  void write_to(const std::filesystem::path& directory, report::RunIdentity run,
                const motion::Progress& from, const report::ResumedRun* resumed) {
    files_ = std::make_unique<report::MotionFiles>(directory, names_, table_, std::move(run));
    if (resumed == nullptr) files_->begin(from);
    hdf5_ = std::make_unique<report::MotionHdf5>(directory / "trajectory.h5", table_);
    if (resumed != nullptr) {
      files_->resume(resumed->bytes, [&](const std::vector<double>& row) { hdf5_->row(row); });
    }
  }
  void keep_history() {
    history_ = std::make_unique<report::MotionHistory>(report::most_samples(scenario_));
  }
  void keep_everything() {
    whole_ = std::make_unique<report::MotionHistory>(report::MotionHistory::complete());
  }
  void print_csv() {
    prints_ = true;
    print(table_.csv_header());
  }

  void contact(std::size_t number, const ContactId& id) override {
    names_.add(number, id);
    for (report::MotionHistory* h : {history_.get(), whole_.get()}) {
      if (h != nullptr) h->contact(number, id);
    }
  }
  void event(const motion::Event& e) override {
    story_.add(e);
    if (has_rows()) rows_.event(e);
    if (files_) {
      if (e.kind == motion::EventKind::end) files_->end();
      files_->event(e);
    }
    for (report::MotionHistory* h : {history_.get(), whole_.get()}) {
      if (h != nullptr) h->event(e);
    }
  }
  void sample(const motion::Sample& s) override {
    if (has_rows()) rows_.sample(s);
    for (report::MotionHistory* h : {history_.get(), whole_.get()}) {
      if (h != nullptr) h->sample(s);
    }
    bar_.show(s.state.time / scenario_.options.end_time);
  }
  void last(const motion::Sample& s) override {
    if (files_) files_->end();
    sample(s);
  }
  [[nodiscard]] bool wants_sides() const override { return has_rows() || history_ || whole_; }
  void side(const motion::Sample& s, motion::Side side) override {
    if (has_rows()) rows_.side(s, side);
    for (report::MotionHistory* h : {history_.get(), whole_.get()}) {
      if (h != nullptr) h->side(s, side);
    }
  }
  bool stop() override { return stop_.load(); }
  bool wants_progress() override {
    return files_ && std::chrono::steady_clock::now() - written_ >= checkpoint_;
  }
  void progress(const motion::Progress& p) override {
    files_->checkpoint(p);
    written_ = std::chrono::steady_clock::now();
  }

  void finish(const motion::Summary& summary) {
    if (hdf5_) hdf5_->finish();
    if (files_) files_->finish(summary);
    if (prints_) print_rest();
  }
  [[nodiscard]] std::string log() { return story_.text(); }
  [[nodiscard]] const report::MotionHistory* history() const { return history_.get(); }
  [[nodiscard]] report::MotionHistory* whole() { return whole_.get(); }

 private:
  [[nodiscard]] bool has_rows() const { return files_ || prints_; }

  void write(const std::vector<double>& row) {
    if (files_) files_->row(row);
    if (hdf5_) hdf5_->row(row);
    if (!prints_) return;
    table_.append_csv(printed_, row);
    constexpr std::size_t at_once = std::size_t{1} << 16U;
    if (printed_.size() >= at_once) print_rest();
  }
  void print_rest() {
    print(printed_);
    printed_.clear();
  }

  const scenario::MotionScenario& scenario_;
  const std::atomic<bool>& stop_;
  std::chrono::duration<double> checkpoint_;
  ProgressBar bar_;
  motion::ContactNames names_;
  report::Story story_;
  report::TrajectoryTable table_;
  report::TrajectoryRows rows_;
  std::unique_ptr<report::MotionFiles> files_;
  std::unique_ptr<report::MotionHdf5> hdf5_;
  std::unique_ptr<report::MotionHistory> history_;  ///< for pictures
  std::unique_ptr<report::MotionHistory> whole_;    ///< for --json
  bool prints_ = false;                             ///< rows to standard output
  std::string printed_;                             ///< rows that are not printed yet
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

void require_few_samples(const SimulateOptions& o, const motion::Options& options) {
  const double least = options.end_time / static_cast<double>(options.most_samples);
  if (options.sample_interval >= least) return;
  throw InputError(
      o.interval ? "--every" : "--end",
      fmt::format("samples must be at least end_time/most_samples = {} s/{} = {} s apart, got {}; "
                  "set motion.most_samples in the file to allow more",
                  shortest(options.end_time), options.most_samples, shortest(least),
                  shortest(options.sample_interval)));
}

/// What a run that is resumed was begun with stays, unless the command line says otherwise. A run
/// that reached its end goes on to that of the file.
void resume(const SimulateOptions& o, const std::string& text, scenario::MotionScenario& s,
            std::optional<report::ResumedRun>& resumed) {
  if (report::is_run_without_progress(o.resume)) return;  // killed before it began
  resumed = report::read_progress(o.resume, *s.model, text, "--resume");
  if (resumed->progress.state.time < resumed->end_time) s.options.end_time = resumed->end_time;
  s.options.tolerance = resumed->tolerance;
  s.options.step = resumed->step;
  s.options.sample_interval = resumed->sample_interval;
}

/// How motion is computed, if the command line or the run that is resumed says so.
std::optional<motion::MotionMethod> method_of(const SimulateOptions& o, const std::string& text) {
  std::optional<motion::MotionMethod> method;
  if (!o.method.empty()) method = scenario::motion_method(o.method, "--method");
  if (o.resume.empty() || report::is_run_without_progress(o.resume)) return method;
  const motion::MotionMethod begun = report::read_method(o.resume, text, "--resume");
  if (method && *method != begun) {
    throw InputError("--method", fmt::format("the run in '{}' was begun with {}, with which it "
                                             "goes on; got '{}'",
                                             o.resume, scenario::name(begun), o.method));
  }
  return begun;
}

scenario::MotionScenario read(const SimulateOptions& o, const std::string& text,
                              std::optional<report::ResumedRun>& resumed) {
  scenario::MotionScenario s =
      scenario::parse_motion(text, o.file == "-" ? "<stdin>" : o.file, method_of(o, text));
  if (!o.resume.empty()) resume(o, text, s, resumed);
  if (o.end) {
    if (!(*o.end > 0. && std::isfinite(*o.end))) {
      throw InputError("--end", "must be above 0 s, got " + shortest(*o.end));
    }
    s.options.end_time = *o.end;
  }
  if (o.step) {
    if (!(*o.step > 0. && std::isfinite(*o.step))) {
      throw InputError("--step", "must be above 0 s, got " + shortest(*o.step));
    }
    if (s.options.method == motion::MotionMethod::events) {
      throw InputError("--step", "is for --method stepping; events have no step");
    }
    s.options.step = *o.step;
  }
  if (o.tolerance) s.options.tolerance = require_tolerance(*o.tolerance, "--tolerance");
  if (o.interval) {
    if (!(*o.interval > 0. && std::isfinite(*o.interval))) {
      throw InputError("--every", "must be above 0 s, got " + shortest(*o.interval));
    }
    s.options.sample_interval = *o.interval;
  }
  // Free flight in closed form has no steps of its own to sample.
  if (!(s.options.sample_interval > 0.)) {
    s.options.sample_interval = s.options.end_time / default_samples;
  }
  require_few_samples(o, s.options);
  return s;
}

/// What is drawn, by the names that were given.
struct Drawn {
  std::optional<report::PictureFiles> picture;
  std::optional<report::PictureFiles> animation;
  std::filesystem::path series;  ///< for ParaView; may be empty

  [[nodiscard]] bool any() const { return picture || animation || !series.empty(); }
};

Drawn drawn_by(const SimulateOptions& o, const scenario::MotionScenario& s) {
  Drawn drawn;
  if (!o.plot.empty()) drawn.picture = report::picture_files(o.plot, "--plot");
  if (std::filesystem::path(o.animate).extension() == ".pvd") {
    if (s.drawing.bodies.empty()) {
      throw InputError("--animate",
                       "a series for ParaView (.pvd) is for motions in space; name a "
                       "file that ends in .gif or .mp4, got '" +
                           o.animate + "'");
    }
    drawn.series = o.animate;
  } else if (!o.animate.empty()) {
    drawn.animation = report::picture_files(o.animate, "--animate", {".gif", ".mp4", ".pvd"});
  }
  if (!drawn.picture) {
    if (!o.show.empty()) throw InputError("--show", "is for --plot");
    if (!o.at.empty()) throw InputError("--at", "is for --plot");
  }
  for (const double t : o.at) {
    if (t >= 0. && t <= s.options.end_time) continue;
    throw InputError("--at", t, "in [0, " + shortest(s.options.end_time) + "] s");
  }
  return drawn;
}

void draw(const SimulateOptions& o, const scenario::MotionScenario& s,
          const report::MotionHistory& history, const Drawn& drawn) {
  if (history.points().size() < 2) {
    throw std::runtime_error("nothing moved: there is nothing to draw");
  }
  std::string failures;  // a picture that fails does not keep the others from being made
  const auto make = [&](const report::PictureFiles& files, const report::Shown& shown,
                        std::string_view kind) {
    try {
      report::draw(files, report::motion_record(s, history, shown, kind, o.at));
      if (!o.quiet) std::fputs(report::wrote(files).c_str(), stderr);
    } catch (const std::runtime_error& e) {
      failures += (failures.empty() ? "" : "; ") + std::string(e.what());
    }
  };
  const report::Shown usual = report::usually_shown(s, history);
  if (drawn.picture) {
    const report::Shown shown =
        o.show.empty() ? usual : report::shown_by_name(s, history, o.show, "--show");
    make(*drawn.picture, shown, "motion");
    if (!shown.note.empty() && !o.quiet) std::fprintf(stderr, "note: %s\n", shown.note.c_str());
  }
  if (drawn.animation) make(*drawn.animation, usual, "animation");
  if (!drawn.series.empty()) {
    report::write_vtk(drawn.series, s, report::frames_of(history, s.model->velocities()));
    tell(o.quiet, "wrote " + drawn.series.string());
  }
  if (!failures.empty()) throw std::runtime_error(failures);
}

std::string first_impact_text(const scenario::MotionScenario& s) {
  if (!s.first_impact) return "";
  const scenario::FirstImpact& f = *s.first_impact;
  std::string text = "First the impact (lzb):";
  for (std::size_t i = 0; i < f.coordinates.size(); ++i) {
    text += fmt::format("{} {} {} -> {}", i == 0 ? "" : ",", f.coordinates[i].name,
                        report::figure(f.before[i]), report::figure(f.after[i]));
  }
  return text + "\n";
}

/// Which laws impacts go through.
std::string laws_text(const scenario::MotionScenario& s) {
  std::string text = report::motion_laws(s);
  if (text.empty()) return "";
  if (scenario::meets_several(*s.model) && !s.several_named) {
    text += s.stiffness_given ? " (the default)" : " (the default where no stiffness is given)";
  }
  text = "Impacts: " + text + ".\n";
  for (const std::string& note : s.notes) text += "Note: " + note + ".\n";
  return text;
}

/// Options of files that are written while computing, without such files.
void refuse_without_files(const SimulateOptions& o) {
  if (o.checkpoint && !(*o.checkpoint >= 0.)) {
    throw InputError("--checkpoint", *o.checkpoint, ">= 0 s");
  }
  if (o.checkpoint && o.out.empty() && o.resume.empty()) {
    throw InputError("--checkpoint", "needs --out or --resume, the directory that holds the run");
  }
  if (o.force && o.out.empty()) {
    throw InputError("--force", "needs --out, the directory whose run is written over");
  }
}

/// A directory that holds a run is not written over unasked.
void refuse_to_overwrite(const SimulateOptions& o) {
  if (o.out.empty() || o.force || !o.resume.empty()) return;
  for (const char* file : {"trajectory.csv", "trajectory.h5", "events.csv", "progress.toml"}) {
    if (!std::filesystem::exists(std::filesystem::path(o.out) / file)) continue;
    throw InputError("--out", "'" + o.out +
                                  "' holds a run already; --force writes over it, --resume goes on "
                                  "with it");
  }
}

/// A run that is resumed at its end computes nothing that could be drawn.
void refuse_to_draw_nothing(const SimulateOptions& o, double reached, double end) {
  if (reached < end) return;
  throw InputError(
      o.plot.empty() ? "--animate" : "--plot",
      fmt::format("draws what is computed, and the run in '{}' has already reached {} s; "
                  "go on with --end above that, or leave out --resume to compute and "
                  "draw the whole run",
                  o.resume, shortest(reached)));
}

/// What the system has at the start, in motion and in height against the origin.
double energy_at_start(const motion::Progress& p) {
  return std::abs(p.energy.kinetic_start) + std::abs(p.energy.potential_start);
}

int run(const SimulateOptions& o) {
  if (!o.resume.empty() && !o.out.empty() && o.resume != o.out) {
    throw InputError("--resume", "goes on in its own directory; leave out --out");
  }
  refuse_without_files(o);
  if (o.json && o.csv) throw InputError("--json", "not together with --csv");
  const std::string text = o.file == "-" ? all_of_standard_input() : scenario::read_text(o.file);
  std::optional<report::ResumedRun> resumed_run;
  scenario::MotionScenario s = read(o, text, resumed_run);
  const Executor executor = study::make_executor(o.threads);
  s.options.executor = &executor;
  const Drawn drawn = drawn_by(o, s);
  refuse_to_overwrite(o);
  if (!o.show.empty()) (void)report::shown_by_name(s, report::MotionHistory(), o.show, "--show");
  const bool resumed = !o.resume.empty();
  const motion::Progress from =
      resumed_run ? resumed_run->progress : motion::start(*s.model, s.start, s.surfaces, s.options);
  if (resumed && drawn.any()) refuse_to_draw_nothing(o, from.state.time, s.options.end_time);
  if (resumed && o.end && *o.end < from.state.time) {
    throw InputError("--end", fmt::format("must not be before {} s, which the run in '{}' has "
                                          "already reached; got {}",
                                          shortest(from.state.time), o.resume, shortest(*o.end)));
  }

  const report::Wording wording =
      o.full ? report::Wording::full_digits()
             : report::Wording::brief(s.options.end_time, energy_at_start(from));
  const std::string where = resumed ? o.resume : o.out;
  const std::string interruption =
      where.empty() ? "interrupted"
                    : "interrupted; carom simulate " + o.file + " --resume " + where + " goes on";
  StopOnSignal on_signal(patience, "carom: error: " + printable_lines(interruption) + "\n",
                         interrupted);
  motion::Summary summary;
  std::string log;
  std::exception_ptr not_drawn;
  {
    Recorders recorders(s, wording, on_signal.stop(), o);
    if (!where.empty()) {
      recorders.write_to(where,
                         {.scenario = text,
                          .method = s.options.method,
                          .step = s.options.step,
                          .end_time = s.options.end_time,
                          .tolerance = s.options.tolerance,
                          .sample_interval = s.options.sample_interval},
                         from, resumed_run ? &*resumed_run : nullptr);
    }
    if (drawn.any()) recorders.keep_history();
    if (o.json) recorders.keep_everything();
    if (o.csv) recorders.print_csv();
    summary = motion::simulate(*s.model, s.surfaces, s.options, from, recorders);
    on_signal.obeyed();
    recorders.finish(summary);
    if (o.json) {
      if (summary.ending == motion::Ending::stopped) report::shorten(s, *recorders.whole());
      print(report::whole_record(s, *recorders.whole(), summary));
    }
    log = recorders.log();
    if (recorders.history() != nullptr && summary.ending != motion::Ending::stopped) {
      try {
        draw(o, s, *recorders.history(), drawn);
      } catch (const std::runtime_error&) {
        not_drawn = std::current_exception();  // after the log
      }
    }
  }
  if (!o.quiet) {
    const report::Page page{.colour = false, .width = page_width()};
    const std::string story =
        (s.title.empty() ? "" : printable(s.title) + "\n") +
        printable_lines(first_impact_text(s) + laws_text(s) + report::method_text(s) + "\n" + log +
                        "\n" + report::motion_summary(*s.model, summary, page, wording));
    if (o.json || o.csv) {
      std::fputs(story.c_str(), stderr);
    } else {
      print(story);
    }
  }
  if (!where.empty())
    tell(o.quiet, "wrote " + where + ": trajectory.csv, trajectory.h5, events.csv, energy.csv");
  if (not_drawn) std::rethrow_exception(not_drawn);
  if (summary.ending == motion::Ending::stopped) {
    complain(interruption);
    return interrupted;
  }
  if (summary.ending == motion::Ending::failed) {
    complain("the motion cannot be followed beyond " + shortest(summary.progress.state.time) +
             " s: " + summary.reason);
    return failed;
  }
  return done;
}

}  // namespace

void add_simulate(CLI::App& app, int& exit_code) {
  add_simulate_options(app, [&exit_code](SimulateOptions& o) {
    o.file = scenario_file(o.file, "simulate");
    exit_code = run(o);
  });
}

}  // namespace carom::cli
