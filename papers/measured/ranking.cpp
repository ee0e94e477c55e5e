// SPDX-License-Identifier: Apache-2.0
// The laws ranked, with intervals, and the errors that no law can go below.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <carom/report/fit/files.hpp>
#include <papers/engine/measures.hpp>
#include <papers/measured/world.hpp>

namespace carom::papers::measured_world {
namespace {

using Shared = std::shared_ptr<World>;
using fit::Difference;
using fit::FittedModel;

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.) / static_cast<double>(x.size());
}

/// The difference of a model from the reference. Throws where it was not fitted.
Difference difference(const Judged& set, const std::string& name) {
  const FittedModel* model = set.model(name);
  if (model == nullptr) throw std::invalid_argument("no model '" + name + "'");
  return model->difference.value_or(Difference{});
}

double number(const FittedModel& f, std::string_view name) {
  for (std::size_t j = 0; j < f.parameters.size(); ++j) {
    if (f.parameters.list[j].name == name) return f.minimum.p[j];
  }
  return std::nan("");
}

std::vector<Computed> ranking_rows(const Judged& set) {
  std::vector<Computed> rows;
  for (const FittedModel& f : set.ranking.models) {
    Computed row{{"model", f.model.name},
                 {"error", f.minimum.mean_error},
                 {"cross-validated", f.validated_error}};
    if (f.difference) {
      row.insert(row.end(), {{"minus poisson", f.difference->mean},
                             {"from", f.difference->low},
                             {"to", f.difference->high}});
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<Computed> coefficient_rows(World& world) {
  std::vector<Computed> rows;
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    for (const FittedModel& f : set.ranking.models) {
      const auto intervals = intervals_of(set, f);
      for (std::size_t j = 0; j < f.parameters.size(); ++j) {
        rows.push_back({{"set", name},
                        {"model", f.model.name},
                        {"number", f.parameters.list[j].name},
                        {"value", f.minimum.p[j]},
                        {"from", intervals[j].low},
                        {"to", intervals[j].high}});
      }
    }
  }
  return rows;
}

std::vector<Computed> bound_rows(World& world) {
  std::vector<Computed> rows;
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    const FittedModel& best = set.ranking.models.front();
    rows.push_back({{"set", name},
                    {"any impulse", mean(set.bounds.any_impulse)},
                    {"any that loses energy", mean(set.bounds.losing_energy)},
                    {"any in the friction cone", mean(set.bounds.in_cone)},
                    {"best law", best.minimum.mean_error},
                    {"which", best.model.name}});
  }
  return rows;
}

/// "ellipse, moreau": a set and a model of it.
struct Case {
  std::string set;
  std::string model;
};
Case case_of(const Row& row) {
  const std::string& text = row.text("case");
  const auto comma = text.find(", ");
  return {text.substr(0, comma), text.substr(comma + 2)};
}

Computed compared(World& world, const Row& row) {
  const auto [set, model] = case_of(row);
  const Difference d = difference(world.set(set), model);
  const double low = row.number("quoted from");
  const double high = row.number("quoted to");
  return {{"here", d.mean},
          {"here from", d.low},
          {"here to", d.high},
          {"our difference inside", low <= d.mean && d.mean <= high ? "yes" : "no"},
          {"intervals overlap", d.low <= high && low <= d.high ? "yes" : "no"}};
}

/// Differences on other rows agree if they are within 1.96 standard errors of each other.
Computed elsewhere(World& world, const Row& row) {
  constexpr double normal_95 = 1.959963984540054;
  const Difference d = difference(world.set("ellipse"), row.text("model"));
  const double ours = (d.high - d.low) / (2. * normal_95);
  const double both = std::hypot(ours, row.number("standard error"));
  const bool same = std::abs(d.mean - row.number("on other rows")) <= normal_95 * both;
  return {{"here", d.mean},
          {"here from", d.low},
          {"here to", d.high},
          {"consistent", same ? "yes" : "no"}};
}

/// Whether a model is better than the reference, and the interval says so.
Found better(World& world, const std::vector<std::string>& sets, const std::string& model) {
  bool all = true;
  std::string words;
  for (const std::string& name : sets) {
    const Difference d = difference(world.set(name), model);
    all = all && d.high < 0.;
    words += fmt::format("{}{} {:+.4f} [{:+.4f}, {:+.4f}]", words.empty() ? "" : "; ", name, d.mean,
                         d.low, d.high);
  }
  return {all, {{"words", words}}};
}

Found worse(World& world, const std::vector<std::string>& sets,
            const std::vector<std::string>& models) {
  bool all = true;
  std::string words;
  for (const std::string& name : sets) {
    for (const std::string& model : models) {
      const Difference d = difference(world.set(name), model);
      all = all && d.low > 0.;
      words += fmt::format("{}{} {} {:+.4f} [{:+.4f}, {:+.4f}]", words.empty() ? "" : "; ", name,
                           model, d.mean, d.low, d.high);
    }
  }
  return {all, {{"words", words}}};
}

Found undecided(World& world, const std::vector<std::string>& sets, const std::string& model) {
  bool all = true;
  std::string words;
  for (const std::string& name : sets) {
    const Difference d = difference(world.set(name), model);
    all = all && d.low <= 0. && d.high >= 0.;
    words += fmt::format("{}{} {:+.5f} [{:+.5f}, {:+.5f}]", words.empty() ? "" : "; ", name, d.mean,
                         d.low, d.high);
  }
  return {all, {{"words", words}}};
}

/// How much of the error of the best law the bound explains.
Found above_bounds(World& world) {
  Values values;
  bool all = true;
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    const double bound = mean(set.bounds.losing_energy);
    const double best = set.ranking.models.front().minimum.mean_error;
    all = all && bound < best;
    values.emplace(name == "cube-body" ? "cube" : name, best / bound);
  }
  return {all, values};
}

Found position_matters(World& world) {
  Found found = better(world, {"ellipse"}, "poisson + restitution by x_m+x_m^2");
  const Judged& set = world.set("ellipse");
  const FittedModel* model = set.model("poisson + restitution by x_m+x_m^2");
  const fit::Objective objective(set.data, *model->model.answering, model->parameters);
  Extent e;
  fit::MeasuredContact contact;
  for (const std::size_t i : set.ranking.impacts) {
    objective.contact(i, model->minimum.p, contact);
    e.add(contact.problem.surfaces[0].restitution);
  }
  found.values.insert({{"least", e.least}, {"most", e.most}});
  return found;
}

Found first_of_each(World& world) {
  bool all = true;
  std::string words;
  for (const std::string& name : set_names) {
    const FittedModel& f = world.set(name).ranking.models.front();
    all = all && std::isfinite(f.minimum.mean_error) && f.without_answer == 0;
    words += fmt::format("{}{}: {}, {:.4f}", words.empty() ? "" : "; ", name, f.model.name,
                         f.minimum.mean_error);
  }
  return {all, {{"words", words}}};
}

Found place_against_law(World& world) {
  const Judged& set = world.set("ellipse");
  const Difference place = difference(set, "poisson + restitution by x_m+x_m^2");
  Extent rigid;
  for (const char* law : {"poisson", "newton", "energetic", "moreau", "moreau:poisson",
                          "moreau + tangential_restitution"}) {
    rigid.add(set.model(law)->validated_error);
  }
  return {-place.high > rigid.width(),
          {{"place", place.mean},
           {"place_low", place.low},
           {"place_high", place.high},
           {"laws", rigid.width()}}};
}

Chart chart_of_ranking(World& world) {
  Chart chart{.heading = "Which law? Cross-validated error minus that of poisson",
              .subheading = "with paired 95 % intervals; left of the line is better",
              .columns = 1,
              .panel_width = 860,
              .panel_height = 330};
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    ChartPanel panel{.title = name == "cube-body" ? "cube" : name};
    panel.x.label = "difference of the mean error";
    panel.marks.push_back({.at = 0., .label = "", .across = false});
    double least = 0.;
    double most = 0.;
    double y = static_cast<double>(set.ranking.models.size());
    for (const FittedModel& f : set.ranking.models) {
      y -= 1.;
      const Difference d = f.difference.value_or(Difference{});
      least = std::min(least, d.low);
      most = std::max(most, d.high);
      panel.series.push_back(
          {.x = {d.low, d.high}, .y = {y, y}, .colour = "#57606a", .width = 2.5});
      panel.series.push_back({.x = {d.mean},
                              .y = {y},
                              .colour = d.high < 0.  ? "#009E73"
                                        : d.low > 0. ? "#D55E00"
                                                     : "#0072B2",
                              .marker_size = 1.2,
                              .kind = SeriesKind::points});
    }
    const double width = most - least;
    y = static_cast<double>(set.ranking.models.size());
    for (const FittedModel& f : set.ranking.models) {
      y -= 1.;
      panel.texts.push_back({.x = most + 0.45 * width, .y = y, .text = f.model.name});
    }
    panel.x.range = Range{least - 0.05 * width, most + 0.9 * width};
    panel.y.range = Range{-0.6, static_cast<double>(set.ranking.models.size()) - 0.4};
    panel.y.label = "rank from below";
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace

Computations of_ranking(const Shared& world) {
  Computations c;
  c.tables["ranking-ellipse"] = [world] { return ranking_rows(world->set("ellipse")); };
  c.tables["ranking-square"] = [world] { return ranking_rows(world->set("square")); };
  c.tables["ranking-cube"] = [world] { return ranking_rows(world->set("cube-body")); };
  c.tables["coefficients"] = [world] { return coefficient_rows(*world); };
  c.tables["bounds"] = [world] { return bound_rows(*world); };
  c.tables["differences"] = [world](const Row& row) { return compared(*world, row); };
  c.tables["kept-back"] = [world](const Row& row) { return elsewhere(*world, row); };
  c.tables["fits"] = [world](const Row& row) -> Computed {
    const auto [set, law] = case_of(row);
    const FittedModel& f = *world->set(set).model(law);
    return {{"restitution", number(f, "restitution")},
            {"friction", number(f, "friction")},
            {"mean error", f.minimum.mean_error}};
  };
  c.tables["compliance"] = [world](const Row& row) -> Computed {
    return {{"compliance ratio",
             number(*world->set(row.text("set")).model("compliant"), "compliance_ratio")}};
  };
  c.checks["compliant-best"] = [world] {
    return better(*world, {"ellipse", "square"}, "compliant");
  };
  c.checks["compliant-cube"] = [world] { return undecided(*world, {"cube-body"}, "compliant"); };
  c.checks["moreau-worse"] = [world] {
    return worse(*world, set_names,
                 {"moreau", "moreau + tangential_restitution", "moreau:poisson"});
  };
  c.checks["energetic-undecided"] = [world] { return undecided(*world, set_names, "energetic"); };
  c.checks["newton-ellipse"] = [world] { return worse(*world, {"ellipse"}, {"newton"}); };
  c.checks["newton-undecided"] = [world] {
    return undecided(*world, {"square", "cube-body"}, "newton");
  };
  c.checks["above-bounds"] = [world] { return above_bounds(*world); };
  c.checks["position-matters"] = [world] { return position_matters(*world); };
  c.checks["mean-errors"] = [world] { return first_of_each(*world); };
  c.checks["law-against-place"] = [world] { return place_against_law(*world); };
  c.pictures["measured-ranking"] = chart([world] { return chart_of_ranking(*world); });
  for (const std::string& name : set_names) {
    c.pictures["measured-" + name] = [world, name] {
      return report::fit_record(world->set(name).report());
    };
  }
  return c;
}

}  // namespace carom::papers::measured_world
