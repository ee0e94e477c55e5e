// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <carom/core/planar.hpp>
#include <carom/impact/energy_ledger.hpp>
#include <carom/impact/verdict.hpp>

namespace carom {

enum class Stage : std::uint8_t { compression, restitution };
enum class Motion : std::uint8_t { slip, stick, reverse_slip };

[[nodiscard]] constexpr std::string_view name(Stage s) {
  return s == Stage::compression ? "compression" : "restitution";
}

[[nodiscard]] constexpr std::string_view name(Motion m) {
  switch (m) {
    case Motion::slip:
      return "slip";
    case Motion::stick:
      return "stick";
    case Motion::reverse_slip:
      return "reverse-slip";
  }
  return "";
}

/// An interval of impulse in which stage and motion do not change.
struct PlanarPhase {
  Stage stage = Stage::compression;
  Motion motion = Motion::slip;
  Vec2 impulse;   ///< cumulative, at the end of the phase [N s]
  Vec2 velocity;  ///< at the end of the phase [m/s]

  bool operator==(const PlanarPhase&) const = default;
};

/// The phases of one planar impact. Slip stops at most once, so there are at most three. Phases of
/// zero length are omitted.
class PlanarPhases {
 public:
  static constexpr std::size_t capacity = 3;

  PlanarPhases() {}  // not "= default": a union has none
  void push_back(const PlanarPhase& phase) {
    assert(size_ < capacity);
    std::construct_at(&phases_[size_++], phase);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const PlanarPhase* begin() const { return phases_; }
  [[nodiscard]] const PlanarPhase* end() const { return phases_ + size_; }
  [[nodiscard]] const PlanarPhase& operator[](std::size_t i) const { return phases_[i]; }

  bool operator==(const PlanarPhases& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  // In a union, so that unused phases are not initialised: g++ clears them with `rep stos`, which
  // takes as long as the law (10 ns).
  union {
    PlanarPhase phases_[capacity];
  };
  std::size_t size_ = 0;
};

/// The states of the slider of a compliant contact, in order. The first `capacity` states are
/// stored, all are counted.
class SliderStates {
 public:
  enum class State : std::uint8_t {
    stick,
    slip_forward,
    slip_backward,
    slip,  ///< in space, in any direction
  };
  static constexpr std::size_t capacity = 24;

  /// Adds a state, unless it equals the last one.
  void enter(State s) {
    if (size_ > 0 && s == last_) return;
    if (size_ < capacity) {
      bits_ |= static_cast<std::uint64_t>(s) << (2U * static_cast<unsigned>(size_));
    }
    last_ = s;
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] State last() const { return last_; }
  /// @pre i < size() and i < capacity
  [[nodiscard]] State operator[](std::size_t i) const {
    return static_cast<State>((bits_ >> (2U * static_cast<unsigned>(i))) & 3U);
  }
  bool operator==(const SliderStates&) const = default;

 private:
  std::uint64_t bits_ = 0;
  std::uint32_t size_ = 0;
  State last_ = State::stick;
};

/// The mode of an outcome. The first seven are the cases of [Sun & Baruh 2022, Table 1], the next
/// three the impact states of [Payr & Glocker 2005, Sec. 5].
enum class Mode : std::uint8_t {
  slides = 0,                   ///< slides throughout
  stops_in_compression_sticks,  ///< 1
  stops_in_compression_slips,   ///< 2: slips again, in the other direction
  stops_in_restitution_sticks,  ///< 3
  stops_in_restitution_slips,   ///< 4
  no_slip_sticks,               ///< 5: no initial slip
  no_slip_slides,               ///< 6
  backward_slip,                ///< P_t = +mu P_n
  stick,                        ///< |P_t| < mu P_n
  forward_slip,                 ///< P_t = -mu P_n
  slip,                         ///< slip under an algebraic law
  compliant,                    ///< see the states of the slider
  closed,                       ///< frictionless contact with an impulse
  no_impulse,
};

/// The mode in a sentence: "slip stops in compression, then sticks".
[[nodiscard]] std::string_view describe(Mode mode);

/// Result of a law for one planar impact.
struct PlanarOutcome {
  Vec2 impulse;   ///< P [N s], normal >= 0
  Vec2 velocity;  ///< v+ [m/s]
  EnergyLedger energy;
  Mode mode = Mode::no_impulse;
  Verdicts flags;
  PlanarPhases
      phases{};  ///< empty for a law without stages, and for `compliant` (compliant_phases)
  SliderStates slider{};  ///< `compliant` only
  double couple = 0.;     ///< M on the first body [N m s]: `brach` only

  [[nodiscard]] Verdict verdict() const { return flags.gravest(); }
  bool operator==(const PlanarOutcome&) const = default;
};

/// The outcome of a law without stages: its ledger is 1/2 P.(v+ + v-). Sets the flag for energy
/// gain.
[[nodiscard]] PlanarOutcome algebraic_outcome(const Vec2& approach, const Vec2& impulse,
                                              const Vec2& velocity, Mode mode);

/// The outcome of a contact that separates, rests, or has no solution: nothing changes.
[[nodiscard]] PlanarOutcome unchanged(const Vec2& approach, Verdict why);

}  // namespace carom
