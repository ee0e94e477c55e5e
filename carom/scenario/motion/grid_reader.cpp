// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/motion/grid_reader.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <unordered_set>

#include <carom/scenario/multi_reader.hpp>

namespace carom::scenario {
namespace {

constexpr std::size_t most_placements = 100'000;  ///< of one grid

/// Uniform numbers that are the same everywhere: those of the library's distributions are not.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : bits_(seed) {}
  /// In [-1, 1).
  double operator()() {
    constexpr double unit = 0x1p-52;  // 53 bits fill [0, 2)
    return static_cast<double>(bits_() >> 11U) * unit - 1.;
  }

 private:
  std::mt19937_64 bits_;
};

/// A direction, uniform over the sphere: a point of the ball, found by trial in the cube.
World3 random_axis(Uniform& uniform) {
  for (;;) {
    const World3 p{uniform(), uniform(), uniform()};
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    if (square > 1. || square < 1e-4) continue;
    const double length = std::sqrt(square);
    return {p[0] / length, p[1] / length, p[2] / length};
  }
}

/// As many numbers as there are dimensions.
std::vector<double> read_row(const Table& t, std::string_view key, std::size_t dimensions) {
  t.require(key, std::to_string(dimensions) + " numbers");
  std::vector<double> row = t.row(key);
  if (row.size() != dimensions) {
    t.fail(key, "must have " + std::to_string(dimensions) + " numbers, got " +
                    std::to_string(row.size()));
  }
  for (const double x : row) {
    if (!std::isfinite(x)) t.fail(key, "must be finite numbers, got " + shortest(x));
  }
  row.resize(3, 0.);
  return row;
}

struct Grid {
  std::array<std::size_t, 3> count{1, 1, 1};
  std::vector<double> spacing;  ///< [m]
  double jitter = 0.;           ///< largest shift along each axis [m]
  double jitter_deg = 0.;       ///< largest turn [degrees]
  std::uint64_t seed = 1;
};

Grid read(const Table& t, std::size_t dimensions, std::size_t number) {
  t.only({"count", "spacing", "jitter", "jitter_deg", "seed"});
  Grid grid;
  const std::vector<double> count = read_row(t, "count", dimensions);
  std::size_t all = 1;
  for (std::size_t k = 0; k < dimensions; ++k) {
    grid.count[k] = located(t, [&] { return whole_number(count[k], 1, most_placements, "count"); });
    all *= grid.count[k];  // each is at most 1e5, so that their product fits
  }
  if (all > most_placements) {
    t.fail("count", "must be " + std::to_string(most_placements) + " bodies at most, got " +
                        std::to_string(all));
  }
  grid.spacing = read_row(t, "spacing", dimensions);
  grid.jitter = not_negative(t, "jitter");
  grid.jitter_deg = not_negative(t, "jitter_deg");
  constexpr std::size_t most_seed = 1'000'000'000;
  grid.seed = located(t, [&] {
    return whole_number(t.number("seed", static_cast<double>(number)), 0, most_seed, "seed");
  });
  return grid;
}

}  // namespace

std::vector<Placement> read_grid(const Table& t, std::size_t dimensions, std::size_t number,
                                 const std::string& fallback, std::vector<std::string>& taken) {
  if (!t.has("grid")) return {{.name = read_name(t, fallback, taken)}};
  t.require("name", "a name, to which the bodies of a grid add their numbers");
  const Grid grid = read(t.table("grid"), dimensions, number);
  const std::string name = t.text("name", "");
  const std::unordered_set<std::string> others(taken.begin(), taken.end());
  Uniform uniform(grid.seed);
  std::vector<Placement> all;
  for (std::size_t k = 0; k < grid.count[2]; ++k) {
    for (std::size_t j = 0; j < grid.count[1]; ++j) {
      for (std::size_t i = 0; i < grid.count[0]; ++i) {
        Placement p{.name = name + " " + std::to_string(all.size() + 1)};
        if (name.empty() || others.contains(p.name)) {
          t.fail("name", "must be a name of its own, not empty, got '" + p.name + "'");
        }
        const std::array<std::size_t, 3> place{i, j, k};
        for (std::size_t c = 0; c < dimensions; ++c) {
          p.shift[c] = static_cast<double>(place[c]) * grid.spacing[c] + grid.jitter * uniform();
        }
        if (dimensions == 3) p.axis = random_axis(uniform);
        p.turn_deg = grid.jitter_deg * uniform();
        taken.push_back(p.name);
        all.push_back(std::move(p));
      }
    }
  }
  return all;
}

}  // namespace carom::scenario
