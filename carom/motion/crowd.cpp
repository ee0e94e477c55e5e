// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/crowd.hpp>

#include <algorithm>

namespace carom::motion {
namespace {

constexpr double of_event = 20.;
constexpr double of_listed = 2.;
constexpr double of_touching = 5.;
constexpr double of_cube = 1. / 40.;
constexpr double of_cube_shared = 10. * of_cube;

constexpr double of_pair_in_step = 0.5;
constexpr double of_contact_in_step = 10.;

/// How many times as much as steps events may take.
constexpr double worth = 2.;
/// What few bodies may take besides in the time of a step: ten events of few contacts.
constexpr double allowance = 1000.;
/// Up to so many bodies are few. The allowance decreases like the square of their number.
constexpr double few_bodies = 6.;
/// So many times as much may be behind; of few bodies, which come to rest by short steps of
/// integration, so many times as much.
constexpr double most_behind = 10.;
constexpr double most_behind_of_few = 100.;

}  // namespace

bool Crowd::add(const Load& load, double now, bool happens) {
  const double step =
      load.bodies + of_pair_in_step * load.pairs + of_contact_in_step * load.touching;
  const double part = std::min(1., few_bodies / std::max(1., load.bodies));
  const double fewness = part * part;
  const double within_step = worth * step + allowance * fewness;
  double more = of_event;
  if (happens || load.shared || work > within_step) {
    more += of_listed * load.listed + of_touching * load.touching +
            (load.shared ? of_cube_shared : of_cube) * load.cubes;
  }
  work = std::max(0., work + more - within_step * (now - since) / time);
  since = now;
  return work > (most_behind + (most_behind_of_few - most_behind) * fewness) * within_step;
}

}  // namespace carom::motion
