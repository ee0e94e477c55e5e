// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>

/// Records of the pictures of one impact, in JSON: what `--json` prints, and a member "picture"
/// with what only drawing needs. docs/records.md describes them.
namespace carom::report {

/// What the course of an impact of several contacts is drawn over.
enum class CourseAxis : std::uint8_t {
  time,     ///< reconstructed
  impulse,  ///< the sum of all normal impulses
};

/// The course of more contacts than this is written in cells, not in samples.
constexpr std::size_t few_contacts = 6;

// One for each kind of impact.

/// Routh's diagram of one contact in the plane: the friction cone, the lines of sticking and of
/// greatest compression, and the path of each law.
[[nodiscard]] std::string routh_record(const scenario::Scenario& scenario,
                                       const study::Comparison& comparison);

/// The hodograph of slip of one contact in space: the invariant rays and the path of each law.
[[nodiscard]] std::string hodograph_record(const scenario::Scenario& scenario,
                                           const study::Comparison& comparison);

/// The course of an impact of several contacts, or of one without a tangent.
/// @pre an answer of the comparison has a course with two samples or more
[[nodiscard]] std::string course_record(const scenario::Scenario& scenario,
                                        const study::Comparison& comparison, CourseAxis axis);

/// Vehicles from above, before and after. @pre the system has vehicles
[[nodiscard]] std::string vehicles_record(const scenario::Scenario& scenario,
                                          const study::Comparison& comparison);

/// Is it the course that a picture of such contacts shows?
[[nodiscard]] bool draws_course(ContactKind kind);

/// That of these which suits the impact.
[[nodiscard]] std::string impact_record(const scenario::Scenario& scenario,
                                        const study::Comparison& comparison, CourseAxis axis);

}  // namespace carom::report
