// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <carom/core/spatial.hpp>
#include <carom/impact/energy_ledger.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/verdict.hpp>

namespace carom {

/// An interval of impulse in which stage and motion do not change. In space slip that starts again
/// is slip, in any direction.
struct SpatialPhase {
  Stage stage = Stage::compression;
  Motion motion = Motion::slip;  ///< slip or stick
  Vec3 impulse;                  ///< cumulative, at the end of the phase [N s]
  Vec3 velocity;                 ///< at the end of the phase [m/s]

  bool operator==(const SpatialPhase&) const = default;
};

/// The phases of one impact in space. Compression may resume, so there can be more than in the
/// plane. Those beyond `capacity` are counted, not stored.
class SpatialPhases {
 public:
  static constexpr std::size_t capacity = 12;

  void push_back(const SpatialPhase& phase) {
    if (size_ < capacity) phases_[size_] = phase;
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_ < capacity ? size_ : capacity; }
  [[nodiscard]] std::size_t counted() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const SpatialPhase* begin() const { return phases_.data(); }
  [[nodiscard]] const SpatialPhase* end() const { return phases_.data() + size(); }
  [[nodiscard]] const SpatialPhase& operator[](std::size_t i) const { return phases_[i]; }

  bool operator==(const SpatialPhases& other) const {
    return size_ == other.size_ && std::equal(begin(), end(), other.begin());
  }

 private:
  std::array<SpatialPhase, capacity> phases_{};
  std::size_t size_ = 0;
};

/// Result of a law for one impact in space. Modes as in the plane: Sun & Baruh's 0..6, with "slips
/// again" in place of "reverses"; `moreau` sticks or slips.
struct SpatialOutcome {
  Vec3 impulse;   ///< P [N s], normal >= 0
  Vec3 velocity;  ///< v+ [m/s]
  Vec3 couple;    ///< M on the first body [N m s]: `brach` only
  EnergyLedger energy;
  Mode mode = Mode::no_impulse;
  Verdicts flags;
  double tolerance = 0.;  ///< relative tolerance of the computation; 0: rounding only
  SpatialPhases phases{};
  SliderStates slider{};  ///< `compliant` only

  [[nodiscard]] Verdict verdict() const { return flags.gravest(); }
  bool operator==(const SpatialOutcome&) const = default;
};

/// Accuracy of laws without a closed form.
struct SpatialOptions {
  double tolerance = 1e-12;  ///< relative, in [1e-14, 1e-3]
};

/// The outcome of a contact that separates, rests, or has no solution: nothing changes.
[[nodiscard]] SpatialOutcome unchanged(const Vec3& approach, Verdict why);

/// The same of a law that follows a process: it has stages even if there is no impact.
[[nodiscard]] SpatialOutcome process_without_impact(const Vec3& approach, Verdict why);

/// Writes the ledger of such a law, with the verdict `energy-gained` where the change is above zero
/// by more than the outcome's tolerance.
void account_for_process(const StageWork& normal, double friction, double change,
                         SpatialOutcome& outcome);

}  // namespace carom
