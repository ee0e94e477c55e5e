// SPDX-License-Identifier: Apache-2.0
// Piles of spheres in Bullet, in double precision, with its usual 10 iterations.
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "piles.hpp"

namespace carom::benchmarks {
namespace {

class BulletPile final : public Peer {
 public:
  explicit BulletPile(const Pile& pile)
      : walls_{{{{0., 0., 1.}, 0.},
                {{1., 0., 0.}, 0.},
                {{-1., 0., 0.}, -pile.width},
                {{0., 1., 0.}, 0.},
                {{0., -1., 0.}, -pile.width}}} {
    world_.setGravity({0., 0., -gravity});
    for (btStaticPlaneShape& shape : walls_) add(shape, 0., {});
    for (const Placed& p : pile.bodies) add(sphere_, pile_mass, p);
  }
  ~BulletPile() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(pile_step, 0); }

  void read(std::vector<Placed>& bodies) const override {
    bodies.resize(bodies_.size() - walls_.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const btRigidBody& b = *bodies_[walls_.size() + i];
      const btVector3& x = b.getWorldTransform().getOrigin();
      const btQuaternion q = b.getWorldTransform().getRotation();
      const btVector3& v = b.getLinearVelocity();
      const btVector3& w = b.getAngularVelocity();
      bodies[i].position = {x.x(), x.y(), x.z()};
      bodies[i].orientation = {q.w(), q.x(), q.y(), q.z()};
      bodies[i].velocity = {v.x(), v.y(), v.z()};
      bodies[i].spin = {w.x(), w.y(), w.z()};
    }
  }

  [[nodiscard]] std::size_t contacts() const override {
    std::size_t count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* m = dispatcher_.getManifoldByIndexInternal(i);
      for (int k = 0; k < m->getNumContacts(); ++k) {
        if (m->getContactPoint(k).getDistance() <= 0.) ++count;
      }
    }
    return count;
  }

 private:
  void add(btCollisionShape& shape, double mass, const Placed& p) {
    btVector3 inertia(0., 0., 0.);
    if (mass > 0.) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    const auto& [w, x, y, z] = p.orientation;
    info.m_startWorldTransform.setRotation({x, y, z, w});
    info.m_startWorldTransform.setOrigin({p.position[0], p.position[1], p.position[2]});
    // Coefficients of a pair are products.
    info.m_friction = std::sqrt(pile_friction);
    info.m_restitution = std::sqrt(pile_restitution);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *bodies_.back();
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setLinearVelocity({p.velocity[0], p.velocity[1], p.velocity[2]});
    body.setAngularVelocity({p.spin[0], p.spin[1], p.spin[2]});
    world_.addRigidBody(&body);
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::array<btStaticPlaneShape, 5> walls_;
  btSphereShape sphere_{pile_radius};
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<Peer> make_bullet(const Pile& pile) { return std::make_unique<BulletPile>(pile); }

}  // namespace carom::benchmarks
