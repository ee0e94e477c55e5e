// SPDX-License-Identifier: Apache-2.0
#include <carom/study/quantity.hpp>

#include <array>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>

namespace carom::study {
namespace {

// In the order of the enumeration.
constexpr std::array<QuantityInfo, 16> all{{
    {Quantity::mode, "mode", "mode", "", "", "what the contact does, as the law labels it", true},
    {Quantity::regime, "regime", "regime", "", "",
     "backward slip, stick or forward slip by the total impulse, for any law", true},
    {Quantity::verdict, "verdict", "verdict", "", "", "the gravest verdict", true},
    {Quantity::reversal, "reversal", "what becomes of slip", "", "",
     "whether slip goes on, stops, reverses or begins", true},
    {Quantity::sign, "sign", "sign of the ratio after", "sgn(vₜ⁺/vₙ⁺)", "",
     "sign of the ratio of velocities after", true},
    {Quantity::energy, "energy", "energy after over before", "T⁺/T⁻", "",
     "kinetic energy after over before (of the contact where the system's is not known)", false},
    {Quantity::rebound, "rebound", "normalised normal velocity", "−vₙ⁺/(e vₙ⁻)", "",
     "separation speed over e times the approach speed: 1 under newton", false},
    {Quantity::ratio, "ratio", "ratio of velocities after", "vₜ⁺/vₙ⁺", "",
     "slip over normal velocity after", false},
    {Quantity::restitution, "restitution", "apparent restitution", "−vₙ⁺/vₙ⁻", "",
     "separation speed over approach speed", false},
    {Quantity::impulse_ratio, "impulse_ratio", "impulse ratio", "Pₜ/Pₙ", "",
     "tangential over normal impulse", false},
    {Quantity::normal_velocity, "normal_velocity", "normal velocity after", "vₙ⁺", "m/s",
     "normal velocity after", false},
    {Quantity::slip, "slip", "slip after", "vₜ⁺", "m/s", "tangential velocity after", false},
    {Quantity::normal_impulse, "normal_impulse", "normal impulse", "Pₙ", "N s", "normal impulse",
     false},
    {Quantity::tangential_impulse, "tangential_impulse", "tangential impulse", "Pₜ", "N s",
     "tangential impulse", false},
    {Quantity::energy_change, "energy_change", "energy change", "ΔT", "J",
     "energy after minus before", false},
    {Quantity::parting, "parting", "distance of two laws", "|v⁺ − v⁺|/|v⁻|", "%",
     "how far two laws part: distance of their velocities after, in per cent of the velocity "
     "before",
     false},
}};

}  // namespace

std::span<const QuantityInfo> quantities() { return all; }

const QuantityInfo& info(Quantity quantity) { return all[static_cast<std::size_t>(quantity)]; }

const QuantityInfo& find_quantity(std::string_view name, std::string_view field) {
  std::vector<std::string_view> names;
  for (const QuantityInfo& q : all) {
    if (q.name == name) return q;
    names.push_back(q.name);
  }
  throw InputError(std::string(field),
                   "unknown quantity '" + std::string(name) + "'" + did_you_mean(name, names));
}

}  // namespace carom::study
