// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <carom/impact/one_contact.hpp>
#include <carom/laws/darboux_keller/invariant_rays.hpp>
#include <carom/report/comparison/report.hpp>
#include <carom/report/impact_path.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/report/record_parts.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;
using Path = std::vector<SpatialPathPoint>;

/// Inside the path, at the end of a phase, before the stage becomes `next`.
bool stage_changes(const Path& path, std::size_t i, Stage next) {
  return i > 0 && i + 1 < path.size() && path[i].ends_phase && path[i].stage != next &&
         path[i + 1].stage == next;
}

bool slip_ends(const Path& path, std::size_t i) {
  if (i == 0 || i + 1 >= path.size() || !path[i].ends_phase) return false;
  return path[i].motion == Motion::slip &&
         (path[i + 1].motion == Motion::stick || length(tangential(path[i].velocity)) == 0.);
}

void write_path(JsonWriter& out, const Answer& answer, const Path& path) {
  using Point = SpatialPathPoint;
  out.begin_object().member("law", answer.law->name);
  write_column(out, "impulse_normal", path, [](const Point& x) { return x.impulse.n; });
  write_column(out, "velocity_normal", path, [](const Point& x) { return x.velocity.n; });
  write_column(out, "slip_1", path, [](const Point& x) { return x.velocity.t1; });
  write_column(out, "slip_2", path, [](const Point& x) { return x.velocity.t2; });
  write_column(out, "friction_1", path, [](const Point& x) { return x.friction.t1; });
  write_column(out, "friction_2", path, [](const Point& x) { return x.friction.t2; });
  write_column(out, "work", path, [](const Point& x) { return x.work(); });
  const auto indices = [&](std::string_view key, const auto& chosen) {
    write_indices(out, key, path.size(), chosen);
  };
  indices("compression_ends",
          [&](std::size_t i) { return stage_changes(path, i, Stage::restitution); });
  indices("compression_resumes",
          [&](std::size_t i) { return stage_changes(path, i, Stage::compression); });
  indices("slip_ends", [&](std::size_t i) { return slip_ends(path, i); });
  out.end_object();
}

/// None where slip keeps whatever direction it has.
void write_rays(JsonWriter& out, const SpatialProblem& problem) {
  out.key("rays").begin_array();
  if (has_cone(problem.surface)) {
    for (const InvariantRay& ray : invariant_rays(problem)) {
      out.begin_object().key("direction").numbers(std::array{ray.direction.t1, ray.direction.t2});
      out.member("converges", ray.converges()).member("attracts", ray.attracts()).end_object();
    }
  }
  out.end_array();
}

}  // namespace

std::string hodograph_record(const scenario::Scenario& s, const Comparison& c) {
  const SpatialProblem problem = spatial_problem(c.problem());
  const Vec3& v = problem.approach;
  std::vector<Path> paths;
  for (const Answer& a : c.answers) paths.push_back(spatial_path(c, a));

  std::string subtitle = coefficients_text(c.problem(), true);
  subtitle += fmt::format("{}approach {} m/s, slip {} m/s", subtitle.empty() ? "" : "; ",
                          pretty(v.n), pretty(std::array{v.t1, v.t2}));
  JsonWriter out;
  begin_picture(out, "hodograph", s, subtitle);
  write_quantities(out, {{"impulse_normal", "normal impulse", "Pₙ", "N s"},
                         {"velocity_normal", "normal velocity", "vₙ", "m/s"},
                         {"slip_1", "slip along t₁", "", "m/s"},
                         {"slip_2", "slip along t₂", "", "m/s"},
                         {"friction_1", "friction along t₁", "dP₁/dPₙ", ""},
                         {"friction_2", "friction along t₂", "dP₂/dPₙ", ""},
                         {"work", "work done so far", "", "J"}});
  write_cone(out, problem.surface);
  write_rays(out, problem);
  const bool strikes =
      std::any_of(paths.begin(), paths.end(), [](const Path& path) { return path.size() > 1; });
  write_note(out, strikes, v.n, c.answers);
  out.key("paths").begin_array();
  for (std::size_t i = 0; i < paths.size(); ++i) write_path(out, c.answers[i], paths[i]);
  out.end_array().end_object();
  return comparison_json(s, c, picture_member(out));
}

}  // namespace carom::report
