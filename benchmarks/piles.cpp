// SPDX-License-Identifier: Apache-2.0
// Piles at rest in boxes of fixed proportions: processor time of one simulated second by steps of
// 1 ms, in Carom and in the programs that were found, with what is left of overlap and what energy
// is gained.
#include "piles.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/motion/simulation.hpp>

#include "reporter.hpp"

namespace {

using namespace carom;
using namespace carom::motion;
using namespace carom::benchmarks;

constexpr double residual = 1e-6;     // of Carom's contacts
constexpr double measured_time = 1.;  // [s]

/// Overlap is looked at after every so many steps.
constexpr int between_looks = 50;

const char* name(Kind kind) {
  switch (kind) {
    case Kind::discs:
      return "discs";
    case Kind::boxes:
      return "boxes";
    case Kind::spheres:
      return "spheres";
  }
  return "";
}

// --- scenes

/// A box about as wide as its pile is high.
double width_of(Kind kind, std::size_t n) {
  const double across =
      kind == Kind::spheres ? std::cbrt(static_cast<double>(n)) : std::sqrt(static_cast<double>(n));
  return 2.1 * pile_radius * across;
}

/// Bodies on a loose grid, each moved a little at random, the same in every run.
Pile loose(Kind kind, std::size_t n) {
  Pile pile{.kind = kind, .width = width_of(kind, n)};
  // Boxes are turned, so that they need their diagonal.
  const double spacing = (kind == Kind::boxes ? 2.9 : 2.2) * pile_radius;
  const double jitter = 0.04 * pile_radius;
  const auto across = std::max<std::size_t>(1, static_cast<std::size_t>(pile.width / spacing));
  const double margin = 0.5 * (pile.width - spacing * static_cast<double>(across - 1));
  std::minstd_rand random(1);  // NOLINT: the same in every run
  const auto uniform = [&] {
    return 2. * static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max()) - 1.;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = [&](std::size_t k) {
      return margin + spacing * static_cast<double>(k) + jitter * uniform();
    };
    const auto up = [&](std::size_t k) {
      return spacing * (0.5 + static_cast<double>(k)) + jitter * uniform();
    };
    Placed p;
    if (kind == Kind::spheres) {
      p.position = {at(i % across), at(i / across % across), up(i / (across * across))};
    } else {
      p.position = {at(i % across), up(i / across), 0.};
    }
    if (kind == Kind::boxes) p.angle = 0.7 * uniform();
    pile.bodies.push_back(p);
  }
  return pile;
}

PlanarScene plane_scene(const Pile& pile) {
  const double quarter = 0.5 * std::acos(-1.);
  PlanarScene scene;
  scene.ground = {{.name = "floor", .shape = shapes::plane::half_plane()},
                  {.name = "left",
                   .shape = shapes::plane::half_plane(),
                   .pose = {.position = {0., 0.}, .angle = -quarter}},
                  {.name = "right",
                   .shape = shapes::plane::half_plane(),
                   .pose = {.position = {pile.width, 0.}, .angle = quarter}}};
  const double r = pile_radius;
  const bool discs = pile.kind == Kind::discs;
  for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
    scene.bodies.push_back(
        {.name = "b" + std::to_string(i),
         .mass = pile_mass,
         .inertia = pile_mass * r * r * (discs ? 1. / 2. : 2. / 3.),
         .shape = discs ? shapes::plane::disc(r) : shapes::plane::box(2. * r, 2. * r)});
  }
  return scene;
}

SpatialScene space_scene(const Pile& pile) {
  SpatialScene scene;
  scene.ground = {{.name = "floor"},
                  {.name = "left", .solid = shapes::space::HalfSpace{{1., 0., 0.}}},
                  {.name = "right",
                   .solid = shapes::space::HalfSpace{{-1., 0., 0.}},
                   .position = {pile.width, 0., 0.}},
                  {.name = "front", .solid = shapes::space::HalfSpace{{0., 1., 0.}}},
                  {.name = "back",
                   .solid = shapes::space::HalfSpace{{0., -1., 0.}},
                   .position = {0., pile.width, 0.}}};
  for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
    scene.bodies.push_back({.name = "b" + std::to_string(i),
                            .mass = pile_mass,
                            .solid = shapes::space::Sphere{pile_radius}});
  }
  return scene;
}

std::unique_ptr<Model> model_of(const Pile& pile) {
  if (pile.kind == Kind::spheres) return std::make_unique<SpatialModel>(space_scene(pile));
  return std::make_unique<PlanarModel>(plane_scene(pile));
}

State state_of(Kind kind, const std::vector<Placed>& bodies) {
  State s;
  const bool space = kind == Kind::spheres;
  const Eigen::Index positions = space ? 7 : 3;
  const Eigen::Index velocities = space ? 6 : 3;
  s.q.resize(positions * ix(bodies.size()));
  s.u.resize(velocities * ix(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Placed& p = bodies[i];
    const auto& [x, y, z] = p.position;
    const auto& [vx, vy, vz] = p.velocity;
    if (space) {
      s.q.segment(positions * ix(i), positions) << x, y, z, p.orientation[0], p.orientation[1],
          p.orientation[2], p.orientation[3];
      s.u.segment(velocities * ix(i), velocities) << vx, vy, vz, p.spin[0], p.spin[1], p.spin[2];
    } else {
      s.q.segment(positions * ix(i), positions) << x, y, p.angle;
      s.u.segment(velocities * ix(i), velocities) << vx, vy, p.spin[2];
    }
  }
  return s;
}

void read_state(Kind kind, const State& s, std::vector<Placed>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Placed& p = bodies[i];
    if (kind == Kind::spheres) {
      const auto q = s.q.segment<7>(7 * ix(i));
      const auto u = s.u.segment<6>(6 * ix(i));
      p.position = {q(0), q(1), q(2)};
      p.orientation = {q(3), q(4), q(5), q(6)};
      p.velocity = {u(0), u(1), u(2)};
      p.spin = {u(3), u(4), u(5)};
    } else {
      const auto q = s.q.segment<3>(3 * ix(i));
      const auto u = s.u.segment<3>(3 * ix(i));
      p.position = {q(0), q(1), 0.};
      p.angle = q(2);
      p.velocity = {u(0), u(1), 0.};
      p.spin = {0., 0., u(2)};
    }
  }
}

// --- what is measured of any program

/// [J]
double kinetic_energy(Kind kind, const std::vector<Placed>& bodies) {
  const double r = pile_radius;
  // 1/2, (2 r)^2/6 and 2/5 of m r^2.
  const double part = kind == Kind::discs ? 1. / 2. : kind == Kind::boxes ? 2. / 3. : 2. / 5.;
  double twice = 0.;
  for (const Placed& p : bodies) {
    for (const double v : p.velocity) twice += pile_mass * v * v;
    for (const double w : p.spin) twice += part * pile_mass * r * r * w * w;
  }
  return 0.5 * twice;
}

double energy_of(Kind kind, const std::vector<Placed>& bodies) {
  double energy = kinetic_energy(kind, bodies);
  for (const Placed& p : bodies) {
    energy += pile_mass * gravity * p.position[kind == Kind::spheres ? 2 : 1];
  }
  return energy;
}

/// The deepest overlap, relative to a radius.
double overlap_of(const Model& model, const State& state) {
  std::vector<BodyPair> pairs;
  std::vector<NearContact> near;
  model.near_pairs(state, 0., pairs);
  double deepest = 0.;
  for (const BodyPair& pair : pairs) {
    const double distance = model.distance(pair, state);
    if (std::isfinite(distance)) {
      deepest = std::max(deepest, -distance);
      continue;
    }
    model.near_contacts(pair, state, 0., near);
    for (const NearContact& c : near) deepest = std::max(deepest, -c.gap);
  }
  return deepest / pile_radius;
}

struct Quality {
  double overlap = 0.;      ///< relative to a radius
  double gained = 0.;       ///< sum of all rises of the total energy, per body over m g r
  double contacts = 0.;     ///< at the end
  double unconverged = 0.;  ///< problems that did not reach the residual
};

/// Adds up rises of the energy from step to step.
class Rises {
 public:
  void see(double energy) {
    sum_ += std::max(0., energy - last_);
    last_ = energy;
  }
  [[nodiscard]] double per_body(std::size_t n) const {
    return sum_ / (static_cast<double>(n) * pile_mass * gravity * pile_radius);
  }

 private:
  double last_ = std::numeric_limits<double>::infinity();
  double sum_ = 0.;
};

// --- Carom

/// A run that needs more is stopped, and its row says how far it came [s of the processor]; and
/// what a pile may need to settle, once.
constexpr double most_time = 60.;
constexpr double most_settling = 600.;

class Silent : public Recorder {
 public:
  explicit Silent(double most = most_time) : most_(most) {}
  bool stop() override {
    return static_cast<double>(std::clock() - start_) > most_ * CLOCKS_PER_SEC;
  }
  void event(const Event& /*event*/) override {}
  void sample(const Sample& /*sample*/) override {}

 private:
  double most_;
  std::clock_t start_ = std::clock();
};

class Looks final : public Silent {
 public:
  explicit Looks(const Model& model) : model_(model) {}
  void sample(const Sample& s) override {
    rises.see(s.kinetic + s.potential);
    if (count_++ % between_looks == 0) overlap = std::max(overlap, overlap_of(model_, s.state));
    contacts = std::count_if(s.contacts.begin(), s.contacts.end(),
                             [](const ContactStatus& c) { return c.touch != Touch::open; });
  }
  Rises rises;
  double overlap = 0.;
  std::ptrdiff_t contacts = 0;

 private:
  const Model& model_;
  int count_ = 0;
};

const std::vector<Surface>& surfaces() {
  static const std::vector<Surface> all{
      {.restitution = pile_restitution, .friction = pile_friction}};
  return all;
}

/// While a pile comes to rest: with less friction, so that what rough solutions leave does not set
/// it in motion again.
const std::vector<Surface>& settling_surfaces() {
  static const std::vector<Surface> all{{.restitution = 0., .friction = 0.8 * pile_friction}};
  return all;
}

Options stepping(double step, double tolerance, double end_time) {
  Options o;
  o.method = MotionMethod::stepping;
  o.step = step;
  o.residual = tolerance;
  o.end_time = end_time;
  o.sample_interval = HUGE_VAL;
  return o;
}

/// Lets a pile fall from its loose grid until it rests: at first by long steps that are solved
/// roughly, then more and more exactly, at last as it is measured. Each part ends at a kinetic
/// energy per body, relative to m g r, or at the latest after a time. What does not rest after
/// `most_settling` is measured as it moves. False if the run failed.
bool settle(Pile& pile, Progress& p) {
  struct Part {
    const std::vector<Surface>& surfaces;
    double step;
    double tolerance;
    double energy;
    double longest;
  };
  constexpr double between = 0.1;  // looks at the energy [s]
  const std::unique_ptr<Model> model = model_of(pile);
  const double unit = static_cast<double>(pile.bodies.size()) * pile_mass * gravity * pile_radius;
  p = start(*model, state_of(pile.kind, pile.bodies), settling_surfaces(),
            stepping(1e-3, 1e-4, 0.));
  Silent silent(most_settling);
  const std::array parts{Part{settling_surfaces(), 4e-3, 1e-2, 1e-3, 3.},
                         Part{settling_surfaces(), pile_step, 1e-2, 1e-6, 3.},
                         Part{settling_surfaces(), pile_step, 1e-4, 1e-11, 3.},
                         Part{surfaces(), pile_step, residual, 1e-14, 1.}};
  for (const Part& part : parts) {
    const double until = p.state.time + part.longest;
    while (p.state.time < until - 0.5 * between) {
      const Summary s =
          simulate(*model, part.surfaces,
                   stepping(part.step, part.tolerance, p.state.time + between), p, silent);
      if (s.ending == Ending::failed) {
        std::fprintf(stderr, "settling failed: %s\n", s.reason.c_str());
        return false;
      }
      p = s.progress;
      read_state(pile.kind, p.state, pile.bodies);
      const double kinetic = kinetic_energy(pile.kind, pile.bodies) / unit;
      std::fprintf(stderr, "  t = %.2f s, kinetic energy %.1e, %.1f s of processor time\n",
                   p.state.time, kinetic, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
      if (kinetic <= part.energy || s.ending == Ending::stopped) break;
    }
  }
  return true;
}

/// A pile at rest, and impulses of its contacts: with others it might slip.
struct Settled {
  Pile pile{};
  std::vector<ContactId> found{};
  std::vector<double> impulses{};
};

/// Numbers of a file, one after the other.
class Numbers {
 public:
  explicit Numbers(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    double x = 0.;
    while (file.read(reinterpret_cast<char*>(&x), sizeof x)) all_.push_back(x);
  }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  double next() { return at_ < all_.size() ? all_[at_++] : 0.; }
  std::size_t next_count() { return static_cast<std::size_t>(next()); }

 private:
  std::vector<double> all_;
  std::size_t at_ = 0;
};

/// Visits all numbers of a body, in the same order to write and to read.
template <class F>
void each_number(Placed& p, const F& f) {
  for (double& x : p.position) f(x);
  for (double& x : p.orientation) f(x);
  f(p.angle);
  for (double& x : p.velocity) f(x);
  for (double& x : p.spin) f(x);
}

void write(Settled& s, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](double x) { file.write(reinterpret_cast<const char*>(&x), sizeof x); };
  for (Placed& p : s.pile.bodies) each_number(p, put);
  put(static_cast<double>(s.found.size()));
  for (const ContactId& id : s.found) {
    put(id.pair.first);
    put(id.pair.second);
    put(static_cast<double>(id.features >> 32U));
    put(static_cast<double>(id.features & 0xffffffffU));
  }
  put(static_cast<double>(s.impulses.size()));
  for (const double x : s.impulses) put(x);
}

void read(Settled& s, Numbers& numbers) {
  for (Placed& p : s.pile.bodies) each_number(p, [&](double& x) { x = numbers.next(); });
  s.found.resize(numbers.next_count());
  for (ContactId& id : s.found) {
    id.pair.first = static_cast<std::uint32_t>(numbers.next());
    id.pair.second = static_cast<std::uint32_t>(numbers.next());
    const auto first = static_cast<std::uint64_t>(numbers.next());
    id.features = first << 32U | static_cast<std::uint64_t>(numbers.next());
  }
  s.impulses.resize(numbers.next_count());
  for (double& x : s.impulses) x = numbers.next();
}

/// The settled pile, from a file beside the program if it is there; null if it fails to settle.
const Settled* settled(Kind kind, std::size_t n, const std::filesystem::path& folder) {
  static std::deque<std::pair<std::string, Settled>> known;
  const std::string label = std::string(name(kind)) + '-' + std::to_string(n);
  for (const auto& [key, s] : known) {
    if (key == label) return s.pile.bodies.empty() ? nullptr : &s;
  }
  Settled s{.pile = loose(kind, n)};
  const std::filesystem::path path = folder / ("pile-" + label + ".bin");
  if (Numbers numbers(path); !numbers.empty()) {
    read(s, numbers);
  } else {
    std::fprintf(stderr, "settling %zu %s, once\n", n, name(kind));
    Progress p;
    if (!settle(s.pile, p)) {
      known.emplace_back(label, Settled{});  // not tried again
      return nullptr;
    }
    s.found = p.found;
    s.impulses = p.next.impulses;
    write(s, path);
  }
  known.emplace_back(label, std::move(s));
  return &known.back().second;
}

/// The state of a run in a settled pile, after a few steps.
Progress begin(const Model& model, const Settled& s) {
  // The settled state itself may overlap by more than what a start accepts.
  const Pile apart = loose(s.pile.kind, s.pile.bodies.size());
  Progress p = start(model, state_of(s.pile.kind, apart.bodies), surfaces(),
                     stepping(pile_step, residual, 0.));
  p.state = state_of(s.pile.kind, s.pile.bodies);
  p.found = s.found;
  const std::size_t contacts = model.contacts() + s.found.size();
  p.contacts.resize(contacts);
  p.energy.impacts.resize(contacts);
  p.energy.friction.resize(contacts);
  p.next.impulses = s.impulses;
  p.next.steps_h = pile_step;
  Silent silent;
  constexpr int few = 10;  // steps
  return simulate(model, surfaces(), stepping(pile_step, residual, few * pile_step), p, silent)
      .progress;
}

/// Islands that did not converge, among the numbers of Continuation::step_counts.
double unconverged(const Progress& p) {
  return p.next.step_counts.empty() ? 0. : p.next.step_counts.back();
}

Quality quality(const Model& model, const Progress& from) {
  Looks looks(model);
  Options o = stepping(pile_step, residual, from.state.time + measured_time);
  o.sample_interval = 0.;
  const Summary s = simulate(model, surfaces(), o, from, looks);
  return {.overlap = looks.overlap,
          .gained = looks.rises.per_body(model.velocities() / (model.components() == 3 ? 6 : 3)),
          .contacts = static_cast<double>(looks.contacts),
          .unconverged = unconverged(s.progress) - unconverged(from)};
}

// --- rows

void count(benchmark::State& state, const Quality& q) {
  state.counters["overlap_%"] = 100. * q.overlap;
  state.counters["gained"] = q.gained;
  state.counters["contacts"] = q.contacts;
}

/// Some rows take long: they are measured once.
int repetitions(std::size_t n) { return n <= 200 ? 3 : 1; }

void add_carom(Kind kind, std::size_t n, const std::filesystem::path& folder) {
  const std::string row = std::string(name(kind)) + ' ' + std::to_string(n) + ": carom";
  benchmark::RegisterBenchmark(
      row.c_str(),
      [kind, n, folder](benchmark::State& state) {
        const Settled* const found = settled(kind, n, folder);
        if (found == nullptr) {
          state.SkipWithError("the pile could not be settled");
          return;
        }
        const Pile& pile = found->pile;
        const std::unique_ptr<Model> model = model_of(pile);
        const Progress from = begin(*model, *found);
        for (auto _ : state) {
          Silent silent;
          const Summary s = simulate(*model, surfaces(),
                                     stepping(pile_step, residual, from.state.time + measured_time),
                                     from, silent);
          if (s.ending == Ending::failed) state.SkipWithError(s.reason.c_str());
          if (s.ending == Ending::stopped) {
            char words[80];
            std::snprintf(words, sizeof words, "stopped after %g s of processor time at %.3f s",
                          most_time, s.progress.state.time - from.state.time);
            state.SkipWithError(words);
            return;
          }
          state.counters["sweeps/step"] =
              (s.progress.next.step_counts[3] - from.next.step_counts[3]) /
              (s.progress.next.step_counts[0] - from.next.step_counts[0]);
        }
        const Quality q = quality(*model, from);
        count(state, q);
        state.counters["kinetic"] = kinetic_energy(kind, pile.bodies) /
                                    (static_cast<double>(n) * pile_mass * gravity * pile_radius);
        state.counters["unconverged"] = q.unconverged;
      })
      ->Iterations(1)
      ->Repetitions(repetitions(n))
      ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] void add_peer(Kind kind, std::size_t n, const char* program, const MakePeer& make,
                               const std::filesystem::path& folder) {
  const std::string row = std::string(name(kind)) + ' ' + std::to_string(n) + ": " + program;
  benchmark::RegisterBenchmark(
      row.c_str(),
      [kind, n, make, folder](benchmark::State& state) {
        const Settled* const found = settled(kind, n, folder);
        if (found == nullptr) {
          state.SkipWithError("the pile could not be settled");
          return;
        }
        const Pile& pile = found->pile;
        const int steps = static_cast<int>(std::lround(measured_time / pile_step));
        for (auto _ : state) {
          state.PauseTiming();
          const std::unique_ptr<Peer> peer = make(pile);
          state.ResumeTiming();
          for (int k = 0; k < steps; ++k) peer->step();
        }
        const std::unique_ptr<Peer> peer = make(pile);
        const std::unique_ptr<Model> model = model_of(pile);
        Quality q;
        Rises rises;
        std::vector<Placed> bodies = pile.bodies;
        for (int k = 0; k <= steps; ++k) {
          if (k > 0) peer->step();
          peer->read(bodies);
          rises.see(energy_of(kind, bodies));
          if (k % between_looks != 0) continue;
          q.overlap = std::max(q.overlap, overlap_of(*model, state_of(kind, bodies)));
        }
        q.gained = rises.per_body(n);
        q.contacts = static_cast<double>(peer->contacts());
        count(state, q);
      })
      ->Iterations(1)
      ->Repetitions(repetitions(n))
      ->Unit(benchmark::kMillisecond);
}

/// Targets of processor time [s], where there are any.
struct Row {
  Kind kind;
  std::size_t n;
  double target;  ///< NaN: none
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {Kind::discs, 40, 0.06},   {Kind::discs, 200, 0.35},  {Kind::discs, 1000, 2.2},
      {Kind::discs, 5000, 15.},  {Kind::boxes, 10, NAN},    {Kind::boxes, 40, NAN},
      {Kind::boxes, 200, NAN},   {Kind::boxes, 1000, NAN},  {Kind::spheres, 40, NAN},
      {Kind::spheres, 200, NAN}, {Kind::spheres, 1000, NAN}};
  return all;
}

void print_comparison(const Reporter& reporter) {
  constexpr double most_ratio = 2.;
  constexpr double most_growth = 1.3;
  std::printf("\nprocessor time of a simulated second [s]\n%-14s %9s %9s %9s  %s\n", "", "carom",
              "peer", "ratio", "at most 2, and the target in seconds");
  for (const Row& r : rows()) {
    const std::string label = std::string(name(r.kind)) + ' ' + std::to_string(r.n);
    const double ours = 1e-3 * reporter.time(label + ": carom");
    const double theirs =
        1e-3 * reporter.time(label + (r.kind == Kind::spheres ? ": bullet" : ": box2d"));
    if (std::isnan(ours)) continue;
    if (!(ours > 0.)) {  // a row that was skipped has no time
      std::printf("%-14s not done: missed\n", label.c_str());
      continue;
    }
    std::printf("%-14s %9.4f %9.4f %9.2f", label.c_str(), ours, theirs, ours / theirs);
    if (!std::isnan(theirs)) std::printf("  %s", ours <= most_ratio * theirs ? "met" : "missed");
    if (!std::isnan(r.target)) {
      std::printf("  %g s: %s", r.target, ours <= r.target ? "met" : "missed");
    }
    std::printf("\n");
  }
  const double few = reporter.time("discs 40: carom");
  const double many = reporter.time("discs 5000: carom");
  if (!(few > 0.) || !(many > 0.)) return;
  const double growth = std::log(many / few) / std::log(5000. / 40.);
  std::printf("growth from 40 to 5000 discs: n^%.2f, at most n^%g: %s\n", growth, most_growth,
              growth <= most_growth ? "met" : "missed");
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = std::filesystem::path(argv[0]).parent_path();
  for (const Row& r : rows()) {
    add_carom(r.kind, r.n, folder);
#ifdef CAROM_HAVE_BOX2D
    if (r.kind != Kind::spheres) add_peer(r.kind, r.n, "box2d", make_box2d, folder);
#endif
#ifdef CAROM_HAVE_BULLET
    if (r.kind == Kind::spheres) add_peer(r.kind, r.n, "bullet", make_bullet, folder);
#endif
  }
#ifndef CAROM_HAVE_BOX2D
  std::fprintf(stderr, "Box2D was not found (Debian: libbox2d-dev): its rows are left out\n");
#endif
#ifndef CAROM_HAVE_BULLET
  std::fprintf(stderr, "Bullet was not found (Debian: libbullet-dev): its rows are left out\n");
#endif
  if (!initialize({}, argc, argv)) return 2;
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_comparison(reporter);
  return 0;
}
