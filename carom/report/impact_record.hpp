// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/multi_comparison.hpp>
#include <carom/study/spatial_comparison.hpp>

/// Records of the pictures of one impact, in JSON: what `--json` prints, and a member "picture"
/// with what only drawing needs. docs/records.md describes them.
namespace carom::report {

/// Routh's diagram: the friction cone, the lines of sticking and of greatest compression, and the
/// path of each law.
[[nodiscard]] std::string routh_record(const scenario::Scenario& scenario,
                                       const study::Comparison& comparison);

/// The hodograph of slip: the invariant rays and the path of each law.
[[nodiscard]] std::string hodograph_record(const scenario::Scenario& scenario,
                                           const study::SpatialComparison& comparison);

/// What the course of an impact of several contacts is drawn over.
enum class CourseAxis : std::uint8_t {
  time,     ///< reconstructed
  impulse,  ///< the sum of all normal impulses
};

/// The course of more contacts than this is written in cells, not in samples.
constexpr std::size_t few_contacts = 6;

/// The course under `lzb`.
/// @pre an answer of the comparison has a trace with two samples or more
[[nodiscard]] std::string course_record(const scenario::Scenario& scenario,
                                        const study::MultiComparison& comparison, CourseAxis axis);

}  // namespace carom::report
