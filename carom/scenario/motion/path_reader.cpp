// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/motion/path_reader.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace carom::scenario {
namespace {

World3 read_vector(const Table& t, std::string_view key, std::size_t dimensions) {
  if (!t.has(key)) return {};
  if (dimensions == 3) return t.triple(key);
  const auto v = t.pair(key);
  return {v[0], v[1], 0.};
}

/// One vector a time.
std::vector<World3> read_vectors(const Table& t, std::string_view key, std::size_t dimensions) {
  const Eigen::MatrixXd m = t.matrix(key);
  const auto d = static_cast<Eigen::Index>(dimensions);
  if (m.rows() > 0 && m.cols() != d) {
    t.fail(key, std::string("must be vectors ") + (dimensions == 3 ? "[x, y, z]" : "[x, y]") +
                    ", got rows of " + std::to_string(m.cols()));
  }
  std::vector<World3> all;
  for (Eigen::Index k = 0; k < m.rows(); ++k) {
    all.push_back({m(k, 0), m(k, 1), dimensions == 3 ? m(k, 2) : 0.});
  }
  return all;
}

}  // namespace

PrescribedPath read_path(const Table& parent, std::string_view key, std::size_t dimensions) {
  PrescribedPath p;
  if (!parent.has(key)) return p;
  const Table t = parent.table(key);
  t.only({"velocity", "amplitude", "frequency", "phase_deg", "times", "positions", "velocities"});
  p.velocity = read_vector(t, "velocity", dimensions);
  p.amplitude = read_vector(t, "amplitude", dimensions);
  if (t.has("amplitude")) {
    p.frequency = t.positive("frequency");
    p.phase = finite(t, "phase_deg", 0.) * std::numbers::pi / 180.;
  }
  for (const char* of_sine : {"frequency", "phase_deg"}) {
    if (!t.has("amplitude")) t.refuse(of_sine, "means nothing without amplitude");
  }
  if (t.has("times")) {
    p.times = t.row("times");
    t.require("positions", "a displacement for each of the times");
    p.positions = read_vectors(t, "positions", dimensions);
    if (t.has("velocities")) p.velocities = read_vectors(t, "velocities", dimensions);
    if (p.times.empty()) t.fail("times", "must be at least two times, got none");
  }
  for (const char* of_table : {"positions", "velocities"}) {
    if (!t.has("times")) t.refuse(of_table, "means nothing without times");
  }
  located(t, [&] { prepare(p, parent.field(key)); });
  return p;
}

Drag read_drag(const Table& parent) {
  if (!parent.has("drag")) return {};
  const Table t = parent.table("drag");
  t.only({"linear", "quadratic", "spin_linear", "spin_quadratic"});
  return {.linear = not_negative(t, "linear"),
          .quadratic = not_negative(t, "quadratic"),
          .spin_linear = not_negative(t, "spin_linear"),
          .spin_quadratic = not_negative(t, "spin_quadratic")};
}

}  // namespace carom::scenario
