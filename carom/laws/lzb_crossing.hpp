// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

/// Where in a step something crosses zero.
namespace carom::lzb {

/// A quantity that must not become positive, at both ends of a step, with its rates times the step.
struct Crossing {
  double before = 0.;
  double rate_before = 0.;
  double after = 0.;
  double rate_after = 0.;

  /// The cubic through both ends, at a part of the step.
  [[nodiscard]] double at(double part) const {
    const double rest = 1. - part;
    return rest * rest * ((1. + 2. * part) * before + part * rate_before) +
           part * part * ((3. - 2. * part) * after - rest * rate_after);
  }

  /// The least of it, roughly.
  [[nodiscard]] double least() const {
    double value = std::min(before, after);
    for (int k = 1; k < samples; ++k) {
      value = std::min(value, at(k / static_cast<double>(samples)));
    }
    return value;
  }

  enum class What : std::uint8_t {
    nothing,
    happens,  ///< at the end of the step, within tolerance
    earlier,  ///< within the step
  };
  /// @param tolerance  what is as good as zero
  [[nodiscard]] What what(double tolerance) const {
    // Where it was a little above from the beginning, it must not rise further.
    if (after > std::max(tolerance, before)) return What::earlier;
    if (after >= -tolerance) return rate_after > 0. ? What::happens : What::nothing;
    if (!(rate_before > 0. && rate_after < 0.) || before > tolerance) return What::nothing;
    // It may rise above zero and fall back.
    for (int k = 1; k < samples; ++k) {
      if (at(k / static_cast<double>(samples)) > tolerance) return What::earlier;
    }
    return What::nothing;
  }

  /// The part of the step at which it becomes positive, or, where it was that all along but for the
  /// tolerance, at which it leaves the tolerance. @pre what() is `earlier`
  [[nodiscard]] double part(double tolerance) const {
    const double found = part_above(0.);
    if (found > 0.) return found;
    return part_above(before < 0.9 * tolerance ? 0.9 * tolerance : std::max(tolerance, before));
  }

 private:
  /// Where it rises above a level, 0 if it was there before.
  [[nodiscard]] double part_above(double level) const {
    double low = 0.;
    bool below = before < level;
    double high = 1.;
    for (int k = 1; k <= samples; ++k) {
      const double p = k / static_cast<double>(samples);
      if (at(p) <= level) {
        below = true;
        low = p;
      } else if (below) {
        high = p;
        break;
      }
    }
    if (!below) return 0.;
    for (int i = 0; i < bisections; ++i) {
      const double middle = 0.5 * (low + high);
      (at(middle) <= level ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  static constexpr int samples = 8;
  static constexpr int bisections = 45;
};

}  // namespace carom::lzb
