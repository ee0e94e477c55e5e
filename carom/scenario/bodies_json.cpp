// SPDX-License-Identifier: Apache-2.0
// Bodies that strike, in a line of JSON.
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <carom/scenario/json_values.hpp>

namespace carom::scenario::json {
namespace {

/// Two numbers in world axes.
std::array<double, 2> world_pair(const element& value, const std::string& field) {
  const array a = items(value, field, "an array [x, y]");
  if (a.size() != 2) {
    throw InputError(field, "must have 2 numbers (x, y), got " + std::to_string(a.size()));
  }
  return {entry(a.at(0).value_unsafe(), field, 0), entry(a.at(1).value_unsafe(), field, 1)};
}

FreeBody planar_body(const element& value, const std::string& field) {
  FreeBody b;
  read_body(value, field, [&](std::string_view key, const element& item, const std::string& name) {
    if (key == "mass") b.mass = number(item, name);
    if (key == "inertia") b.inertia = number(item, name);
    if (key == "contact_offset") b.contact_offset = world_pair(item, name);
    if (key == "velocity") b.velocity = world_pair(item, name);
    if (key == "spin") b.spin = number(item, name);
  });
  return b;
}

/// Where the frame's tangent is the normal turned by +90 degrees, not by -90, tangential components
/// change sign.
SystemAtImpact in_plane(const array& list, const element& frame) {
  static constexpr std::array<std::string_view, 2> known = {"normal", "tangent1"};
  TwoBodies s;
  s.first = planar_body(list.at(0).value_unsafe(), "bodies[0]");
  if (list.size() == 2) s.second = planar_body(list.at(1).value_unsafe(), "bodies[1]");
  std::optional<std::array<double, 2>> normal;
  std::optional<std::array<double, 2>> tangent;
  for (const auto& [key, item] : members(frame, "frame")) {
    if (key == "normal") {
      normal = world_pair(item, "frame.normal");
    } else if (key == "tangent1") {
      tangent = world_pair(item, "frame.tangent1");
    } else {
      unknown_key("frame.", key, known);
    }
  }
  if (!normal) throw InputError("frame.normal", "is missing");
  s.normal = unit_vector(*normal, "frame.normal");
  double hand = 1.;
  if (tangent) {
    const auto t = unit_vector(*tangent, "frame.tangent1");
    const auto own = tangent_of(s.normal);
    constexpr double six_digits = 1e-6;
    hand = t[0] * own[0] + t[1] * own[1];
    if (!(std::abs(hand) >= 1. - six_digits)) {
      throw InputError("frame.tangent1", "must be the normal turned by -90 or +90 degrees");
    }
  }
  return at_impact(s, hand < 0.);
}

World3 world_triple(const element& value, std::string_view field) {
  return numbers<3>(value, field, "an array [x, y, z]");
}

Mat3 matrix3(const element& value, std::string_view field) {
  const array rows = items(value, field, "an array of rows");
  if (rows.size() != 3) {
    throw InputError(std::string(field),
                     "must be 3 x 3, got " + std::to_string(rows.size()) + " rows");
  }
  Mat3 m{};
  std::size_t i = 0;
  for (const element row : rows) m[i++] = numbers<3>(row, field, "an array of rows");
  return m;
}

SpatialBody spatial_body(const element& value, const std::string& field) {
  SpatialBody b;
  read_body(value, field, [&](std::string_view key, const element& item, const std::string& name) {
    if (key == "mass") b.mass = number(item, name);
    if (key == "inertia") b.inertia = matrix3(item, name);
    if (key == "contact_offset") b.contact_offset = world_triple(item, name);
    if (key == "velocity") b.velocity = world_triple(item, name);
    if (key == "spin") b.spin = world_triple(item, name);
  });
  return b;
}

/// The normal alone, with tangent1, or all three.
ContactFrame spatial_frame(const element& value) {
  static constexpr std::array<std::string_view, 3> known = {"normal", "tangent1", "tangent2"};
  std::array<std::optional<World3>, 3> given;
  for (const auto& [key, item] : members(value, "frame")) {
    const auto at = std::find(known.begin(), known.end(), key);
    if (at == known.end()) unknown_key("frame.", key, known);
    given[static_cast<std::size_t>(at - known.begin())] =
        world_triple(item, "frame." + std::string(key));
  }
  if (!given[0]) throw InputError("frame.normal", "is missing");
  if (*given[0] == World3{}) throw InputError("frame.normal", "must have length 1, got 0");
  if (!given[1] && given[2]) throw InputError("frame.tangent1", "is missing");
  ContactFrame f{.normal = *given[0], .tangent1 = {}, .tangent2 = {}};
  if (!given[1]) {
    const ContactFrame usual = frame_of(f.normal);
    f.tangent1 = usual.tangent1;
    f.tangent2 = usual.tangent2;
  } else {
    f.tangent1 = *given[1];
    f.tangent2 = given[2] ? *given[2] : cross(f.normal, f.tangent1);
  }
  return checked(f, "frame.");
}

SystemAtImpact in_space(const array& list, const element& frame) {
  SpatialBodies s;
  s.first = spatial_body(list.at(0).value_unsafe(), "bodies[0]");
  if (list.size() == 2) s.second = spatial_body(list.at(1).value_unsafe(), "bodies[1]");
  s.frame = spatial_frame(frame);
  return at_impact(s, "frame.");
}

}  // namespace

bool bodies_in_space(const Members& m) {
  object frame;
  if (m.frame && m.frame->get(frame) == simdjson::SUCCESS &&
      frame.at_key("tangent2").error() == simdjson::SUCCESS) {
    return true;
  }
  array bodies;
  object first;
  element offset;
  if (!m.bodies || m.bodies->get(bodies) != simdjson::SUCCESS || bodies.size() == 0) return false;
  return bodies.at(0).value_unsafe().get(first) == simdjson::SUCCESS &&
         first.at_key("contact_offset").get(offset) == simdjson::SUCCESS && size_of(offset) == 3;
}

SystemAtImpact read_bodies(const Members& m, bool spatial) {
  const array list = one_or_two(require(m.bodies, "bodies"));
  const element& frame = require(m.frame, "frame");
  return spatial ? in_space(list, frame) : in_plane(list, frame);
}

}  // namespace carom::scenario::json
