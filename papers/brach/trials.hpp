// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <papers/engine/computations.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/engine/largest.hpp>

/// What [Brach 1998] says of any spheres or bodies, tried on random ones.
namespace carom::papers::br {

inline constexpr int trials = 500;
inline constexpr double close = 1e-12;  ///< two numbers that differ by rounding alone

/// An equation with its misprint mended, or as it stands; where the text allows two readings, the
/// right one and the other.
enum class Form : bool { corrected, printed };

/// The greatest error over random draws.
template <class Draw, class Error>
[[nodiscard]] double worst(std::uint64_t seed, const Draw& draw, const Error& error) {
  FixedRandom random(seed);
  double most = 0.;
  for (int k = 0; k < trials; ++k) most = largest(most, error(draw(random)));
  return most;
}

/// Holds where all errors are rounding and `also` is so; gives their decades and `more`.
[[nodiscard]] Found rounding(const std::map<std::string, double>& errors, bool also = true,
                             Values more = {});

/// Statement: an equation gives what the law `brach` gives; `error(drawn, form)` is by how much
/// not. Gives {error} and {below}.
template <class Drawn>
[[nodiscard]] Check agrees(std::uint64_t seed, Drawn (*draw)(FixedRandom&),
                           double (*error)(const Drawn&, Form), Form form = Form::corrected) {
  return [=] {
    const double off = worst(seed, draw, [&](const Drawn& x) { return error(x, form); });
    return rounding({{"below", off}}, true, {{"error", off}});
  };
}

/// Erratum: it does so corrected, and not as printed. Gives {printed} and {corrected}.
template <class Drawn>
[[nodiscard]] Check misprint(std::uint64_t seed, Drawn (*draw)(FixedRandom&),
                             double (*error)(const Drawn&, Form)) {
  return [=] {
    const auto off = [&](Form form) {
      return worst(seed, draw, [&](const Drawn& x) { return error(x, form); });
    };
    const double printed = off(Form::printed);
    return rounding({{"corrected", off(Form::corrected)}}, printed > 0.1, {{"printed", printed}});
  };
}

/// y(x) at `steps` + 1 places, in the style of a series.
template <class Y>
[[nodiscard]] Series curve(Series series, double from, double to, int steps, const Y& y) {
  for (int k = 0; k <= steps; ++k) {
    series.x.push_back(from + (to - from) * k / steps);
    series.y.push_back(y(series.x.back()));
  }
  return series;
}

// Topic by topic, errata included.
[[nodiscard]] Computations any_bodies();    ///< Sections 2 and 3
[[nodiscard]] Computations closed_forms();  ///< Section 4
[[nodiscard]] Computations figures();       ///< Eqs 26 to 28, Figs 4 and 5

}  // namespace carom::papers::br
