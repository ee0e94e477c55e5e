// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/force_sharing.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/core/dense_factors.hpp>

namespace carom::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index ix(std::size_t i) { return static_cast<Index>(i); }

/// The weight t of the objective grows by this factor from one centre to the next
/// [Boyd & Vandenberghe 2004, Sec. 11.3.1: 10 to 20].
constexpr double growth = 20.;
/// Largest t, in units in which forces are about one. The value is then wrong by at most 2/t per
/// contact, which is below the tolerance of the modes (1e-10). The least forces themselves may be
/// wrong by the root of that, where a restriction is only just active.
constexpr double most_weight = 1e12;
/// An excess within this, relative to the largest force, is zero: no search tells more. Contacts
/// without force leave as much: of a ball in a corner the floor alone has one, and no distribution
/// is further inside.
constexpr double resolved = 1e-11;
/// Newton steps for each centre: a few are enough while t grows by `growth`.
constexpr int most_newton_steps = 40;
/// A centre is found where Newton's decrement, squared, is below this.
constexpr double centred = 1e-10;
/// The backtracking line search [Boyd & Vandenberghe 2004, Sec. 9.2].
constexpr double sufficient = 0.1;
constexpr double shorter = 0.5;
constexpr int most_halvings = 60;
/// Where bodies are wedged, forces can grow without bound within all cones, and so would the
/// barrier's centre. A term |y|^2/(2 far^2) beside the barrier keeps it. In units in which forces
/// are about one.
constexpr double far = 100.;
/// Distributions up to this size are not missed, and add the second number to the barrier's degree.
constexpr double farthest = 1e3;
constexpr double more_degree = 0.5 * (farthest / far) * (farthest / far);
/// A distribution this far inside, relative to the largest force, is inside beyond doubt. Where
/// bodies are wedged, the excess has no lower bound.
constexpr double well_inside = 0.1;
/// A search starts at least so far inside of the limits, relaxed by the excess that is known.
constexpr double nearest_start = 1e-4;
/// Relative accuracy of the least excess below that.
constexpr double sharp = 0.1;
/// Where the innermost distribution is not further inside than this, relative to the largest force,
/// restrictions are relaxed by as much to find the least: the tolerance of the modes.
constexpr double thin = 1e-10;
/// Or by a few times its excess, which rounding errors of large forces leave, up to this.
constexpr double most_relaxed = 1e-8;
constexpr double few = 4.;

/// phi > 0 within a restriction: an affine function w, or w^2 - |v|^2 of affine functions w > 0, v.
/// Affine functions of y = (z, s) are columns: the gradient, with the value at y = 0 apart.
class Barrier {
 public:
  /// @param slack  by which all restrictions are relaxed
  Barrier(const VectorXd& x0, const MatrixXd& N, std::span<const SharingContact> contacts,
          bool with_excess, double slack = 0.)
      : unknowns_(N.cols() + (with_excess ? 1 : 0)) {
    Index count = 0;
    for (const SharingContact& c : contacts) {
      const bool sticks = c.tangential != SharingContact::none;
      if (!sticks && c.normal == SharingContact::none) continue;
      cones_.push_back({.begin = count, .size = sticks ? 1 + ix(c.components) : 1});
      count += cones_.back().size;
    }
    gradients_.setZero(unknowns_, count);
    values_.resize(count);
    Index k = 0;
    const auto add = [&](std::size_t at, double given, double factor) {
      values_(k) = factor * (at != SharingContact::none ? x0(ix(at)) : given);
      if (at != SharingContact::none) {
        gradients_.col(k).head(N.cols()) = factor * N.row(ix(at)).transpose();
      }
      ++k;
    };
    for (const SharingContact& c : contacts) {
      const bool sticks = c.tangential != SharingContact::none;
      if (!sticks && c.normal == SharingContact::none) continue;
      if (with_excess) gradients_(unknowns_ - 1, k) = 1.;
      add(c.normal, c.given, sticks ? c.mu : 1.);
      values_(k - 1) += slack;
      for (std::size_t j = 0; sticks && j < c.components; ++j) add(c.tangential + j, 0., 1.);
    }
    x_.resize(count);
    scaled_.resize(unknowns_, count);
    slopes_.resize(count);
  }

  [[nodiscard]] Index unknowns() const { return unknowns_; }

  /// One for each linear constraint, two for each cone.
  [[nodiscard]] double degree() const {
    double sum = 0.;
    for (const Cone& c : cones_) sum += c.size == 1 ? 1. : 2.;
    return sum;
  }

  /// Sum of -log phi; none outside.
  [[nodiscard]] std::optional<double> value(const VectorXd& y) {
    // Logarithms of products, of which there are fewer.
    constexpr double large = 1e100;
    double sum = 0.;
    double product = 1.;
    look_at(y);
    for (const Cone& c : cones_) {
      const double phi = phi_of(c);
      if (!(x_(c.begin) > 0.) || !(phi > 0.)) return std::nullopt;
      product *= phi;
      if (product > large || product < 1. / large) {
        sum -= std::log(product);
        product = 1.;
      }
    }
    return sum - std::log(product);
  }

  /// Adds its gradient and Hessian. With J = diag(1, -1, -1), x = (w, v) and phi = x.J x those of
  /// -log phi in terms of x are -2 J x/phi and 4 J x (J x)^T/phi^2 - 2 J/phi.
  void derivatives(const VectorXd& y, VectorXd& gradient, MatrixXd& hessian) {
    look_at(y);
    for (const Cone& c : cones_) {
      const double phi = phi_of(c);
      if (c.size == 1) {
        slopes_(c.begin) = -1. / phi;
        scaled_.col(c.begin) = gradients_.col(c.begin) / (phi * phi);
        continue;
      }
      for (Index i = c.begin; i < c.begin + c.size; ++i) {
        slopes_(i) = -2. * sign(c, i) * x_(i) / phi;
        scaled_.col(i).setZero();
        for (Index j = c.begin; j < c.begin + c.size; ++j) {
          const double outer = 4. * sign(c, i) * x_(i) * sign(c, j) * x_(j) / (phi * phi);
          const double entry = i == j ? outer - 2. * sign(c, i) / phi : outer;
          scaled_.col(i) += entry * gradients_.col(j);
        }
      }
    }
    gradient.noalias() += gradients_ * slopes_;
    hessian.noalias() += gradients_ * scaled_.transpose();
  }

 private:
  /// Columns of one restriction: w, then v.
  struct Cone {
    Index begin = 0;
    Index size = 0;
  };

  static double sign(const Cone& c, Index i) { return i == c.begin ? 1. : -1.; }

  void look_at(const VectorXd& y) {
    x_ = values_;
    x_.noalias() += gradients_.transpose() * y;
  }

  [[nodiscard]] double phi_of(const Cone& c) const {
    const double w = x_(c.begin);
    if (c.size == 1) return w;
    const double size = x_.segment(c.begin + 1, c.size - 1).norm();
    return (w - size) * (w + size);
  }

  Index unknowns_;
  std::vector<Cone> cones_;
  MatrixXd gradients_;
  VectorXd values_;
  VectorXd x_;       ///< the affine functions at y
  VectorXd slopes_;  ///< derivatives of the barrier by them
  MatrixXd scaled_;  ///< gradients times the second derivatives
};

/// Minimises t f(y) plus the barrier for growing t, from a y inside. `f.change` is the difference
/// of two values, `f.derivatives` adds to the gradient and the Hessian. `enough(y, left)` ends it;
/// f(y) is at most `left` above the minimum, the degree of the barrier over t [Boyd & Vandenberghe
/// 2004, sec. 11.2.2 and 11.6.3], and infinite while y is not centred. By convexity the term that
/// keeps the centre from going `far` adds its value at the minimum to the degree.
template <class Objective, class Enough>
void minimise(Barrier& barrier, const Objective& f, const Enough& enough, VectorXd& y,
              double t = 1.) {
  constexpr double curvature = 1. / (far * far);
  VectorXd gradient(barrier.unknowns());
  MatrixXd hessian(barrier.unknowns(), barrier.unknowns());
  while (t <= most_weight) {
    bool is_centred = false;
    for (int i = 0; i < most_newton_steps; ++i) {
      gradient.setZero();
      hessian.setZero();
      f.derivatives(y, gradient, hessian);
      gradient *= t;
      hessian *= t;
      gradient += curvature * y;
      hessian.diagonal().array() += curvature;
      const auto here = barrier.value(y);
      if (!here) return;
      barrier.derivatives(y, gradient, hessian);
      const VectorXd step = -solve_definite(hessian, gradient);
      if (!step.allFinite()) return;
      const double slope = gradient.dot(step);
      is_centred = !(-slope > centred);
      if (is_centred) break;
      double length = 1.;
      int k = 0;
      for (; k < most_halvings; ++k, length *= shorter) {
        const VectorXd next = y + length * step;
        const auto there = barrier.value(next);
        if (!there) continue;
        const double change =
            t * f.change(y, next) + (*there - *here) + 0.5 * curvature * (next - y).dot(next + y);
        if (!(change <= sufficient * length * slope)) continue;
        y = next;
        break;
      }
      if (k == most_halvings || enough(y, HUGE_VAL)) break;
    }
    if (enough(y, is_centred ? (barrier.degree() + more_degree) / t : HUGE_VAL)) return;
    t *= growth;
  }
}

/// The excess s, the last unknown.
struct Excess {
  Index s;
  [[nodiscard]] double change(const VectorXd& from, const VectorXd& to) const {
    return to(s) - from(s);
  }
  void derivatives(const VectorXd& /*y*/, VectorXd& gradient, MatrixXd& /*hessian*/) const {
    gradient(s) += 1.;
  }
};

/// |z|^2/2
struct Squares {
  [[nodiscard]] double change(const VectorXd& from, const VectorXd& to) const {
    return 0.5 * (to - from).dot(to + from);
  }
  void derivatives(const VectorXd& y, VectorXd& gradient, MatrixXd& hessian) const {
    gradient += y;
    hessian.diagonal().array() += 1.;
  }
};

}  // namespace

double ForceSharing::excess_of(const VectorXd& x, std::span<const SharingContact> contacts) const {
  double excess = -HUGE_VAL;
  for (const SharingContact& c : contacts) {
    const double normal = c.normal == SharingContact::none ? c.given : x(ix(c.normal));
    if (c.tangential == SharingContact::none) {
      if (c.normal != SharingContact::none) excess = std::max(excess, -normal);
    } else {
      const auto v = x.segment(ix(c.tangential), ix(c.components));
      excess = std::max(excess, v.norm() - c.mu * normal);
    }
  }
  return excess;
}

bool ForceSharing::read(std::span<const double> K, std::span<const double> f, double singular) {
  const Index r = ix(f.size());
  const Eigen::Map<const MatrixByRows> matrix(K.data(), r, r);
  const Eigen::Map<const VectorXd> right(f.data(), r);
  x0_ = undetermined_solution(matrix, right, singular, N_);
  unit_ = r > 0 ? x0_.cwiseAbs().maxCoeff() : 0.;
  if (!(unit_ > 0.)) unit_ = 1.;
  return x0_.allFinite() && N_.allFinite();
}

void ForceSharing::share(std::span<const SharingContact> contacts, std::span<const double> near,
                         bool searches) {
  inner_ = x0_;
  excess_ = excess_of(inner_, contacts);
  const double none = resolved * unit_;
  if (N_.cols() > 0 && excess_ > none) {
    if (!near.empty() && ix(near.size()) == x0_.size()) {
      const Eigen::Map<const VectorXd> before(near.data(), x0_.size());
      const VectorXd x = x0_ + N_ * (N_.transpose() * (before - x0_));
      const double excess = excess_of(x, contacts);
      if (excess < excess_) {
        inner_ = x;
        excess_ = excess;
      }
    }
    if (excess_ > none && searches) find_innermost(contacts);
  }
  least_ = inner_;
}

void ForceSharing::find_innermost(std::span<const SharingContact> contacts) {
  const VectorXd x0 = x0_ / unit_;
  std::vector<SharingContact> scaled(contacts.begin(), contacts.end());
  for (SharingContact& c : scaled) c.given /= unit_;
  Barrier barrier(x0, N_, scaled, true);
  // From the best distribution known, and from the centre that is about as far from the limits.
  VectorXd y = VectorXd::Zero(barrier.unknowns());
  const Index s = barrier.unknowns() - 1;
  const double known = excess_ / unit_;
  y.head(s) = N_.transpose() * (inner_ / unit_ - x0);
  y(s) = known + std::clamp(known, nearest_start, 1.);
  // It ends well inside, or where it is certain on which side of zero the least excess lies.
  const auto certain = [s](const VectorXd& at, double left) {
    return at(s) < -well_inside || at(s) > left || (at(s) < 0. && left < -sharp * at(s));
  };
  minimise(barrier, Excess{s}, certain, y, 1. / (y(s) - known));
  const VectorXd x = unit_ * (x0 + N_ * y.head(s));
  const double excess = excess_of(x, contacts);
  if (!(excess < excess_)) return;
  inner_ = x;
  excess_ = excess;
}

void ForceSharing::find_least(std::span<const SharingContact> contacts) {
  if (N_.cols() == 0) return;
  if (!(excess_of(x0_, contacts) > 0.)) {
    least_ = x0_;
    return;
  }
  const double slack = excess_ > -thin * unit_ ? std::max(thin, few * excess_ / unit_) : 0.;
  if (!(slack <= most_relaxed)) return;
  const VectorXd x0 = x0_ / unit_;
  std::vector<SharingContact> scaled(contacts.begin(), contacts.end());
  for (SharingContact& c : scaled) c.given /= unit_;
  Barrier barrier(x0, N_, scaled, false, slack);
  // x_0 is perpendicular to N, so that |x|^2 = |x_0|^2 + |z|^2.
  VectorXd z = N_.transpose() * (inner_ / unit_ - x0);
  minimise(
      barrier, Squares{}, [](const VectorXd&, double) { return false; }, z);
  least_ = unit_ * (x0 + N_ * z);
}

}  // namespace carom::complementarity
