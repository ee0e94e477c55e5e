// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/ball_chain.hpp>

#include <cmath>
#include <string>
#include <utility>

#include <carom/core/error.hpp>

namespace carom {
namespace {

std::string entry(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

void validate(const BallChain& chain) {
  const std::size_t n = chain.masses.size();
  const std::size_t least = chain.wall ? 1 : 2;
  if (n < least) {
    throw InputError("masses", "must be of at least " + std::to_string(least) +
                                   (chain.wall ? " ball" : " balls") + ", got " +
                                   std::to_string(n));
  }
  if (chain.velocities.size() != n) {
    throw InputError("velocities", "must be one for each of " + std::to_string(n) + " balls, got " +
                                       std::to_string(chain.velocities.size()));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double m = chain.masses[i];
    if (!(m > 0. && std::isfinite(m))) {
      throw InputError(entry("masses", i), m, "a finite number > 0");
    }
    if (!std::isfinite(chain.velocities[i])) {
      throw InputError(entry("velocities", i), chain.velocities[i], "a finite number");
    }
  }
}

}  // namespace

MultiAtImpact at_impact(const BallChain& chain) {
  validate(chain);
  const std::size_t n = chain.masses.size();
  const std::size_t contacts = chain.wall ? n : n - 1;
  std::vector<Eigen::Triplet<double>> mass;
  std::vector<Eigen::Triplet<double>> directions;
  MultiConfiguration c;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<int>(i);
    mass.emplace_back(at, at, chain.masses[i]);
    c.coordinates.push_back({"v_" + std::to_string(i + 1), "m/s"});
    if (i == contacts) continue;
    directions.emplace_back(at, at, -1.);
    if (i + 1 < n) directions.emplace_back(at + 1, at, 1.);
    names.push_back(std::to_string(i + 1) + "-" + (i + 1 < n ? std::to_string(i + 2) : "wall"));
  }
  c.components = 1;
  c.M.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  c.M.setFromTriplets(mass.begin(), mass.end());
  c.W.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(contacts));
  c.W.setFromTriplets(directions.begin(), directions.end());
  c.u = chain.velocities;
  return at_impact(std::move(c), std::move(names));
}

}  // namespace carom
