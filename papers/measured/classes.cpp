// SPDX-License-Identifier: Apache-2.0
// Where the laws differ: by what slip does.
#include <cmath>

#include <fmt/format.h>

#include <papers/engine/measures.hpp>
#include <papers/measured/world.hpp>

namespace carom::papers::measured_world {
namespace {

using Shared = std::shared_ptr<World>;
using fit::ClassDifferences;
using fit::Difference;
using fit::FittedModel;
using fit::SlipClass;

/// Null: no row is in that class.
const ClassDifferences* class_of(const Judged& set, SlipClass kind) {
  for (const ClassDifferences& c : set.classes) {
    if (c.kind == kind) return &c;
  }
  return nullptr;
}

std::string told(const ClassDifferences& c, const std::string& model) {
  for (const fit::ModelInClass& m : c.models) {
    if (m.model->model.name != model) continue;
    return fmt::format("{:+.4f} [{:+.4f}, {:+.4f}]", m.difference.mean, m.difference.low,
                       m.difference.high);
  }
  return "-";
}

std::vector<Computed> class_rows(World& world) {
  std::vector<Computed> rows;
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    for (const ClassDifferences& c : set.classes) {
      double of_reference = 0.;
      for (const fit::ModelInClass& m : c.models) {
        if (m.model == &set.reference()) of_reference = m.error;
      }
      rows.push_back({{"set and slip", fmt::format("{}, {}", name, fit::name(c.kind))},
                      {"rows", c.members.size()},
                      {"poisson", of_reference},
                      {"newton", told(c, "newton")},
                      {"energetic", told(c, "energetic")},
                      {"moreau", told(c, "moreau")},
                      {"moreau with eps_T", told(c, "moreau + tangential_restitution")},
                      {"moreau:poisson", told(c, "moreau:poisson")},
                      {"compliant", told(c, "compliant")}});
    }
  }
  return rows;
}

double median_of(const std::vector<Slip>& slips, double Slip::*member) {
  return extent(slips, member).median();
}

std::vector<Computed> rebound_rows(World& world) {
  std::vector<Computed> rows;
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    for (const ClassDifferences& c : set.classes) {
      const auto slips = slips_of(set, set.reference(), c.members);
      const auto predicted = [&](const char* model) -> Value {
        const FittedModel* f = set.model(model);
        if (f == nullptr) return "-";
        return median_of(slips_of(set, *f, c.members), &Slip::predicted);
      };
      rows.push_back({{"set and slip", fmt::format("{}, {}", name, fit::name(c.kind))},
                      {"rows", c.members.size()},
                      {"slip before", median_of(slips, &Slip::before)},
                      {"measured", median_of(slips, &Slip::measured)},
                      {"poisson", predicted("poisson")},
                      {"moreau", predicted("moreau")},
                      {"compliant", predicted("compliant")}});
    }
  }
  return rows;
}

/// No velocity along the surface after the impact, but rounding, in parts of the approach speed.
bool sticks(const Slip& s) { return std::abs(s.predicted) < 1e-6 * (s.before + s.normal); }

/// Whether moreau reverses slip least and compliant comes nearest to what is measured.
Found too_little_reversal(World& world) {
  bool all = true;
  std::string words;
  for (const char* name : {"ellipse", "square"}) {
    const Judged& set = world.set(name);
    const ClassDifferences* c = class_of(set, SlipClass::reverses);
    if (c == nullptr) return {};
    const auto by = [&](const char* law) { return slips_of(set, *set.model(law), c->members); };
    const auto of_moreau = by("moreau");
    const double measured = median_of(of_moreau, &Slip::measured);
    const double moreau = median_of(of_moreau, &Slip::predicted);
    const double poisson = median_of(by("poisson"), &Slip::predicted);
    const double compliant = median_of(by("compliant"), &Slip::predicted);
    all = all && measured < poisson && poisson < moreau &&
          std::abs(compliant - measured) < 0.5 * std::abs(poisson - measured);
    words += fmt::format(
        "{}{}: measured {:+.2f}, moreau {:+.2f} (sticks in {} of {} rows), poisson {:+.2f}, "
        "compliant {:+.2f} m/s (medians)",
        words.empty() ? "" : "; ", name, measured, moreau, count(of_moreau, sticks),
        of_moreau.size(), poisson, compliant);
  }
  return {all, {{"words", words}}};
}

/// How far the impulses of moreau and poisson are from each other with the same coefficients, where
/// slip goes on whatever restitution is.
Found same_while_slip_goes_on(World& world) {
  double worst = 0.;
  std::size_t rows = 0;
  for (const char* name : {"ellipse", "square"}) {
    const Judged& set = world.set(name);
    const FittedModel& poisson = *set.model("poisson");
    const FittedModel& moreau = *set.model("moreau");
    const fit::Objective one(set.data, *poisson.model.answering, poisson.parameters);
    const fit::Objective other(set.data, *moreau.model.answering, moreau.parameters);
    const std::vector<double>& p = poisson.minimum.p;  // of both: restitution, friction
    const auto classes = fit::classify(one, set.ranking.impacts, p);
    std::vector<double> a(one.width());
    std::vector<double> b(one.width());
    for (std::size_t k = 0; k < classes.size(); ++k) {
      if (classes[k].kind != SlipClass::goes_on || classes[k].depends_on_restitution) continue;
      const std::size_t i = set.ranking.impacts[k];
      (void)one.predict(i, p, a);
      (void)other.predict(i, p, b);
      ++rows;
      const double size = set.data.norm(a);
      for (std::size_t j = 0; j < a.size(); ++j) a[j] -= b[j];
      worst = largest(worst, set.data.norm(a) / size);
    }
  }
  return {rows > 0 && worst < 1e-9, {{"rows", rows}, {"worst", decade(worst)}}};
}

Found springs_return(World& world) {
  bool all = true;
  std::string words;
  for (const char* name : {"ellipse", "square"}) {
    const Judged& set = world.set(name);
    const ClassDifferences* c = class_of(set, SlipClass::stops);
    if (c == nullptr) continue;
    const auto slips = slips_of(set, *set.model("compliant"), c->members);
    const double predicted = median_of(slips, &Slip::predicted);
    const double measured = median_of(slips, &Slip::measured);
    all = all && predicted < 0. && measured < 0.;
    words += fmt::format("{}{}: measured {:+.3f}, compliant {:+.3f}, rigid laws 0 m/s (medians)",
                         words.empty() ? "" : "; ", name, measured, predicted);
  }
  return {all, {{"words", words}}};
}

Found worst_in_reversal(World& world) {
  bool all = true;
  std::string words;
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    double in_reversal = 0.;
    double elsewhere = -1.;
    for (const ClassDifferences& c : set.classes) {
      for (const fit::ModelInClass& m : c.models) {
        if (m.model->model.name != "moreau") continue;
        if (c.kind == SlipClass::reverses) {
          in_reversal = m.difference.low;
        } else {
          elsewhere = std::max(elsewhere, m.difference.high);
        }
      }
    }
    all = all && in_reversal > elsewhere;
    words += fmt::format("{}{}: from {:+.4f} on, elsewhere up to {:+.4f}",
                         words.empty() ? "" : "; ", name, in_reversal, elsewhere);
  }
  return {all, {{"words", words}}};
}

Found better_going_on(World& world) {
  const ClassDifferences* c = class_of(world.set("ellipse"), SlipClass::goes_on);
  for (const fit::ModelInClass& m : c->models) {
    if (m.model->model.name != "moreau") continue;
    return {m.difference.high < 0.,
            {{"mean", m.difference.mean}, {"low", m.difference.low}, {"high", m.difference.high}}};
  }
  return {};
}

Chart chart_of_classes(World& world) {
  Chart chart{.heading = "Where the laws differ",
              .subheading =
                  "cross-validated error minus that of poisson, by what slip does; bars: "
                  "paired 95 % intervals",
              .columns = 3,
              .panel_width = 430,
              .panel_height = 380};
  const std::vector<std::string> laws{
      "newton",   "energetic", "moreau:poisson", "moreau", "moreau + tangential_restitution",
      "compliant"};
  const std::vector<std::string> colours{"#56B4E9", "#57606a", "#CC79A7",
                                         "#D55E00", "#E69F00", "#009E73"};
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    ChartPanel panel{.title = name == "cube-body" ? "cube" : name};
    panel.y.label = "difference of the mean error";
    panel.x.label = "slip: 0 goes on, 1 stops, 2 reverses";
    panel.x.range = Range{-0.5, 2.5};
    panel.marks.push_back({.at = 0., .label = "", .across = true});
    for (std::size_t l = 0; l < laws.size(); ++l) {
      Series bars{.colour = colours[l], .width = 1.5};
      Series points{
          .label = laws[l], .colour = colours[l], .marker_size = 1., .kind = SeriesKind::points};
      for (const ClassDifferences& c : set.classes) {
        if (c.kind == SlipClass::no_slip) continue;
        const double x = static_cast<double>(c.kind) + 0.12 * (static_cast<double>(l) - 2.5);
        for (const fit::ModelInClass& m : c.models) {
          if (m.model->model.name != laws[l]) continue;
          points.x.push_back(x);
          points.y.push_back(m.difference.mean);
          bars.x.insert(bars.x.end(), {x, x, x});
          bars.y.insert(bars.y.end(), {m.difference.low, m.difference.high, std::nan("")});
        }
      }
      if (points.x.empty()) continue;
      panel.series.push_back(std::move(bars));
      panel.series.push_back(std::move(points));
    }
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

Chart chart_of_reversal(World& world) {
  Chart chart{.heading = "Slip after the impact, where slip reverses",
              .subheading =
                  "component along the slip before, in parts of the approach speed; below "
                  "zero it has reversed; line: prediction = measurement",
              .columns = 3,
              .panel_width = 430,
              .panel_height = 380};
  constexpr double reach = 1.;
  for (const char* name : {"ellipse", "square"}) {
    const Judged& set = world.set(name);
    const ClassDifferences* c = class_of(set, SlipClass::reverses);
    if (c == nullptr) continue;
    for (const char* law : {"moreau", "poisson", "compliant"}) {
      const auto slips = slips_of(set, *set.model(law), c->members);
      ChartPanel panel{.title = fmt::format("{}: {}", name, law)};
      panel.x = {.label = "measured", .range = Range{-reach, 0.3}};
      panel.y = {.label = "predicted", .range = Range{-reach, 0.3}};
      panel.series.push_back(
          {.x = {-reach, 0.3}, .y = {-reach, 0.3}, .colour = "#57606a", .width = 1.2});
      panel.series.push_back(through(
          Series{.colour = "#0072B2", .marker_size = 0.45, .kind = SeriesKind::points}, slips,
          [](const Slip& s) { return s.predicted / s.normal; },
          [](const Slip& s) { return s.measured / s.normal; }));
      chart.panels.push_back(std::move(panel));
    }
  }
  return chart;
}

}  // namespace

Computations of_classes(const Shared& world) {
  Computations c;
  c.tables["classes"] = [world] { return class_rows(*world); };
  c.tables["rebound"] = [world] { return rebound_rows(*world); };
  c.checks["same-while-slip-goes-on"] = [world] { return same_while_slip_goes_on(*world); };
  c.checks["too-little-reversal"] = [world] { return too_little_reversal(*world); };
  c.checks["springs-return"] = [world] { return springs_return(*world); };
  c.checks["worst-in-reversal"] = [world] { return worst_in_reversal(*world); };
  c.checks["moreau-better-going-on"] = [world] { return better_going_on(*world); };
  c.pictures["measured-classes"] = chart([world] { return chart_of_classes(*world); });
  c.pictures["measured-reversal"] = chart([world] { return chart_of_reversal(*world); });
  return c;
}

}  // namespace carom::papers::measured_world
