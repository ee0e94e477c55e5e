// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/linkage_reader.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

/// Names first, so that an unknown link is distinguished from one that comes too late.
NamedLinks read_names(const std::vector<Table>& tables) {
  NamedLinks all;
  all.links.resize(tables.size());
  all.lengths.resize(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Table& t = tables[i];
    std::string& name = all.links[i].name;
    name = t.text("name", "link" + std::to_string(i + 1));
    if (name.empty() || name == "ground" ||
        std::find(all.names.begin(), all.names.end(), name) != all.names.end()) {
      t.fail("name", "must be a name of its own, not empty and not 'ground', got '" + name + "'");
    }
    all.names.emplace_back(name);
  }
  return all;
}

void read_link(const Table& t, NamedLinks& all, std::size_t i) {
  t.only({"name", "mass", "length", "inertia", "mass_centre", "parent", "joint", "at", "angle_deg",
          "position", "axis_deg", "rate", "support_velocity"});
  Link& link = all.links[i];
  link.mass = t.number("mass");
  const std::string joint = t.text("joint", "revolute");
  if (joint != "revolute" && joint != "prismatic") {
    t.fail("joint", "must be revolute (a hinge) or prismatic (a slide), got '" + joint + "'");
  }
  link.joint = joint == "revolute" ? JointKind::revolute : JointKind::prismatic;
  if (t.has("length")) all.lengths[i] = t.positive("length");
  const double length = all.lengths[i].value_or(0.);
  link.inertia = t.number("inertia", link.mass * length * length / 12.);
  if (link.joint == JointKind::revolute && !all.lengths[i]) {
    link.mass_centre = t.pair("mass_centre");
  } else {
    link.mass_centre = t.pair("mass_centre", {0.5 * length, 0.});
  }

  const int own = static_cast<int>(i);
  link.parent = all.find(t, "parent", own - 1);
  if (link.parent >= own) {
    t.fail("parent", "must come before '" + link.name + "' in the list, got '" +
                         all.links[static_cast<std::size_t>(link.parent)].name + "'");
  }
  if (link.parent == ground) {
    link.at = t.pair("at", {0., 0.});
  } else if (const auto end = all.end(link.parent); end && !t.has("at")) {
    link.at = *end;
  } else {
    link.at = t.pair("at");
  }
  if (link.joint == JointKind::revolute) {
    t.refuse("axis_deg", "is for prismatic joints");
    t.refuse("position", "is for prismatic joints; give angle_deg");
    t.require("angle_deg", "the link's angle");
    link.position = finite(t, "angle_deg", 0.) * degree;
    if (!all.relative_angles) {
      link.position += all.zero;
    } else if (const auto fixed = all.fixed_angle(link.parent)) {
      link.position += all.zero - *fixed;  // what it hangs on cannot turn: from the zero direction
    }
  } else {
    t.refuse("angle_deg", "is for revolute joints; give axis_deg and position");
    link.axis = finite(t, "axis_deg", 0.) * degree;
    link.position = t.number("position", 0.);
  }
  link.rate = t.number("rate", 0.);
  link.support_velocity = t.pair("support_velocity", {0., 0.});
  if (link.parent != ground) {
    t.refuse("support_velocity", "is for joints to ground; '" + link.name + "' is joined to '" +
                                     all.links[static_cast<std::size_t>(link.parent)].name + "'");
  }
}

}  // namespace

std::optional<std::array<double, 2>> NamedLinks::end(int i) const {
  const auto k = static_cast<std::size_t>(i);
  if (lengths[k]) return std::array{*lengths[k], 0.};
  if (links[k].joint == JointKind::prismatic) return std::array{0., 0.};
  return std::nullopt;
}

std::optional<double> NamedLinks::fixed_angle(int i) const {
  double angle = 0.;
  for (; i != ground; i = links[static_cast<std::size_t>(i)].parent) {
    const Link& link = links[static_cast<std::size_t>(i)];
    if (link.joint == JointKind::revolute) return std::nullopt;
    angle += link.axis;
  }
  return angle;
}

int NamedLinks::find(const Table& t, std::string_view key, int fallback) const {
  const std::string name = t.text(key, "");
  if (!t.has(key)) return fallback;
  if (name == "ground") return ground;
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) {
    std::vector<std::string_view> known = names;
    known.emplace_back("ground");
    t.fail(key, "unknown link '" + name + "'" + did_you_mean(name, known));
  }
  return static_cast<int>(at - names.begin());
}

LinkContact read_link_contact(const Table& t, const NamedLinks& all) {
  t.only({"link", "point", "normal_deg", "against", "line_velocity"});
  LinkContact contact;
  const int striking = all.find(t, "link", static_cast<int>(all.links.size()) - 1);
  if (striking == ground) t.fail("link", "must be a link, got 'ground'");
  contact.link = static_cast<std::size_t>(striking);
  const auto end = all.end(striking);
  contact.point = end && !t.has("point") ? *end : t.pair("point");
  contact.normal = direction(finite(t, "normal_deg", 90.));
  contact.against = all.find(t, "against", ground);
  contact.line_velocity = t.pair("line_velocity", contact.line_velocity);
  return contact;
}

NamedLinks read_links(const Table& t) {
  const std::string angles = t.text("angles", "absolute");
  if (angles != "absolute" && angles != "relative") {
    t.fail("angles", "must be absolute or relative, got '" + angles + "'");
  }
  const std::string zero = t.text("zero_angle", "right");
  if (zero != "right" && zero != "down") {
    t.fail("zero_angle", "must be right or down, got '" + zero + "'");
  }
  const std::vector<Table> tables = t.tables("links");
  if (tables.empty()) t.fail("links", "must have at least one link, got none");
  NamedLinks all = read_names(tables);
  all.relative_angles = angles == "relative";
  all.zero = zero == "right" ? 0. : -90. * degree;
  for (std::size_t i = 0; i < tables.size(); ++i) read_link(tables[i], all, i);
  return all;
}

Linkage read_linkage(const Table& t) {
  t.only({"type", "angles", "zero_angle", "links", "contact"});
  NamedLinks all = read_links(t);
  Linkage l;
  l.relative_angles = all.relative_angles;
  if (t.has("contact")) {
    l.contact = read_link_contact(t.table("contact"), all);
  } else {  // the end of the last link strikes the ground
    const int last = static_cast<int>(all.links.size()) - 1;
    const auto end = all.end(last);
    if (!end) t.require("contact", "a table [system.contact] with the point that strikes");
    l.contact = {.link = static_cast<std::size_t>(last), .point = *end};
  }
  l.links = std::move(all.links);
  return l;
}

}  // namespace carom::scenario
