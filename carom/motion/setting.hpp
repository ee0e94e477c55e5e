// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <carom/mechanics/model.hpp>
#include <carom/motion/simulation.hpp>

namespace carom::motion {

/// Reference scales, and the tolerances derived from them.
struct Scales {
  explicit Scales(const Model& model);
  double length;        ///< [m]
  double acceleration;  ///< [m/s^2]
  double speed;         ///< sqrt(a L) [m/s]
  double time;          ///< sqrt(L/a) [s]
  double closed;        ///< a gap up to this counts as closed [m]
  double sunk;          ///< a gap below minus this has closed [m]
  double still;         ///< a speed up to this counts as zero [m/s]
  double faint;         ///< slower impacts are below the resolution of positions [m/s]
};

/// What does not change in a run.
struct Setting {
  /// Throws InputError. All must outlive it.
  Setting(const Model& model, const std::vector<Surface>& surfaces, const Options& options);

  /// The place of a contact's surface among `surfaces`.
  [[nodiscard]] std::size_t surface_of(const ContactId& id) const {
    return surfaces.size() == 1 ? 0 : model.surface_of(id);
  }
  [[nodiscard]] const Surface& surface(const ContactId& id) const {
    return surfaces[surface_of(id)];
  }
  /// Whether contacts of a surface are compliant.
  [[nodiscard]] bool is_compliant(std::size_t surface) const {
    if (options.compliant.size() == 1) return options.compliant[0];
    return surface < options.compliant.size() && options.compliant[surface];
  }
  /// Slip below this has a direction that errors determine [m/s].
  [[nodiscard]] double vanishing_slip() const;

  const Model& model;
  const std::vector<Surface>& surfaces;
  const Options& options;
  const Scales scales;
  const std::size_t positions;
  const std::size_t velocities;
  const std::size_t components;  ///< of a contact
  bool any_couples = false;      ///< whether any surface has rolling or drilling friction

 private:
  void refuse_couples() const;  ///< where the model knows no spins
};

/// Throws InputError if a state does not fit a model, or a number is not finite.
void check_state(const Model& model, const State& state);

/// Throws InputError if bodies overlap at the start, even where no contact is in range.
void refuse_sunk_bodies(const Setting& setting, const State& state);

/// Why a run cannot go on: the first reason that was given.
struct Trouble {
  Failure failure = Failure::none;
  std::string reason{};

  /// @return false
  bool fail(Failure failure, std::string reason);
  bool no_acceleration(double time);
};

}  // namespace carom::motion
