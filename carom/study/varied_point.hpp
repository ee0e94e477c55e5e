// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/varied_number.hpp>
#include <carom/study/system_point.hpp>

/// Scenarios whose numbers vary, along the axes of a map or in a sweep.
namespace carom::study {

/// What of the scenario a number changes.
enum class Varies : std::uint8_t {
  system,          ///< a number of [system]
  surface,         ///< a number of [surface]
  approach_ratio,  ///< v_t-/v_n-, by the slip
  slip_ratio,      ///< -v_t-/v_n-, by the slip
  incidence,       ///< atan(-v_t-/v_n-) [deg], by the slip
};

[[nodiscard]] constexpr bool sets_slip(Varies v) { return v >= Varies::approach_ratio; }

/// Throws InputError under the number's field where the path is none that can vary.
[[nodiscard]] Varies what_varies(const scenario::VariedNumber& number);

/// How a number is called where people read it; plain UTF-8.
struct NumberName {
  std::string label;   ///< "angle", "mass of upper"
  std::string symbol;  ///< "μ"; may be empty
  std::string unit;    ///< "deg"; empty: none, or not known
};

/// @param text, name  of the scenario that has it
[[nodiscard]] NumberName name_of(const scenario::VariedNumber& number, const std::string& text,
                                 const std::string& name);

/// What a scenario gives under one key of [system] or [surface], where not all of it varies.
struct FixedNumbers {
  std::string path;    ///< "system.links.upper.mass"
  std::string of;      ///< "upper": the link or body that it belongs to; may be empty
  std::string label;   ///< for people, plain UTF-8: "mass"
  std::string symbol;  ///< may be empty
  std::string unit;    ///< empty: none, or not known
  int depth = 0;       ///< 0 one number, 1 a row, 2 a matrix
  std::vector<std::vector<double>> rows;  ///< NaN: this one varies
};

/// The numbers of a scenario that do not vary.
[[nodiscard]] std::vector<FixedNumbers> fixed_numbers(
    const std::string& text, const std::string& name,
    const std::vector<scenario::VariedNumber>& varied);

/// The names of the derived numbers, for help.
[[nodiscard]] std::vector<std::string_view> derived_numbers();

/// A scenario with the numbers at hand that vary. Not to be shared between threads; cheap to make.
class VariedPoint {
 public:
  /// Throws InputError where the scenario is wrong, or has no such numbers.
  VariedPoint(const std::string& text, const std::string& name,
              std::vector<scenario::VariedNumber> numbers);

  /// Sets number k, counted as they were given.
  void set(std::size_t k, double value) { set(numbers_[k], value); }
  [[nodiscard]] double value(std::size_t k) const { return numbers_[k].value; }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

  /// What does number k change?
  [[nodiscard]] Varies varies(std::size_t k) const { return numbers_[k].varies; }
  /// Is there a number k, and does it change that?
  [[nodiscard]] bool varies(std::size_t k, Varies part) const {
    return k < numbers_.size() && numbers_[k].varies == part;
  }

  // The parts with the numbers as they are set; read again only where one of theirs has changed.
  // Throw InputError that names the numbers' values.
  [[nodiscard]] const SystemPoint& system();
  [[nodiscard]] const Surface& surface();
  [[nodiscard]] scenario::Scenario scenario();

  /// Is it one contact in the plane? Only then may `system`, `surface` and `problem` be asked for.
  [[nodiscard]] bool is_planar() const { return planar_; }
  /// Does a number set the slip of the approach?
  [[nodiscard]] bool sets_slip() const { return slip_varies_; }
  /// The impact, whatever strikes.
  [[nodiscard]] const SystemAtImpact& impact();

  /// The slip of the approach: the system's own, or what a number says.
  [[nodiscard]] double slip(const SystemPoint& system) const;

  /// All of it: the problem here.
  [[nodiscard]] PlanarProblem problem();

  /// Throws an error about [system] or [surface] again, with the number that varies it and with
  /// its value; or as it is, where the scenario is wrong without them, too.
  [[noreturn]] void blame_numbers(Varies part, const InputError& e) const;

 private:
  struct Number {
    scenario::VariedNumber asked;
    Varies varies = Varies::system;
    double* number = nullptr;  ///< in the scenario; null where derived
    double value = 0.;
  };

  void set(Number& n, double value);
  /// Throws what is wrong with that field of the scenario as it stands, varied or not.
  void throw_if_wrong_anyway(const std::string& field) const;
  std::string text_;
  std::string name_;
  scenario::Variation variation_;
  std::vector<Number> numbers_;
  bool slip_varies_ = false;
  std::optional<SystemPoint> system_;
  std::optional<Surface> surface_;
  bool planar_ = true;
  std::optional<SystemAtImpact> impact_;
};

}  // namespace carom::study
