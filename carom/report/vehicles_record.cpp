// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <string>

#include <carom/mechanics/vehicles.hpp>
#include <carom/report/comparison/report.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/report/record_parts.hpp>
#include <carom/study/quantity.hpp>

namespace carom::report {
namespace {

using study::OutcomeView;

/// Each vehicle where it is at the impact, the contact at the origin, and its numbers under the
/// law.
void write_vehicle(JsonWriter& out, const OutcomeView& view, std::size_t i) {
  const Vehicle& v = view.system->vehicles->each[i];
  const auto offset = v.to_world(v.impulse_centre);
  const std::vector<double>& u = view.system->u;
  const std::vector<double>& after = *view.after;
  out.begin_object().member("name", v.name);
  out.key("size");
  if (v.size[0] > 0. && v.size[1] > 0.) {
    out.numbers(v.size);
  } else {
    out.null();
  }
  out.key("forward").numbers(std::array{v.forward.x, v.forward.y});
  out.key("mass_centre").numbers(std::array{-offset.x, -offset.y});
  out.key("velocity_before").numbers(std::array{u[3 * i], u[3 * i + 1]});
  out.member("yaw_rate_before", u[3 * i + 2]);
  out.key("velocity_after").numbers(std::array{after[3 * i], after[3 * i + 1]});
  out.member("yaw_rate_after", after[3 * i + 2]);
  for (const char* name :
       {"speed_kmh", "delta_v_kmh", "pdof", "pdof_clock", "yaw_rate", "ees_kmh"}) {
    out.key(name).number(study::value_of(study::find_quantity(name, ""), view, i));
  }
  out.end_object();
}

}  // namespace

std::string vehicles_record(const scenario::Scenario& s, const study::Comparison& c) {
  const study::Answer& answer = c.answers.front();
  const OutcomeView view = view_of(c, answer);
  const Vehicles& vehicles = *c.system.vehicles;
  const auto& n = vehicles.normal;
  const auto& P = answer.outcome.impulse;
  std::string subtitle =
      std::string(answer.law->name) + "; " + coefficients_text(c.problem(), true);
  const double percent =
      study::value_of(study::find_quantity("impulse_ratio_percent", ""), view, 0);
  if (std::isfinite(percent)) {
    constexpr double tenths = 10.;
    subtitle += fmt::format("; impulse ratio {} % of critical",
                            pretty(std::round(tenths * percent) / tenths));
  }
  JsonWriter out;
  begin_picture(out, "vehicles", s, subtitle);
  out.member("law", answer.law->name);
  // The tangent is the normal turned by -90 degrees.
  out.key("normal").numbers(std::array{n.x, n.y});
  out.key("impulse").numbers(std::array{n.x * P[0] + n.y * P[1], n.y * P[0] - n.x * P[1]});
  out.member("barrier", vehicles.each.size() == 1);
  write_note(out, P[0] > 0., c.problem().approach[0], c.answers);
  out.key("vehicles").begin_array();
  for (std::size_t i = 0; i < vehicles.each.size(); ++i) write_vehicle(out, view, i);
  out.end_array().end_object();
  return comparison_json(s, c, picture_member(out));
}

}  // namespace carom::report
