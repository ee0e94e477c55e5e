// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

/// Where in a step something crosses zero: by a cubic from both of its ends, which costs no further
/// rates (`RungeKutta::know_course` takes three). It is only a guess: the step is repeated up to
/// there, since a stage that changes leaves no smooth course to interpolate, and judged again.
namespace carom::lzb {

/// A value and its derivative.
struct Slope {
  double value = 0.;
  double slope = 0.;
};

/// Finds where f, which returns a `Slope`, becomes positive, if it is not positive at `low` and
/// positive at `high`. Newton's method, safeguarded by bisection.
template <class F>
[[nodiscard]] double rise(const F& f, double low, double high) {
  constexpr int most_steps = 60;
  constexpr double width = 1e-14;
  const double below = f(low).value;
  double s = low + (high - low) * (below / (below - f(high).value));
  if (!(s >= low && s <= high)) s = 0.5 * (low + high);
  for (int i = 0; i < most_steps; ++i) {
    const Slope at = f(s);
    (at.value > 0. ? high : low) = s;
    double next = s - at.value / at.slope;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::abs(next - s) <= width) return next;
    s = next;
  }
  return s;
}

/// A quantity that must not become positive: its values at both ends of a step, and its rates times
/// the step.
struct Crossing {
  double before = 0.;
  double rate_before = 0.;
  double after = 0.;
  double rate_after = 0.;

  /// The cubic Hermite interpolant, at a fraction of the step.
  [[nodiscard]] double at(double part) const {
    const double rest = 1. - part;
    return rest * rest * ((1. + 2. * part) * before + part * rate_before) +
           part * part * ((3. - 2. * part) * after - rest * rate_after);
  }

  /// Approximate integral of its positive part, in units of the step.
  [[nodiscard]] double above() const {
    double sum = 0.;
    for (int k = 1; k < samples; ++k) sum += std::max(0., at(k / static_cast<double>(samples)));
    return sum / samples;
  }

  /// Its approximate minimum.
  [[nodiscard]] double least() const {
    double value = std::min(before, after);
    for (int k = 1; k < samples; ++k) {
      value = std::min(value, at(k / static_cast<double>(samples)));
    }
    return value;
  }

  enum class What : std::uint8_t {
    nothing,
    happens,  ///< at the end of the step, within the tolerance
    earlier,  ///< within the step
  };
  /// @param tolerance  values up to this count as zero
  [[nodiscard]] What what(double tolerance) const {
    // If it was slightly positive from the beginning, it must not rise further.
    if (after > std::max(tolerance, before)) return What::earlier;
    if (after >= -tolerance) return rate_after > 0. ? What::happens : What::nothing;
    if (!(rate_before > 0. && rate_after < 0.) || before > tolerance) return What::nothing;
    // It may rise above zero and fall back within the step.
    for (int k = 1; k < samples; ++k) {
      if (at(k / static_cast<double>(samples)) > tolerance) return What::earlier;
    }
    return What::nothing;
  }

  /// The fraction of the step at which it becomes positive, or, if it was positive within the
  /// tolerance from the beginning, at which it exceeds the tolerance. @pre what() is `earlier`
  [[nodiscard]] double part(double tolerance) const {
    const double found = part_above(0.);
    if (found > 0.) return found;
    return part_above(before < 0.9 * tolerance ? 0.9 * tolerance : std::max(tolerance, before));
  }

 private:
  /// The cubic in monomial form: c0 + c1 s + c2 s^2 + c3 s^3, minus a level.
  class Cubic {
   public:
    Cubic(const Crossing& c, double level)
        : c0_(c.before - level),
          c1_(c.rate_before),
          c2_(3. * (c.after - c.before) - 2. * c.rate_before - c.rate_after),
          c3_(2. * (c.before - c.after) + c.rate_before + c.rate_after) {}

    [[nodiscard]] Slope operator()(double s) const {
      return {c0_ + s * (c1_ + s * (c2_ + s * c3_)), c1_ + s * (2. * c2_ + s * 3. * c3_)};
    }
    /// Whether it increases on [0, 1]: the Bernstein coefficients of its derivative are positive.
    [[nodiscard]] bool rises() const {
      return c1_ > 0. && c1_ + c2_ > 0. && c1_ + 2. * c2_ + 3. * c3_ > 0.;
    }

   private:
    double c0_, c1_, c2_, c3_;
  };

  /// Where it rises above a level; 0 if it starts above and does not rise again.
  [[nodiscard]] double part_above(double level) const {
    const Cubic cubic(*this, level);
    double low = 0.;
    double high = 1.;
    if (!(before < level && cubic.rises())) {
      bool below = before < level;
      bool above = false;
      for (int k = 1; k <= samples; ++k) {
        const double p = k / static_cast<double>(samples);
        if (cubic(p).value <= 0.) {
          below = true;
          low = p;
        } else if (below) {
          high = p;
          above = true;
          break;
        }
      }
      if (!above) return 0.;
    }
    return rise(cubic, low, high);
  }

  static constexpr int samples = 8;
};

/// The quintic Hermite interpolant of a quantity, its first and its second derivative at both ends
/// of a step, scaled by the step and its square.
class Quintic {
 public:
  struct End {
    double value = 0.;
    double rate = 0.;
    double bend = 0.;
  };
  Quintic(const End& before, const End& after)
      : c0_(before.value), c1_(before.rate), c2_(0.5 * before.bend) {
    const double value = after.value - (c0_ + c1_ + c2_);
    const double rate = after.rate - (c1_ + 2. * c2_);
    const double bend = 0.5 * after.bend - c2_;
    c3_ = 10. * value - 4. * rate + bend;
    c4_ = -15. * value + 7. * rate - 2. * bend;
    c5_ = 6. * value - 3. * rate + bend;
  }

  [[nodiscard]] double at(double s) const {
    return c0_ + s * (c1_ + s * (c2_ + s * (c3_ + s * (c4_ + s * c5_))));
  }
  [[nodiscard]] double slope(double s) const {
    return c1_ + s * (2. * c2_ + s * (3. * c3_ + s * (4. * c4_ + s * 5. * c5_)));
  }
  /// The integral from one fraction of the step to another, in units of the step.
  [[nodiscard]] double integral(double from, double to) const {
    return primitive(to) - primitive(from);
  }

 private:
  [[nodiscard]] double primitive(double s) const {
    return s *
           (c0_ + s * (c1_ / 2. + s * (c2_ / 3. + s * (c3_ / 4. + s * (c4_ / 5. + s * c5_ / 6.)))));
  }

  double c0_, c1_, c2_;
  double c3_ = 0., c4_ = 0., c5_ = 0.;
};

}  // namespace carom::lzb
