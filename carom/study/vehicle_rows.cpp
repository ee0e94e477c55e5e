// SPDX-License-Identifier: Apache-2.0
// Quantities of vehicles that collide, in the words of crash reconstruction.
#include <algorithm>
#include <array>
#include <cmath>

#include <carom/impact/one_contact.hpp>
#include <carom/impact/outcome_words.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/vehicles.hpp>
#include <carom/study/quantity_rows.hpp>

namespace carom::study {
namespace {

using View = OutcomeView;
using shapes::plane::Point;

constexpr double kmh = 1. / 3.6;        ///< [m/s]
constexpr double mph = 0.44704;         ///< [m/s]
constexpr std::size_t coordinates = 3;  ///< of each vehicle: v_x, v_y, yaw rate

const Vehicle& vehicle(const View& v, std::size_t i) { return v.system->vehicles->each[i]; }

Point velocity_in(const std::vector<double>& u, std::size_t i) {
  return {u[coordinates * i], u[coordinates * i + 1]};
}

// Each returns not-a-number where the velocities after are not known.

Point after(const View& v, std::size_t i) {
  return v.after != nullptr ? velocity_in(*v.after, i) : Point{undefined, undefined};
}
Point before(const View& v, std::size_t i) { return velocity_in(v.system->u, i); }

/// Change of velocity in the vehicle's own axes.
Point own_delta_v(const View& v, std::size_t i) {
  return vehicle(v, i).to_own(after(v, i) - before(v, i));
}

/// Direction of travel, counter-clockwise from east, in (-180, 180].
double course_of(const Point& velocity) {
  if (velocity == Point{}) return undefined;
  const double angle = std::atan2(velocity.y, velocity.x) / degree;
  return angle <= -180. ? 180. : angle;
}

double speed(const View& v, std::size_t i) { return length(after(v, i)); }
double speed_before(const View& v, std::size_t i) { return length(before(v, i)); }
double course(const View& v, std::size_t i) { return course_of(after(v, i)); }
double course_before(const View& v, std::size_t i) { return course_of(before(v, i)); }
double delta_v(const View& v, std::size_t i) { return length(own_delta_v(v, i)); }
double delta_v_forward(const View& v, std::size_t i) { return own_delta_v(v, i).x; }
double delta_v_left(const View& v, std::size_t i) { return own_delta_v(v, i).y; }

template <double (*get)(const View&, std::size_t)>
double in_kmh(const View& v, std::size_t i) {
  return get(v, i) / kmh;
}
template <double (*get)(const View&, std::size_t)>
double in_mph(const View& v, std::size_t i) {
  return get(v, i) / mph;
}

double pdof(const View& v, std::size_t i) { return principal_direction(own_delta_v(v, i)); }
double pdof_clock(const View& v, std::size_t i) { return clock_direction(pdof(v, i)); }

double yaw_rate(const View& v, std::size_t i) {
  return v.after != nullptr ? (*v.after)[coordinates * i + 2] / degree : undefined;
}
double yaw_rate_before(const View& v, std::size_t i) {
  return v.system->u[coordinates * i + 2] / degree;
}

/// E_i = m_i EES^2/2, E_i the vehicle's share of the energy lost.
double ees(const View& v, std::size_t i) {
  const double lost = std::max(0., -v.outcome->energy.change);
  return std::sqrt(2. * vehicle(v, i).crush_share * lost / vehicle(v, i).mass);
}

/// v^2/(2 f g): to rest along a straight line at a constant deceleration. Rotation is left out.
double travel(const View& v, std::size_t i) {
  const double f = vehicle(v, i).drag_factor;
  return f > 0. ? speed(v, i) * speed(v, i) / (2. * f * standard_gravity) : undefined;
}

// Of the mass centres, relative to each other or to the barrier.
bool has_two(const View& v) { return v.system->vehicles->each.size() > 1; }
double closing_speed(const View& v, std::size_t) {
  return length(after(v, 0) - (has_two(v) ? after(v, 1) : Point{}));
}
double closing_speed_before(const View& v, std::size_t) {
  return length(before(v, 0) - (has_two(v) ? before(v, 1) : Point{}));
}

/// mu_t over Brach's critical ratio, at the restitution that is found.
double ratio_percent(const View& v, std::size_t) {
  double ratio = undefined;
  double critical = undefined;
  for (const BrachEntry& e : brach_entries(*v.problem, *v.outcome)) {
    if (e.size != 1 || !e.values[0]) continue;
    if (e.key == "impulse_ratio") ratio = *e.values[0];
    if (e.key == "critical_impulse_ratio") critical = *e.values[0];
  }
  return critical != 0. ? 100. * ratio / critical : undefined;
}

// --- speeds before from velocities after --------------------------------------------------------

const SpeedsFound* found(const View& v) {
  const auto& f = v.system->vehicles->found;
  return f ? &*f : nullptr;
}

double speed_sd(const View& v, std::size_t i) {
  return found(v) != nullptr ? found(v)->speed_sd[i].value_or(undefined) : undefined;
}
double condition(const View& v, std::size_t) {
  return found(v) != nullptr ? found(v)->condition : undefined;
}
double momentum_left(const View& v, std::size_t) {
  return found(v) != nullptr ? found(v)->momentum_left : undefined;
}
/// I (measured yaw rate after - that which the impulse at the impulse centre gives).
double angular_momentum_left(const View& v, std::size_t i) {
  if (found(v) == nullptr || !found(v)->yaw_rate_after[i]) return undefined;
  return vehicle(v, i).yaw_inertia * (*found(v)->yaw_rate_after[i] - yaw_rate(v, i) * degree);
}

constexpr auto files = Shown::files;
constexpr auto nowhere = Shown::nowhere;

constexpr std::array table{
    Quantity{.name = "closing_speed",
             .label = "closing speed",
             .unit = "m/s",
             .meaning = "speed of the vehicles' mass centres relative to each other",
             .over = Over::crash,
             .get = closing_speed,
             .before = closing_speed_before,
             .several = nowhere,
             .ruled = true},
    Quantity{.name = "impulse_ratio_percent",
             .label = "impulse ratio, % of critical",
             .unit = "%",
             .meaning = "impulse ratio in per cent of Brach's critical ratio, at which slip ends",
             .over = Over::crash,
             .get = ratio_percent,
             .several = nowhere,
             .column = "impulse_ratio"},
    Quantity{.name = "speed",
             .label = "speed",
             .unit = "m/s",
             .meaning = "speed of a vehicle after",
             .over = Over::vehicle,
             .get = speed,
             .before = speed_before},
    Quantity{.name = "speed_kmh",
             .label = "speed",
             .unit = "km/h",
             .meaning = "speed of a vehicle after",
             .over = Over::vehicle,
             .get = in_kmh<speed>,
             .before = in_kmh<speed_before>,
             .column = "speed"},
    Quantity{.name = "speed_mph",
             .label = "speed",
             .unit = "mph",
             .meaning = "speed of a vehicle after",
             .over = Over::vehicle,
             .get = in_mph<speed>,
             .before = in_mph<speed_before>,
             .shown = nowhere,
             .column = "speed"},
    Quantity{.name = "speed_before",
             .label = "speed before",
             .unit = "m/s",
             .meaning = "speed of a vehicle before: given, or found",
             .over = Over::vehicle,
             .get = speed_before,
             .shown = nowhere,
             .several = nowhere},
    Quantity{.name = "speed_before_kmh",
             .label = "speed before",
             .unit = "km/h",
             .meaning = "speed of a vehicle before: given, or found",
             .over = Over::vehicle,
             .get = in_kmh<speed_before>,
             .shown = nowhere,
             .several = nowhere},
    Quantity{.name = "speed_before_mph",
             .label = "speed before",
             .unit = "mph",
             .meaning = "speed of a vehicle before: given, or found",
             .over = Over::vehicle,
             .get = in_mph<speed_before>,
             .shown = nowhere,
             .several = nowhere},
    Quantity{.name = "closing_speed_before",
             .label = "closing speed before",
             .unit = "m/s",
             .meaning = "closing speed before",
             .over = Over::crash,
             .get = closing_speed_before,
             .shown = nowhere,
             .several = nowhere},
    Quantity{.name = "speed_sd",
             .label = "deviation of the speed before",
             .unit = "m/s",
             .meaning = "standard deviation of the speed before, found from velocities after",
             .over = Over::vehicle,
             .get = speed_sd,
             .if_any = true},
    Quantity{.name = "course",
             .label = "direction of travel",
             .unit = "deg",
             .meaning = "direction of travel after, counter-clockwise from east",
             .over = Over::vehicle,
             .get = course,
             .before = course_before},
    Quantity{.name = "delta_v",
             .label = "delta-V",
             .symbol = "ΔV",
             .unit = "m/s",
             .meaning = "change of a vehicle's velocity",
             .over = Over::vehicle,
             .get = delta_v},
    Quantity{.name = "delta_v_kmh",
             .label = "delta-V",
             .symbol = "ΔV",
             .unit = "km/h",
             .meaning = "change of a vehicle's velocity",
             .over = Over::vehicle,
             .get = in_kmh<delta_v>,
             .column = "delta_v"},
    Quantity{.name = "delta_v_mph",
             .label = "delta-V",
             .symbol = "ΔV",
             .unit = "mph",
             .meaning = "change of a vehicle's velocity",
             .over = Over::vehicle,
             .get = in_mph<delta_v>,
             .shown = nowhere,
             .column = "delta_v"},
    Quantity{.name = "delta_v_forward",
             .label = "delta-V forward",
             .unit = "m/s",
             .meaning = "change of velocity along the vehicle's axis, positive forward",
             .over = Over::vehicle,
             .get = delta_v_forward,
             .shown = files},
    Quantity{.name = "delta_v_left",
             .label = "delta-V to the left",
             .unit = "m/s",
             .meaning = "change of velocity across the vehicle, positive to its left",
             .over = Over::vehicle,
             .get = delta_v_left,
             .shown = files},
    Quantity{.name = "pdof",
             .label = "PDOF",
             .unit = "deg",
             .meaning = "principal direction of force: 0 from ahead, clockwise, 90 from the right",
             .over = Over::vehicle,
             .get = pdof},
    Quantity{
        .name = "pdof_clock",
        .label = "PDOF by the clock",
        .meaning = "principal direction of force by the clock: 12 from ahead, 3 from the right",
        .over = Over::vehicle,
        .get = pdof_clock},
    Quantity{.name = "yaw_rate",
             .label = "yaw rate",
             .unit = "deg/s",
             .meaning = "yaw rate after, positive counter-clockwise",
             .over = Over::vehicle,
             .get = yaw_rate,
             .before = yaw_rate_before},
    Quantity{.name = "ees",
             .label = "EES",
             .unit = "m/s",
             .meaning = "energy equivalent speed: m EES^2/2 is the vehicle's share of the energy "
                        "lost",
             .over = Over::vehicle,
             .get = ees,
             .shown = files},
    Quantity{.name = "ees_kmh",
             .label = "EES",
             .unit = "km/h",
             .meaning = "energy equivalent speed: m EES^2/2 is the vehicle's share of the energy "
                        "lost",
             .over = Over::vehicle,
             .get = in_kmh<ees>,
             .column = "ees"},
    Quantity{.name = "travel",
             .label = "travel to rest",
             .unit = "m",
             .meaning = "distance to rest after the impact at the vehicle's drag factor",
             .over = Over::vehicle,
             .get = travel},
    Quantity{.name = "condition",
             .label = "condition number",
             .meaning = "condition number of the equations for the speeds before",
             .over = Over::crash,
             .get = condition,
             .several = nowhere,
             .ruled = true,
             .if_any = true},
    Quantity{.name = "momentum_left",
             .label = "linear momentum out of balance",
             .unit = "N s",
             .meaning = "linear momentum that speeds found from velocities after leave over",
             .over = Over::crash,
             .get = momentum_left,
             .several = nowhere,
             .if_any = true},
    Quantity{.name = "angular_momentum_left",
             .label = "angular momentum out of balance",
             .unit = "N m s",
             .meaning = "yaw inertia times the measured yaw rate after minus that of the impulse",
             .over = Over::vehicle,
             .get = angular_momentum_left,
             .if_any = true},
};

}  // namespace

std::span<const Quantity> vehicle_quantities() { return table; }

}  // namespace carom::study
