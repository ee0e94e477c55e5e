// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/model_at_impact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/contact_frame.hpp>

namespace carom {
namespace {

// Velocities of a free body: those of its mass centre, then its spins.
constexpr std::size_t in_plane = 3;
constexpr std::size_t in_space = 6;

World3 triple(const ContactMotion& m, Eigen::Index row, Eigen::Index column) {
  return {m.W(row, column), m.W(row + 1, column), m.W(row + 2, column)};
}

World3 sum(const World3& a, double k, const World3& b) {
  return {a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]};
}

/// Where a contact in space lies, from the mass centre of the body whose rows of W begin at `row`.
/// They are the directions d and their moments r x d: r = d0 x (r x d0) + n (r x d1).d2.
World3 arm(const ContactMotion& m, Eigen::Index row) {
  const World3 across = cross(triple(m, row, 0), triple(m, row + 3, 0));
  return sum(across, dot(triple(m, row + 3, 1), triple(m, row, 2)), triple(m, 0, 0));
}

/// A contact and its place from the mass centre of the first body. In the plane the rows of W are
/// n, r x n and t, r x t: r = (r x n) t - (r x t) n.
struct Located {
  ContactId id{};
  double gap = 0.;
  World3 normal{};
  World3 at{};
};

Located located(const Model& model, const NearContact& near, const State& state, ContactMotion& m) {
  model.contact(near.id, state, m);
  Located c{.id = near.id, .gap = near.gap};
  if (m.ranges[0].size == in_plane && model.components() == 2) {
    c.normal = {m.W(0, 0), m.W(1, 0), 0.};
    const double along = m.W(2, 0), down = m.W(2, 1);  // r x n and r x t
    c.at = {along * m.W(0, 1) - down * m.W(0, 0), along * m.W(1, 1) - down * m.W(1, 0), 0.};
  } else if (m.ranges[0].size == in_space) {
    c.normal = triple(m, 0, 0);
    c.at = arm(m, 0);
  }
  return c;
}

/// Keeps what touches along the normal of least overlap. Where bodies overlap a little, so do sides
/// that are flush: corners that lie on them have no gap, but nothing there is pressed.
void keep_least_overlap(std::vector<Located>& contacts, double distance, double rounding) {
  double least = std::numeric_limits<double>::infinity();
  for (const Located& c : contacts) least = std::min(least, std::abs(c.gap - distance));
  std::vector<World3> normals;
  for (const Located& c : contacts) {
    if (std::abs(c.gap - distance) <= least + rounding) normals.push_back(c.normal);
  }
  constexpr double same_side = 0.9;  // cosine
  std::erase_if(contacts, [&](const Located& c) {
    return std::none_of(normals.begin(), normals.end(),
                        [&](const World3& n) { return dot(n, c.normal) > same_side; });
  });
}

/// Of points that count as one the first stays.
void keep_one_of_each(std::vector<Located>& contacts, double closest) {
  std::vector<Located> kept;
  for (const Located& c : contacts) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const Located& k) {
      return length(sum(k.at, -1., c.at)) <= closest;
    });
    if (!known) kept.push_back(c);
  }
  contacts = std::move(kept);
}

void go_round(std::vector<Located>& contacts) {
  World3 axis = contacts.front().normal;
  const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
  if (*std::max_element(axis.begin(), axis.end(), larger) < 0.) {
    axis = {-axis[0], -axis[1], -axis[2]};
  }
  const ContactFrame f = frame_of(axis);
  World3 middle{};
  for (const Located& c : contacts)
    middle = sum(middle, 1. / static_cast<double>(contacts.size()), c.at);
  const auto angle = [&](const Located& c) {
    const World3 d = sum(c.at, -1., middle);
    return std::atan2(dot(f.tangent2, d), dot(f.tangent1, d));
  };
  std::sort(contacts.begin(), contacts.end(),
            [&](const Located& a, const Located& b) { return angle(a) < angle(b); });
  constexpr World3 along{0.48, 0.6, 0.64};  // no side of an ordinary scene lies across it
  std::rotate(contacts.begin(),
              std::min_element(contacts.begin(), contacts.end(),
                               [&](const Located& a, const Located& b) {
                                 return dot(along, a.at) < dot(along, b.at);
                               }),
              contacts.end());
}

/// Puts the contacts of a pair in order.
void sort(std::vector<Located>& contacts, bool of_space) {
  if (contacts.size() < 2) return;
  if (of_space) return go_round(contacts);
  const World3& n = contacts.front().normal;
  const World3 tangent{n[1], -n[0], 0.};
  std::stable_sort(contacts.begin(), contacts.end(), [&](const Located& a, const Located& b) {
    return dot(tangent, a.at) < dot(tangent, b.at);
  });
}

/// Makes the tangents those of frame_of.
void turn_tangents(ContactMotion& m) {
  const ContactFrame f = frame_of(triple(m, 0, 0));
  if (f.tangent1 == triple(m, 0, 1)) return;
  const std::array<World3, 2> tangents = {f.tangent1, f.tangent2};
  World3 v{};
  for (Eigen::Index k = 1; k < 3; ++k) v = sum(v, m.velocity(k), triple(m, 0, k));
  const std::array<World3, 2> arms = {arm(m, 0),
                                      m.ranges[1].size > 0 ? arm(m, ix(in_space)) : World3{}};
  for (Eigen::Index k = 1; k < 3; ++k) {
    const World3& d = tangents[static_cast<std::size_t>(k - 1)];
    for (Eigen::Index row = 0; row < m.W.rows(); row += ix(in_space)) {
      const double side = row == 0 ? 1. : -1.;
      const World3 moment = cross(arms[row == 0 ? 0 : 1], d);
      for (std::size_t i = 0; i < 3; ++i) {
        m.W(row + ix(i), k) = side * d[i];
        m.W(row + ix(i) + 3, k) = side * moment[i];
      }
    }
    m.velocity(k) = dot(d, v);
  }
}

}  // namespace

std::vector<ContactId> touching(const Model& model, const State& state, double tolerance) {
  std::vector<BodyPair> pairs;
  // The smallest length of a body is at most twice its bounding radius, of which the scale is the
  // largest.
  model.near_pairs(state, 2. * tolerance * model.length_scale(), pairs);
  std::stable_partition(pairs.begin(), pairs.end(),
                        [&](const BodyPair& p) { return !model.describe(p).on_ground; });
  std::vector<ContactId> all;
  std::vector<NearContact> near;
  std::vector<Located> found;
  ContactMotion motion;
  for (const BodyPair& pair : pairs) {
    const PairDescription words = model.describe(pair);
    const double reach = tolerance * words.smallest_length;
    model.touching_contacts(pair, state, reach, near);
    double gap = model.distance(pair, state);
    if (!std::isfinite(gap)) {  // the contacts alone say all
      for (const NearContact& n : near) gap = std::min(gap, n.gap);
    }
    const auto refuse = [&](const std::string& what, const std::string& why) {
      throw InputError(
          "bodies[" + std::to_string(words.on_ground ? pair.first : pair.second) + "].position",
          what +
              (words.on_ground ? "the " + std::string(words.names[1])
                               : "'" + std::string(words.names[0]) + "'") +
              why);
    };
    if (gap < -reach) refuse("overlaps ", " by " + shortest(-gap) + " m");
    found.clear();
    for (const NearContact& n : near) {
      if (n.in_range && std::abs(n.gap) <= reach) found.push_back(located(model, n, state, motion));
    }
    constexpr double few_roundings = 1e-12;
    if (gap < 0. && found.size() > 1) {
      keep_least_overlap(found, gap, few_roundings * words.smallest_length);
    }
    if (std::any_of(found.begin(), found.end(),
                    [&](const Located& c) { return dot(c.normal, found.front().normal) < 0.; })) {
      refuse("is end to end with ",
             ", both without width, so that their normal is not determined; give "
             "[[system.contacts]]");
    }
    constexpr double few = 3.;
    keep_one_of_each(found, few * reach);
    sort(found, model.components() == 3);
    for (const Located& c : found) all.push_back(c.id);
  }
  return all;
}

std::vector<std::string> names_of(const Model& model, std::span<const ContactId> contacts) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contacts.size();) {
    std::size_t end = i;
    while (end < contacts.size() && contacts[end].pair == contacts[i].pair) ++end;
    const PairDescription words = model.describe(contacts[i].pair);
    const std::string pair = std::string(words.names[0]) + "-" + std::string(words.names[1]);
    for (std::size_t k = i; k < end; ++k) {
      if (words.names[0].empty()) {
        names.push_back(model.contact_name(contacts[k]));
      } else {
        names.push_back(end == i + 1 ? pair : pair + " " + std::to_string(k - i + 1));
      }
    }
    i = end;
  }
  return names;
}

SystemAtImpact at_impact(const Model& model, const State& state,
                         std::span<const ContactId> contacts, bool frictionless) {
  SystemAtImpact c;
  if (contacts.empty()) return c;
  c.names = names_of(model, contacts);
  const std::size_t components = frictionless ? 1 : model.components();
  c.u.assign(state.u.begin(), state.u.end());
  for (std::size_t i = 0; i < model.velocities(); ++i) {
    c.coordinates.push_back({model.velocity_name(i), std::string(model.velocity_unit(i)) + "/s"});
  }
  MassMatrix M(model.blocks());
  Vector h(ix(model.velocities()));
  model.dynamics(state, M, h);
  std::vector<Eigen::Triplet<double>> mass;
  for (std::size_t b = 0; b < M.blocks().size(); ++b) {
    const auto& [begin, size] = M.blocks()[b];
    for (std::size_t i = 0; i < size * size; ++i) {
      const double x = M.block(b)[i];
      if (x != 0.) {
        mass.emplace_back(static_cast<int>(begin + i / size), static_cast<int>(begin + i % size),
                          x);
      }
    }
  }
  // At u = 0 a contact has the velocity of its support alone, without rounding.
  State still = state;
  still.u.setZero();
  std::vector<Eigen::Triplet<double>> directions;
  ContactMotion motion;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    model.contact(contacts[i], still, motion);
    if (motion.ranges[0].size == in_space && model.components() == 3) turn_tangents(motion);
    for (std::size_t k = 0; k < components; ++k) {
      Eigen::Index row = 0;
      for (const auto& [begin, size] : motion.ranges) {
        for (std::size_t j = 0; j < size; ++j, ++row) {
          const double x = motion.W(row, ix(k));
          if (x != 0.) {
            directions.emplace_back(static_cast<int>(begin + j),
                                    static_cast<int>(components * i + k), x);
          }
        }
      }
      c.support_velocity.push_back(-motion.velocity(ix(k)));
    }
  }
  if (std::all_of(c.support_velocity.begin(), c.support_velocity.end(),
                  [](double v) { return v == 0.; })) {
    c.support_velocity.clear();
  }
  c.M.resize(ix(model.velocities()), ix(model.velocities()));
  c.M.setFromTriplets(mass.begin(), mass.end());
  c.W.resize(ix(model.velocities()), ix(components * contacts.size()));
  c.W.setFromTriplets(directions.begin(), directions.end());
  return reduced(std::move(c), components);
}

void require_contact(const Model& model, const State& state, const World3& normal,
                     const World3& offset) {
  constexpr double six_digits = 1e-6;
  const std::vector<ContactId> contacts = touching(model, state, six_digits);
  if (contacts.size() != 1) {
    throw InputError("bodies", "must touch in one point to move on from this impact, got " +
                                   std::to_string(contacts.size()) +
                                   " from their shapes: see contact_offset and normal, or use an "
                                   "assembly");
  }
  ContactMotion motion;
  const Located c = located(model, {.id = contacts[0]}, state, motion);
  const double slack = six_digits * model.length_scale();
  if (length(sum(c.at, -1., offset)) <= slack && length(sum(c.normal, -1., normal)) <= six_digits) {
    return;
  }
  const auto words = [](const World3& v) {
    return "[" + shortest(v[0]) + ", " + shortest(v[1]) + ", " + shortest(v[2]) + "]";
  };
  throw InputError("bodies", "touch by their shapes at " + words(c.at) +
                                 " m from the first one, normal " + words(c.normal) +
                                 ", but this impact is at " + words(offset) + ", normal " +
                                 words(normal) + ": it cannot move on from there");
}

void throw_shapeless(std::size_t body) {
  throw InputError("bodies[" + std::to_string(body) + "].shape",
                   "is missing: to move on from the impact, a body needs a shape, because "
                   "contact_offset says only where it touches now");
}

SystemAtImpact at_impact(const Model& model, const State& state, const TouchOptions& options) {
  return at_impact(model, state, touching(model, state, options.tolerance), options.frictionless);
}

}  // namespace carom
