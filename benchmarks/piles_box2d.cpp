// SPDX-License-Identifier: Apache-2.0
// Piles in the plane in Box2D 2.4, with its usual 8 and 3 iterations.
#include <box2d/box2d.h>

#include "piles.hpp"

namespace carom::benchmarks {
namespace {

/// Box2D's units in a metre. It tolerates an overlap of 0.005 units, whatever the size of bodies:
/// with ten units this is 0.5 % of a radius.
constexpr double units = 10.;

constexpr int velocity_iterations = 8;
constexpr int position_iterations = 3;

/// Half the thickness of walls [m].
constexpr double wall = 1.;

float scaled(double metres) { return static_cast<float>(units * metres); }

class Box2dPile final : public Peer {
 public:
  explicit Box2dPile(const Pile& pile) {
    world_.SetAllowSleeping(false);
    const double height = 4. * pile.width + 4.;
    add_wall({0.5 * pile.width, -wall}, {pile.width + 2. * wall, wall});
    add_wall({-wall, 0.5 * height}, {wall, height});
    add_wall({pile.width + wall, 0.5 * height}, {wall, height});
    for (const Placed& p : pile.bodies) add_body(pile.kind, p);
  }

  void step() override {
    world_.Step(static_cast<float>(pile_step), velocity_iterations, position_iterations);
  }

  void read(std::vector<Placed>& bodies) const override {
    bodies.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const b2Body& b = *bodies_[i];
      bodies[i].position = {b.GetPosition().x / units, b.GetPosition().y / units, 0.};
      bodies[i].angle = b.GetAngle();
      bodies[i].velocity = {b.GetLinearVelocity().x / units, b.GetLinearVelocity().y / units, 0.};
      bodies[i].spin = {0., 0., b.GetAngularVelocity()};
    }
  }

  [[nodiscard]] std::size_t contacts() const override {
    std::size_t count = 0;
    for (const b2Contact* c = world_.GetContactList(); c != nullptr; c = c->GetNext()) {
      if (c->IsTouching()) count += static_cast<std::size_t>(c->GetManifold()->pointCount);
    }
    return count;
  }

 private:
  // Polygons in Box2D have a skin outside, which is cut off from their size.
  static b2PolygonShape box(double half_length, double half_height) {
    b2PolygonShape shape;
    shape.SetAsBox(scaled(half_length) - b2_polygonRadius, scaled(half_height) - b2_polygonRadius);
    return shape;
  }

  static b2FixtureDef fixture(const b2Shape& shape) {
    b2FixtureDef f;
    f.shape = &shape;
    f.density = 1.F;
    f.friction = static_cast<float>(pile_friction);
    f.restitution = static_cast<float>(pile_restitution);
    return f;
  }

  struct Point {
    double x;
    double y;
  };
  void add_wall(Point centre, Point half) {
    b2BodyDef definition;
    definition.position.Set(scaled(centre.x), scaled(centre.y));
    const b2PolygonShape shape = box(half.x, half.y);
    const b2FixtureDef f = fixture(shape);
    world_.CreateBody(&definition)->CreateFixture(&f);
  }

  void add_body(Kind kind, const Placed& p) {
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    definition.position.Set(scaled(p.position[0]), scaled(p.position[1]));
    definition.angle = static_cast<float>(p.angle);
    definition.linearVelocity.Set(scaled(p.velocity[0]), scaled(p.velocity[1]));
    definition.angularVelocity = static_cast<float>(p.spin[2]);
    b2Body* body = world_.CreateBody(&definition);
    if (kind == Kind::discs) {
      b2CircleShape shape;
      shape.m_radius = scaled(pile_radius);
      const b2FixtureDef f = fixture(shape);
      body->CreateFixture(&f);
    } else {
      const b2PolygonShape shape = box(pile_radius, pile_radius);
      const b2FixtureDef f = fixture(shape);
      body->CreateFixture(&f);
    }
    bodies_.push_back(body);
  }

  b2World world_{b2Vec2(0.F, scaled(-gravity))};
  std::vector<b2Body*> bodies_;
};

}  // namespace

std::unique_ptr<Peer> make_box2d(const Pile& pile) { return std::make_unique<Box2dPile>(pile); }

}  // namespace carom::benchmarks
