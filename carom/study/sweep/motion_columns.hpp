// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <carom/mechanics/model.hpp>
#include <carom/motion/events.hpp>
#include <carom/scenario/toml_table.hpp>
#include <carom/study/sweep/plan.hpp>

/// What a sweep can show of a motion: numbers of its end, and of its events.
namespace carom::study {

/// A number of a motion.
struct MotionColumn {
  enum class What : std::uint8_t {
    ending,
    time,
    events,
    impacts,
    kinetic,
    potential,
    energy,
    energy_lost,         ///< since the start
    energy_change,       ///< of an event
    normal_impulse,      ///< of an event, all contacts
    tangential_impulse,  ///< of an event at one contact in the plane
    position,
    velocity,
  };
  SweepColumn column;
  What what = What::ending;
  std::size_t index = 0;  ///< of the position or velocity
  bool at_event = false;
  std::vector<motion::EventKind> kinds{};  ///< of the event
  std::size_t number = 1;                  ///< the first such event is 1; 0: the last
  bool before = false;                     ///< just before the event instead of just after
};

/// "ball.x", "impacts", "ball.x@impact", "time@lift-off 2", "ball.v_y@impact last before". Throws
/// InputError.
[[nodiscard]] MotionColumn motion_column(const scenario::PlacedText& asked, const Model& model);

/// The names that stand for numbers of every motion, with what they mean.
[[nodiscard]] std::string motion_quantity_list();

[[nodiscard]] std::unique_ptr<Evaluator> make_motion_evaluator(const SweepPlan& plan);

}  // namespace carom::study
