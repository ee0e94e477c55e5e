// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

/// Moving mechanical systems: coordinates q, velocities u, and the contacts that may close.
///
///     q' = T(q) u,    M(q) u' = h(t, q, u) + W F,    gap_i(t, q) >= 0
///
/// SI units. A model has no impact laws, friction or events. It does not change: what is found
/// about a state belongs to the caller.
namespace carom {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Eigen's indices are signed.
[[nodiscard]] constexpr Eigen::Index ix(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// Positions and velocities of a system.
struct State {
  double time = 0.;  ///< [s]
  Vector q;          ///< positions [m, rad, or a quaternion's components]
  Vector u;          ///< velocities [m/s, rad/s]
};

/// Two things that may touch: a body and another one, or a piece of the ground. The numbers are the
/// model's own.
struct BodyPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  auto operator<=>(const BodyPair&) const = default;  // NOLINT: not a null pointer
};

/// A contact: a feature of the one and a feature of the other. It stays the same while these
/// features touch.
struct ContactId {
  BodyPair pair{};
  std::uint64_t features = 0;  ///< the model's own number of both

  auto operator<=>(const ContactId&) const = default;  // NOLINT: not a null pointer
};

/// Velocities u[begin .. begin + size).
struct VelocityRange {
  std::size_t begin = 0;
  std::size_t size = 0;

  bool operator==(const VelocityRange&) const = default;
};

/// A symmetric matrix with blocks on its diagonal: one for each group of velocities that inertia
/// couples. Each block is stored in full, row by row.
class MassMatrix {
 public:
  /// @pre the ranges follow each other from 0 without gaps
  explicit MassMatrix(std::vector<VelocityRange> blocks);

  [[nodiscard]] const std::vector<VelocityRange>& blocks() const { return blocks_; }
  [[nodiscard]] double* block(std::size_t b) { return entries_.data() + at_[b]; }
  [[nodiscard]] const double* block(std::size_t b) const { return entries_.data() + at_[b]; }
  void set_zero();

 private:
  std::vector<VelocityRange> blocks_;
  std::vector<std::size_t> at_;
  std::vector<double> entries_;
};

/// The motion of a contact. Components n and t in the plane, n, t1 and t2 in space.
struct ContactMotion {
  double gap = 0.;  ///< [m]
  /// The velocities that move the contact: one or two whole blocks of the mass matrix. A range of
  /// size 0 stands for the ground.
  std::array<VelocityRange, 2> ranges{};
  /// A row for each velocity of the first range, then of the second; a column for each component, a
  /// third of zeros in the plane.
  Eigen::Matrix<double, Eigen::Dynamic, 3> W;
  Eigen::Vector3d velocity;  ///< W^T u minus that of the support [m/s]
  Eigen::Vector3d bias;      ///< rate of the velocity at u' = 0 [m/s^2]
};

// As full matrices, where time does not matter.
[[nodiscard]] Matrix dense(const MassMatrix& M);
[[nodiscard]] Matrix dense(const ContactMotion& motion, std::size_t velocities);  ///< W

/// Contact features near each other.
struct NearContact {
  ContactId id{};
  double gap = 0.;  ///< [m]
  /// Whether the closest points lie within both features; otherwise they may come there when
  /// something moves.
  bool in_range = true;
};

/// A pair of bodies, or a body and a piece of the ground.
struct PairDescription {
  std::array<std::string_view, 2> names{};  ///< empty: contacts alone have names
  bool on_ground = false;                   ///< whether the second is a piece of the ground
  double smallest_length = 0.;              ///< of both, to which tolerances are relative [m]
};

/// Power that is not due to inertia, potential or contacts [W].
struct OtherPower {
  double drives =
      0.;  ///< motors and prescribed forces of moving supports; positive: energy is supplied
  double dampers = 0.;  ///< springs' dampers and drag, <= 0
};

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  [[nodiscard]] virtual std::size_t positions() const = 0;   ///< entries of q
  [[nodiscard]] virtual std::size_t velocities() const = 0;  ///< entries of u
  [[nodiscard]] virtual std::size_t components() const = 0;  ///< 2 in the plane, 3 in space

  // Names for logs and files, "rod.x", and units: "m", "rad", or "" for the entries of a
  // quaternion; those of velocities per second.
  [[nodiscard]] virtual std::string position_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string velocity_name(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string_view position_unit(std::size_t i) const = 0;
  [[nodiscard]] virtual std::string_view velocity_unit(std::size_t i) const = 0;

  /// Groups of velocities that inertia couples, from 0 on without gaps.
  [[nodiscard]] virtual std::vector<VelocityRange> blocks() const { return {{0, velocities()}}; }

  /// q' into `rate`.
  virtual void kinematics(const State& state, Vector& rate) const = 0;

  /// Computes M and h, which have their sizes already.
  virtual void dynamics(const State& state, MassMatrix& M, Vector& h) const = 0;

  // --- contacts

  /// Contacts that are known from the start: they have columns in tables. Others are found in the
  /// course of a motion.
  [[nodiscard]] virtual std::size_t contacts() const = 0;
  [[nodiscard]] virtual ContactId contact_id(std::size_t i) const = 0;
  /// "block-floor 1"
  [[nodiscard]] virtual std::string contact_name(const ContactId& id) const = 0;

  /// Surfaces that can be given apart: those of the contacts above, in the same order, then one for
  /// each pair of which no contact is known from the start. "block-floor 1", "block-ball"
  [[nodiscard]] virtual std::size_t surfaces() const { return contacts(); }
  [[nodiscard]] virtual std::string surface_name(std::size_t k) const {
    return contact_name(contact_id(k));
  }
  [[nodiscard]] virtual std::size_t surface_of(const ContactId& id) const = 0;

  [[nodiscard]] virtual double gap(const ContactId& id, const State& state) const = 0;

  /// Computes the motion of a contact and sets the size of W.
  virtual void contact(const ContactId& id, const State& state, ContactMotion& motion) const = 0;

  /// The relative spin of the bodies at a contact, for rolling and drilling friction: along n, t1
  /// and t2 of the contact in space, about the plane's normal (component 0 alone) in the plane
  /// [rad/s]. `gap` is not set; the ranges are those of `contact`.
  virtual void relative_spin(const ContactId& /*id*/, const State& /*state*/,
                             ContactMotion& /*motion*/) const {}
  /// Whether it knows relative spins.
  [[nodiscard]] virtual bool has_spins() const { return false; }

  /// How far inside the range of both features the closest points are [m]. Below zero other
  /// features of the same bodies take over.
  [[nodiscard]] virtual double margin(const ContactId& /*id*/, const State& /*state*/) const {
    return std::numeric_limits<double>::infinity();
  }

  /// Pairs whose distance is at most `reach` [m], and perhaps some more, into `out`, ascending. For
  /// a model without such a search: every known contact.
  virtual void near_pairs(const State& state, double reach, std::vector<BodyPair>& out) const = 0;

  /// Contacts of a pair with a gap of at most `reach`, and in range or out of it by up to `reach`,
  /// into `out`. With a `reach` of rounding size these are the contacts that touch, each point
  /// once.
  virtual void near_contacts(const BodyPair& pair, const State& state, double reach,
                             std::vector<NearContact>& out) const = 0;

  /// The same in which contacts touch if their gaps are at most `slack`, which may be larger.
  virtual void touching_contacts(const BodyPair& pair, const State& state, double slack,
                                 std::vector<NearContact>& out) const {
    near_contacts(pair, state, slack, out);
  }

  /// Contacts of a pair with a gap of at most `reach` that are in range, where the bodies may
  /// overlap by up to a hundredth of their size, as they do between steps of a given length.
  virtual void overlapping_contacts(const BodyPair& pair, const State& state, double reach,
                                    std::vector<NearContact>& out) const {
    near_contacts(pair, state, reach, out);
    std::erase_if(out, [&](const NearContact& c) { return !c.in_range || c.gap > reach; });
  }

  /// The distance of a pair, negative where it overlaps [m]; infinite if the contacts alone say
  /// all.
  [[nodiscard]] virtual double distance(const BodyPair& /*pair*/, const State& /*state*/) const {
    return std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] virtual PairDescription describe(const BodyPair& /*pair*/) const {
    return {.smallest_length = length_scale()};
  }

  /// A bound of how far any point of a body has moved from one state to another; infinite if it is
  /// not known [m].
  [[nodiscard]] virtual double moved(const State& /*from*/, const State& /*to*/) const {
    return std::numeric_limits<double>::infinity();
  }

  /// A bound of how far any point of one body of a pair has moved relative to any point of the
  /// other. What both move together does not count [m].
  [[nodiscard]] virtual double moved_apart(const BodyPair& /*pair*/, const State& from,
                                           const State& to) const {
    return 2. * moved(from, to);
  }

  /// An estimate from above of how far points of the two of a pair move towards each other on the
  /// way between two states, by the velocities at both; infinite if it is not known [m].
  [[nodiscard]] virtual double approached(const BodyPair& /*pair*/, const State& from,
                                          const State& to) const {
    return 2. * moved(from, to);
  }

  /// The next time after `time` at which forces or prescribed accelerations jump [s].
  [[nodiscard]] virtual double next_jump(double /*time*/) const {
    return std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] virtual double potential_energy(const State& state) const = 0;  ///< [J]

  [[nodiscard]] virtual OtherPower other_power(const State& /*state*/) const { return {}; }

  /// A reference length [m] and acceleration [m/s^2], to which tolerances are relative.
  [[nodiscard]] virtual double length_scale() const = 0;
  [[nodiscard]] virtual double acceleration_scale() const = 0;

  /// Corrects the effect of rounding on q (the length of a quaternion).
  virtual void normalise(State& /*state*/) const {}

  // --- steps of a given length, see motion/stepping.hpp

  /// Moves q along the velocities u for a time dt.
  virtual void displace(State& state, const Vector& u, double dt) const;

  /// The velocities that `from` has after dt without forces, in the axes of the positions of `to`:
  /// to.u. It keeps the kinetic energy of free bodies: spins change with gyroscopic torques.
  virtual void coast(const State& from, double /*dt*/, State& to) const { to.u = from.u; }

  /// Whether that holds: displacements do not change the kinetic energy.
  [[nodiscard]] virtual bool keeps_kinetic_energy() const { return false; }

  /// M, and the forces that change what `coast` leaves: without gyroscopic torques of free bodies.
  virtual void step_dynamics(const State& state, MassMatrix& M, Vector& f) const {
    dynamics(state, M, f);
  }

  /// Drag is -C u, with C at a state: adds h C to M, for drag at the velocity that a step leads to.
  virtual void add_drag(const State& /*state*/, double /*h*/, MassMatrix& /*M*/) const {}

  /// Mean power of other forces than contacts in a step to the velocity `end`, from that of
  /// `middle` without forces, which laws of impact have changed to `start`; with C at that of
  /// `middle`.
  /// @param middle  of the step; its velocity may change
  [[nodiscard]] virtual OtherPower step_power(State& middle, const Vector& start,
                                              const Vector& end) const {
    middle.u = 0.5 * (start + end);
    return other_power(middle);
  }

  // --- free flight in closed form, for models that support it

  /// Whether the motion without contact is known in closed form.
  [[nodiscard]] virtual bool flies() const { return false; }

  /// The state `dt` after `from`, without contact. @pre flies()
  virtual void fly(const State& /*from*/, double /*dt*/, State& /*to*/) const {}

  /// All pairs that may meet in free flight. @pre flies()
  virtual void flying_pairs(std::vector<BodyPair>& out) const {
    near_pairs({}, std::numeric_limits<double>::infinity(), out);
  }

  /// The time until a pair first touches in free flight, if it is known in closed form and within
  /// `longest`. Infinity if it does not touch; nothing if it must be searched. @pre flies()
  [[nodiscard]] virtual std::optional<double> flight_time(const BodyPair& /*pair*/,
                                                          const State& /*from*/,
                                                          double /*longest*/) const {
    return std::nullopt;
  }
  /// A time in which a pair that is searched does not touch, from bounds around both: 0 if there is
  /// no such bound, infinity if they never meet. @pre flies()
  [[nodiscard]] virtual double free_time(const BodyPair& /*pair*/, const State& /*from*/) const {
    return 0.;
  }
  /// A time in which the curvature of the gaps is small where nothing touches, for the search; 0:
  /// not known.
  [[nodiscard]] virtual double flight_step(const State& /*from*/) const { return 0.; }

  /// End condition of the model ("surface impact"): zero where it is reached, positive before.
  /// Nothing if there is none.
  [[nodiscard]] virtual std::optional<double> end_function(const State& /*state*/) const {
    return std::nullopt;
  }
  /// Name of that end.
  [[nodiscard]] virtual std::string end_name() const { return "end"; }
};

/// A model whose contacts are all known from the start, by number: the pair of contact i is (i, 0).
class ListedModel : public Model {
 public:
  [[nodiscard]] virtual std::string name_of(std::size_t i) const = 0;
  [[nodiscard]] virtual double gap_of(std::size_t i, const State& state) const = 0;
  virtual void motion_of(std::size_t i, const State& state, ContactMotion& motion) const = 0;

  [[nodiscard]] ContactId contact_id(std::size_t i) const final {
    return {.pair = {.first = static_cast<std::uint32_t>(i), .second = 0}};
  }
  [[nodiscard]] std::string contact_name(const ContactId& id) const final {
    return name_of(std::size_t{id.pair.first});
  }
  [[nodiscard]] std::size_t surface_of(const ContactId& id) const final { return id.pair.first; }
  [[nodiscard]] double gap(const ContactId& id, const State& state) const final {
    return gap_of(std::size_t{id.pair.first}, state);
  }
  void contact(const ContactId& id, const State& state, ContactMotion& motion) const final {
    motion_of(std::size_t{id.pair.first}, state, motion);
  }
  void near_pairs(const State& state, double reach, std::vector<BodyPair>& out) const final;
  void near_contacts(const BodyPair& pair, const State& state, double reach,
                     std::vector<NearContact>& out) const final;
};

}  // namespace carom
