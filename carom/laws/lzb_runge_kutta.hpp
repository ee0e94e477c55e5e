// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <carom/laws/lzb_tableau.hpp>

namespace carom::lzb {

/// Explicit Runge-Kutta steps. Allocates only when the system grows.
class RungeKutta {
 public:
  void resize(std::size_t size) {
    size_ = size;
    if (k_.size() < size * most_stages) k_.resize(size * most_stages);
    if (trial_.size() < size) trial_.resize(size);
  }

  /// y1 = y0 after a step h; f0 is the derivative at y0.
  template <class Tableau, class System>
  void step(System& system, double h, const double* y0, const double* f0, double* y1) {
    std::copy(f0, f0 + size_, k_.data());
    stages<Tableau>(system, h, y0, std::make_index_sequence<Tableau::stages - 1>{});
    add<Result<Tableau>>(h, y0, y1);
  }

  /// The twofold integral of one derivative over the last step, the sum of b_j (1 - c_j) k_j: these
  /// methods satisfy sum b_i a_ij = b_j (1 - c_j).
  template <class Tableau>
  [[nodiscard]] double twice_integrated(double h, std::size_t number) const {
    double sum = 0.;
    for (std::size_t t = 0; t < Tableau::result.size; ++t) {
      const auto [stage, weight] = Tableau::result.terms[t];
      sum += weight * (1. - node<Tableau>(stage)) * k_[stage * size_ + number];
    }
    return h * h * sum;
  }

  /// The estimated error of the last step, in units of 1/weight. Some methods need the derivative
  /// at its end.
  template <class Tableau>
  [[nodiscard]] double error(double h, const double* weight, const double* f1) {
    if (Tableau::needs_end) std::copy(f1, f1 + size_, k_.data() + Tableau::stages * size_);
    std::array<double, Tableau::errors.size()> largest{};
    errors<Tableau>(weight, largest, std::make_index_sequence<Tableau::errors.size()>{});
    return std::abs(h) * Tableau::size(largest);
  }

 private:
  /// The time of a stage, as a fraction of the step.
  template <class Tableau>
  static constexpr double node(std::size_t stage) {
    double sum = 0.;
    for (std::size_t t = 0; t < Tableau::inner[stage].size; ++t) {
      sum += Tableau::inner[stage].terms[t].weight;
    }
    return sum;
  }

  static constexpr std::size_t most_stages = DormandPrince8::stages + 1;

  // The weighted sums of a method, as types.
  template <class Tableau, std::size_t S>
  struct Inner {
    static constexpr Sum sum = Tableau::inner[S];
  };
  template <class Tableau>
  struct Result {
    static constexpr Sum sum = Tableau::result;
  };
  template <class Tableau, std::size_t E>
  struct Error {
    static constexpr Sum sum = Tableau::errors[E];
  };

  template <class Tableau, class System, std::size_t... S>
  void stages(System& system, double h, const double* y0, std::index_sequence<S...> /*of them*/) {
    (stage<Tableau, S + 1>(system, h, y0), ...);
  }
  template <class Tableau, std::size_t S, class System>
  void stage(System& system, double h, const double* y0) {
    add<Inner<Tableau, S>>(h, y0, trial_.data());
    system.derivative(trial_.data(), k_.data() + S * size_);
  }

  /// out = y + h times a weighted sum of derivatives, unrolled.
  template <class Which>
  void add(double h, const double* y, double* out) const {
    add_terms<Which>(h, y, out, std::make_index_sequence<Which::sum.size>{});
  }
  template <class Which, std::size_t... J>
  void add_terms(double h, const double* __restrict y, double* __restrict out,
                 std::index_sequence<J...> /*terms*/) const {
    const double* __restrict k = k_.data();
    const std::size_t n = size_;
    for (std::size_t i = 0; i < n; ++i) {
      out[i] =
          y[i] + h * ((Which::sum.terms[J].weight * k[Which::sum.terms[J].stage * n + i]) + ...);
    }
  }

  template <class Tableau, std::size_t... E>
  void errors(const double* weight, std::array<double, sizeof...(E)>& largest,
              std::index_sequence<E...> /*estimates*/) const {
    ((largest[E] = largest_of<Error<Tableau, E>>(
          weight, std::make_index_sequence<Tableau::errors[E].size>{})),
     ...);
  }
  template <class Which, std::size_t... J>
  [[nodiscard]] double largest_of(const double* __restrict weight,
                                  std::index_sequence<J...> /*terms*/) const {
    const double* __restrict k = k_.data();
    const std::size_t n = size_;
    double largest = 0.;
    double sound = 0.;  // zero, or NaN if any is NaN, which the maximum would hide
    for (std::size_t i = 0; i < n; ++i) {
      const double e = ((Which::sum.terms[J].weight * k[Which::sum.terms[J].stage * n + i]) + ...);
      largest = std::max(largest, std::abs(weight[i] * e));
      sound += 0. * e;
    }
    return largest + sound;
  }

  std::size_t size_ = 0;
  std::vector<double> k_;
  std::vector<double> trial_;
};

}  // namespace carom::lzb
