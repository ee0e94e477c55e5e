// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion_animation.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/report/gnuplot.hpp>
#include <carom/report/motion_frames.hpp>
#include <carom/report/motion_gif.hpp>
#include <carom/report/motion_vtk.hpp>

namespace carom::report {
namespace {

constexpr double longest = 12.;  ///< of the picture [s]
constexpr double frames_a_second = 25.;

/// Seconds of motion for a second of picture: 1 where that lasts between three seconds and the
/// longest, else what makes it so.
double pace_of(double duration) {
  if (duration > longest) return duration / longest;
  return duration < 3. ? duration / 3. : 1.;
}

}  // namespace

void require_animation_name(const std::filesystem::path& file, const scenario::MotionScenario& s,
                            std::string_view field) {
  const bool plane = !s.drawing.outlines.empty();
  const std::string wanted = plane ? ".gif" : ".pvd";
  if (file.extension() == wanted) return;
  throw InputError(std::string(field), "must end in " + wanted +
                                           (plane ? " for a motion in the plane"
                                                  : " for one in space (a series for ParaView)") +
                                           ", got '" + file.string() + "'");
}

void animate(const std::filesystem::path& file, const scenario::MotionScenario& s,
             const MotionHistory& history) {
  const double duration = history.points().back().time - history.points().front().time;
  const double pace = pace_of(duration);
  const auto count = static_cast<std::size_t>(
      std::clamp(std::round(frames_a_second * duration / pace), 2., frames_a_second * longest));
  const auto frames = frames_of(history, s.model->velocities(), count);
  if (s.drawing.outlines.empty()) {
    write_vtk(file, s, frames);
    return;
  }
  PictureFiles files{.picture = file,
                     .script = std::filesystem::path(file).replace_extension(".gp"),
                     .data = std::filesystem::path(file).replace_extension(".dat")};
  const Plot plot = motion_gif(s, frames, pace, files);
  draw(files, plot.script, plot.data);
}

}  // namespace carom::report
