// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/nelder_mead.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom::study::fit {
namespace {

struct Vertex {
  double value = 0.;
  std::vector<double> x;
};

}  // namespace

double nelder_mead(const std::function<double(std::span<const double>)>& f, std::vector<double>& x,
                   std::span<const double> size, const NelderMeadOptions& options,
                   const std::function<void(std::vector<double>&)>& clamp) {
  const std::size_t n = x.size();
  std::size_t evaluations = 0;
  const auto vertex = [&](std::vector<double> at) {
    clamp(at);
    ++evaluations;
    const double value = f(at);
    return Vertex{.value = value, .x = std::move(at)};
  };
  std::vector<Vertex> simplex{vertex(x)};
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> at = x;
    at[k] += size[k];
    std::vector<double> clamped = at;
    clamp(clamped);
    if (clamped[k] != at[k]) at[k] = x[k] - size[k];  // from a bound, to the other side
    simplex.push_back(vertex(std::move(at)));
  }
  const auto dimension = static_cast<double>(n);
  const double expansion = 1. + 2. / std::max(dimension, 2.);
  const double contraction = 0.75 - 0.5 / std::max(dimension, 2.);
  const double shrinkage = 1. - 1. / std::max(dimension, 2.);
  const auto order = [&] {
    std::stable_sort(simplex.begin(), simplex.end(),
                     [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
  };
  const auto is_small = [&] {
    for (const Vertex& v : simplex) {
      for (std::size_t k = 0; k < n; ++k) {
        if (std::abs(v.x[k] - simplex[0].x[k]) > options.tolerance * size[k]) return false;
      }
    }
    return true;
  };
  order();
  while (evaluations < options.most_evaluations && !is_small()) {
    std::vector<double> centre(n, 0.);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) centre[k] += simplex[i].x[k] / dimension;
    }
    Vertex& worst = simplex[n];
    const auto towards = [&](double factor) {
      std::vector<double> at(n);
      for (std::size_t k = 0; k < n; ++k) at[k] = centre[k] + factor * (centre[k] - worst.x[k]);
      return at;
    };
    Vertex reflected = vertex(towards(1.));
    if (reflected.value < simplex[0].value) {
      Vertex expanded = vertex(towards(expansion));
      worst = expanded.value < reflected.value ? std::move(expanded) : std::move(reflected);
    } else if (reflected.value < simplex[n - 1].value) {
      worst = std::move(reflected);
    } else {
      const bool outside = reflected.value < worst.value;
      Vertex contracted = vertex(towards(outside ? contraction : -contraction));
      if (contracted.value < std::min(reflected.value, worst.value)) {
        worst = std::move(contracted);
      } else {
        for (std::size_t i = 1; i <= n; ++i) {
          std::vector<double> at(n);
          for (std::size_t k = 0; k < n; ++k) {
            at[k] = simplex[0].x[k] + shrinkage * (simplex[i].x[k] - simplex[0].x[k]);
          }
          simplex[i] = vertex(std::move(at));
        }
      }
    }
    order();
  }
  x = simplex[0].x;
  return simplex[0].value;
}

}  // namespace carom::study::fit
