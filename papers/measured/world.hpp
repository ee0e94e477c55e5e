// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/report/fit/summary.hpp>
#include <carom/scenario/trajectory_request.hpp>
#include <carom/study/fit/bounds.hpp>
#include <carom/study/fit/class_differences.hpp>
#include <carom/study/fit/intervals.hpp>
#include <carom/study/fit/ranking.hpp>
#include <carom/study/fit/relations.hpp>
#include <carom/study/fit/soundness.hpp>
#include <carom/study/fit/trajectory_fit.hpp>
#include <papers/engine/computations.hpp>
#include <papers/engine/publication.hpp>

/// The measured data of data/measured/, fitted and judged as examples/fit/ asks for.
namespace carom::papers::measured_world {

namespace fit = study::fit;

/// Which data: tests take a part of them.
struct Sample {
  std::size_t every = 1;                ///< of the impacts that would be fitted
  std::size_t tosses = 0;               ///< the first ones; 0: all
  std::optional<std::size_t> search{};  ///< tosses that a search compares; none: as the file says
};

/// A set of impacts with all that is found of it.
struct Judged {
  scenario::FitRequest request{};
  fit::MeasuredImpacts data{};
  fit::Soundness soundness{};
  fit::MinimiseOptions options{};
  fit::Ranking ranking{};
  fit::LeastErrors bounds{};
  std::vector<fit::ClassDifferences> classes{};

  [[nodiscard]] const fit::FittedModel& reference() const { return fit::reference_of(ranking); }
  /// Null: it was not fitted.
  [[nodiscard]] const fit::FittedModel* model(std::string_view name) const;
  [[nodiscard]] report::FitReport report() const {
    return {.request = request,
            .data = data,
            .ranking = ranking,
            .options = options,
            .folds = request.folds};
  }
};

/// Intervals of the fitted numbers of a model: sandwich covariance, groups independent.
[[nodiscard]] std::vector<fit::Interval> intervals_of(const Judged& set,
                                                      const fit::FittedModel& model);

/// The component of the contact's velocity along the slip before the impact [m/s]. Negative after
/// it: slip has reversed.
struct Slip {
  double before = 0.;
  double measured = 0.;   ///< after
  double predicted = 0.;  ///< after
  double normal = 0.;     ///< the approach speed
};
/// Of impacts of a set. @param members  indices into the ranking's impacts
[[nodiscard]] std::vector<Slip> slips_of(const Judged& set, const fit::FittedModel& model,
                                         const std::vector<std::size_t>& members);

struct Tosses {
  scenario::TrajectoryRequest request{};
  std::vector<fit::Trajectory> trajectories{};
  fit::TrajectoryValidation validation{};
};

struct Cars {
  std::vector<fit::RelationCheck> checks{};
};

/// Computes each set when it is first asked for. May be used by several threads at once.
class World {
 public:
  explicit World(const Work& work, const Sample& sample = {}) : work_(work), sample_(sample) {}

  /// "ellipse", "square", "cube-body": the example fit/NAME.
  [[nodiscard]] const Judged& set(const std::string& name);
  /// The same data as they were before some columns were mended: coordinate 0 mirrored.
  [[nodiscard]] const fit::Soundness& mirrored_ellipse();
  /// The cube with the body as published.
  [[nodiscard]] const fit::Soundness& published_cube();
  [[nodiscard]] const Tosses& tosses();
  [[nodiscard]] const Cars& cars();

  [[nodiscard]] const Sample& sample() const { return sample_; }

 private:
  void tell(double share) const {
    if (work_.progress) work_.progress(share);
  }
  [[nodiscard]] fit::MeasuredImpacts read(const scenario::FitRequest& request) const;

  Work work_;
  Sample sample_;
  std::recursive_mutex mutex_{};
  std::map<std::string, std::unique_ptr<Judged>> sets_{};
  std::optional<fit::Soundness> mirrored_{};
  std::optional<fit::Soundness> published_{};
  std::optional<Tosses> tosses_{};
  std::optional<Cars> cars_{};
};

inline const std::vector<std::string> set_names{"ellipse", "square", "cube-body"};

/// The parts of the pages.
[[nodiscard]] Computations of_data(const std::shared_ptr<World>& world);
[[nodiscard]] Computations of_ranking(const std::shared_ptr<World>& world);
[[nodiscard]] Computations of_classes(const std::shared_ptr<World>& world);
[[nodiscard]] Computations of_tosses(const std::shared_ptr<World>& world);
[[nodiscard]] Computations of_world(const std::shared_ptr<World>& world);

}  // namespace carom::papers::measured_world
