// SPDX-License-Identifier: Apache-2.0
#include <carom/study/spatial_map.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/study/map_layers.hpp>
#include <carom/study/map_progress.hpp>
#include <carom/study/parallel.hpp>
#include <carom/study/spatial_comparison.hpp>

namespace carom::study {
namespace {

using Laws = std::vector<const Law*>;

/// In space slip has no side: what is backward or forward slip in the plane is slip.
Labels labels_in_space(const Law& law) {
  const Labels labels = answering(law, in_space)->info->labels;
  return labels == Labels::regimes ? Labels::sticks : labels;
}

Laws named_laws(const std::vector<scenario::PlacedText>& names) {
  Laws laws;
  for (const scenario::PlacedText& name : names) {
    try {
      laws.push_back(&find_law(name.text, name.field, in_space));
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem(), name.place);
    }
  }
  return laws;
}

/// The laws that answer at every corner of the map, and notes on the others. What laws refuse or
/// cannot honour is beyond a limit, so that it shows at a corner if it does anywhere.
Laws laws_at_corners(MapPoint& point, const Map& map, const Laws& named,
                     std::vector<std::string>& notes) {
  Laws laws;
  bool first = true;
  const std::vector<double> ends =
      map.y ? std::vector{map.y->values.front(), map.y->values.back()} : std::vector{0.};
  for (const double y : ends) {
    for (const double x : {map.x.values.front(), map.x.values.back()}) {
      if (map.y) point.set_y(y);
      point.set_x(x);
      const SpatialComparison here =
          compare_spatial_laws(point.scenario(), {.laws = named, .options = {}, .against = {}});
      Laws asked;
      for (const SpatialAnswer& a : here.answers) {
        asked.push_back(a.law);
        if (first && !a.note.empty()) {
          notes.push_back(std::string(a.law->name) + " cannot honour: " + a.note);
        }
      }
      for (const LeftOut& l : here.left_out) {
        const std::string note = std::string(l.law->name) + " left out: " + l.reason;
        if (!l.quiet && std::find(notes.begin(), notes.end(), note) == notes.end()) {
          notes.push_back(note);
        }
      }
      if (first) laws = asked;
      std::erase_if(laws, [&](const Law* law) {
        return std::find(asked.begin(), asked.end(), law) == asked.end();
      });
      first = false;
    }
  }
  return laws;
}

/// Slip after, negative where it runs against that before.
double signed_slip(const Vec3& before, const Vec3& after) {
  const double along = before.t1 * after.t1 + before.t2 * after.t2;
  return along < 0. ? -tangential_size(after) : tangential_size(after);
}

MapFacts facts_of(const SpatialProblem& p, double energy_before, const SpatialOutcome& o) {
  return {.approach = p.approach,
          .velocity = o.velocity,
          .slip = tangential_size(p.approach),
          .slip_after = signed_slip(p.approach, o.velocity),
          .normal_impulse = o.impulse.n,
          .tangential_impulse = tangential_size(o.impulse),
          .restitution = p.surface.restitution,
          .energy_before = energy_before,
          .energy_change = o.energy.change,
          .mode = o.mode,
          .regime = Mode::no_impulse,
          .flags = o.flags};
}

/// The problem here, and the kinetic energy before, or that of the contact where only it is known.
struct Here {
  SpatialProblem problem;
  double energy_before = 0.;
};

Here here(const scenario::SpatialImpact& impact) {
  const SpatialAtImpact at = at_impact(impact.system);
  Here h{.problem = {.G = at.contact.G,
                     .approach = at.contact.approach,
                     .surface = impact.surface,
                     .spin = at.contact.spin}};
  if (!at.bodies || at.bodies->surface_moves()) {
    h.energy_before = contact_energy(h.problem);
  } else {
    for (std::size_t i = 0; i < at.bodies->size(); ++i) {
      h.energy_before += at.bodies->energy(i, at.bodies->before(i)).total();
    }
  }
  return h;
}

void refuse_planar_quantities(const scenario::MapRequest& request) {
  for (const scenario::PlacedText& name : request.show) {
    if (name.text != "regime") continue;
    throw InputError(name.field, "regime is of the plane; in space show mode", name.place);
  }
}

}  // namespace

void compute_spatial_map(MapPoint& point, const std::function<MapPoint()>& make_point,
                         const scenario::MapRequest& request, const MapOptions& options, Map& map) {
  refuse_planar_quantities(request);
  const Laws laws = laws_at_corners(point, map, named_laws(request.laws), map.notes);
  std::vector<MapLaw> told;
  for (const Law* law : laws) {
    told.push_back(
        {.name = std::string(law->name), .labels = labels_in_space(*law), .in_space = true});
  }
  map.title = point.scenario().title;
  MapLayers layers(request, told, map.columns(), map.rows());
  Progress progress(options, map.rows());
  FirstError error;
  parallel_blocks(map.rows(), 4, options.threads, [&](std::size_t begin, std::size_t end) {
    MapPoint mine = make_point();
    std::vector<std::vector<MapFacts>> facts(laws.size(), std::vector<MapFacts>(map.columns()));
    for (std::size_t j = begin; j < end && !error.before(j); ++j) {
      try {
        if (map.y) mine.set_y(map.y->values[j]);
        for (std::size_t i = 0; i < map.columns(); ++i) {
          mine.set_x(map.x.values[i]);
          const auto [problem, energy_before] = here(mine.space());
          for (std::size_t k = 0; k < laws.size(); ++k) {
            facts[k][i] = facts_of(problem, energy_before,
                                   answering(*laws[k], in_space)->spatial(problem, {}));
          }
        }
      } catch (const InputError& e) {
        error.add(j, e);
        return;
      }
      layers.set_row(j, facts);
      progress.row_done();
    }
  });
  error.throw_if_any();
  map.layers = layers.take();
}

}  // namespace carom::study
