// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/one_contact.hpp>

#include <array>

namespace carom {
namespace {

constexpr std::size_t rows_in_space = 6;

Vec3 vec3(const double* x) { return {.n = x[0], .t1 = x[1], .t2 = x[2]}; }

void put(double* to, const Vec3& v) {
  to[0] = v.n;
  to[1] = v.t1;
  to[2] = v.t2;
}

/// Copies what both kinds of outcomes have in common.
template <class From>
void assign_common(Outcome& o, const ContactProblem& p, const From& from) {
  o.clear();
  o.impulse.assign(p.G.components(), 0.);
  o.velocity.assign(p.G.components(), 0.);
  o.contacts.push_back({.mode = from.mode, .energy = from.energy});
  o.energy = from.energy;
  o.flags = from.flags;
}

/// The relative spin after the impact, from the rows of G that couple it to impulse and couple.
void assign_spin(Outcome& o, const ContactProblem& p) {
  const std::size_t rows = p.G.components();
  const double* G = p.G.diagonal(0);
  for (std::size_t r = p.components(); r < rows; ++r) {
    double spin = p.approach[r];
    for (std::size_t c = 0; c < rows; ++c) spin += G[r * rows + c] * o.impulse[c];
    o.velocity[r] = spin;
  }
}

template <class From>
Phase phase_of(const From& from) {
  return {.contact = 0,
          .stage = from.stage,
          .motion = from.motion,
          .time = 0.,
          .impulse = {},
          .velocity = {}};
}

}  // namespace

PlanarProblem planar_problem(const ContactProblem& p) {
  const double* g = p.G.diagonal(0);
  const std::size_t rows = p.G.components();
  PlanarProblem one{.G = {.nn = g[0], .nt = g[1], .tt = g[rows + 1]},
                    .approach = {.n = p.approach[0], .t = p.approach[1]},
                    .surface = p.surfaces[0]};
  if (p.spin_rows > 0) {
    one.spin = {.nr = g[2], .tr = g[rows + 2], .rr = g[2 * rows + 2], .approach = p.approach[2]};
  }
  return one;
}

SpatialProblem spatial_problem(const ContactProblem& p) {
  const double* g = p.G.diagonal(0);
  const std::size_t rows = p.G.components();
  const auto at = [&](std::size_t r, std::size_t c) { return g[r * rows + c]; };
  const auto symmetric_at = [&](std::size_t k) {
    return Sym3{.nn = at(k, k),
                .n1 = at(k, k + 1),
                .n2 = at(k, k + 2),
                .t11 = at(k + 1, k + 1),
                .t12 = at(k + 1, k + 2),
                .t22 = at(k + 2, k + 2)};
  };
  SpatialProblem one{
      .G = symmetric_at(0), .approach = vec3(p.approach.data()), .surface = p.surfaces[0]};
  if (p.spin_rows > 0) {
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) one.spin.cross[r][c] = at(r, 3 + c);
    }
    one.spin.G = symmetric_at(3);
    one.spin.approach = vec3(p.approach.data() + 3);
    one.spin.inertia = vec3(p.couple_inertia[0].data());
    one.spin.known = true;
  }
  return one;
}

void assign(ContactProblem& p, const PlanarProblem& from) {
  const SpinRow& s = from.spin;
  p.spin_rows = s.rr > 0. ? 1 : 0;
  const Sym2& G = from.G;
  if (p.spin_rows == 0) {
    const std::array block{G.nn, G.nt, G.nt, G.tt};
    p.G.assign_block(2, block);
  } else {
    const std::array block{G.nn, G.nt, s.nr, G.nt, G.tt, s.tr, s.nr, s.tr, s.rr};
    p.G.assign_block(3, block);
  }
  p.approach.resize(p.G.components());
  p.approach[0] = from.approach.n;
  p.approach[1] = from.approach.t;
  if (p.spin_rows > 0) p.approach[2] = s.approach;
  p.surfaces.resize(1);
  p.surfaces[0] = from.surface;
  p.couple_inertia.clear();
}

void assign(ContactProblem& p, const SpatialProblem& from) {
  const auto entries = [](const Sym3& G) {
    return Mat3{{{G.nn, G.n1, G.n2}, {G.n1, G.t11, G.t12}, {G.n2, G.t12, G.t22}}};
  };
  const Mat3 G = entries(from.G);
  p.spin_rows = from.spin.known ? 3 : 0;
  const std::size_t rows = 3 + p.spin_rows;
  std::array<double, rows_in_space * rows_in_space> block{};
  const Mat3 spin = entries(from.spin.G);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      block[r * rows + c] = G[r][c];
      if (p.spin_rows == 0) continue;
      block[r * rows + 3 + c] = from.spin.cross[r][c];
      block[(3 + c) * rows + r] = from.spin.cross[r][c];
      block[(3 + r) * rows + 3 + c] = spin[r][c];
    }
  }
  p.G.assign_block(rows, {block.data(), rows * rows});
  p.approach.resize(rows);
  put(p.approach.data(), from.approach);
  if (p.spin_rows > 0) put(p.approach.data() + 3, from.spin.approach);
  p.surfaces.resize(1);
  p.surfaces[0] = from.surface;
  p.couple_inertia.resize(p.spin_rows > 0 ? 1 : 0);
  if (p.spin_rows > 0) put(p.couple_inertia[0].data(), from.spin.inertia);
}

void assign(ContactProblem& p, std::span<const double> G, std::span<const double> approach) {
  p.spin_rows = 0;
  p.couple_inertia.clear();
  p.approach.assign(approach.begin(), approach.end());
  switch (approach.size()) {
    case 2: {
      const Sym2 s = symmetric(G[0], G[1], G[2], G[3]);
      const std::array block{s.nn, s.nt, s.nt, s.tt};
      return p.G.assign_block(2, block);
    }
    case 3: {
      const Sym3 s = symmetric(Mat3{{{G[0], G[1], G[2]}, {G[3], G[4], G[5]}, {G[6], G[7], G[8]}}});
      const std::array block{s.nn, s.n1, s.n2, s.n1, s.t11, s.t12, s.n2, s.t12, s.t22};
      return p.G.assign_block(3, block);
    }
    default:
      p.G.assign_block(1, G.first(1));
  }
}

void assign(Outcome& o, const ContactProblem& p, const PlanarOutcome& from) {
  assign_common(o, p, from);
  o.impulse[0] = from.impulse.n;
  o.impulse[1] = from.impulse.t;
  o.velocity[0] = from.velocity.n;
  o.velocity[1] = from.velocity.t;
  if (p.spin_rows > 0) {
    o.impulse[2] = from.couple;
    assign_spin(o, p);
  }
  o.contacts[0].slider = from.slider;
  for (const PlanarPhase& f : from.phases) {
    Phase phase = phase_of(f);
    phase.impulse = {f.impulse.n, f.impulse.t, 0.};
    phase.velocity = {f.velocity.n, f.velocity.t, 0.};
    o.phases.push_back(phase);
  }
}

void assign(Outcome& o, const ContactProblem& p, const SpatialOutcome& from) {
  assign_common(o, p, from);
  put(o.impulse.data(), from.impulse);
  put(o.velocity.data(), from.velocity);
  if (p.spin_rows > 0) {
    put(o.impulse.data() + 3, from.couple);
    assign_spin(o, p);
  }
  o.contacts[0].slider = from.slider;
  o.tolerance = from.tolerance;
  for (const SpatialPhase& f : from.phases) {
    Phase phase = phase_of(f);
    put(phase.impulse.data(), f.impulse);
    put(phase.velocity.data(), f.velocity);
    o.phases.push_back(phase);
  }
  o.phases_left_out = from.phases.counted() - from.phases.size();
}

PlanarOutcome planar_outcome(const Outcome& o) {
  PlanarOutcome one;
  one.impulse = {.n = o.impulse[0], .t = o.impulse[1]};
  one.velocity = {.n = o.velocity[0], .t = o.velocity[1]};
  one.energy = o.energy;
  one.mode = o.contacts[0].mode;
  one.flags = o.flags;
  one.slider = o.contacts[0].slider;
  if (o.impulse.size() > 2) one.couple = o.impulse[2];
  if (o.phases.size() > PlanarPhases::capacity) return one;
  for (const Phase& f : o.phases) {
    one.phases.push_back({.stage = f.stage,
                          .motion = f.motion,
                          .impulse = {.n = f.impulse[0], .t = f.impulse[1]},
                          .velocity = {.n = f.velocity[0], .t = f.velocity[1]}});
  }
  return one;
}

SpatialOutcome spatial_outcome(const Outcome& o) {
  SpatialOutcome one;
  one.impulse = vec3(o.impulse.data());
  one.velocity = vec3(o.velocity.data());
  if (o.impulse.size() > 3) one.couple = vec3(o.impulse.data() + 3);
  one.energy = o.energy;
  one.mode = o.contacts[0].mode;
  one.flags = o.flags;
  one.slider = o.contacts[0].slider;
  one.tolerance = o.tolerance;
  for (const Phase& f : o.phases) {
    one.phases.push_back({.stage = f.stage,
                          .motion = f.motion,
                          .impulse = vec3(f.impulse.data()),
                          .velocity = vec3(f.velocity.data())});
  }
  return one;
}

}  // namespace carom
