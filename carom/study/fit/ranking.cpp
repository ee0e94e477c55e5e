// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/ranking.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/core/random.hpp>
#include <carom/scenario/registered_systems.hpp>
#include <carom/study/parallel.hpp>

namespace carom::study::fit {
namespace {

/// The streams of one seed that are used here.
enum Stream : std::uint64_t { stream_of_folds = 1, stream_of_bootstrap = 2 };

/// Which of the groups among `impacts` each of them belongs to, and how many there are.
struct Grouping {
  std::vector<std::size_t> of;
  std::size_t count = 0;
};

Grouping grouping(const MeasuredImpacts& data, std::span<const std::size_t> impacts) {
  Grouping g;
  std::map<std::size_t, std::size_t> index;
  for (const std::size_t i : impacts) {
    const std::size_t key = data.grouped ? data.impacts[i].group : i;
    g.of.push_back(index.emplace(key, index.size()).first->second);
  }
  g.count = index.size();
  return g;
}

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.) / static_cast<double>(x.size());
}

/// Fits that do not depend on each other, run by several threads.
class Tasks {
 public:
  Tasks(unsigned threads, const std::function<void(double)>& progress, double from, double to)
      : threads_(threads), progress_(progress), from_(from), to_(to) {}

  template <class Work>
  void run(std::size_t count, const Work& work) {
    std::size_t done = 0;
    parallel_blocks(count, 1, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        work(i);
        const std::lock_guard lock(mutex_);
        ++done;
        if (progress_) {
          progress_(from_ + (to_ - from_) * static_cast<double>(done) / static_cast<double>(count));
        }
      }
    });
  }

 private:
  unsigned threads_;
  const std::function<void(double)>& progress_;
  double from_;
  double to_;
  std::mutex mutex_;
};

std::size_t reference_of(const std::vector<FittedModel>& models, const std::string& against) {
  if (against.empty()) return 0;
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].model.name == against) return i;
    known.push_back(models[i].model.name);
  }
  throw InputError("--against",
                   "no model '" + against + "' among those fitted" + did_you_mean(against, known));
}

}  // namespace

std::vector<std::size_t> folds_of(const MeasuredImpacts& data, std::span<const std::size_t> impacts,
                                  std::size_t folds, std::uint64_t seed) {
  const Grouping groups = grouping(data, impacts);
  if (groups.count < folds) {
    throw InputError("fit.folds", "must be at most the number of groups or rows, " +
                                      std::to_string(groups.count) + ", got " +
                                      std::to_string(folds));
  }
  const auto order = shuffled(groups.count, RandomStream(seed, stream_of_folds));
  std::vector<std::size_t> fold_of_group(groups.count);
  for (std::size_t i = 0; i < order.size(); ++i) fold_of_group[order[i]] = i % folds;
  std::vector<std::size_t> fold;
  for (const std::size_t g : groups.of) fold.push_back(fold_of_group[g]);
  return fold;
}

Difference paired_difference(const MeasuredImpacts& data, std::span<const std::size_t> impacts,
                             std::span<const double> a, std::span<const double> b,
                             std::uint64_t seed) {
  const Grouping groups = grouping(data, impacts);
  std::vector<double> sum(groups.count, 0.);
  std::vector<double> rows(groups.count, 0.);
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum[groups.of[i]] += a[i] - b[i];
    rows[groups.of[i]] += 1.;
  }
  Difference d{.mean = mean(a) - mean(b)};
  constexpr std::size_t resamples = 2000;  // the ends of the interval vary by some per cent of it
  const RandomStream random(seed, stream_of_bootstrap);
  std::vector<double> means(resamples);
  for (std::size_t r = 0; r < resamples; ++r) {
    double total = 0.;
    double count = 0.;
    for (std::size_t k = 0; k < groups.count; ++k) {
      const std::size_t g = random.below(r * groups.count + k, groups.count);
      total += sum[g];
      count += rows[g];
    }
    means[r] = total / count;
  }
  std::ranges::sort(means);
  constexpr double outside = 0.025;
  const auto cut = static_cast<std::size_t>(outside * static_cast<double>(resamples));
  d.low = means[cut];
  d.high = means[resamples - 1 - cut];
  return d;
}

Ranking rank(const MeasuredImpacts& data, const scenario::FitRequest& request,
             std::vector<FitModel> models, const RankingOptions& options) {
  Ranking ranking;
  const bool parallel =
      scenario::is_parallel(request.system_type) &&
      std::ranges::all_of(models, [](const FitModel& m) { return m.answering->parallel; });
  const unsigned threads = parallel ? options.threads : 1;
  ranking.impacts = data.fitted();
  const std::size_t folds = options.folds;
  const auto fold = folds > 0 ? folds_of(data, ranking.impacts, folds, options.minimise.seed)
                              : std::vector<std::size_t>{};
  std::vector<Objective> objectives;
  for (FitModel& m : models) {
    Parameters parameters = parameters_of(m, request, data);
    objectives.emplace_back(data, *m.answering, parameters);
    FittedModel& f = ranking.models.emplace_back();
    f.model = std::move(m);
    f.parameters = std::move(parameters);
  }
  // Known before the work, not after it.
  const std::size_t reference = reference_of(ranking.models, options.against);
  ranking.reference = ranking.models[reference].model.name;

  const double whole = folds > 0 ? 0.5 : 1.;
  Tasks fits(threads, options.progress, 0., whole);
  fits.run(ranking.models.size(), [&](std::size_t m) {
    FittedModel& f = ranking.models[m];
    f.minimum = minimise(objectives[m], ranking.impacts, options.minimise);
    f.errors = objectives[m].errors(ranking.impacts, f.minimum.p);
    std::vector<double> after(objectives[m].width());
    for (const std::size_t i : ranking.impacts) {
      if (!objectives[m].predict(i, f.minimum.p, after)) ++f.without_answer;
    }
  });
  if (folds > 0) {
    for (FittedModel& f : ranking.models) f.validated.assign(ranking.impacts.size(), 0.);
    Tasks validations(threads, options.progress, whole, 1.);
    validations.run(ranking.models.size() * folds, [&](std::size_t task) {
      const std::size_t m = task / folds;
      FittedModel& f = ranking.models[m];
      std::vector<std::size_t> others;
      for (std::size_t i = 0; i < fold.size(); ++i) {
        if (fold[i] != task % folds) others.push_back(ranking.impacts[i]);
      }
      const Minimum there = minimise_from(objectives[m], others, options.minimise, f.minimum.p);
      for (std::size_t i = 0; i < fold.size(); ++i) {
        if (fold[i] == task % folds) {
          f.validated[i] = objectives[m].error(ranking.impacts[i], there.p);
        }
      }
    });
    const std::vector<double> against = ranking.models[reference].validated;
    for (std::size_t m = 0; m < ranking.models.size(); ++m) {
      FittedModel& f = ranking.models[m];
      f.validated_error = mean(f.validated);
      if (m == reference) continue;
      f.difference =
          paired_difference(data, ranking.impacts, f.validated, against, options.minimise.seed);
    }
  }
  std::stable_sort(ranking.models.begin(), ranking.models.end(),
                   [&](const FittedModel& a, const FittedModel& b) {
                     return folds > 0 ? a.validated_error < b.validated_error
                                      : a.minimum.loss < b.minimum.loss;
                   });
  return ranking;
}

}  // namespace carom::study::fit
