// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/files.hpp>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/report/law_words.hpp>
#include <carom/report/motion/log.hpp>
#include <carom/report/pending_file.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::report {
namespace {

using motion::Model;

/// A text file that grows.
class GrowingFile {
 public:
  GrowingFile(const std::filesystem::path& name, bool anew)
      : name_(name), file_(std::fopen(name.c_str(), anew ? "wb" : "ab")) {
    if (file_ == nullptr) fail();
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

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("cannot write " + name_.string() + ": " + std::strerror(errno));
  }

  std::filesystem::path name_;
  std::FILE* file_;
};

constexpr std::array<const char*, 3> plane = {"n", "t", ""};
constexpr std::array<const char*, 3> space = {"n", "t1", "t2"};

std::string trajectory_header(const Model& model) {
  std::string out = "time_s";
  for (std::size_t i = 0; i < model.positions(); ++i) {
    out += ",q_" + column_part(model.position_name(i));
  }
  for (std::size_t i = 0; i < model.velocities(); ++i) {
    out += ",u_" + column_part(model.velocity_name(i));
  }
  const auto& parts = model.components() == 2 ? plane : space;
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    const std::string contact = column_part(model.contact_name(i));
    out += "," + contact + "_gap_m";
    for (std::size_t c = 0; c < model.components(); ++c) {
      out += fmt::format(",{}_v_{}_m_s", contact, parts[c]);
    }
    for (std::size_t c = 0; c < model.components(); ++c) {
      out += fmt::format(",{}_F_{}_N", contact, parts[c]);
    }
    out += fmt::format(",{0}_ratio,{0}_status", contact);
  }
  return out + ",kinetic_J,potential_J\n";
}

/// |F_t|/F_n, with the sign of F_t in the plane; nothing where there is no force.
void append_ratio(std::string& out, const double* force, std::size_t components) {
  if (!(force[0] > 0.)) return;
  append_number(out,
                components == 2 ? force[1] / force[0] : std::hypot(force[1], force[2]) / force[0]);
}

void append_list(std::string& out, std::string_view key, const std::vector<double>& values) {
  out += fmt::format("{} = [", key);
  for (const double x : values) {
    if (out.back() != '[') out += ", ";
    out += shortest(x);
    if (out.find_first_of(".en", out.find_last_of("[ ") + 1) == std::string::npos) out += ".0";
  }
  out += "]\n";
}

std::vector<double> numbers(const motion::Vector& v) { return {v.data(), v.data() + v.size()}; }

motion::Vector vector(const std::vector<double>& v) {
  return Eigen::Map<const motion::Vector>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// FNV-1a of a scenario's text, by which it is known again.
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("{:016x}", hash);
}

std::string progress_text(const motion::Progress& p, std::string_view scenario) {
  std::string out =
      "# A motion so far, from which `carom simulate --resume` goes on. Numbers are exact.\n";
  out += fmt::format("scenario = \"{}\"\n", fingerprint(scenario));
  append_list(out, "time", {p.state.time});
  append_list(out, "q", numbers(p.state.q));
  append_list(out, "u", numbers(p.state.u));
  std::vector<double> contacts;
  for (const motion::ContactStatus& c : p.contacts) {
    contacts.push_back(static_cast<double>(c.touch));
    contacts.insert(contacts.end(), c.direction.begin(), c.direction.end());
  }
  append_list(out, "contacts", contacts);
  const motion::EnergyAccount& e = p.energy;
  append_list(
      out, "energy",
      {e.kinetic_start, e.potential_start, e.kinetic, e.potential, e.drives, e.dampers, e.dropped});
  append_list(out, "impact_work", e.impacts);
  append_list(out, "friction_work", e.friction);
  append_list(out, "counts",
              {static_cast<double>(p.events), static_cast<double>(p.impacts),
               static_cast<double>(p.steps)});
  append_list(out, "memory", p.memory);
  return out;
}

std::string energy_text(const Model& model, const motion::EnergyAccount& e) {
  std::string out = "part,energy_J\n";
  const auto row = [&](const std::string& part, double value) {
    out += part + ',';
    append_number(out, value);
    out += '\n';
  };
  row("kinetic_start", e.kinetic_start);
  row("potential_start", e.potential_start);
  for (std::size_t i = 0; i < e.impacts.size(); ++i) {
    row("impacts_" + column_part(model.contact_name(i)), e.impacts[i]);
  }
  for (std::size_t i = 0; i < e.friction.size(); ++i) {
    row("friction_" + column_part(model.contact_name(i)), e.friction[i]);
  }
  row("drives", e.drives);
  row("dampers", e.dampers);
  row("dropped", e.dropped);
  row("kinetic_end", e.kinetic);
  row("potential_end", e.potential);
  row("unaccounted_for", e.gap());
  return out;
}

}  // namespace

struct MotionFiles::Out {
  Out(const std::filesystem::path& directory, bool anew)
      : trajectory(directory / "trajectory.csv", anew), events(directory / "events.csv", anew) {}
  GrowingFile trajectory;
  GrowingFile events;
  std::string line{};  ///< being made; kept for its memory
};

MotionFiles::MotionFiles(std::filesystem::path directory, const Model& model, Begin begin)
    : directory_(std::move(directory)), model_(model) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (!std::filesystem::is_directory(directory_)) {
    throw std::runtime_error("cannot make the directory " + directory_.string() +
                             (error ? ": " + error.message() : ""));
  }
  const bool anew = begin == Begin::anew;
  out_ = std::make_unique<Out>(directory_, anew);
  if (!anew) return;
  out_->trajectory.write(trajectory_header(model_));
  out_->events.write("time_s,kind,contacts,from,to,energy_change_J,normal_impulse_Ns,text\n");
}

MotionFiles::~MotionFiles() = default;

void MotionFiles::event(const motion::Event& e) {
  const std::size_t d = model_.components();
  std::string line;
  append_number(line, e.time);
  line += ',' + std::string(name(e.kind)) + ',';
  const auto list = [&](std::size_t size, const auto& text) {
    for (std::size_t k = 0; k < size; ++k) line += (k > 0 ? ";" : "") + text(k);
    line += ',';
  };
  list(e.contacts.size(),
       [&](std::size_t k) { return column_part(model_.contact_name(e.contacts[k])); });
  list(e.from.size(), [&](std::size_t k) { return name(e.from[k], d); });
  list(e.to.size(), [&](std::size_t k) { return name(e.to[k], d); });
  append_number(line, e.energy_change);
  line += ',';
  list(e.impulse.size() / d, [&](std::size_t k) { return shortest(e.impulse[k * d]); });
  std::string text = event_text(e, model_, Wording::full_digits());
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '"');
  }
  out_->events.write(line + '"' + text + "\"\n");
  out_->events.flush();
}

void MotionFiles::sample(const motion::Sample& s) {
  std::string& line = out_->line;
  line.clear();
  append_number(line, s.state.time);
  const auto add = [&](double x) {
    line += ',';
    append_number(line, x);
  };
  for (const double x : s.state.q) add(x);
  for (const double x : s.state.u) add(x);
  const std::size_t d = model_.components();
  for (std::size_t i = 0; i < model_.contacts(); ++i) {
    add(s.gap[i]);
    for (std::size_t c = 0; c < d; ++c) add(s.velocity[i * d + c]);
    for (std::size_t c = 0; c < d; ++c) add(s.force[i * d + c]);
    line += ',';
    append_ratio(line, s.force.data() + i * d, d);
    line += ',' + name(s.contacts[i], d);
  }
  add(s.kinetic);
  add(s.potential);
  line += '\n';
  out_->trajectory.write(line);
}

void MotionFiles::finish(const motion::Summary& summary, std::string_view scenario) {
  out_->trajectory.flush();
  out_->events.flush();
  write_whole(directory_ / "energy.csv", energy_text(model_, summary.progress.energy));
  write_whole(directory_ / "progress.toml", progress_text(summary.progress, scenario));
}

motion::Progress read_progress(const std::filesystem::path& directory, const Model& model,
                               std::string_view text, std::string_view field) {
  const std::filesystem::path file = directory / "progress.toml";
  if (!std::filesystem::is_regular_file(file)) {
    throw InputError(std::string(field),
                     "has no progress.toml: nothing was written there by "
                     "carom simulate --out, got '" +
                         directory.string() + "'");
  }
  const scenario::Document document(scenario::read_text(file), file.string());
  const scenario::Table top = document.top();
  const auto row = [&](std::string_view key, std::size_t size) {
    std::vector<double> values = top.row(key);
    if (values.size() != size) {
      top.fail(key, "must have " + std::to_string(size) + " numbers for this scenario, got " +
                        std::to_string(values.size()));
    }
    return values;
  };
  if (top.text("scenario", "") != fingerprint(text)) {
    throw InputError(std::string(field),
                     "was begun with another scenario; a later end is given by --end");
  }
  motion::Progress p;
  p.state.time = row("time", 1)[0];
  p.state.q = vector(row("q", model.positions()));
  p.state.u = vector(row("u", model.velocities()));
  const std::vector<double> contacts = row("contacts", 3 * model.contacts());
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    if (contacts[3 * i] != 0. && contacts[3 * i] != 1. && contacts[3 * i] != 2.) {
      top.fail("contacts", "must be 0 (open), 1 (slip) or 2 (stick)");
    }
    p.contacts.push_back({.touch = static_cast<motion::Touch>(static_cast<int>(contacts[3 * i])),
                          .direction = {contacts[3 * i + 1], contacts[3 * i + 2]}});
  }
  const std::vector<double> energy = row("energy", 7);
  p.energy = {.kinetic_start = energy[0],
              .potential_start = energy[1],
              .kinetic = energy[2],
              .potential = energy[3],
              .impacts = row("impact_work", model.contacts()),
              .friction = row("friction_work", model.contacts()),
              .drives = energy[4],
              .dampers = energy[5],
              .dropped = energy[6]};
  const std::vector<double> counts = row("counts", 3);
  p.events = static_cast<std::size_t>(counts[0]);
  p.impacts = static_cast<std::size_t>(counts[1]);
  p.steps = static_cast<std::size_t>(counts[2]);
  p.memory = top.row("memory");
  return p;
}

}  // namespace carom::report
