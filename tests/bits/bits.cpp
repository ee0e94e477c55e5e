// SPDX-License-Identifier: Apache-2.0
// Prints a hash of the bits of outcomes: every law with one contact in the plane on 200,000 random
// problems; newton, poisson and energetic in space; moreau and moreau:poisson with several
// contacts. The builds that docs/accuracy.md lists must print the same hash.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/moreau/several.hpp>
#include <carom/laws/table.hpp>

namespace {

/// Splitmix64, so that the problems do not depend on the standard library.
struct Random {
  std::uint64_t state = 20260101;
  double operator()(double a, double b) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return a + (b - a) * (static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53);
  }
};

struct Hash {  // FNV-1a over the bytes of doubles
  std::uint64_t value = 0xcbf29ce484222325U;
  void add(double x) {
    x += 0.;  // -0 counts as 0
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; ++i) {
      value = (value ^ (bits & 0xffU)) * 0x100000001b3U;
      bits >>= 8U;
    }
  }
  void add(const carom::Vec2& v) {
    add(v.n);
    add(v.t);
  }
  void add(const carom::Vec3& v) {
    add(v.n);
    add(v.t1);
    add(v.t2);
  }
};

/// Contacts on bodies with `freedoms`: G = W^T W, v = W^T u.
carom::ContactProblem several_contacts(Random& random, std::size_t contacts, std::size_t components,
                                       std::size_t freedoms) {
  const std::size_t n = contacts * components;
  std::vector<double> W(freedoms * n);
  for (double& x : W) x = random(-1., 1.);
  std::vector<double> u(freedoms);
  for (double& x : u) x = random(-1., 1.);
  carom::ContactProblem p;
  Eigen::MatrixXd G(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  for (std::size_t r = 0; r < n; ++r) {
    double v = 0.;
    for (std::size_t k = 0; k < freedoms; ++k) v += W[k * n + r] * u[k];
    p.approach.push_back(v);
    for (std::size_t c = 0; c < n; ++c) {
      double g = 0.;
      for (std::size_t k = 0; k < freedoms; ++k) g += W[k * n + r] * W[k * n + c];
      G(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = g;
    }
  }
  p.G = carom::BlockMatrix::from_dense(G, components);
  for (std::size_t i = 0; i < contacts; ++i) {
    const double mu = random(0., 1.5);
    p.surfaces.push_back({.restitution = random(0., 1.), .friction = mu, .static_friction = mu});
  }
  return p;
}

/// A loose pile: each body of six freedoms rests on two of the few before it, so that most of G is
/// zero.
carom::ContactProblem pile(Random& random, std::size_t bodies) {
  constexpr std::size_t freedoms = 6;
  constexpr std::size_t components = 3;
  struct Contact {
    std::size_t body[2];
    double W[2][freedoms][components];
  };
  std::vector<Contact> contacts;
  for (std::size_t i = 1; i <= bodies; ++i) {
    for (int k = 0; k < 2; ++k) {
      const auto below = static_cast<std::size_t>(random(1., 5.));
      Contact c{.body = {i, i > below ? i - below : 0}, .W = {}};  // 0 does not move
      for (auto& side : c.W) {
        for (auto& row : side) {
          for (double& x : row) x = random(-1., 1.);
        }
      }
      contacts.push_back(c);
    }
  }
  std::vector<double> u((bodies + 1) * freedoms);
  for (double& x : u) x = random(-1., 1.);
  std::vector<carom::BlockMatrix::Triplet> entries;
  carom::ContactProblem p;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& a = contacts[i];
    for (std::size_t r = 0; r < components; ++r) {
      double v = 0.;
      for (std::size_t s = 0; s < 2; ++s) {
        if (a.body[s] == 0) continue;
        for (std::size_t k = 0; k < freedoms; ++k) v += a.W[s][k][r] * u[a.body[s] * freedoms + k];
      }
      p.approach.push_back(v);
    }
    for (std::size_t j = 0; j <= i; ++j) {
      const Contact& b = contacts[j];
      for (std::size_t s = 0; s < 4; ++s) {
        if (a.body[s / 2] != b.body[s % 2] || a.body[s / 2] == 0) continue;
        for (std::size_t r = 0; r < components; ++r) {
          for (std::size_t c = 0; c < components; ++c) {
            double g = 0.;
            for (std::size_t k = 0; k < freedoms; ++k) g += a.W[s / 2][k][r] * b.W[s % 2][k][c];
            entries.push_back({i * components + r, j * components + c, g});
          }
        }
      }
    }
    p.surfaces.push_back({.restitution = 0.5, .friction = 0.5, .static_friction = 0.5});
  }
  p.G = carom::BlockMatrix::from_triplets(contacts.size(), components, entries);
  return p;
}

void add_multi(Hash& hash, const carom::ContactProblem& p) {
  for (const auto law : {carom::solve_multi_moreau, carom::solve_multi_moreau_poisson}) {
    const carom::Outcome o = law(p, {});
    for (const double x : o.impulse) hash.add(x);
    for (const double x : o.velocity) hash.add(x);
  }
}

}  // namespace

int main() {
  Random random;
  Hash hash;
  for (int i = 0; i < 200'000; ++i) {
    const double nn = random(.1, 4.);
    const double tt = random(.1, 4.);
    const double mu = random(0., 2.);
    const carom::PlanarProblem p{
        .G = {.nn = nn, .nt = random(-.99, .99) * std::sqrt(nn * tt), .tt = tt},
        .approach = {.n = -random(0., 1.), .t = random(-3., 3.)},
        .surface = {.restitution = random(0., 1.),
                    .friction = mu,
                    .static_friction = mu * random(1., 1.5),
                    .tangential_restitution = random(0., 1.),
                    .compliance_ratio = random(.05, 5.)}};
    for (const carom::Law& law : carom::laws_for(carom::in_the_plane)) {
      const carom::PlanarOutcome o = carom::solve(planar_kernel(law), p);
      hash.add(o.impulse);
      hash.add(o.velocity);
      hash.add(o.energy.change);
      for (const auto& phase : o.phases) {
        hash.add(phase.impulse);
        hash.add(phase.velocity);
      }
    }
  }
  for (int i = 0; i < 20'000; ++i) {
    double row[3][3];
    for (auto& r : row) {
      for (double& x : r) x = random(-1., 1.);
    }
    const auto product = [&](int a, int b) {
      return row[a][0] * row[b][0] + row[a][1] * row[b][1] + row[a][2] * row[b][2];
    };
    carom::SpatialProblem p;
    p.G = {.nn = product(0, 0),
           .n1 = product(0, 1),
           .n2 = product(0, 2),
           .t11 = product(1, 1),
           .t12 = product(1, 2),
           .t22 = product(2, 2)};
    p.approach = {.n = -random(0., 1.), .t1 = random(-3., 3.), .t2 = random(-3., 3.)};
    p.surface.restitution = random(0., 1.);
    p.surface.friction = random(0., 2.);
    p.surface.static_friction = p.surface.friction * random(1., 1.5);
    for (const carom::Hypothesis h :
         {carom::Hypothesis::newton, carom::Hypothesis::poisson, carom::Hypothesis::energetic}) {
      const carom::SpatialOutcome o = carom::darboux_keller(p, h);
      hash.add(o.impulse);
      hash.add(o.velocity);
      hash.add(o.energy.change);
    }
    if (i % 16 != 0) continue;
    p.surface.compliance_ratio = random(0.01, 3.);
    const carom::SpatialOutcome o = carom::compliant(p);
    hash.add(o.impulse);
    hash.add(o.velocity);
    hash.add(o.energy.change);
  }
  for (std::size_t i = 0; i < 600; ++i) {
    const std::size_t components = 2 + i % 2;
    const std::size_t contacts = i % 60 == 0 ? 40 : 2 + i % 11;
    const std::size_t n = contacts * components;
    add_multi(hash, several_contacts(random, contacts, components, i % 3 == 0 ? n - 1 : n + 4));
  }
  add_multi(hash, several_contacts(random, 60, 2, 124));  // many, all on each other
  add_multi(hash, pile(random, 30));
  std::printf("%016llx\n", static_cast<unsigned long long>(hash.value));
  return 0;
}
