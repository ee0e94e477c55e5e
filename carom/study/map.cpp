// SPDX-License-Identifier: Apache-2.0
#include <carom/study/map.hpp>

#include <algorithm>

#include <carom/core/error.hpp>
#include <carom/study/boundaries.hpp>
#include <carom/study/law_choice.hpp>
#include <carom/study/map_layers.hpp>
#include <carom/study/map_number.hpp>
#include <carom/study/map_progress.hpp>
#include <carom/study/parallel.hpp>
#include <carom/study/planar_rows.hpp>
#include <carom/study/spatial_map.hpp>

namespace carom::study {
namespace {

/// A request, understood.
struct Plan {
  const std::string& text;
  const std::string& name;
  scenario::MapAxis x;
  std::optional<scenario::MapAxis> y;

  [[nodiscard]] MapPoint point() const { return {text, name, x, y ? &*y : nullptr}; }
};

/// Laws that apply at every corner of the map, each scenario read and validated. What laws refuse
/// or cannot honour is beyond a limit, so that it shows at a corner if it does anywhere.
LawChoice choose_at_corners(MapPoint& point, const Plan& plan, std::span<const Law* const> named) {
  std::optional<LawChoice> all;
  const std::vector<double> ends = plan.y ? std::vector{plan.y->from, plan.y->to} : std::vector{0.};
  for (const double y : ends) {
    for (const double x : {plan.x.from, plan.x.to}) {
      if (plan.y) point.set_y(y);
      point.set_x(x);
      const scenario::Scenario here = point.scenario();
      LawChoice choice = choose_laws(here, named);
      try {
        for (const ChosenLaw& c : choice.chosen) require_answerable(*c.law, point.problem(), here);
      } catch (const InputError& e) {
        point.blame_axes(Varies::surface, e);
      }
      if (!all) {
        all = std::move(choice);
        continue;
      }
      for (LeftOut& l : choice.left_out) {
        const auto gone = std::erase_if(all->chosen, [&](auto& c) { return c.law == l.law; });
        if (gone > 0) all->left_out.push_back(std::move(l));
      }
      for (ChosenLaw& c : choice.chosen) {
        for (ChosenLaw& known : all->chosen) {
          if (known.law == c.law && known.note.empty()) known.note = std::move(c.note);
        }
      }
    }
  }
  if (all->chosen.empty()) {
    throw InputError(plan.x.field, "no law takes the coefficients of all corners of the map",
                     plan.x.place);
  }
  return std::move(*all);
}

std::vector<const Law*> named_laws(const std::vector<scenario::PlacedText>& names) {
  std::vector<const Law*> laws;
  for (const scenario::PlacedText& name : names) {
    try {
      laws.push_back(&find_law(name.text, name.field, in_the_plane));
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem(), name.place);
    }
  }
  return laws;
}

std::vector<std::string> notes_of(const LawChoice& choice) {
  std::vector<std::string> notes;
  for (const ChosenLaw& c : choice.chosen) {
    if (!c.note.empty()) notes.push_back(std::string(c.law->name) + " cannot honour: " + c.note);
  }
  for (const LeftOut& l : choice.left_out) {
    if (!l.quiet) notes.push_back(std::string(l.law->name) + " left out: " + l.reason);
  }
  return notes;
}

/// What of the scenario depends on x alone, made once.
struct Columns {
  std::vector<SystemPoint> systems;  ///< empty where they depend on y, or not on x
  std::vector<Surface> surfaces;     ///< the same
};

Columns columns_of(MapPoint& point, const std::vector<double>& x) {
  Columns columns;
  const bool systems = point.system_varies_with_x() && !point.system_varies_with_y();
  const bool surfaces = point.surface_varies_with_x() && !point.surface_varies_with_y();
  if (!systems && !surfaces) return columns;
  for (const double value : x) {
    point.set_x(value);
    if (systems) columns.systems.push_back(point.system());
    if (surfaces) columns.surfaces.push_back(point.surface());
  }
  return columns;
}

/// The cells of one row.
void fill_row(MapPoint& point, const Columns& columns, const std::vector<double>& x,
              std::vector<MapCell>& row) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool known = !columns.systems.empty() || !columns.surfaces.empty();
    if (!known) point.set_x(x[i]);
    const SystemPoint& system = columns.systems.empty() ? point.system() : columns.systems[i];
    const Surface& surface = columns.surfaces.empty() ? point.surface() : columns.surfaces[i];
    row[i].problem = system.problem(surface, point.slip(system));
    row[i].energy_before = system.energy_before(row[i].problem);
  }
}

void compute_rows(const Plan& plan, const Axis& x, const Axis* y, std::span<const Law* const> laws,
                  MapLayers& layers, const MapOptions& options) {
  const std::size_t rows = y != nullptr ? y->values.size() : 1;
  MapPoint first = plan.point();
  if (y != nullptr) first.set_y(y->values.front());
  const Columns columns = columns_of(first, x.values);
  Progress progress(options, rows);
  FirstError error;
  // Rows enough that making a point does not count.
  constexpr std::size_t least_cells = 16'384;
  const std::size_t grain = std::max<std::size_t>(1, least_cells / x.values.size());
  parallel_blocks(rows, grain, options.threads, [&](std::size_t begin, std::size_t end) {
    MapPoint point = plan.point();
    std::vector<MapCell> row(x.values.size());
    PlanarRows rows_of_laws(laws, row.size(), options.instructions);
    for (std::size_t j = begin; j < end && !error.before(j); ++j) {
      try {
        if (y != nullptr) point.set_y(y->values[j]);
        fill_row(point, columns, x.values, row);
      } catch (const InputError& e) {
        error.add(j, e);
        return;
      }
      rows_of_laws.set_row(j, row, layers);
      progress.row_done();
    }
  });
  error.throw_if_any();
}

}  // namespace

Map compute_map(const std::string& text, const std::string& name,
                const scenario::MapRequest& request, const MapOptions& options) {
  if (!request.x) {
    throw InputError(
        "map.x", "is missing; give what varies as --x PATH=FROM:TO, or in the file as [map]", name);
  }
  const scenario::Variation scenario(text, name);
  if (scenario.has_several_contacts()) {
    throw InputError("system.type", "maps are of one contact, and this system has several", name);
  }
  const Plan plan{.text = text, .name = name, .x = *request.x, .y = request.y};
  MapPoint point = plan.point();
  Map map;
  map.x = named_axis(plan.x, text, name);
  if (plan.y) map.y = named_axis(*plan.y, text, name);
  map.contours = request.contours;
  map.system = scenario.system_type();
  map.fixed = fixed_numbers(text, name, plan.x, plan.y ? &*plan.y : nullptr);
  map.provenance.scenario_name = name;
  map.provenance.scenario_text = text;
  if (point.in_space()) {
    compute_spatial_map(
        point, [&] { return plan.point(); }, request, options, map);
    return map;
  }
  const LawChoice choice = choose_at_corners(point, plan, named_laws(request.laws));
  std::vector<const Law*> laws;
  std::vector<MapLaw> told;
  for (const ChosenLaw& c : choice.chosen) {
    laws.push_back(c.law);
    told.push_back({.name = std::string(c.law->name),
                    .labels = info(planar_kernel(*c.law)).labels,
                    .in_space = false});
  }
  map.title = point.scenario().title;
  map.notes = notes_of(choice);
  MapLayers layers(request, told, map.columns(), map.rows());
  compute_rows(plan, map.x, map.y ? &*map.y : nullptr, laws, layers, options);
  map.layers = layers.take();
  if (map.y) map.boundaries = trace_boundaries(laws, point, map.x, *map.y);
  return map;
}

}  // namespace carom::study
