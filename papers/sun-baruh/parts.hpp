// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <papers/engine/publication.hpp>
#include <papers/sun-baruh/rod.hpp>

/// The parts and errata of [Sun & Baruh 2022], topic by topic.
namespace carom::papers::sb {

/// Every grid, computed once.
struct Grids {
  PlanarGrid plane;  ///< Figs 3 to 5, of the cylinder
  SpatialGrid fig8;
  SpatialGrid fig10;
  SpatialGrid fig11;
  SpatialGrid fig12;
  SpatialGrid fig13;
};

[[nodiscard]] std::vector<Part> table_parts(const Grids& grids);   ///< Tables 1 and 2
[[nodiscard]] std::vector<Part> planar_parts(const Grids& grids);  ///< Figs 3 to 5
[[nodiscard]] Part fig_3(const PlanarGrid& grid);
[[nodiscard]] std::vector<Part> spatial_parts(const Grids& grids);  ///< Figs 8 to 13
[[nodiscard]] Part slide_parameter_part();
[[nodiscard]] Part fig_12(const SpatialGrid& grid);
[[nodiscard]] Part fig_13(const SpatialGrid& grid);
[[nodiscard]] Part exact_part(const Grids& grids);  ///< their procedure beside the exact process

[[nodiscard]] std::vector<Erratum> planar_errata(const Grids& grids);  ///< SB1 to SB12, SB33
[[nodiscard]] std::vector<Erratum> matrix_errata();                    ///< SB19 to SB25
[[nodiscard]] std::vector<Erratum> claim_errata(const Grids& grids);   ///< SB26 on

/// The greatest difference that Fig. 5 shows: where slip stops at the end of compression on the
/// line between stick and reverse slip.
struct GreatestDifference {
  double angle_deg = 0.;
  double ratio = 0.;
  double difference = 0.;  ///< 1 - poisson/energetic, of the normal velocities after
};
[[nodiscard]] GreatestDifference greatest_difference(double inertia_factor);

/// The angle [deg] > 0 beyond which a rod that has stopped slips back, |R2| = mu_s, from where the
/// law changes its mode.
[[nodiscard]] double reverse_angle_deg(double inertia_factor, double static_friction);

// Scenarios of the figures, for `map_picture`.
struct PlanarFigure {
  std::string title;
  std::string show;  ///< "\"mode\", \"rebound\""
  std::string laws;
  std::string more{};  ///< further lines of [map]
};
[[nodiscard]] std::string scenario_of(const PlanarFigure& figure);

struct SpatialFigure {
  std::string title;
  double restitution = 0.;
  double friction = 0.;
  double widest_deg = 0.;  ///< of the angles
  int points = 0;          ///< along theta_1
  std::string show;
  std::string laws;
  std::string more{};
};
[[nodiscard]] std::string scenario_of(const SpatialFigure& figure);

/// Figs 12 and 13: friction and restitution varied.
struct SurfaceFigure {
  std::string title;
  double angle1_deg = 0.;
  double angle2_deg = 0.;
};
[[nodiscard]] std::string scenario_of(const SurfaceFigure& figure);

}  // namespace carom::papers::sb
