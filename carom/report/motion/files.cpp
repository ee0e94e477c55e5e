// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/files.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/report/law_words.hpp>
#include <carom/report/motion/log.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::report {
namespace {

constexpr const char* trajectory_file = "trajectory.csv";
constexpr const char* events_file = "events.csv";
constexpr const char* contacts_file = "contacts.csv";
constexpr const char* energy_file = "energy.csv";
constexpr const char* progress_file = "progress.toml";

std::filesystem::path partial(std::filesystem::path name) { return name += ".partial"; }

/// A file that appears whole or not at all. What a killed run leaves has a fixed name, so that the
/// next one replaces it.
void write_and_rename(const std::filesystem::path& name, const std::string& text) {
  const std::filesystem::path other = partial(name);
  std::FILE* file = std::fopen(other.c_str(), "wbe");
  bool written = file != nullptr;
  if (written) written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (!written || std::rename(other.c_str(), name.c_str()) != 0) {
    throw std::runtime_error("cannot write " + name.string() + ": " + std::strerror(errno));
  }
}

/// A text file that grows.
class GrowingFile {
 public:
  GrowingFile(const std::filesystem::path& name, bool anew)
      : name_(name), file_(std::fopen(name.c_str(), anew ? "wb" : "ab")) {
    if (file_ == nullptr || fseeko(file_, 0, SEEK_END) != 0) fail();
  }
  ~GrowingFile() {
    if (file_ != nullptr) std::fclose(file_);
  }
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  void flush() {
    if (std::fflush(file_) != 0) fail();
  }
  /// With what is not flushed yet.
  [[nodiscard]] std::uintmax_t size() const {
    const off_t at = ftello(file_);
    if (at < 0) fail();
    return static_cast<std::uintmax_t>(at);
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("cannot write " + name_.string() + ": " + std::strerror(errno));
  }

  std::filesystem::path name_;
  std::FILE* file_;
};

void append_list(std::string& out, std::string_view key, const std::vector<double>& values) {
  out += fmt::format("{} = [", key);
  for (const double x : values) {
    if (out.back() != '[') out += ", ";
    out += shortest(x);
    if (out.find_first_of(".en", out.find_last_of("[ ") + 1) == std::string::npos) out += ".0";
  }
  out += "]\n";
}

std::vector<double> numbers(const Vector& v) { return {v.data(), v.data() + v.size()}; }

Vector vector(const std::vector<double>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// FNV-1a of a scenario's text, by which it is known again.
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("{:016x}", hash);
}

std::string progress_text(const motion::Progress& p, const RunIdentity& run,
                          const FileSizes& bytes) {
  std::string out =
      "# A motion so far, from which `carom simulate --resume` goes on. Numbers are exact.\n";
  out += fmt::format("scenario = \"{}\"\n", fingerprint(run.scenario));
  append_list(out, "time", {p.state.time});
  append_list(out, "q", numbers(p.state.q));
  append_list(out, "u", numbers(p.state.u));
  std::vector<double> contacts;
  for (const motion::ContactStatus& c : p.contacts) {
    contacts.push_back(static_cast<double>(c.touch));
    contacts.insert(contacts.end(), c.direction.begin(), c.direction.end());
  }
  append_list(out, "contacts", contacts);
  std::vector<double> found;
  constexpr std::uint64_t half = std::uint64_t{1} << 32U;  // halves are exact as numbers
  for (const ContactId& id : p.found) {
    found.insert(
        found.end(),
        {static_cast<double>(id.pair.first), static_cast<double>(id.pair.second),
         static_cast<double>(id.features / half), static_cast<double>(id.features % half)});
  }
  append_list(out, "found", found);
  const motion::EnergyAccount& e = p.energy;
  append_list(out, "energy",
              {e.kinetic_start, e.potential_start, e.kinetic, e.potential, e.drives, e.dampers,
               e.dropped, e.corrections});
  append_list(out, "impact_work", e.impacts);
  append_list(out, "friction_work", e.friction);
  append_list(out, "counts",
              {static_cast<double>(p.events), static_cast<double>(p.impacts),
               static_cast<double>(p.steps)});
  append_list(out, "samples", {p.sample_interval, p.next_sample, p.last_sample});
  out += "# What decides how it goes on.\n";
  motion::Continuation::visit(p.next, [&](const char* key, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      append_list(out, key, {value});
    } else {
      append_list(out, key, value);
    }
  });
  out += "# Options of the run: end_time [s], tolerance, sample_interval [s].\n";
  append_list(out, "options", {run.end_time, run.tolerance, run.sample_interval});
  out += "# How it is computed: 0 events, 1 stepping, 2 auto; step [s].\n";
  append_list(out, "method", {static_cast<double>(run.method), run.step});
  out += "# How many bytes of trajectory.csv, events.csv and contacts.csv belong to this state.\n";
  append_list(out, "bytes", std::vector<double>(bytes.begin(), bytes.end()));
  return out;
}

std::string energy_text(const motion::ContactNames& names, const motion::EnergyAccount& e) {
  std::string out = "part,energy_J\n";
  const auto row = [&](const std::string& part, double value) {
    out += part + ',';
    append_number(out, value);
    out += '\n';
  };
  row("kinetic_start", e.kinetic_start);
  row("potential_start", e.potential_start);
  // Of contacts that were found, those that did work.
  const std::size_t known = names.model().contacts();
  for (std::size_t i = 0; i < e.impacts.size(); ++i) {
    if (i >= known && e.impacts[i] == 0.) continue;
    row("impacts_" + column_part(names[i]), e.impacts[i]);
  }
  for (std::size_t i = 0; i < e.friction.size(); ++i) {
    if (i >= known && e.friction[i] == 0.) continue;
    row("friction_" + column_part(names[i]), e.friction[i]);
  }
  row("drives", e.drives);
  row("dampers", e.dampers);
  row("dropped", e.dropped);
  row("position_corrections", e.corrections);
  row("kinetic_end", e.kinetic);
  row("potential_end", e.potential);
  row("unaccounted_for", e.gap());
  return out;
}

}  // namespace

struct MotionFiles::Out {
  Out(const std::filesystem::path& directory, bool anew)
      : trajectory(directory / trajectory_file, anew),
        events(directory / events_file, anew),
        contacts(directory / contacts_file, anew) {}
  [[nodiscard]] FileSizes bytes() { return {trajectory.size(), events.size(), contacts.size()}; }
  void flush() {
    trajectory.flush();
    events.flush();
    contacts.flush();
  }
  GrowingFile trajectory;
  GrowingFile events;
  GrowingFile contacts;
  std::optional<FileSizes> before_end{};
  std::string line{};  ///< being made; kept for its memory
};

MotionFiles::MotionFiles(std::filesystem::path directory, const motion::ContactNames& names,
                         const TrajectoryTable& table, RunIdentity run)
    : directory_(std::move(directory)), names_(names), table_(table), run_(std::move(run)) {}

void MotionFiles::begin(const motion::Progress& progress) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (!std::filesystem::is_directory(directory_)) {
    throw std::runtime_error("cannot make the directory " + directory_.string() +
                             (error ? ": " + error.message() : ""));
  }
  // First of all, so that a run that is killed now can be resumed. Zero bytes: from the start.
  write_and_rename(directory_ / progress_file, progress_text(progress, run_, {}));
  begin_files();
}

void MotionFiles::begin_files() {
  // What an older run wrote at its end does not belong to this one.
  for (const char* file : {energy_file, "trajectory.h5"}) {
    std::filesystem::remove(directory_ / file);
  }
  out_ = std::make_unique<Out>(directory_, true);
  out_->trajectory.write(table_.csv_header());
  out_->contacts.write(table_.found_header());
  out_->events.write("time_s,kind,contacts,from,to,energy_change_J,normal_impulse_Ns,text\n");
}

void MotionFiles::resume(const FileSizes& bytes,
                         const std::function<void(const std::vector<double>&)>& row) {
  if (bytes[0] == 0) return begin_files();
  for (const auto& [file, size] : {std::pair{directory_ / trajectory_file, bytes[0]},
                                   std::pair{directory_ / events_file, bytes[1]},
                                   std::pair{directory_ / contacts_file, bytes[2]}}) {
    std::error_code error;
    const std::uintmax_t is = std::filesystem::file_size(file, error);
    if (error || is < size) {
      throw std::runtime_error(fmt::format(
          "{} has {} bytes, but {} says {}: the run cannot be resumed, start it again with --force",
          file.string(), error ? 0 : is, progress_file, size));
    }
    std::filesystem::resize_file(file, size);
  }
  std::ifstream lines(directory_ / trajectory_file, std::ios::binary);
  std::string line;
  std::vector<double> values;
  std::getline(lines, line);
  bool right = line + '\n' == table_.csv_header();
  while (right && std::getline(lines, line)) {
    right = table_.read_csv(line, values);
    if (right) row(values);
  }
  if (!right) {
    throw std::runtime_error((directory_ / trajectory_file).string() +
                             " is not what this run wrote: the run cannot be resumed, start it "
                             "again with --force");
  }
  out_ = std::make_unique<Out>(directory_, false);
}

MotionFiles::~MotionFiles() = default;

void MotionFiles::row(const std::vector<double>& row) {
  out_->line.clear();
  table_.append_csv(out_->line, row);
  out_->trajectory.write(out_->line);
  out_->line.clear();
  table_.append_found(out_->line, row, names_);
  out_->contacts.write(out_->line);
}

void MotionFiles::end() {
  if (!out_->before_end) out_->before_end = out_->bytes();
}

void MotionFiles::checkpoint(const motion::Progress& progress) {
  out_->flush();
  write_and_rename(directory_ / progress_file, progress_text(progress, run_, out_->bytes()));
}

void MotionFiles::event(const motion::Event& e) {
  const std::size_t d = names_.model().components();
  std::string line;
  append_number(line, e.time);
  line += ',' + std::string(name(e.kind)) + ',';
  const auto list = [&](std::size_t size, const auto& text) {
    for (std::size_t k = 0; k < size; ++k) line += (k > 0 ? ";" : "") + text(k);
    line += ',';
  };
  list(e.contacts.size(), [&](std::size_t k) { return column_part(names_[e.contacts[k]]); });
  list(e.from.size(), [&](std::size_t k) { return name(e.from[k], d); });
  list(e.to.size(), [&](std::size_t k) { return name(e.to[k], d); });
  append_number(line, e.energy_change);
  line += ',';
  list(e.impulse.size() / d, [&](std::size_t k) { return shortest(e.impulse[k * d]); });
  std::string text = printable(event_text(e, names_, Wording::full_digits()));
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '"');
  }
  out_->events.write(line + '"' + text + "\"\n");
}

void MotionFiles::finish(const motion::Summary& summary) {
  end();
  out_->flush();
  write_and_rename(directory_ / energy_file, energy_text(names_, summary.progress.energy));
  write_and_rename(directory_ / progress_file,
                   progress_text(summary.progress, run_, *out_->before_end));
}

bool is_run_without_progress(const std::filesystem::path& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().filename() != partial(progress_file)) return false;
  }
  return !error;
}

namespace {

std::string progress_in(const std::filesystem::path& directory, std::string_view field) {
  const std::filesystem::path file = directory / progress_file;
  if (!std::filesystem::is_regular_file(file)) {
    throw InputError(std::string(field),
                     "has no progress.toml: nothing was written there by "
                     "carom simulate --out, got '" +
                         directory.string() + "'");
  }
  return scenario::read_text(file);
}

void require_scenario(const scenario::Table& top, std::string_view text, std::string_view field) {
  if (top.text("scenario", "") == fingerprint(text)) return;
  throw InputError(std::string(field),
                   "was begun with another scenario; a later end is given by --end");
}

std::vector<double> numbers_at(const scenario::Table& top, std::string_view key, std::size_t size) {
  std::vector<double> values = top.row(key);
  if (values.size() != size) {
    top.fail(key, "must have " + std::to_string(size) + " numbers for this scenario, got " +
                      std::to_string(values.size()));
  }
  return values;
}

motion::MotionMethod method_at(const scenario::Table& top) {
  const double number = numbers_at(top, "method", 2)[0];
  for (const auto method : {motion::MotionMethod::events, motion::MotionMethod::stepping,
                            motion::MotionMethod::automatic}) {
    if (number == static_cast<double>(method)) return method;
  }
  top.fail("method", "must be 0 (events), 1 (stepping) or 2 (auto)");
}

}  // namespace

motion::MotionMethod read_method(const std::filesystem::path& directory, std::string_view text,
                                 std::string_view field) {
  const scenario::Document document(progress_in(directory, field),
                                    (directory / progress_file).string());
  require_scenario(document.top(), text, field);
  return method_at(document.top());
}

ResumedRun read_progress(const std::filesystem::path& directory, const Model& model,
                         std::string_view text, std::string_view field) {
  const scenario::Document document(progress_in(directory, field),
                                    (directory / progress_file).string());
  const scenario::Table top = document.top();
  const auto row = [&](std::string_view key, std::size_t size) {
    return numbers_at(top, key, size);
  };
  require_scenario(top, text, field);
  ResumedRun run;
  motion::Progress& p = run.progress;
  p.state.time = row("time", 1)[0];
  p.state.q = vector(row("q", model.positions()));
  p.state.u = vector(row("u", model.velocities()));
  const std::vector<double> found = top.row("found");
  if (found.size() % 4 != 0) top.fail("found", "must have four numbers a contact");
  for (std::size_t k = 0; k < found.size(); k += 4) {
    constexpr std::uint64_t half = std::uint64_t{1} << 32U;
    p.found.push_back({.pair = {.first = static_cast<std::uint32_t>(found[k]),
                                .second = static_cast<std::uint32_t>(found[k + 1])},
                       .features = static_cast<std::uint64_t>(found[k + 2]) * half +
                                   static_cast<std::uint64_t>(found[k + 3])});
  }
  const std::size_t all = model.contacts() + p.found.size();
  const std::vector<double> contacts = row("contacts", 3 * all);
  for (std::size_t i = 0; i < all; ++i) {
    if (contacts[3 * i] != 0. && contacts[3 * i] != 1. && contacts[3 * i] != 2.) {
      top.fail("contacts", "must be 0 (open), 1 (slip) or 2 (stick)");
    }
    p.contacts.push_back({.touch = static_cast<motion::Touch>(static_cast<int>(contacts[3 * i])),
                          .direction = {contacts[3 * i + 1], contacts[3 * i + 2]}});
  }
  const std::vector<double> energy = row("energy", 8);
  p.energy = {.kinetic_start = energy[0],
              .potential_start = energy[1],
              .kinetic = energy[2],
              .potential = energy[3],
              .impacts = row("impact_work", all),
              .friction = row("friction_work", all),
              .drives = energy[4],
              .dampers = energy[5],
              .dropped = energy[6],
              .corrections = energy[7]};
  const std::vector<double> counts = row("counts", 3);
  p.events = static_cast<std::size_t>(counts[0]);
  p.impacts = static_cast<std::size_t>(counts[1]);
  p.steps = static_cast<std::size_t>(counts[2]);
  const std::vector<double> samples = row("samples", 3);
  p.sample_interval = samples[0];
  p.next_sample = samples[1];
  p.last_sample = samples[2];
  motion::Continuation::visit(p.next, [&](const char* key, auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      value = row(key, 1)[0];
    } else {
      value = top.row(key);
    }
  });
  const std::vector<double> options = row("options", 3);
  run.end_time = options[0];
  run.tolerance = options[1];
  run.sample_interval = options[2];
  run.method = method_at(top);
  run.step = row("method", 2)[1];
  const std::vector<double> bytes = row("bytes", run.bytes.size());
  std::transform(bytes.begin(), bytes.end(), run.bytes.begin(),
                 [](double x) { return static_cast<std::uintmax_t>(x); });
  return run;
}

}  // namespace carom::report
