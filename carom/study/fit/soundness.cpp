// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/soundness.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <ceres/tiny_solver.h>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/study/fit/imbalance.hpp>
#include <carom/study/fit/order_statistics.hpp>
#include <carom/study/parallel.hpp>

namespace carom::study::fit {

namespace {

using Eigen::Index;

/// The rows that are checked, with their contacts as given.
struct Rows {
  const MeasuredImpacts* data = nullptr;
  std::vector<std::size_t> impact;
  std::vector<MeasuredContact> contact;

  [[nodiscard]] std::size_t size() const { return impact.size(); }
};

Rows rows_of(const MeasuredImpacts& data) {
  Rows rows{.data = &data, .impact = {}, .contact = {}};
  const std::vector<double> body = data.given_body();
  for (const std::size_t i : data.fitted()) {
    if (data.impacts[i].after.empty()) continue;
    rows.impact.push_back(i);
    data.contact_of(data.impacts[i], body, rows.contact.emplace_back());
  }
  if (rows.impact.empty()) {
    throw InputError("fit", "no row has velocities after the impact and is not left out");
  }
  return rows;
}

Distribution distribution(const std::vector<Imbalance>& found) {
  std::vector<double> size;
  std::vector<double> spin;
  for (const Imbalance& row : found) {
    size.push_back(row.size);
    spin.push_back(row.of_spin);
  }
  return {.rms = root_mean_square(size),
          .median = quantile(size, 0.5),
          .p90 = quantile(size, 0.9),
          .largest = *std::max_element(size.begin(), size.end()),
          .rms_of_spin = root_mean_square(spin)};  // not a number if one is not
}

// --- signs ---------------------------------------------------------------------------------------

/// One column, or the two of a coordinate.
struct Column {
  enum class Kind : std::uint8_t { coordinate, before, after, geometry };
  Kind kind = Kind::coordinate;
  std::size_t index = 0;
};

using Flipped = std::vector<Column>;

std::vector<std::string> names(const MeasuredImpacts& data, const Flipped& flipped) {
  std::vector<std::string> told;
  for (const Column& column : flipped) {
    if (column.kind == Column::Kind::geometry) {
      told.push_back(data.numbers[column.index]);
      continue;
    }
    const auto name = [&](const std::vector<std::string>& columns, const char* when) {
      return columns.empty() ? data.coordinates[column.index] + when : columns[column.index];
    };
    if (column.kind != Column::Kind::after) told.push_back(name(data.columns_before, " before"));
    if (column.kind != Column::Kind::before) told.push_back(name(data.columns_after, " after"));
  }
  return told;
}

void flip(MeasuredImpact& impact, const Flipped& flipped) {
  const auto turn = [](double& x) { x = -x; };
  for (const Column& column : flipped) {
    if (column.kind == Column::Kind::geometry) {
      turn(impact.numbers[column.index]);
      continue;
    }
    if (column.kind != Column::Kind::after) turn(impact.before[column.index]);
    if (column.kind != Column::Kind::before) turn(impact.after[column.index]);
  }
}

/// Nothing if such a geometry is impossible.
std::optional<std::vector<Imbalance>> with_flipped(const Rows& rows, const Flipped& flipped) {
  const MeasuredImpacts& data = *rows.data;
  const std::vector<double> body = data.given_body();
  const bool moves = std::any_of(flipped.begin(), flipped.end(), [](const Column& column) {
    return column.kind == Column::Kind::geometry;
  });
  std::vector<Imbalance> found;
  found.reserve(rows.size());
  MeasuredContact contact;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    MeasuredImpact impact = data.impacts[rows.impact[r]];
    flip(impact, flipped);
    if (!moves) {
      found.push_back(imbalance(data, rows.contact[r], impact));
      continue;
    }
    try {
      data.contact_of(impact, body, contact);
    } catch (const InputError&) {
      return {};
    }
    found.push_back(imbalance(data, contact, impact));
  }
  return found;
}

/// Whether the balance of any row depends on the sign of a column.
bool matters(const std::vector<Imbalance>& found, const std::vector<Imbalance>& given) {
  for (std::size_t r = 0; r < found.size(); ++r) {
    const double scale = std::max(found[r].size, given[r].size);
    if (std::abs(found[r].size - given[r].size) > rounding * scale) return true;
  }
  return false;
}

std::size_t approaching(const std::vector<Imbalance>& found) {
  return static_cast<std::size_t>(std::count_if(
      found.begin(), found.end(), [](const Imbalance& row) { return row.approach < 0.; }));
}

/// All flips to be tried: each coordinate, before and after, or one of them; each column of the
/// geometry that matters; and all pairs of coordinates and columns of the geometry.
std::vector<Flipped> candidates(const Rows& rows, const std::vector<Imbalance>& given) {
  const MeasuredImpacts& data = *rows.data;
  std::vector<Flipped> all;
  std::vector<Column> columns;
  for (std::size_t j = 0; j < data.coordinates.size(); ++j) {
    columns.push_back({.kind = Column::Kind::coordinate, .index = j});
  }
  for (std::size_t j = 0; j < data.numbers.size(); ++j) {
    const Column column{.kind = Column::Kind::geometry, .index = j};
    const auto found = with_flipped(rows, {column});
    if (found && matters(*found, given)) columns.push_back(column);
  }
  for (const Column& column : columns) all.push_back({column});
  for (std::size_t j = 0; j < data.coordinates.size(); ++j) {
    all.push_back({{.kind = Column::Kind::before, .index = j}});
    all.push_back({{.kind = Column::Kind::after, .index = j}});
  }
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = a + 1; b < columns.size(); ++b) all.push_back({columns[a], columns[b]});
  }
  return all;
}

/// The flips that come nearest to the balance, and of these the ones after which most contacts
/// approach: the others turn the normal over.
std::vector<Flip> likeliest(std::vector<Flip> flips) {
  double least = std::numeric_limits<double>::infinity();
  for (const Flip& f : flips) least = std::min(least, f.imbalance.rms);
  // Flips that the balance cannot tell apart differ by rounding; 1 % is far above it, and below
  // what a wrong sign does.
  std::erase_if(flips, [&](const Flip& f) { return f.imbalance.rms > 1.01 * least; });
  std::size_t most = 0;
  for (const Flip& f : flips) most = std::max(most, f.approaching);
  std::erase_if(flips, [&](const Flip& f) { return f.approaching < most; });
  return flips;
}

/// @return the flip that mends the balance; empty: none
Flipped check_signs(const Rows& rows, const std::vector<Imbalance>& given, Soundness& found) {
  const std::vector<Flipped> all = candidates(rows, given);
  std::vector<Flip> flips(all.size());
  parallel_blocks(all.size(), 1, found.options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto flipped = with_flipped(rows, all[i]);
      flips[i].columns = names(*rows.data, all[i]);
      flips[i].mistakes = all[i].size();
      flips[i].imbalance.rms = std::numeric_limits<double>::infinity();
      if (!flipped || !matters(*flipped, given)) continue;
      flips[i].imbalance = distribution(*flipped);
      flips[i].approaching = approaching(*flipped);
    }
  });
  // Stable: of as many mistakes, those in coordinates stand first.
  std::erase_if(flips, [](const Flip& f) { return std::isinf(f.imbalance.rms); });
  flips = likeliest(std::move(flips));
  std::stable_sort(flips.begin(), flips.end(),
                   [](const Flip& a, const Flip& b) { return a.mistakes < b.mistakes; });
  if (flips.empty()) return {};
  found.best_flip = flips.front();
  if (found.best_flip.imbalance.rms <= found.options.flip_mends * found.imbalance.rms &&
      found.best_flip.approaching >= approaching(given)) {
    found.mending = std::move(flips);
  }
  if (found.mending.empty()) return {};
  return *std::find_if(all.begin(), all.end(), [&](const Flipped& f) {
    return names(*rows.data, f) == found.mending.front().columns;
  });
}

// --- the body ------------------------------------------------------------------------------------

/// The imbalance of all rows as a function of some numbers of the body, in units of their steps;
/// what Ceres asks of a function. Beyond a bound it is that at the bound.
struct OfBody {
  using Scalar = double;
  enum { NUM_RESIDUALS = Eigen::Dynamic, NUM_PARAMETERS = Eigen::Dynamic };  // NOLINT

  const Rows* rows = nullptr;
  std::vector<std::size_t> numbers;
  std::vector<double> given;
  std::vector<double> unit;
  unsigned threads = 1;

  [[nodiscard]] int NumResiduals() const {  // NOLINT(readability-identifier-naming)
    return static_cast<int>(rows->size() * rows->data->coordinates.size());
  }
  [[nodiscard]] int NumParameters() const {  // NOLINT(readability-identifier-naming)
    return static_cast<int>(numbers.size());
  }

  [[nodiscard]] double value(std::size_t k, double x) const {
    const BodyNumber& number = rows->data->body[numbers[k]];
    return std::clamp(given[numbers[k]] + x * unit[k], number.low, number.high);
  }

  [[nodiscard]] std::vector<double> body(const double* x) const {
    std::vector<double> body = given;
    for (std::size_t k = 0; k < numbers.size(); ++k) body[numbers[k]] = value(k, x[k]);
    return body;
  }

  [[nodiscard]] std::vector<Imbalance> imbalances(const double* x) const {
    const std::vector<double> changed = body(x);
    std::vector<Imbalance> found(rows->size());
    constexpr std::size_t grain = 64;  // impacts: some 0.1 ms
    parallel_blocks(rows->size(), grain, threads, [&](std::size_t begin, std::size_t end) {
      MeasuredContact contact;
      for (std::size_t r = begin; r < end; ++r) {
        const MeasuredImpact& impact = rows->data->impacts[rows->impact[r]];
        rows->data->contact_of(impact, changed, contact);
        found[r] = imbalance(*rows->data, contact, impact);
      }
    });
    return found;
  }

  /// False where such a body is impossible.
  bool evaluate(const double* x, Eigen::Ref<Eigen::VectorXd> residual) const {
    try {
      const std::vector<Imbalance> found = imbalances(x);
      Index at = 0;
      for (const Imbalance& row : found) {
        for (std::size_t j = 0; j < row.change.size(); ++j) {
          residual[at++] = std::sqrt(rows->data->metric[j]) * row.change[j];
        }
      }
    } catch (const InputError&) {
      return false;
    }
    return residual.allFinite();
  }

  bool operator()(const double* x, double* residual, double* derivatives) const {
    Eigen::Map<Eigen::VectorXd> value(residual, NumResiduals());
    if (!evaluate(x, value)) return false;
    if (derivatives == nullptr) return true;
    Eigen::Map<Eigen::MatrixXd> J(derivatives, NumResiduals(), NumParameters());
    std::vector<double> at(x, x + numbers.size());
    // Central differences: their error is least near the cube root of epsilon.
    const double step = std::cbrt(epsilon);
    Eigen::VectorXd up(NumResiduals());
    Eigen::VectorXd down(NumResiduals());
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      at[k] = x[k] + step;
      if (!evaluate(at.data(), up)) return false;
      at[k] = x[k] - step;
      if (!evaluate(at.data(), down)) return false;
      at[k] = x[k];
      J.col(static_cast<Index>(k)) = (up - down) / (2. * step);
    }
    return true;
  }
};

/// Standard errors from the scatter of the gradients over groups, which need not be independent
/// within [Liang & Zeger 1986].
Eigen::VectorXd clustered_errors(const OfBody& f, const Eigen::VectorXd& x) {
  const MeasuredImpacts& data = *f.rows->data;
  Eigen::VectorXd residual(f.NumResiduals());
  Eigen::MatrixXd J(f.NumResiduals(), f.NumParameters());
  Eigen::VectorXd error = Eigen::VectorXd::Zero(x.size());
  if (!f(x.data(), residual.data(), J.data())) return error;
  const auto width = static_cast<Index>(data.coordinates.size());
  const auto groups = static_cast<Index>(data.grouped ? data.groups.size() : f.rows->size());
  Eigen::MatrixXd gradient = Eigen::MatrixXd::Zero(x.size(), groups);
  std::vector<bool> seen(static_cast<std::size_t>(groups), false);
  for (std::size_t r = 0; r < f.rows->size(); ++r) {
    const std::size_t g = data.grouped ? data.impacts[f.rows->impact[r]].group : r;
    const auto first = static_cast<Index>(r) * width;
    gradient.col(static_cast<Index>(g)) +=
        J.middleRows(first, width).transpose() * residual.segment(first, width);
    seen[g] = true;
  }
  const auto present = static_cast<double>(std::count(seen.begin(), seen.end(), true));
  if (present < 2.) return error;
  const PseudoInverse inverse = pseudo_inverse(J.transpose() * J, rounding);
  if (inverse.rank < x.size()) return error;
  const Eigen::MatrixXd covariance = inverse.matrix * (gradient * gradient.transpose()) *
                                     inverse.matrix * (present / (present - 1.));
  return covariance.diagonal().cwiseMax(0.).cwiseSqrt();
}

BodyChange best_body(OfBody f) {
  const MeasuredImpacts& data = *f.rows->data;
  ceres::TinySolver<OfBody> solver;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(f.NumParameters());
  (void)solver.Solve(f, &x);
  const Eigen::VectorXd error = clustered_errors(f, x);
  BodyChange change;
  for (std::size_t k = 0; k < f.numbers.size(); ++k) {
    const BodyNumber& number = data.body[f.numbers[k]];
    const double best = f.value(k, x[static_cast<Index>(k)]);
    change.numbers.push_back({.number = f.numbers[k],
                              .best = best,
                              .error = error[static_cast<Index>(k)] * f.unit[k],
                              .at_bound = best <= number.low || best >= number.high});
  }
  change.imbalance = distribution(f.imbalances(x.data()));
  return change;
}

/// A change of a number that is felt: its own size, or a part of its range.
double unit_of(const BodyNumber& number) {
  if (number.value != 0.) return std::abs(number.value);
  const double range = number.high - number.low;
  return std::isfinite(range) && range > 0. ? range / 2. : 1.;
}

void check_body(const Rows& rows, Soundness& found) {
  const MeasuredImpacts& data = *rows.data;
  OfBody f{.rows = &rows,
           .numbers = {},
           .given = data.given_body(),
           .unit = {},
           .threads = found.options.threads};
  OfBody all = f;
  for (std::size_t k = 0; k < data.body.size(); ++k) {
    if (!(data.body[k].low < data.body[k].high)) continue;
    f.numbers = {k};
    f.unit = {unit_of(data.body[k])};
    Eigen::VectorXd residual(f.NumResiduals());
    Eigen::MatrixXd J(f.NumResiduals(), 1);
    const double zero = 0.;
    if (!f(&zero, residual.data(), J.data())) continue;
    // Differences have an error of about epsilon^(2/3).
    if (J.norm() <= std::sqrt(epsilon) * residual.norm()) continue;  // no effect
    found.alone.push_back(best_body(f));
    all.numbers.push_back(k);
    all.unit.push_back(f.unit.front());
  }
  if (all.numbers.size() > 1) found.together.push_back(best_body(all));
}

}  // namespace

Soundness check_soundness(const MeasuredImpacts& data, const SoundnessOptions& options) {
  const Rows rows = rows_of(data);
  std::vector<Imbalance> given(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    given[r] = imbalance(data, rows.contact[r], data.impacts[rows.impact[r]]);
  }
  Soundness found;
  found.options = options;
  found.imbalance = distribution(given);
  std::vector<double> sizes;
  for (const Imbalance& row : given) sizes.push_back(row.size);
  found.deviation = robust_deviation(std::move(sizes));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Imbalance& row = given[r];
    const double gain = row.energy_after - row.energy_before;
    found.rows.push_back(
        {.impact = rows.impact[r],
         .imbalance = row.size,
         .of_spin = row.of_spin,
         .energy_ratio = row.energy_before > 0. ? row.energy_after / row.energy_before : 0.,
         .outlier = row.size > options.threshold * found.deviation,
         .gains_energy = gain > options.threshold * found.deviation * row.energy_slope,
         .approaches = row.approach < 0.,
         .separates = row.separation >= 0.});
  }
  const Flipped wrong = check_signs(rows, given, found);
  if (wrong.empty()) {
    check_body(rows, found);
    return found;
  }
  MeasuredImpacts mended = data;
  for (MeasuredImpact& impact : mended.impacts) {
    if (!impact.after.empty()) flip(impact, wrong);
  }
  check_body(rows_of(mended), found);
  return found;
}

}  // namespace carom::study::fit
