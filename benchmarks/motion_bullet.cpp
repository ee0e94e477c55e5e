// SPDX-License-Identifier: Apache-2.0
// The scenes in Bullet, in double precision, with fixed steps.
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "motion_rivals.hpp"

namespace carom::benchmarks {
namespace {

/// A floor at y = 0 with one body on it.
class World {
 public:
  World(std::unique_ptr<btCollisionShape> shape, double mass, double height, double restitution,
        double friction)
      : shape_(std::move(shape)) {
    world_.setGravity({0., -gravity, 0.});
    // As exact as it goes: rebounds at any speed, only of what touches, and no velocity from
    // putting positions right.
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0.;
    world_.getSolverInfo().m_splitImpulsePenetrationThreshold = 1.;
    // Coefficients of a pair are products.
    add(floor_shape_, 0., 0., 1., 1.);
    body_ = add(*shape_, mass, height, restitution, friction);
  }
  ~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step(double dt) { world_.stepSimulation(dt, 0); }
  [[nodiscard]] btRigidBody& body() { return *body_; }

 private:
  btRigidBody* add(btCollisionShape& shape, double mass, double height, double restitution,
                   double friction) {
    btVector3 inertia(0., 0., 0.);
    if (mass > 0.) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin({0., height, 0.});
    info.m_restitution = restitution;
    info.m_friction = friction;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    bodies_.back()->setContactProcessingThreshold(0.);
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  btStaticPlaneShape floor_shape_{{0., 1., 0.}, 0.};
  std::unique_ptr<btCollisionShape> shape_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  btRigidBody* body_ = nullptr;
};

Answer ball(double dt) {
  const BouncingBall b;
  World w(std::make_unique<btSphereShape>(b.radius), b.mass, b.height + b.radius, b.restitution,
          0.);
  return bounce(
      b, dt,
      [&] {
        w.step(dt);
        return w.body().getLinearVelocity().y();
      },
      [&] { return w.body().getWorldTransform().getOrigin().y() - b.radius; });
}

Answer backspin(double dt) {
  const Backspin b;
  World w(std::make_unique<btSphereShape>(b.radius), b.mass, b.radius, 0., b.friction);
  w.body().setLinearVelocity({b.velocity, 0., 0.});
  w.body().setAngularVelocity({0., 0., b.spin});
  return slide(
      b.slip(), dt,
      [&] {
        w.step(dt);
        return w.body().getLinearVelocity().x() + b.radius * w.body().getAngularVelocity().z();
      },
      [&] { return w.body().getLinearVelocity().x(); });
}

Answer block(double dt) {
  const SlidingBlock b;
  World w(std::make_unique<btBoxShape>(btVector3(b.half_length, b.half_height, b.half_length)),
          b.mass, b.half_height, 0., b.friction);
  w.body().setLinearVelocity({b.velocity, 0., 0.});
  return slide(
      b.velocity, dt,
      [&] {
        w.step(dt);
        return w.body().getLinearVelocity().x();
      },
      [&] { return w.body().getWorldTransform().getOrigin().x(); });
}

}  // namespace

void add_bullet(std::vector<Rival>& rivals) {
  for (const auto& [dt, name] :
       {std::pair{1. / 240., "bullet, 1/240 s"}, std::pair{1e-4, "bullet, 1e-4 s"}}) {
    const double step = dt;
    rivals.push_back({"ball", name, [step] { return ball(step); }});
    rivals.push_back({"backspin", name, [step] { return backspin(step); }});
    rivals.push_back({"slide", name, [step] { return block(step); }});
  }
}

}  // namespace carom::benchmarks
