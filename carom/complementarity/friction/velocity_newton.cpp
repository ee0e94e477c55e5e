// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/velocity_newton.hpp>

#include <algorithm>
#include <cmath>

namespace carom::complementarity {
namespace {

/// Newton steps of a round.
constexpr int most_steps = 60;

/// A step ends where the slope of the objective is this part of the first one.
constexpr double flat = 0.1;
constexpr int most_cuts = 40;

}  // namespace

void VelocityNewton::clear(std::size_t bodies, std::size_t block) {
  block_ = block;
  bodies_ = bodies;
  contacts_.clear();
  data_.clear();
  c_.clear();
  P_.clear();
}

void VelocityNewton::add(std::uint32_t first, std::uint32_t second, bool both_ways) {
  contacts_.push_back(
      {.body = {first, second}, .both_ways = both_ways, .at = c_.size(), .data = data_.size()});
}

void VelocityNewton::add_component(const std::array<const double*, 2>& W,
                                   const std::array<const double*, 2>& Y, double scale, double c,
                                   double P) {
  Contact& k = contacts_.back();
  double g = 0.;
  for (std::size_t side = 0; side < 2; ++side) {
    if (k.body[side] == ground) continue;
    for (std::size_t j = 0; j < block_; ++j) g += scale * scale * W[side][j] * Y[side][j];
  }
  k.inertia = std::max(k.inertia, g);
  for (const auto& from : {W, Y}) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (k.body[side] == ground) {
        data_.insert(data_.end(), block_, 0.);
      } else {
        for (std::size_t j = 0; j < block_; ++j) data_.push_back(scale * from[side][j]);
      }
    }
  }
  ++k.components;
  c_.push_back(c);
  P_.push_back(P);
}

void VelocityNewton::bound(std::size_t size, double bound) {
  Contact& k = contacts_.back();
  k.group[k.groups++] = {.first = static_cast<std::uint8_t>(k.components - size),
                         .size = static_cast<std::uint8_t>(size),
                         .bound = bound};
}

void VelocityNewton::begin() {
  find_pattern();
  const std::size_t n = P_.size();
  y_.resize(n);
  made_.resize(n);
  r_.resize(n);
  change_.resize(n);
  z_.resize(n);
  shift_.assign(contacts_.size(), 0.);
  next_shift_.resize(contacts_.size());
  J_.resize(contacts_.size());
  factored_.clear();
  w_.resize(bodies_ * block_);
  fresh_ = true;
  rho_ = 0.;
  anderson_.clear();
}

void VelocityNewton::find_pattern() {
  if (near_.size() < bodies_) near_.resize(bodies_);
  for (std::size_t b = 0; b < bodies_; ++b) near_[b].clear();
  for (const Contact& k : contacts_) {
    const auto& [a, b] = k.body;
    if (a == ground || b == ground) continue;
    near_[a].push_back(b);
    near_[b].push_back(a);
  }
  begin_.assign(1, 0);
  column_.clear();
  for (std::size_t b = 0; b < bodies_; ++b) {
    auto& list = near_[b];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    column_.insert(column_.end(), list.begin(), list.end());
    begin_.push_back(column_.size());
  }
  const auto find = [&](std::uint32_t row, std::uint32_t column) {
    const auto& list = near_[row];
    const auto at = std::lower_bound(list.begin(), list.end(), column) - list.begin();
    return begin_[row] + static_cast<std::size_t>(at);
  };
  for (Contact& k : contacts_) {
    const auto& [a, b] = k.body;
    if (a != ground && b != ground) k.place = {find(a, b), find(b, a)};
  }
  lu_.analyze(block_, begin_, column_);
}

/// Component c of W^T x.
template <std::size_t b>
double VelocityNewton::along(const Contact& k, std::size_t c, std::span<const double> x) const {
  const double* W = &data_[k.data + 4 * b * c];
  double sum = 0.;
  for (std::size_t side = 0; side < 2; ++side, W += b) {
    if (k.body[side] == ground) continue;
    const double* const at = &x[k.body[side] * b];
    for (std::size_t j = 0; j < b; ++j) sum += W[j] * at[j];
  }
  return sum;
}

/// s of each contact, from the velocities that those of the last round have led to.
template <std::size_t b>
void VelocityNewton::find_shifts(std::span<const double> u) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    double sum = 0.;
    for (std::size_t g = 0; g < k.groups; ++g) {
      const Group& group = k.group[g];
      double square = 0.;
      for (std::size_t c = group.first; c < std::size_t{group.first} + group.size; ++c) {
        const double xi = along<b>(k, c, u) + c_[k.at + c];
        square += xi * xi;
      }
      sum += group.bound * std::sqrt(square);
    }
    next_shift_[i] = sum;
  }
}

/// P_n of the projection on the cone: the root of
///
///     P_n - y_n - sum of b_g max(0, |y_g| - b_g P_n),
///
/// which is concave, by Newton's method from below.
/// @param cut  the groups that are cut to their bounds
double VelocityNewton::shrink(const Contact& k, const double* y, std::array<bool, 3>& cut,
                              std::array<double, 3>& size) {
  for (std::size_t g = 0; g < k.groups; ++g) {
    const Group& group = k.group[g];
    double square = 0.;
    for (std::size_t c = group.first; c < std::size_t{group.first} + group.size; ++c) {
      square += y[c] * y[c];
    }
    size[g] = std::sqrt(square);
    cut[g] = size[g] > 0.;
  }
  double normal = 0.;
  for (std::size_t pass = 0; pass <= k.groups; ++pass) {
    double sum = y[0];
    double slope = 1.;
    for (std::size_t g = 0; g < k.groups; ++g) {
      if (!cut[g]) continue;
      sum += k.group[g].bound * size[g];
      slope += k.group[g].bound * k.group[g].bound;
    }
    normal = sum / slope;
    if (!(normal > 0.)) return 0.;
    bool changed = false;
    for (std::size_t g = 0; g < k.groups; ++g) {
      if (!cut[g] || size[g] > k.group[g].bound * normal) continue;
      cut[g] = false;
      changed = true;
    }
    if (!changed) break;
  }
  return normal;
}

void VelocityNewton::project(const Contact& k, const double* y, double* P) {
  std::array<bool, 3> cut{};
  std::array<double, 3> size{};
  const double normal = k.both_ways ? y[0] : shrink(k, y, cut, size);
  P[0] = normal;
  for (std::size_t g = 0; g < k.groups; ++g) {
    const Group& group = k.group[g];
    const double f = !(normal > 0.) ? 0. : cut[g] ? group.bound * normal / size[g] : 1.;
    for (std::size_t c = group.first; c < std::size_t{group.first} + group.size; ++c) {
      P[c] = f * y[c];
    }
  }
}

/// dP/dy: with e = (1, b_g y_g/|y_g|) of the groups that are cut, e e^T/|e|^2, the turning of these
/// groups, and one for the others.
void VelocityNewton::differentiate(const Contact& k, const double* y, Derivative& J) {
  J.fill(0.);
  std::array<bool, 3> cut{};
  std::array<double, 3> size{};
  const double normal = shrink(k, y, cut, size);
  if (k.both_ways) J[0] = 1.;
  if (k.both_ways || !(normal > 0.)) return;
  std::array<double, most_components> e{1.};
  double square = 1.;
  for (std::size_t g = 0; g < k.groups; ++g) {
    const Group& group = k.group[g];
    const std::size_t end = std::size_t{group.first} + group.size;
    if (!cut[g]) {
      for (std::size_t c = group.first; c < end; ++c) J[c * most_components + c] = 1.;
      continue;
    }
    square += group.bound * group.bound;
    const double turn = group.bound * normal / size[g];
    for (std::size_t c = group.first; c < end; ++c) {
      e[c] = group.bound * y[c] / size[g];
      for (std::size_t b = group.first; b < end; ++b) {
        const double along = y[c] / size[g] * (y[b] / size[g]);
        J[c * most_components + b] = turn * ((c == b ? 1. : 0.) - along);
      }
    }
  }
  for (std::size_t c = 0; c < k.components; ++c) {
    for (std::size_t b = 0; b < k.components; ++b) {
      J[c * most_components + b] += e[c] * e[b] / square;
    }
  }
}

/// P(u), its derivatives, and what is left of P.
template <std::size_t b>
void VelocityNewton::respond(std::span<const double> u) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    double* const y = &y_[k.at];
    for (std::size_t c = 0; c < k.components; ++c) {
      const double xi = along<b>(k, c, u) + c_[k.at + c] + (c == 0 ? shift_[i] : 0.);
      y[c] = center_[k.at + c] - xi / k.R;
    }
    project(k, y, &made_[k.at]);
    differentiate(k, y, J_[i]);
  }
  for (std::size_t j = 0; j < P_.size(); ++j) r_[j] = made_[j] - P_[j];
}

/// Y r, and its square in the metric of M.
template <std::size_t b>
double VelocityNewton::push(std::span<double> to) const {
  std::fill(to.begin(), to.end(), 0.);
  for (const Contact& k : contacts_) {
    for (std::size_t c = 0; c < k.components; ++c) {
      const double by = r_[k.at + c];
      const double* Y = &data_[k.data + 4 * b * c + 2 * b];
      for (std::size_t side = 0; side < 2; ++side, Y += b) {
        if (k.body[side] == ground) continue;
        double* const x = &to[k.body[side] * b];
        for (std::size_t j = 0; j < b; ++j) x[j] += Y[j] * by;
      }
    }
  }
  double square = 0.;
  for (const Contact& k : contacts_) {
    for (std::size_t c = 0; c < k.components; ++c) square += r_[k.at + c] * along<b>(k, c, to);
  }
  return square;
}

/// The matrix 1 + Y J W^T/R, unless its factors are known.
template <std::size_t b>
bool VelocityNewton::factorize() {
  ++steps_;
  if (factored_ == J_) return true;
  factored_.clear();
  lu_.clear();
  for (std::size_t body = 0; body < bodies_; ++body) {
    double* const D = lu_.diagonal(body);
    for (std::size_t j = 0; j < b; ++j) D[j * b + j] = 1.;
  }
  constexpr std::size_t most_sides = 12;
  std::array<double, most_components * most_sides> JW{};
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    const Derivative& J = J_[i];
    if (J[0] == 0.) continue;
    const std::size_t m = k.components;
    for (std::size_t r = 0; r < m; ++r) {
      double* const to = &JW[r * most_sides];
      std::fill_n(to, 2 * b, 0.);
      for (std::size_t c = 0; c < m; ++c) {
        const double f = J[r * most_components + c] / k.R;
        if (f == 0.) continue;
        const double* const W = &data_[k.data + 4 * b * c];
        for (std::size_t j = 0; j < 2 * b; ++j) to[j] += f * W[j];
      }
    }
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t o = 0; o < 2; ++o) {
        if (k.body[a] == ground || k.body[o] == ground) continue;
        double* const to = a == o ? lu_.diagonal(k.body[a]) : lu_.off_diagonal(k.place[a]);
        for (std::size_t c = 0; c < m; ++c) {
          const double* const Y = &data_[k.data + 4 * b * c + (2 + a) * b];
          const double* const Z = &JW[c * most_sides + o * b];
          for (std::size_t x = 0; x < b; ++x) {
            for (std::size_t z = 0; z < b; ++z) to[x * b + z] += Y[x] * Z[z];
          }
        }
      }
    }
  }
  if (!lu_.factorize()) return false;
  factored_ = J_;
  return true;
}

/// What a step w changes: z = W^T w of xi, and P by r - J z/R.
template <std::size_t b>
void VelocityNewton::find_change() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    double* const z = &z_[k.at];
    for (std::size_t c = 0; c < k.components; ++c) z[c] = along<b>(k, c, w_);
    for (std::size_t r = 0; r < k.components; ++r) {
      double sum = 0.;
      for (std::size_t c = 0; c < k.components; ++c) sum += J_[i][r * most_components + c] * z[c];
      change_[k.at + r] = r_[k.at + r] - sum / k.R;
    }
  }
}

/// The derivative of the objective along the step, z.(P - P(u)).
double VelocityNewton::slope(double length) const {
  double sum = 0.;
  std::array<double, most_components> y{};
  std::array<double, most_components> P{};
  for (const Contact& k : contacts_) {
    const double* const z = &z_[k.at];
    for (std::size_t c = 0; c < k.components; ++c) y[c] = y_[k.at + c] - length * z[c] / k.R;
    project(k, y.data(), P.data());
    for (std::size_t c = 0; c < k.components; ++c) {
      sum += z[c] * (P_[k.at + c] + length * change_[k.at + c] - P[c]);
    }
  }
  return sum;
}

/// The whole step, or where the objective is least along it, by the Illinois method.
double VelocityNewton::step_length() const {
  double low = 0.;
  double high = 1.;
  double at_low = slope(0.);
  double at_high = slope(1.);
  const double enough = flat * std::abs(at_low);
  if (!(at_high > enough)) return 1.;
  constexpr double margin = 0.05;
  for (int cut = 0; cut < most_cuts; ++cut) {
    const double part = std::clamp(-at_low / (at_high - at_low), margin, 1. - margin);
    const double length = low + (high - low) * part;
    const double here = slope(length);
    if (std::abs(here) <= enough) return length;
    if (here > 0.) {
      high = length;
      at_high = here;
      at_low *= 0.5;
    } else {
      low = length;
      at_low = here;
      at_high *= 0.5;
    }
  }
  return low > 0. ? low : high;
}

bool VelocityNewton::round(std::span<double> u, double least, double rho, bool accelerate) {
  return block_ == 3 ? round_of<3>(u, least, rho, accelerate)
                     : round_of<6>(u, least, rho, accelerate);
}

template <std::size_t b>
bool VelocityNewton::round_of(std::span<double> u, double least, double rho, bool accelerate) {
  set_rho(rho);
  center_ = P_;
  find_shifts<b>(u);
  if (fresh_ || !accelerate) {
    anderson_.clear();
    shift_ = next_shift_;
  } else {
    anderson_.next(shift_, next_shift_);
    for (double& s : shift_) s = std::max(0., s);
  }
  fresh_ = false;
  for (int step = 0; step < most_steps; ++step) {
    respond<b>(u);
    const double error = push<b>(w_);
    if (!std::isfinite(error)) return false;
    if (error <= least * least) break;
    if (!factorize<b>()) return false;
    lu_.solve(w_);
    find_change<b>();
    const double length = step_length();
    for (std::size_t j = 0; j < u.size(); ++j) u[j] += length * w_[j];
    for (std::size_t j = 0; j < P_.size(); ++j) P_[j] += length * change_[j];
  }
  respond<b>(u);
  take_made<b>(u);
  return true;
}

/// Impulses that lie in their cones, and u with their effect.
template <std::size_t b>
void VelocityNewton::take_made(std::span<double> u) {
  for (std::size_t j = 0; j < P_.size(); ++j) r_[j] = made_[j] - P_[j];
  (void)push<b>(w_);
  for (std::size_t j = 0; j < u.size(); ++j) u[j] += w_[j];
  P_ = made_;
}

void VelocityNewton::set_rho(double rho) {
  if (rho == rho_) return;
  rho_ = rho;
  for (Contact& k : contacts_) k.R = rho * k.inertia;
  factored_.clear();
}

// For velocity_descent.cpp and velocity_interior.cpp.
template double VelocityNewton::along<3>(const Contact&, std::size_t,
                                         std::span<const double>) const;
template double VelocityNewton::along<6>(const Contact&, std::size_t,
                                         std::span<const double>) const;
template double VelocityNewton::push<3>(std::span<double>) const;
template double VelocityNewton::push<6>(std::span<double>) const;
template bool VelocityNewton::factorize<3>();
template bool VelocityNewton::factorize<6>();
template void VelocityNewton::find_change<3>();
template void VelocityNewton::find_change<6>();
template void VelocityNewton::take_made<3>(std::span<double>);
template void VelocityNewton::take_made<6>(std::span<double>);

}  // namespace carom::complementarity
