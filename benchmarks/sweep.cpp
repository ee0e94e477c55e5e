// SPDX-License-Identifier: Apache-2.0
// Sweeps of planar impacts that keep statistics alone, beside `solve_batch` on the same impacts
// with their inputs in memory already. Targets in README.md.
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <carom/impact/one_contact.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/batch/batch.hpp>
#include <carom/study/sweep/sweep.hpp>

#include "reporter.hpp"

namespace {

using namespace carom;
using namespace carom::benchmarks;

const std::string bar =
    "[system]\ntype = 'bar'\nangle_deg = 120\nvelocity = [0.4, -1.0]\n"
    "[surface]\nrestitution = 0.5\nfriction = 0.3\n";

constexpr std::size_t impacts = std::size_t{1} << 22U;

scenario::SweepRequest request_for(const std::string& law) {
  scenario::SweepRequest r;
  for (const char* axis :
       {"surface.friction=uniform:0.1:0.5", "system.velocity[0]=uniform:0.1:0.5"}) {
    r.axes.push_back(scenario::parse_sweep_axis(axis, "axis"));
  }
  r.show = {{.text = "energy_change", .field = "", .place = ""}};
  r.laws = {{.text = law, .field = "", .place = ""}};
  r.samples = impacts;
  r.keep_rows = false;
  return r;
}

/// The impacts of a sweep, as columns.
class Columns {
 public:
  explicit Columns(const study::SweepPlan& plan) : inputs_(2, std::vector<double>(impacts)) {
    study::Sampler(plan.request).fill(0, impacts, study::Sampler::Set::first, inputs_);
    const PlanarProblem p = planar_problem(scenario::parse(bar, "bar").problem());
    normal_.assign(impacts, p.approach.n);
    for (double& x : inputs_[1]) x += p.approach.t - 0.4;
    for (auto& column : answers_) column.resize(impacts);
    modes_.resize(impacts);
    flags_.resize(impacts);
    batch_ = {.size = impacts,
              .nn = p.G.nn,
              .nt = p.G.nt,
              .tt = p.G.tt,
              .normal = normal_,
              .slip = inputs_[1],
              .restitution = p.surface.restitution,
              .friction = inputs_[0]};
  }
  void solve(const PlanarLaw& law) {
    study::solve_batch(law, batch_,
                       {.impulse_n = answers_[0].data(),
                        .impulse_t = answers_[1].data(),
                        .velocity_n = answers_[2].data(),
                        .velocity_t = answers_[3].data(),
                        .energy_change = answers_[4].data(),
                        .mode = modes_.data(),
                        .flags = flags_.data()});
    benchmark::DoNotOptimize(answers_[4].data());
  }

 private:
  study::Columns inputs_;
  std::vector<double> normal_;
  std::array<std::vector<double>, 5> answers_;
  std::vector<std::uint8_t> modes_;
  std::vector<std::uint16_t> flags_;
  study::PlanarBatch batch_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool understood = initialize({"--benchmark_repetitions=7", "--benchmark_min_time=0.01",
                                      "--benchmark_enable_random_interleaving=true"},
                                     argc, argv);
  if (!understood) return 2;
  const std::vector<std::string> laws{"newton", "poisson", "energetic", "moreau"};
  std::vector<study::SweepPlan> plans;
  for (const std::string& law : laws) {
    plans.push_back(study::plan_sweep(bar, "bar", request_for(law), "benchmark"));
  }
  Columns columns(plans.front());
  for (const study::SweepPlan& plan : plans) {
    const Law& law = *plan.laws.front();
    benchmark::RegisterBenchmark(("batch/" + std::string(law.name)).c_str(),
                                 [&](benchmark::State& state) {
                                   for (auto _ : state) columns.solve(planar_kernel(law));
                                 });
    benchmark::RegisterBenchmark(
        ("sweep/" + std::string(law.name)).c_str(), [&](benchmark::State& state) {
          const study::SweepScales scales = study::scales_of(plan);
          for (auto _ : state) {
            study::BlockWorker worker(plan, scales);
            for (std::size_t b = 0; b < plan.blocks(); ++b) {
              benchmark::DoNotOptimize(worker.compute(b, nullptr).moments[0].mean);
            }
          }
        });
  }
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::printf("\nns an impact, of which mean, deviation, quantiles and histogram are kept\n");
  for (const std::string& law : laws) {
    const double batch = reporter.time("batch/" + law) / static_cast<double>(impacts);
    const double sweep = reporter.time("sweep/" + law) / static_cast<double>(impacts);
    std::printf("%-12s batch %6.2f   sweep %6.2f   ratio %5.2f   at most 2: %s\n", law.c_str(),
                batch, sweep, sweep / batch, sweep <= 2. * batch ? "met" : "missed");
  }
  benchmark::Shutdown();
  return 0;
}
