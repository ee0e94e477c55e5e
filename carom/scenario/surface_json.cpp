// SPDX-License-Identifier: Apache-2.0
// A surface in JSON, by the table of coefficients.
#include <algorithm>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/scenario/json_values.hpp>
#include <carom/scenario/surface_reader.hpp>

namespace carom::scenario::json {
namespace {

std::string path(std::string_view field, std::string_view key) {
  return std::string(field).append(".").append(key);
}

[[noreturn]] void fail_unknown(std::string_view field, std::string_view key,
                               std::size_t components) {
  std::vector<std::string_view> known;
  for (const Coefficient& c : coefficients()) {
    if (!c.in_space_only || components == 3) known.push_back(c.key);
  }
  unknown_key(path(field, ""), key, known);
}

void read_numbers(const element& item, std::string_view field, const Coefficient& c,
                  std::size_t components, Surface& s) {
  const std::span<double> into = c.numbers(s);
  switch (c.size(components)) {
    case 1:
      if (item.get(into[0]) != simdjson::SUCCESS) must_be(path(field, c.key), "a number", item);
      return;
    case 2:
      std::ranges::copy(numbers<2>(item, path(field, c.key), "an array [t1, t2]"), into.begin());
      return;
    default:
      std::ranges::copy(numbers<3>(item, path(field, c.key), "an array [n, t1, t2]"), into.begin());
  }
}

}  // namespace

Surface read_surface(const element& value, std::string_view field, std::size_t components,
                     const LawInfo& law) {
  Surface s;
  s.given = 0;
  for (const auto& [key, item] : members(value, field)) {
    const Coefficient* c = find_coefficient(key);
    if (c == nullptr || (c->in_space_only && components != 3)) {
      fail_unknown(field, key, components);
    }
    s.given |= given_bit(*c);
    // moment_ratio replaces moment_coefficients, in whatever order they stand. Both must be valid.
    if (c->key == "moment_coefficients" && s.has_moment_ratio()) {
      Surface replaced;
      read_numbers(item, field, *c, components, replaced);
      validate(*c, replaced, field, law.release, components);
      continue;
    }
    if (c->key == "moment_ratio") {
      validate(*find_coefficient("moment_coefficients"), s, field, law.release, components);
    }
    read_numbers(item, field, *c, components, s);
  }
  if (!is_given(s, "static_friction")) s.static_friction = s.friction;
  if (components == 1) {
    require_frictionless(s, path(field, ""));
    s.given |= given_bit(*find_coefficient("friction"));
  }
  if (const auto key = missing_coefficient(law, s)) {
    throw InputError(path(field, *key), "is missing");
  }
  return s;
}

}  // namespace carom::scenario::json
