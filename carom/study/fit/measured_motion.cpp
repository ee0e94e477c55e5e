// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/measured_motion.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include <carom/core/error.hpp>
#include <carom/scenario/scenario.hpp>

namespace carom::study::fit {
namespace {

/// Intervals between samples may differ from their mean by this part of it.
constexpr double uneven = 0.05;

using Columns = std::vector<std::size_t>;

Columns indices(const scenario::CsvTable& table, std::span<const scenario::PlacedText> names) {
  Columns all;
  for (const auto& name : names) all.push_back(table.index(name.text, name.field));
  return all;
}

Point point(const scenario::CsvTable& table, std::size_t line, const Columns& columns) {
  return {table.number(line, columns[0]), table.number(line, columns[1]),
          table.number(line, columns[2])};
}

Turn turn(const scenario::CsvTable& table, std::size_t line, const Columns& columns) {
  const Turn q{table.number(line, columns[0]), table.number(line, columns[1]),
               table.number(line, columns[2]), table.number(line, columns[3])};
  if (q.norm() > 0.5 && q.norm() < 2.) return q.normalized();  // it was rounded
  throw InputError(table.columns[columns[0]],
                   "must begin a unit quaternion, got one of length " + shortest(q.norm()),
                   table.place(line));
}

/// The sample before the first at or below the height.
std::size_t start_of(const Trajectory& t, double height) {
  const auto low = std::find_if(t.poses.begin(), t.poses.end(),
                                [&](const TrackedPose& p) { return p.position[2] <= height; });
  if (low == t.poses.end() || low == t.poses.begin()) return 0;
  return static_cast<std::size_t>(low - t.poses.begin()) - 1;
}

void set_interval(Trajectory& t, std::span<const std::size_t> lines,
                  const scenario::CsvTable& table, const std::string& column) {
  if (t.time.size() < 2) {
    throw InputError(column, "has one sample of '" + t.group + "'; a trajectory needs two or more",
                     table.place(lines[0]));
  }
  t.interval = (t.time.back() - t.time.front()) / static_cast<double>(t.time.size() - 1);
  for (std::size_t i = 1; i < t.time.size(); ++i) {
    const double step = t.time[i] - t.time[i - 1];
    if (step > 0. && std::abs(step - t.interval) <= uneven * t.interval) continue;
    throw InputError(column,
                     "of '" + t.group + "' must be evenly spaced, " + shortest(t.interval) +
                         " s apart as they are on average; here " + shortest(step) + " s",
                     table.place(lines[i]));
  }
}

}  // namespace

std::vector<Trajectory> read_trajectories(const scenario::CsvTable& table,
                                          const scenario::TrajectoryRequest& r) {
  const std::size_t group = table.index(r.group.text, r.group.field);
  const std::size_t time = table.index(r.time.text, r.time.field);
  const std::size_t step = r.step.text.empty() ? time : table.index(r.step.text, r.step.field);
  const Columns position = indices(table, r.position), orientation = indices(table, r.orientation);
  const bool rates = !r.velocity.empty() && !r.spin_body.empty() &&
                     std::all_of(r.velocity.begin(), r.velocity.end(),
                                 [&](const auto& name) { return table.has(name.text); });
  const Columns velocity = rates ? indices(table, r.velocity) : Columns{};
  const Columns spin = rates ? indices(table, r.spin_body) : Columns{};

  std::vector<Trajectory> all;
  std::vector<std::vector<std::size_t>> lines;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const std::string& name = table.lines[i].cells[group];
    const auto [at, is_new] = known.try_emplace(name, all.size());
    if (is_new) {
      all.push_back({.group = name});
      lines.emplace_back();
    }
    Trajectory& t = all[at->second];
    lines[at->second].push_back(i);
    t.steps.push_back(table.lines[i].cells[step]);
    t.time.push_back(table.number(i, time));
    t.poses.push_back(
        {.position = point(table, i, position), .orientation = turn(table, i, orientation)});
    if (!rates) continue;
    t.velocity.push_back(point(table, i, velocity));
    t.spin_body.push_back(point(table, i, spin));
  }
  if (all.empty()) throw InputError("", "has no trajectories", table.file);
  for (std::size_t k = 0; k < all.size(); ++k) {
    set_interval(all[k], lines[k], table, r.time.text);
    all[k].start = start_of(all[k], r.start_height);
  }
  return all;
}

double angle_between(const Turn& a, const Turn& b) {
  const Turn d = a.conjugate() * b;
  return 2. * std::atan2(d.vec().norm(), std::abs(d.w()));
}

Point rotation_vector(const Turn& q) {
  const double sine = q.vec().norm();
  const double sign = q.w() < 0. ? -1. : 1.;
  if (sine == 0.) return Point::Zero();
  return (sign * 2. * std::atan2(sine, std::abs(q.w())) / sine) * q.vec();
}

Turn turn_by(const Point& rotation) {
  const double angle = rotation.norm();
  if (angle == 0.) return Turn::Identity();
  const Point v = (std::sin(0.5 * angle) / angle) * rotation;
  return {std::cos(0.5 * angle), v[0], v[1], v[2]};
}

}  // namespace carom::study::fit
