// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/complementarity/friction/velocity_newton.hpp>

// Interior-point steps, see VelocityNewton::follow_path.
namespace carom::complementarity {
namespace {

/// sqrt(tau) at the start and at the end, relative to the unit.
constexpr double first_tau = 1.;
constexpr double last_tau = 1e-5;

/// R relative to the inertia at a contact: impulses stay finite where bodies are jammed, and what
/// it changes of velocities is far below what Newton steps after it leave.
constexpr double path_rho = 1e-7;

/// A step goes this part of the way to the boundary.
constexpr double part_of_way = 0.9;
constexpr int most_steps = 60;
/// After so many steps in a row below this length the path turns back.
constexpr double short_length = 0.1;
constexpr int most_short = 2;

/// tau of a step is at least this part of the mean product, and this part of the last tau.
constexpr double least_centring = 1e-3;
constexpr double below_last = 1e-2;

/// The smallest positive root of c + 2 h t + a t^2; a large number if there is none. @pre c > 0
double first_root(double a, double h, double c) {
  constexpr double never = 1e30;
  const double inside = h * h - a * c;
  if (a < 0.) return (h + std::sqrt(inside)) / -a;
  return h < 0. && inside >= 0. ? c / (-h + std::sqrt(inside)) : never;
}

}  // namespace

/// A group of components in the interior: B = b P_n, and phi = B - |P_g|^2/B.
struct VelocityNewton::Inside {
  Inside(const Group& group, const double* P)
      : begin(group.first),
        end(std::size_t{group.first} + group.size),
        bound(group.bound),
        normal(P[0]),
        B(group.bound * P[0]) {
    for (std::size_t c = begin; c < end; ++c) square += P[c] * P[c];
    if (B > 0.) phi = B - square / B;
  }
  /// What dP changes of phi: the terms of first order, and those of second.
  [[nodiscard]] std::array<double, 2> change(const double* P, const double* dP) const {
    double along = 0.;
    double by = 0.;
    for (std::size_t c = begin; c < end; ++c) {
      along += P[c] * dP[c];
      by += dP[c] * dP[c];
    }
    const double part = dP[0] / normal;
    return {B * part + (square * part - 2. * along) / B,
            (2. * along * part - by - square * part * part) / B};
  }
  /// The length of a step dP after which B^2 - |P_g|^2 has lost `part` of itself.
  [[nodiscard]] double length(const double* P, const double* dP, double part) const {
    double along = B * bound * dP[0];
    double by = bound * bound * dP[0] * dP[0];
    for (std::size_t c = begin; c < end; ++c) {
      along -= P[c] * dP[c];
      by -= dP[c] * dP[c];
    }
    return first_root(by, along, part * (B * B - square));
  }

  std::size_t begin;
  std::size_t end;
  double bound;
  double normal;
  double B;
  double square = 0.;
  double phi = 0.;
};

void VelocityNewton::follow_path(std::span<double> u, double unit) {
  block_ == 3 ? follow_path_of<3>(u, unit) : follow_path_of<6>(u, unit);
}

template <std::size_t b>
void VelocityNewton::follow_path_of(std::span<double> u, double unit) {
  set_rho(path_rho);
  center_ = P_;
  fresh_ = true;
  enter<b>(u, first_tau * first_tau * unit * unit);
  const double enough = last_tau * unit;
  int shorter = 0;
  for (int step = 0; step < most_steps && shorter < most_short; ++step) {
    find_path_velocities<b>(u);
    const Products now = products(0.);
    if (now.largest <= enough * enough && now.infeasible <= enough) break;
    // To tau = 0, to see how far that leads, and then to a tau that follows from it [Mehrotra
    // 1992].
    linearise_path(0., false);
    (void)push<b>(w_);
    if (!factorize<b>()) break;
    lu_.solve(w_);
    find_change<b>();
    const double ahead = products(find_path_change(0., false, 1.)).sum / now.sum;
    const double mean = now.sum / static_cast<double>(now.count);
    const double tau = std::max(mean * std::clamp(ahead * ahead * ahead, least_centring, 1.),
                                below_last * enough * enough);
    linearise_path(tau, true);
    (void)push<b>(w_);
    lu_.solve(w_);
    find_change<b>();
    const double length = find_path_change(tau, true, part_of_way);
    if (!std::isfinite(products(length).sum)) break;
    for (std::size_t j = 0; j < u.size(); ++j) u[j] += length * w_[j];
    for (std::size_t j = 0; j < P_.size(); ++j) P_[j] += length * change_[j];
    for (std::size_t j = 0; j < slack_.size(); ++j) slack_[j] += length * slack_change_[j];
    shorter = length < short_length ? shorter + 1 : 0;
  }
}

/// P in the interior, u with its effect, and slacks.
template <std::size_t b>
void VelocityNewton::enter(std::span<double> u, double tau) {
  constexpr double most_friction = 0.5;  // of the square of its bound, if there is little P_n
  for (const Contact& k : contacts_) {
    const double least = std::sqrt(tau / k.inertia);
    const double* const P = &P_[k.at];
    double* const made = &made_[k.at];
    made[0] = std::max(P[0], least);
    for (std::size_t g = 0; g < k.groups; ++g) {
      const Inside in(k.group[g], P);
      const double most =
          k.group[g].bound * made[0] * std::sqrt(1. - std::min(most_friction, least / made[0]));
      const double f = in.square > most * most ? most / std::sqrt(in.square) : 1.;
      for (std::size_t c = in.begin; c < in.end; ++c) made[c] = f * P[c];
    }
  }
  take_made<b>(u);
  find_path_velocities<b>(u);
  slack_.assign(slacks * contacts_.size(), 0.);
  slack_change_.assign(slack_.size(), 0.);
  second_.assign(P_.size() + slack_.size(), 0.);
  constexpr double most_product = 1e3;  // times tau, where a contact separates fast
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    const double* const P = &P_[k.at];
    double* const z = &slack_[slacks * i];
    const double usual = std::sqrt(tau * k.inertia);
    z[0] = std::max(y_[k.at], std::min(usual, tau / P[0]));
    if (P[0] * z[0] > most_product * tau) z[0] = std::max(most_product * tau / P[0], usual);
    for (std::size_t g = 0; g < k.groups; ++g) {
      if (k.group[g].bound > 0.) z[1 + g] = tau / Inside(k.group[g], P).phi;
    }
  }
}

/// xi + R (P_n - P_k) n, into y_.
template <std::size_t b>
void VelocityNewton::find_path_velocities(std::span<const double> u) {
  for (const Contact& k : contacts_) {
    for (std::size_t c = 0; c < k.components; ++c) {
      y_[k.at + c] = along<b>(k, c, u) + c_[k.at + c];
    }
    y_[k.at] += k.R * (P_[k.at] - center_[k.at]);
  }
}

/// The products P_n z and sigma phi after a part of the step.
VelocityNewton::Products VelocityNewton::products(double length) const {
  Products all;
  std::array<double, most_components> P{};
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    const double root = std::sqrt(k.inertia);
    const double* const z = &slack_[slacks * i];
    const double* const dz = &slack_change_[slacks * i];
    for (std::size_t c = 0; c < k.components; ++c) {
      P[c] = P_[k.at + c] + length * change_[k.at + c];
    }
    all.add(P[0] * (z[0] + length * dz[0]));
    all.infeasible = std::max(all.infeasible, std::abs(y_[k.at] - z[0]) / root);
    for (std::size_t g = 0; g < k.groups; ++g) {
      if (!(k.group[g].bound > 0.)) continue;
      const Inside in(k.group[g], P.data());
      all.add((z[1 + g] + length * dz[1 + g]) * in.phi);
      for (std::size_t c = in.begin; c < in.end; ++c) {
        const double left = y_[k.at + c] + z[1 + g] * P[c] / in.B;
        all.infeasible = std::max(all.infeasible, std::abs(left) / root);
      }
    }
  }
  return all;
}

/// Newton's step for the equations of follow_path: dP is r_ minus D dxi, and R D goes into J_.
/// With dz = dxi_n + R dP_n + xi_n - z and d sigma = (tau - sigma phi - sigma d phi)/phi,
///
///     (z + R P_n) dP_n = tau - P_n xi_n - P_n dxi_n,
///     sigma (1 + a P_g P_g^T) dP_g = -B xi_g - tau/phi P_g - B dxi_g
///         + (-b xi_g + sigma/phi (b + |P_g|^2/(B P_n)) P_g) dP_n,    a = 2/(phi B).
///
/// @param corrected  with the terms of second order of the last step; D is then as before
void VelocityNewton::linearise_path(double tau, bool corrected) {
  if (!corrected) std::fill(second_.begin(), second_.end(), 0.);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    const double* const P = &P_[k.at];
    const double* const xi = &y_[k.at];
    const double* const z = &slack_[slacks * i];
    double* const step = &r_[k.at];
    double* const second = &second_[k.at];
    double* const second_slack = &second_[P_.size() + slacks * i];
    Derivative& J = J_[i];
    if (corrected) find_second_order(i, second, second_slack);
    const double D = P[0] / (z[0] + k.R * P[0]);
    step[0] = (tau - second[0] - P[0] * xi[0]) / (z[0] + k.R * P[0]);
    if (!corrected) {
      J.fill(0.);
      J[0] = D * k.R;
    }
    for (std::size_t g = 0; g < k.groups; ++g) {
      const Inside in(k.group[g], P);
      const double sigma = z[1 + g];
      if (!(in.bound > 0.)) {
        for (std::size_t c = in.begin; c < in.end; ++c) step[c] = 0.;
        continue;
      }
      const double a = 2. / (in.phi * in.B);
      const double f = a / (1. + a * in.square);
      std::array<double, most_components> x{};
      std::array<double, most_components> by_normal{};
      double along_x = 0.;
      double along_normal = 0.;
      for (std::size_t c = in.begin; c < in.end; ++c) {
        x[c] = -in.B * xi[c] - second[c] - (tau - second_slack[1 + g]) / in.phi * P[c];
        by_normal[c] =
            -in.bound * xi[c] + sigma / in.phi * (in.bound + in.square / (in.B * in.normal)) * P[c];
        along_x += P[c] * x[c];
        along_normal += P[c] * by_normal[c];
      }
      for (std::size_t c = in.begin; c < in.end; ++c) {
        const double turned = (by_normal[c] - f * along_normal * P[c]) / sigma;
        step[c] = (x[c] - f * along_x * P[c]) / sigma + turned * step[0];
        if (corrected) continue;
        J[c * most_components] = turned * D * k.R;
        for (std::size_t o = in.begin; o < in.end; ++o) {
          J[c * most_components + o] = in.B / sigma * ((c == o ? 1. : 0.) - f * P[c] * P[o]) * k.R;
        }
      }
    }
  }
}

/// The terms of second order of a whole step in the equations of a contact.
void VelocityNewton::find_second_order(std::size_t i, double* of_P, double* of_slack) const {
  const Contact& k = contacts_[i];
  const double* const dP = &change_[k.at];
  const double* const dxi = &z_[k.at];
  const double* const dz = &slack_change_[slacks * i];
  of_P[0] = dP[0] * dz[0];
  for (std::size_t g = 0; g < k.groups; ++g) {
    const Inside in(k.group[g], &P_[k.at]);
    if (!(in.bound > 0.)) continue;
    const auto [phi, phi_second] = in.change(&P_[k.at], dP);
    of_slack[1 + g] = dz[1 + g] * phi + slack_[slacks * i + 1 + g] * phi_second;
    for (std::size_t c = in.begin; c < in.end; ++c) {
      of_P[c] = in.bound * dP[0] * dxi[c] + dz[1 + g] * dP[c];
    }
  }
}

/// Changes of the slacks that belong to those of P, and how far the step may go.
/// @param part  of the way to the boundary
double VelocityNewton::find_path_change(double tau, bool corrected, double part) {
  double length = 1.;
  const auto bound_by = [&](double x, double dx) {
    if (dx < 0.) length = std::min(length, -part * x / dx);
  };
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    const double* const dP = &change_[k.at];
    const double* const z = &slack_[slacks * i];
    double* const dz = &slack_change_[slacks * i];
    dz[0] = z_[k.at] + k.R * dP[0] + y_[k.at] - z[0];
    bound_by(P_[k.at], dP[0]);
    bound_by(z[0], dz[0]);
    for (std::size_t g = 0; g < k.groups; ++g) {
      const Inside in(k.group[g], &P_[k.at]);
      if (!(in.bound > 0.)) continue;
      const double second = corrected ? second_[P_.size() + slacks * i + 1 + g] : 0.;
      const double phi = in.change(&P_[k.at], dP)[0];
      dz[1 + g] = (tau - second - z[1 + g] * (in.phi + phi)) / in.phi;
      bound_by(z[1 + g], dz[1 + g]);
      length = std::min(length, in.length(&P_[k.at], dP, part));
    }
  }
  return length;
}

}  // namespace carom::complementarity
