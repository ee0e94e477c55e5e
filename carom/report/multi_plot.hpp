// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <carom/report/plot_script.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/multi_comparison.hpp>

/// The course of an impact of several contacts under `lzb`. Of few contacts, contact by contact:
/// normal velocity, slip, normal force and stored energy, with the phases shaded. Of many: the same
/// quantities over contact and course, in colours.
namespace carom::report {

/// What the course is drawn over.
enum class Course : std::uint8_t {
  time,     ///< reconstructed
  impulse,  ///< the sum of all normal impulses
};

/// More contacts than this are drawn in colours.
constexpr std::size_t few_contacts = 6;

/// @pre an answer of the comparison has a trace with samples
[[nodiscard]] Plot multi_plot(const scenario::Scenario& scenario,
                              const study::MultiComparison& comparison, Course course,
                              const PictureFiles& files);

}  // namespace carom::report
