// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/moreau/derivatives.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include <carom/laws/moreau/several.hpp>

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What is below this part of the largest impulse or velocity counts as zero: solutions are
/// computed to 1e-10. Also for pivots of the equations: derivatives keep six digits.
constexpr double strict = 1e-8;

Index index(std::size_t i) { return static_cast<Index>(i); }

bool is(const ImpactInput& input, std::size_t contact, std::string_view key) {
  return input.contact == contact && input.coefficient != nullptr && input.coefficient->key == key;
}

/// One complementarity problem at its solution, and how what goes into it changes with the inputs.
struct FrictionStage {
  VectorXd P;
  VectorXd xi;
  VectorXd floor;  ///< least normal impulse, one a contact
  MatrixXd d_b;    ///< a column for each input
  MatrixXd d_floor;
};

/// How the stage's P and xi change.
struct Change {
  MatrixXd P;
  MatrixXd xi;
  std::string why_not{};
};

std::string of_contact(std::size_t i, const char* what) {
  return "contact " + std::to_string(i + 1) + " " + what;
}

class Equations {
 public:
  Equations(const ContactProblem& p, const FrictionStage& stage,
            std::span<const ImpactInput> inputs)
      : p_(p),
        stage_(stage),
        inputs_(inputs),
        d_(index(p.components())),
        G_(p.G.dense()),
        matrix_(MatrixXd::Zero(G_.rows(), G_.cols())),
        right_(MatrixXd::Zero(G_.rows(), index(inputs.size()))) {
    impulse_scale_ = stage.P.cwiseAbs().maxCoeff();
    for (const double v : p.approach) velocity_scale_ = std::max(velocity_scale_, std::abs(v));
    const double mobility = G_.diagonal().cwiseAbs().maxCoeff();
    velocity_scale_ = std::max(velocity_scale_, impulse_scale_ * mobility);
    for (Index n = 0; n < unit_.size(); n += d_) {
      const double own = G_.diagonal().segment(n, d_).cwiseAbs().maxCoeff();
      unit_.segment(n, d_).setConstant(1. / std::sqrt(own > 0. ? own : mobility));
    }
  }

  Change solve() {
    for (std::size_t i = 0; i < p_.contacts(); ++i) {
      if (std::string why = add_contact(i); !why.empty())
        return {.P = {}, .xi = {}, .why_not = why};
    }
    // In units in which the largest diagonal entry of each contact's block of G is one, so that
    // pivots can be compared whatever the masses.
    for (Index row = 0; row < matrix_.rows(); ++row) {
      const bool of_velocity = of_velocity_[static_cast<std::size_t>(row)];
      const double f = of_velocity ? unit_[row] : 1. / unit_[row];
      matrix_.row(row) *= f;
      right_.row(row) *= f;
    }
    Eigen::FullPivLU<MatrixXd> equations(matrix_ * unit_.asDiagonal());
    equations.setThreshold(strict);
    if (equations.rank() < matrix_.rows()) {
      return {.P = {},
              .xi = {},
              .why_not =
                  "the equations of the mode are singular or nearly so: the contacts can share "
                  "the impulse in several ways"};
    }
    Change change;
    change.P = unit_.asDiagonal() * equations.solve(right_);
    change.xi = G_ * change.P + stage_.d_b;
    return change;
  }

 private:
  /// xi at a row is prescribed.
  void prescribe_velocity(Index row) {
    matrix_.row(row) = G_.row(row);
    right_.row(row) = -stage_.d_b.row(row);
    of_velocity_[static_cast<std::size_t>(row)] = true;
  }

  /// Empty, or why there is no derivative.
  std::string add_contact(std::size_t i) {
    const Index n = index(i) * d_;
    const double more = stage_.P[n] - stage_.floor[index(i)];
    const bool separates = stage_.xi[n] > strict * velocity_scale_;
    if (separates) {
      matrix_(n, n) = 1.;
      right_.row(n) = stage_.d_floor.row(index(i));
    } else if (more > strict * impulse_scale_) {
      prescribe_velocity(n);
    } else {
      return of_contact(i, "neither separates nor pushes");
    }
    if (d_ == 1) return {};
    const double mu = p_.surfaces[i].friction;
    const auto P_T = stage_.P.segment(n + 1, d_ - 1);
    const auto xi_T = stage_.xi.segment(n + 1, d_ - 1);
    if (!(stage_.P[n] > strict * impulse_scale_)) {
      for (Index row = n + 1; row < n + d_; ++row) matrix_(row, row) = 1.;
    } else if (const double slip = xi_T.norm(); slip > strict * velocity_scale_) {
      add_slip(i, n, mu, xi_T / slip, slip);
    } else if (mu * stage_.P[n] - P_T.norm() > strict * impulse_scale_) {
      for (Index row = n + 1; row < n + d_; ++row) prescribe_velocity(row);
    } else {
      return of_contact(i, "is between stick and slip");
    }
    return {};
  }

  /// P_T + mu P_n d = 0, d = xi_T/|xi_T|. Along d: d.P_T + mu P_n = 0. Across, along a, where d
  /// turns by a.dxi_T/|xi_T|: a.dP_T + (mu P_n/|xi_T|) a.dxi_T = 0.
  void add_slip(std::size_t i, Index n, double mu, const VectorXd& d, double slip) {
    const Index t = n + 1;
    const double along = 1. + mu;  // size of the row along d
    matrix_.block(t, t, 1, d_ - 1) = d.transpose() / along;
    matrix_(t, n) = mu / along;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      if (is(inputs_[k], i, "friction")) right_(t, index(k)) = -stage_.P[n] / along;
    }
    if (d_ == 2) return;
    const Eigen::RowVector2d a(-d[1], d[0]);
    const double turn = mu * stage_.P[n] / slip;
    const double size = 1. + turn / (unit_[t] * unit_[t]);  // of this row
    matrix_.row(t + 1) = (turn / size) * a * G_.middleRows(t, 2);
    matrix_.block(t + 1, t, 1, 2) += a / size;
    right_.row(t + 1) = (-turn / size) * a * stage_.d_b.middleRows(t, 2);
  }

  const ContactProblem& p_;
  const FrictionStage& stage_;
  std::span<const ImpactInput> inputs_;
  Index d_;
  MatrixXd G_;
  MatrixXd matrix_;
  MatrixXd right_;
  VectorXd unit_ = VectorXd::Ones(G_.rows());  ///< of impulses; 1/unit_ of velocities
  std::vector<bool> of_velocity_ = std::vector<bool>(p_.G.size(), false);
  double impulse_scale_ = 0.;
  double velocity_scale_ = 0.;
};

VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), index(x.size()));
}

/// d(approach)/d(inputs)
MatrixXd approach_by(const ContactProblem& p, std::span<const ImpactInput> inputs) {
  MatrixXd d = MatrixXd::Zero(index(p.approach.size()), index(inputs.size()));
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const ImpactInput& x = inputs[k];
    if (x.coefficient == nullptr) d(index(x.contact * p.components() + x.index), index(k)) = 1.;
  }
  return d;
}

Derivatives joined(const MatrixXd& impulse, const MatrixXd& velocity) {
  MatrixXd both(impulse.rows() + velocity.rows(), impulse.cols());
  both << impulse, velocity;
  return {.by_input = std::move(both)};
}

}  // namespace

Derivatives moreau_derivatives(const ContactProblem& p, const Outcome& o, const SolveOptions&,
                               std::span<const ImpactInput> inputs) {
  const std::size_t d = p.components();
  const MatrixXd d_v = approach_by(p, inputs);
  VectorXd eps_v = VectorXd::Zero(index(p.approach.size()));
  MatrixXd d_eps_v = MatrixXd::Zero(d_v.rows(), d_v.cols());
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    if (p.approach[i * d] > 0.) continue;  // separates: eps = 0
    for (std::size_t c = 0; c < d; ++c) {
      const Surface& s = p.surfaces[i];
      const Index row = index(i * d + c);
      const double eps = c == 0 ? s.restitution : s.tangential_restitution;
      eps_v[row] = eps * p.approach[i * d + c];
      d_eps_v.row(row) = eps * d_v.row(row);
      const std::string_view key = c == 0 ? "restitution" : "tangential_restitution";
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (is(inputs[k], i, key)) d_eps_v(row, index(k)) += p.approach[i * d + c];
      }
    }
  }
  const FrictionStage stage{.P = vector(o.impulse),
                            .xi = vector(o.velocity) + eps_v,
                            .floor = VectorXd::Zero(index(p.contacts())),
                            .d_b = d_v + d_eps_v,
                            .d_floor = MatrixXd::Zero(index(p.contacts()), d_v.cols())};
  const Change change = Equations(p, stage, inputs).solve();
  if (!change.why_not.empty()) return {.by_input = {}, .why_not = change.why_not};
  return joined(change.P, change.xi - d_eps_v);
}

Derivatives moreau_poisson_derivatives(const ContactProblem& p, const Outcome& o,
                                       const SolveOptions& options,
                                       std::span<const ImpactInput> inputs) {
  const std::size_t d = p.components();
  ContactProblem without = p;
  for (Surface& s : without.surfaces) s.restitution = s.tangential_restitution = 0.;
  const Outcome compressed = solve_multi_moreau(without, options);
  const VectorXd P_C = vector(compressed.impulse);
  FrictionStage stage{.P = P_C,
                      .xi = vector(compressed.velocity),
                      .floor = VectorXd::Zero(index(p.contacts())),
                      .d_b = approach_by(p, inputs),
                      .d_floor = MatrixXd::Zero(index(p.contacts()), index(inputs.size()))};
  const Change first = Equations(p, stage, inputs).solve();
  if (!first.why_not.empty()) {
    return {.by_input = {}, .why_not = "in compression " + first.why_not};
  }
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const double e = p.surfaces[i].restitution;
    stage.floor[index(i)] = e * P_C[index(i * d)];
    stage.d_floor.row(index(i)) = e * first.P.row(index(i * d));
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (is(inputs[k], i, "restitution")) {
        stage.d_floor(index(i), index(k)) += P_C[index(i * d)];
      }
    }
  }
  if (!(stage.floor.maxCoeff() > 0.)) {
    return {.by_input = {},
            .why_not = "restitution is zero at all contacts, and there is no expansion"};
  }
  stage.P = vector(o.impulse) - P_C;
  stage.xi = vector(o.velocity);
  stage.d_b = first.xi;
  const Change second = Equations(p, stage, inputs).solve();
  if (!second.why_not.empty()) {
    return {.by_input = {}, .why_not = "in expansion " + second.why_not};
  }
  return joined(first.P + second.P, second.xi);
}

}  // namespace carom
