// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/planar_model.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>

namespace carom {

namespace {

using shapes::plane::Feature;
using shapes::plane::is_edge;
using shapes::plane::Shape;

bool is_half_plane(const Shape& s) { return s.vertices.empty() && s.edges.size() == 1; }

void require_drag(double x, const std::string& field) {
  if (!(x >= 0. && std::isfinite(x))) throw InputError(field, x, "finite and >= 0");
}

void require_plane(const World3& v, const std::string& field) {
  if (v[2] != 0.) throw InputError(field + "[2]", v[2], "0 in the plane");
}

/// The greatest radius of curvature of an ellipse, else 0 [m].
double curvature_radius(const Shape& s) {
  if (!s.is_ellipse()) return 0.;
  const auto [small, large] = std::minmax(s.semi_axes[0], s.semi_axes[1]);
  return large * large / small;
}

/// Pairs (a, b), a < b, of n things that come before those of `a`.
std::size_t pairs_before(std::size_t a, std::size_t n) { return a * n - a * (a + 1) / 2; }

}  // namespace

PlanarModel::PlanarModel(PlanarScene scene) : scene_(std::move(scene)) {
  smallest_ = std::numeric_limits<double>::infinity();
  add_bodies();
  add_ground();
  list_contacts();
  // Where an ellipse and another body turn against each other, the point of contact also moves
  // along the ellipse, by its radius of curvature.
  double flattest = 0.;
  for (const PlanarBody& b : scene_.bodies)
    flattest = std::max(flattest, curvature_radius(b.shape));
  for (const PlanarGround& g : scene_.ground)
    flattest = std::max(flattest, curvature_radius(g.shape));
  for (Body& b : bodies_) b.turning_radius += flattest;
  if (scene_.length > 0.) length_ = scene_.length;
  const auto& g = scene_.gravity;
  require_finite(g[0], "gravity[0]");
  require_finite(g[1], "gravity[1]");
  acceleration_ = scene_.acceleration > 0. ? scene_.acceleration : std::hypot(g[0], g[1]);
  if (!(acceleration_ > 0. && std::isfinite(acceleration_))) acceleration_ = 1.;  // nothing moves
  const bool discs_alone =
      std::all_of(bodies_.begin(), bodies_.end(), [](const Body& b) { return b.is_centred; });
  is_curved_ = others_ > 0 || (bodies_.size() > 1 && !discs_alone);
}

void PlanarModel::add_bodies() {
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const PlanarBody& body = scene_.bodies[b];
    const std::string field = "bodies[" + std::to_string(b) + "]";
    require_positive(body.mass, field + ".mass");
    require_positive(body.inertia, field + ".inertia");
    const Shape& s = body.shape;
    if (s.vertices.empty()) throw InputError(field + ".shape", "must be a shape of finite size");
    require_drag(body.drag.linear, field + ".drag.linear");
    require_drag(body.drag.quadratic, field + ".drag.quadratic");
    require_drag(body.drag.spin_linear, field + ".drag.spin_linear");
    require_drag(body.drag.spin_quadratic, field + ".drag.spin_quadratic");
    flies_ = flies_ && !body.drag.any();

    const bool is_disc = s.edges.empty() && !s.is_ellipse();
    bodies_.push_back({.shape = &s,
                       .radius = s.radius,
                       .bounding_radius = s.bounding_radius,
                       .turning_radius = s.bounding_radius,
                       .is_disc = is_disc,
                       .is_centred = is_disc && s.vertices[0] == Point{},
                       .discs_before = discs_,
                       .disc_pairs_before = 0,
                       .vertices_before = vertices_});
    if (is_disc) ++discs_;
    vertices_ += s.vertices.size();
    length_ = std::max(length_, s.bounding_radius);
    smallest_ = std::min(smallest_, s.bounding_radius);
  }
  std::size_t pairs = 0;
  for (Body& b : bodies_) {
    b.disc_pairs_before = pairs;
    if (b.is_disc) pairs += discs_ - b.discs_before - 1;
  }
}

void PlanarModel::add_ground() {
  for (std::size_t g = 0; g < scene_.ground.size(); ++g) {
    PlanarGround& ground = scene_.ground[g];
    const std::string field = "ground[" + std::to_string(g) + "]";
    require_finite(ground.pose.position.x, field + ".pose.position[0]");
    require_finite(ground.pose.position.y, field + ".pose.position[1]");
    require_finite(ground.pose.angle, field + ".pose.angle");
    require_finite(ground.belt_speed, field + ".belt_speed");
    prepare(ground.motion, field + ".motion");
    require_plane(ground.motion.velocity, field + ".motion.velocity");
    require_plane(ground.motion.amplitude, field + ".motion.amplitude");
    for (std::size_t k = 0; k < ground.motion.times.size(); ++k) {
      const std::string entry = std::string("[").append(std::to_string(k)).append("]");
      require_plane(ground.motion.positions[k], field + ".motion.positions" + entry);
      require_plane(ground.motion.velocities[k], field + ".motion.velocities" + entry);
    }
    flies_ = flies_ && ground.motion.is_uniform();

    const Shape& s = ground.shape;
    Piece piece{.placed = {s, ground.pose},
                .is_half_plane = is_half_plane(s),
                .moves = ground.motion.moves(),
                .normal = {},
                .start = {},
                .centre = {},
                .half_size = {},
                .rank = 0};
    if (piece.is_half_plane) {
      piece.normal = turned(piece.placed.axis, s.edges[0].normal);
      piece.start = ground.pose.position + turned(piece.placed.axis, s.edges[0].start);
      piece.rank = half_planes_++;
    } else {
      if (s.vertices.empty()) throw InputError(field + ".shape", "must be a shape");
      Point low = s.vertices[0];
      Point high = low;
      for (const Point& v : s.vertices) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y)};
      }
      const Point round{s.radius + s.semi_axes[0], s.radius + s.semi_axes[1]};
      piece.centre = ground.pose.position + turned(piece.placed.axis, Point{0.5 * (low + high)});
      piece.half_size = 0.5 * (high - low) + round;
      piece.rank = others_++;
      smallest_ = std::min(smallest_, length(piece.half_size));
    }
    ground_.push_back(piece);
  }
}

void PlanarModel::list_contacts() {
  lists_ = vertices_ * half_planes_ <= most_known_contacts && discs_ <= most_known_contacts &&
           vertices_ * half_planes_ + discs_ * (discs_ - std::min<std::size_t>(1, discs_)) / 2 <=
               most_known_contacts;
  if (!lists_) return;
  const auto number = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    for (std::size_t k = 0; half_planes_ > 0 && k < bodies_[b].shape->vertices.size(); ++k) {
      for (std::size_t g = 0; g < ground_.size(); ++g) {
        if (!ground_[g].is_half_plane) continue;
        known_.push_back({.pair = {number(b), number(bodies_.size() + g)},
                          .features = std::uint64_t{2 * k} << 32U | 1U});
      }
    }
  }
  for (std::size_t a = 0; discs_ > 1 && a < bodies_.size(); ++a) {
    for (std::size_t b = a + 1; bodies_[a].is_disc && b < bodies_.size(); ++b) {
      if (bodies_[b].is_disc) known_.push_back({.pair = {number(a), number(b)}, .features = 0});
    }
  }
}

// --- names

std::string PlanarModel::position_name(std::size_t i) const {
  return prefix(i / 3) + std::array{"x", "y", "angle"}[i % 3];
}
std::string PlanarModel::velocity_name(std::size_t i) const {
  return prefix(i / 3) + std::array{"v_x", "v_y", "spin"}[i % 3];
}

std::string PlanarModel::prefix(std::size_t body) const {
  const std::string& name = scene_.bodies[body].name;
  return name.empty() ? "" : name + ".";
}

const std::string& PlanarModel::name(std::uint32_t i) const {
  return is_ground(i) ? scene_.ground[i - bodies_.size()].name : scene_.bodies[i].name;
}

PairDescription PlanarModel::describe(const BodyPair& pair) const {
  const auto [a, b] = pair;
  const auto size = [](const Shape& s) { return std::max(s.smallest_length, 2. * s.radius); };
  return {.names = {name(a), name(b)},
          .on_ground = is_ground(b),
          .smallest_length = std::min(size(shape(a)), size(shape(b)))};
}

// The only vertex of a disc or an ellipse needs no number.
std::string PlanarModel::contact_name(const ContactId& id) const {
  const auto first = static_cast<Feature>(id.features >> 32U);
  const auto second = static_cast<Feature>(id.features);
  const bool lone = shape(id.pair.first).vertices.size() == 1;
  const bool other_lone = shape(id.pair.second).vertices.size() == 1;
  const auto number = [](Feature f) { return std::to_string(f / 2 + 1); };
  const std::string pair = name(id.pair.first) + "-" + name(id.pair.second);
  if (is_ground(id.pair.second) && piece(id.pair.second).is_half_plane) {
    return lone ? pair : pair + " " + number(first);
  }
  if (is_edge(first)) {
    return pair + " side " + number(first) + (other_lone ? "" : " under corner " + number(second));
  }
  const std::string corner = lone ? pair : pair + " corner " + number(first);
  if (is_edge(second)) return corner + " on side " + number(second);
  return other_lone ? corner : corner + " at corner " + number(second);
}

// --- surfaces

bool PlanarModel::is_known(const BodyPair& pair) const {
  if (!lists_) return false;
  if (is_ground(pair.second)) return piece(pair.second).is_half_plane;
  return bodies_[pair.first].is_disc && bodies_[pair.second].is_disc;
}

// Pairs of discs before this one, whether or not it is one itself.
std::size_t PlanarModel::disc_pair(const BodyPair& pair) const {
  const Body& a = bodies_[pair.first];
  const std::size_t own =
      a.is_disc ? bodies_[pair.second].discs_before - a.discs_before - 1 : std::size_t{0};
  return a.disc_pairs_before + own;
}

std::size_t PlanarModel::surfaces() const {
  const std::size_t n = bodies_.size();
  const std::size_t pairs = n > 0 ? n * (n - 1) / 2 : 0;
  if (!lists_) return n * ground_.size() + pairs;
  const std::size_t of_discs = discs_ > 0 ? discs_ * (discs_ - 1) / 2 : 0;
  return known_.size() + n * others_ + (pairs - of_discs);
}

std::size_t PlanarModel::surface_of(const ContactId& id) const {
  const auto [a, b] = id.pair;
  const std::size_t n = bodies_.size();
  if (is_ground(b)) {
    const Piece& g = piece(b);
    if (!lists_) return a * ground_.size() + (b - n);
    if (!g.is_half_plane) return known_.size() + a * others_ + g.rank;
    return (bodies_[a].vertices_before + (id.features >> 33U)) * half_planes_ + g.rank;
  }
  const std::size_t before = pairs_before(a, n) + (b - a - 1);
  if (!lists_) return n * ground_.size() + before;
  if (is_known(id.pair)) return vertices_ * half_planes_ + disc_pair(id.pair);
  return known_.size() + n * others_ + (before - disc_pair(id.pair));
}

std::string PlanarModel::surface_name(std::size_t k) const {
  if (k < known_.size()) return contact_name(known_[k]);
  const std::size_t n = bodies_.size();
  const std::size_t columns = lists_ ? others_ : ground_.size();
  const std::size_t at = k - known_.size();
  if (at < n * columns) {
    const auto g =
        std::find_if(ground_.begin(), ground_.end(), [&, rest = at % columns](const Piece& p) {
          return lists_ ? !p.is_half_plane && p.rank == rest
                        : static_cast<std::size_t>(&p - ground_.data()) == rest;
        });
    return scene_.bodies[at / columns].name + "-" +
           scene_.ground[static_cast<std::size_t>(g - ground_.begin())].name;
  }
  // The last row of pairs that does not begin after it, then the pair in that row.
  std::size_t rest = at - n * columns;
  const auto before = [&](std::size_t a) {
    return pairs_before(a, n) - (lists_ ? bodies_[a].disc_pairs_before : 0);
  };
  std::size_t low = 0;
  std::size_t high = n - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (before(middle) <= rest ? low : high) = middle;
  }
  rest -= before(low);
  std::size_t b = low + 1;
  const auto is_listed = [&] { return lists_ && bodies_[low].is_disc && bodies_[b].is_disc; };
  for (; is_listed() || rest > 0; ++b) {
    if (!is_listed()) --rest;
  }
  return scene_.bodies[low].name + "-" + scene_.bodies[b].name;
}

// --- motion

std::vector<VelocityRange> PlanarModel::blocks() const {
  std::vector<VelocityRange> blocks;
  for (std::size_t b = 0; b < bodies_.size(); ++b) blocks.push_back({3 * b, 3});
  return blocks;
}

void PlanarModel::kinematics(const State& state, Vector& rate) const { rate = state.u; }

void PlanarModel::dynamics(const State& state, MassMatrix& M, Vector& h) const {
  M.set_zero();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const PlanarBody& body = scene_.bodies[b];
    const auto at = ix(3 * b);
    double* block = M.block(b);
    block[0] = body.mass;
    block[4] = body.mass;
    block[8] = body.inertia;
    h(at) = body.mass * scene_.gravity[0];
    h(at + 1) = body.mass * scene_.gravity[1];
    h(at + 2) = 0.;
    if (!body.drag.any()) continue;
    const Point v{state.u(at), state.u(at + 1)};
    const double spin = state.u(at + 2);
    const double c = body.drag.of_velocity(length(v));
    h(at) -= c * v.x;
    h(at + 1) -= c * v.y;
    h(at + 2) -= body.drag.of_spin(std::abs(spin)) * spin;
  }
}

double PlanarModel::potential_energy(const State& state) const {
  double energy = 0.;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    energy -= scene_.bodies[b].mass *
              (scene_.gravity[0] * state.q(ix(3 * b)) + scene_.gravity[1] * state.q(ix(3 * b + 1)));
  }
  return energy;
}

OtherPower PlanarModel::other_power(const State& state) const {
  return drag_power(state.u, state.u, state.u);
}

OtherPower PlanarModel::step_power(State& middle, const Vector& start, const Vector& end) const {
  return drag_power(middle.u, start, end);
}

OtherPower PlanarModel::drag_power(const Vector& before, const Vector& start,
                                   const Vector& end) const {
  OtherPower power;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Drag& drag = scene_.bodies[b].drag;
    if (!drag.any()) continue;
    const Eigen::Index k = ix(3 * b);
    power.dampers +=
        drag.power(before.segment<2>(k), start.segment<2>(k), end.segment<2>(k),
                   before.segment<1>(k + 2), start.segment<1>(k + 2), end.segment<1>(k + 2));
  }
  return power;
}

void PlanarModel::add_drag(const State& state, double h, MassMatrix& M) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Drag& drag = scene_.bodies[b].drag;
    if (!drag.any()) continue;
    const Eigen::Index k = ix(3 * b);
    const double c = h * drag.of_velocity(state.u.segment<2>(k).norm());
    double* const block = M.block(b);
    block[0] += c;
    block[4] += c;
    block[8] += h * drag.of_spin(std::abs(state.u(k + 2)));
  }
}

double PlanarModel::next_jump(double time) const {
  double next = std::numeric_limits<double>::infinity();
  for (const PlanarGround& g : scene_.ground) next = std::min(next, g.motion.next_jump(time));
  return next;
}

}  // namespace carom
