// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// What a map can show of an impact.
namespace carom::study {

enum class Quantity : std::uint8_t {
  mode,
  regime,
  verdict,
  reversal,
  sign,
  energy,
  rebound,
  ratio,
  restitution,
  impulse_ratio,
  normal_velocity,
  slip,
  normal_impulse,
  tangential_impulse,
  energy_change,
  parting,
};

/// A quantity in words.
struct QuantityInfo {
  Quantity quantity = Quantity::mode;
  std::string_view name;     ///< as asked for: "rebound"
  std::string_view label;    ///< for people: "normalised normal velocity"
  std::string_view symbol;   ///< plain UTF-8, "−v_n⁺/(e v_n⁻)"; may be empty
  std::string_view unit;     ///< "J"; empty: none
  std::string_view meaning;  ///< one line for --help
  bool categories = false;   ///< one of a few names instead of a number
};

[[nodiscard]] std::span<const QuantityInfo> quantities();
[[nodiscard]] const QuantityInfo& info(Quantity quantity);

/// Throws InputError (with "did you mean") under `field`.
[[nodiscard]] const QuantityInfo& find_quantity(std::string_view name, std::string_view field);

}  // namespace carom::study
