// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/prescribed_path.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <carom/core/error.hpp>

namespace carom {

namespace {

/// Hermite's cubic between two rows of the table.
void add_cubic(const PrescribedPath& p, std::size_t k, double time, PrescribedPath::At& at) {
  const double h = p.times[k + 1] - p.times[k];
  const double s = (time - p.times[k]) / h;
  for (std::size_t j = 0; j < 3; ++j) {
    const double x0 = p.positions[k][j];
    const double m0 = h * p.velocities[k][j];
    const double m1 = h * p.velocities[k + 1][j];
    const double rise = p.positions[k + 1][j] - x0;
    const double c2 = 3. * rise - 2. * m0 - m1;
    const double c3 = m0 + m1 - 2. * rise;
    at.displacement[j] += x0 + s * (m0 + s * (c2 + s * c3));
    at.velocity[j] += (m0 + s * (2. * c2 + s * 3. * c3)) / h;
    at.acceleration[j] += (2. * c2 + 6. * s * c3) / (h * h);
  }
}

void add_table(const PrescribedPath& p, double time, PrescribedPath::At& at) {
  const std::size_t last = p.times.size() - 1;
  const bool before = time < p.times.front();
  if (before || time >= p.times[last]) {
    const std::size_t end = before ? 0 : last;
    for (std::size_t j = 0; j < 3; ++j) {
      at.displacement[j] += p.positions[end][j] + (time - p.times[end]) * p.velocities[end][j];
      at.velocity[j] += p.velocities[end][j];
    }
    return;
  }
  const auto next = std::upper_bound(p.times.begin(), p.times.end(), time);
  add_cubic(p, static_cast<std::size_t>(next - p.times.begin()) - 1, time, at);
}

}  // namespace

PrescribedPath::At PrescribedPath::at(double time) const {
  At at;
  const double rate = 2. * std::numbers::pi * frequency;
  const bool swings = amplitude != World3{};
  const double sine = swings ? std::sin(rate * time + phase) : 0.;
  const double cosine = swings ? std::cos(rate * time + phase) : 0.;
  for (std::size_t j = 0; j < 3; ++j) {
    at.displacement[j] = velocity[j] * time + amplitude[j] * sine;
    at.velocity[j] = velocity[j] + rate * amplitude[j] * cosine;
    at.acceleration[j] = -rate * rate * amplitude[j] * sine;
  }
  if (!times.empty()) add_table(*this, time, at);
  return at;
}

bool PrescribedPath::moves() const {
  return velocity != World3{} || amplitude != World3{} || !times.empty();
}

double PrescribedPath::next_jump(double time) const {
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  return next == times.end() ? std::numeric_limits<double>::infinity() : *next;
}

void prepare(PrescribedPath& path, const std::string& field) {
  require_finite(path.velocity, field + ".velocity");
  require_finite(path.amplitude, field + ".amplitude");
  require_finite(path.frequency, field + ".frequency");
  require_finite(path.phase, field + ".phase");
  const std::size_t n = path.times.size();
  const auto entry = [](std::size_t k) {
    return std::string("[").append(std::to_string(k)).append("]");
  };
  for (std::size_t k = 0; k < n; ++k) {
    require_finite(path.times[k], field + ".times" + entry(k));
    if (k > 0 && !(path.times[k] > path.times[k - 1])) {
      throw InputError(field + ".times" + entry(k), path.times[k], "greater than the one before");
    }
  }
  if (path.positions.size() != n) {
    throw InputError(field + ".positions", static_cast<double>(path.positions.size()),
                     "one for each of " + std::to_string(n) + " times");
  }
  if (n == 1) throw InputError(field + ".times", 1., "at least two times");
  if (!path.velocities.empty() && path.velocities.size() != n) {
    throw InputError(field + ".velocities", static_cast<double>(path.velocities.size()),
                     "none, or one for each of " + std::to_string(n) + " times");
  }
  for (std::size_t k = 0; k < n; ++k) {
    require_finite(path.positions[k], field + ".positions" + entry(k));
    if (!path.velocities.empty()) {
      require_finite(path.velocities[k], field + ".velocities" + entry(k));
    }
  }
  if (!path.velocities.empty()) return;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t from = k > 0 ? k - 1 : 0;
    const std::size_t to = std::min(k + 1, n - 1);
    const double span = path.times[to] - path.times[from];
    World3 v{};
    for (std::size_t j = 0; j < 3; ++j) {
      v[j] = (path.positions[to][j] - path.positions[from][j]) / span;
    }
    path.velocities.push_back(v);
  }
}

}  // namespace carom
