// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_contours.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace carom::report {
namespace {

/// A crossing of an edge of the grid: the edge's number tells it apart.
struct Crossing {
  std::size_t edge = 0;
  Spot spot;
};

class Marching {
 public:
  /// A plateau at the level, but for rounding, lies below it.
  Marching(const NumberGrid& grid, double level, double jump)
      : grid_(grid), level_(level + 1e-12 * std::abs(level)), jump_(jump) {}

  std::vector<Polyline> lines() {
    for (std::size_t j = 0; j + 1 < grid_.rows; ++j) {
      for (std::size_t i = 0; i + 1 < grid_.columns; ++i) cell(i, j);
    }
    return joined();
  }

 private:
  void cell(std::size_t i, std::size_t j) {
    const std::array<double, 4> z = {grid_.at(i, j), grid_.at(i + 1, j), grid_.at(i + 1, j + 1),
                                     grid_.at(i, j + 1)};
    const auto [least, most] = std::minmax_element(z.begin(), z.end());
    for (const double value : z) {
      if (!std::isfinite(value)) return;
    }
    if (!(*most - *least <= jump_)) return;
    std::array<bool, 4> above{};
    for (std::size_t k = 0; k < 4; ++k) above[k] = z[k] > level_;
    std::vector<Crossing> found;
    if (above[0] != above[1]) found.push_back(along_x(i, j));
    if (above[1] != above[2]) found.push_back(along_y(i + 1, j));
    if (above[2] != above[3]) found.push_back(along_x(i, j + 1));
    if (above[3] != above[0]) found.push_back(along_y(i, j));
    if (found.size() == 2) {
      join(found[0], found[1]);
    } else if (found.size() == 4) {
      // A saddle: the mean says which corners hang together.
      const bool middle = 0.25 * (z[0] + z[1] + z[2] + z[3]) > level_;
      const bool first = middle == above[0];
      join(found[0], found[first ? 1 : 3]);
      join(found[2], found[first ? 3 : 1]);
    }
  }

  [[nodiscard]] double part(double a, double b) const { return (level_ - a) / (b - a); }
  [[nodiscard]] Spot spot(double i, double j) const {
    return {i / static_cast<double>(grid_.columns - 1), j / static_cast<double>(grid_.rows - 1)};
  }
  [[nodiscard]] Crossing along_x(std::size_t i, std::size_t j) const {
    const double s = part(grid_.at(i, j), grid_.at(i + 1, j));
    return {.edge = 2 * (j * grid_.columns + i),
            .spot = spot(static_cast<double>(i) + s, static_cast<double>(j))};
  }
  [[nodiscard]] Crossing along_y(std::size_t i, std::size_t j) const {
    const double s = part(grid_.at(i, j), grid_.at(i, j + 1));
    return {.edge = 2 * (j * grid_.columns + i) + 1,
            .spot = spot(static_cast<double>(i), static_cast<double>(j) + s)};
  }

  void join(const Crossing& a, const Crossing& b) {
    for (const Crossing* c : {&a, &b}) spots_[c->edge] = c->spot;
    next_[a.edge].push_back(b.edge);
    next_[b.edge].push_back(a.edge);
  }

  std::vector<Polyline> joined() {
    std::vector<Polyline> lines;
    // Open lines from their ends first, then what is closed.
    for (const std::size_t most : {std::size_t{1}, std::size_t{2}}) {
      for (auto& [start, others] : next_) {
        if (others.empty() || others.size() > most) continue;
        Polyline line{spots_[start]};
        std::size_t at = start;
        while (!next_[at].empty()) {
          const std::size_t to = next_[at].back();
          next_[at].pop_back();
          auto& back = next_[to];
          back.erase(std::find(back.begin(), back.end(), at));
          line.push_back(spots_[to]);
          at = to;
        }
        lines.push_back(std::move(line));
      }
    }
    return lines;
  }

  const NumberGrid& grid_;
  double level_;
  double jump_;
  std::map<std::size_t, Spot> spots_;
  std::map<std::size_t, std::vector<std::size_t>> next_;
};

double distance(const Spot& a, const Spot& b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// A point of a line and the line's direction there.
struct Station {
  Spot spot;
  Spot along;  ///< a unit vector
};

/// Points every `step` pixels; the direction over a letter's length, not over one cell's.
std::vector<Station> stations(const Polyline& line, double step) {
  std::vector<Spot> even;
  double due = 0.;
  for (std::size_t k = 1; k < line.size(); ++k) {
    const double piece = distance(line[k - 1], line[k]);
    for (; piece > 0. && due <= piece; due += step) {
      const double s = due / piece;
      even.push_back({line[k - 1].x + s * (line[k].x - line[k - 1].x),
                      line[k - 1].y + s * (line[k].y - line[k - 1].y)});
    }
    due -= piece;
  }
  std::vector<Station> all;
  for (std::size_t k = 0; k < even.size(); ++k) {
    const Spot& a = even[k < 2 ? 0 : k - 2];
    const Spot& b = even[std::min(k + 2, even.size() - 1)];
    const double size = distance(a, b);
    if (!(size > 0.)) continue;
    all.push_back({.spot = even[k], .along = {(b.x - a.x) / size, (b.y - a.y) / size}});
  }
  return all;
}

/// The gap between two boxes; 0 where they overlap.
double gap(const Box& a, const Box& b) {
  const double x = std::max({0., b.left - a.right, a.left - b.right});
  const double y = std::max({0., b.bottom - a.top, a.bottom - b.top});
  return std::hypot(x, y);
}

/// How far the box is from what is there, no more than `enough`; negative where it overlaps.
double room(const Box& box, const Box& panel, const std::vector<Box>& taken, double enough) {
  if (!panel.holds(box.widened(2.))) return -1.;
  double least = enough;
  least = std::min({least, box.left - panel.left, panel.right - box.right,
                    box.bottom - panel.bottom, panel.top - box.top});
  for (const Box& other : taken) {
    const double between = gap(box, other);
    if (between < 3.) return -1.;
    least = std::min(least, between);
  }
  return least;
}

}  // namespace

double length(const Polyline& line) {
  double sum = 0.;
  for (std::size_t k = 1; k < line.size(); ++k) sum += distance(line[k - 1], line[k]);
  return sum;
}

std::vector<Polyline> contour(const NumberGrid& grid, double level, double jump) {
  if (grid.columns < 2 || grid.rows < 2) return {};
  return Marching(grid, level, jump).lines();
}

double leap(const NumberGrid& grid, double range) {
  std::vector<double> differences;
  for (std::size_t j = 0; j + 1 < grid.rows; ++j) {
    for (std::size_t i = 0; i + 1 < grid.columns; ++i) {
      const double d = std::max(std::abs(grid.at(i + 1, j) - grid.at(i, j)),
                                std::abs(grid.at(i, j + 1) - grid.at(i, j)));
      if (std::isfinite(d)) differences.push_back(d);
    }
  }
  if (differences.size() < 400) return std::numeric_limits<double>::infinity();
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  return std::max(0.12 * range, 20. * *middle);
}

std::vector<Polyline> inside(const Polyline& line, double width, double height) {
  const Box panel{.left = 0., .bottom = 0., .right = width, .top = height};
  std::vector<Polyline> pieces;
  bool open = false;
  for (std::size_t k = 1; k < line.size(); ++k) {
    const Spot& a = line[k - 1];
    const Spot& b = line[k];
    const auto part = shares_inside(a, b, panel);
    if (!part) {
      open = false;
      continue;
    }
    const auto at = [&](double s) { return Spot{a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)}; };
    if (!open) pieces.push_back({at(part->least)});
    pieces.back().push_back(at(part->most));
    open = part->most == 1.;
  }
  return pieces;
}

std::vector<Polyline> outside(const Polyline& line, const Box& box) {
  std::vector<Polyline> pieces(1);
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (k > 0) {
      const Spot& a = line[k - 1];
      const Spot& b = line[k];
      const auto at = [&](double s) { return Spot{a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)}; };
      if (const auto part = shares_inside(a, b, box)) {
        if (part->least > 0.) pieces.back().push_back(at(part->least));
        pieces.emplace_back();
        if (part->most < 1.) pieces.back().push_back(at(part->most));
      }
    }
    if (!box.holds(line[k])) pieces.back().push_back(line[k]);
  }
  std::erase_if(pieces, [](const Polyline& piece) { return piece.size() < 2; });
  return pieces;
}

std::optional<Spot> place_on(const std::vector<Polyline>& lines, const std::string& text,
                             double size, const Box& panel, const std::vector<Polyline>& others,
                             const std::vector<Box>& taken) {
  std::optional<Spot> best;
  double best_score = 0.;
  for (const Polyline& line : lines) {
    const double whole = length(line);
    const double width = text_box(text, {}, size).width();
    if (whole < std::max(2.5 * width, 90.)) continue;
    const auto all = stations(line, 6.);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Box box = text_box(text, all[k].spot, size);
      const double free = room(box, panel.widened(-4.), taken, 40.);
      const bool crossed = std::any_of(others.begin(), others.end(), [&](const Polyline& other) {
        return touches(other, box.widened(2.));
      });
      if (free < 0. || crossed) continue;
      // Best where the line runs along the text, on a long line, not at its end.
      const double end = 6. * static_cast<double>(std::min(k, all.size() - 1 - k));
      const double score = 1. + free + 25. * std::abs(all[k].along.x) + std::min(whole, 400.) / 8. +
                           std::min(end, 60.) / 2.;
      if (score > best_score) {
        best_score = score;
        best = all[k].spot;
      }
    }
  }
  return best;
}

std::optional<Spot> place_beside(const std::vector<Polyline>& lines, const std::string& text,
                                 double size, const Box& panel, const std::vector<Polyline>& others,
                                 const std::vector<Box>& taken) {
  std::optional<Spot> best;
  double best_score = 0.;
  const Box letters = text_box(text, {}, size);
  for (const Polyline& line : lines) {
    for (const Station& at : stations(line, 8.)) {
      const Spot across{-at.along.y, at.along.x};
      const double reach = 0.5 * letters.width() * std::abs(across.x) +
                           0.5 * letters.height() * std::abs(across.y) + 3.;
      for (const double side : {1., -1.}) {
        const Spot centre{at.spot.x + side * reach * across.x, at.spot.y + side * reach * across.y};
        const Box box = text_box(text, centre, size);
        const double free = room(box, panel, taken, 30.);
        if (free < 0.) continue;
        double clear = 0.;  // how much the box can grow before it meets another line
        for (const double more : {1., 6., 12., 20.}) {
          const bool meets = std::any_of(others.begin(), others.end(), [&](const Polyline& other) {
            return touches(other, box.widened(more));
          });
          if (meets || touches(line, box.widened(std::min(more, 1.)))) break;
          clear = more;
        }
        const double score = clear > 0. ? free + 2. * clear : 0.;
        if (score > best_score) {
          best_score = score;
          best = centre;
        }
      }
    }
  }
  return best;
}

}  // namespace carom::report
