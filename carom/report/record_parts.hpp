// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <carom/impact/verdict.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/report/table.hpp>
#include <carom/scenario/scenario.hpp>

/// What the records of pictures of one impact share.
namespace carom::report {

/// Begins the object "picture" with its kind, title and subtitle. Without a title the file's name
/// is one.
void begin_picture(JsonWriter& out, std::string_view kind, const scenario::Scenario& scenario,
                   std::string_view subtitle);

/// A quantity that is drawn: the key of its numbers in the record, and its words.
struct RecordQuantity {
  std::string_view key;
  std::string_view name;
  std::string_view symbol;
  std::string_view unit;
};

/// "quantities": {key: {"name", "symbol", "unit"}, ...}
void write_quantities(JsonWriter& out, std::initializer_list<RecordQuantity> quantities);

/// A member with a number for each point of a path, with the digits that drawing needs.
template <class Point, class Get>
void write_column(JsonWriter& out, std::string_view key, const std::vector<Point>& path,
                  const Get& get) {
  out.key(key).begin_array();
  for (const Point& point : path) out.number(get(point), JsonWriter::Digits::drawing);
  out.end_array();
}

/// A member with the indices of the points for which `chosen(index)` holds.
template <class Chosen>
void write_indices(JsonWriter& out, std::string_view key, std::size_t size, const Chosen& chosen) {
  out.key(key).begin_array();
  for (std::size_t i = 0; i < size; ++i) {
    if (chosen(i)) out.integer(i);
  }
  out.end_array();
}

/// "(0.4, −0.2)"
[[nodiscard]] std::string pretty(const std::array<double, 2>& pair);

/// Whether a law's friction has a cone: a file that gives impulse ratios or velocity ratios in
/// place of friction has none.
[[nodiscard]] inline bool has_cone(const Surface& surface) {
  return surface.friction > 0. || surface.tangential_rule == BrachRule::coulomb;
}

/// "cone": the coefficients of friction, or null.
inline void write_cone(JsonWriter& out, const Surface& surface) {
  out.key("cone");
  if (!has_cone(surface)) {
    out.null();
    return;
  }
  out.begin_object()
      .member("friction", surface.friction)
      .member("static_friction", surface.static_friction)
      .end_object();
}

/// "note": what the picture says where no law has an impulse, else null.
/// @param approach  normal velocity before [m/s]
/// @param answers  each with an outcome
template <class Answers>
void write_note(JsonWriter& out, bool strikes, double approach, const Answers& answers) {
  out.key("note");
  if (strikes) {
    out.null();
    return;
  }
  std::string text = "No impact: the contact rests";
  for (const auto& a : answers) {
    if (a.outcome.verdict() == Verdict::no_solution) text = "No law has a solution";
    if (a.outcome.verdict() == Verdict::not_converged) text = "No answer: not converged";
  }
  if (approach > 0.) text = "No impact: the contact separates at " + pretty(approach) + " m/s";
  out.text(text);
}

/// The member "picture" as the functions that write `--json` take it.
[[nodiscard]] std::string picture_member(JsonWriter& picture);

}  // namespace carom::report
