// SPDX-License-Identifier: Apache-2.0
#include <support/many_contacts.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

namespace carom::test {

ContactProblem random_contacts(std::uint32_t seed, const Contacts& what) {
  std::mt19937 random(seed);
  // Not <random>'s distributions, which differ between libraries.
  const auto uniform = [&](double a, double b) {
    return a + (b - a) * (static_cast<double>(random()) / 4294967296.);
  };
  const auto spread = [&] { return uniform(-1., 1.) + uniform(-1., 1.) + uniform(-1., 1.); };
  const auto rows = static_cast<Eigen::Index>(what.contacts * what.components);
  const auto freedoms =
      what.freedoms > 0 ? static_cast<Eigen::Index>(what.freedoms) : rows + rows / 2 + 1;
  Eigen::MatrixXd W(freedoms, rows);
  for (Eigen::Index i = 0; i < freedoms; ++i) {
    for (Eigen::Index j = 0; j < rows; ++j) W(i, j) = spread();
  }
  Eigen::VectorXd inverse_mass(freedoms);
  Eigen::VectorXd u(freedoms);
  for (Eigen::Index i = 0; i < freedoms; ++i) {
    inverse_mass(i) = std::pow(10., uniform(-0.5, 0.5));
    u(i) = spread();
  }
  const auto d = static_cast<Eigen::Index>(what.components);
  for (Eigen::Index j = 0; j < rows; j += d) {
    const bool approaches = uniform(0., 1.) < 0.8;
    if ((W.col(j).dot(u) < 0.) != approaches) W.col(j) = -W.col(j);
  }
  const Eigen::MatrixXd G = W.transpose() * inverse_mass.asDiagonal() * W;
  const Eigen::VectorXd v = W.transpose() * u;
  ContactProblem p;
  p.G = BlockMatrix::from_dense(0.5 * (G + G.transpose()), what.components);
  p.approach.assign(v.data(), v.data() + v.size());
  const double e = uniform(0., 1.);
  for (std::size_t i = 0; i < what.contacts; ++i) {
    Surface s;
    s.restitution = what.equal ? e : uniform(0., 1.);
    s.friction =
        what.components > 1 && uniform(0., 1.) < 0.9 ? uniform(0., what.most_friction) : 0.;
    s.static_friction = s.friction;
    s.tangential_restitution = what.equal ? e : uniform(0., 1.);
    if (what.two_stages) s.tangential_restitution = 0.;
    p.surfaces.push_back(s);
  }
  return p;
}

ContactProblem reordered(const ContactProblem& p, const std::vector<std::size_t>& order) {
  const std::size_t d = p.components();
  const Eigen::MatrixXd from = p.G.dense();
  Eigen::MatrixXd to(from.rows(), from.cols());
  ContactProblem q = p;
  const auto at = [&](std::size_t k) {
    return static_cast<Eigen::Index>(order[k / d] * d + k % d);
  };
  for (std::size_t r = 0; r < p.G.size(); ++r) {
    for (std::size_t c = 0; c < p.G.size(); ++c) {
      to(at(r), at(c)) = from(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    }
    q.approach[static_cast<std::size_t>(at(r))] = p.approach[r];
  }
  for (std::size_t i = 0; i < order.size(); ++i) q.surfaces[order[i]] = p.surfaces[i];
  q.G = BlockMatrix::from_dense(to, d);
  return q;
}

double largest(const std::vector<double>& x) {
  double m = 0.;
  for (const double a : x) m = std::max(m, std::abs(a));
  return m;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double m = a.size() == b.size() ? 0. : HUGE_VAL;
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
    m = std::max(m, std::abs(a[k] - b[k]));
  }
  return m;
}

std::string violations(const ContactProblem& p, const Outcome& o, double tolerance,
                       bool two_stages) {
  const std::size_t d = p.components();
  std::ostringstream wrong;
  double mobility = 0.;
  for (std::size_t k = 0; k < p.G.size(); ++k) mobility = std::max(mobility, p.G(k, k));
  const double speed = std::max(largest(p.approach), mobility * largest(o.impulse));
  const double near = tolerance * speed;
  std::vector<double> made(p.approach.size());
  p.G.multiply(o.impulse, made);
  for (std::size_t k = 0; k < made.size(); ++k) made[k] += p.approach[k];
  if (const double off = apart(made, o.velocity); !(off <= near)) {
    wrong << "v+ - v- - G P = " << off << " of " << speed << "\n";
  }
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const double* P = &o.impulse[i * d];
    const double* v = &o.velocity[i * d];
    const double* before = &p.approach[i * d];
    const Surface& s = p.surfaces[i];
    const bool closes = before[0] <= 0. && !two_stages;
    const double eps_n = closes ? s.restitution : 0.;
    const double eps_t = closes ? s.tangential_restitution : 0.;
    const double xi_n = v[0] + eps_n * before[0];
    if (!(P[0] >= 0.)) wrong << "contact " << i << ": P_n = " << P[0] << "\n";
    if (!(xi_n >= -near)) wrong << "contact " << i << ": xi_n = " << xi_n << "\n";
    if (!two_stages && P[0] > 0. && !(std::abs(xi_n) <= near)) {
      wrong << "contact " << i << ": P_n = " << P[0] << " and xi_n = " << xi_n << "\n";
    }
    if (d == 1) continue;
    const double t1 = P[1];
    const double t2 = d == 3 ? P[2] : 0.;
    const double size = d == 3 ? std::hypot(t1, t2) : std::abs(t1);
    // Two stages are each cut to their cone, and then added.
    const double bound = s.friction * P[0] * (two_stages ? 1. + 1e-15 : 1.);
    if (!(size <= bound)) {
      wrong << "contact " << i << ": |P_T| = " << size << " beyond " << bound << "\n";
    }
    if (two_stages || P[0] == 0.) continue;
    const double x1 = v[1] + eps_t * before[1];
    const double x2 = d == 3 ? v[2] + eps_t * before[2] : 0.;
    const double slip = std::hypot(x1, x2);
    if (slip <= near) continue;
    // Slip: P_T = -mu P_n xi_T/|xi_T|, held as velocities.
    const double off = std::hypot(t1 + bound * x1 / slip, t2 + bound * x2 / slip) * mobility;
    if (!(std::min(off, slip) <= near)) {
      wrong << "contact " << i << ": slip " << slip << ", friction off by " << off << "\n";
    }
  }
  return wrong.str();
}

}  // namespace carom::test
