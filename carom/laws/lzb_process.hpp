// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/core/runge_kutta.hpp>
#include <carom/laws/lzb_crossing.hpp>
#include <carom/laws/lzb_friction.hpp>
#include <carom/laws/lzb_model.hpp>
#include <carom/laws/lzb_prospect.hpp>
#include <carom/laws/lzb_record.hpp>
#include <carom/laws/lzb_system.hpp>

namespace carom::lzb {

/// What is as good as zero, in units of the approach.
struct Tolerances {
  explicit Tolerances(double asked);

  double asked;    ///< error of the outcome
  double local;    ///< error of a step
  double rest;     ///< velocity of a contact that rests
  double slip;     ///< slip that has stopped
  double creep;    ///< slip whose direction is that of its rate
  double impulse;  ///< impulse that may be left out at either end of a contact's push
};

/// An impact from first touch until every contact separates or rests: steps of an order-8
/// Runge-Kutta method under error control, within which stages and slip or stick do not change; a
/// step in which one would is cut where it happens.
template <int D>
class Process {
 public:
  Process(const Model& model, double tolerance, std::size_t most_steps, Course* trace);

  /// Nothing pushes: there is no impact.
  [[nodiscard]] bool idle() const { return idle_; }
  void run();

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Record& record() const { return record_; }
  [[nodiscard]] const Units& units() const { return model_.units; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] bool converged() const { return converged_; }
  /// Contacts whose last blows were ended at once.
  [[nodiscard]] std::size_t ended_early() const { return ended_early_; }
  [[nodiscard]] bool jams() const { return jams_; }
  [[nodiscard]] bool recompressed() const;
  /// Velocities at all contacts.
  [[nodiscard]] std::vector<double> velocities() const;
  /// A normal velocity that is as good as zero: rounding, or an approach within the tolerance.
  [[nodiscard]] bool rests(double v) const { return v <= 1e-13 && v >= -tolerance_.rest; }

 private:
  static constexpr std::size_t d = D;

  enum class Event : std::uint8_t {
    compressed,    ///< v_n = 0 from below
    expanded,      ///< x = 0
    recompresses,  ///< v_n = 0 from above, x > 0
    closes,        ///< an open contact's v_n = 0 from above
    stops,         ///< slip = 0
    passes,        ///< in space: slip has all but stopped on its way round
    breaks,        ///< friction of stick has reached its limit
    slips,         ///< slip that crept has a direction of its own
  };
  struct Fired {
    Event event;
    std::size_t index;   ///< contact or group, of the model
    double x = 0.;       ///< deformation of a contact that has closed within the step
    double P = 0.;       ///< and its impulse
    double P_time = 0.;  ///< integrated over the step
  };
  /// A change of stage within a step, which went on as if there were none: what that leaves out.
  struct Late {
    std::size_t contact;    ///< of the system
    double part = 1.;       ///< of the step, where it switched
    double at = 0.;         ///< deformation where it switched
    double passed = 0.;     ///< distance gone in the other stage, where it is back at the end
    double x = 0.;          ///< deformation
    double P = 0.;          ///< impulse
    double P_time = 0.;     ///< its integral over the step
    bool switches = false;  ///< at the end of the step it is in the other stage
    bool parted = false;    ///< after it had opened
  };

  /// What a trial step shows.
  struct Judgement {
    bool retry = false;
    double step = 0.;  ///< with which to try again
  };

  // lzb_process.cpp
  void begin();
  bool advance();
  double try_step(double h);
  template <class Tableau>
  double try_step_with(double h);
  template <class Tableau>
  void step_with(double h, std::vector<double>& y);
  [[nodiscard]] double twice_integrated(std::size_t number) const;
  void accept(double h);
  void weigh();
  void synchronize();
  void restart();
  [[nodiscard]] bool finished() const;
  bool resumes();
  void let_rest();
  bool ends_early();
  void end_at_once();
  /// Events at one instant: a few times each contact, up to a number that takes seconds.
  [[nodiscard]] std::size_t most_standing() const {
    return std::min<std::size_t>(200 + 50 * model_.size(), 2000);
  }
  void sample(double t, const double* y);
  void sample_within(double h);

  // lzb_process_events.hpp
  void stop_normal(std::size_t contact);
  [[nodiscard]] Judgement judge(double h);
  void judge_spring(std::size_t i, double h);
  void judge_watched(std::size_t k, double h);
  void judge_slip(std::size_t g, double h);
  void judge_stick(double h);
  void judge_creep(double h);
  void mark_creep();
  [[nodiscard]] double slowing(std::size_t k) const;
  /// @param weight  what a unit of deformation counts in velocity; infinite: it must be located
  void consider(const Crossing& c, double tolerance, double h, Event event, std::size_t index,
                double weight = HUGE_VAL);
  [[nodiscard]] double left_out(double time) const;
  bool make_up(std::size_t i, const Crossing& c, double h);
  bool make_up_opening(std::size_t i, double h);
  bool make_up_closing(std::size_t k, const Crossing& c, double h);
  [[nodiscard]] Quintic deformation(std::size_t i, double h) const;
  [[nodiscard]] Crossing coarse_deformation(std::size_t i, double h) const;
  [[nodiscard]] bool opens_soon(std::size_t i) const;
  void apply_late();
  void switch_late(double h);
  void earlier(double step);
  void deform_around(std::size_t contact, double impulse_time);
  void fire();
  void wake();
  bool wake_rings(std::size_t contact);
  void settle();

  // lzb_process_friction.hpp
  [[nodiscard]] bool is_rough(std::size_t group) const;
  void stop(std::size_t group);
  void begin_slip(std::size_t group);
  void drop_offsets();
  [[nodiscard]] bool turns_away(std::size_t g, const std::array<double, 2>& slip) const;
  void update_friction();
  void seed_jams();
  void watch_jams();
  [[nodiscard]] bool sticking_is_possible();
  [[nodiscard]] Motion motion(std::size_t contact) const;

  const Model& model_;
  const Groups groups_;
  const Tolerances tolerance_;
  const std::size_t most_steps_;
  State state_;
  System<D> system_;
  Record record_;

  double t_ = 0.;
  double h_ = 0.;
  std::size_t steps_ = 0;
  std::size_t standing_ = 0;  ///< events since time last moved on
  Prospect prospect_;
  Collapse collapse_;
  std::size_t looked_ = 0;  ///< steps when the prospect was last looked at
  std::size_t ended_early_ = 0;
  bool idle_ = false;
  bool converged_ = true;
  bool jams_ = false;
  bool tracing_ = false;

  // The ends of a step, and what lies between.
  RungeKutta<LargestError> stepper_;
  const bool low_order_;
  std::vector<double> y0_, y1_, f0_, f1_;
  std::vector<double> v0_, F0_, v1_, F1_;
  std::vector<double> weight_;

  std::vector<std::uint8_t> awake_;  ///< contacts whose neighbours at rest take part
  std::vector<Fired> fired_;
  std::vector<Late> late_;
  std::vector<Fired> at_start_;        ///< what should have happened before the step
  std::vector<std::size_t> released_;  ///< groups whose friction has reached its limit
  std::vector<std::size_t> passed_;    ///< groups of which that is all but true
  std::vector<std::size_t> stopped_;   ///< groups whose slip has come to an end
  std::vector<std::array<double, 2>> creeping_towards_;  ///< at the beginning of a step
  std::vector<double> slowing_;  ///< of each creeping group, at the beginning of a step
  double earliest_ = 0.;
  double top_swing_ = 0.;  ///< the fastest swing of any contact
  bool rebuild_ = false;
};

extern template class Process<1>;
extern template class Process<2>;
extern template class Process<3>;

}  // namespace carom::lzb
