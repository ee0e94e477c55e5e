// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <string_view>

namespace carom {

/// Wrong input: which field, what is wrong with it, and, once a reader knows, where it stands.
/// `what()` is the whole in one line, control characters made visible: "bar.toml:6:15:
/// surface.restitution: must be in [0, 1], got 1.4".
class InputError : public std::exception {
 public:
  /// @param field    dotted path of the offending key, e.g. "surface.friction"; may be empty
  /// @param problem  what is wrong and what is allowed, e.g. "must be >= 0, got -0.3"
  InputError(std::string field, std::string problem, std::string where = {});

  /// "must be `allowed`, got `value`".
  InputError(std::string field, double value, std::string_view allowed);

  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] const std::string& field() const noexcept { return field_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  [[nodiscard]] const std::string& where() const noexcept { return where_; }

 private:
  std::string field_;
  std::string problem_;
  std::string where_;  ///< file:line:column, or empty
  std::string text_;
};

/// Thrown where a long computation was asked to stop before its end.
struct Interrupted : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Throws Interrupted if `stop` is set.
inline void interrupt_if(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load()) throw Interrupted();
}

/// Throws InputError unless x is finite.
void require_finite(double x, std::string_view field);

/// Throws InputError unless x is finite and positive.
void require_positive(double x, std::string_view field);

/// Magnitudes are limited to this range, so that products of a few of them neither overflow nor
/// underflow.
inline constexpr double least_magnitude = 1e-60;
inline constexpr double most_magnitude = 1e60;

/// Throws InputError unless x is zero or its magnitude is in that range.
void require_magnitude(double x, std::string_view field, std::string_view unit);

/// Throws InputError unless a relative tolerance is in [1e-14, 1e-3]. Returns it.
double require_tolerance(double x, std::string_view field);

/// Text that comes from a file, for a terminal: control characters, which could change colours or
/// overwrite lines, are made visible as \x1b.
[[nodiscard]] std::string printable(std::string_view text);

/// The same line by line: line ends stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// The shortest decimal text that reads back as the same number.
[[nodiscard]] std::string shortest(double value);

}  // namespace carom
