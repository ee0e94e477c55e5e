// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace carom {

/// Flags of an outcome, in order of increasing seriousness.
enum class Verdict : std::uint8_t {
  ordinary,
  no_impulse,          ///< the contact separates or rests
  recompressed,        ///< normal velocity returned to zero during restitution
  jam,                 ///< normal velocity grew in compression (Painleve)
  several_solutions,   ///< the law has more than one solution in velocity
  energy_gained,       ///< change > 1e-12 times the magnitudes in the ledger
  still_approaching,   ///< an algebraic law left v_n+ < 0
  target_unreachable,  ///< a rank-one G locks before the hypothesis is satisfied
  not_converged,
  no_solution,
};

inline constexpr std::array<std::string_view, 10> verdict_names = {
    "ordinary",          "no-impulse",    "recompressed",      "jam",
    "several-solutions", "energy-gained", "still-approaching", "target-unreachable",
    "not-converged",     "no-solution",
};

[[nodiscard]] constexpr std::string_view name(Verdict v) {
  return verdict_names[static_cast<std::size_t>(v)];
}

/// The flags of one outcome. Empty is `ordinary`.
class Verdicts {
 public:
  constexpr void add(Verdict v) { add_if(true, v); }
  constexpr void add_if(bool holds, Verdict v) {
    bits_ = static_cast<std::uint16_t>(bits_ | (static_cast<unsigned>(holds) << index(v)));
  }
  [[nodiscard]] constexpr bool has(Verdict v) const { return ((bits_ >> index(v)) & 1U) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

  /// The most serious flag.
  [[nodiscard]] constexpr Verdict gravest() const {
    for (auto i = verdict_names.size(); i-- > 1;) {
      if (((bits_ >> i) & 1U) != 0) return static_cast<Verdict>(i);
    }
    return Verdict::ordinary;
  }

  /// Calls `visit` with the name of each flag, most serious first.
  template <class Visit>
  constexpr void for_each_name(const Visit& visit) const {
    for (auto i = verdict_names.size(); i-- > 1;) {
      if (((bits_ >> i) & 1U) != 0) visit(verdict_names[i]);
    }
  }

  /// Bit i is the verdict of value i, for compact storage.
  [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }
  [[nodiscard]] static constexpr Verdicts from_bits(std::uint16_t bits) {
    Verdicts verdicts;
    verdicts.bits_ = bits;
    return verdicts;
  }

  bool operator==(const Verdicts&) const = default;

 private:
  static constexpr unsigned index(Verdict v) { return static_cast<unsigned>(v); }
  std::uint16_t bits_ = 0;
};

}  // namespace carom
