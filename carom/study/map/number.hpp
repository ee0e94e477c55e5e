// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/scenario/map_request.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/map/map.hpp>
#include <carom/study/system_point.hpp>

/// The numbers that the axes of a map vary.
namespace carom::study {

/// What an axis changes.
enum class Varies : std::uint8_t {
  system,          ///< a number of [system]
  surface,         ///< a number of [surface]
  approach_ratio,  ///< v_t-/v_n-, by the slip
  slip_ratio,      ///< -v_t-/v_n-, by the slip
  incidence,       ///< atan(-v_t-/v_n-) [deg], by the slip
};

[[nodiscard]] constexpr bool sets_slip(Varies v) { return v >= Varies::approach_ratio; }

/// Throws InputError under the axis's field where the path is none that can vary.
[[nodiscard]] Varies what_varies(const scenario::MapAxis& axis);

/// The axis with its values, its name for people and its unit.
/// @param text, name  of the scenario that it varies
[[nodiscard]] Axis named_axis(const scenario::MapAxis& axis, const std::string& text,
                              const std::string& name);

/// The numbers of a scenario that these axes leave alone.
/// @param y  may be null
[[nodiscard]] std::vector<FixedNumbers> fixed_numbers(const std::string& text,
                                                      const std::string& name,
                                                      const scenario::MapAxis& x,
                                                      const scenario::MapAxis* y);

/// The names of the derived numbers, for help.
[[nodiscard]] std::vector<std::string_view> derived_numbers();

/// A scenario with the numbers of one or two axes at hand. Not to be shared between threads; cheap
/// to make.
class MapPoint {
 public:
  /// Throws InputError where the scenario is wrong, or has no such numbers.
  MapPoint(const std::string& text, const std::string& name, const scenario::MapAxis& x,
           const scenario::MapAxis* y);

  void set_x(double value) { set(axes_[0], value); }
  void set_y(double value) { set(axes_[1], value); }  ///< @pre there is one

  /// Does [system] or [surface] depend on x, on y?
  [[nodiscard]] bool system_varies_with_x() const { return axes_[0].varies == Varies::system; }
  [[nodiscard]] bool system_varies_with_y() const { return with_y(Varies::system); }
  [[nodiscard]] bool surface_varies_with_x() const { return axes_[0].varies == Varies::surface; }
  [[nodiscard]] bool surface_varies_with_y() const { return with_y(Varies::surface); }

  // The parts with the numbers as they are set; read again only where one of theirs has changed.
  // Throw InputError that names the axes' values.
  [[nodiscard]] const SystemPoint& system();
  [[nodiscard]] const Surface& surface();
  [[nodiscard]] scenario::Scenario scenario();

  /// Is it one contact in the plane? Only then may `system`, `surface` and `problem` be asked for.
  [[nodiscard]] bool is_planar() const { return planar_; }
  /// Does an axis set the slip of the approach?
  [[nodiscard]] bool sets_slip() const { return slip_varies_; }
  /// The impact, whatever strikes.
  [[nodiscard]] const SystemAtImpact& impact();

  /// The slip of the approach: the system's own, or what an axis says.
  [[nodiscard]] double slip(const SystemPoint& system) const;

  /// All of it: the problem here.
  [[nodiscard]] PlanarProblem problem();

  /// Throws an error about [system] or [surface] again, with the axis that varies it and with
  /// its value; or as it is, where the scenario is wrong without the axes, too.
  [[noreturn]] void blame_axes(Varies part, const InputError& e) const;

 private:
  struct Number {
    const scenario::MapAxis* axis = nullptr;
    Varies varies = Varies::system;
    double* number = nullptr;  ///< in the scenario; null where derived
    double value = 0.;
  };

  [[nodiscard]] bool with_y(Varies v) const { return axes_.size() > 1 && axes_[1].varies == v; }
  void set(Number& n, double value);
  /// Throws what is wrong with that field of the scenario as it stands, axes or not.
  void throw_if_wrong_anyway(const std::string& field) const;
  std::string text_;
  std::string name_;
  scenario::Variation variation_;
  std::vector<Number> axes_;
  bool slip_varies_ = false;
  std::optional<SystemPoint> system_;
  std::optional<Surface> surface_;
  bool planar_ = true;
  std::optional<SystemAtImpact> impact_;
};

}  // namespace carom::study
