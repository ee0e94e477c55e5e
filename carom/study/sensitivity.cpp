// SPDX-License-Identifier: Apache-2.0
// The one file that includes Ceres' Jet.
#include <carom/study/sensitivity.hpp>

#include <algorithm>
#include <array>
#include <cassert>

#include <ceres/jet.h>

#include <carom/impact/one_contact.hpp>
#include <carom/laws/brach/spatial_totals.hpp>
#include <carom/laws/darboux_keller/totals.hpp>
#include <carom/laws/sun_baruh_process.hpp>

namespace ceres {

/// What carom/core/scalar.hpp asks of a scalar.
template <class T, int N>
double value_of(const Jet<T, N>& x) {
  return x.a;
}

}  // namespace ceres

template <class T, int N>
inline constexpr bool carom::kernels::carries_derivatives<ceres::Jet<T, N>> = true;

namespace carom::study {
namespace {

/// In space: three components of approach, e, mu_t and mu_t', three moment coefficients; or with
/// fewer of those mu_s, eps_T, eta^2.
constexpr std::size_t most_inputs = 9;
using Jet = ceres::Jet<double, static_cast<int>(most_inputs)>;
using Inputs = std::span<const ImpactInput>;

constexpr std::array<std::array<const char*, 3>, 3> velocity_names{
    {{"normal", "", ""}, {"normal", "slip", ""}, {"normal", "tangent1", "tangent2"}}};
constexpr std::array<std::array<const char*, 3>, 3> impulse_names{
    {{"normal", "", ""}, {"normal", "tangential", ""}, {"normal", "tangent1", "tangent2"}}};

std::string of_contact(const ContactProblem& p, std::size_t i) {
  return p.contacts() > 1 ? ", contact " + std::to_string(i + 1) : "";
}

/// Is a coefficient that the law knows in force, and free to change by itself?
bool is_input(const Coefficient& c, const LawInfo& law, const Surface& s, std::size_t spin_rows) {
  const auto parameter = std::ranges::find(law.parameters, c.key, &LawParameter::key);
  if (parameter == law.parameters.end() || c.read(s).empty()) return false;
  const bool replaced = std::ranges::any_of(parameter->instead, [&](std::string_view key) {
    return !find_coefficient(key)->read(s).empty();
  });
  if (replaced) return false;
  if (c.key == "static_friction") return s.static_friction > s.friction;  // else it follows
  if (c.key == "moment_coefficients") return s.has_couples(spin_rows) && !s.has_moment_ratio();
  return true;
}

/// Approach and coefficients, contact by contact.
std::vector<ImpactInput> inputs_of(const ContactProblem& p, const LawInfo& law) {
  std::vector<ImpactInput> inputs;
  const std::size_t d = p.components();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    for (std::size_t c = 0; c < d; ++c) inputs.push_back({.contact = i, .index = c});
    for (const Coefficient& c : coefficients()) {
      if (c.in_space_only && d != 3) continue;
      if (!is_input(c, law, p.surfaces[i], d == 3 ? 3 : 1)) continue;
      for (std::size_t k = 0; k < c.size(d); ++k) {
        inputs.push_back({.contact = i, .coefficient = &c, .index = k});
      }
    }
  }
  return inputs;
}

NamedNumber named(const ContactProblem& p, const ImpactInput& x) {
  const std::size_t d = p.components();
  const std::string contact = of_contact(p, x.contact);
  if (x.coefficient == nullptr) {
    return {.name = std::string("approach, ") + velocity_names[d - 1][x.index] + contact,
            .unit = "m/s",
            .value = p.approach[x.contact * p.G.components() + x.index]};
  }
  std::string name(x.coefficient->key);
  if (const std::size_t size = x.coefficient->size(d); size > 1) {
    // Of two the first is along tangent 1, of three about the normal.
    name += std::string(", ") + velocity_names[d - 1][x.index + (3 - size)];
  }
  return {.name = name + contact,
          .unit = std::string(x.coefficient->unit),
          .value = x.coefficient->read(p.surfaces[x.contact])[x.index]};
}

/// The numbers that a kernel depends on, each with its derivative by itself.
class Variables {
 public:
  Variables(const ContactProblem& p, Inputs inputs) : p_(p), inputs_(inputs) {
    assert(inputs.size() <= most_inputs);
  }

  [[nodiscard]] Jet approach(std::size_t component) const {
    return variable(nullptr, component, p_.approach[component]);
  }
  [[nodiscard]] Jet operator()(std::string_view key, std::size_t index = 0) const {
    const Coefficient* c = find_coefficient(key);
    const auto numbers = c->read(p_.surfaces[0]);
    return variable(c, index, index < numbers.size() ? numbers[index] : 0.);
  }
  /// mu_s, which follows mu where it is not above.
  [[nodiscard]] Jet static_friction() const {
    const Surface& s = p_.surfaces[0];
    return (*this)(s.static_friction > s.friction ? "static_friction" : "friction");
  }
  /// mu_t or e_t of `brach`.
  [[nodiscard]] Jet tangential(std::size_t index) const {
    const Surface& s = p_.surfaces[0];
    return (*this)(
        s.tangential_rule == BrachRule::impulse_ratio ? "impulse_ratio" : "tangential_coefficient",
        index);
  }

 private:
  [[nodiscard]] Jet variable(const Coefficient* c, std::size_t index, double value) const {
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      if (inputs_[k].coefficient == c && inputs_[k].index == index) {
        return {value, static_cast<int>(k)};
      }
    }
    return Jet(value);
  }

  const ContactProblem& p_;
  Inputs inputs_;
};

/// Rows of Derivatives from what Jets carry.
Derivatives derivatives(std::span<const Jet> rows, std::size_t inputs) {
  Derivatives d;
  const auto columns = static_cast<Eigen::Index>(inputs);
  d.by_input.resize(static_cast<Eigen::Index>(rows.size()), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    d.by_input.row(static_cast<Eigen::Index>(i)) = rows[i].v.head(columns).transpose();
  }
  return d;
}

Derivatives through_planar_kernel(const PlanarLaw& law, const ContactProblem& p, Inputs inputs) {
  const PlanarProblem one = planar_problem(p);
  const Variables x(p, inputs);
  const PlanarInputs<Jet> in{.G = {.nn = Jet(one.G.nn), .nt = Jet(one.G.nt), .tt = Jet(one.G.tt)},
                             .approach = {.n = x.approach(0), .t = x.approach(1)},
                             .restitution = x("restitution"),
                             .friction = x("friction"),
                             .static_friction = x.static_friction(),
                             .tangential_restitution = x("tangential_restitution"),
                             .compliance_ratio = x("compliance_ratio"),
                             .tangential = x.tangential(0),
                             .moment_coefficient = x("moment_coefficients"),
                             .spin = {.nr = Jet(one.spin.nr),
                                      .tr = Jet(one.spin.tr),
                                      .rr = Jet(one.spin.rr),
                                      .approach = Jet(one.spin.approach)}};
  const KernelChoice choice{.rule = brach_rule(one.surface).rule, .couples = true};
  const PlanarAnswer<Jet> a = std::visit(
      [&](const auto& l) {
        return l.with_kernel(choice, [&](auto kernel) { return kernel.answer(in); });
      },
      law);
  std::vector<Jet> rows{a.impulse.n, a.impulse.t};
  if (p.spin_rows > 0) rows.push_back(a.couple);
  rows.insert(rows.end(), {a.velocity.n, a.velocity.t});
  if (p.spin_rows > 0) rows.push_back(a.spin);
  return derivatives(rows, inputs.size());
}

/// Nothing: the law has no totals in space.
std::optional<Derivatives> through_spatial_kernel(const SpatialLaw& law, const ContactProblem& p,
                                                  const SpatialOptions& options, Inputs inputs) {
  const SpatialProblem one = spatial_problem(p);
  const Variables x(p, inputs);
  const bool by_ratio = one.surface.has_moment_ratio();
  const std::string_view moment = by_ratio ? "moment_ratio" : "moment_coefficients";
  const SpatialInputs<Jet> in{
      .problem = one,
      .approach = {.n = x.approach(0), .t1 = x.approach(1), .t2 = x.approach(2)},
      .restitution = x("restitution"),
      .friction = x("friction"),
      .static_friction = x.static_friction(),
      .tangential = {x.tangential(0), x.tangential(1)},
      .moment = {x(moment, 0), x(moment, 1), x(moment, 2)}};
  return std::visit(
      [&](const auto& l) -> std::optional<Derivatives> {
        if constexpr (requires { l.totals(in, SpatialOutcome{}); }) {
          const auto t = l.totals(in, l(one, options));
          if (!t) {
            return Derivatives{.by_input = {},
                               .why_not = "it is at the edge between two modes, or does not end"};
          }
          std::vector<Jet> rows{t->impulse.n, t->impulse.t1, t->impulse.t2};
          const bool spin = p.spin_rows > 0;
          if (spin) rows.insert(rows.end(), {t->couple.n, t->couple.t1, t->couple.t2});
          rows.insert(rows.end(), {t->velocity.n, t->velocity.t1, t->velocity.t2});
          if (spin) {
            const Mat3& C = one.spin.cross;
            const auto after = one.spin.G * t->couple;
            const auto turned = [&](std::size_t k, const Jet& by_couple) {
              return by_couple + C[0][k] * t->impulse.n + C[1][k] * t->impulse.t1 +
                     C[2][k] * t->impulse.t2;
            };
            rows.insert(rows.end(), {turned(0, after.n), turned(1, after.t1), turned(2, after.t2)});
          }
          return derivatives(rows, inputs.size());
        }
        return std::nullopt;
      },
      static_cast<const SpatialLaw::variant&>(law));
}

/// One contact without its rows of spin.
ContactProblem without_spin(const ContactProblem& p) {
  ContactProblem q = p;
  const std::size_t d = p.components();
  std::vector<double> block;
  for (std::size_t r = 0; r < d; ++r) {
    const double* row = p.G.diagonal(0) + r * p.G.components();
    block.insert(block.end(), row, row + d);
  }
  q.G.assign_block(d, block);
  q.approach.resize(d);
  q.spin_rows = 0;
  q.couple_inertia.clear();
  return q;
}

}  // namespace

Derivatives differentiate(const Law& law, const ContactProblem& p, const Outcome& outcome,
                          const SolveOptions& options, std::span<const ImpactInput> inputs) {
  if (p.contacts() == 1 && p.components() == 2 && law.planar) {
    return through_planar_kernel(*law.planar, p, inputs);
  }
  if (p.contacts() == 1 && p.components() == 3 && law.spatial) {
    SpatialOptions spatial;
    if (options.tolerance > 0.) spatial.tolerance = options.tolerance;
    if (auto d = through_spatial_kernel(law.spatial, p, spatial, inputs)) return *d;
  }
  if (law.derivatives != nullptr) return law.derivatives(p, outcome, options, inputs);
  Derivatives none{.by_input = {}, .why_not = "this law has no derivatives"};
  if (p.contacts() > 1) {
    none.why_not += " for several contacts";
  } else if (p.components() == 3 && law.planar) {
    none.why_not += " in space";
  }
  return none;
}

std::optional<double> Sensitivity::relative(Eigen::Index output, Eigen::Index input) const {
  const double y = outputs[static_cast<std::size_t>(output)].value;
  const double x = inputs[static_cast<std::size_t>(input)].value;
  if (x == 0. || y == 0.) return std::nullopt;
  return absolute(output, input) * (x / y);
}

Sensitivity sensitivity(const Law& asked, const ContactProblem& problem,
                        const SolveOptions& options) {
  const Law& law = *answering(asked, {problem.contacts(), problem.components()});
  const std::size_t d = problem.components();
  // Spin matters where there are couples only; then they are among the outputs.
  const bool couples = problem.spin_rows > 0 && law.info->knows("moment_coefficients") &&
                       problem.surfaces[0].has_couples(problem.spin_rows);
  const ContactProblem p = couples || problem.spin_rows == 0 ? problem : without_spin(problem);
  const std::size_t rows = p.G.components();

  Sensitivity s;
  s.law = &asked;
  Outcome o;
  solve(law, p, options, o);
  s.verdict = o.verdict();
  const bool pushes = std::ranges::any_of(o.impulse, [](double x) { return x != 0.; });
  if (!pushes) return s;
  // The equations that are differentiated hold at a solution only.
  if (o.flags.has(Verdict::not_converged)) {
    s.refused = "the outcome has not converged, and derivatives hold at a solution only";
    return s;
  }
  const std::vector<ImpactInput> inputs = inputs_of(p, *law.info);
  Derivatives derivative = differentiate(law, p, o, options, inputs);
  s.refused = std::move(derivative.why_not);
  if (!s.refused.empty()) return s;

  for (const ImpactInput& x : inputs) s.inputs.push_back(named(p, x));
  const Eigen::MatrixXd& by = derivative.by_input;
  const auto size = static_cast<Eigen::Index>(p.G.size());
  std::vector<Eigen::Index> shown;
  const auto output = [&](std::string name, const char* unit, double value, Eigen::Index row) {
    s.outputs.push_back({.name = std::move(name), .unit = unit, .value = value});
    shown.push_back(row);
  };
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const std::string contact = of_contact(p, i);
    const auto add = [&](const std::string& name, const char* unit, const std::vector<double>& of,
                         std::size_t component, Eigen::Index offset) {
      const std::size_t k = i * rows + component;
      output(name + contact, unit, of[k], offset + static_cast<Eigen::Index>(k));
    };
    for (std::size_t c = 0; c < d; ++c) {
      add(std::string("impulse, ") + impulse_names[d - 1][c], "N s", o.impulse, c, 0);
    }
    for (std::size_t c = 0; c < d; ++c) {
      add(std::string("velocity after, ") + velocity_names[d - 1][c], "m/s", o.velocity, c, size);
    }
    for (std::size_t c = d; c < rows; ++c) {
      add(d == 2 ? "couple" : std::string("couple, ") + impulse_names[d - 1][c - d], "N m s",
          o.impulse, c, 0);
    }
  }
  s.outputs.push_back({.name = "energy change", .unit = "J", .value = o.energy.change});

  s.absolute.resize(static_cast<Eigen::Index>(s.outputs.size()), by.cols());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    s.absolute.row(static_cast<Eigen::Index>(i)) = by.row(shown[i]);
  }
  // 1/2 P.(v- + v+), of couples and spins too.
  auto change = s.absolute.row(s.absolute.rows() - 1);
  change.setZero();
  for (Eigen::Index k = 0; k < size; ++k) {
    const auto i = static_cast<std::size_t>(k);
    change +=
        0.5 * (p.approach[i] + o.velocity[i]) * by.row(k) + 0.5 * o.impulse[i] * by.row(size + k);
  }
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const ImpactInput& x = inputs[j];
    if (x.coefficient != nullptr) continue;
    change[static_cast<Eigen::Index>(j)] += 0.5 * o.impulse[x.contact * rows + x.index];
  }
  return s;
}

Sensitivity sensitivity(const Law& law, const PlanarProblem& problem) {
  ContactProblem p;
  assign(p, problem);
  return sensitivity(law, p);
}

}  // namespace carom::study
