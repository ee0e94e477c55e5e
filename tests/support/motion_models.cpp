// SPDX-License-Identifier: Apache-2.0
#include <support/motion_models.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>

#include <support/linkages.hpp>

namespace carom::test {

namespace {

constexpr Eigen::Index entry(std::size_t i) { return static_cast<Eigen::Index>(i); }

ContactMotion contact_of(const Model& model, std::size_t contact, const State& state) {
  ContactMotion m;
  model.contact(model.contact_id(contact), state, m);
  return m;
}

Vector rate_of(const Model& model, const State& state) {
  Vector rate(entry(model.positions()));
  model.kinematics(state, rate);
  return rate;
}

struct Slope {
  Vector q;
  Vector u;
  double work = 0.;
};

Slope slope_of(const Model& model, const State& state) {
  MassMatrix M(model.blocks());
  Vector h(entry(model.velocities()));
  model.dynamics(state, M, h);
  const OtherPower power = model.other_power(state);
  return {.q = rate_of(model, state),
          .u = Eigen::LLT<Matrix>(dense(M)).solve(h),
          .work = power.drives + power.dampers};
}

State moved(const State& from, double dt, const Slope& s) {
  return {.time = from.time + dt, .q = from.q + dt * s.q, .u = from.u + dt * s.u};
}

}  // namespace

double Draw::uniform(double least, double most) {
  // splitmix64
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  z ^= z >> 31U;
  return least + (most - least) * static_cast<double>(z >> 11U) * 0x1p-53;
}

int Draw::below(int n) { return static_cast<int>(uniform(0., static_cast<double>(n))); }

World3 Draw::vector(double most) {
  return {uniform(-most, most), uniform(-most, most), uniform(-most, most)};
}

State drifted(const Model& model, const State& state, double dt) {
  const auto at = [&](double part, const Vector& rate) {
    return State{.time = state.time + part, .q = state.q + part * rate, .u = state.u};
  };
  const Vector a = rate_of(model, state);
  const Vector b = rate_of(model, at(0.5 * dt, a));
  const Vector c = rate_of(model, at(0.5 * dt, b));
  const Vector d = rate_of(model, at(dt, c));
  return at(dt, (a + 2. * b + 2. * c + d) / 6.);
}

Matrix mass_matrix(const Model& model, const State& state) {
  MassMatrix M(model.blocks());
  Vector h(entry(model.velocities()));
  model.dynamics(state, M, h);
  return dense(M);
}

double kinetic_energy(const Model& model, const State& state) {
  return 0.5 * state.u.dot(mass_matrix(model, state) * state.u);
}

FreeRun run_free(const Model& model, const State& from, double time, int steps) {
  FreeRun run{.state = from};
  const double dt = time / steps;
  for (int i = 0; i < steps; ++i) {
    const Slope a = slope_of(model, run.state);
    const Slope b = slope_of(model, moved(run.state, 0.5 * dt, a));
    const Slope c = slope_of(model, moved(run.state, 0.5 * dt, b));
    const Slope d = slope_of(model, moved(run.state, dt, c));
    run.work += dt * (a.work + 2. * b.work + 2. * c.work + d.work) / 6.;
    run.state = moved(
        run.state, dt,
        {.q = (a.q + 2. * b.q + 2. * c.q + d.q) / 6., .u = (a.u + 2. * b.u + 2. * c.u + d.u) / 6.});
    model.normalise(run.state);
  }
  return run;
}

namespace {

/// How far `x` is from the derivative of f at 0 by central differences, beyond what a difference
/// over half the time shows them to be wrong by.
template <class Function>
double off(const Function& f, const Eigen::Vector3d& x) {
  constexpr double dt = 2e-5;
  const auto slope = [&](double t) -> Eigen::Vector3d { return (f(t) - f(-t)) / (2. * t); };
  const Eigen::Vector3d coarse = slope(dt), fine = slope(0.5 * dt);
  return std::max(0., (fine - x).norm() - (fine - coarse).norm()) / (1. + fine.norm());
}

}  // namespace

ContactFaults faults(const Model& model, std::size_t contact, const State& state) {
  const ContactMotion now = contact_of(model, contact, state);
  const ContactId id = model.contact_id(contact);
  const Matrix W = dense(now, model.velocities());
  const auto along_x = [](double x) { return Eigen::Vector3d(x, 0., 0.); };
  const double speed = 1. + state.u.norm();
  ContactFaults f;
  f.gap = std::abs(now.gap - model.gap(id, state));
  f.gap_rate = off([&](double t) { return along_x(model.gap(id, drifted(model, state, t))); },
                   along_x(now.velocity(0))) /
               speed;
  f.bias = off(
               [&](double t) -> Eigen::Vector3d {
                 return contact_of(model, contact, drifted(model, state, t)).velocity;
               },
               now.bias) /
           (speed * speed);
  for (Eigen::Index i = 0; i < state.u.size(); ++i) {
    State one = state;
    one.u = Vector::Unit(state.u.size(), i);
    const auto nudged = [&](double t) {
      State s = drifted(model, one, t);
      s.time = state.time;
      return along_x(model.gap(id, s));
    };
    f.gradient = std::max(f.gradient, off(nudged, along_x(W(i, 0))));
    one.u += state.u;
    const Eigen::Vector3d more = contact_of(model, contact, one).velocity - now.velocity;
    f.slope = std::max(f.slope, (more - W.row(i).transpose()).norm() / speed);
  }
  return f;
}

MovingLinkage random_moving_linkage(std::uint64_t seed) {
  Draw draw(seed);
  MovingLinkage d;
  d.linkage = on_fixed_supports(random_linkage(static_cast<std::size_t>(1 + draw.below(5)), seed));
  const int n = static_cast<int>(d.linkage.links.size());
  const auto pair = [&](double most) {
    return std::array{draw.uniform(-most, most), draw.uniform(-most, most)};
  };
  const auto link = [&] { return draw.below(n); };
  const auto other = [&](int i) {
    const int j = draw.below(n + 1) - 1;
    return j == i ? ground : j;
  };
  const auto unit = [&] {
    const double angle = draw.uniform(-4., 4.);
    return std::array{std::cos(angle), std::sin(angle)};
  };
  const auto course = [&] {
    return Harmonic{.constant = draw.uniform(-2., 2.),
                    .amplitude = draw.chance(.5) ? draw.uniform(0., 2.) : 0.,
                    .frequency = draw.uniform(0., 1.),
                    .phase = draw.uniform(-3., 3.)};
  };
  d.gravity = pair(10.);
  for (int k = draw.below(3); k > 0; --k) {
    d.joint_springs.push_back({.link = static_cast<std::size_t>(link()),
                               .stiffness = draw.uniform(0., 5.),
                               .rest = draw.uniform(-1., 1.),
                               .damping = draw.chance(.5) ? draw.uniform(0., 1.) : 0.});
  }
  for (int k = draw.below(3); k > 0; --k) {
    const int i = link();
    d.point_springs.push_back({.from = {.link = i, .point = pair(1.)},
                               .to = {.link = other(i), .point = pair(3.)},
                               .stiffness = draw.uniform(0., 5.),
                               .rest = draw.uniform(0., 1.),
                               .damping = draw.chance(.5) ? draw.uniform(0., 1.) : 0.});
  }
  for (int k = draw.below(3); k > 0; --k) {
    d.motors.push_back({.link = static_cast<std::size_t>(link()), .effort = course()});
  }
  if (draw.chance(.5)) {
    d.forces.push_back(
        {.on = {.link = link(), .point = pair(1.)}, .direction = unit(), .force = course()});
  }
  for (int k = 0; k < 3; ++k) {
    const int i = link();
    const int j = other(i);
    LinkStrike c{.point = {.link = i, .point = pair(2.)},
                 .radius = draw.chance(.5) ? draw.uniform(0.1, 1.) : 0.};
    if (draw.chance(.5)) {
      LineTarget line{.through = {.link = j, .point = pair(2.)}, .normal = unit()};
      if (j == ground) line.velocity = pair(1.);
      c.target = line;
    } else {
      c.target =
          DiscTarget{.centre = {.link = j, .point = pair(2.)}, .radius = draw.uniform(0.1, 1.)};
    }
    d.contacts.push_back(c);
  }
  return d;
}

SpatialScene random_scene(std::uint64_t seed) {
  using namespace shapes::space;
  Draw draw(seed);
  SpatialScene s;
  s.gravity = draw.vector(10.);
  for (int k = 1 + draw.below(2); k > 0; --k) {
    s.ground.push_back({.name = "g" + std::to_string(k),
                        .solid = HalfSpace{draw.vector(1.)},
                        .position = draw.vector(1.),
                        .motion = {.velocity = draw.chance(.5) ? draw.vector(1.) : World3{}}});
  }
  for (int k = 1 + draw.below(3); k > 0; --k) {
    SpatialMover b;
    b.name = "b" + std::to_string(k);
    const auto size = [&] { return draw.uniform(.2, 2.); };
    switch (draw.below(7)) {
      case 0:
        b.solid = Box{.size = {size(), size(), size()}};
        break;
      case 1:
        b.solid = Cylinder{.radius = size(), .length = size()};
        if (draw.chance(.5)) b.rim_points = static_cast<std::size_t>(3 + draw.below(4));
        break;
      case 2:
        b.solid = Capsule{.radius = size(), .length = size()};
        break;
      case 3:
        b.solid = Rod{.length = size()};
        break;
      case 4:
        b.solid = Disc{.radius = size()};
        break;
      default:
        b.solid = Sphere{.radius = size()};
    }
    b.mass = draw.uniform(.2, 3.);
    b.position = draw.vector(3.);
    b.orientation = rotation(draw.vector(1.), draw.uniform(-3., 3.), "axis");
    b.velocity = draw.vector(3.);
    b.spin = draw.vector(3.);
    if (std::holds_alternative<Rod>(b.solid)) {
      const World3 axis{b.orientation[0][2], b.orientation[1][2], b.orientation[2][2]};
      const double along = dot(axis, b.spin);
      for (std::size_t i = 0; i < 3; ++i) b.spin[i] -= along * axis[i];
    }
    s.bodies.push_back(b);
  }
  return s;
}

}  // namespace carom::test
