// SPDX-License-Identifier: Apache-2.0
// A million spheres strike a wall, each at its own speed and slip: rebounds, and the energy lost.
#include <cstdio>
#include <numeric>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/study/batch/batch.hpp>

int main() {
  const std::size_t size = 1'000'000;
  std::vector<double> normal(size);  // v_n- [m/s]
  std::vector<double> slip(size);    // v_t- [m/s]
  for (std::size_t i = 0; i < size; ++i) {
    normal[i] = -1. - 1e-6 * static_cast<double>(i);
    slip[i] = 3e-6 * static_cast<double>(i);
  }
  const double mass = 0.001;  // [kg]
  const carom::study::PlanarBatch grains{.size = size,
                                         .nn = 1. / mass,
                                         .tt = 3.5 / mass,  // 1/m + r^2/I of a sphere
                                         .normal = normal,
                                         .slip = slip,
                                         .restitution = 0.9,
                                         .friction = 0.2};
  std::vector<double> velocity(size);  // v_n+ [m/s]
  std::vector<double> energy(size);    // its change [J]
  std::vector<std::uint8_t> mode(size);
  const carom::study::PlanarBatchOutcome out{
      .velocity_n = velocity.data(), .energy_change = energy.data(), .mode = mode.data()};
  try {
    carom::study::validate(grains);  // laws trust their input
    carom::study::solve_batch(carom::Energetic{}, grains, out, {.threads = 0});
  } catch (const carom::InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  std::size_t slide = 0;
  for (const std::uint8_t m : mode) slide += m == static_cast<std::uint8_t>(carom::Mode::slides);
  std::printf("the last rebounds at %.3f m/s; %.3f J lost; %zu slip throughout\n", velocity.back(),
              -std::accumulate(energy.begin(), energy.end(), 0.), slide);
  return 0;
}
