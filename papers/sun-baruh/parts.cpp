// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <utility>

#include <papers/publications.hpp>
#include <papers/sun-baruh/parts.hpp>

namespace carom::papers {
namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

sb::Grids all_grids() {
  return {.plane = sb::planar_grid(sb::surface_of_fig_3(), sb::cylinder),
          .fig8 = sb::angle_grid(25., 0.5, 0.8, 0.2, 0.2),
          .fig10 = sb::angle_grid(50., 1., 0.7, 0.4, 0.4),
          .fig11 = sb::angle_grid(50., 1., 0.5, 0.4, 0.4),
          .fig12 = sb::surface_grid(20., 15.),
          .fig13 = sb::surface_grid(-20., 15.)};
}

}  // namespace

Reproduction sun_baruh() {
  const sb::Grids grids = all_grids();
  Reproduction r;
  auto tables = sb::table_parts(grids);
  r.parts.push_back(std::move(tables[0]));
  append(r.parts, sb::planar_parts(grids));
  r.parts.push_back(std::move(tables[1]));
  r.parts.push_back(sb::exact_part(grids));
  append(r.parts, sb::spatial_parts(grids));
  append(r.errata, sb::planar_errata(grids));
  append(r.errata, sb::matrix_errata());
  append(r.errata, sb::claim_errata(grids));
  return r;
}

}  // namespace carom::papers
