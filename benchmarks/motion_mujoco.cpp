// SPDX-License-Identifier: Apache-2.0
// The scenes in MuJoCo, whose contacts are springs with dampers.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "motion_rivals.hpp"

namespace carom::benchmarks {
namespace {

struct Delete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelPointer = std::unique_ptr<mjModel, Delete>;
using DataPointer = std::unique_ptr<mjData, Delete>;

/// One free body over a floor at z = 0. Contacts last 20 steps, as springs with the damping that
/// gives e.
ModelPointer model(double dt, const char* geom, double height, double mass, double restitution,
                   double friction) {
  const double frequency = std::numbers::pi / (20. * dt);
  const double l = std::log(std::max(restitution, 1e-2));
  const double damping = -l / std::sqrt(std::numbers::pi * std::numbers::pi + l * l);
  char xml[2000];
  std::snprintf(xml, sizeof xml, R"(<mujoco>
<option timestep="%.17g" gravity="0 0 -9.81" cone="elliptic" impratio="100" integrator="Euler"/>
<default><geom solref="%.17g %.17g" solimp="0.999 0.999 1e-6" condim="3" friction="%.17g 0 0"/></default>
<worldbody><geom type="plane" size="50 50 1"/>
<body pos="0 0 %.17g"><freejoint/><geom %s mass="%.17g"/></body></worldbody></mujoco>)",
                dt, -frequency * frequency, -2. * damping * frequency, friction, height, geom,
                mass);
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  const int size = static_cast<int>(std::strlen(xml));
  mj_makeEmptyFileVFS(files.get(), "scene.xml", size);
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "scene.xml")], xml,
              static_cast<std::size_t>(size));
  char error[300] = "";
  ModelPointer m(mj_loadXML("scene.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!m) throw std::runtime_error(error);
  return m;
}

Answer ball(const mjModel& m, double dt) {
  const BouncingBall b;
  const DataPointer d(mj_makeData(&m));
  return bounce(
      b, dt,
      [&] {
        mj_step(&m, d.get());
        return d->qvel[2];
      },
      [&] { return d->qpos[2] - b.radius; });
}

Answer backspin(const mjModel& m, double dt) {
  const Backspin b;
  const DataPointer d(mj_makeData(&m));
  d->qvel[0] = b.velocity;
  d->qvel[4] = -b.spin;  // about y, with z up
  return slide(
      b.slip(), dt,
      [&] {
        mj_step(&m, d.get());
        return d->qvel[0] - b.radius * d->qvel[4];
      },
      [&] { return d->qvel[0]; });
}

Answer block(const mjModel& m, double dt) {
  const SlidingBlock b;
  const DataPointer d(mj_makeData(&m));
  d->qvel[0] = b.velocity;
  return slide(
      b.velocity, dt,
      [&] {
        mj_step(&m, d.get());
        return d->qvel[0];
      },
      [&] { return d->qpos[0]; });
}

}  // namespace

void add_mujoco(std::vector<Rival>& rivals) {
  for (const auto& [dt, name] :
       {std::pair{2e-3, "mujoco, 2e-3 s"}, std::pair{1e-4, "mujoco, 1e-4 s"}}) {
    const double step = dt;
    const BouncingBall b;
    const Backspin s;
    const SlidingBlock k;
    const std::shared_ptr<mjModel> falls =
        model(dt, "type=\"sphere\" size=\"0.1\"", b.height + b.radius, b.mass, b.restitution, 0.);
    const std::shared_ptr<mjModel> rolls =
        model(dt, "type=\"sphere\" size=\"0.1\"", s.radius, s.mass, 0., s.friction);
    const std::shared_ptr<mjModel> slides =
        model(dt, "type=\"box\" size=\"0.2 0.2 0.1\"", k.half_height, k.mass, 0., k.friction);
    rivals.push_back({"ball", name, [falls, step] { return ball(*falls, step); }});
    rivals.push_back({"backspin", name, [rolls, step] { return backspin(*rolls, step); }});
    rivals.push_back({"slide", name, [slides, step] { return block(*slides, step); }});
  }
}

}  // namespace carom::benchmarks
