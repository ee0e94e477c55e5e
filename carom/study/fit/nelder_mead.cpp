// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/nelder_mead.hpp>

#include <algorithm>
#include <cmath>

namespace carom::study::fit {
namespace {

struct Vertex {
  std::vector<double> x;
  double f = 0.;
};

class Simplex {
 public:
  Simplex(const std::function<double(const std::vector<double>&)>& f, const SimplexOptions& o)
      : f_(f), o_(o) {}

  Minimum minimise(const std::vector<double>& start) {
    begin(start);
    while (used_ < o_.evaluations && size() > o_.tolerance) step();
    sort();
    return {.at = vertices_[0].x,
            .value = vertices_[0].f,
            .evaluations = used_,
            .converged = size() <= o_.tolerance};
  }

 private:
  [[nodiscard]] Vertex vertex(std::vector<double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], o_.low[i], o_.high[i]);
    ++used_;
    const double f = f_(x);
    return {.x = std::move(x), .f = f};
  }

  void begin(const std::vector<double>& start) {
    vertices_.push_back(vertex(start));
    for (std::size_t i = 0; i < start.size(); ++i) {
      std::vector<double> x = start;
      const double by = o_.size * (o_.high[i] - o_.low[i]);
      x[i] += x[i] + by <= o_.high[i] ? by : -by;
      vertices_.push_back(vertex(std::move(x)));
    }
  }

  void sort() {
    std::stable_sort(vertices_.begin(), vertices_.end(),
                     [](const Vertex& a, const Vertex& b) { return a.f < b.f; });
  }

  /// The largest distance of a vertex from the first along an axis, in parts of its range.
  [[nodiscard]] double size() const {
    double most = 0.;
    for (const Vertex& v : vertices_) {
      for (std::size_t i = 0; i < v.x.size(); ++i) {
        most = std::max(most, std::abs(v.x[i] - vertices_[0].x[i]) / (o_.high[i] - o_.low[i]));
      }
    }
    return most;
  }

  /// The worst vertex moved along the line through the middle of the others: -1 is its mirror
  /// image.
  [[nodiscard]] Vertex moved(double by) {
    const std::size_t n = vertices_.size() - 1;
    std::vector<double> x(n, 0.);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) x[i] += vertices_[k].x[i] / static_cast<double>(n);
    }
    for (std::size_t i = 0; i < n; ++i) x[i] += by * (vertices_[n].x[i] - x[i]);
    return vertex(std::move(x));
  }

  void step() {
    sort();
    Vertex& worst = vertices_.back();
    Vertex mirrored = moved(-1.);
    if (mirrored.f < vertices_[0].f) {
      Vertex further = moved(-2.);
      worst = further.f < mirrored.f ? std::move(further) : std::move(mirrored);
      return;
    }
    if (mirrored.f < vertices_[vertices_.size() - 2].f) {
      worst = std::move(mirrored);
      return;
    }
    Vertex nearer = moved(mirrored.f < worst.f ? -0.5 : 0.5);
    if (nearer.f < std::min(mirrored.f, worst.f)) {
      worst = std::move(nearer);
      return;
    }
    for (std::size_t k = 1; k < vertices_.size() && used_ < o_.evaluations; ++k) {
      std::vector<double> x = vertices_[k].x;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5 * (x[i] + vertices_[0].x[i]);
      vertices_[k] = vertex(std::move(x));
    }
  }

  const std::function<double(const std::vector<double>&)>& f_;
  const SimplexOptions& o_;
  std::vector<Vertex> vertices_;
  std::size_t used_ = 0;
};

}  // namespace

Minimum nelder_mead(const std::function<double(const std::vector<double>&)>& f,
                    const std::vector<double>& start, const SimplexOptions& options) {
  return Simplex(f, options).minimise(start);
}

}  // namespace carom::study::fit
