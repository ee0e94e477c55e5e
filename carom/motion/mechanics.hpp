// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/mechanics/model.hpp>
#include <carom/motion/contact_list.hpp>
#include <carom/motion/islands.hpp>

namespace carom::motion {

/// Components of a contact from here on are its relative spin, times a length: about the plane's
/// normal in the plane, about n, t1 and t2 in space. Their forces are couples over that length.
inline constexpr std::size_t first_spin = 3;

/// Sums of few products, most of them of three.
[[nodiscard]] inline double dot(const double* a, const double* b, std::size_t size) {
  if (size == 3) return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  double sum = 0.;
  for (std::size_t k = 0; k < size; ++k) sum += a[k] * b[k];
  return sum;
}

/// A model at one state: M factored, accelerations without contact forces, and contacts on demand.
class Mechanics {
 public:
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;

  Mechanics(const Model& model, const ContactList& contacts);

  /// Evaluates a state. Returns false if M is not positive definite or a number is not finite.
  [[nodiscard]] bool at(const State& state);
  /// The same with the forces of a step of given length: Model::step_dynamics.
  /// @param h  the length, for drag at the velocity that it leads to: M + h C; 0: M alone
  [[nodiscard]] bool at_step(const State& state, double h = 0.);

  /// The motion of a contact at that state.
  const ContactMotion& load(std::size_t contact, const State& state);
  [[nodiscard]] const ContactMotion& motion(std::size_t contact) const {
    return motion_[contact].motion;
  }
  /// The relative spin at a contact at that state, times a length.
  const ContactMotion& load_spin(std::size_t contact, const State& state, double length);
  [[nodiscard]] const ContactMotion& spin(std::size_t contact) const {
    return spin_[contact].motion;
  }

  [[nodiscard]] double kinetic(const Vector& u) const;                           ///< 1/2 u.M.u [J]
  [[nodiscard]] double mass_entry(std::size_t j) const { return diagonal_[j]; }  ///< M_jj
  [[nodiscard]] const Vector& force() const { return h_; }                       ///< h
  [[nodiscard]] const Vector& free() const { return free_; }                     ///< M^-1 h

  /// Component j of its velocity: slip and spin.
  [[nodiscard]] double velocity(std::size_t contact, std::size_t j) const {
    return j < first_spin ? motion(contact).velocity(ix(j))
                          : spin(contact).velocity(ix(j - first_spin));
  }
  /// Component j of W^T x, with x as long as u. @pre the contact was loaded
  [[nodiscard]] double along(std::size_t contact, std::size_t j, const Vector& x) const {
    const auto& ranges = motion(contact).ranges;  // those of its spin, too
    const double* const w = direction(contact, j);
    const double first = dot(w, x.data() + ranges[0].begin, ranges[0].size);
    if (ranges[1].size == 0) return first;
    return first + dot(w + ranges[0].size, x.data() + ranges[1].begin, ranges[1].size);
  }
  /// The rate of a component of its velocity under the accelerations x.
  [[nodiscard]] double acceleration(std::size_t contact, std::size_t j, const Vector& x) const {
    return along(contact, j, x) +
           (j < first_spin ? motion(contact).bias(ix(j)) : spin(contact).bias(ix(j - first_spin)));
  }
  /// The sum of the sizes of all terms of the tangential components of W^T x, to judge rounding.
  [[nodiscard]] double terms(std::size_t contact, const Vector& x) const;
  /// Component j of W: a number for each velocity that moves the contact. @pre it was loaded
  [[nodiscard]] const double* direction(std::size_t contact, std::size_t j) const {
    return (j < first_spin ? motion(contact).W.col(ix(j)) : spin(contact).W.col(ix(j - first_spin)))
        .data();
  }
  /// y = M^-1 (W c + S m), with S the directions of the spin, for those velocities.
  /// @param m  null: none
  void respond(std::size_t contact, const std::array<double, 3>& c, const std::array<double, 3>* m,
               double* y) const;
  /// x += M^-1 W c
  void push(std::size_t contact, const std::array<double, 3>& c, Vector& x);
  /// The same of couples.
  void push_couple(std::size_t contact, const std::array<double, 3>& c, Vector& x);
  /// W_a^T M^-1 W_b of two contacts: zero where they share no body.
  [[nodiscard]] Eigen::Matrix3d coupling(std::size_t a, std::size_t b);
  /// The same of one contact with itself, computed once for each state.
  [[nodiscard]] const Eigen::Matrix3d& own_coupling(std::size_t contact);
  /// The same of spins, of both or of one.
  [[nodiscard]] Eigen::Matrix3d spin_coupling(std::size_t a, bool spin_of_a, std::size_t b,
                                              bool spin_of_b);
  [[nodiscard]] bool are_coupled(std::size_t a, std::size_t b) const;

  /// W^T M^-1 W of some contacts, all components, and their accelerations without contact forces,
  /// W^T M^-1 h + bias. @pre they were loaded
  void contact_space(const std::vector<std::size_t>& contacts, Matrix& G, Vector& b);
  /// A component of the spin at one of some contacts.
  struct SpinRow {
    std::size_t place = 0;      ///< of the contact among them
    std::size_t component = 0;  ///< from first_spin on
  };
  /// N = W^T M^-1 S and R = S^T M^-1 S of the directions S of some spins, and their accelerations
  /// without contact forces. @pre they were loaded
  void spin_space(const std::vector<std::size_t>& contacts, const std::vector<SpinRow>& rows,
                  Matrix& N, Matrix& R, Vector& c);

  /// M^-1 W of a motion with so many columns. @param Y  is given its size
  void mobility(const ContactMotion& motion, std::size_t columns, Columns& Y) const;

  /// Blocks of the mass matrix that a contact moves; `nowhere` for the ground.
  [[nodiscard]] std::array<std::size_t, 2> blocks_of(const ContactMotion& motion) const;
  [[nodiscard]] std::array<std::size_t, 2> blocks_of(std::size_t contact) const {
    return blocks_of(motion(contact));
  }
  [[nodiscard]] std::size_t blocks() const { return M_.blocks().size(); }

  const Model& model;
  const std::size_t n;           ///< velocities
  const std::size_t components;  ///< of a contact
  const std::size_t spins;       ///< components of a relative spin: 1 or 3

 private:
  struct Loaded {
    ContactMotion motion;
    Columns mobility;            ///< M^-1 W, as W
    Eigen::Matrix3d coupling{};  ///< W^T M^-1 W of itself
    bool ready = false;          ///< whether `mobility` is that of this state
    bool is_coupled = false;     ///< whether `coupling` is
  };
  const Columns& mobility(Loaded& loaded, std::size_t columns) const;
  [[nodiscard]] bool factorise();
  [[nodiscard]] bool factorise(std::size_t block);
  void push(Loaded& loaded, std::size_t columns, const std::array<double, 3>& c, Vector& x) const;
  [[nodiscard]] Eigen::Matrix3d coupling(const Loaded& a, std::size_t rows, Loaded& b,
                                         std::size_t columns) const;
  void solve_block(std::size_t block, double* x) const;

  const ContactList& contacts_;
  MassMatrix M_;
  MassMatrix known_;    ///< that was factored last: most masses never change
  MassMatrix factors_;  ///< Cholesky's of its blocks, below the diagonal and on it; diagonal blocks
                        ///< stay what they are
  Vector h_;
  Vector free_;
  std::vector<double> diagonal_;
  std::vector<double> inverse_;            ///< 1/M_jj
  std::vector<std::uint8_t> is_diagonal_;  ///< by block
  std::vector<std::size_t> block_at_;      ///< by the first velocity of a block
  std::vector<Loaded> motion_;
  std::vector<Loaded> spin_;
};

/// A pivot below this times the largest entry of its row counts as zero: contacts that share
/// directions.
inline constexpr double singular_pivot = 1e-11;

/// Result of solving a small system.
enum class Solved : std::uint8_t {
  uniquely,
  shared,  ///< singular
  not_at_all,
};

/// Solves K x = rhs, of size r, by elimination; if K is singular, the least-norm least-squares
/// solution. K is row-major. rhs is overwritten by x.
[[nodiscard]] Solved solve_small(const double* K, double* rhs, std::size_t r);

/// The same, but leaves rhs as it is if K is singular.
[[nodiscard]] Solved eliminate_small(const double* K, double* rhs, std::size_t r);

/// Unknown forces or impulses at contacts, grouped by islands: bodies that closed contacts connect.
class ContactSystem {
 public:
  static constexpr std::size_t no_couple = nowhere;
  /// An unknown x pushes with W c x at its contact and turns it with the couple m x, and its
  /// equation is that of component `row`.
  struct Unknown {
    std::size_t contact = 0;
    std::size_t row = 0;
    std::array<double, 3> c{};
    std::size_t couple = no_couple;  ///< the place of m, if it is not zero
    std::size_t response = 0;        ///< the place of M^-1 (W c + S m)

    [[nodiscard]] bool turns() const { return couple != no_couple; }
  };
  using Island = Islands::Island;

  void clear() {
    unknowns_.clear();
    couples_.clear();
    used_ = 0;
  }
  /// @pre the contact is loaded, and so is its spin if that has a part
  void add(const Mechanics& mechanics, std::size_t contact, std::size_t row,
           const std::array<double, 3>& c, const std::array<double, 3>* m = nullptr);
  /// Adds the unknown whose push is its own equation's.
  void add(const Mechanics& mechanics, std::size_t contact, std::size_t row);
  /// The entry of `matrix` on the diagonal of the unknown that was added last.
  [[nodiscard]] double own(const Mechanics& mechanics) const {
    return entry(mechanics, unknowns_.back(), unknowns_.back());
  }
  /// m of an unknown that turns.
  [[nodiscard]] const std::array<double, 3>& couple(const Unknown& u) const {
    return couples_[u.couple];
  }

  /// Groups what was added by islands, in the order of its first members, and makes room for the
  /// right-hand sides.
  void arrange(const Mechanics& mechanics);
  [[nodiscard]] const std::vector<Unknown>& unknowns() const { return unknowns_; }
  [[nodiscard]] const std::vector<Island>& islands() const { return islands_.all(); }

  /// The matrix of an island, by rows.
  const std::vector<double>& matrix(const Island& island, const Mechanics& mechanics);

  /// Solves all islands for the right-hand sides in `x`, which become the unknowns. Where an
  /// island is singular, least squares. @return false if one has no finite solution
  [[nodiscard]] bool solve(const Mechanics& mechanics);
  /// to += M^-1 (W c + S m) x of all unknowns
  void push(const Mechanics& mechanics, Vector& to) const;
  /// The same of one.
  void push(const Mechanics& mechanics, const Unknown& unknown, double size, Vector& to) const;

  std::vector<double> x;

 private:
  /// An entry of `matrix`: what the second unknown does in the equation of the first.
  [[nodiscard]] double entry(const Mechanics& mechanics, const Unknown& one,
                             const Unknown& two) const;

  std::vector<Unknown> unknowns_;
  std::vector<Unknown> sorted_;
  std::vector<std::array<double, 3>> couples_;
  std::vector<double> responses_;
  std::size_t used_ = 0;  ///< of them
  Islands islands_;
  std::vector<double> K_;
};

}  // namespace carom::motion
