// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/modes/tree.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// On a pivot below this nothing is built: all that follows from it is left to be solved afresh.
/// Above it two pivots in a row leave six digits of sixteen.
constexpr double poor_pivot = 1e-5;
/// An inequality violated by less than this, relative to the impulses on the way, may yet hold:
/// thousands of times what one such pivot makes of epsilon, 2e-11. Too large a value costs time
/// only.
constexpr double loose = 1e-7;
/// Entries below this are zero: five times what one such pivot makes of epsilon.
constexpr double zero = 1e-10;
/// A closed contact pushes with at least this, or it counts as open: about ten times `rounding`, in
/// units in which the largest impulse is about one.
constexpr double least_push = 1e-13;

constexpr std::size_t most_columns = 2 * most_enumerated + 1;
constexpr std::size_t most_inequalities = 3 * most_enumerated;

/// An affine function of the impulses of the undecided contacts: the constant, then the
/// coefficients from the last contact to the first. Deciding the first contact removes the last
/// entries.
using Affine = std::array<double, most_columns + 1>;

class ModeTree {
 public:
  ModeTree(const ScaledFriction& s, std::vector<ContactChoices>& found)
      : s_(s), n_(s.contacts), found_(found) {
    std::size_t at = 1;
    for (std::size_t i = n_; i-- > 0;) {
      friction_[i] = s.components == 2 ? s.mu[i] : 0.;
      floor_[i] = s.floor[i];
      column_[i] = at;
      at += frictional(i) ? 2U : 1U;
      choices_[i] = choices_of(i);
    }
    column_[n_] = 1;
    start();
  }

  void search() {
    found_.clear();
    descend(0);
  }

 private:
  /// State after the first few contacts are decided.
  struct Node {
    std::array<Affine, most_inequalities> inequality;  // >= 0
    std::array<bool, most_inequalities> strict;        // an impulse that must be positive
    std::size_t inequalities = 0;
    std::array<Affine, most_columns> xi;  // of the undecided contacts, one for each column
    double largest = 1.;                  // largest constant so far
  };

  struct Choices {
    std::array<ContactChoice, 6> all;
    std::size_t count = 0;
  };

  [[nodiscard]] bool frictional(std::size_t i) const { return friction_[i] > 0.; }

  [[nodiscard]] Choices choices_of(std::size_t i) const {
    using enum ContactChoice;
    if (s_.slides(i) && frictional(i)) {
      const bool ahead = s_.prescribed[i].direction[0] > 0.;
      if (s_.pushes(i)) return {.all = {ahead ? floor_forward : floor_backward}, .count = 1};
      return {.all = {open, ahead ? forward : backward}, .count = 2};
    }
    if (s_.pushes(i)) {
      if (!frictional(i) || !(s_.floor[i] > 0.)) return {.all = {open}, .count = 1};
      return {.all = {floor_stick, floor_backward, floor_forward}, .count = 3};
    }
    if (!frictional(i)) return {.all = {open, closed}, .count = 2};
    if (!(s_.floor[i] > 0.)) return {.all = {open, stick, backward, forward}, .count = 4};
    return {.all = {floor_stick, floor_backward, floor_forward, stick, backward, forward},
            .count = 6};
  }

  /// xi in terms of P_n - f and P_t.
  void start() {
    const std::size_t d = s_.components;
    Node& root = nodes_[0];
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t r = 0; r < (frictional(i) ? 2U : 1U); ++r) {
        Affine& row = root.xi[column_[i] + r - 1];
        row.fill(0.);
        row[0] = s_.b[i * d + r];
        const auto add = [&](std::size_t j, const double* block_row) {
          row[0] += block_row[0] * s_.floor[j];
          row[column_[j]] = block_row[0];
          if (frictional(j)) row[column_[j] + 1] = block_row[1];
        };
        add(i, &s_.diagonal[(i * d + r) * d]);
        s_.for_blocks(i,
                      [&](std::size_t j, const double* block) { add(j, block + r * s_.step()); });
      }
    }
  }

  void descend(std::size_t i) {
    if (i == n_) {
      found_.push_back(chosen_);
      return;
    }
    for (std::size_t k = 0; k < choices_[i].count; ++k) {
      chosen_[i] = choices_[i].all[k];
      switch (decide(i)) {
        case Step::made:
          descend(i + 1);
          break;
        case Step::unsure:
          take_all(i + 1);
          break;
        case Step::impossible:
          break;
      }
    }
  }

  /// Keeps all remaining modes without checking them.
  void take_all(std::size_t i) {
    if (i == n_) {
      found_.push_back(chosen_);
      return;
    }
    for (std::size_t k = 0; k < choices_[i].count; ++k) {
      chosen_[i] = choices_[i].all[k];
      take_all(i + 1);
    }
  }

  enum class Step : std::uint8_t {
    made,
    unsure,
    impossible,  // or singular
  };

  /// Whether the entries of a row for the contacts still undecided are zero. If the pivot is zero,
  /// too, they are zero in all child nodes, and the equations are singular.
  [[nodiscard]] static bool vanishes(const Affine& row, std::size_t columns) {
    return std::all_of(row.begin() + 1, row.begin() + static_cast<std::ptrdiff_t>(columns),
                       [](double x) { return magnitude(x) <= zero; });
  }

  /// What a pivot below `poor_pivot` means for a mode.
  [[nodiscard]] static Step without_pivot(double pivot, const Affine& row, std::size_t columns) {
    return magnitude(pivot) <= zero && vanishes(row, columns) ? Step::impossible : Step::unsure;
  }

  /// Makes the child node in which contact i has the chosen mode.
  Step decide(std::size_t i) {
    using enum ContactChoice;
    const ContactChoice c = chosen_[i];
    const Node& from = nodes_[i];
    const std::size_t m = column_[i];  // columns that remain
    const double f = s_.floor[i];
    const double mu = s_.mu[i];
    const Affine& xi_n = from.xi[m - 1];
    const Affine& xi_t = from.xi[m];  // with friction
    Affine& normal = normal_;         // P_n - f
    Affine& tangential = tangential_;
    const auto constant = [&](Affine& a, double x) {
      std::fill_n(a.begin(), m, 0.);
      a[0] = x;
    };
    switch (c) {
      case open:
        constant(normal, 0.);
        constant(tangential, 0.);
        break;
      case floor_backward:
      case floor_forward:
        constant(normal, 0.);
        constant(tangential, c == floor_forward ? -mu * f : mu * f);
        break;
      case floor_stick:
        constant(normal, 0.);
        if (!(magnitude(xi_t[m + 1]) > poor_pivot)) return without_pivot(xi_t[m + 1], xi_t, m);
        for (std::size_t k = 0; k < m; ++k) tangential[k] = -xi_t[k] / xi_t[m + 1];
        break;
      case closed:
        if (!(magnitude(xi_n[m]) > poor_pivot)) return without_pivot(xi_n[m], xi_n, m);
        for (std::size_t k = 0; k < m; ++k) normal[k] = -xi_n[k] / xi_n[m];
        constant(tangential, 0.);
        break;
      case backward:
      case forward: {
        const double tied = c == forward ? -mu : mu;
        const double pivot = xi_n[m] + tied * xi_n[m + 1];
        if (!(magnitude(pivot) > poor_pivot)) return without_pivot(pivot, xi_n, m);
        for (std::size_t k = 0; k < m; ++k) normal[k] = -xi_n[k] / pivot;
        normal[0] -= tied * f * xi_n[m + 1] / pivot;
        for (std::size_t k = 0; k < m; ++k) tangential[k] = tied * normal[k];
        tangential[0] += tied * f;
        break;
      }
      case stick:
        if (const Step s = stop(xi_n, xi_t, m); s != Step::made) return s;
        break;
    }
    return put_in(i) ? Step::made : Step::impossible;
  }

  /// Substitutes the impulses of contact i into the node. Returns false as soon as an inequality
  /// cannot hold.
  bool put_in(std::size_t i) {
    const Node& from = nodes_[i];
    Node& to = nodes_[i + 1];
    const std::size_t m = column_[i];
    const bool friction = frictional(i);
    to.largest = std::max({from.largest, magnitude(normal_[0]), magnitude(tangential_[0])});
    to.inequalities = 0;
    if (!add_inequalities(chosen_[i], i, m, to)) return false;
    for (std::size_t r = 0; r < from.inequalities; ++r) {
      const std::size_t at = to.inequalities++;
      to.strict[at] = from.strict[r];
      insert(from.inequality[r], friction, m, to.inequality[at]);
      if (!reaches(to, to.inequality[at], to.strict[at], i + 1)) return false;
    }
    for (std::size_t j = n_; j-- > i + 1;) {
      const std::size_t r = column_[j] - 1;
      insert(from.xi[r], friction, m, to.xi[r]);
      if (!s_.pushes(j) && !reaches(to, to.xi[r], false, i + 1)) return false;
      if (frictional(j)) insert(from.xi[r + 1], friction, m, to.xi[r + 1]);
    }
    return true;
  }

  /// Solves xi_n = xi_t = 0 for both impulses.
  Step stop(const Affine& xi_n, const Affine& xi_t, std::size_t m) {
    const double a = xi_n[m];
    const double b = xi_n[m + 1];
    const double c = xi_t[m];
    const double d = xi_t[m + 1];
    const double det = a * d - b * c;
    const double big = std::max({magnitude(a), magnitude(b), magnitude(c), magnitude(d)});
    if (!(magnitude(det) > poor_pivot * big) || !(big > poor_pivot)) {
      if (vanishes(xi_n, m + 2) || vanishes(xi_t, m + 2)) return Step::impossible;
      // Subtracts a multiple of one row from the other, which eliminates the common column.
      const bool normal_first = magnitude(a) + magnitude(b) >= magnitude(c) + magnitude(d);
      const Affine& p = normal_first ? xi_n : xi_t;
      const Affine& q = normal_first ? xi_t : xi_n;
      const std::size_t at = magnitude(p[m]) >= magnitude(p[m + 1]) ? m : m + 1;
      if (!(magnitude(p[at]) > poor_pivot)) return Step::unsure;
      Affine rest;
      for (std::size_t k = 0; k < m; ++k) rest[k] = q[k] - q[at] / p[at] * p[k];
      return magnitude(det) <= zero && vanishes(rest, m) ? Step::impossible : Step::unsure;
    }
    const double inverse = 1. / det;
    for (std::size_t k = 0; k < m; ++k) {
      normal_[k] = inverse * (b * xi_t[k] - d * xi_n[k]);
      tangential_[k] = inverse * (c * xi_n[k] - a * xi_t[k]);
    }
    return Step::made;
  }

  /// Substitutes the impulses of the decided contact into a row.
  void insert(const Affine& from, bool friction, std::size_t m, Affine& to) const {
    const double g = from[m];
    if (!friction) {
      for (std::size_t k = 0; k < m; ++k) to[k] = from[k] + g * normal_[k];
      return;
    }
    const double h = from[m + 1];
    for (std::size_t k = 0; k < m; ++k) to[k] = from[k] + (g * normal_[k] + h * tangential_[k]);
  }

  /// Adds the inequalities of contact i in its mode. Returns false if they cannot hold.
  bool add_inequalities(ContactChoice c, std::size_t i, std::size_t m, Node& to) const {
    using enum ContactChoice;
    const auto add = [&](bool strict) -> Affine& {
      to.strict[to.inequalities] = strict;
      return to.inequality[to.inequalities++];
    };
    const auto velocity = [&](std::size_t row, double sign) {
      Affine& a = add(false);
      insert(nodes_[i].xi[row], frictional(i), m, a);
      for (std::size_t k = 0; k < m; ++k) a[k] *= sign;
      return reaches(to, a, false, i + 1);
    };
    const bool at_floor =
        c == open || c == floor_stick || c == floor_backward || c == floor_forward;
    if (at_floor) {
      if (!s_.pushes(i) && !velocity(m - 1, 1.)) return false;
    } else {
      Affine& a = add(true);
      std::copy_n(normal_.begin(), m, a.begin());
      if (!reaches(to, a, true, i + 1)) return false;
    }
    if (c == backward || c == floor_backward) return s_.slides(i) || velocity(m, -1.);
    if (c == forward || c == floor_forward) return s_.slides(i) || velocity(m, 1.);
    if (c != stick && c != floor_stick) return true;
    for (const double sign : {-1., 1.}) {
      Affine& a = add(false);
      for (std::size_t k = 0; k < m; ++k) a[k] = friction_[i] * normal_[k] + sign * tangential_[k];
      a[0] += friction_[i] * floor_[i];
      if (!reaches(to, a, false, i + 1)) return false;
    }
    return true;
  }

  /// Whether a row can be >= 0 (> 0 for an impulse that must be positive) while the contacts from i
  /// on stay within their cones, P_n >= f and |P_t| <= mu P_n.
  [[nodiscard]] bool reaches(const Node& node, const Affine& row, bool strict,
                             std::size_t i) const {
    double most = row[0];
    const double least = strict ? least_push : -loose * node.largest;
    if (most >= least) return true;
    for (std::size_t j = i; j < n_; ++j) {
      const std::size_t k = column_[j];
      double growth = row[k];
      if (friction_[j] > 0.) {
        const double friction = friction_[j] * magnitude(row[k + 1]);
        growth += friction;
        most += friction * floor_[j];
      }
      if (growth > 0.) return true;
    }
    return most >= least;
  }

  const ScaledFriction& s_;
  std::size_t n_;
  std::array<std::size_t, most_enumerated + 1> column_{};  // of each contact's normal impulse
  std::array<double, most_enumerated> friction_{};         // mu; zero with one component
  std::array<double, most_enumerated> floor_{};
  std::array<Choices, most_enumerated> choices_{};
  std::array<Node, most_enumerated + 1> nodes_;
  Affine normal_{};
  Affine tangential_{};
  ContactChoices chosen_{};
  std::vector<ContactChoices>& found_;
};

}  // namespace

void possible_modes(const ScaledFriction& s, std::vector<ContactChoices>& found) {
  ModeTree(s, found).search();
}

}  // namespace carom::complementarity
