// SPDX-License-Identifier: Apache-2.0
#include <papers/measured/world.hpp>

#include <algorithm>
#include <numeric>

#include <carom/scenario/data_file.hpp>
#include <carom/study/fit/data_set.hpp>
#include <carom/study/fit/estimation_of.hpp>
#include <carom/study/map/map.hpp>
#include <papers/publications.hpp>

#include <apps/cli/examples.hpp>

namespace carom::papers::measured_world {
namespace {

scenario::FitRequest request_of(const std::string& name) {
  return scenario::read_fit(cli::scenario_file("fit/" + name, "fit"));
}

/// About where each set ends, in parts of the whole time.
double end_of(const std::string& set) {
  return set == "ellipse" ? 0.08 : (set == "square" ? 0.1 : 0.2);
}
constexpr double begin_of_tosses = 0.2;

}  // namespace

const fit::FittedModel* Judged::model(std::string_view name) const {
  const auto at = std::ranges::find(ranking.models, name,
                                    [](const fit::FittedModel& f) { return f.model.name; });
  return at == ranking.models.end() ? nullptr : &*at;
}

std::vector<fit::Interval> intervals_of(const Judged& set, const fit::FittedModel& model) {
  const fit::Objective objective(set.data, *model.model.answering, model.parameters);
  const fit::Estimation of = fit::estimation_of(objective, set.ranking.impacts, set.options);
  const fit::Estimate estimate =
      fit::estimate_of(model.minimum, set.ranking.impacts.size(), set.options);
  const fit::Covariance covariance = fit::sandwich_covariance(of, estimate);
  std::vector<fit::Interval> all;
  for (std::size_t j = 0; j < of.size(); ++j) {
    all.push_back(fit::normal_interval(of, estimate, covariance, j));
  }
  return all;
}

std::vector<Slip> slips_of(const Judged& set, const fit::FittedModel& model,
                           const std::vector<std::size_t>& members) {
  const fit::Objective objective(set.data, *model.model.answering, model.parameters);
  std::vector<Slip> all;
  fit::MeasuredContact contact;
  Eigen::VectorXd predicted(static_cast<Eigen::Index>(objective.width()));
  for (const std::size_t k : members) {
    const std::size_t i = set.ranking.impacts[k];
    const fit::MeasuredImpact& impact = set.data.impacts[i];
    objective.contact(i, model.minimum.p, contact);
    (void)objective.predict(i, model.minimum.p, {predicted.data(), objective.width()});
    const auto at_contact = [&](const double* y) {
      return Eigen::VectorXd(contact.W.transpose() *
                             Eigen::Map<const Eigen::VectorXd>(y, predicted.size()));
    };
    const Eigen::VectorXd before = at_contact(impact.before.data());
    const auto tangential = before.size() - 1;
    const Eigen::VectorXd along = before.tail(tangential).normalized();
    all.push_back({.before = before.tail(tangential).norm(),
                   .measured = along.dot(at_contact(impact.after.data()).tail(tangential)),
                   .predicted = along.dot(at_contact(predicted.data()).tail(tangential)),
                   .normal = -before[0]});
  }
  return all;
}

fit::MeasuredImpacts World::read(const scenario::FitRequest& request) const {
  fit::MeasuredImpacts data = fit::read_impacts(request, scenario::read_csv(request.data),
                                                fit::columns_of(request, {}), fit::Use::fit);
  if (sample_.every > 1) {
    const std::vector<std::size_t> fitted = data.fitted();
    for (std::size_t k = 0; k < fitted.size(); ++k) {
      if (k % sample_.every != 0) data.impacts[fitted[k]].left_out = "not in the sample";
    }
  }
  return data;
}

const Judged& World::set(const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Judged>& at = sets_[name];
  if (at) return *at;
  auto set = std::make_unique<Judged>();
  set->request = request_of(name);
  set->data = read(set->request);
  set->soundness = fit::check_soundness(set->data, {.threads = work_.threads});
  set->options = {.loss = scenario::find_loss(set->request.loss),
                  .huber = set->request.huber,
                  .seed = set->request.seed,
                  .stop = work_.stop};
  const double end = end_of(name);
  const auto before = std::ranges::find(set_names, name);
  const double begin = before == set_names.begin() ? 0. : end_of(*(before - 1));
  set->ranking =
      fit::rank(set->data, set->request, fit::models_of(set->request, {}, set->data),
                {.minimise = set->options,
                 .folds = set->request.folds,
                 .threads = work_.threads,
                 .against = set->request.against.text,
                 .progress = [&](double share) { tell(begin + share * (end - begin)); }});
  const fit::FittedModel& reference = set->reference();
  const fit::Objective objective(set->data, *reference.model.answering, reference.parameters);
  set->bounds =
      fit::least_errors(objective, set->ranking.impacts, reference.minimum.p, work_.threads);
  set->classes = fit::class_differences(
      set->data, set->ranking, fit::classify(objective, set->ranking.impacts, reference.minimum.p),
      set->options.seed);
  at = std::move(set);
  return *at;
}

const fit::Soundness& World::mirrored_ellipse() {
  const std::lock_guard lock(mutex_);
  if (!mirrored_) {
    fit::MeasuredImpacts data = read(request_of("ellipse"));
    for (fit::MeasuredImpact& impact : data.impacts) {
      impact.before[0] = -impact.before[0];
      impact.after[0] = -impact.after[0];
    }
    mirrored_ = fit::check_soundness(data, {.threads = work_.threads});
  }
  return *mirrored_;
}

const fit::Soundness& World::published_cube() {
  const std::lock_guard lock(mutex_);
  if (!published_) {
    scenario::FitRequest request = request_of("cube-body");
    std::erase_if(request.system, [](const scenario::SystemNumber& n) {
      return n.key == "mass_centre" || n.key == "corner_radius" || n.key == "length_scale";
    });
    for (scenario::SystemNumber& n : request.system) {
      if (n.key == "inertia") n.values = {8.1e-4};  // kg m^2, as published
    }
    published_ = fit::check_soundness(read(request), {.threads = work_.threads});
  }
  return *published_;
}

const Tosses& World::tosses() {
  const std::lock_guard lock(mutex_);
  if (tosses_) return *tosses_;
  Tosses t;
  t.request = scenario::read_trajectory_fit(cli::scenario_file("fit/tosses", "fit"));
  if (sample_.search) t.request.search = t.request.evaluations = *sample_.search;
  t.trajectories = fit::read_trajectories(scenario::read_csv(t.request.data), t.request);
  if (sample_.tosses > 0 && sample_.tosses < t.trajectories.size()) {
    t.trajectories.resize(sample_.tosses);
  }
  t.validation = fit::cross_validate(
      t.request, t.trajectories,
      {.law = {},
       .threads = work_.threads,
       .progress = [&](double share) { tell(begin_of_tosses + share * (1. - begin_of_tosses)); },
       .stop = work_.stop});
  tosses_ = std::move(t);
  return *tosses_;
}

const Cars& World::cars() {
  const std::lock_guard lock(mutex_);
  if (!cars_) {
    cars_ = Cars{.checks = fit::check_relations(
                     fit::read_relations(cli::scenario_file("fit/barrier", "fit")))};
  }
  return *cars_;
}

}  // namespace carom::papers::measured_world

namespace carom::papers {

Computations measured(const Work& work) {
  return measured_world::of_world(std::make_shared<measured_world::World>(work));
}

}  // namespace carom::papers
