// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <carom/core/dormand_prince.hpp>

namespace carom {

/// How much the estimate of order 3 counts beside that of order 5
/// [Hairer, Norsett & Wanner 1993, eq. II.10.17].
inline constexpr double third_order_weight = 0.01;

/// A norm measures errors, and adds products in one order: where impacts accumulate, events depend
/// on the last bits, and each user keeps its own.

/// The largest entry of e times its weight. Products are added from the last to the first.
class LargestError {
 public:
  void add(double e, double weight) {
    largest_ = std::max(largest_, std::abs(weight * e));
    sound_ += 0. * e;
  }
  [[nodiscard]] double added() const { return largest_ + sound_; }
  /// Of h times the entries that were added.
  [[nodiscard]] static double size(double h, double added, std::size_t /*entries*/) {
    return h * added;
  }
  /// Of both estimates of `DormandPrince8`.
  [[nodiscard]] static double size(double h, double fifth, double third, std::size_t /*entries*/) {
    const double both = std::sqrt(fifth * fifth + third_order_weight * third * third);
    return both == 0. ? 0. : h * (fifth * fifth / both);  // NaN stays NaN
  }
  template <class... T>
  [[nodiscard]] static double sum(T... x) {
    return (x + ...);
  }

 private:
  double largest_ = 0.;
  double sound_ = 0.;  // NaN where an entry is NaN or infinite, which std::max does not show
};

/// The root mean square of e over what is allowed. Products are added from the first to the last.
class MeanError {
 public:
  void add(double e, double allowed) { squares_ += e / allowed * (e / allowed); }
  [[nodiscard]] double added() const { return squares_; }
  [[nodiscard]] static double size(double h, double fifth, double third, std::size_t entries) {
    if (fifth == 0.) return 0.;  // the other may have underflowed
    return h * fifth /
           std::sqrt((fifth + third_order_weight * third) * static_cast<double>(entries));
  }
  template <class... T>
  [[nodiscard]] static double sum(T... x) {
    return (... + x);
  }

 private:
  double squares_ = 0.;
};

/// By what factor the step changes after one with this error, relative to what is allowed
/// [Hairer, Norsett & Wanner 1993, eq. II.4.13].
/// @param least  it shrinks by no more
template <class Tableau>
[[nodiscard]] double step_factor(double error, double least) {
  constexpr double safety = 0.9;  // the next error is to be 0.9^order of what is allowed
  constexpr double most = 6.;     // further than that the estimate says nothing
  if (!std::isfinite(error)) return least;
  if (!(error > 0.)) return most;
  return std::clamp(safety * std::pow(error, -1. / Tableau::order), least, most);
}

/// One step of y' = f(t, y) by an explicit Runge-Kutta method, its error, and the course within it.
/// Allocates only when the system grows.
///
/// `Rate` is called as rate(t, y, dy) and returns false where there is no rate.
template <class Norm>
class RungeKutta {
 public:
  void resize(std::size_t size) {
    size_ = size;
    if (k_.size() < size * DormandPrince8::all_stages) k_.resize(size * DormandPrince8::all_stages);
    if (trial_.size() < size) trial_.resize(size);
  }

  /// The rate at the start of the next step, to be filled in before it.
  [[nodiscard]] std::span<double> start_rate() { return rate_of(0); }

  /// y1 = y0 after h. False where a rate is missing.
  template <class Tableau, class Rate>
  [[nodiscard]] bool step(double t, double h, std::span<const double> y0, std::span<double> y1,
                          const Rate& rate) {
    t_ = t;
    h_ = h;
    course_known_ = false;
    if (!stages<Tableau, 1>(y0, rate, std::make_index_sequence<Tableau::stages - 1>{})) {
      return false;
    }
    add<Result<Tableau>>(y0.data(), y1.data());
    return true;
  }

  /// The rate at the end of the step, which some methods need for the error, and the course does.
  template <class Tableau>
  [[nodiscard]] std::span<double> end_rate() {
    return rate_of(Tableau::stages);
  }

  /// The estimated error of the last step; 1 is allowed.
  /// @param unit  of each entry, as the norm wants it
  template <class Tableau>
  [[nodiscard]] double error(std::span<const double> unit) const {
    const auto estimate = [&]<std::size_t E>() {
      return error_of<Error<Tableau, E>>(unit.data(),
                                         std::make_index_sequence<Tableau::errors[E].size>{});
    };
    const double first = estimate.template operator()<0>();
    if constexpr (Tableau::errors.size() == 1)
      return Norm::size(std::abs(h_), first, size_);
    else
      return Norm::size(std::abs(h_), first, estimate.template operator()<1>(), size_);
  }

  /// What the last step has made of one rate integrated twice, the sum of b_j (1 - c_j) k_j: these
  /// methods have sum b_i a_ij = b_j (1 - c_j).
  template <class Tableau>
  [[nodiscard]] double twice_integrated(std::size_t number) const {
    double sum = 0.;
    for (std::size_t t = 0; t < Tableau::result.size; ++t) {
      const auto [stage, weight] = Tableau::result.terms[t];
      sum += weight * (1. - Tableau::nodes[stage]) * k_[stage * size_ + number];
    }
    return h_ * h_ * sum;
  }

  /// Prepares at(), after a step of `DormandPrince8` with its end rate: three more rates.
  template <class Rate>
  [[nodiscard]] bool know_course(std::span<const double> y0, std::span<const double> y1,
                                 const Rate& rate) {
    using Tableau = DormandPrince8;
    if (course_known_) return true;
    if (!stages<Tableau, Tableau::stages + 1>(
            y0, rate, std::make_index_sequence<Tableau::all_stages - Tableau::stages - 1>{})) {
      return false;
    }
    start_.assign(y0.begin(), y0.end());
    course_.resize(course_terms * size_);
    const std::span<const double> last = rate_of(Tableau::stages);
    for (std::size_t i = 0; i < size_; ++i) {
      double* const c = &course_[i * course_terms];
      const double dy = y1[i] - y0[i];
      c[0] = dy;
      c[1] = h_ * k_[i] - dy;
      c[2] = 2. * dy - h_ * (last[i] + k_[i]);
      for (std::size_t j = 0; j < Tableau::polynomial.size(); ++j) {
        double d = 0.;
        for (std::size_t s = 0; s < Tableau::all_stages; ++s) {
          d += Tableau::polynomial[j][s] * k_[s * size_ + i];
        }
        c[3 + j] = h_ * d;
      }
    }
    course_known_ = true;
    return true;
  }

  /// The first entries of y at a time within the last step, after know_course().
  void at(double t, std::span<double> y) const {
    const double x = (t - t_) / h_;
    for (std::size_t i = 0; i < std::min(size_, y.size()); ++i) {
      const double* const c = &course_[i * course_terms];
      double v = 0.;
      for (std::size_t j = course_terms; j-- > 0;) v = (v + c[j]) * (j % 2 == 0 ? x : 1. - x);
      y[i] = start_[i] + v;
    }
  }

 private:
  static constexpr std::size_t course_terms = 3 + DormandPrince8::polynomial.size();

  // The sums of a method, as types.
  template <class Tableau, std::size_t S>
  struct Inner {
    static constexpr RungeKuttaSum sum = Tableau::inner[S];
  };
  template <class Tableau>
  struct Result {
    static constexpr RungeKuttaSum sum = Tableau::result;
  };
  template <class Tableau, std::size_t E>
  struct Error {
    static constexpr RungeKuttaSum sum = Tableau::errors[E];
  };

  [[nodiscard]] std::span<double> rate_of(std::size_t stage) {
    return {k_.data() + stage * size_, size_};
  }

  template <class Tableau, std::size_t first, class Rate, std::size_t... S>
  bool stages(std::span<const double> y0, const Rate& rate, std::index_sequence<S...> /*of them*/) {
    return (stage<Tableau, first + S>(y0, rate) && ...);
  }
  template <class Tableau, std::size_t S, class Rate>
  bool stage(std::span<const double> y0, const Rate& rate) {
    add<Inner<Tableau, S>>(y0.data(), trial_.data());
    return rate(t_ + Tableau::nodes[S] * h_, std::span<const double>(trial_.data(), size_),
                rate_of(S));
  }

  /// out = y + h times a sum of rates, unrolled.
  template <class Which>
  void add(const double* y, double* out) const {
    add_terms<Which>(y, out, std::make_index_sequence<Which::sum.size>{});
  }
  template <class Which, std::size_t... J>
  void add_terms(const double* __restrict y, double* __restrict out,
                 std::index_sequence<J...> /*terms*/) const {
    const double h = h_;
    const std::size_t n = size_;
    for (std::size_t i = 0; i < n; ++i) out[i] = y[i] + h * sum<Which, J...>(i, n);
  }
  template <class Which, std::size_t... J>
  [[nodiscard]] double sum(std::size_t i, std::size_t n) const {
    const double* __restrict k = k_.data();
    return Norm::sum((Which::sum.terms[J].weight * k[Which::sum.terms[J].stage * n + i])...);
  }

  template <class Which, std::size_t... J>
  [[nodiscard]] double error_of(const double* __restrict unit,
                                std::index_sequence<J...> /*terms*/) const {
    const std::size_t n = size_;
    Norm norm;
    for (std::size_t i = 0; i < n; ++i) norm.add(sum<Which, J...>(i, n), unit[i]);
    return norm.added();
  }

  std::size_t size_ = 0;
  double t_ = 0.;
  double h_ = 0.;
  bool course_known_ = false;
  std::vector<double> k_;  // by stages
  std::vector<double> trial_;
  std::vector<double> start_;   // of the step whose course is known
  std::vector<double> course_;  // the coefficients of each entry
};

}  // namespace carom
