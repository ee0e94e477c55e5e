// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/euler.hpp>

#include <algorithm>
#include <cmath>

#include <carom/laws/lzb/friction.hpp>

namespace carom::lzb {
namespace {

class Euler {
 public:
  Euler(const Model& model, std::size_t steps)
      : model_(model), groups_(make_groups(model)), d_(model.components) {
    const std::size_t n = model.size();
    end_.P.assign(n * d_, 0.);
    for (auto* v : {&end_.compression, &end_.restitution, &end_.friction}) v->assign(n, 0.);
    end_.recompressed.assign(n, false);
    E_.assign(n, 0.);
    v_.assign(n * d_, 0.);
    dP_.assign(n * d_, 0.);
    expanded_.assign(n, false);
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      const Contact& c = model.contacts[i];
      if (model.approach[i * d_] < 0. && c.mobility > 0.) {
        sum -= model.approach[i * d_] / c.mobility;
      }
    }
    step_ = sum / static_cast<double>(steps);
    update_velocities();
  }

  EulerEnd run(std::size_t most_steps) {
    while (!finished()) {
      if (end_.steps++ >= most_steps || !step()) {
        end_.converged = false;
        break;
      }
    }
    return end_;
  }

 private:
  [[nodiscard]] bool finished() const {
    for (std::size_t i = 0; i < E_.size(); ++i) {
      if (E_[i] > 0. || v_[i * d_] < -rest) return false;
    }
    return true;
  }

  void update_velocities() {
    for (std::size_t i = 0; i < E_.size(); ++i) {
      model_.velocity(i, end_.P.data(), v_.data() + i * d_);
    }
  }

  /// The primary contact: the one with the most stored energy; at first, the one that closes
  /// fastest.
  [[nodiscard]] std::size_t primary() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < E_.size(); ++i) {
      if (E_[i] > E_[best] || (E_[i] == E_[best] && v_[i * d_] < v_[best * d_])) best = i;
    }
    return best;
  }

  /// dP_i of every contact for dP_j of the primary contact [eqs 2.28, 2.30].
  bool distribute(std::size_t j) {
    const Contact& cj = model_.contacts[j];
    const double dp = step_;
    const double speed = -v_[j * d_];
    double dt = 0.;  // time in which the primary force delivers its impulse
    if (E_[j] > 0.) {
      const double x = std::pow((cj.exponent + 1.) * E_[j] / cj.stiffness, 1. / (cj.exponent + 1.));
      dt = dp / cj.force(x);
    } else {
      if (!(speed > 0.)) return false;
      // From rest: P = k v^a t^(a+1)/(a+1).
      const double a = cj.exponent + 1.;
      dt = std::pow(dp * a / (cj.stiffness * std::pow(speed, cj.exponent)), 1. / a);
    }
    for (std::size_t i = 0; i < E_.size(); ++i) {
      const Contact& c = model_.contacts[i];
      double normal = 0.;
      if (i == j) {
        normal = dp;
      } else if (E_[i] > 0.) {
        const double a = c.exponent + 1.;
        normal = c.force(std::pow(a * E_[i] / c.stiffness, 1. / a)) * dt;
      } else if (v_[i * d_] < -rest) {
        // E = 0 gives no force: start from the deformation x = -v_n dt, F = k x^a.
        normal = c.force(-v_[i * d_] * dt) * dt;
      }
      dP_[i * d_] = normal;
    }
    return true;
  }

  bool step() {
    if (!distribute(primary())) return false;
    if (d_ > 1) add_friction();
    // Update the energies with the velocities at the middle of the step [eqs 2.31, 2.32].
    before_ = v_;
    for (std::size_t k = 0; k < dP_.size(); ++k) end_.P[k] += dP_[k];
    update_velocities();
    for (std::size_t i = 0; i < E_.size(); ++i) {
      const Contact& c = model_.contacts[i];
      const double work = 0.5 * dP_[i * d_] * (before_[i * d_] + v_[i * d_]);
      for (std::size_t e = 1; e < d_; ++e) {
        end_.friction[i] += 0.5 * dP_[i * d_ + e] * (before_[i * d_ + e] + v_[i * d_ + e]);
      }
      if (work < 0.) {
        end_.recompressed[i] = end_.recompressed[i] || expanded_[i];
        end_.compression[i] += work;
        E_[i] -= work;
      } else if (work > 0.) {
        expanded_[i] = true;
        end_.restitution[i] += work;
        E_[i] = c.restitution > 0. ? std::max(0., E_[i] - work * c.expansion) : 0.;
      }
      if (c.restitution == 0. && v_[i * d_] >= 0.) E_[i] = 0.;
    }
    return true;
  }

  /// Uses the slip at the beginning of the step, unless friction would reverse it. Then it uses the
  /// impulses that end slip, within the limits.
  void add_friction() {
    const std::size_t w = d_ - 1;
    std::vector<std::size_t> pushing;
    std::vector<double> limits;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      double limit = 0.;
      double static_limit = 0.;
      double slip = 0.;
      const std::size_t one = groups_.contacts[g].front();
      for (std::size_t e = 1; e < d_; ++e) slip = std::hypot(slip, v_[one * d_ + e]);
      for (const std::uint32_t i : groups_.contacts[g]) {
        limit += model_.contacts[i].friction * dP_[i * d_];
        static_limit += model_.contacts[i].static_friction * dP_[i * d_];
        for (std::size_t e = 1; e < d_; ++e) dP_[i * d_ + e] = 0.;
      }
      if (!(static_limit > 0.)) continue;
      pushing.push_back(g);
      limits.push_back(slip <= rest ? static_limit : limit);
    }
    if (pushing.empty()) return;
    problem_.width = w;
    const auto rows = static_cast<Eigen::Index>(pushing.size() * w);
    if (problem_.b.size() != rows) problem_.f.resize(0);
    problem_.A.setZero(rows, rows);
    problem_.b.setZero(rows);
    for (std::size_t s = 0; s < pushing.size(); ++s) {
      const std::size_t i = groups_.contacts[pushing[s]].front();
      const auto row = model_.row(i);
      for (std::size_t c = 0; c < w; ++c) {
        double& b = problem_.b(static_cast<Eigen::Index>(s * w + c));
        b = v_[i * d_ + 1 + c];
        for (std::size_t k = 0; k < row.size(); ++k) {
          b += model_.block(i, k)[(c + 1) * d_] * dP_[row[k] * d_];
        }
      }
      for (std::size_t t = 0; t < pushing.size(); ++t) {
        const double* block = model_.find(i, groups_.contacts[pushing[t]].front());
        if (block == nullptr) continue;
        for (std::size_t c = 0; c < w; ++c) {
          for (std::size_t e = 0; e < w; ++e) {
            problem_.A(static_cast<Eigen::Index>(s * w + c), static_cast<Eigen::Index>(t * w + e)) =
                block[(c + 1) * d_ + e + 1];
          }
        }
      }
    }
    problem_.solve(limits);
    for (std::size_t s = 0; s < pushing.size(); ++s) {
      double total = 0.;
      for (const std::uint32_t i : groups_.contacts[pushing[s]]) {
        total += model_.contacts[i].static_friction * dP_[i * d_];
      }
      for (const std::uint32_t i : groups_.contacts[pushing[s]]) {
        const double part = model_.contacts[i].static_friction * dP_[i * d_] / total;
        for (std::size_t c = 0; c < w; ++c) {
          dP_[i * d_ + 1 + c] = part * problem_.f(static_cast<Eigen::Index>(s * w + c));
        }
      }
    }
  }

  static constexpr double rest = 1e-12;

  const Model& model_;
  const Groups groups_;
  const std::size_t d_;
  double step_ = 0.;
  std::vector<double> E_;
  std::vector<double> v_;
  std::vector<double> before_;
  std::vector<double> dP_;
  std::vector<bool> expanded_;
  ZeroSlip problem_;
  EulerEnd end_;
};

}  // namespace

EulerEnd euler(const Model& model, std::size_t steps, std::size_t most_steps) {
  return Euler(model, steps).run(most_steps);
}

}  // namespace carom::lzb
