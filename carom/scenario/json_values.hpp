// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <simdjson.h>
#include <Eigen/Core>

#include <carom/core/error.hpp>
#include <carom/laws/law.hpp>
#include <carom/scenario/problem_json.hpp>

/// JSON as the readers of problems want it: values, and errors with the names of what is wrong. For
/// their sources alone, so that simdjson is seen nowhere else.
namespace carom::scenario::json {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

// All that read throw InputError under `field`.

[[noreturn]] void must_be(std::string field, const char* what, const element& value);
[[noreturn]] void unknown_key(const std::string& path, std::string_view key,
                              std::span<const std::string_view> known);

/// JSON has no NaN and no infinity, so every number that is read is finite.
[[nodiscard]] double number(const element& value, std::string_view field);
/// An entry of an array; its name is built only if it is wrong.
[[nodiscard]] double entry(const element& value, std::string_view field, std::size_t i);
[[nodiscard]] std::string_view text(const element& value, std::string_view field);
[[nodiscard]] object members(const element& value, std::string_view field);
[[nodiscard]] array items(const element& value, std::string_view field, const char* what);
[[nodiscard]] const element& require(const std::optional<element>& value, std::string_view field);

/// An array of n numbers. @param what  for the message
template <std::size_t n>
[[nodiscard]] std::array<double, n> numbers(const element& value, std::string_view field,
                                            const char* what) {
  const array a = items(value, field, what);
  if (a.size() != n) {
    throw InputError(std::string(field), "must have " + std::to_string(n) + " numbers, got " +
                                             std::to_string(a.size()));
  }
  std::array<double, n> all{};
  std::size_t i = 0;
  for (const element item : a) {
    all[i] = entry(item, field, i);
    ++i;
  }
  return all;
}

/// The coefficients that a surface gives; throws if the law needs one that is not among them.
/// Ranges are left to validate().
/// @param field  "surface", "surfaces[2]"
/// @param law    the one that answers
[[nodiscard]] Surface read_surface(const element& value, std::string_view field,
                                   std::size_t components, const LawInfo& law);
/// An array of numbers.
[[nodiscard]] Eigen::VectorXd vector(const element& value, std::string_view field);
/// An array of rows of one length.
[[nodiscard]] Eigen::MatrixXd matrix(const element& value, std::string_view field);
/// How many items an array has; 0 where it is none.
[[nodiscard]] std::size_t size_of(const element& value);

/// The array of one or two bodies.
[[nodiscard]] array one_or_two(const element& bodies);

/// Reads a body, whose members are called the same in the plane and in space; all but the spin are
/// required. @param put  keeps one: put(key, value, its dotted name)
template <class Put>
void read_body(const element& value, const std::string& field, const Put& put) {
  static constexpr std::array<std::string_view, 5> known = {"mass", "inertia", "contact_offset",
                                                            "velocity", "spin"};
  unsigned given = 0;
  for (const auto& [key, item] : members(value, field)) {
    const auto at = std::find(known.begin(), known.end(), key);
    if (at == known.end()) unknown_key(field + ".", key, known);
    given |= 1U << static_cast<unsigned>(at - known.begin());
    put(key, item, field + "." + std::string(key));
  }
  for (std::size_t k = 0; k + 1 < known.size(); ++k) {
    if ((given >> k & 1U) == 0) {
      throw InputError(field + "." + std::string(known[k]), "is missing");
    }
  }
}

/// The members of a problem, found in one pass.
struct Members {
  std::optional<element> law, options, components, inverse_inertia, approach, surface, surfaces,
      mass, directions, velocity, bodies, frame, contacts;
};

/// Are the bodies that a problem gives in space, by the sizes of what it gives?
[[nodiscard]] bool bodies_in_space(const Members& m);

/// One or two bodies and the frame of their contact.
[[nodiscard]] SystemAtImpact read_bodies(const Members& m, bool in_space);

}  // namespace carom::scenario::json
