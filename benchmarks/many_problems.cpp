// SPDX-License-Identifier: Apache-2.0
#include "many_problems.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/Dense>

namespace carom::benchmarks {
namespace {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  double uniform(double a, double b) {
    return a + (b - a) * (static_cast<double>(engine_()) / 4294967296.);
  }
  double normal() {
    return std::sqrt(-2. * std::log(1. - uniform(0., 1.))) *
           std::cos(2. * std::numbers::pi * uniform(0., 1.));
  }

 private:
  std::mt19937 engine_;
};

Eigen::MatrixXd random_product(Random& random, Eigen::Index n) {
  const Eigen::Index m = n + n / 2 + 2;
  Eigen::MatrixXd W(m, n);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) W(i, j) = random.normal();
  }
  return W.transpose() * W / static_cast<double>(m);
}

using Rows = Eigen::Matrix<double, 3, 6>;  // of one body, by n, t1, t2

/// What a contact in direction n at the arm r of a body makes of its velocity and spin, with sign.
Rows rows_of(const std::array<Eigen::Vector3d, 3>& frame, const Eigen::Vector3d& arm, double sign) {
  Rows rows;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d& d = frame[static_cast<std::size_t>(k)];
    rows.row(k).head<3>() = sign * d.transpose();
    rows.row(k).tail<3>() = sign * arm.cross(d).transpose();
  }
  return rows;
}

}  // namespace

Lcp random_lcp(std::uint32_t seed, std::size_t n) {
  Random random(seed);
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::MatrixXd M = random_product(random, size);
  Lcp lcp{.n = n, .M = std::vector<double>(n * n), .q = std::vector<double>(n)};
  Eigen::Map<Eigen::MatrixXd>(lcp.M.data(), size, size) = 0.5 * (M + M.transpose());
  for (double& q : lcp.q) q = random.normal();
  return lcp;
}

Contacts random_contacts(std::uint32_t seed, std::size_t contacts, std::size_t components) {
  Random random(seed);
  const Eigen::MatrixXd G =
      random_product(random, static_cast<Eigen::Index>(contacts * components));
  Contacts c;
  c.G = BlockMatrix::from_dense(0.5 * (G + G.transpose()), components);
  for (std::size_t k = 0; k < contacts * components; ++k) {
    const double x = random.normal();
    c.b.push_back(k % components != 0 ? x : random.uniform(0., 1.) < 0.8 ? -std::abs(x) : 0.3 * x);
  }
  for (std::size_t i = 0; i < contacts; ++i) c.mu.push_back(random.uniform(0., 0.8));
  return c;
}

Contacts sphere_pile(std::uint32_t seed, std::size_t contacts, bool dense) {
  Random random(seed);
  struct Contact {
    std::ptrdiff_t first, second;  // second < 0: the floor
    Rows rows_first, rows_second;
  };
  // About 1.8 contacts a sphere, 5 in a dense pile.
  const auto side = static_cast<std::ptrdiff_t>(
      std::ceil(std::cbrt(static_cast<double>(contacts) / (dense ? 4.5 : 1.6))));
  const auto at = [&](std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z) {
    return (z * side + y) * side + x;
  };
  std::vector<Eigen::Matrix<double, 6, 1>> u(static_cast<std::size_t>(side * side * side));
  for (auto& velocity : u) {
    for (int k = 0; k < 6; ++k) velocity(k) = 0.2 * random.normal();
    velocity(2) -= 1.;
  }
  std::vector<Contact> all;
  for (std::ptrdiff_t z = 0; z < side; ++z) {
    for (std::ptrdiff_t y = 0; y < side; ++y) {
      for (std::ptrdiff_t x = 0; x < side; ++x) {
        const std::array<std::array<std::ptrdiff_t, 3>, 6> back{
            {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}};
        for (std::size_t k = 0; k < (dense ? 6U : 3U); ++k) {
          const auto& [dx, dy, dz] = back[k];
          const bool inside = x >= dx && y >= dy && z >= dz;
          const bool floor = !inside && k == 2;
          if ((!inside && !floor) || all.size() == contacts) continue;
          if (!dense && !floor && random.uniform(0., 1.) < (dz == 1 ? 0.2 : 0.5)) continue;
          Eigen::Vector3d n(static_cast<double>(dx), static_cast<double>(dy),
                            static_cast<double>(dz));
          if (!floor) {
            for (int c = 0; c < 3; ++c) n(c) += random.uniform(-0.2, 0.2);
            n.normalize();
          }
          const Eigen::Vector3d other =
              std::abs(n.x()) < 0.6 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
          const Eigen::Vector3d t1 = n.cross(other).normalized();
          const std::array<Eigen::Vector3d, 3> frame{n, t1, n.cross(t1)};
          all.push_back({.first = at(x, y, z),
                         .second = floor ? -1 : at(x - dx, y - dy, z - dz),
                         .rows_first = rows_of(frame, -n, 1.),
                         .rows_second = rows_of(frame, n, -1.)});
        }
      }
    }
  }
  // Radius and mass one, a solid sphere's inertia.
  Eigen::Matrix<double, 6, 1> inverse_mass;
  inverse_mass << 1., 1., 1., 2.5, 2.5, 2.5;
  std::vector<std::vector<std::pair<std::size_t, const Rows*>>> of_body(u.size());
  Contacts c;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Contact& k = all[i];
    Eigen::Vector3d v = k.rows_first * u[static_cast<std::size_t>(k.first)];
    of_body[static_cast<std::size_t>(k.first)].emplace_back(i, &k.rows_first);
    if (k.second >= 0) {
      v += k.rows_second * u[static_cast<std::size_t>(k.second)];
      of_body[static_cast<std::size_t>(k.second)].emplace_back(i, &k.rows_second);
    }
    c.b.insert(c.b.end(), v.data(), v.data() + 3);
    c.mu.push_back(random.uniform(0.2, 0.6));
  }
  std::vector<BlockMatrix::Triplet> entries;
  for (const auto& touching : of_body) {
    for (const auto& [i, rows_i] : touching) {
      for (const auto& [j, rows_j] : touching) {
        if (j > i) continue;
        const Eigen::Matrix3d g = *rows_i * inverse_mass.asDiagonal() * rows_j->transpose();
        for (std::size_t r = 0; r < 3; ++r) {
          for (std::size_t s = 0; s < (i == j ? r + 1 : 3); ++s) {
            entries.push_back({.row = 3 * i + r,
                               .column = 3 * j + s,
                               .value = g(static_cast<int>(r), static_cast<int>(s))});
          }
        }
      }
    }
  }
  c.G = BlockMatrix::from_triplets(all.size(), 3, entries);
  return c;
}

}  // namespace carom::benchmarks
