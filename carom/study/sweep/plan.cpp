// SPDX-License-Identifier: Apache-2.0
#include <carom/study/sweep/plan.hpp>

#include <algorithm>
#include <bit>

#include <carom/core/error.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/registered_systems.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/law_choice.hpp>
#include <carom/study/map/layers.hpp>
#include <carom/study/sweep/motion_columns.hpp>
#include <carom/study/varied_point.hpp>

namespace carom::study {
namespace {

using scenario::SweepAxis;
using scenario::SweepMethod;

constexpr std::size_t default_impacts = 16'384;
constexpr std::size_t default_motions = 1024;

void resolve(scenario::SweepRequest& r, bool motion) {
  const bool random = std::ranges::any_of(r.axes, [](const SweepAxis& a) { return a.random(); });
  if (!r.method) {
    const bool sample = random || r.indices || r.samples.has_value();
    r.method = sample ? SweepMethod::sobol : SweepMethod::grid;
  }
  if (r.method == SweepMethod::grid) {
    for (const SweepAxis& axis : r.axes) {
      if (!axis.random()) continue;
      throw InputError(axis.field,
                       axis.path +
                           ": a grid has no distributions; use method sobol or random, or "
                           "a range or list",
                       axis.place);
    }
    if (r.indices) {
      throw InputError("sweep.indices", "need a sample: use method sobol or random, not grid");
    }
    if (r.samples) {
      throw InputError("sweep.samples",
                       "is of method sobol or random; a grid has the points of its axes");
    }
  } else if (!r.samples) {
    r.samples = motion ? default_motions : default_impacts;
  }
  if (r.indices) r.statistics = true;
}

/// The size of blocks: a power of two, so that there are some hundreds of them.
std::size_t block_size(std::size_t points, std::size_t least, bool keeps_values) {
  constexpr std::size_t usual_blocks = 512;
  // In memory a result takes 8 bytes if it is kept; without, a block takes some seconds at most.
  const std::size_t most = std::size_t{1} << (keeps_values ? 17U : 28U);
  return std::clamp(std::bit_ceil((points + usual_blocks - 1) / usual_blocks), least, most);
}

/// The number of each axis in the scenario, fixed ones set.
std::vector<scenario::VariedNumber> numbers_of(const scenario::SweepRequest& r) {
  std::vector<scenario::VariedNumber> all;
  for (const SweepAxis& axis : r.axes) all.push_back(axis.number());
  return all;
}

/// Beyond a right angle the contact would not close.
void require_angles_of_incidence(const SweepAxis& axis) {
  if (axis.path != "incidence_deg" || axis.spread == scenario::Spread::range) return;
  const bool list = axis.spread == scenario::Spread::list;
  const double least = list ? std::ranges::min(axis.list) : axis.low;
  const double greatest = list ? std::ranges::max(axis.list) : axis.high;
  if (least > -90. && greatest < 90.) return;
  throw InputError(axis.field,
                   "incidence_deg must be in (-90, 90), got " + shortest(least) + " to " +
                       shortest(greatest) + (list ? "" : "; give low and high"),
                   axis.place);
}

void add_input(SweepPlan& plan, const SweepAxis& axis) {
  if (axis.fixed()) return;
  const NumberName called = name_of(axis.number(), plan.text, plan.name);
  plan.inputs.push_back(
      {.path = axis.path, .label = called.label, .symbol = called.symbol, .unit = called.unit});
}

void plan_impact(SweepPlan& plan) {
  for (const SweepAxis& axis : plan.request.axes) require_angles_of_incidence(axis);
  VariedPoint point(plan.text, plan.name, numbers_of(plan.request));
  const scenario::Scenario here = point.scenario();
  plan.title = here.title;
  plan.parallel = scenario::is_parallel(here.system_type);
  std::vector<const Law*> named;
  for (const scenario::PlacedText& law : plan.request.laws) {
    try {
      named.push_back(&find_law(law.text, law.field, here.kind()));
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem(), law.place);
    }
  }
  const LawChoice choice = choose_laws(here, named);
  plan.request.laws.clear();
  for (const ChosenLaw& c : choice.chosen) {
    plan.laws.push_back(c.law);
    plan.request.laws.push_back({.text = std::string(c.law->name), .field = "laws", .place = ""});
    plan.parallel = plan.parallel && c.law->parallel;
    if (!c.note.empty()) plan.notes.push_back(std::string(c.law->name) + " " + c.note);
  }
  for (const LeftOut& l : choice.left_out) {
    if (!l.quiet) plan.notes.push_back(std::string(l.law->name) + " left out: " + l.reason);
  }
  if (plan.request.show.empty()) {
    plan.request.show.push_back({.text = "energy_change", .field = "show", .place = ""});
  }
  for (const scenario::PlacedText& asked : plan.request.show) {
    for (const QuantityEntry& e : asked_entries(asked, here.impact)) {
      const Quantity& q = *e.quantity;
      if (q.over == Over::pair) {
        throw InputError(asked.field, std::string(q.name) + " is of two laws; show it on a map",
                         asked.place);
      }
      for (std::size_t k = 0; k < plan.laws.size(); ++k) {
        const Law& law = *plan.laws[k];
        SweepColumn column{.law = std::string(law.name),
                           .name = std::string(q.name) + (e.key.empty() ? "" : ":" + e.key),
                           .label = std::string(q.label.empty() ? q.meaning : q.label) +
                                    (e.of.empty() ? "" : ", " + e.of),
                           .unit = e.unit,
                           .quantity = &q,
                           .index = e.index,
                           .law_index = k};
        if (q.categories != nullptr) {
          column.categories = q.categories(info_for(law, here.kind()), here.kind());
          if (column.categories.empty()) {
            throw InputError(asked.field,
                             "the " + std::string(q.name) + " of " + column.law +
                                 " is a story, not one of a few; show reversal instead",
                             asked.place);
          }
        }
        plan.columns.push_back(std::move(column));
      }
    }
  }
  const bool slip = point.sets_slip();
  const bool of_the_system = std::ranges::any_of(
      plan.columns, [](const SweepColumn& c) { return is_of_system(c.quantity->over); });
  if (slip && of_the_system) {
    throw InputError("sweep.axes",
                     "approach_ratio, slip_ratio and incidence_deg are for what is of the contact; "
                     "vary the velocities themselves");
  }
}

void plan_motion(SweepPlan& plan) {
  if (!plan.request.laws.empty()) {
    const scenario::PlacedText& law = plan.request.laws.front();
    throw InputError(law.field, "a motion has its law in [motion]", law.place);
  }
  scenario::Document document(plan.text, plan.name);
  for (const SweepAxis& axis : plan.request.axes) {
    try {
      document.number(axis.path) = axis.number().from;
    } catch (const InputError& e) {
      const std::string what = e.field().empty() ? "" : e.field() + ": ";
      throw InputError(axis.field, what + e.problem(), axis.place);
    }
  }
  const scenario::MotionScenario s = scenario::read_motion(document.top(), plan.name);
  plan.title = s.title;
  const auto is_parallel = [](const Law* law) { return law == nullptr || law->parallel; };
  plan.parallel = scenario::is_parallel(s.system_type) && is_parallel(s.options.law) &&
                  is_parallel(s.options.several);
  plan.notes = s.notes;
  if (plan.request.show.empty()) {
    for (const char* usual : {"ending", "end_time", "impacts", "energy_lost"}) {
      plan.request.show.push_back({.text = usual, .field = "show", .place = ""});
    }
  }
  for (const scenario::PlacedText& asked : plan.request.show) {
    plan.columns.push_back(motion_column(asked, *s.model).column);
  }
}

/// Results of one name would be one dataset of a file.
void refuse_results_twice(const SweepPlan& plan) {
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    for (std::size_t k = 0; k < c; ++k) {
      const SweepColumn& a = plan.columns[k];
      const SweepColumn& b = plan.columns[c];
      if (a.name != b.name || a.law != b.law) continue;
      const std::string of = b.law.empty() ? "" : " of " + b.law;
      throw InputError("sweep.show", "has '" + b.name + "'" + of + " twice");
    }
  }
}

}  // namespace

bool SweepPlan::uses_bins() const { return request.statistics && rows() > exact_rows; }

std::string SweepPlan::identity() const { return "carom " + version + "\n" + text + "\n" + asked; }

SweepPlan plan_sweep(const std::string& text, const std::string& name,
                     scenario::SweepRequest request, const std::string& version) {
  SweepPlan plan{.text = text, .name = name, .version = version, .request = std::move(request)};
  plan.asked = as_toml(plan.request);
  plan.motion = scenario::is_motion(text, name);
  if (std::ranges::all_of(plan.request.axes, [](const SweepAxis& a) { return a.fixed(); })) {
    throw InputError("sweep.axes",
                     "nothing varies: give what does as --vary PATH=FROM:TO or "
                     "PATH=normal:MEAN:DEVIATION, or in the file as [sweep]",
                     name);
  }
  resolve(plan.request, plan.motion);
  plan.motion ? plan_motion(plan) : plan_impact(plan);
  refuse_results_twice(plan);
  for (const SweepAxis& axis : plan.request.axes) add_input(plan, axis);
  const Sampler sampler(plan.request);
  plan.points = sampler.points();
  const bool planar = !plan.motion && scenario::Variation(text, name).is_planar();
  if (!plan.request.keep_rows) plan.request.keep_rows = plan.rows() <= exact_rows;
  plan.keeps_values = *plan.request.keep_rows || (plan.request.statistics && !plan.uses_bins());
  plan.block = block_size(plan.points, plan.motion ? 1 : planar ? 4096 : 64, plan.keeps_values);
  if (!*plan.request.keep_rows && !plan.request.statistics) {
    throw InputError("sweep.statistics", "nothing would be kept: neither rows nor statistics");
  }
  if (plan.request.method == SweepMethod::sobol && !std::has_single_bit(plan.points)) {
    plan.notes.push_back("a Sobol' sequence is most even at a power of two: " +
                         std::to_string(std::bit_floor(plan.points)) + " or " +
                         std::to_string(std::bit_ceil(plan.points)) + " samples instead of " +
                         std::to_string(plan.points));
  }
  return plan;
}

std::string kind_of_fault(const std::string& problem) {
  std::string kind;
  for (std::size_t i = 0; i < problem.size();) {
    const bool digit = problem[i] >= '0' && problem[i] <= '9';
    kind += digit ? '#' : problem[i];
    const std::size_t end = digit ? problem.find_first_not_of("0123456789.e+-", i) : i + 1;
    i = std::min(end, problem.size());
  }
  return kind;
}

void Faults::add(const std::string& key, std::size_t point, const std::string& example,
                 std::size_t count) {
  for (Kind& k : kinds) {
    if (k.key != key) continue;
    k.count += count;
    if (point < k.first) {
      k.first = point;
      k.example = example;
    }
    return;
  }
  constexpr std::size_t most_kinds = 64;
  if (kinds.size() >= most_kinds && key != "others") return add("others", point, example, count);
  kinds.push_back({.key = key, .count = count, .first = point, .example = example});
}

void Faults::merge(const Faults& other) {
  for (const Kind& k : other.kinds) add(k.key, k.first, k.example, k.count);
}

std::size_t Faults::total() const {
  std::size_t sum = 0;
  for (const Kind& k : kinds) sum += k.count;
  return sum;
}

}  // namespace carom::study
