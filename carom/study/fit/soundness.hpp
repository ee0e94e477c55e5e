// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <carom/study/fit/measured_impacts.hpp>

/// Are the data sound? Whether the measured impacts keep the balance of momentum, which no law can
/// change, and what mends it where they do not.
namespace carom::study::fit {

struct SoundnessOptions {
  /// Rows whose imbalance is more than so many robust deviations are outliers (of normal errors
  /// 0.27 % are); a gain of energy is
  /// beyond noise at so many of its own.
  double threshold = 3.;
  /// A sign is said to be wrong if its flip lowers the rms to this part of what it was.
  double flip_mends = 0.5;
  unsigned threads = 0;  ///< 0: as many as there are
};

/// One row, in the order of MeasuredImpacts::fitted().
struct RowSoundness {
  std::size_t impact = 0;    ///< index into MeasuredImpacts::impacts
  double imbalance = 0.;     ///< least change of velocity that restores the balance [m/s]
  double of_spin = 0.;       ///< the same by rotation alone [m/s]; NaN: cannot
  double energy_ratio = 0.;  ///< kinetic energy after over before
  bool outlier = false;
  bool gains_energy = false;  ///< more than noise explains
  bool approaches = false;    ///< v_n < 0 before
  bool separates = false;     ///< v_n >= 0 after
};

/// How large the imbalance of many rows is [m/s].
struct Distribution {
  double rms = 0.;
  double median = 0.;
  double p90 = 0.;
  double largest = 0.;
  double rms_of_spin = 0.;  ///< NaN: rotation alone does not restore it
};

/// Flipped signs.
struct Flip {
  std::vector<std::string> columns;  ///< "vx_pre", "vx_post", or a number of the geometry
  std::size_t mistakes = 0;          ///< one for a coordinate, whose columns are flipped together
  Distribution imbalance;
  std::size_t approaching = 0;  ///< rows with v_n < 0 before
};

/// A number of the body, changed alone or with others.
struct BodyChange {
  struct Number {
    std::size_t number = 0;  ///< index into MeasuredImpacts::body
    double best = 0.;
    double error = 0.;  ///< standard error, from the scatter over groups; 0: not known
    bool at_bound = false;
  };
  std::vector<Number> numbers;
  Distribution imbalance;
};

struct Soundness {
  std::vector<RowSoundness> rows;
  Distribution imbalance;
  double deviation = 0.;  ///< robust, of the imbalance [m/s]
  /// Flips that mend the balance, the likeliest first: fewest mistakes, velocities before geometry.
  /// The balance cannot tell them apart.
  std::vector<Flip> mending;
  Flip best_flip;  ///< the one that comes nearest, whether it mends or not
  /// Each number of the body that the balance depends on, with the first of `mending` mended.
  std::vector<BodyChange> alone;
  std::vector<BodyChange> together;  ///< all of them, if there are several: one entry
  SoundnessOptions options;
};

/// Checks the rows that are fitted and have velocities after. Throws InputError if there are none.
[[nodiscard]] Soundness check_soundness(const MeasuredImpacts& data,
                                        const SoundnessOptions& options = {});

/// In words, a line for each finding.
[[nodiscard]] std::vector<std::string> words(const MeasuredImpacts& data, const Soundness& found);

}  // namespace carom::study::fit
