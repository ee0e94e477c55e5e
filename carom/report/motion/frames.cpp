// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/frames.hpp>

#include <algorithm>
#include <cmath>

namespace carom::report {

std::vector<State> frames_of(const MotionHistory& history, std::size_t velocities) {
  constexpr double frames_a_second = 25.;
  const auto points = history.points();
  const double first = points.front()->time;
  const double last = points.back()->time;
  const auto count =
      static_cast<std::size_t>(std::round(frames_a_second * std::clamp(last - first, 3., 12.)));
  std::vector<State> frames;
  std::size_t k = 0;
  for (std::size_t f = 0; f < count; ++f) {
    const double t =
        first + (last - first) * static_cast<double>(f) / static_cast<double>(count - 1);
    while (k + 2 < points.size() && points[k + 1]->time <= t) ++k;
    const auto& a = *points[k];
    const auto& b = *points[std::min(k + 1, points.size() - 1)];
    const double share =
        b.time > a.time ? std::clamp((t - a.time) / (b.time - a.time), 0., 1.) : 0.;
    State state;
    state.time = t;
    state.q.resize(static_cast<Eigen::Index>(a.q.size()));
    for (std::size_t i = 0; i < a.q.size(); ++i) {
      state.q(static_cast<Eigen::Index>(i)) = (1. - share) * a.q[i] + share * b.q[i];
    }
    state.u = Vector::Zero(static_cast<Eigen::Index>(velocities));
    frames.push_back(std::move(state));
  }
  return frames;
}

}  // namespace carom::report
