// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <carom/impact/couple.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/report/comparison/report.hpp>
#include <carom/report/impact_path.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/report/record_parts.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;

/// The lines v_t = 0 and v_n = 0, each [a, b, c] of a P_n + b P_t + c = 0. A couple goes with the
/// impulse.
void write_lines(JsonWriter& out, const PlanarProblem& p) {
  const double rr = p.spin.rr;
  const double c = rr > 0. ? (1. + p.surface.planar_moment_coefficient()) / rr : 0.;
  const auto [G, v] = eliminate_couple(p.G, p.approach, p.spin, c);
  out.key("stick_line").numbers(std::array{G.nt, G.tt, v.t});
  out.key("compression_line").numbers(std::array{G.nn, G.nt, v.n});
}

void write_path(JsonWriter& out, const Answer& answer, const std::vector<PathPoint>& path) {
  out.begin_object().member("law", answer.law->name);
  write_column(out, "impulse_normal", path, [](const PathPoint& x) { return x.impulse.n; });
  write_column(out, "impulse_tangential", path, [](const PathPoint& x) { return x.impulse.t; });
  write_column(out, "velocity_normal", path, [](const PathPoint& x) { return x.velocity.n; });
  write_column(out, "slip", path, [](const PathPoint& x) { return x.velocity.t; });
  write_column(out, "work", path, [](const PathPoint& x) { return x.work; });
  write_indices(out, "phase_ends", path.size() - 1,
                [&](std::size_t i) { return path[i].ends_phase; });
  out.end_object();
}

}  // namespace

std::string routh_record(const scenario::Scenario& s, const Comparison& c) {
  const PlanarProblem problem = planar_problem(c.problem());
  const Vec2& v = problem.approach;
  std::vector<std::vector<PathPoint>> paths;
  for (const Answer& a : c.answers) paths.push_back(planar_path(c, a));

  std::string subtitle = coefficients_text(c.problem(), true);
  subtitle += fmt::format("{}approach {} m/s, slip {} m/s", subtitle.empty() ? "" : "; ",
                          pretty(v.n), pretty(v.t));
  JsonWriter out;
  begin_picture(out, "routh", s, subtitle);
  write_quantities(out, {{"impulse_normal", "normal impulse", "Pₙ", "N s"},
                         {"impulse_tangential", "tangential impulse", "Pₜ", "N s"},
                         {"velocity_normal", "normal velocity", "vₙ", "m/s"},
                         {"slip", "slip", "vₜ", "m/s"},
                         {"work", "work done so far", "", "J"}});
  write_cone(out, problem.surface);
  write_lines(out, problem);
  const bool strikes =
      std::any_of(paths.begin(), paths.end(), [](const auto& path) { return path.size() > 1; });
  write_note(out, strikes, v.n, c.answers);
  out.key("paths").begin_array();
  for (std::size_t i = 0; i < paths.size(); ++i) write_path(out, c.answers[i], paths[i]);
  out.end_array().end_object();
  return comparison_json(s, c, picture_member(out));
}

}  // namespace carom::report
