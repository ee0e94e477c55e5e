// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_regions.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/report/map_words.hpp>

namespace carom::report {
namespace {

constexpr double place_size = 2.;  // [px]; labels need no finer places
constexpr std::size_t most_labels = 24;

/// The grid as the panel shows it, in cells of a few pixels.
CategoryGrid shown(const CategoryGrid& grid, double width, double height) {
  const auto samples = [](std::size_t count, double size) {
    const auto places = static_cast<std::size_t>(std::max(1., size / place_size));
    std::vector<std::size_t> nearest(places);
    for (std::size_t p = 0; p < places; ++p) {
      const double share = (static_cast<double>(p) + 0.5) / static_cast<double>(places);
      nearest[p] = static_cast<std::size_t>(std::lround(share * static_cast<double>(count - 1)));
    }
    return nearest;
  };
  const auto columns = samples(grid.columns, width);
  const auto rows = samples(grid.rows, height);
  CategoryGrid panel{.columns = columns.size(), .rows = rows.size(), .cell = {}};
  panel.cell.reserve(columns.size() * rows.size());
  for (const std::size_t j : rows) {
    for (const std::size_t i : columns) panel.cell.push_back(grid.at(i, j));
  }
  return panel;
}

/// Cells that hang together by their edges.
struct Region {
  int category = 0;
  std::size_t size = 0;
  std::size_t left = 0, right = 0, bottom = 0, top = 0;
};

/// The region of each cell, and all of them.
struct Regions {
  std::vector<int> of;
  std::vector<Region> all;
};

Regions regions(const CategoryGrid& grid) {
  Regions found{.of = std::vector<int>(grid.cell.size(), -1), .all = {}};
  std::vector<std::size_t> waiting;
  for (std::size_t start = 0; start < grid.cell.size(); ++start) {
    if (found.of[start] >= 0) continue;
    const int name = static_cast<int>(found.all.size());
    const int category = grid.cell[start];
    const std::size_t i0 = start % grid.columns;
    const std::size_t j0 = start / grid.columns;
    Region region{
        .category = category, .size = 0, .left = i0, .right = i0, .bottom = j0, .top = j0};
    const auto reach = [&](std::size_t cell) {
      if (found.of[cell] >= 0 || grid.cell[cell] != category) return;
      found.of[cell] = name;
      waiting.push_back(cell);
    };
    reach(start);
    while (!waiting.empty()) {
      const std::size_t cell = waiting.back();
      waiting.pop_back();
      const std::size_t i = cell % grid.columns;
      const std::size_t j = cell / grid.columns;
      ++region.size;
      region.left = std::min(region.left, i);
      region.right = std::max(region.right, i);
      region.bottom = std::min(region.bottom, j);
      region.top = std::max(region.top, j);
      if (i > 0) reach(cell - 1);
      if (i + 1 < grid.columns) reach(cell + 1);
      if (j > 0) reach(cell - grid.columns);
      if (j + 1 < grid.rows) reach(cell + grid.columns);
    }
    found.all.push_back(region);
  }
  return found;
}

/// Tells of any rectangle of cells how many are free, at once.
class FreeCells {
 public:
  FreeCells(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), sum_((columns + 1) * (rows + 1)) {}

  template <class Free>
  void count(const Free& free) {
    for (std::size_t j = 0; j < rows_; ++j) {
      for (std::size_t i = 0; i < columns_; ++i) {
        sum(i + 1, j + 1) =
            sum(i, j + 1) + sum(i + 1, j) - sum(i, j) + (free(j * columns_ + i) ? 1 : 0);
      }
    }
  }

  /// Are all cells up to `a` columns and `b` rows away free, and none of them outside?
  [[nodiscard]] bool holds(std::size_t i, std::size_t j, std::size_t a, std::size_t b) const {
    if (i < a || j < b || i + a >= columns_ || j + b >= rows_) return false;
    const int inside = sum(i + a + 1, j + b + 1) - sum(i - a, j + b + 1) - sum(i + a + 1, j - b) +
                       sum(i - a, j - b);
    return inside == static_cast<int>((2 * a + 1) * (2 * b + 1));
  }

 private:
  [[nodiscard]] int& sum(std::size_t i, std::size_t j) { return sum_[j * (columns_ + 1) + i]; }
  [[nodiscard]] int sum(std::size_t i, std::size_t j) const { return sum_[j * (columns_ + 1) + i]; }

  std::size_t columns_;
  std::size_t rows_;
  std::vector<int> sum_;
};

class Placer {
 public:
  Placer(const CategoryGrid& grid, double width, double height)
      : grid_(grid),
        found_(regions(grid)),
        taken_(grid.cell.size(), false),
        free_(grid.columns, grid.rows),
        cell_width_(width / static_cast<double>(grid.columns)),
        cell_height_(height / static_cast<double>(grid.rows)) {}

  void take(const Box& box) {
    const auto [i0, i1] = cells(box.left, box.right, cell_width_, grid_.columns);
    const auto [j0, j1] = cells(box.bottom, box.top, cell_height_, grid_.rows);
    for (std::size_t j = j0; j < j1; ++j) {
      for (std::size_t i = i0; i < i1; ++i) taken_[j * grid_.columns + i] = true;
    }
  }

  void take(const Polyline& line) {
    for (std::size_t k = 1; k < line.size(); ++k) {
      const double dx = line[k].x - line[k - 1].x;
      const double dy = line[k].y - line[k - 1].y;
      const double steps = std::max(std::abs(dx) / cell_width_, std::abs(dy) / cell_height_);
      if (!(steps < 1e5)) continue;
      const int n = 1 + static_cast<int>(2. * steps);
      for (int s = 0; s <= n; ++s) {
        const double share = static_cast<double>(s) / n;
        const double i = std::floor((line[k - 1].x + share * dx) / cell_width_);
        const double j = std::floor((line[k - 1].y + share * dy) / cell_height_);
        if (i < 0. || j < 0. || i >= static_cast<double>(grid_.columns) ||
            j >= static_cast<double>(grid_.rows)) {
          continue;
        }
        taken_[static_cast<std::size_t>(j) * grid_.columns + static_cast<std::size_t>(i)] = true;
      }
    }
  }

  [[nodiscard]] std::vector<RegionLabel> place(const std::vector<std::string>& names) {
    std::vector<int> order(found_.all.size());
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = static_cast<int>(r);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return region(a).size > region(b).size; });
    std::vector<RegionLabel> placed;
    for (const int r : order) {
      const int category = region(r).category;
      if (placed.size() == most_labels) break;
      if (category < 0 || static_cast<std::size_t>(category) >= names.size()) continue;
      const std::string& name = names[static_cast<std::size_t>(category)];
      if (name.empty()) continue;
      if (auto label = place(r, name)) {
        take(label->box);
        placed.push_back(*label);
      }
    }
    return placed;
  }

 private:
  [[nodiscard]] const Region& region(int r) const {
    return found_.all[static_cast<std::size_t>(r)];
  }

  /// The cells that [from, to) touches.
  static std::pair<std::size_t, std::size_t> cells(double from, double to, double size,
                                                   std::size_t count) {
    const double most = static_cast<double>(count);
    const auto first = std::clamp(std::floor(from / size), 0., most);
    const auto last = std::clamp(std::ceil(to / size), 0., most);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
  }

  std::optional<RegionLabel> place(int r, const std::string& name) {
    const Box text = text_box(name, {}, letter_size);
    const double area = static_cast<double>(region(r).size) * cell_width_ * cell_height_;
    if (area < 0.5 * text.width() * text.height()) return std::nullopt;
    free_.count([&](std::size_t cell) { return found_.of[cell] == r && !taken_[cell]; });
    const bool long_name = letters(name) > 2;
    for (const double share : {1., 0.8}) {
      for (const bool upright : {false, true}) {
        if (upright && !long_name) continue;
        const Box box = text_box(name, {}, share * letter_size);
        const double w = upright ? box.height() : box.width();
        const double h = upright ? box.width() : box.height();
        if (const auto centre = best(r, w, h)) {
          return RegionLabel{.category = region(r).category,
                             .centre = *centre,
                             .size = share * letter_size,
                             .upright = upright,
                             .box = {.left = centre->x - w / 2.,
                                     .bottom = centre->y - h / 2.,
                                     .right = centre->x + w / 2.,
                                     .top = centre->y + h / 2.}};
        }
      }
    }
    return std::nullopt;
  }

  /// The place where a box of this shape could grow most within the region.
  [[nodiscard]] std::optional<Spot> best(int r, double w, double h) const {
    for (double growth = 30.; growth > 1.1; growth *= 0.85) {
      // A margin of some pixels whatever the shape.
      const double margin = 3. * growth;
      const auto reach = [&](double size, double cell) {
        return static_cast<std::size_t>(std::ceil((0.5 * size * growth + margin) / cell));
      };
      const std::size_t a = reach(w, cell_width_);
      const std::size_t b = reach(h, cell_height_);
      std::vector<Spot> all;
      Spot mean;
      const Region& where = region(r);
      for (std::size_t j = where.bottom; j <= where.top; ++j) {
        for (std::size_t i = where.left; i <= where.right; ++i) {
          if (!free_.holds(i, j, a, b)) continue;
          all.push_back({static_cast<double>(i), static_cast<double>(j)});
          mean.x += all.back().x;
          mean.y += all.back().y;
        }
      }
      if (all.empty()) continue;
      mean.x /= static_cast<double>(all.size());
      mean.y /= static_cast<double>(all.size());
      const auto nearest = std::min_element(all.begin(), all.end(), [&](auto& s, auto& t) {
        return distance(s, mean) < distance(t, mean);
      });
      return Spot{(nearest->x + 0.5) * cell_width_, (nearest->y + 0.5) * cell_height_};
    }
    return std::nullopt;
  }

  [[nodiscard]] double distance(const Spot& s, const Spot& t) const {
    return std::hypot((s.x - t.x) * cell_width_, (s.y - t.y) * cell_height_);
  }

  const CategoryGrid& grid_;
  Regions found_;
  std::vector<bool> taken_;
  FreeCells free_;
  double cell_width_;
  double cell_height_;
};

}  // namespace

std::vector<Strip> strips(const CategoryGrid& grid) {
  const Regions found = regions(grid);
  std::vector<Strip> all;
  for (const Region& r : found.all) {
    if (r.category < 0) continue;
    const bool row = r.bottom == r.top && r.right > r.left && grid.rows > 2;
    const bool column = r.left == r.right && r.top > r.bottom && grid.columns > 2;
    if (!row && !column) continue;
    // Only at the edge, where something may be by itself; thin ones elsewhere are what they are.
    // Short ones are tips of regions that sampling cut off, or noise.
    const std::size_t at = row ? r.bottom : r.left;
    const std::size_t across = row ? grid.rows : grid.columns;
    const std::size_t along = row ? grid.columns : grid.rows;
    const bool at_edge = at == 0 || at + 1 == across;
    if (!at_edge || r.size < std::max<std::size_t>(3, along / 50)) continue;
    all.push_back({.category = r.category,
                   .row = row,
                   .at = at,
                   .first = row ? r.left : r.bottom,
                   .last = row ? r.right : r.top});
  }
  std::stable_sort(all.begin(), all.end(), [](const Strip& a, const Strip& b) {
    return a.last - a.first > b.last - b.first;
  });
  return all;
}

std::vector<RegionLabel> place_labels(const CategoryGrid& grid,
                                      const std::vector<std::string>& names, double width,
                                      double height, const std::vector<Box>& obstacles,
                                      const std::vector<Polyline>& lines) {
  if (grid.cell.empty()) return {};
  const CategoryGrid panel = shown(grid, width, height);
  Placer placer(panel, width, height);
  for (const Box& box : obstacles) placer.take(box);
  for (const Polyline& line : lines) placer.take(line);
  return placer.place(names);
}

}  // namespace carom::report
