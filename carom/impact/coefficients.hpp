// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <carom/impact/surface.hpp>

namespace carom {

/// How many numbers a coefficient has at one contact.
enum class NumbersPer : std::uint8_t {
  contact,   ///< one
  tangent,   ///< one for each tangential direction: 1 in the plane, 2 in space
  spin_row,  ///< one for each row of spin: 1 in the plane, 3 in space
};

/// One row of the table of coefficients. Readers, reports and fits loop over the table; a new
/// coefficient is a member of Surface and a row here.
struct Coefficient {
  std::string_view key;      ///< as in a scenario's [surface]
  std::string_view label;    ///< for people
  std::string_view symbol;   ///< as in tables of text: "mu_s"
  std::string_view glyph;    ///< as on pictures: "μₛ"
  std::string_view unit;     ///< empty: none
  double low;                ///< least value that is allowed
  double high;               ///< greatest
  double high_releasing;     ///< greatest for a law that may release energy
  std::string_view allowed;  ///< the range in words
  NumbersPer per;
  bool in_space_only;  ///< it means nothing in the plane
  /// Its numbers, as many as there may be; empty where it is absent. With a Surface that may be
  /// changed an absent one is made.
  std::span<double> (*numbers)(Surface&);
  std::span<const double> (*read)(const Surface&);
  /// Does a surface ask for what a law without this coefficient would ignore? Null: never.
  /// @param spin_rows  1 in the plane, 3 in space
  bool (*asks)(const Surface&, std::size_t spin_rows) = nullptr;
  std::string_view ignored{};   ///< what is then said of the law: "no couple"
  bool default_is_none = true;  ///< without it there is none of it; else it has some value

  /// How many numbers a contact with so many components of velocity (1, 2, 3) has.
  [[nodiscard]] constexpr std::size_t size(std::size_t components) const {
    if (per == NumbersPer::contact) return 1;
    if (components <= 2) return 1;
    return per == NumbersPer::tangent ? 2 : 3;
  }
};

/// All coefficients, in the order in which they are shown.
[[nodiscard]] std::span<const Coefficient> coefficients() noexcept;

/// By its key, or null.
[[nodiscard]] const Coefficient* find_coefficient(std::string_view key) noexcept;

/// The bit of Surface::given that stands for a coefficient.
[[nodiscard]] std::uint32_t given_bit(const Coefficient& coefficient) noexcept;

/// Was the coefficient of that key given?
[[nodiscard]] bool is_given(const Surface& surface, std::string_view key) noexcept;

}  // namespace carom
