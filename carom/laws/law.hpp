// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>

namespace carom {

/// A coefficient or option of a law, as shown by `carom laws NAME`.
struct LawParameter {
  std::string_view key;     ///< key in [surface] of a scenario, or of the options
  std::string_view symbol;  ///< as in the publications
  std::string_view meaning;
  std::string_view allowed;                     ///< the allowed range, in words or as an interval
  std::string_view fallback;                    ///< default; empty: required
  std::span<const std::string_view> instead{};  ///< keys, any of which can replace it
};

/// Kind of mode labels of a law.
enum class Labels : std::uint8_t {
  modes,    ///< 0..6 [Sun & Baruh 2022], null without impulse: laws that follow the process
  regimes,  ///< backward-slip, stick, forward-slip, no-impulse [Payr & Glocker 2005]
  sticks,   ///< slip or stick, null without impulse: other algebraic laws
  slider,   ///< what the slider did: stick/slip+
};

/// Description of a law.
struct LawInfo {
  std::string_view id;
  std::string_view summary;      ///< one line
  std::string_view assumptions;  ///< a short paragraph
  std::string_view source;       ///< publications; keys resolve in docs/refs.bib
  std::span<const LawParameter> parameters;
  Labels labels = Labels::modes;
  Release release = Release::refused;  ///< whether e may exceed 1
  std::string_view in_space{};         ///< what differs in space; empty: nothing
  std::string_view with_several{};     ///< assumptions for several contacts

  /// Whether the result depends on this coefficient or option.
  [[nodiscard]] constexpr bool knows(std::string_view key) const {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const LawParameter& p) { return p.key == key; });
  }
};

/// A law is a value: its parameters, its description, and one pure function of a problem.
template <class L>
concept PlanarLawType = std::regular<L> && requires(const L& law, const PlanarProblem& problem) {
  { L::info } -> std::convertible_to<LawInfo>;
  { law(problem) } -> std::same_as<PlanarOutcome>;
};

namespace parameter {

inline constexpr LawParameter velocity_restitution{
    .key = "restitution",
    .symbol = "e",
    .meaning = "separation speed over approach speed",
    .allowed = "[0, 1]",
    .fallback = ""};
inline constexpr LawParameter work_restitution{
    .key = "restitution",
    .symbol = "e",
    .meaning = "square root of restitution work over compression work",
    .allowed = "[0, 1]",
    .fallback = ""};

inline constexpr LawParameter friction{.key = "friction",
                                       .symbol = "mu",
                                       .meaning = "kinetic friction",
                                       .allowed = ">= 0",
                                       .fallback = ""};
inline constexpr LawParameter static_friction{.key = "static_friction",
                                              .symbol = "mu_s",
                                              .meaning = "static friction",
                                              .allowed = ">= friction",
                                              .fallback = "friction"};

}  // namespace parameter

}  // namespace carom
