// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <carom/complementarity/force_sharing.hpp>

#include "support/random_scenes.hpp"

// Forces at hyperstatic contacts, without mechanics: K = B^T B with fewer rows than columns.
namespace carom {
namespace {

using complementarity::ForceSharing;
using complementarity::SharingContact;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double singular = 1e-11;
constexpr double mu = 0.4;

struct Hyperstatic {
  std::vector<SharingContact> contacts;
  MatrixXd B;      ///< changes of forces in its kernel change nothing
  VectorXd known;  ///< a distribution within all cones
  Index components = 0;
};

/// The largest of |F_T| - mu F_n.
double excess(const Hyperstatic& h, const VectorXd& x) {
  double most = -HUGE_VAL;
  for (const SharingContact& c : h.contacts) {
    const auto n = static_cast<Index>(c.normal);
    most = std::max(most, x.segment(n + 1, h.components - 1).norm() - mu * x(n));
  }
  return most;
}

/// Forces at `count` sticking contacts with |F_T| = ratio mu F_n.
VectorXd forces(test::Random& random, std::size_t count, Index components, double ratio) {
  VectorXd x(static_cast<Index>(count) * components);
  for (Index n = 0; n < x.size(); n += components) {
    x(n) = random(0.5, 2.);
    VectorXd direction(components - 1);
    for (double& d : direction) d = random(-1., 1.);
    x.segment(n + 1, components - 1) = ratio * mu * x(n) * direction.normalized();
  }
  return x;
}

/// @param margin  the known forces have |F_T| = (1 - margin) mu F_n
/// @param wedged  the first half of the contacts can be stressed without bound, the others only
///   within the known forces
Hyperstatic make(std::uint64_t seed, std::size_t components, double margin, bool wedged) {
  test::Random random(seed);
  constexpr std::size_t count = 8;
  Hyperstatic h;
  h.components = static_cast<Index>(components);
  for (std::size_t i = 0; i < count; ++i) {
    h.contacts.push_back({.normal = i * components,
                          .tangential = i * components + 1,
                          .components = components - 1,
                          .mu = mu});
  }
  h.known = forces(random, count, h.components, 1. - margin);
  const Index size = h.known.size();
  MatrixXd kernel(size, 3);
  for (double& k : kernel.reshaped()) k = random(-1., 1.);
  if (wedged) {
    kernel.col(0).setZero();
    kernel.col(0).head(size / 2) = forces(random, count / 2, h.components, 0.5);
  }
  // Rows that no column of the kernel changes.
  MatrixXd rows(size, size);
  for (double& r : rows.reshaped()) r = random(-1., 1.);
  const MatrixXd projected =
      rows - rows * kernel * (kernel.transpose() * kernel).inverse() * kernel.transpose();
  h.B = projected.topRows(size - kernel.cols());
  return h;
}

void share(const Hyperstatic& h, ForceSharing& sharing) {
  const MatrixXd K = h.B.transpose() * h.B;
  const VectorXd f = K * h.known;
  ASSERT_TRUE(sharing.read({K.data(), static_cast<std::size_t>(K.size())},
                           {f.data(), static_cast<std::size_t>(f.size())}, singular));
  ASSERT_EQ(sharing.kernel().cols(), 3);
  sharing.share(h.contacts);
  sharing.find_least(h.contacts);
}

VectorXd vector(std::span<const double> x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}

// Where some distribution lies within the cones one is found, however little room there is, and
// however far others can be stressed. The least x has x.(y - x) >= 0 for all others y.
TEST(ForceSharing, FindsForcesWithinTheConesAndTheLeast) {
  for (const std::size_t components : {2U, 3U}) {
    for (const bool wedged : {false, true}) {
      for (const double margin : {0.1, 1e-3, 1e-6}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          SCOPED_TRACE(std::to_string(components) + (wedged ? " wedged " : " ") +
                       std::to_string(margin) + " seed " + std::to_string(seed));
          const Hyperstatic h = make(seed, components, margin, wedged);
          ForceSharing sharing;
          share(h, sharing);
          const VectorXd inner = vector(sharing.inner()), least = vector(sharing.least());
          EXPECT_LE(sharing.excess(), 0.);
          EXPECT_LE(excess(h, inner), 0.);
          EXPECT_LE(excess(h, least), 1e-9);
          EXPECT_LE((h.B * (inner - h.known)).norm(), 1e-9 * (1. + inner.norm()));
          EXPECT_LE((h.B * (least - h.known)).norm(), 1e-9);
          EXPECT_LE(least.norm(), h.known.norm() * (1. + 1e-9));
          for (const VectorXd& other : {h.known, inner}) {
            EXPECT_GE(least.dot(other - least), -1e-8 * least.norm() * (other - least).norm());
          }
        }
      }
    }
  }
}

// Forces at their limit leave no room: the least are found all the same, to the tolerance.
TEST(ForceSharing, FindsTheLeastWithoutRoom) {
  for (const std::size_t components : {2U, 3U}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(seed);
      Hyperstatic h = make(seed, components, 0., true);
      // All but the first column of the kernel would leave a cone.
      h.B.conservativeResize(h.B.rows() + 2, Eigen::NoChange);
      test::Random random(seed + 100);
      for (double& r : h.B.bottomRows(2).reshaped()) r = random(-1., 1.);
      h.B.bottomLeftCorner(2, h.B.cols() / 2).setZero();
      const MatrixXd K = h.B.transpose() * h.B;
      const VectorXd f = K * h.known;
      ForceSharing sharing;
      ASSERT_TRUE(sharing.read({K.data(), static_cast<std::size_t>(K.size())},
                               {f.data(), static_cast<std::size_t>(f.size())}, singular));
      ASSERT_EQ(sharing.kernel().cols(), 1);
      sharing.share(h.contacts);
      sharing.find_least(h.contacts);
      const VectorXd least = vector(sharing.least());
      EXPECT_LE(excess(h, least), 1e-8 * least.norm());
      EXPECT_LE(least.norm(), h.known.norm() * (1. + 1e-8));
    }
  }
}

// Where none lies within the cones, the least excess over all distributions is that of the one
// found: others near it have more.
TEST(ForceSharing, FindsThatNoForcesAreWithinTheCones) {
  for (const std::size_t components : {2U, 3U}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(seed);
      Hyperstatic h = make(seed, components, 0.1, true);
      // A force that pulls at a contact that nothing else can relieve.
      h.B.conservativeResize(h.B.rows() + h.components, Eigen::NoChange);
      h.B.bottomRows(h.components).setZero();
      h.B.bottomRightCorner(h.components, h.components).setIdentity();
      h.known(h.known.size() - h.components) = -1.;
      const MatrixXd K = h.B.transpose() * h.B;
      const VectorXd f = K * h.known;
      ForceSharing sharing;
      ASSERT_TRUE(sharing.read({K.data(), static_cast<std::size_t>(K.size())},
                               {f.data(), static_cast<std::size_t>(f.size())}, singular));
      sharing.share(h.contacts);
      EXPECT_GE(sharing.excess(), mu);
    }
  }
}

}  // namespace
}  // namespace carom
