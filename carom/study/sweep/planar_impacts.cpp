// SPDX-License-Identifier: Apache-2.0
// Sweeps of one contact in the plane where only coefficients and velocities vary: inputs are
// written straight into the columns of a batch, and results are computed from its columns.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/brach/brach.hpp>
#include <carom/study/batch/batch.hpp>
#include <carom/study/quantity_rows.hpp>
#include <carom/study/sweep/impacts.hpp>

namespace carom::study {
namespace {

/// Columns of one stretch of impacts, of one law.
struct Answers {
  std::span<const double> impulse_n, impulse_t, velocity_n, velocity_t, change;
  std::span<const double> before;  ///< energy [J]
  const PlanarBatch& batch;
};

using Fill = void (*)(const Answers&, std::size_t count, double* out);

double quotient(double a, double b) { return b != 0. ? a / b : undefined; }

template <std::span<const double> Answers::*column>
void copy(const Answers& a, std::size_t count, double* out) {
  std::copy_n((a.*column).data(), count, out);
}

/// As the table of quantities has them; a test compares all of them.
struct Direct {
  std::string_view name;
  std::size_t index;
  Fill fill;
  bool energy = false;  ///< needs the energy before
};
constexpr std::array direct{
    Direct{"impulse", 0, copy<&Answers::impulse_n>},
    Direct{"impulse", 1, copy<&Answers::impulse_t>},
    Direct{"velocity", 0, copy<&Answers::velocity_n>},
    Direct{"velocity", 1, copy<&Answers::velocity_t>},
    Direct{"normal_impulse", 0, copy<&Answers::impulse_n>},
    Direct{"tangential_impulse", 0, copy<&Answers::impulse_t>},
    Direct{"normal_velocity", 0, copy<&Answers::velocity_n>},
    Direct{"slip", 0, copy<&Answers::velocity_t>},
    Direct{"energy_change", 0, copy<&Answers::change>},
    Direct{"ratio", 0,
           [](const Answers& a, std::size_t count, double* out) {
             for (std::size_t i = 0; i < count; ++i) {
               out[i] = quotient(a.velocity_t[i], a.velocity_n[i]);
             }
           }},
    Direct{"impulse_ratio", 0,
           [](const Answers& a, std::size_t count, double* out) {
             for (std::size_t i = 0; i < count; ++i) {
               out[i] = quotient(a.impulse_t[i], a.impulse_n[i]);
             }
           }},
    Direct{"restitution", 0,
           [](const Answers& a, std::size_t count, double* out) {
             for (std::size_t i = 0; i < count; ++i) {
               out[i] =
                   a.impulse_n[i] > 0. ? quotient(-a.velocity_n[i], a.batch.normal[i]) : undefined;
             }
           }},
    Direct{"rebound", 0,
           [](const Answers& a, std::size_t count, double* out) {
             for (std::size_t i = 0; i < count; ++i) {
               out[i] = a.impulse_n[i] > 0.
                            ? quotient(-a.velocity_n[i], a.batch.restitution[i] * a.batch.normal[i])
                            : undefined;
             }
           }},
    Direct{"energy", 0,
           [](const Answers& a, std::size_t count, double* out) {
             for (std::size_t i = 0; i < count; ++i) {
               out[i] = quotient(a.before[i] + a.change[i], a.before[i]);
             }
           },
           true},
    Direct{"energy_change_percent", 0,
           [](const Answers& a, std::size_t count, double* out) {
             for (std::size_t i = 0; i < count; ++i) {
               out[i] = a.before[i] > 0. ? 100. * a.change[i] / a.before[i] : undefined;
             }
           },
           true},
};

const Direct* find_direct(const SweepColumn& column) {
  for (const Direct& d : direct) {
    if (d.name == column.quantity->name && d.index == column.index) return &d;
  }
  return nullptr;
}

/// Numbers of [system] on which velocities at the contact depend linearly.
bool is_velocity(std::string_view path) {
  const std::string_view key = path.substr(path.rfind('.') + 1);
  return std::ranges::any_of(
      std::array{"velocity", "spin", "rate", "approach"}, [&](std::string_view known) {
        return key == known ||
               (key.starts_with(known) && key.substr(known.size()).starts_with('['));
      });
}

struct CoefficientColumn {
  std::string_view key;
  Column PlanarBatch::*column;
};
constexpr std::array coefficient_columns{
    CoefficientColumn{"restitution", &PlanarBatch::restitution},
    CoefficientColumn{"friction", &PlanarBatch::friction},
    CoefficientColumn{"static_friction", &PlanarBatch::static_friction},
    CoefficientColumn{"tangential_restitution", &PlanarBatch::tangential_restitution},
    CoefficientColumn{"compliance_ratio", &PlanarBatch::compliance_ratio},
};

/// A coefficient that varies.
struct VariedCoefficient {
  std::size_t input = 0;
  Column PlanarBatch::*column = nullptr;
  const Coefficient* row = nullptr;
};

/// Velocities at the contact and energy as functions of the numbers that vary: v is linear in
/// them, the energy quadratic.
struct Velocities {
  std::vector<std::size_t> inputs;
  std::vector<double> base;                   ///< values of the numbers at the origin
  std::array<double, 3> at_base{};            ///< normal, slip, spin [m/s, rad/s]
  std::vector<std::array<double, 3>> slopes;  ///< by number
  double energy = 0.;                         ///< at the origin [J]
  std::vector<double> gradient;               ///< by number
  std::vector<double> hessian;                ///< row by row

  [[nodiscard]] double v(std::size_t part, std::span<const double> delta) const {
    double sum = at_base[part];
    for (std::size_t k = 0; k < delta.size(); ++k) sum += slopes[k][part] * delta[k];
    return sum;
  }
  [[nodiscard]] double energy_at(std::span<const double> delta) const {
    double sum = energy;
    for (std::size_t k = 0; k < delta.size(); ++k) {
      double row = gradient[k];
      for (std::size_t l = 0; l < delta.size(); ++l) {
        row += 0.5 * hessian[k * delta.size() + l] * delta[l];
      }
      sum += row * delta[k];
    }
    return sum;
  }
};

class PlanarEvaluator : public Evaluator {
 public:
  explicit PlanarEvaluator(const SweepPlan& plan)
      : plan_(plan),
        point_(plan.text, plan.name, numbers_of(plan)),
        varying_(varying_numbers(plan)),
        slow_(plan),
        outcomes_(5) {}

  /// Whether the plan is one that this can compute.
  [[nodiscard]] bool prepare();
  void evaluate(const Columns& inputs, std::size_t count, std::size_t first, Columns& values,
                Faults& faults) override;

 private:
  [[nodiscard]] bool sort_inputs();
  [[nodiscard]] bool find_velocities();
  [[nodiscard]] bool allowed(const Columns& inputs, std::size_t count) const;
  void fill_batch(const Columns& inputs, std::size_t count);
  void fill_column(std::size_t c, const Answers& answers, std::size_t count, double* out);

  const SweepPlan& plan_;
  VariedPoint point_;
  std::vector<std::size_t> varying_;  ///< numbers of the point
  ImpactEvaluator slow_;
  std::vector<VariedCoefficient> coefficients_;
  std::optional<std::size_t> slip_;  ///< the input that sets it
  Velocities velocities_;
  bool static_friction_given_ = false;
  bool energy_ = false;  ///< is the energy before needed?
  PlanarBatch batch_;
  Columns made_;  ///< normal, slip, spin, energy before
  Columns outcomes_;
  std::vector<std::uint8_t> modes_;
  std::vector<std::uint16_t> flags_;
  std::vector<const Direct*> direct_;  ///< by column; null: by the table of quantities
  PlanarProblem base_;
  ContactProblem problem_;
  Outcome outcome_;
};

bool PlanarEvaluator::sort_inputs() {
  for (std::size_t k = 0; k < varying_.size(); ++k) {
    const std::string& path = plan_.request.axes[varying_[k]].path;
    const Varies what = point_.varies(varying_[k]);
    if (sets_slip(what)) {
      slip_ = k;
    } else if (what == Varies::system) {
      if (!is_velocity(path)) return false;
      velocities_.inputs.push_back(k);
    } else {
      const auto known = std::ranges::find_if(coefficient_columns, [&](const auto& c) {
        return path == "surface." + std::string(c.key);
      });
      if (known == coefficient_columns.end()) return false;
      coefficients_.push_back(
          {.input = k, .column = known->column, .row = find_coefficient(known->key)});
    }
  }
  return !(slip_ && !velocities_.inputs.empty());
}

bool PlanarEvaluator::find_velocities() {
  const std::size_t n = velocities_.inputs.size();
  std::vector<double> steps;
  for (const std::size_t k : velocities_.inputs) {
    const scenario::VariedNumber number = plan_.request.axes[varying_[k]].number();
    velocities_.base.push_back(number.from);
    const double size = std::max(std::abs(number.from), std::abs(number.to));
    steps.push_back(size > 0. ? size : 1.);
  }
  struct Probe {
    std::array<double, 3> v{};
    double energy = 0.;
    bool same = false;  ///< G is that of the origin
  };
  const auto probe = [&](std::span<const double> times) {
    for (std::size_t k = 0; k < n; ++k) {
      point_.set(varying_[velocities_.inputs[k]], velocities_.base[k] + times[k] * steps[k]);
    }
    const SystemPoint& system = point_.system();
    const PlanarProblem p = point_.problem();
    const bool same = p.G.nn == base_.G.nn && p.G.nt == base_.G.nt && p.G.tt == base_.G.tt &&
                      p.spin.nr == base_.spin.nr && p.spin.tr == base_.spin.tr &&
                      p.spin.rr == base_.spin.rr;
    return Probe{{p.approach.n, p.approach.t, p.spin.approach}, system.energy_before(p), same};
  };
  std::vector<double> times(n, 0.);
  const Probe origin = probe(times);
  velocities_.at_base = origin.v;
  velocities_.energy = origin.energy;
  velocities_.slopes.resize(n);
  velocities_.gradient.resize(n);
  velocities_.hessian.assign(n * n, 0.);
  std::vector<Probe> up(n);
  for (std::size_t k = 0; k < n; ++k) {
    times.assign(n, 0.);
    times[k] = 1.;
    up[k] = probe(times);
    times[k] = -1.;
    const Probe down = probe(times);
    if (!up[k].same || !down.same) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      velocities_.slopes[k][i] = 0.5 * (up[k].v[i] - down.v[i]) / steps[k];
    }
    velocities_.gradient[k] = 0.5 * (up[k].energy - down.energy) / steps[k];
    velocities_.hessian[k * n + k] =
        (up[k].energy - 2. * origin.energy + down.energy) / (steps[k] * steps[k]);
    for (std::size_t l = 0; l < k; ++l) {
      times.assign(n, 0.);
      times[k] = times[l] = 1.;
      const double mixed = probe(times).energy - up[k].energy - up[l].energy + origin.energy;
      velocities_.hessian[k * n + l] = mixed / (steps[k] * steps[l]);
      velocities_.hessian[l * n + k] = velocities_.hessian[k * n + l];
    }
  }
  // Is it so elsewhere, too? What is not linear is computed one by one.
  constexpr double close = 1e-9;
  std::vector<double> delta(n);
  for (std::size_t k = 0; k < n; ++k) {
    times[k] = 0.37 - 0.61 * static_cast<double>(k % 3);
    delta[k] = times[k] * steps[k];
  }
  const Probe there = probe(times);
  for (std::size_t k = 0; k < n; ++k) {
    point_.set(varying_[velocities_.inputs[k]], velocities_.base[k]);
  }
  const double speed =
      std::abs(there.v[0]) + std::abs(there.v[1]) + std::abs(origin.v[0]) + std::abs(origin.v[1]);
  return there.same && std::abs(velocities_.v(0, delta) - there.v[0]) <= close * speed &&
         std::abs(velocities_.v(1, delta) - there.v[1]) <= close * speed &&
         std::abs(velocities_.v(2, delta) - there.v[2]) <=
             close * (std::abs(there.v[2]) + std::abs(origin.v[2])) &&
         std::abs(velocities_.energy_at(delta) - there.energy) <=
             close * (there.energy + origin.energy);
}

bool PlanarEvaluator::prepare() {
  if (!point_.is_planar()) return false;
  for (const SweepColumn& c : plan_.columns) {
    if (!c.quantity->of_totals || is_of_system(c.quantity->over)) return false;
    const Direct* d = find_direct(c);
    direct_.push_back(d);
    energy_ = energy_ || d == nullptr || d->energy;
  }
  for (const Law* law : plan_.laws) {
    const Law* answers = answering(*law, in_the_plane);
    if (answers == nullptr || !answers->planar) return false;
  }
  if (!sort_inputs()) return false;
  base_ = point_.problem();
  const Surface& s = base_.surface;
  if (s.couple_rule == CoupleRule::lengths) return false;
  if (!velocities_.inputs.empty() && !find_velocities()) return false;
  // Whether a law refuses a surface does not depend on the values that its coefficients have
  // within their ranges. Where one does, impacts are solved and reported one by one.
  for (const Law* law : plan_.laws) {
    try {
      assign(problem_, base_);
      require_applies(*law, problem_);
      require_answerable(info_for(*law, in_the_plane), s, problem_.spin_rows > 0, 2);
    } catch (const InputError&) {
      return false;
    }
  }
  static_friction_given_ = is_given(s, "static_friction");
  const BrachTangential rule = brach_rule(s);
  batch_.nn = base_.G.nn;
  batch_.nt = base_.G.nt;
  batch_.tt = base_.G.tt;
  batch_.normal = base_.approach.n;
  batch_.slip = base_.approach.t;
  batch_.restitution = s.restitution;
  batch_.friction = s.friction;
  if (static_friction_given_) batch_.static_friction = s.static_friction;
  batch_.tangential_restitution = s.tangential_restitution;
  batch_.compliance_ratio = s.compliance_ratio;
  batch_.rule = rule.rule;
  batch_.tangential = rule.value;
  batch_.moment_coefficient = s.planar_moment_coefficient();
  batch_.spin_nr = base_.spin.nr;
  batch_.spin_tr = base_.spin.tr;
  batch_.spin_rr = base_.spin.rr;
  batch_.spin = base_.spin.approach;
  made_.resize(4);
  return true;
}

bool PlanarEvaluator::allowed(const Columns& inputs, std::size_t count) const {
  const std::vector<double>* friction = nullptr;
  const std::vector<double>* static_friction = nullptr;
  for (const VariedCoefficient& c : coefficients_) {
    const std::vector<double>& x = inputs[c.input];
    const double low = c.row->low;
    const double high = c.row->high;
    unsigned outside = 0;
    for (std::size_t i = 0; i < count; ++i) {
      outside |= static_cast<unsigned>(!(x[i] >= low)) | static_cast<unsigned>(!(x[i] <= high));
    }
    if (outside != 0) return false;
    if (c.column == &PlanarBatch::friction) friction = &x;
    if (c.column == &PlanarBatch::static_friction) static_friction = &x;
  }
  if (static_friction == nullptr && !(static_friction_given_ && friction != nullptr)) return true;
  bool ordered = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double mu = friction != nullptr ? (*friction)[i] : base_.surface.friction;
    const double mu_s =
        static_friction != nullptr ? (*static_friction)[i] : base_.surface.static_friction;
    ordered = ordered && mu <= mu_s;
  }
  return ordered;
}

void PlanarEvaluator::fill_batch(const Columns& inputs, std::size_t count) {
  const auto column = [count](const std::vector<double>& x) {
    return Column(std::span<const double>(x).first(count));
  };
  batch_.size = count;
  for (const VariedCoefficient& c : coefficients_) batch_.*(c.column) = column(inputs[c.input]);
  for (std::vector<double>& m : made_) m.resize(count);
  if (slip_) {
    const SystemPoint& system = point_.system();
    for (std::size_t i = 0; i < count; ++i) {
      point_.set(varying_[*slip_], inputs[*slip_][i]);
      const PlanarProblem p = system.problem(base_.surface, point_.slip(system));
      made_[1][i] = p.approach.t;
      made_[2][i] = p.spin.approach;
      if (energy_) made_[3][i] = system.energy_before(p);
    }
    batch_.slip = column(made_[1]);
    if (system.spin_rate != 0.) batch_.spin = column(made_[2]);
  } else if (!velocities_.inputs.empty()) {
    const std::array to{&PlanarBatch::normal, &PlanarBatch::slip, &PlanarBatch::spin};
    for (std::size_t part = 0; part < to.size(); ++part) {
      const bool varies = std::ranges::any_of(velocities_.slopes,
                                              [&](const auto& slope) { return slope[part] != 0.; });
      if (!varies || (part == 2 && !(base_.spin.rr > 0.))) continue;
      double* const v = made_[part].data();
      std::fill_n(v, count, velocities_.at_base[part]);
      for (std::size_t k = 0; k < velocities_.inputs.size(); ++k) {
        const double* const x = inputs[velocities_.inputs[k]].data();
        const double slope = velocities_.slopes[k][part];
        const double base = velocities_.base[k];
        for (std::size_t i = 0; i < count; ++i) v[i] += slope * (x[i] - base);
      }
      batch_.*to[part] = column(made_[part]);
    }
    std::vector<double> delta(velocities_.inputs.size());
    for (std::size_t i = 0; energy_ && i < count; ++i) {
      for (std::size_t k = 0; k < delta.size(); ++k) {
        delta[k] = inputs[velocities_.inputs[k]][i] - velocities_.base[k];
      }
      made_[3][i] = velocities_.energy_at(delta);
    }
  } else if (energy_) {
    std::fill_n(made_[3].begin(), count, point_.system().energy_before(base_));
  }
}

void PlanarEvaluator::fill_column(std::size_t c, const Answers& a, std::size_t count, double* out) {
  const SweepColumn& column = plan_.columns[c];
  if (const Direct* d = direct_[c]) return d->fill(a, count, out);
  OutcomeView view{.law = plan_.laws[column.law_index], .problem = &problem_, .outcome = &outcome_};
  for (std::size_t i = 0; i < count; ++i) {
    assign(problem_, problem_at(batch_, i));
    PlanarOutcome o;
    o.impulse = {.n = a.impulse_n[i], .t = a.impulse_t[i]};
    o.velocity = {.n = a.velocity_n[i], .t = a.velocity_t[i]};
    o.energy.change = a.change[i];
    o.mode = static_cast<Mode>(modes_[i]);
    o.flags = Verdicts::from_bits(flags_[i]);
    assign(outcome_, problem_, o);
    view.energy_before = a.before[i];
    out[i] = value_of(*column.quantity, view, column.index);
  }
}

void PlanarEvaluator::evaluate(const Columns& inputs, std::size_t count, std::size_t first,
                               Columns& values, Faults& faults) {
  if (!allowed(inputs, count)) return slow_.evaluate(inputs, count, first, values, faults);
  fill_batch(inputs, count);
  for (std::vector<double>& o : outcomes_) o.resize(count);
  modes_.resize(count);
  flags_.resize(count);
  Verdicts without;
  without.add(Verdict::no_solution);
  without.add(Verdict::not_converged);
  for (std::size_t k = 0; k < plan_.laws.size(); ++k) {
    const Law& law = *plan_.laws[k];
    solve_batch(planar_kernel(law), batch_,
                {.impulse_n = outcomes_[0].data(),
                 .impulse_t = outcomes_[1].data(),
                 .velocity_n = outcomes_[2].data(),
                 .velocity_t = outcomes_[3].data(),
                 .energy_change = outcomes_[4].data(),
                 .mode = modes_.data(),
                 .flags = flags_.data()});
    const Answers answers{.impulse_n = outcomes_[0],
                          .impulse_t = outcomes_[1],
                          .velocity_n = outcomes_[2],
                          .velocity_t = outcomes_[3],
                          .change = outcomes_[4],
                          .before = made_[3],
                          .batch = batch_};
    unsigned any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= flags_[i];
    const bool unanswered = (any & without.bits()) != 0;
    for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
      if (plan_.columns[c].law_index != k) continue;
      fill_column(c, answers, count, values[c].data());
      if (!unanswered || plan_.columns[c].quantity->always) continue;
      for (std::size_t i = 0; i < count; ++i) {
        if ((flags_[i] & without.bits()) != 0) values[c][i] = undefined;
      }
    }
    for (std::size_t i = 0; unanswered && i < count; ++i) {
      if ((flags_[i] & without.bits()) == 0) continue;
      const std::string verdict(name(Verdicts::from_bits(flags_[i]).gravest()));
      faults.add(std::string(law.name) + ": " + verdict, first + i, "the verdict is " + verdict);
    }
  }
}

}  // namespace

std::unique_ptr<Evaluator> make_planar_evaluator(const SweepPlan& plan) {
  auto planar = std::make_unique<PlanarEvaluator>(plan);
  if (!planar->prepare()) return nullptr;
  return planar;
}

}  // namespace carom::study
