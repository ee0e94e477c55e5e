// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <carom/impact/surface.hpp>

namespace carom {

/// How many numbers of a coefficient one contact has.
enum class NumbersPer : std::uint8_t {
  contact,   ///< one
  tangent,   ///< one for each tangential direction: 1 in the plane, 2 in space
  spin_row,  ///< one for each spin row: 1 in the plane, 3 in space
};

/// One row of the table of coefficients. Readers, reports and fits loop over the table. To add a
/// coefficient, add a member to Surface and a row here.
struct Coefficient {
  std::string_view key;      ///< as in a scenario's [surface]
  std::string_view label;    ///< for display
  std::string_view symbol;   ///< as in tables of text: "mu_s"
  std::string_view glyph;    ///< as on pictures: "μₛ"
  std::string_view unit;     ///< empty: none
  double low;                ///< least allowed value
  double high;               ///< greatest allowed value
  double high_releasing;     ///< greatest allowed value for a law that may release energy
  std::string_view allowed;  ///< the range in words
  NumbersPer per;
  bool in_space_only;  ///< it has no meaning in the plane
  /// All its numbers; empty if it is absent. The non-const version creates an absent one, in place
  /// of the one that it excludes.
  std::span<double> (*numbers)(Surface&);
  std::span<const double> (*read)(const Surface&);
  /// Whether a surface uses this coefficient in a way that a law without it would ignore. Null:
  /// never.
  /// @param spin_rows  1 in the plane, 3 in space
  bool (*asks)(const Surface&, std::size_t spin_rows) = nullptr;
  std::string_view ignored{};   ///< what is then said of the law: "ignores the couple"
  bool default_is_none = true;  ///< without it there is none of it; else it has some value
  bool in_motion_only = false;  ///< no law uses it: it acts between impacts

  /// Number of values at a contact with this many velocity components (1, 2, 3).
  [[nodiscard]] constexpr std::size_t size(std::size_t components) const {
    if (per == NumbersPer::contact) return 1;
    if (components <= 2) return 1;
    return per == NumbersPer::tangent ? 2 : 3;
  }
};

/// All coefficients, in the order of display.
[[nodiscard]] std::span<const Coefficient> coefficients() noexcept;

/// Finds a coefficient by its key, or null.
[[nodiscard]] const Coefficient* find_coefficient(std::string_view key) noexcept;

/// Throws InputError as validate(Surface) does, for this coefficient alone.
void validate(const Coefficient& coefficient, const Surface& surface, std::string_view prefix,
              Release release, std::size_t components);

/// The bit of Surface::given for a coefficient.
[[nodiscard]] std::uint32_t given_bit(const Coefficient& coefficient) noexcept;

/// Whether the coefficient with that key was given.
[[nodiscard]] bool is_given(const Surface& surface, std::string_view key) noexcept;

}  // namespace carom
