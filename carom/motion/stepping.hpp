// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <carom/complementarity/friction/factored.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/setting.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/motion/single_impact.hpp>
#include <carom/motion/step_contacts.hpp>

/// Time-stepping by the scheme of Moreau and Jean with theta = 1/2 [Moreau 1999; Jean 1999]:
///
///     M (u+ - u-) = h f + W P,    q+ = q- + h (u- + u+)/2,
///
/// with M, f and W in the middle of the step, and for each closed contact
///
///     0 <= P_n  _|_  v_n+ + e v_n- >= 0,    -P_T in mu P_n Sgn(v_T+ + e_T v_T-).
///
/// e and e_T are zero for an approach slower than the speed of rest, since contacts at rest
/// approach by g h in each step. A contact that strikes alone, without another closed contact in
/// its island, goes through the scenario's own law instead, before the forces act.
///
/// Energy. (u- + u+)/2 times the first equation: the change of kinetic energy is the work of the
/// forces, h f.(u- + u+)/2, plus P.(v- + v+)/2 at each contact. Where forces are constant and
/// bodies free the first is exactly what the potential energy loses.
///
/// A contact's work is not positive. For a closed contact that approaches this follows from the
/// law. Where normals and arms turn, though, a contact that was closed separates a little at the
/// start of a step, and one that stuck slips: v- of the order of h. There the law is for the mean
/// velocity (v- + v+)/2, which makes the work of the contact zero.
///
/// Overlap of what landed in the step is removed by the smallest displacement in the mass metric.
/// It changes no velocity. The potential energy that it changes has its own row in the account.
namespace carom::motion {

class Stepping {
 public:
  Stepping(const Model& model, const std::vector<Surface>& surfaces, const Options& options);

  /// Throws InputError if the state is not valid.
  void begin(const State& state);
  void load(const Progress& progress);
  [[nodiscard]] Progress save() const;
  /// Steps until the end, or until a time.
  [[nodiscard]] Summary go(Recorder& recorder,
                           double until = std::numeric_limits<double>::infinity());
  /// Contacts of the largest island of the last step, and of the state that was begun with.
  [[nodiscard]] std::size_t largest_island() const { return islands_.largest(); }
  [[nodiscard]] std::size_t largest_island_at_start();

 private:
  /// Why a step is not accepted.
  enum class Verdict : std::uint8_t { accepted, shorter, failed };

  // --- stepping.cpp
  [[nodiscard]] double nominal_step() const;
  [[nodiscard]] double rest_speed(double h) const;
  [[nodiscard]] Verdict attempt(double h);
  [[nodiscard]] bool look_at_middle(double h);
  void gather(double h);
  [[nodiscard]] bool close_near(double h);
  void pose(std::size_t i, double scale);
  void find_islands();
  void strike(std::size_t contact);
  void shift_struck(std::size_t contact, double h);
  /// Static friction holds for what stuck in the last step.
  [[nodiscard]] double friction_of(const StepContact& c) const {
    const Surface& s = surface(c.id);
    return c.stuck && !c.strikes ? s.static_friction : s.friction;
  }
  [[nodiscard]] bool changes_friction(const std::vector<std::size_t>& members, double h,
                                      bool& tried);
  [[nodiscard]] bool sticks(std::size_t contact, double h) const;
  [[nodiscard]] bool solve_island(std::span<const std::size_t> island, double h);
  [[nodiscard]] double work_of(const StepContact& contact) const;       ///< [J]
  [[nodiscard]] double slip_work_of(const StepContact& contact) const;  ///< of friction alone
  void read_island(std::span<const std::size_t> island);
  void accept(double h);
  bool fail(Failure failure, std::string reason);

  // --- step_positions.cpp
  void move(double h);
  [[nodiscard]] bool separate(State& state);
  [[nodiscard]] double worst_overlap() const;  ///< of separation_.found, relative to sizes
  void project(State& state, double goal);
  void displace(State& state, const Vector& by);
  [[nodiscard]] double energy_of(const State& state);

  // --- step_record.cpp
  void tell_contacts();
  void tell_impacts();
  enum class Told : std::uint8_t { sample, before, after, last };
  void sample(Told kind);
  [[nodiscard]] ContactStatus status_of(const StepContact& contact) const;
  [[nodiscard]] const Surface& surface(const ContactId& id) const { return setting_.surface(id); }

  const Setting setting_;  ///< checked
  const Model& model_;
  const Options& options_;
  const std::size_t components_;
  ContactList contacts_;
  Mechanics mechanics_;
  StepContacts step_;
  StepContacts separation_;
  complementarity::FactoredFriction friction_;
  SingleImpact impact_;

  // What decides what comes next.
  State now_;
  double end_of_step_ = 0.;        ///< of the nominal one [s]
  std::vector<StepContact> last_;  ///< contacts of the last step, in ascending order
  double last_h_ = 0.;             ///< its length [s]
  EnergyAccount account_;
  Progress progress_;  ///< what does not belong to steps

  // Of the step that is tried.
  State middle_;
  State end_;
  Vector u_;        ///< velocities
  Vector u_start_;  ///< after laws have answered, before forces act
  Vector mean_;     ///< (u- + u+)/2
  Vector shift_;    ///< displacements where bodies struck within the step
  bool shifted_ = false;
  double drives_ = 0.;
  double corrected_ = 0.;
  Islands islands_;  ///< of contacts that act
  std::vector<std::size_t> members_;
  std::vector<std::size_t> place_;
  std::vector<double> inverse_;
  Mechanics::Columns mobility_;
  std::vector<double> columns_;
  std::vector<double> lambda_;
  Vector displacement_;
  std::vector<ContactId> closing_;  ///< contacts that a step closes, ascending
  Mechanics elsewhere_;             ///< at other states than the middle of the step
  ContactMotion spin_;
  struct Struck {
    std::size_t contact = 0;
    double change = 0.;
    std::array<double, 3> impulse{};
    Verdicts flags{};
  };
  std::vector<Struck> struck_;
  double shorter_ = 0.;  ///< proposed length of a shorter step [s]

  Recorder* recorder_ = nullptr;
  std::size_t told_contacts_ = 0;
  std::vector<ContactStatus> status_;
  std::vector<double> force_;
  std::vector<double> velocity_;
  std::vector<double> gap_;
  std::vector<double> couple_;
  std::vector<double> spin_told_;
  /// What happened, for the log.
  struct Counts {
    double steps = 0.;
    double shorter = 0.;   ///< steps that were repeated with a shorter one
    double repeated = 0.;  ///< islands that were repeated with less restitution
    double sweeps = 0.;
    double formed = 0.;         ///< islands that needed G
    double not_converged = 0.;  ///< and those that did not converge
  };
  Counts counts_;
  std::string reason_;
  Failure failure_ = Failure::none;
};

}  // namespace carom::motion
