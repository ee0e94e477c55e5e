// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/coefficients.hpp>

#include <array>

#include <carom/core/error.hpp>

namespace carom {
namespace {

constexpr double most = most_magnitude;

// The numbers of a coefficient in a Surface: of a member, or of an array that a rule assigns to it.
template <double Surface::*member>
std::span<double> numbers(Surface& s) {
  return {&(s.*member), 1};
}
template <double Surface::*member>
std::span<const double> read(const Surface& s) {
  return {&(s.*member), 1};
}

template <BrachRule rule>
std::span<double> numbers(Surface& s) {
  if (s.tangential_rule != rule) s.tangential = {};
  s.tangential_rule = rule;
  return s.tangential;
}
template <BrachRule rule>
std::span<const double> read(const Surface& s) {
  if (s.tangential_rule != rule) return {};
  return s.tangential;
}

constexpr std::array no_couple{-1., -1., -1.};

/// Which of the lengths.
enum class Length : std::uint8_t { drilling, rolling };

template <Length which>
std::span<double> numbers(Surface& s) {
  if (s.couple_rule != CoupleRule::lengths) s.moment = {};
  s.couple_rule = CoupleRule::lengths;
  return {&s.moment[static_cast<std::size_t>(which)], 1};
}
template <Length which>
std::span<const double> read(const Surface& s) {
  if (s.couple_rule != CoupleRule::lengths) return {};
  return {&s.moment[static_cast<std::size_t>(which)], 1};
}

template <CoupleRule rule>
std::span<double> numbers(Surface& s) {
  if (s.couple_rule != rule) {
    s.moment = rule == CoupleRule::ratio ? std::array<double, 3>{} : no_couple;
  }
  s.couple_rule = rule;
  return s.moment;
}
template <CoupleRule rule>
std::span<const double> read(const Surface& s) {
  if (s.couple_rule == rule) return s.moment;
  if (rule == CoupleRule::ratio) return {};
  return no_couple;  // e_m always has a value
}

// Conditions under which a surface uses a coefficient that a law may not support.
bool sticks_harder(const Surface& s, std::size_t) { return s.static_friction > s.friction; }
bool returns_slip(const Surface& s, std::size_t) { return s.tangential_restitution > 0.; }
bool has_ratio(const Surface& s, std::size_t) {
  return s.tangential_rule == BrachRule::impulse_ratio;
}
bool has_coefficient(const Surface& s, std::size_t) {
  return s.tangential_rule == BrachRule::coefficient;
}
bool has_couples(const Surface& s, std::size_t spin_rows) { return s.has_couples(spin_rows); }
bool resists_rolling(const Surface& s, std::size_t) { return s.rolling_friction() > 0.; }
bool resists_drilling(const Surface& s, std::size_t spin_rows) {
  return spin_rows == 3 && s.drilling_friction() > 0.;
}

/// A row without its accessors.
struct Words {
  std::string_view key, label, symbol, glyph, unit;
  double low, high;
  std::string_view allowed;
  NumbersPer per = NumbersPer::contact;
  double high_releasing = 0.;  ///< if it differs from `high`
  bool in_space_only = false;
  bool default_is_none = true;
  bool in_motion_only = false;
};

/// @param where  a member of Surface, or the rule under which an array holds the numbers
template <auto where>
constexpr Coefficient row(const Words& w, bool (*asks)(const Surface&, std::size_t) = nullptr,
                          std::string_view ignored = {}) {
  return {.key = w.key,
          .label = w.label,
          .symbol = w.symbol,
          .glyph = w.glyph,
          .unit = w.unit,
          .low = w.low,
          .high = w.high,
          .high_releasing = w.high_releasing > w.high ? w.high_releasing : w.high,
          .allowed = w.allowed,
          .per = w.per,
          .in_space_only = w.in_space_only,
          .numbers = numbers<where>,
          .read = read<where>,
          .asks = asks,
          .ignored = ignored,
          .default_is_none = w.default_is_none,
          .in_motion_only = w.in_motion_only};
}

using S = Surface;
constexpr auto tangent = NumbersPer::tangent;
constexpr auto spin_row = NumbersPer::spin_row;

constexpr std::array table{
    row<&S::restitution>({"restitution", "restitution", "e", "e", "", 0., 1., "in [0, 1]",
                          NumbersPer::contact, most}),
    row<&S::friction>({"friction", "friction", "mu", "μ", "", 0., most, "in [0, 1e60]"}),
    // At least `friction`, which validate(Surface) checks.
    row<&S::static_friction>(
        {"static_friction", "static friction", "mu_s", "μₛ", "", 0., most, "in [friction, 1e60]"},
        sticks_harder, "ignores static_friction"),
    row<&S::tangential_restitution>({"tangential_restitution", "tangential restitution", "eps_T",
                                     "εₜ", "", 0., 1., "in [0, 1]"},
                                    returns_slip, "ignores tangential_restitution"),
    // Beyond 1e-9 and 1e9 the slider stops and starts out of proportion.
    row<&S::compliance_ratio>({"compliance_ratio", "compliance ratio", "eta^2", "η²", "", 1e-9, 1e9,
                               "in [1e-9, 1e9]", NumbersPer::contact, 0., false, false}),
    row<&S::stiffness>({"stiffness", "stiffness", "k", "k", "N/m^a", least_magnitude, most,
                        "in [1e-60, 1e60] N/m^exponent", NumbersPer::contact, 0., false, false}),
    row<&S::exponent>({"exponent", "exponent", "a", "a", "", 0.1, 10., "in [0.1, 10]",
                       NumbersPer::contact, 0., false, false}),
    row<BrachRule::impulse_ratio>({"impulse_ratio", "impulse ratio", "mu_t", "μₜ", "", -most, most,
                                   "in [-1e60, 1e60]", tangent},
                                  has_ratio, "ignores impulse_ratio"),
    row<BrachRule::coefficient>({"tangential_coefficient", "tangential coefficient", "e_t", "eₜ",
                                 "", -most, most, "in [-1e60, 1e60]", tangent},
                                has_coefficient, "ignores tangential_coefficient"),
    row<CoupleRule::coefficients>({"moment_coefficients", "moment coefficient", "e_m", "eₘ", "",
                                   -1., 1., "in [-1, 1]", spin_row},
                                  has_couples, "ignores the couple"),
    row<CoupleRule::ratio>({"moment_ratio", "couple over impulse", "M/P_n", "M/Pₙ", "m", -most,
                            most, "in [-1e60, 1e60]", spin_row, 0., true}),
    row<Length::rolling>({"rolling_friction", "rolling friction", "d_r", "dᵣ", "m", 0., most,
                          "in [0, 1e60] m", NumbersPer::contact, 0., false, true, true},
                         resists_rolling, "ignores rolling_friction"),
    row<Length::drilling>({"drilling_friction", "drilling friction", "d_d", "d_d", "m", 0., most,
                           "in [0, 1e60] m", NumbersPer::contact, 0., true, true, true},
                          resists_drilling, "ignores drilling_friction"),
};

}  // namespace

std::span<const Coefficient> coefficients() noexcept { return table; }

const Coefficient* find_coefficient(std::string_view key) noexcept {
  for (const Coefficient& c : table) {
    if (c.key == key) return &c;
  }
  return nullptr;
}

std::uint32_t given_bit(const Coefficient& c) noexcept {
  return 1U << static_cast<unsigned>(&c - table.data());
}

bool is_given(const Surface& s, std::string_view key) noexcept {
  const Coefficient* c = find_coefficient(key);
  return c != nullptr && (s.given & given_bit(*c)) != 0;
}

}  // namespace carom
