// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace carom {

/// How `brach` finds the tangential impulse.
enum class BrachRule : std::uint8_t { coulomb, impulse_ratio, coefficient };

/// What the numbers of a couple are: two ways in which `brach` finds it, or bounds in motion.
enum class CoupleRule : std::uint8_t { coefficients, ratio, lengths };

/// The coefficients of one contact pair. Dimensionless unless a unit is stated. A coefficient with
/// one number per tangential direction or spin row has (t) or one row in the plane, and (t1, t2) or
/// rows (n, t1, t2) in space. Further entries are not read.
///
/// `coefficients()` (impact/coefficients.hpp) lists them with their keys, units and ranges.
struct Surface {
  double restitution = 0.;             ///< e in [0, 1]; its meaning is the law's hypothesis
  double friction = 0.;                ///< kinetic mu >= 0
  double static_friction = friction;   ///< mu_s >= mu
  double tangential_restitution = 0.;  ///< eps_T in [0, 1]: `moreau` only

  double compliance_ratio = 1.;  ///< eta^2 = normal over tangential stiffness > 0: `compliant`
  // `lzb` only: the force at deformation x is k x^a.
  double stiffness = 1.;  ///< k > 0 [N/m^a]
  double exponent = 1.5;  ///< a > 0: 3/2 Hertz, 1 linear

  // [Brach 1998]: `brach` only. The rules state which coefficients `tangential` and `moment` are.
  BrachRule tangential_rule = BrachRule::coulomb;
  CoupleRule couple_rule = CoupleRule::coefficients;

  /// Which coefficients were given: bit i is row i of the table of coefficients.
  std::uint32_t given = ~0U;

  /// impulse_ratio: mu_t in P_t = mu_t P_n. coefficient: e_t in v_t+ = -e_t v_t-. Else not read.
  std::array<double, 2> tangential{};
  /// coefficients: e_m, -1 no couple, 0 rotation stops. ratio: M/P_n [m]. lengths: those of
  /// drilling and of rolling friction [m]; the third is not read.
  std::array<double, 3> moment{-1., -1., -1.};

  constexpr void set_impulse_ratio(const std::array<double, 2>& mu_t) {
    tangential_rule = BrachRule::impulse_ratio;
    tangential = mu_t;
  }
  constexpr void set_tangential_coefficient(const std::array<double, 2>& e_t) {
    tangential_rule = BrachRule::coefficient;
    tangential = e_t;
  }
  constexpr void set_moment_ratio(const std::array<double, 3>& ratio) {
    couple_rule = CoupleRule::ratio;
    moment = ratio;
  }

  /// Bounds of couples in motion, |M| <= d F_n: d_r about tangents (about the plane's normal in the
  /// plane), d_d about the normal (in space) [m]. They replace the coefficients of `brach`.
  constexpr void set_rolling_friction(double rolling, double drilling = 0.) {
    couple_rule = CoupleRule::lengths;
    moment = {drilling, rolling, 0.};
  }
  [[nodiscard]] constexpr double rolling_friction() const {
    return couple_rule == CoupleRule::lengths ? moment[1] : 0.;
  }
  [[nodiscard]] constexpr double drilling_friction() const {
    return couple_rule == CoupleRule::lengths ? moment[0] : 0.;
  }

  /// Whether couples are given by their ratio to the normal impulse.
  [[nodiscard]] constexpr bool has_moment_ratio() const { return couple_rule == CoupleRule::ratio; }

  /// e_m of a contact in the plane, where a ratio has no meaning.
  [[nodiscard]] constexpr double planar_moment_coefficient() const {
    return couple_rule == CoupleRule::coefficients ? moment[0] : -1.;
  }

  /// Whether couples act at impacts, with `rows` spin rows (1 in the plane, 3 in space).
  [[nodiscard]] constexpr bool has_couples(std::size_t rows) const {
    if (couple_rule == CoupleRule::lengths) return false;
    bool any = has_moment_ratio();
    for (std::size_t i = 0; i < rows && i < moment.size(); ++i) any = any || moment[i] > -1.;
    return any;
  }

  bool operator==(const Surface&) const = default;
};

/// Whether restitution may exceed 1, which releases stored energy. The LawInfo of a law states it.
enum class Release : bool { refused, allowed };

/// Throws InputError that names the first coefficient out of range, as `prefix.key`, with its index
/// if the contact has several numbers of it.
/// @param components  velocity components of the contact: 2 in the plane, 3 in space
void validate(const Surface& surface, std::string_view prefix = "surface",
              Release release = Release::refused, std::size_t components = 2);

}  // namespace carom
