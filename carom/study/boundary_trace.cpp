// SPDX-License-Identifier: Apache-2.0
#include <carom/study/boundaries.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <boost/math/tools/toms748_solve.hpp>

namespace carom::study {
namespace {

using Point = std::array<double, 2>;

/// A grid line's node in the units of its axis, between nodes too: `at(2.5)` is half-way from the
/// third to the fourth.
class Nodes {
 public:
  Nodes(const Axis& axis, std::size_t most) : log_(axis.log) {
    const std::size_t n = axis.values.size();
    const std::size_t step = (n + most - 2) / (most - 1);
    for (std::size_t i = 0; i + 1 < n; i += step) values_.push_back(axis.values[i]);
    values_.push_back(axis.values.back());
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] double at(double i) const {
    const auto low = std::min(static_cast<std::size_t>(std::max(i, 0.)), size() - 2);
    const double a = values_[low];
    const double b = values_[low + 1];
    const double share = i - static_cast<double>(low);
    return log_ ? a * std::pow(b / a, share) : a + (b - a) * share;
  }

 private:
  bool log_;
  std::vector<double> values_;
};

/// The problems of a map, at the nodes of a grid and between them. Places are counted in steps.
class Grid {
 public:
  Grid(VariedPoint& point, const Axis& x, const Axis& y, std::size_t most)
      : point_(point), x_(x, most), y_(y, most) {
    nodes_.reserve(columns() * rows());
    for (std::size_t j = 0; j < rows(); ++j) {
      for (std::size_t i = 0; i < columns(); ++i) {
        nodes_.push_back(between(static_cast<double>(i), static_cast<double>(j)));
      }
    }
  }
  [[nodiscard]] std::size_t columns() const { return x_.size(); }
  [[nodiscard]] std::size_t rows() const { return y_.size(); }
  [[nodiscard]] const PlanarProblem& node(std::size_t i, std::size_t j) const {
    return nodes_[j * columns() + i];
  }
  [[nodiscard]] PlanarProblem between(double i, double j) {
    point_.set(1, y_.at(j));
    point_.set(0, x_.at(i));
    return point_.problem();
  }
  [[nodiscard]] Point place(double i, double j) const { return {x_.at(i), y_.at(j)}; }

 private:
  VariedPoint& point_;
  Nodes x_;
  Nodes y_;
  std::vector<PlanarProblem> nodes_;
};

/// Of all that a boundary may separate.
struct Kind {
  Mode mode = Mode::no_impulse;
  int slip = 0;

  bool operator==(const Kind&) const = default;
};

/// One boundary of one law on one map.
class Trace {
 public:
  Trace(const Law& law, const Boundary& boundary, Grid& grid)
      : law_(law), boundary_(boundary), grid_(grid) {}

  [[nodiscard]] std::vector<std::vector<Point>> lines() {
    for (std::size_t j = 0; j + 1 < grid_.rows(); ++j) {
      for (std::size_t i = 0; i + 1 < grid_.columns(); ++i) cross_square(i, j);
    }
    return chained();
  }

 private:
  /// An edge of the grid: from node (i, j) along x or along y.
  struct Edge {
    std::size_t i;
    std::size_t j;
    bool along_y;

    bool operator<(const Edge& e) const {
      return std::tie(i, j, along_y) < std::tie(e.i, e.j, e.along_y);
    }
    bool operator==(const Edge&) const = default;
  };

  [[nodiscard]] double value(double i, double j) const {
    return boundary_.value(grid_.between(i, j));
  }
  [[nodiscard]] double node(std::size_t i, std::size_t j) const {
    return boundary_.value(grid_.node(i, j));
  }

  [[nodiscard]] Kind kind(double i, double j) const {
    const PlanarOutcome o = solve(planar_kernel(law_), grid_.between(i, j));
    return {.mode = o.mode, .slip = (o.velocity.t > 0.) - (o.velocity.t < 0.)};
  }

  /// Is the outcome another one on the two sides?
  [[nodiscard]] bool differs(double i, double j, bool along_y) const {
    if (boundary_.kind == BoundaryKind::reference) return true;
    constexpr double aside = 1e-6;
    const double di = along_y ? 0. : aside;
    const double dj = along_y ? aside : 0.;
    const auto last = [](std::size_t nodes) { return static_cast<double>(nodes - 1); };
    const Kind a = kind(std::max(i - di, 0.), std::max(j - dj, 0.));
    const Kind b =
        kind(std::min(i + di, last(grid_.columns())), std::min(j + dj, last(grid_.rows())));
    return boundary_.kind == BoundaryKind::mode ? a.mode != b.mode : a.slip != b.slip;
  }

  /// Where the boundary crosses an edge, in steps from its first node; nothing where it does not.
  std::optional<double> find(const Edge& e) {
    const double a = node(e.i, e.j);
    const double b = e.along_y ? node(e.i, e.j + 1) : node(e.i + 1, e.j);
    // A node on the line itself belongs to the side of plus, so that it is crossed once.
    if ((a < 0.) == (b < 0.)) return std::nullopt;
    const auto [known, is_new] = crossings_.try_emplace(e, std::nullopt);
    if (!is_new) return known->second;
    const double i = static_cast<double>(e.i);
    const double j = static_cast<double>(e.j);
    const auto along = [&](double s) { return e.along_y ? value(i, j + s) : value(i + s, j); };
    const double s = root(along, a, b);
    // Across a jump of the function there is no root.
    if (std::abs(along(s)) > 1e-6 * std::max(std::abs(a), std::abs(b))) return std::nullopt;
    const bool kept = e.along_y ? differs(i, j + s, true) : differs(i + s, j, false);
    if (kept) known->second = s;
    return known->second;
  }

  template <class Function>
  static double root(const Function& f, double a, double b) {
    if (a == 0.) return 0.;
    if (b == 0.) return 1.;
    std::uintmax_t steps = 60;
    const auto near = [](double low, double high) { return high - low < 1e-9; };
    const auto [low, high] = boost::math::tools::toms748_solve(f, 0., 1., a, b, near, steps);
    return 0.5 * (low + high);
  }

  /// Joins the crossings of one square, two by two.
  void cross_square(std::size_t i, std::size_t j) {
    const std::array<Edge, 4> round{
        {{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}}};
    std::vector<Edge> crossed;
    for (const Edge& e : round) {
      if (find(e)) crossed.push_back(e);
    }
    if (crossed.size() == 2) {
      join(crossed[0], crossed[1]);
    } else if (crossed.size() == 4) {
      // The value in the middle decides which two belong together.
      const bool first = (node(i, j) < 0.) ==
                         (value(static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5) < 0.);
      join(crossed[0], crossed[first ? 1 : 3]);
      join(crossed[2], crossed[first ? 3 : 1]);
    }
  }

  void join(const Edge& a, const Edge& b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }

  [[nodiscard]] Point place(const Edge& e) {
    const double s = *find(e);
    const double i = static_cast<double>(e.i) + (e.along_y ? 0. : s);
    const double j = static_cast<double>(e.j) + (e.along_y ? s : 0.);
    return grid_.place(i, j);
  }

  /// The joined crossings as lines: first those with ends, then what is closed.
  std::vector<std::vector<Point>> chained() {
    std::vector<std::vector<Point>> all;
    for (const bool closed : {false, true}) {
      for (const auto& [edge, next] : neighbours_) {
        if (next.empty() || (!closed && next.size() != 1)) continue;
        all.push_back(follow(edge));
      }
    }
    return all;
  }

  std::vector<Point> follow(Edge at) {
    std::vector<Point> line{place(at)};
    for (;;) {
      auto& next = neighbours_[at];
      if (next.empty()) return line;
      const Edge to = next.back();
      next.pop_back();
      auto& back = neighbours_[to];
      back.erase(std::find(back.begin(), back.end(), at));
      line.push_back(place(to));
      at = to;
    }
  }

  const Law& law_;
  const Boundary& boundary_;
  Grid& grid_;
  std::map<Edge, std::optional<double>> crossings_;
  std::map<Edge, std::vector<Edge>> neighbours_;
};

}  // namespace

std::vector<BoundaryCurve> trace_boundaries(std::span<const Law* const> laws, VariedPoint& point,
                                            const Axis& x, const Axis& y, std::size_t most_lines) {
  Grid grid(point, x, y, most_lines);
  std::vector<BoundaryCurve> curves;
  for (const Law* law : laws) {
    if (!answering(*law, in_the_plane)->planar) continue;  // from outside
    for (const Boundary& b : boundaries(planar_kernel(*law))) {
      BoundaryCurve curve{.kind = b.kind,
                          .law = std::string(law->name),
                          .name = std::string(b.name),
                          .meaning = std::string(b.meaning),
                          .lines = Trace(*law, b, grid).lines()};
      if (!curve.lines.empty()) curves.push_back(std::move(curve));
    }
  }
  return curves;
}

}  // namespace carom::study
