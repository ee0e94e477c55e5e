// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/trajectory.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <carom/report/json_writer.hpp>
#include <carom/report/law_words.hpp>

namespace carom::report {
namespace {

using motion::Touch;

constexpr std::array<const char*, 3> planar_parts = {"n", "t", ""};
constexpr std::array<const char*, 3> spatial_parts = {"n", "t1", "t2"};
constexpr std::array<const char*, 3> of_attitude = {"roll", "pitch", "yaw"};

double code_of(const motion::ContactStatus& s, std::size_t components) {
  if (s.touch == Touch::slip && components == 2 && s.direction[0] < 0.) return -1.;
  return static_cast<double>(s.touch);
}

std::string_view status_text(double code, std::size_t components) {
  if (code == 0.) return "open";
  if (code == 2.) return "stick";
  if (components != 2) return "slip";
  return code > 0. ? "slip+" : "slip-";
}

double status_code(std::string_view text) {
  if (text == "open") return 0.;
  if (text == "stick") return 2.;
  return text == "slip-" ? -1. : 1.;
}

/// "m/s" as a part of a column's name: "_m_s".
std::string unit_part(std::string_view unit) {
  std::string part = unit.empty() ? "" : "_";
  for (const char c : unit) part += c == '/' ? '_' : c;
  return part;
}

/// |F_t|/F_n, with the sign of F_t in the plane; nothing where there is no force.
void append_ratio(std::string& out, const double* force, std::size_t components) {
  if (!(force[0] > 0.)) return;
  append_number(out,
                components == 2 ? force[1] / force[0] : std::hypot(force[1], force[2]) / force[0]);
}

/// Takes the text up to the next comma away.
std::string_view next_part(std::string_view& line) {
  const std::size_t comma = line.find(',');
  const std::string_view part = line.substr(0, comma);
  line = comma == std::string_view::npos ? std::string_view() : line.substr(comma + 1);
  return part;
}

std::optional<double> number_of(std::string_view text) {
  if (text == "null") return std::numeric_limits<double>::quiet_NaN();  // was not finite
  double x = 0.;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return x;
}

}  // namespace

std::string_view name(RowSide side) {
  return std::array<std::string_view, 3>{"", "before", "after"}[static_cast<std::size_t>(side)];
}

std::vector<BodyTurn> turns_of(const Model& model) {
  std::vector<BodyTurn> turns;
  constexpr std::string_view ending = ".q_w";
  for (std::size_t i = 0; i + 3 < model.positions(); ++i) {
    const std::string name = model.position_name(i);
    if (!name.ends_with(ending) || !model.position_unit(i).empty()) continue;
    turns.push_back({.body = name.substr(0, name.size() - ending.size()), .first = i});
  }
  return turns;
}

// R = Rz(yaw) Ry(pitch) Rx(roll) has R31 = -sin(pitch), R21/R11 = tan(yaw), R32/R33 = tan(roll).
Attitude attitude(double w, double x, double y, double z) {
  const double size = w * w + x * x + y * y + z * z;
  const double sine = 2. * (w * y - z * x) / size;
  // Closer to +-1 than this, R11 and R21 are rounding: cos(pitch) < 1e-7.
  constexpr double upright = 1. - 0.5e-14;
  if (std::abs(sine) >= upright) {
    // Roll 0: R12 = -sin(yaw), R22 = cos(yaw).
    return {.roll = 0.,
            .pitch = std::copysign(std::asin(1.), sine),
            .yaw = std::atan2(2. * (w * z - x * y), size - 2. * (x * x + z * z))};
  }
  return {.roll = std::atan2(2. * (w * x + y * z), size - 2. * (x * x + y * y)),
          .pitch = std::asin(sine),
          .yaw = std::atan2(2. * (w * z + x * y), size - 2. * (y * y + z * z))};
}

TrajectoryTable::TrajectoryTable(const Model& model) : model_(model), turns_(turns_of(model)) {
  std::size_t at = 1;  // after time
  const auto group = [&](const char* name, const char* meaning = "") -> Group& {
    groups_.push_back({.name = name, .names = {}, .units = {}, .at = {}, .meaning = meaning});
    return groups_.back();
  };
  const auto add = [](Group& g, std::string name, std::string unit, std::size_t place) {
    g.names.push_back(std::move(name));
    g.units.push_back(std::move(unit));
    g.at.push_back(place);
  };
  add(group("side", "0 sample, 1 before an event, 2 after it"), "side", "", at++);
  Group& positions = group("positions");
  for (std::size_t i = 0; i < model.positions(); ++i) {
    add(positions, model.position_name(i), std::string(model.position_unit(i)), at++);
  }
  Group& velocities = group("velocities");
  for (std::size_t i = 0; i < model.velocities(); ++i) {
    add(velocities, model.velocity_name(i), std::string(model.velocity_unit(i)) + "/s", at++);
  }
  if (!turns_.empty()) {
    Group& attitudes = group("attitudes");
    for (const BodyTurn& turn : turns_) {
      for (const char* part : of_attitude) add(attitudes, turn.body + "." + part, "rad", at++);
    }
  }
  contacts_at_ = at;
  const std::size_t d = model.components();
  of_contact_ = 2 + 2 * d;
  const std::size_t n = model.contacts();
  if (n > 0) {
    const auto& parts = d == 2 ? planar_parts : spatial_parts;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < n; ++i) names.push_back(model.contact_name(model.contact_id(i)));
    Group& gaps = group("gaps");
    for (std::size_t i = 0; i < n; ++i) add(gaps, names[i], "m", at + i * of_contact_);
    const auto components = [&](const char* name, const char* symbol, const char* unit,
                                std::size_t offset) {
      Group& g = group(name);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < d; ++c) {
          add(g, names[i] + " " + symbol + "_" + parts[c], unit, at + i * of_contact_ + offset + c);
        }
      }
    };
    components("contact_velocities", "v", "m/s", 1);
    components("contact_forces", "F", "N", 1 + d);
    Group& status = group("contact_status", d == 2 ? "0 open, 1 slip along +t, -1 slip along -t, "
                                                     "2 stick"
                                                   : "0 open, 1 slip, 2 stick");
    for (std::size_t i = 0; i < n; ++i) {
      add(status, names[i], "", at + i * of_contact_ + 1 + 2 * d);
    }
  }
  at += n * of_contact_;
  Group& energy = group("energy");
  add(energy, "kinetic", "J", at++);
  add(energy, "potential", "J", at++);
  width_ = at;
}

void TrajectoryTable::fill(const motion::Sample& s, RowSide side, std::vector<double>& row) const {
  row.clear();
  row.push_back(s.state.time);
  row.push_back(static_cast<double>(side));
  row.insert(row.end(), s.state.q.begin(), s.state.q.end());
  row.insert(row.end(), s.state.u.begin(), s.state.u.end());
  for (const BodyTurn& turn : turns_) {
    const double* q = s.state.q.data() + turn.first;
    const Attitude a = attitude(q[0], q[1], q[2], q[3]);
    row.insert(row.end(), {a.roll, a.pitch, a.yaw});
  }
  for (std::size_t i = 0; i < model_.contacts(); ++i) append_contact(s, i, row);
  row.push_back(s.kinetic);
  row.push_back(s.potential);
  for (std::size_t i = model_.contacts(); i < s.contacts.size(); ++i) {
    if (s.contacts[i].touch == Touch::open) continue;
    row.push_back(static_cast<double>(i));
    append_contact(s, i, row);
  }
}

void TrajectoryTable::append_contact(const motion::Sample& s, std::size_t i,
                                     std::vector<double>& row) const {
  const std::size_t d = model_.components();
  row.push_back(s.gap[i]);
  for (std::size_t c = 0; c < d; ++c) row.push_back(s.velocity[i * d + c]);
  for (std::size_t c = 0; c < d; ++c) row.push_back(s.force[i * d + c]);
  row.push_back(code_of(s.contacts[i], d));
}

std::string TrajectoryTable::found_header() const {
  const std::size_t d = model_.components();
  const auto& parts = d == 2 ? planar_parts : spatial_parts;
  std::string out = "time_s,side,contact,gap_m";
  for (std::size_t c = 0; c < d; ++c) out += std::string(",v_") + parts[c] + "_m_s";
  for (std::size_t c = 0; c < d; ++c) out += std::string(",F_") + parts[c] + "_N";
  return out + ",ratio,status\n";
}

void TrajectoryTable::append_found(std::string& out, const std::vector<double>& row,
                                   const motion::ContactNames& names) const {
  for (std::size_t at = width_; at < row.size(); at += 1 + of_contact_) {
    append_number(out, row[0]);
    out += ',';
    out += name(static_cast<RowSide>(static_cast<int>(row[1])));
    out += ',' + column_part(names[static_cast<std::size_t>(row[at])]);
    append_contact_csv(out, row.data() + at + 1);
    out += '\n';
  }
}

void TrajectoryTable::append_contact_csv(std::string& out, const double* contact) const {
  const std::size_t d = model_.components();
  for (std::size_t k = 0; k + 1 < of_contact_; ++k) {
    out += ',';
    append_number(out, contact[k]);
  }
  out += ',';
  append_ratio(out, contact + 1 + d, d);
  out += ',';
  out += status_text(contact[of_contact_ - 1], d);
}

std::string TrajectoryTable::csv_header() const {
  std::string out = "time_s,side";
  for (std::size_t i = 0; i < model_.positions(); ++i) {
    out += ",q_" + column_part(model_.position_name(i)) + unit_part(model_.position_unit(i));
  }
  for (std::size_t i = 0; i < model_.velocities(); ++i) {
    const std::string unit = std::string(model_.velocity_unit(i)) + "/s";
    out += ",u_" + column_part(model_.velocity_name(i)) + unit_part(unit);
  }
  for (const BodyTurn& turn : turns_) {
    for (const char* part : of_attitude) out += "," + column_part(turn.body) + "." + part + "_rad";
  }
  const std::size_t d = model_.components();
  const auto& parts = d == 2 ? planar_parts : spatial_parts;
  for (std::size_t i = 0; i < model_.contacts(); ++i) {
    const std::string contact = column_part(model_.contact_name(model_.contact_id(i)));
    out += "," + contact + "_gap_m";
    for (std::size_t c = 0; c < d; ++c) out += "," + contact + "_v_" + parts[c] + "_m_s";
    for (std::size_t c = 0; c < d; ++c) out += "," + contact + "_F_" + parts[c] + "_N";
    out += "," + contact + "_ratio," + contact + "_status";
  }
  return out + ",kinetic_J,potential_J\n";
}

void TrajectoryTable::append_csv(std::string& out, const std::vector<double>& row) const {
  append_number(out, row[0]);
  out += ',';
  out += name(static_cast<RowSide>(static_cast<int>(row[1])));
  const auto add = [&](double x) {
    out += ',';
    append_number(out, x);
  };
  for (std::size_t k = 2; k < contacts_at_; ++k) add(row[k]);
  for (std::size_t i = 0; i < model_.contacts(); ++i) {
    append_contact_csv(out, row.data() + contacts_at_ + i * of_contact_);
  }
  add(row[width_ - 2]);
  add(row[width_ - 1]);
  out += '\n';
}

bool TrajectoryTable::read_csv(std::string_view line, std::vector<double>& row) const {
  row.clear();
  const auto add = [&] {
    const auto x = number_of(next_part(line));
    if (x) row.push_back(*x);
    return x.has_value();
  };
  if (!add()) return false;
  const std::string_view side = next_part(line);
  row.push_back(side.empty() ? 0. : side == name(RowSide::before) ? 1. : 2.);
  for (std::size_t k = 2; k < contacts_at_; ++k) {
    if (!add()) return false;
  }
  for (std::size_t i = 0; i < model_.contacts(); ++i) {
    for (std::size_t k = 0; k + 1 < of_contact_; ++k) {
      if (!add()) return false;
    }
    (void)next_part(line);  // the ratio
    row.push_back(status_code(next_part(line)));
  }
  for (int last = 0; last < 2; ++last) {
    if (!add()) return false;
  }
  return line.empty();
}

void TrajectoryRows::sample(const motion::Sample& s) {
  table_.fill(s, RowSide::sample, row_);
  sink_(row_);
}

void TrajectoryRows::side(const motion::Sample& s, motion::Side side) {
  waiting_ = side == motion::Side::before;
  if (waiting_) {
    table_.fill(s, RowSide::before, before_);
    happened_ = false;
    return;
  }
  if (!happened_) return;
  happened_ = false;
  table_.fill(s, RowSide::after, row_);
  sink_(row_);
}

void TrajectoryRows::event(const motion::Event& e) {
  if (e.kind == motion::EventKind::start || e.kind == motion::EventKind::end) return;
  if (waiting_) sink_(before_);
  waiting_ = false;
  happened_ = true;
}

}  // namespace carom::report
