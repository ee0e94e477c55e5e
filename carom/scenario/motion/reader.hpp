// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/core/world.hpp>
#include <carom/impact/contact_problem.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/toml_table.hpp>

/// Scenarios that move: files with a table [motion]; see docs/motion.md.
namespace carom::scenario {

// --- what pictures draw -------------------------------------------------------------------------

/// Where a body's frame is in the plane.
struct PlanarPose {
  std::array<double, 2> origin{};  ///< [m]
  double angle = 0.;               ///< counter-clockwise [rad]
};

/// A figure of the plane in a frame that carries it: all points within `radius` of a polygon or a
/// line (two corners), so that its corners are round; or a circle, or an ellipse.
struct Figure {
  std::vector<std::array<double, 2>>
      corners{};                      ///< counter-clockwise; none: a circle or ellipse [m]
  std::array<double, 2> centre{};     ///< of the circle or ellipse [m]
  double radius = 0.;                 ///< of the circle, or of the corners [m]
  std::array<double, 2> semi_axes{};  ///< of the ellipse along x and y, else 0 [m]
};

/// What a body of the plane looks like.
struct PlanarOutline {
  std::string body;  ///< its name
  Figure figure{};
  std::function<PlanarPose(const State& state)> pose{};  ///< needs the scenario alive
};

/// Where ground is at a time, from where it is described [m].
using Displacement = std::function<std::array<double, 2>(double time)>;

/// A line that bodies stay on the side of the normal of, at time 0.
struct GroundLine {
  std::string name;
  std::array<double, 2> through{};  ///< [m]
  std::array<double, 2> normal{0., 1.};
  std::array<double, 2> velocity{};  ///< [m/s]
  Displacement displacement{};       ///< instead of the velocity; none: velocity times time
  double belt_speed = 0.;            ///< of the surface, clockwise from the normal [m/s]
};

/// A piece of the ground of finite size, in the plane.
struct GroundPiece {
  std::string name;
  Figure figure{};
  PlanarPose pose{};            ///< at no displacement
  Displacement displacement{};  ///< none: at rest
  double belt_speed = 0.;       ///< of the surface, clockwise [m/s]
};

/// A body in space: q from `first` are its position and its quaternion (w, x, y, z).
struct SpatialOutline {
  std::string body;
  shapes::space::Solid solid{};
  World3 offset{};  ///< of the solid's origin from the mass centre, in body axes [m]
  std::size_t first = 0;
};

struct Drawing {
  std::vector<PlanarOutline> outlines{};
  std::vector<GroundLine> lines{};
  std::vector<GroundPiece> pieces{};
  std::vector<SpatialOutline> bodies{};
  std::vector<SpatialGround> ground{};  ///< in space
};

// --- the scenario -------------------------------------------------------------------------------

/// An impact that comes before the motion: the disc struck by a ball.
struct FirstImpact {
  std::vector<std::string> contacts{};    ///< their names
  std::vector<Coordinate> coordinates{};  ///< of the velocities
  std::vector<double> before{};           ///< velocities
  std::vector<double> after{};
  Outcome outcome{};
  std::string settled{};  ///< the contact that the impact left in contact by its duration, or none
  double dropped = 0.;    ///< the change of energy that this took [J]
};

/// A system that moves, what its contacts are made of, and how it is to be followed.
struct MotionScenario {
  std::string name;         ///< of the file, for messages
  std::string title;        ///< one line, may be empty
  std::string system_type;  ///< "linkage", "cradle", "space-assembly", ...
  std::unique_ptr<Model> model;
  State start;
  std::vector<Surface> surfaces;     ///< one for each of the model's surfaces
  bool stiffness_given = false;      ///< at every contact
  bool several_named = false;        ///< the law of several contacts was given
  std::vector<std::string> notes{};  ///< what a law that was named ignores
  motion::Options options;
  Drawing drawing;
  std::optional<FirstImpact> first_impact{};
};

/// "events", "stepping", "auto": how `method` of [motion] says it.
[[nodiscard]] std::string_view name(motion::MotionMethod method);
/// Throws InputError under `field` if there is none of that name.
[[nodiscard]] motion::MotionMethod motion_method(const std::string& name, std::string_view field);

/// Whether several contacts may close together.
[[nodiscard]] inline bool meets_several(const Model& model) {
  return model.contacts() > 1 || model.surfaces() > model.contacts();
}

/// The coefficients of a contact.
[[nodiscard]] inline const Surface& surface_of(const MotionScenario& s, const ContactId& id) {
  return s.surfaces[s.surfaces.size() == 1 ? 0 : s.model->surface_of(id)];
}

/// Does the file have a table [motion]?
[[nodiscard]] bool is_motion(std::string_view text, const std::string& name);

/// Reads a scenario that moves and validates all of it. Throws InputError, whose `where` is
/// file:line:column.
[[nodiscard]] MotionScenario read_motion(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in messages.
/// @param method  instead of the file's
[[nodiscard]] MotionScenario parse_motion(std::string_view text, std::string name,
                                          std::optional<motion::MotionMethod> method = {});

/// The same from a file parsed already, whose numbers may have been changed.
[[nodiscard]] MotionScenario read_motion(const Table& top, std::string name,
                                         std::optional<motion::MotionMethod> method = {});

// --- parts, each in a file of its own: they fill in `model`, `start` and `drawing` ---------------

/// Downwards [m/s^2]: `gravity` of [motion], a number or a vector.
[[nodiscard]] std::array<double, 2> planar_gravity(const Table& motion);
[[nodiscard]] World3 spatial_gravity(const Table& motion);

/// Refuses keys of an assembly that are of one impact alone.
void refuse_of_one_impact(const Table& system);

void read_moving_linkage(const Table& system, const Table& motion, MotionScenario& scenario);
void read_cradle(const Table& system, const Table& motion, MotionScenario& scenario);
void read_moving_chain(const Table& system, const Table& motion, MotionScenario& scenario);
void read_planar_motion(const Table& system, const Table& motion, MotionScenario& scenario);
/// A bar, rod, disc or sphere, one or two bodies, a block, or a rod between floor and wall: as it
/// strikes in one impact, from which its motion starts.
void read_moving_body(const Table& system, const Table& motion, MotionScenario& scenario);
void read_space_motion(const Table& system, const Table& motion, MotionScenario& scenario);
/// The same in space: a rod, a sphere, one or two bodies.
void read_moving_space_body(const Table& system, const Table& motion, MotionScenario& scenario);

/// The disc of "disc-ball": where a ball strikes it first, `first_impact` is set up with the
/// velocities before, and `surfaces` are those of A, B, C and D; strike_disc then resolves it.
void read_disc_motion(const Table& top, const Table& motion, MotionScenario& scenario);
void strike_disc(const Table& system, MotionScenario& scenario);

}  // namespace carom::scenario
