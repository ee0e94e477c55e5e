// SPDX-License-Identifier: Apache-2.0
// Piles at rest in boxes of fixed proportions: processor time of one simulated second by steps of
// 1 ms, in Carom and in the programs that were found, with what is left of overlap and what energy
// is gained.
#include "piles.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include <carom/motion/simulation.hpp>

#include "pile_scenes.hpp"
#include "pile_settling.hpp"
#include "reporter.hpp"

namespace {

using namespace carom;
using namespace carom::motion;
using namespace carom::benchmarks;

constexpr double measured_time = 1.;  // [s]

/// Overlap is looked at after every so many steps.
constexpr int between_looks = 50;

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

/// A run that needs more is stopped, and its row says how far it came [s of the processor].
constexpr double most_time = 60.;

class Looks final : public Silent {
 public:
  explicit Looks(const Model& model) : Silent(HUGE_VAL), model_(model) {}
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
          Silent silent(most_time);
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
        state.counters["kinetic"] = unrest(pile);
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
