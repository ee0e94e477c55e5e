// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/modes/enumeration.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <carom/complementarity/impulse_sharing.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// A pivot below this, relative, is zero: above it at least five digits of sixteen are left.
constexpr double singular = 1e-11;
/// Inequalities hold up to this, relative: about what a pivot of 1e-5 makes of epsilon.
constexpr double slack = 1e-11;
/// And relative to impulses up to this, as residuals are: those of nearly singular modes would
/// otherwise allow velocities of any size. A mode that fails only by this is doubtful.
constexpr double most_relative = 1024.;
/// Two solutions this close in xi, relative, are one: about the root of epsilon, so that solutions
/// which meet at the end of both of their modes are not counted twice.
constexpr double same = 1e-8;

constexpr std::size_t most_components = 2 * most_enumerated;

/// Mode of one contact. sigma = +1 is forward slip: P_t = -mu P_n.
struct Choice {
  bool at_floor = true;
  bool sticks = false;
  double sigma = 0.;
};

Choice choice_of(ContactChoice c) {
  using enum ContactChoice;
  Choice made{
      .at_floor = c == open || c == floor_stick || c == floor_backward || c == floor_forward,
      .sticks = c == stick || c == floor_stick};
  if (c == backward || c == floor_backward) made.sigma = -1.;
  if (c == forward || c == floor_forward) made.sigma = 1.;
  return made;
}

class Enumeration {
 public:
  Enumeration(const ScaledFriction& s, std::vector<EnumeratedSolution>& found)
      : s_(s), d_(s.components), n_(s.size()), found_(found) {
    found_.clear();
    for (std::size_t i = 0; i < s.contacts; ++i) {
      set(i, i, &s.diagonal[i * d_ * d_], d_);
      s.for_blocks(i, [&](std::size_t j, const double* block) { set(i, j, block, s.step()); });
    }
  }

  /// Solves the equations of the modes, then checks the inequalities.
  void consider(const ContactChoices& modes) {
    for (std::size_t i = 0; i < s_.contacts; ++i) chosen_[i] = choice_of(modes[i]);
    consider();
  }

  [[nodiscard]] bool doubtful() const { return doubtful_; }

 private:
  void set(std::size_t i, std::size_t j, const double* block, std::size_t step) {
    for (std::size_t r = 0; r < d_; ++r) {
      for (std::size_t c = 0; c < d_; ++c) G_[i * d_ + r][j * d_ + c] = block[r * step + c];
    }
  }

  void consider() {
    std::array<double, most_components> P{};
    std::array<std::size_t, most_components> row{};      // rows of G whose xi must vanish
    std::array<std::size_t, most_components> unknown{};  // component of P
    std::array<double, most_components> ratio{};         // P_t for one unit of P_n
    std::size_t m = 0;
    for (std::size_t i = 0; i < s_.contacts; ++i) {
      const Choice& c = chosen_[i];
      const double tied = -c.sigma * s_.mu[i];
      if (c.at_floor) {
        P[i * d_] = s_.floor[i];
        if (d_ == 2) P[i * d_ + 1] = tied * s_.floor[i];
      } else {
        row[m] = unknown[m] = i * d_;
        ratio[m++] = tied;
      }
      if (c.sticks) {
        row[m] = unknown[m] = i * d_ + 1;
        ratio[m++] = 0.;
      }
    }
    std::array<double, most_components> right{};
    for (std::size_t r = 0; r < m; ++r) {
      double x = s_.b[row[r]];
      if (s_.has_floor) {
        for (std::size_t c = 0; c < n_; ++c) x += G_[row[r]][c] * P[c];
      }
      right[r] = -x;
      for (std::size_t c = 0; c < m; ++c) {
        double g = G_[row[r]][unknown[c]];
        if (ratio[c] != 0.) g += ratio[c] * G_[row[r]][unknown[c] + 1];
        lu_[r][c] = g;
      }
    }
    if (!solve(m, right)) return;
    for (std::size_t c = 0; c < m; ++c) {
      P[unknown[c]] += right[c];
      if (ratio[c] != 0.) P[unknown[c] + 1] += ratio[c] * right[c];
    }
    // Most candidates fail by a sign: check it before the velocities are computed.
    double largest = 1.;
    for (std::size_t k = 0; k < n_; ++k) largest = std::max(largest, magnitude(P[k]));
    const double allowed = slack * std::min(largest, most_relative);
    bool doubtful = false;
    const auto holds = [&](double margin) {  // margin >= 0, up to rounding
      doubtful = doubtful || margin < -allowed;
      return margin >= -slack * largest;
    };
    for (std::size_t i = 0; i < s_.contacts; ++i) {
      if (!holds(P[i * d_] - s_.floor[i])) return;
      if (d_ == 2 && !holds(s_.mu[i] * P[i * d_] - magnitude(P[i * d_ + 1]))) return;
    }
    std::array<double, most_components> xi{};
    for (std::size_t r = 0; r < n_; ++r) {
      xi[r] = s_.b[r];
      for (std::size_t c = 0; c < n_; ++c) xi[r] += G_[r][c] * P[c];
    }
    for (std::size_t i = 0; i < s_.contacts; ++i) {
      if (!s_.pushes(i) && !holds(xi[i * d_])) return;
      if (d_ == 2 && !s_.slides(i) && !holds(chosen_[i].sigma * xi[i * d_ + 1])) return;
    }
    doubtful_ = doubtful_ || doubtful;
    if (!doubtful) keep(P, xi, largest);
  }

  void keep(const std::array<double, most_components>& P,
            const std::array<double, most_components>& xi, double scale) {
    for (const EnumeratedSolution& other : found_) {
      double apart = 0.;
      for (std::size_t k = 0; k < n_; ++k) {
        apart = std::max(apart, magnitude(xi[k] - other.xi[k]));
      }
      if (apart <= same * scale) return;
    }
    found_.push_back({.P = P, .xi = xi});
  }

  /// Elimination with the largest pivot of each column, as `DenseSystem` does it, but in place and
  /// by rows: the last bits of impulses that accumulate depend on the order. False: singular.
  bool solve(std::size_t m, std::array<double, most_components>& right) {
    for (std::size_t k = 0; k < m; ++k) {
      std::size_t best = k;
      for (std::size_t i = k + 1; i < m; ++i) {
        if (magnitude(lu_[i][k]) > magnitude(lu_[best][k])) best = i;
      }
      if (!(magnitude(lu_[best][k]) > singular)) return false;
      if (best != k) {
        std::swap(lu_[k], lu_[best]);
        std::swap(right[k], right[best]);
      }
      const double inverse = 1. / lu_[k][k];
      for (std::size_t i = k + 1; i < m; ++i) {
        const double f = lu_[i][k] * inverse;
        for (std::size_t j = k + 1; j < m; ++j) lu_[i][j] -= f * lu_[k][j];
        right[i] -= f * right[k];
      }
    }
    for (std::size_t i = m; i-- > 0;) {
      for (std::size_t j = i + 1; j < m; ++j) right[i] -= lu_[i][j] * right[j];
      right[i] /= lu_[i][i];
    }
    return true;
  }

  const ScaledFriction& s_;
  std::size_t d_;
  std::size_t n_;
  std::array<std::array<double, most_components>, most_components> G_{};
  std::array<std::array<double, most_components>, most_components> lu_{};
  std::array<Choice, most_enumerated> chosen_{};
  std::vector<EnumeratedSolution>& found_;
  bool doubtful_ = false;
};

}  // namespace

std::vector<EnumeratedSolution>& ModeEnumeration::all(const ScaledFriction& s) {
  possible_modes(s, modes_);
  Enumeration enumeration(s, found_);
  for (const ContactChoices& modes : modes_) enumeration.consider(modes);
  doubtful_ = enumeration.doubtful();
  for (EnumeratedSolution& x : found_) {
    share_impulses(s, std::span(x.P).first(s.size()), std::span(x.xi).first(s.size()), lemke_);
  }
  return found_;
}

}  // namespace carom::complementarity
