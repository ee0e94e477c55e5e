// SPDX-License-Identifier: Apache-2.0
#include <carom/report/palette.hpp>

#include <array>
#include <utility>

namespace carom::report {
namespace {

// Colours of Okabe & Ito and a few more that stay apart from them in all common colour blindness.
// Laws with a process are solid; those that know only the total are dashed: their line joins its
// ends and is no path.
constexpr std::array<std::pair<std::string_view, LawStyle>, 12> styles{{
    {"newton", {"#D55E00", "solid", 7.5, 4, 5, 3.0}},
    {"poisson", {"#0072B2", "solid", 4.8, 6, 7, 2.4}},
    {"energetic", {"#009E73", "solid", 2.0, 8, 9, 1.5}},
    {"moreau", {"#CC79A7", "(10,6)", 2.2, 12, 13, 2.1}},
    {"moreau:poisson", {"#56B4E9", "(12,4,2,4)", 1.4, 10, 11, 1.5}},
    {"conventional", {"#E69F00", "(5,5)", 1.5, 2, 0, 1.6}},
    {"conventional:rebound", {"#8C6D31", "(5,3,1,3)", 1.4, 1, 0, 2.2}},
    {"brach", {"#000000", "(2,4)", 1.3, 14, 15, 3.4}},
    {"sun-baruh", {"#A89A00", "solid", 3.2, 2, 0, 1.6}},
    {"sun-baruh:energetic", {"#882255", "solid", 1.0, 1, 0, 2.2}},
    {"compliant", {"#7F3C8D", "solid", 1.0, 3, 0, 0.9}},
    {"lzb", {"#117733", "solid", 2.4, 6, 7, 1.2}},
}};

constexpr LawStyle plain{"#606060", "(8,3)", 1.2, 7, 0, 0.8};

}  // namespace

const LawStyle& style_of_law(std::string_view name) {
  for (const auto& [known, style] : styles) {
    if (known == name) return style;
  }
  return plain;
}

const LawStyle& style_of(const NamedLaw& law) {
  std::string_view name = law.name;
  for (const NamedLaw& other : catalogue()) {
    if (law.is_alias && !other.is_alias && other.law == law.law) name = other.name;
  }
  return style_of_law(name);
}

const LawStyle& style_of(const NamedSpatialLaw& law) {
  return style_of_law(law.is_alias ? law.info->id : law.name);
}

}  // namespace carom::report
