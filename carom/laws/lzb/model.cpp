// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/model.hpp>

#include <algorithm>

namespace carom::lzb {
namespace {

/// The next power of two above x > 0.
double power_of_two(double x) {
  int exponent = 0;
  static_cast<void>(std::frexp(x, &exponent));
  return std::ldexp(1., exponent);
}

/// The deformation at which a contact with this mobility stops the reference velocity: L^(a+1) =
/// V^2/(G k), without the factor (a+1)/2.
double length_of(const Surface& s, double velocity, double mobility) {
  return std::pow(velocity * velocity / (mobility * s.stiffness), 1. / (s.exponent + 1.));
}

Contact::Law law_of(double exponent) {
  if (exponent == 1.) return Contact::Law::linear;
  return exponent == 1.5 ? Contact::Law::hertz : Contact::Law::power;
}

}  // namespace

const double* Model::find(std::size_t i, std::size_t j) const {
  const auto r = row(i);
  const auto found = std::lower_bound(r.begin(), r.end(), static_cast<std::uint32_t>(j));
  if (found == r.end() || *found != j) return nullptr;
  return block(i, static_cast<std::size_t>(found - r.begin()));
}

void Model::velocity(std::size_t i, const double* P, double* v) const {
  const std::size_t d = components;
  const auto r = row(i);
  for (std::size_t c = 0; c < d; ++c) v[c] = approach[i * d + c];
  for (std::size_t k = 0; k < r.size(); ++k) {
    const double* b = block(i, k);
    const double* p = P + r[k] * d;
    for (std::size_t c = 0; c < d; ++c) {
      for (std::size_t e = 0; e < d; ++e) v[c] += b[c * d + e] * p[e];
    }
  }
}

Model make_model(const ContactProblem& problem, double speed) {
  Model m;
  const std::size_t d = m.components = problem.components();
  const std::size_t n = problem.contacts();
  double mobility = 0.;
  for (std::size_t i = 0; i < n; ++i) mobility = std::max(mobility, problem.G.diagonal(i)[0]);
  m.units.velocity = power_of_two(speed);
  m.units.mobility = mobility > 0. ? power_of_two(mobility) : 1.;

  // The softest contact defines the length: with equal exponents only ratios of stiffness remain.
  const Surface* softest = nullptr;
  for (const Surface& s : problem.surfaces) {
    const double length = length_of(s, m.units.velocity, m.units.mobility);
    if (softest == nullptr || length > m.units.length) {
      m.units.length = length;
      softest = &s;
    }
  }
  m.contacts.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Surface& s = problem.surfaces[i];
    Contact c;
    c.exponent = s.exponent;
    c.law = law_of(s.exponent);
    c.stiffness = s.stiffness / softest->stiffness;
    if (s.exponent != softest->exponent) {
      c.stiffness *= std::pow(m.units.length, s.exponent - softest->exponent);
    }
    c.restitution = s.restitution;
    c.expansion = s.restitution > 0. ? 1. / (s.restitution * s.restitution) : 0.;
    c.friction = d > 1 ? s.friction : 0.;
    c.static_friction = d > 1 ? s.static_friction : 0.;
    c.mobility = problem.G.diagonal(i)[0] / m.units.mobility;
    m.contacts.push_back(c);
  }
  m.approach.reserve(problem.approach.size());
  for (const double v : problem.approach) m.approach.push_back(v / m.units.velocity);

  m.begin.reserve(n + 1);
  m.begin.push_back(0);
  m.columns.reserve(problem.G.stored_blocks());
  m.blocks.reserve(problem.G.stored_blocks() * d * d);
  for (std::size_t i = 0; i < n; ++i) {
    const auto columns = problem.G.columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      m.columns.push_back(columns[k]);
      const double* b = problem.G.block(i, k);
      for (std::size_t e = 0; e < d * d; ++e) m.blocks.push_back(b[e] / m.units.mobility);
    }
    m.begin.push_back(m.columns.size());
  }
  return m;
}

}  // namespace carom::lzb
