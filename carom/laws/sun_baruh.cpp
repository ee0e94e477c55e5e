// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/sun_baruh.hpp>

#include <cassert>
#include <cmath>

#include <carom/core/stick.hpp>
#include <carom/core/tangent.hpp>
#include <carom/impact/planar_problem.hpp>

namespace carom {
namespace {

/// A linear segment of the process: while the normal impulse grows by p, friction grows by ratio p.
struct Slope {
  Tangent ratio;    ///< dP_T/dp
  double normal{};  ///< dv_n/dp [1/kg]
  Tangent slip;     ///< dv_T/dp [1/kg]
};

Slope slope_of(const Sym3& G, const Tangent& ratio) {
  return {.ratio = ratio,
          .normal = G.nn + dot(coupling(G), ratio),
          .slip = coupling(G) + tangential_product(G, ratio)};
}

/// Slip with friction along -d, where d need not have unit length. Frictionless if d is zero.
Slope sliding(const Sym3& G, double mu, const Tangent& d) {
  const double length = size(d);
  return slope_of(G, length > 0. ? (-mu / length) * d : Tangent{});
}

/// State and outcome of the process.
class Process {
 public:
  Process(const SpatialProblem& problem, SpatialOutcome& outcome)
      : G(problem.G), v(problem.approach), outcome_(outcome) {
    outcome_.energy.stages = StageWork{};
  }

  /// Advances by p along `slope`.
  void advance(Stage stage, Motion motion, double p, const Slope& slope) {
    finish(stage, motion, p, p * slope.ratio, v.n + slope.normal * p,
           motion == Motion::stick ? Tangent{} : tangential(v) + p * slope.slip);
  }

  /// Advances to the given state, whose velocities are more accurate than those from the slopes.
  void finish(Stage stage, Motion motion, double p, const Tangent& friction, double v_n,
              const Tangent& slip) {
    if (!(p > 0.)) return;
    StageWork& stages = *outcome_.energy.stages;
    double& work = stage == Stage::compression ? stages.compression : stages.restitution;
    work += 0.5 * p * (v.n + v_n);
    outcome_.energy.friction += 0.5 * dot(friction, tangential(v) + slip);
    P = P + joined(p, friction);
    v = joined(v_n, slip);
    outcome_.phases.push_back({.stage = stage, .motion = motion, .impulse = P, .velocity = v});
  }

  [[nodiscard]] double compression_work() const { return outcome_.energy.stages->compression; }
  [[nodiscard]] double restitution_work() const { return outcome_.energy.stages->restitution; }

  const Sym3& G;
  Vec3 v;
  Vec3 P;

 private:
  SpatialOutcome& outcome_;
};

/// End of restitution: at a normal impulse [N s] or at a work [J].
struct Target {
  Hypothesis hypothesis = Hypothesis::poisson;
  double impulse = 0.;
  double work = 0.;
};

/// Normal impulse from normal velocity v along a slope to the target. Empty if it cannot be
/// reached: the work v p + slope p^2/2 has a maximum if the normal velocity decreases.
std::optional<double> rest_of(const Target& target, double delivered, double worked, double v,
                              double slope) {
  if (target.hypothesis == Hypothesis::poisson) return target.impulse - delivered;
  const double work = target.work - worked;
  if (!(work > 0.)) return 0.;
  const double square = v * v + 2. * slope * work;
  if (square < 0.) return std::nullopt;
  const double divisor = v + std::sqrt(square);
  if (!(divisor > 0.)) return std::nullopt;
  return 2. * work / divisor;
}

class Procedure {
 public:
  Procedure(const SpatialProblem& problem, Hypothesis hypothesis, SpatialOutcome& outcome)
      : p_(problem),
        mu_(problem.surface.friction),
        hypothesis_(hypothesis),
        stick_(problem.G),
        process_(problem, outcome),
        outcome_(outcome) {}

  /// Without approach: whether the normal velocity decreases as slip ends. Otherwise there is no
  /// impact.
  [[nodiscard]] bool grazing_jams() const {
    if (is_zero(tangential(process_.v))) return false;
    Tangent w;
    const auto p = end_of_slip(w);
    if (!p) return false;
    const double pushed = p_.G.nn * *p;
    const double pulled = dot(coupling(p_.G), w + *p * stick_.ratio);
    return pushed - pulled < -rounding * (pushed + magnitude(pulled));
  }

  void run() {
    if (!compression()) {
      outcome_ = unchanged(p_.approach, Verdict::no_solution);
      outcome_.energy.stages = StageWork{};
      return;
    }
    restitution();
    outcome_.impulse = process_.P;
    outcome_.velocity = process_.v;
    EnergyLedger& energy = outcome_.energy;
    energy.normal = process_.compression_work() + process_.restitution_work();
    energy.change = energy.normal + energy.friction;
    outcome_.flags.add_if(gains_energy(energy), Verdict::energy_gained);
    outcome_.flags.add_if(outcome_.velocity.n < -rounding * velocity_scale(),
                          Verdict::still_approaching);
  }

 private:
  [[nodiscard]] bool sticks() const {
    const double mu_s = p_.surface.static_friction;
    return dot(stick_.ratio, stick_.ratio) <= mu_s * mu_s;
  }

  [[nodiscard]] double velocity_scale() const {
    return magnitude(p_.approach.n) + p_.G.nn * process_.P.n;
  }

  /// The normal impulse at which slip ends, if it does.
  [[nodiscard]] std::optional<double> end_of_slip(Tangent& w) const {
    const Tangent slip = tangential(process_.v);
    if (!stick_.inverse.reaches(slip, range_tolerance)) return std::nullopt;
    w = stick_.inverse * slip;
    return slip_end(w, stick_.ratio, mu_);
  }

  /// Sticks from here to the end of compression, or slips again along G_Tn.
  bool compress_after_slip() {
    const double v_n = process_.v.n;
    if (sticks()) {
      if (stick_.locks) return v_n >= -range_tolerance * velocity_scale();
      const double p = -v_n / stick_.normal;
      process_.finish(Stage::compression, Motion::stick, p, -p * stick_.ratio, 0., {});
      return true;
    }
    return slide_through_compression(coupling(p_.G), std::nullopt);
  }

  /// @param instead  the ratio dP_T/dp that leads to the end of slip, if v_n is not negative there.
  ///   It is used if the normal velocity decreases along the direction of slip
  bool slide_through_compression(const Tangent& direction, const std::optional<Tangent>& instead) {
    Slope slope = sliding(p_.G, mu_, direction);
    const double least = rounding * (p_.G.nn + mu_ * size(coupling(p_.G)));
    if (!(slope.normal > least) && instead) slope = slope_of(p_.G, *instead);
    if (!(slope.normal > least)) return false;
    const double p = -process_.v.n / slope.normal;
    process_.finish(Stage::compression, Motion::slip, p, p * slope.ratio, 0.,
                    tangential(process_.v) + p * slope.slip);
    return true;
  }

  bool compression() {
    if (is_zero(tangential(process_.v))) {
      outcome_.mode = sticks() ? Mode::no_slip_sticks : Mode::no_slip_slides;
      return compress_after_slip();
    }
    Tangent w;
    std::optional<Tangent> to_the_end;
    if (const auto p = end_of_slip(w)) {
      const Tangent friction = -1. * (w + *p * stick_.ratio);
      const double v_n = process_.v.n + p_.G.nn * *p + dot(coupling(p_.G), friction);
      if (v_n <= 0.) {
        outcome_.flags.add_if(v_n < process_.v.n, Verdict::jam);
        process_.finish(Stage::compression, Motion::slip, *p, friction, v_n, {});
        outcome_.mode =
            sticks() ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
        return compress_after_slip();
      }
      to_the_end = (1. / *p) * friction;
    }
    // Slips throughout, against the slip that a frictionless compression would leave.
    outcome_.mode = Mode::slides;
    const Tangent end = p_.G.nn * tangential(process_.v) - process_.v.n * coupling(p_.G);
    return slide_through_compression(end, to_the_end);
  }

  /// The remaining restitution along a slope.
  void restore(Motion motion, const Target& target, double delivered, const Slope& slope) {
    const auto p =
        rest_of(target, delivered, process_.restitution_work(), process_.v.n, slope.normal);
    outcome_.flags.add_if(!p, Verdict::target_unreachable);
    if (p) process_.advance(Stage::restitution, motion, *p, slope);
  }

  /// Slips to the end, against the slip that a frictionless restitution would leave.
  void slide_through_restitution(const Target& target) {
    const Tangent end = tangential(process_.v) + target.impulse * coupling(p_.G);
    restore(Motion::slip, target, 0., sliding(p_.G, mu_, end));
  }

  void restitution() {
    const double e = p_.surface.restitution;
    if (!(e > 0.)) return;
    Target target{.hypothesis = hypothesis_};
    if (hypothesis_ == Hypothesis::poisson) {
      target.impulse = e * process_.P.n;
    } else {
      // The impulse of a frictionless restitution (ERRATA).
      const double compression = -process_.compression_work();
      target.impulse = e * std::sqrt(2. * compression / p_.G.nn);
      target.work = e * e * compression;
    }
    const Slope stick{.ratio = -1. * stick_.ratio, .normal = stick_.normal, .slip = {}};
    switch (outcome_.mode) {
      case Mode::no_slip_sticks:
      case Mode::stops_in_compression_sticks:
        restore(Motion::stick, target, 0., stick);
        return;
      case Mode::slides:
        break;
      default:  // slip that has begun again continues
        slide_through_restitution(target);
        return;
    }
    Tangent w;
    const auto p = end_of_slip(w);
    if (p) {
      const Tangent friction = -1. * (w + *p * stick_.ratio);
      const double v_n = process_.v.n + p_.G.nn * *p + dot(coupling(p_.G), friction);
      const double work = 0.5 * *p * (process_.v.n + v_n);
      const bool inside = hypothesis_ == Hypothesis::poisson ? *p < target.impulse
                                                             : work >= 0. && work < target.work;
      if (inside) {
        process_.finish(Stage::restitution, Motion::slip, *p, friction, v_n, {});
        const bool holds = sticks();
        outcome_.mode =
            holds ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
        restore(holds ? Motion::stick : Motion::slip, target, *p,
                holds ? stick : sliding(p_.G, mu_, coupling(p_.G)));
        return;
      }
    }
    slide_through_restitution(target);
  }

  const SpatialProblem& p_;
  double mu_;
  Hypothesis hypothesis_;
  StickSlopes stick_;
  Process process_;
  SpatialOutcome& outcome_;
};

}  // namespace

SpatialOutcome sun_baruh(const SpatialProblem& problem, Hypothesis hypothesis) {
  assert(hypothesis != Hypothesis::newton);
  SpatialOutcome outcome;
  Procedure process(problem, hypothesis, outcome);
  const double v_n = problem.approach.n;
  if (v_n < 0. || (v_n == 0. && process.grazing_jams())) {
    process.run();
    return outcome;
  }
  outcome.velocity = problem.approach;
  outcome.flags.add(Verdict::no_impulse);
  return outcome;
}

}  // namespace carom
