// SPDX-License-Identifier: Apache-2.0
#include <support/spatial_pairs.hpp>

namespace carom::test {
namespace {

using World = std::array<double, 3>;

World cross(const World& a, const World& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double inner(const World& a, const World& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

World times(const Mat3& m, const World& x) {
  return {inner(m[0], x), inner(m[1], x), inner(m[2], x)};
}

/// Of a symmetric matrix, by cofactors.
Mat3 inverse(const Mat3& m) {
  const World c0 = cross(m[1], m[2]);
  const World c1 = cross(m[2], m[0]);
  const World c2 = cross(m[0], m[1]);
  const double det = inner(m[0], c0);
  Mat3 r{};
  for (std::size_t i = 0; i < 3; ++i) r[i] = {c0[i] / det, c1[i] / det, c2[i] / det};
  return r;
}

}  // namespace

SpatialProblem contact_space(const std::vector<SpatialBody>& bodies, const Mat3& frame) {
  Mat3 G{};
  Mat3 S{};
  World v{};
  World w{};
  World inertia{};  // sum of 1/I_jj
  SpatialProblem p;
  double side = 1.;
  for (const SpatialBody& body : bodies) {
    const Mat3 freed = inverse(body.inertia);
    const World carried = cross(body.spin, body.contact_offset);
    for (std::size_t i = 0; i < 3; ++i) {
      const World arm = cross(body.contact_offset, frame[i]);
      const World turned = times(freed, arm);
      const World spun = times(freed, frame[i]);
      v[i] += side * (inner(frame[i], body.velocity) + inner(frame[i], carried));
      w[i] += side * inner(frame[i], body.spin);
      inertia[i] += 1. / inner(frame[i], times(body.inertia, frame[i]));
      for (std::size_t j = 0; j < 3; ++j) {
        G[i][j] += inner(frame[i], frame[j]) / body.mass +
                   inner(turned, cross(body.contact_offset, frame[j]));
        S[i][j] += inner(spun, frame[j]);
        p.spin.cross[i][j] += inner(turned, frame[j]);
      }
    }
    side = -1.;
  }
  p.G = {G[0][0], G[0][1], G[0][2], G[1][1], G[1][2], G[2][2]};
  p.approach = {v[0], v[1], v[2]};
  p.spin.G = {S[0][0], S[0][1], S[0][2], S[1][1], S[1][2], S[2][2]};
  p.spin.approach = {w[0], w[1], w[2]};
  p.spin.inertia = {1. / inertia[0], 1. / inertia[1], 1. / inertia[2]};
  p.spin.known = true;
  return p;
}

double velocity_scale(const SpatialProblem& p, const Vec3& P, const Vec3& M, const Vec3& v) {
  const Vec3 size{std::abs(P.n), std::abs(P.t1), std::abs(P.t2)};
  const Sym3 G{p.G.nn, std::abs(p.G.n1), std::abs(p.G.n2), p.G.t11, std::abs(p.G.t12), p.G.t22};
  Mat3 C = p.spin.cross;
  for (auto& row : C) {
    for (double& x : row) x = std::abs(x);
  }
  const Vec3 turn{std::abs(M.n), std::abs(M.t1), std::abs(M.t2)};
  return std::max({max_norm(p.approach), max_norm(v), max_norm(G * size), max_norm(C * turn)});
}

double momentum_residual(const SpatialProblem& p, const Vec3& P, const Vec3& M, const Vec3& v) {
  return max_norm(p.approach + p.G * P + p.spin.cross * M - v) / velocity_scale(p, P, M, v);
}

}  // namespace carom::test
