// SPDX-License-Identifier: Apache-2.0
// Numbers and names of contacts and surfaces in space.
#include <algorithm>

#include <carom/mechanics/spatial_model.hpp>

namespace carom {

using shapes::space::PairKind;

std::string SpatialModel::position_name(std::size_t i) const {
  static constexpr const char* parts[] = {".x", ".y", ".z", ".q_w", ".q_x", ".q_y", ".q_z"};
  return scene_.bodies[i / 7].name + parts[i % 7];
}

std::string SpatialModel::velocity_name(std::size_t i) const {
  static constexpr const char* parts[] = {".v_x", ".v_y", ".v_z", ".spin_x", ".spin_y", ".spin_z"};
  return scene_.bodies[i / 6].name + parts[i % 6];
}

const std::string& SpatialModel::name_of(std::size_t number) const {
  const std::size_t n = bodies_.size();
  return number < n ? scene_.bodies[number].name : scene_.ground[number - n].name;
}

PairDescription SpatialModel::describe(const BodyPair& pair) const {
  return {.names = {name_of(pair.first), name_of(pair.second)},
          .on_ground = pair.second >= bodies_.size(),
          .smallest_length =
              std::min(shape(pair.first).smallest_length, shape(pair.second).smallest_length)};
}

// From the lowest bits on: two (16), one (16), side (8), exchanged (8), kind (8).
std::uint64_t SpatialModel::packed(const FeaturePair& p) {
  return std::uint64_t{p.two} | (std::uint64_t{p.one} << 16) | (std::uint64_t{p.side} << 32) |
         (std::uint64_t{p.exchanged} << 40) | (static_cast<std::uint64_t>(p.kind) << 48);
}

SpatialModel::FeaturePair SpatialModel::unpacked(std::uint64_t f) {
  return {.kind = static_cast<PairKind>((f >> 48) & 0xffU),
          .exchanged = ((f >> 40) & 1U) != 0,
          .side = static_cast<std::uint8_t>((f >> 32) & 0xffU),
          .one = static_cast<shapes::space::Index>((f >> 16) & 0xffffU),
          .two = static_cast<shapes::space::Index>(f & 0xffffU)};
}

/// The known contacts of a body with a half space: its vertices, or its rims, of which one without
/// radius is the last vertex.
SpatialModel::FeaturePair SpatialModel::plane_feature(const Body& body, std::size_t k) const {
  FeaturePair pair{.kind = PairKind::vertex_face};
  std::size_t one = k;
  if (body.moving_rim && body.shape.rims[k].radius > 0.) {
    pair.kind = PairKind::rim_face;
  } else if (body.moving_rim) {
    one = body.shape.core.vertices.size() - 1;
  }
  pair.one = static_cast<shapes::space::Index>(one);
  return pair;
}

/// Which of the known ones it is; of a point fixed to a rim: that of the rim.
std::size_t SpatialModel::plane_number(const Body& body, const FeaturePair& feature) const {
  const std::size_t one = feature.one;
  if (feature.kind == PairKind::rim_face || !body.moving_rim) return one;
  const std::size_t rims = body.shape.rims.size();
  const bool has_apex = body.shape.rims.back().radius == 0.;
  const std::size_t points = body.shape.core.vertices.size();
  if (has_apex) return one + 1 == points ? rims - 1 : 0;
  return one / (points / rims);
}

bool SpatialModel::is_known(const BodyPair& pair) const {
  if (known_.empty()) return false;
  if (pair.second >= bodies_.size()) return on_plane(pair);
  return bodies_[pair.first].sphere && bodies_[pair.second].sphere;
}

// Pairs in ascending order are rows, one for each body: with the bodies after it, then the ground.

std::size_t SpatialModel::row_length(std::size_t body) const {
  return ground_.size() + (scene_.bodies_strike ? bodies_.size() - 1 - body : 0);
}

std::size_t SpatialModel::row_begin(std::size_t body) const {
  const std::size_t strike =
      scene_.bodies_strike ? bodies_.size() * body - body * (body + 1) / 2 : 0;
  return body * ground_.size() + strike;
}

/// Pairs of which contacts are known, of one row.
std::size_t SpatialModel::row_known(std::size_t body) const {
  if (known_.empty()) return 0;
  const Body& b = bodies_[body];
  const std::size_t after = b.sphere && scene_.bodies_strike ? spheres_ - b.spheres_before - 1 : 0;
  return planes_ + after;
}

/// Pairs of which contacts are known, before this one.
std::size_t SpatialModel::known_before(const BodyPair& pair) const {
  if (known_.empty()) return 0;
  const Body& b = bodies_[pair.first];
  const std::size_t rows = pair.first * planes_ + b.pairs_before;
  if (pair.second >= bodies_.size()) {
    return rows + row_known(pair.first) - planes_ +
           ground_[pair.second - bodies_.size()].planes_before;
  }
  return rows + (b.sphere ? bodies_[pair.second].spheres_before - b.spheres_before - 1 : 0);
}

std::size_t SpatialModel::rank(const BodyPair& pair) const {
  const std::size_t n = bodies_.size();
  const std::size_t in_row =
      scene_.bodies_strike ? pair.second - pair.first - std::size_t{1} : pair.second - n;
  return row_begin(pair.first) + in_row;
}

std::size_t SpatialModel::surface_of(const ContactId& id) const {
  const BodyPair& pair = id.pair;
  if (!is_known(pair)) return known_.size() + rank(pair) - known_before(pair);
  const Body& body = bodies_[pair.first];
  if (pair.second >= bodies_.size()) {
    const Ground& ground = ground_[pair.second - bodies_.size()];
    return ground.planes_before * plane_features_ + body.features_before +
           plane_number(body, unpacked(id.features));
  }
  return planes_ * plane_features_ + body.pairs_before +
         (bodies_[pair.second].spheres_before - body.spheres_before - 1);
}

std::string SpatialModel::surface_name(std::size_t k) const {
  if (k < known_.size()) return contact_name(known_[k]);
  k -= known_.size();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const std::size_t count = row_length(b) - row_known(b);
    if (k >= count) {
      k -= count;
      continue;
    }
    const std::size_t n = bodies_.size();
    for (std::size_t other = scene_.bodies_strike ? b + 1 : n; other < n + ground_.size();
         ++other) {
      const BodyPair pair{.first = static_cast<std::uint32_t>(b),
                          .second = static_cast<std::uint32_t>(other)};
      if (is_known(pair)) continue;
      if (k-- == 0) return name_of(b) + "-" + name_of(other);
    }
  }
  return "";
}

namespace {

std::string numbered(const char* noun, std::size_t k) {
  return std::string(" ") + noun + " " + std::to_string(k + 1);
}

std::string vertex_words(const shapes::space::Shape& s, std::size_t k) {
  if (s.core.vertices.size() == 1) return "";  // a sphere has nothing else
  return numbered(s.core.vertices.size() == 2 ? "end" : "corner", k);
}

}  // namespace

/// " corner 2 on face 3", " face 1 under corner 4", " edge 2 across edge 5"
std::string SpatialModel::feature_words(const BodyPair& pair, const FeaturePair& f) const {
  const Shape& X = shape(f.exchanged ? pair.second : pair.first);
  const Shape& Y = shape(f.exchanged ? pair.first : pair.second);
  std::string one, two;
  const char* between = f.exchanged ? " under" : " on";
  switch (f.kind) {
    case PairKind::vertex_face:
      one = vertex_words(X, f.one);
      two = numbered("face", f.two);
      break;
    case PairKind::vertex_edge:
      one = vertex_words(X, f.one);
      two = numbered("edge", f.two);
      break;
    case PairKind::vertex_vertex:
      one = vertex_words(X, f.one);
      two = vertex_words(Y, f.two);
      break;
    case PairKind::vertex_band:
      one = vertex_words(X, f.one);
      two = numbered("side", f.two);
      break;
    case PairKind::vertex_rim:
      one = vertex_words(X, f.one);
      two = numbered("rim", f.two);
      break;
    case PairKind::rim_face:
      one = numbered("rim", f.one);
      two = numbered("face", f.two);
      break;
    case PairKind::edge_band:
      one = numbered("edge", f.one);
      two = numbered("side", f.two);
      between = " across";
      break;
    case PairKind::edge_rim:
      one = numbered("edge", f.one);
      two = numbered("rim", f.two);
      between = " across";
      break;
    case PairKind::edge_edge:
    case PairKind::flat_edges:
      one = numbered("edge", f.one);
      two = numbered("edge", f.two);
      between = f.kind == PairKind::edge_edge ? " across" : " flat across";
      break;
  }
  if (f.exchanged) std::swap(one, two);
  std::string words = one;
  if (!two.empty()) words.append(between).append(two);
  if (f.side != 0) words.append(" (").append(std::to_string(f.side + 1)).append(")");
  return words;
}

std::string SpatialModel::contact_name(const ContactId& id) const {
  const BodyPair& pair = id.pair;
  const FeaturePair feature = unpacked(id.features);
  std::string name = name_of(pair.first) + "-" + name_of(pair.second);
  if (!on_plane(pair)) return name + feature_words(pair, feature);
  const Body& body = bodies_[pair.first];
  const std::size_t k = plane_number(body, feature);
  if (feature == plane_feature(body, k)) {
    return body.features > 1 ? name + " " + std::to_string(k + 1) : name;
  }
  // A point of a rim that lies flat.
  std::size_t circles = 0;
  for (const auto& rim : body.shape.rims) circles += rim.radius > 0. ? 1 : 0;
  const std::size_t apex = body.shape.rims.size() - circles;
  const std::size_t points = (body.shape.core.vertices.size() - apex) / circles;
  name += circles > 1 ? numbered("rim", k) + " point" : " rim point";
  return name + " " + std::to_string(feature.one % points + 1);
}

}  // namespace carom
