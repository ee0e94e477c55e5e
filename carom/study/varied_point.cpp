// SPDX-License-Identifier: Apache-2.0
#include <carom/study/varied_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <carom/core/circular.hpp>
#include <carom/core/error.hpp>
#include <carom/mechanics/planar_bodies.hpp>

namespace carom::study {
namespace {

/// A row of the table of names.
struct KnownName {
  std::string_view key;
  std::string_view label;
  std::string_view symbol;
  std::string_view unit;
};

constexpr std::array<std::pair<KnownName, Varies>, 3> derived{{
    {{"approach_ratio", "approach ratio", "vₜ⁻/vₙ⁻", ""}, Varies::approach_ratio},
    {{"slip_ratio", "slip over approach speed", "−vₜ⁻/vₙ⁻", ""}, Varies::slip_ratio},
    {{"incidence_deg", "angle of incidence", "", "deg"}, Varies::incidence},
}};

/// By the last key of the path.
constexpr std::array<KnownName, 68> names{{
    {"restitution", "restitution", "e", ""},
    {"friction", "friction", "μ", ""},
    {"static_friction", "static friction", "μₛ", ""},
    {"tangential_restitution", "tangential restitution", "εₜ", ""},
    {"compliance_ratio", "compliance ratio", "η²", ""},
    {"impulse_ratio", "impulse ratio", "μₜ", ""},
    {"tangential_coefficient", "tangential coefficient", "eₜ", ""},
    {"moment_coefficients", "moment coefficient", "eₘ", ""},
    {"mass", "mass", "", "kg"},
    {"half_length", "half length", "", "m"},
    {"length", "length", "", "m"},
    {"width", "width", "", "m"},
    {"radius", "radius", "", "m"},
    {"inertia", "moment of inertia", "", "kg m²"},
    {"inertia_factor", "inertia factor", "", ""},
    {"angle_deg", "angle", "", "deg"},
    {"angle1_deg", "angle", "θ₁", "deg"},
    {"angle2_deg", "angle", "θ₂", "deg"},
    {"normal_deg", "direction of the normal", "", "deg"},
    {"axis_deg", "direction of the axis", "", "deg"},
    {"velocity", "velocity", "", "m/s"},
    {"velocity[0]", "velocity along x", "", "m/s"},
    {"velocity[1]", "velocity along y", "", "m/s"},
    {"velocity[2]", "velocity along z", "", "m/s"},
    {"spin", "spin", "", "rad/s"},
    {"spin[0]", "spin about x", "", "rad/s"},
    {"spin[1]", "spin about y", "", "rad/s"},
    {"spin[2]", "spin about z", "", "rad/s"},
    {"size[0]", "size along its x", "", "m"},
    {"size[1]", "size along its y", "", "m"},
    {"size[2]", "size along its z", "", "m"},
    {"rate", "rate", "", "rad/s"},
    {"position", "position", "", "m"},
    {"contact_offset[0]", "contact offset along x", "", "m"},
    {"contact_offset[1]", "contact offset along y", "", "m"},
    {"mass_centre[0]", "mass centre along the link", "", "m"},
    {"mass_centre[1]", "mass centre across the link", "", "m"},
    {"point[0]", "contact along the link", "", "m"},
    {"point[1]", "contact across the link", "", "m"},
    {"support_velocity[0]", "support velocity along x", "", "m/s"},
    {"support_velocity[1]", "support velocity along y", "", "m/s"},
    {"contact_offset[2]", "contact offset along z", "", "m"},
    {"moment_ratio[0]", "couple over impulse", "", "m"},
    {"yaw_inertia", "yaw inertia", "", "kg m²"},
    {"contact_angle_deg", "angle of the contact plane", "", "deg"},
    {"heading_deg", "heading", "", "deg"},
    {"course_deg", "direction of travel", "", "deg"},
    {"course_after_deg", "direction of travel after", "", "deg"},
    {"speed_kmh", "speed", "", "km/h"},
    {"speed_mph", "speed", "", "mph"},
    {"speed_after", "speed after", "", "m/s"},
    {"speed_after_kmh", "speed after", "", "km/h"},
    {"speed_after_mph", "speed after", "", "mph"},
    {"yaw_rate", "yaw rate", "", "rad/s"},
    {"yaw_rate_deg", "yaw rate", "", "deg/s"},
    {"yaw_rate_after", "yaw rate after", "", "rad/s"},
    {"yaw_rate_after_deg", "yaw rate after", "", "deg/s"},
    {"impulse_centre[0]", "impulse centre forward", "", "m"},
    {"impulse_centre[1]", "impulse centre to the left", "", "m"},
    {"impulse_distance", "distance of the impulse centre", "", "m"},
    {"impulse_bearing_deg", "bearing of the impulse centre", "", "deg"},
    {"impulse_ratio_percent", "impulse ratio, per cent of critical", "", "%"},
    {"drag_factor", "drag factor", "", ""},
    {"crush_share", "share of the crush energy", "", ""},
    {"crush_energy", "crush energy", "", "J"},
    {"speed", "speed", "", "m/s"},
    {"approach[0]", "normal velocity before", "vₙ⁻", "m/s"},
    {"approach[1]", "slip before", "vₜ⁻", "m/s"},
}};

/// "system.links[1].mass": "mass"; "system.velocity[0]": "velocity[0]".
std::string_view last_key(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

KnownName known_name(std::string_view path) {
  for (const auto& [name, varies] : derived) {
    if (name.key == path) return name;
  }
  const std::string_view key = last_key(path);
  for (const KnownName& name : names) {
    if (name.key == key) return name;
  }
  return {.key = key, .label = key, .symbol = "", .unit = ""};
}

/// The unit of a number at `path`; `given` has it.
std::string unit_of(std::string_view path, const scenario::GivenNumbers& given) {
  return given.slides && given.key == "rate" ? "m/s" : std::string(known_name(path).unit);
}

bool has_nan(const scenario::GivenNumbers& given) {
  return std::any_of(given.rows.begin(), given.rows.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
  });
}

/// The same bits everywhere, unlike std::tan.
double tangent(double angle) {
  const auto [c, s] = cos_sin(angle);
  return s / c;
}

}  // namespace

std::vector<std::string_view> derived_numbers() {
  std::vector<std::string_view> all;
  for (const auto& [name, varies] : derived) all.push_back(name.key);
  return all;
}

Varies what_varies(const scenario::VariedNumber& number) {
  if (number.path.starts_with("system.")) return Varies::system;
  if (number.path.starts_with("surface.") || number.path.starts_with("surfaces.")) {
    return Varies::surface;
  }
  for (const auto& [name, varies] : derived) {
    if (name.key != number.path) continue;
    const auto [from, to] = std::pair{number.from, number.to};
    if (varies == Varies::incidence && !(std::abs(from) < 90. && std::abs(to) < 90.)) {
      throw InputError(
          number.field,
          "incidence_deg must be in (-90, 90), got " + shortest(from) + " to " + shortest(to),
          number.place);
    }
    return varies;
  }
  throw InputError(number.field,
                   "must vary a number of [system] or [surface] by its dotted path, such as "
                   "system.angle_deg or surface.friction, or approach_ratio, slip_ratio or "
                   "incidence_deg; got '" +
                       number.path + "'",
                   number.place);
}

NumberName name_of(const scenario::VariedNumber& number, const std::string& text,
                   const std::string& name) {
  const KnownName known = known_name(number.path);
  NumberName called{.label = std::string(known.label),
                    .symbol = std::string(known.symbol),
                    .unit = std::string(known.unit)};
  for (const auto& [derived_name, varies] : derived) {
    if (derived_name.key == number.path) return called;
  }
  // A path may give a link or body by its index. The number that it refers to has the name.
  scenario::Variation scenario(text, name);
  scenario.number(number.path) = std::numeric_limits<double>::quiet_NaN();
  for (const char* table : {"surface", "surfaces", "system"}) {
    for (const scenario::GivenNumbers& given : scenario.numbers(table)) {
      if (!has_nan(given)) continue;
      called.unit = unit_of(number.path, given);
      if (!given.of.empty()) called.label += " of " + given.of;
    }
  }
  return called;
}

std::vector<FixedNumbers> fixed_numbers(const std::string& text, const std::string& name,
                                        const std::vector<scenario::VariedNumber>& varied) {
  scenario::Variation scenario(text, name);
  for (const scenario::VariedNumber& number : varied) {
    if (sets_slip(what_varies(number))) continue;
    scenario.number(number.path) = std::numeric_limits<double>::quiet_NaN();
  }
  // Coordinates of a generalized system have units of their own.
  const bool units = scenario.system_type() != "generalized";
  std::vector<FixedNumbers> all;
  for (const char* table : {"surface", "surfaces", "system"}) {
    for (scenario::GivenNumbers& given : scenario.numbers(table)) {
      if (given.depth == 0 && std::isnan(given.rows.front().front())) continue;
      const KnownName called = known_name(given.path);
      const bool by_entries = called.label == given.key && given.depth > 0;
      std::string unit = unit_of(by_entries ? given.path + "[0]" : given.path, given);
      FixedNumbers fixed{.path = std::move(given.path),
                         .of = std::move(given.of),
                         .label = std::string(called.label),
                         .symbol = std::string(called.symbol),
                         .unit = units && given.depth < 2 ? std::move(unit) : "",
                         .depth = given.depth,
                         .rows = std::move(given.rows)};
      std::replace(fixed.label.begin(), fixed.label.end(), '_', ' ');
      all.push_back(std::move(fixed));
    }
  }
  return all;
}

VariedPoint::VariedPoint(const std::string& text, const std::string& name,
                         std::vector<scenario::VariedNumber> numbers)
    : text_(text), name_(name), variation_(text, name) {
  // Of two axes it is both.
  const std::string two = numbers.size() == 2 ? "both axes" : "two axes";
  planar_ = variation_.is_planar();
  for (scenario::VariedNumber& asked : numbers) {
    Number n{.asked = std::move(asked)};
    n.varies = what_varies(n.asked);
    const auto refuse = [&](const std::string& problem) {
      throw InputError(n.asked.field, problem, n.asked.place);
    };
    if (!planar_ && study::sets_slip(n.varies)) {
      refuse(n.asked.path + " is of one contact in the plane; vary the velocities themselves");
    }
    if (study::sets_slip(n.varies)) {
      if (slip_varies_) refuse(two + " set the slip of the approach");
      slip_varies_ = true;
    } else {
      try {
        n.number = &variation_.number(n.asked.path);
      } catch (const InputError& e) {
        refuse((e.field().empty() ? "" : e.field() + ": ") + e.problem());
      }
      for (const Number& other : numbers_) {
        if (other.number == n.number) refuse(two + " vary " + n.asked.path);
      }
    }
    numbers_.push_back(std::move(n));
  }
  for (Number& n : numbers_) set(n, n.asked.from);
}

void VariedPoint::throw_if_wrong_anyway(const std::string& field) const {
  try {
    (void)scenario::parse(text_, name_);
  } catch (const InputError& e) {
    if (e.field() == field) throw;
  }
}

void VariedPoint::blame_numbers(Varies part, const InputError& e) const {
  const std::string prefix = part == Varies::system ? "system." : "surface.";
  const bool whole = e.field().empty() || e.field().starts_with(prefix) ||
                     (part == Varies::surface && e.field().starts_with("surfaces"));
  const std::string field = whole ? e.field() : prefix + e.field();
  const Number* guilty = nullptr;
  std::string values;
  for (const Number& n : numbers_) {
    const bool changes = n.varies == part || (part == Varies::system && study::sets_slip(n.varies));
    if (!changes) continue;
    // The one that the error names, or else the first.
    if (guilty == nullptr || n.asked.path == field) guilty = &n;
    values += (values.empty() ? "" : ", ") + n.asked.path + " = " + shortest(n.value);
  }
  if (guilty == nullptr) throw InputError(e);
  if (guilty->asked.path != field) throw_if_wrong_anyway(field);
  throw InputError(guilty->asked.field,
                   (field.empty() ? "" : field + ": ") + e.problem() + " (at " + values + ")",
                   guilty->asked.place);
}

void VariedPoint::set(Number& n, double value) {
  n.value = value;
  if (n.number == nullptr) return;
  *n.number = value;
  impact_.reset();
  if (n.varies == Varies::system) {
    system_.reset();
  } else {
    surface_.reset();
  }
}

const SystemPoint& VariedPoint::system() {
  if (!system_) {
    try {
      const SystemPoint point = system_point(variation_.system(), slip_varies_);
      validate(point.problem({}, slip(point)));
      system_ = point;
    } catch (const InputError& e) {
      blame_numbers(Varies::system, e);
    }
  }
  return *system_;
}

const Surface& VariedPoint::surface() {
  if (!surface_) {
    try {
      surface_ = variation_.surface();
    } catch (const InputError& e) {
      blame_numbers(Varies::surface, e);
    }
  }
  return *surface_;
}

const SystemAtImpact& VariedPoint::impact() {
  if (!impact_) {
    try {
      impact_ = variation_.impact();
    } catch (const InputError& e) {
      blame_numbers(e.field().starts_with("surface") ? Varies::surface : Varies::system, e);
    }
  }
  return *impact_;
}

scenario::Scenario VariedPoint::scenario() {
  if (planar_) {  // which name the axis that is to blame
    (void)surface();
    (void)system();
  } else {
    (void)impact();
  }
  return variation_.scenario();
}

double VariedPoint::slip(const SystemPoint& system) const {
  const Vec2& v = system.contact.approach;
  for (const Number& n : numbers_) {
    switch (n.varies) {
      case Varies::approach_ratio:
        return n.value * v.n + 0.;  // no -0
      case Varies::slip_ratio:
        return -n.value * v.n + 0.;
      case Varies::incidence:
        return -tangent(n.value * degree) * v.n + 0.;
      default:
        break;
    }
  }
  return v.t;
}

PlanarProblem VariedPoint::problem() {
  const SystemPoint& point = system();
  return point.problem(surface(), slip(point));
}

}  // namespace carom::study
