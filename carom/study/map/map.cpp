// SPDX-License-Identifier: Apache-2.0
#include <carom/study/map/map.hpp>

#include <algorithm>

#include <carom/core/error.hpp>
#include <carom/scenario/registered_systems.hpp>
#include <carom/study/boundaries.hpp>
#include <carom/study/law_choice.hpp>
#include <carom/study/map/layers.hpp>
#include <carom/study/map/progress.hpp>
#include <carom/study/parallel.hpp>
#include <carom/study/planar_rows.hpp>
#include <carom/study/varied_point.hpp>

namespace carom::study {
namespace {

// The axes among the numbers of a point.
constexpr std::size_t x_axis = 0;
constexpr std::size_t y_axis = 1;

/// A request, understood.
struct Plan {
  const std::string& text;
  const std::string& name;
  scenario::MapAxis x;
  std::optional<scenario::MapAxis> y;

  [[nodiscard]] std::vector<scenario::VariedNumber> numbers() const {
    std::vector<scenario::VariedNumber> all{x.number()};
    if (y) all.push_back(y->number());
    return all;
  }
  [[nodiscard]] VariedPoint point() const { return {text, name, numbers()}; }
};

/// Laws that apply at every corner of the map, each scenario read and validated. What laws refuse
/// or cannot honour is beyond a limit, so that it shows at a corner if it does anywhere.
LawChoice choose_at_corners(VariedPoint& point, const Plan& plan,
                            std::span<const Law* const> named) {
  std::optional<LawChoice> all;
  const std::vector<double> ends = plan.y ? std::vector{plan.y->from, plan.y->to} : std::vector{0.};
  for (const double y : ends) {
    for (const double x : {plan.x.from, plan.x.to}) {
      if (plan.y) point.set(y_axis, y);
      point.set(x_axis, x);
      const scenario::Scenario here = point.scenario();
      LawChoice choice = choose_laws(here, named);
      try {
        for (const ChosenLaw& c : choice.chosen) require_answerable(*c.law, here);
      } catch (const InputError& e) {
        point.blame_numbers(Varies::surface, e);
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

std::vector<const Law*> named_laws(const std::vector<scenario::PlacedText>& names,
                                   ContactKind kind) {
  std::vector<const Law*> laws;
  for (const scenario::PlacedText& name : names) {
    try {
      laws.push_back(&find_law(name.text, name.field, kind));
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem(), name.place);
    }
  }
  return laws;
}

std::vector<std::string> notes_of(const LawChoice& choice) {
  std::vector<std::string> notes;
  for (const ChosenLaw& c : choice.chosen) {
    if (!c.note.empty()) notes.push_back(std::string(c.law->name) + " " + c.note);
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

Columns columns_of(VariedPoint& point, const std::vector<double>& x) {
  Columns columns;
  const bool systems =
      point.varies(x_axis, Varies::system) && !point.varies(y_axis, Varies::system);
  const bool surfaces =
      point.varies(x_axis, Varies::surface) && !point.varies(y_axis, Varies::surface);
  if (!systems && !surfaces) return columns;
  for (const double value : x) {
    point.set(x_axis, value);
    if (systems) columns.systems.push_back(point.system());
    if (surfaces) columns.surfaces.push_back(point.surface());
  }
  return columns;
}

/// The cells of one row.
void fill_row(VariedPoint& point, const Columns& columns, const std::vector<double>& x,
              std::vector<MapCell>& row) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool known = !columns.systems.empty() || !columns.surfaces.empty();
    if (!known) point.set(x_axis, x[i]);
    const SystemPoint& system = columns.systems.empty() ? point.system() : columns.systems[i];
    const Surface& surface = columns.surfaces.empty() ? point.surface() : columns.surfaces[i];
    row[i].problem = system.problem(surface, point.slip(system));
    row[i].energy_before = system.energy_before(row[i].problem);
  }
}

/// Calls `row(point, j)` for every row, on all threads, each with a point of its own.
/// @param make  makes what a thread needs besides: row(point, made, j)
template <class Make, class Row>
void for_rows(const Plan& plan, const Map& map, std::size_t least_cells, const MapOptions& options,
              const Make& make, const Row& row) {
  Progress progress(options, map.rows());
  FirstError error;
  const std::size_t grain = std::max<std::size_t>(1, least_cells / map.columns());
  parallel_blocks(map.rows(), grain, options.threads, [&](std::size_t begin, std::size_t end) {
    VariedPoint point = plan.point();
    auto made = make();
    for (std::size_t j = begin; j < end && !error.before(j); ++j) {
      try {
        if (map.y) point.set(y_axis, map.y->values[j]);
        row(point, made, j);
      } catch (const InputError& e) {
        error.add(j, e);
        return;
      }
      progress.row_done();
    }
  });
  error.throw_if_any();
}

/// One contact in the plane: rows by the batch kernels, with no more read anew than varies.
void compute_planar(const Plan& plan, const Map& map, std::span<const Law* const> laws,
                    MapLayers& layers, const MapOptions& options) {
  VariedPoint first = plan.point();
  if (map.y) first.set(y_axis, map.y->values.front());
  const Columns columns = columns_of(first, map.x.values);
  struct Made {
    std::vector<MapCell> row;
    PlanarRows rows;
  };
  constexpr std::size_t least_cells = 16'384;  // so that making a point does not count
  for_rows(
      plan, map, least_cells, options,
      [&] {
        return Made{std::vector<MapCell>(map.columns()),
                    PlanarRows(laws, map.columns(), options.instructions)};
      },
      [&](VariedPoint& point, Made& made, std::size_t j) {
        fill_row(point, columns, map.x.values, made.row);
        made.rows.set_row(j, made.row, layers);
      });
}

/// Any impact, point by point.
void compute_any(const Plan& plan, const Map& map, std::span<const Law* const> laws,
                 const SolveOptions& solve_options, MapLayers& layers, const MapOptions& options) {
  struct Made {
    std::vector<Outcome> outcomes;
    std::vector<std::vector<double>> after;
    std::vector<OutcomeView> views;
    Workspace workspace;
  };
  const bool velocities = layers.show_the_system();
  for_rows(
      plan, map, 1, options,
      [&] {
        return Made{std::vector<Outcome>(laws.size()),
                    std::vector<std::vector<double>>(laws.size()),
                    std::vector<OutcomeView>(laws.size()),
                    {}};
      },
      [&](VariedPoint& point, Made& made, std::size_t j) {
        for (std::size_t i = 0; i < map.columns(); ++i) {
          point.set(x_axis, map.x.values[i]);
          const SystemAtImpact& system = point.impact();
          const double energy_before = system.energy_before();
          std::vector<std::vector<JointImpulse>> joints(laws.size());
          for (std::size_t k = 0; k < laws.size(); ++k) {
            Outcome& outcome = made.outcomes[k];
            solve(*laws[k], system.problem, solve_options, made.workspace, outcome);
            const bool after = velocities && system.has_velocities();
            if (after) {
              made.after[k] = system.velocity_after(outcome.impulse);
              joints[k] = joint_impulses(system, outcome.impulse, made.after[k]);
            }
            made.views[k] = {.law = laws[k],
                             .problem = &system.problem,
                             .outcome = &outcome,
                             .energy_before = energy_before,
                             .system = &system,
                             .after = after ? &made.after[k] : nullptr,
                             .joints = joints[k]};
          }
          layers.set_cell(j, i, made.views);
        }
      });
}

}  // namespace

Axis named_axis(const scenario::MapAxis& axis, const std::string& text, const std::string& name) {
  NumberName called = name_of(axis.number(), text, name);
  return {.path = axis.path,
          .label = std::move(called.label),
          .symbol = std::move(called.symbol),
          .unit = std::move(called.unit),
          .log = axis.log,
          .values = axis.values()};
}

Map compute_map(const std::string& text, const std::string& name,
                const scenario::MapRequest& request, const MapOptions& options) {
  if (!request.x) {
    throw InputError(
        "map.x", "is missing; give what varies as --x PATH=FROM:TO, or in the file as [map]", name);
  }
  const scenario::Variation scenario(text, name);
  const Plan plan{.text = text, .name = name, .x = *request.x, .y = request.y};
  VariedPoint point = plan.point();
  Map map;
  map.x = named_axis(plan.x, text, name);
  if (plan.y) map.y = named_axis(*plan.y, text, name);
  map.contours = request.contours;
  map.system = scenario.system_type();
  map.fixed = fixed_numbers(text, name, plan.numbers());
  map.provenance.scenario_name = name;
  map.provenance.scenario_text = text;
  const scenario::Scenario here = point.scenario();
  const LawChoice choice = choose_at_corners(point, plan, named_laws(request.laws, here.kind()));
  std::vector<const Law*> laws;
  bool parallel = scenario::is_parallel(map.system);
  for (const ChosenLaw& c : choice.chosen) {
    laws.push_back(c.law);
    parallel = parallel && c.law->parallel;
  }
  MapOptions how = options;
  if (!parallel) how.threads = 1;
  map.title = here.title;
  map.notes = notes_of(choice);
  MapLayers layers(request, laws, here.impact, map.columns(), map.rows());
  const bool planar = point.is_planar() && !layers.show_the_system();
  if (!planar && point.sets_slip()) {
    const scenario::MapAxis& axis = sets_slip(point.varies(x_axis)) ? plan.x : *plan.y;
    throw InputError(axis.field,
                     "approach_ratio, slip_ratio and incidence_deg are for what is of the contact; "
                     "vary the velocities themselves",
                     axis.place);
  }
  if (planar) {
    compute_planar(plan, map, laws, layers, how);
  } else {
    compute_any(plan, map, laws, here.options, layers, how);
  }
  map.layers = layers.take();
  if (map.y && point.is_planar()) map.boundaries = trace_boundaries(laws, point, map.x, *map.y);
  return map;
}

}  // namespace carom::study
