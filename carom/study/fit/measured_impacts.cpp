// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/measured_impacts.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/study/sensitivity.hpp>

namespace carom::study::fit {
namespace {

double addend(const Term& t, double x, std::span<const double> p) {
  const double a = p[t.parameter];
  switch (t.form) {
    case Form::linear:
      return a * x;
    case Form::absolute:
      return a * std::abs(x);
    case Form::quadratic:
      return a * x + p[t.parameter + 1] * x * x;
    case Form::square:
      return a * x * x;
    case Form::power:
      return -a * std::pow(std::abs(x), p[t.parameter + 1]);
  }
  return 0.;
}

/// Calls `add(parameter, derivative)`.
template <class Add>
void differentiate_addend(const Term& t, double x, std::span<const double> p, const Add& add) {
  switch (t.form) {
    case Form::linear:
      return add(t.parameter, x);
    case Form::absolute:
      return add(t.parameter, std::abs(x));
    case Form::quadratic:
      add(t.parameter, x);
      return add(t.parameter + 1, x * x);
    case Form::square:
      return add(t.parameter, x * x);
    case Form::power: {
      const double power = std::pow(std::abs(x), p[t.parameter + 1]);
      add(t.parameter, -power);
      if (x != 0.) add(t.parameter + 1, -p[t.parameter] * power * std::log(std::abs(x)));
      return;
    }
  }
}

std::size_t constant_of(const FittedCoefficient& f, std::size_t group) {
  return f.constant[f.constant.size() > 1 ? group : 0];
}

double unclamped(const FittedCoefficient& f, const MeasuredImpact& impact,
                 std::span<const double> p) {
  double value = p[constant_of(f, impact.group)];
  for (const Term& t : f.terms) value += addend(t, impact.numbers[t.number], p);
  return value;
}

std::uint32_t static_friction_bit() {
  static const std::uint32_t bit = given_bit(*find_coefficient("static_friction"));
  return bit;
}

/// What a law makes of an impact: P; empty where there is no impulse.
class Answer {
 public:
  Answer(const Law& law, const ContactProblem& contact, const Surface& surface) {
    const ContactKind kind = kind_of(contact);
    if (kind.components == 2 && law.planar) {
      PlanarProblem one = planar_problem(contact);
      one.surface = surface;
      const PlanarOutcome o = carom::solve(*law.planar, one);
      set({o.impulse.n, o.impulse.t, 0.}, o.flags);
    } else if (kind.components == 3 && law.spatial) {
      SpatialProblem one = spatial_problem(contact);
      one.surface = surface;
      const SpatialOutcome o = law.spatial(one, SpatialOptions{});
      set({o.impulse.n, o.impulse.t1, o.impulse.t2}, o.flags);
    } else {
      ContactProblem problem = contact;
      problem.surfaces.assign(1, surface);
      Outcome o;
      carom::solve(law, problem, {}, o);
      std::array<double, 3> P{};
      std::copy_n(o.impulse.begin(), std::min(o.impulse.size(), P.size()), P.begin());
      set(P, o.flags);
    }
  }

  [[nodiscard]] bool answered() const { return answered_; }
  [[nodiscard]] bool pushes() const { return P_[0] != 0. || P_[1] != 0. || P_[2] != 0.; }
  [[nodiscard]] std::span<const double> impulse(std::size_t components) const {
    return std::span(P_).first(components);
  }

 private:
  void set(const std::array<double, 3>& P, Verdicts flags) {
    answered_ = !flags.has(Verdict::no_solution) && !flags.has(Verdict::not_converged);
    for (const double x : P) answered_ = answered_ && std::isfinite(x);
    if (answered_) P_ = P;
  }

  std::array<double, 3> P_{};
  bool answered_ = false;
};

}  // namespace

std::vector<std::size_t> MeasuredImpacts::fitted() const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    if (impacts[i].left_out.empty()) rows.push_back(i);
  }
  return rows;
}

std::vector<double> MeasuredImpacts::given_body() const {
  std::vector<double> values;
  for (const BodyNumber& b : body) values.push_back(b.value);
  return values;
}

double MeasuredImpacts::norm(std::span<const double> y) const {
  double sum = 0.;
  for (std::size_t j = 0; j < y.size(); ++j) sum += metric[j] * (y[j] * y[j]);
  return std::sqrt(sum);
}

std::vector<double> Parameters::starts() const {
  std::vector<double> p;
  for (const Parameter& one : list) p.push_back(one.start);
  return p;
}

Surface Parameters::surface_at(const MeasuredImpact& impact, std::span<const double> p) const {
  Surface s = surface;
  for (const FittedCoefficient& f : coefficients) {
    f.coefficient->numbers(s)[f.index] =
        std::clamp(unclamped(f, impact, p), f.coefficient->low, f.coefficient->high);
  }
  const bool own = (s.given & static_friction_bit()) != 0;
  s.static_friction = own ? std::max(s.static_friction, s.friction) : s.friction;
  return s;
}

std::vector<double> Parameters::body_at(std::span<const double> p,
                                        std::span<const double> given) const {
  std::vector<double> values(given.begin(), given.end());
  for (const FittedBodyNumber& b : body) values[b.number] = p[b.parameter];
  return values;
}

Objective::Objective(const MeasuredImpacts& data, const Law& law, Parameters parameters)
    : data_(&data), law_(&law), parameters_(std::move(parameters)) {
  for (const MeasuredImpact& impact : data.impacts) {
    const double before = data.norm(impact.before);
    scale_.push_back(before > 0. ? 1. / before : 0.);
  }
  if (!parameters_.body.empty()) return;
  const std::vector<double> body = data.given_body();
  contacts_.resize(data.impacts.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    data.contact_of(data.impacts[i], body, contacts_[i]);
  }
}

void Objective::contact(std::size_t i, std::span<const double> p, MeasuredContact& contact) const {
  if (contacts_.empty()) {
    const std::vector<double> body = parameters_.body_at(p, data_->given_body());
    data_->contact_of(data_->impacts[i], body, contact);
  } else {
    contact = contacts_[i];
  }
  contact.problem.surfaces.assign(1, parameters_.surface_at(data_->impacts[i], p));
}

bool Objective::predict(std::size_t i, std::span<const double> p, std::span<double> after) const {
  const MeasuredImpact& impact = data_->impacts[i];
  MeasuredContact made;
  if (contacts_.empty()) contact(i, p, made);
  const MeasuredContact& c = contacts_.empty() ? made : contacts_[i];
  const Answer answer(*law_, c.problem, parameters_.surface_at(impact, p));
  const auto P = answer.impulse(data_->components);
  for (std::size_t j = 0; j < after.size(); ++j) {
    double change = 0.;
    for (std::size_t k = 0; k < P.size(); ++k) {
      change += c.response(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)) * P[k];
    }
    after[j] = impact.before[j] + change;
  }
  return answer.answered();
}

void Objective::residual(std::size_t i, std::span<const double> p,
                         std::span<double> residual) const {
  predict(i, p, residual);
  const MeasuredImpact& impact = data_->impacts[i];
  for (std::size_t j = 0; j < residual.size(); ++j) {
    residual[j] = std::sqrt(data_->metric[j]) * (residual[j] - impact.after[j]) * scale_[i];
  }
}

void Objective::residual(std::size_t i, std::span<const double> p, std::span<double> residual,
                         std::span<double> derivatives, DerivativesBy by) const {
  this->residual(i, p, residual);
  std::ranges::fill(derivatives, 0.);
  const std::size_t n = p.size();
  const std::size_t width = residual.size();
  std::vector<bool> by_difference(n, false);
  for (const FittedBodyNumber& b : parameters_.body) by_difference[b.parameter] = true;

  if (by == DerivativesBy::differences) by_difference.assign(n, true);

  if (by == DerivativesBy::laws && !parameters_.coefficients.empty()) {
    const MeasuredImpact& impact = data_->impacts[i];
    MeasuredContact c;
    contact(i, p, c);
    Outcome outcome;
    // In the plane kernels are differentiated, which need no outcome.
    if (data_->components != 2 || !law_->planar) carom::solve(*law_, c.problem, {}, outcome);
    const bool pushes = Answer(*law_, c.problem, c.problem.surfaces[0]).pushes();
    Derivatives d;
    if (pushes) {
      std::vector<ImpactInput> inputs;
      for (const FittedCoefficient& f : parameters_.coefficients) {
        inputs.push_back({.contact = 0, .coefficient = f.coefficient, .index = f.index});
      }
      d = differentiate(*law_, c.problem, outcome, {}, inputs);
    }
    for (std::size_t f = 0; pushes && f < parameters_.coefficients.size(); ++f) {
      const FittedCoefficient& fitted = parameters_.coefficients[f];
      const double value = unclamped(fitted, impact, p);
      const bool beyond = value < fitted.coefficient->low || value > fitted.coefficient->high;
      const auto add = [&](std::size_t parameter, double by_parameter) {
        if (!d.why_not.empty()) {
          by_difference[parameter] = true;
        } else if (!beyond) {
          const auto column = static_cast<Eigen::Index>(f);
          const auto rows = static_cast<Eigen::Index>(data_->components);
          const Eigen::VectorXd change = c.response * d.by_input.col(column).head(rows);
          for (std::size_t j = 0; j < width; ++j) {
            derivatives[j * n + parameter] += std::sqrt(data_->metric[j]) * scale_[i] *
                                              change[static_cast<Eigen::Index>(j)] * by_parameter;
          }
        }
      };
      add(constant_of(fitted, impact.group), 1.);
      for (const Term& t : fitted.terms) {
        differentiate_addend(t, impact.numbers[t.number], p, add);
      }
    }
  }

  // Central differences, one-sided at a bound.
  std::vector<double> moved(p.begin(), p.end());
  std::vector<double> up(width);
  std::vector<double> down(width);
  for (std::size_t k = 0; k < n; ++k) {
    if (!by_difference[k]) continue;
    const Parameter& parameter = parameters_.list[k];
    // The error of a central difference is least for steps of about the cube root of rounding.
    constexpr double relative_step = 6e-6;
    const double step =
        relative_step * std::min(parameter.high - parameter.low, std::max(std::abs(p[k]), 1e-3));
    const double high = std::min(p[k] + step, parameter.high);
    const double low = std::max(p[k] - step, parameter.low);
    moved[k] = high;
    this->residual(i, moved, up);
    moved[k] = low;
    this->residual(i, moved, down);
    moved[k] = p[k];
    for (std::size_t j = 0; j < width; ++j) {
      derivatives[j * n + k] = (up[j] - down[j]) / (high - low);
    }
  }
}

double Objective::error(std::size_t i, std::span<const double> p) const {
  std::array<double, 16> few{};
  std::vector<double> many(width() > few.size() ? width() : 0);
  const std::span<double> r = many.empty() ? std::span(few).first(width()) : std::span(many);
  residual(i, p, r);
  double sum = 0.;
  for (const double x : r) sum += x * x;
  return std::sqrt(sum);
}

std::vector<double> Objective::errors(std::span<const std::size_t> impacts,
                                      std::span<const double> p) const {
  std::vector<double> all;
  all.reserve(impacts.size());
  for (const std::size_t i : impacts) all.push_back(error(i, p));
  return all;
}

}  // namespace carom::study::fit
