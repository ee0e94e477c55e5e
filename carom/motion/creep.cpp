// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/creep.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/radau.hpp>
#include <carom/core/scalar.hpp>

// Slow slip in space, at its onset above all.
//
// Let a contact slip with velocity v_T = s d, |d| = 1, and let e be d turned by a right angle. With
// friction -mu F_n d the tangential acceleration a_T depends on the state and on d. The direction
// turns by the angle theta:
//
//     s' = d.a_T(d),    s theta' = e.a_T(d),    Lambda = -d(e.a_T)/d(theta) ~ mu F_n e.G_TT e
//
// It relaxes to the root e.a_T(d*) = 0 at the rate Lambda/s, which is unbounded as s -> 0. At the
// onset of slip s = 0 and d = d*. With mu_s > mu slip grows like s'(0) t. With mu_s = mu a_T
// vanishes at the onset, and s grows like t^2. Both are smooth solutions of the equations above,
// on the slow manifold d = d* - e s theta*'/Lambda + O(s^2), but an explicit method needs steps of
// s/Lambda to follow them.
//
// Where a step h is too long for an explicit method, h Lambda/s > 1 or 3, the step is one of
// Radau's method IIA. It is L-stable, and collocation at the stages finds the slow manifold to the
// order of the method. Only the directions are stiff. They are unknowns of their own, d_ki of stage
// k and contact i. The rates f_k = f(t_k, Y_k, d_k) use them as directions of friction:
//
//     Y_k = y0 + h sum_j a_kj f_j
//     r_ki = e_ki.v_T,i(Y_k) = 0        (friction is opposite to slip)
//
// One sweep computes all rates, then all Y_k, then turns the directions by simplified Newton:
//
//     s_ki delta_ki + h sum_jl a_kj Lambda_il delta_jl = r_ki,    Lambda_il =
//     -d(e_i.a_i)/d(theta_l)
//
// The matrix is regular at s = 0, too. All other couplings are not stiff, and sweeps over them
// contract like those of Picard. The last stage is the end of the step, so that friction is
// opposite to slip there. Several contacts of one body that start together are coupled through
// Lambda. If slip vanishes within the step, s = d.v_T changes its sign and d does not, which is an
// event.
namespace carom::motion {

namespace {

using Direction = std::array<double, 2>;

constexpr std::size_t stages = Radau7::stages;

/// h Lambda/s above which a step is not left to the explicit method. It is stable up to about 6,
/// but its course within a step is far less accurate than its end from about 2 on. Steps for many
/// contacts cost more, and slip stops in them more often than it turns: they are taken only where
/// they are needed.
constexpr double stiff_for_few = 1.;
constexpr double stiff_for_many = 3.;
constexpr std::ptrdiff_t few_slips = 2;  // of all islands: two ends of one body
/// Where sweeps do not converge above this times the reference time, the explicit method starts
/// slip along the direction of the status.
constexpr double least_step = 1e-9;
constexpr int most_sweeps = 40;
constexpr int most_root_rounds = 30;
/// Sweeps end when they change the result by this times the error that is allowed in a step, a
/// tenth of the tolerance, and directions by less than `still_turn` [rad], or when all changes are
/// due to rounding. Directions matter by themselves: forces have them.
constexpr double swept = 1e-2;
constexpr double still_turn = 1e-9;
constexpr double rounding = 8. * epsilon;
/// Largest turn in one sweep or round [rad].
constexpr double most_turn = 0.5;
/// Angle of the central differences for Lambda, relative error its square [rad].
constexpr double small_turn = 1e-4;
/// Slip below this times tolerance and reference speed has a direction that errors determine; it is
/// that of the root.
constexpr double negligible_slip = 0.1;
/// Within a step directions are those of slip where it is faster than this many times the slip with
/// a direction that errors determine; slower slip has those of the stages, interpolated.
constexpr double clear_slip = 100.;
/// Contacts that share directions have a singular Lambda. Relative to it, this is added.
constexpr double regular = 1e-9;
/// Normal forces below this, relative to those that would lift the contact with the reference
/// acceleration, are rounding: bodies that touch without a force have no friction that would turn
/// their slip.
constexpr double no_force = 1e-12;
/// Where neither slip nor friction is there, rounding alone would turn directions: this many times
/// the rounding of slip is added to it.
constexpr double few = 10.;

Direction across(const Direction& d) { return {-d[1], d[0]}; }

Direction turned(const Direction& d, double angle) {
  const Direction t{d[0] - angle * d[1], d[1] + angle * d[0]};
  const double size = std::hypot(t[0], t[1]);
  return {t[0] / size, t[1] / size};
}

}  // namespace

Creep::Creep(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
             const Slip& slip, Equations& equations, Indicators& indicators, Present& now)
    : setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      slip_(slip),
      equations_(equations),
      indicators_(indicators),
      now_(now) {}

// Lambda at the state that is looked at, by central differences. Its contacts creep.
void Creep::find_turning() {
  const std::size_t count = slipping_.size();
  turning_.assign(count * count, 0.);
  equations_.distribution.glances = true;
  for (Slipping& s : slipping_) s.middle = contacts_.direction[s.contact];
  for (std::size_t l = 0; l < count; ++l) {
    Direction& d = direction_of(l);
    for (const double side : {-1., 1.}) {
      d = turned(slipping_[l].middle, side * small_turn);
      if (!equations_.solve()) continue;
      for (std::size_t i = 0; i < count; ++i) {
        turning_[i * count + l] -=
            side * acceleration_in(i, across(slipping_[i].middle)) / (2. * small_turn);
      }
    }
    d = slipping_[l].middle;
  }
  equations_.distribution.glances = false;
}

// Newton's method for e_i.a_i = 0 at all contacts whose slip starts.
void Creep::settle_directions() {
  const std::size_t count = slipping_.size();
  starts_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    if (slipping_[i].is_start) starts_.push_back(i);
  }
  const std::size_t r = starts_.size();
  for (int round = 0; round < most_root_rounds; ++round) {
    find_turning();
    if (!equations_.solve()) break;
    if (r == 0) return;
    turns_.resize(r);
    turn_matrix_.resize(r * r);
    for (std::size_t a = 0; a < r; ++a) {
      const std::size_t i = starts_[a];
      turns_[a] = acceleration_in(i, across(direction_of(i)));
      for (std::size_t b = 0; b < r; ++b) {
        turn_matrix_[a * r + b] = turning_[i * count + starts_[b]];
      }
      turn_matrix_[a * r + a] += acceleration_in(i, direction_of(i));  // e turns, too
    }
    if (solve_small(turn_matrix_.data(), turns_.data(), r) == Solved::not_at_all) break;
    double turn = 0.;
    for (const double x : turns_) turn = std::max(turn, std::abs(x));
    if (!(turn < infinite)) break;
    const double part = std::min(1., most_turn / std::max(turn, most_turn));
    for (std::size_t a = 0; a < r; ++a) {
      Direction& d = direction_of(starts_[a]);
      d = turned(d, part * turns_[a]);
    }
    if (turn <= 1e-14) break;
  }
  // A root that repels directions is not one that slip follows.
  find_turning();
  for (std::size_t i = 0; i < count; ++i) {
    if (!slipping_[i].is_start || turning_[i * count + i] > 0.) continue;
    direction_of(i) = contacts_.modes.status[slipping_[i].contact].direction;
  }
}

void Creep::prepare(double h, std::span<const double> start_rate) {
  slipping_.clear();
  if (setting_.components != 3) return;
  const auto slips = [this](std::size_t i) {
    return contacts_.slips(i) && !contacts_.is_smooth(i);
  };
  const auto all = std::count_if(contacts_.touching.begin(), contacts_.touching.end(), slips);
  stiff_ = all > few_slips ? stiff_for_many : stiff_for_few;
  bool near = false;
  for (const std::size_t i : contacts_.touching) {
    if (!slips(i)) continue;
    const double force = std::abs(equations_.force[i * setting_.components]);
    if (force <= no_force * indicators_.unit_force(i)) continue;
    const ContactMotion& m = now_.mechanics.motion(i);
    const double s = std::hypot(m.velocity(1), m.velocity(2));
    const Eigen::Matrix3d G = now_.mechanics.coupling(i, i);
    const double trace = G(1, 1) + G(2, 2);
    const Eigen::Map<const Vector> start(start_rate.data() + setting_.positions,
                                         ix(setting_.velocities));
    rate_ = start;
    double along = 0.;
    for (std::size_t j = 1; j < 3; ++j) {
      const double d = contacts_.creeps(i) || s <= setting_.scales.still
                           ? contacts_.modes.status[i].direction[j - 1]
                           : m.velocity(ix(j)) / s;
      along += d * now_.mechanics.acceleration(i, j, rate_);
    }
    const double horizon = along < 0. ? s / -along : infinite;
    const double negligible =
        along < 0. ? setting_.scales.still
                   : std::max(setting_.scales.still,
                              negligible_slip * setting_.options.tolerance * setting_.scales.speed);
    // Lambda is at most mu F_n (tr G_TT + |G_Tn| |G_Tn - mu G_TT d|/A).
    const double mu = contacts_.surface(i).friction;
    const double G_nn = setting_.scales.acceleration / indicators_.unit_force(i);
    const double normal = compliant_.is_spring(i) ? 0.
                                                  : (std::sqrt(G_nn * trace) + mu * trace) /
                                                        std::abs(equations_.slip_A[i]);
    const double most = mu * force * trace * (1. + normal);
    near = near || s <= setting_.scales.still || !(most * std::min(h, horizon) <= stiff_ * s);
    slipping_.push_back({.contact = i, .slip = s, .horizon = horizon, .is_start = s <= negligible});
  }
  if (!near) {
    slipping_.clear();
    return;
  }
  const std::size_t count = slipping_.size();
  directions_.resize((stages + 1) * count);
  rates_.resize((stages + 1) * now_.size());
  values_.resize(stages * now_.size());
  stage_slip_.resize(stages * count);
  for (const Slipping& s : slipping_) contacts_.modes.creeping[s.contact] = 1.;
  // Those that do not creep yet have the direction of their slip in their status: see
  // Slip::note_at_start().
  settle_directions();
  for (Slipping& s : slipping_) s.first = contacts_.direction[s.contact];
}

bool Creep::is_stiff(double h) const {
  const std::size_t count = slipping_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool starts = slipping_[i].slip <= setting_.scales.still;
    const double turning = turning_[i * count + i];
    if (starts ? h > least_step * setting_.scales.time
               : turning * std::min(h, slipping_[i].horizon) > stiff_ * slipping_[i].slip) {
      return true;
    }
  }
  return false;
}

void Creep::activate(bool active) {
  active_ = active;
  for (const std::size_t i : contacts_.touching) {
    if (contacts_.slips(i) && setting_.components == 3) contacts_.modes.creeping[i] = 0.;
  }
  if (!active) return;
  for (const Slipping& s : slipping_) {
    contacts_.modes.creeping[s.contact] = 1.;
    contacts_.direction[s.contact] = s.first;
  }
}

// Turns the directions of all stages by one step of Newton's method. `turn` becomes the largest
// turn relative to the one that may remain: s delta changes the direction of slip, and the rest,
// r - s delta = h sum a Lambda delta, changes v_T. Where contacts share directions a turn may
// change no velocity. Rounding has its share in v_T = W^T u.
bool Creep::turn_stages(double& turn) {
  static constexpr auto a = Radau7::inner();
  const std::size_t count = slipping_.size();
  const std::size_t unknowns = stages * count;
  system_.resize(unknowns);
  const double allowed = 0.1 * swept * setting_.options.tolerance * setting_.scales.speed;
  const double negligible = swept * allowed;
  double largest = 0.;
  for (const double x : turning_) largest = std::max(largest, std::abs(x));
  for (std::size_t k = 0; k < stages; ++k) {
    now_.take({&values_[k * now_.size()], now_.size()}, start_ + Radau7::nodes[k] * h_);
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3d& v = now_.mechanics.load(slipping_[i].contact, now_.state).velocity;
      const Direction& d = directions_[(k + 1) * count + i];
      const Direction e = across(d);
      double* const row = system_.equation(k * count + i);
      for (std::size_t j = 0; j < stages; ++j) {
        for (std::size_t l = 0; l < count; ++l) {
          row[j * count + l] = h_ * a[k][j] * turning_[i * count + l];
        }
      }
      const double noise = rounding * now_.mechanics.terms(slipping_[i].contact, now_.state.u);
      const double size = v(1) * d[0] + v(2) * d[1];
      stage_slip_[k * count + i] = {size, v(1) * e[0] + v(2) * e[1], noise};
      row[k * count + i] += size + regular * h_ * largest + few * (noise + negligible);
      row[unknowns] = v(1) * e[0] + v(2) * e[1];
    }
  }
  if (!system_.solve(0.)) return false;
  turn = 0.;
  for (std::size_t x = 0; x < unknowns; ++x) {
    const double delta = system_.solution()[x];
    if (!(std::abs(delta) <= most_turn)) return false;
    const auto& [along, aside, noise] = stage_slip_[x];
    const double slip = std::abs(along);
    turn = std::max(turn, std::abs(aside - along * delta) / (allowed + noise));
    turn = std::max(turn, slip * std::abs(delta) / (slip * still_turn + noise));
    Direction& d = directions_[count + x];
    d = turned(d, delta);
  }
  return true;
}

bool Creep::step(double h, std::span<const double> start_rate, const std::vector<double>& allowed,
                 std::vector<double>& end) {
  static constexpr auto a = Radau7::inner();
  const std::size_t count = slipping_.size();
  const std::size_t n = now_.size();
  start_ = now_.time;
  h_ = h;
  std::copy(start_rate.begin(), start_rate.end(), rates_.begin());
  for (std::size_t k = 0; k <= stages; ++k) {
    for (std::size_t i = 0; i < count; ++i) directions_[k * count + i] = slipping_[i].first;
  }
  for (std::size_t k = 0; k < stages; ++k) {
    for (std::size_t x = 0; x < n; ++x) {
      values_[k * n + x] = now_.y[x] + Radau7::nodes[k] * h * rates_[x];
    }
  }
  bool converged = false;
  for (int sweep = 0; sweep < most_sweeps && !converged; ++sweep) {
    indicators_.watch();
    for (std::size_t k = 0; k < stages; ++k) {
      for (std::size_t i = 0; i < count; ++i) {
        direction_of(i) = directions_[(k + 1) * count + i];
      }
      if (!indicators_.watched_rate(now_.time + Radau7::nodes[k] * h, {&values_[k * n], n},
                                    {&rates_[(k + 1) * n], n})) {
        return false;
      }
    }
    double change = 0.;
    for (std::size_t k = 0; k < stages; ++k) {
      for (std::size_t x = 0; x < n; ++x) {
        double sum = 0.;
        for (std::size_t j = 0; j < stages; ++j) sum += a[k][j] * rates_[(j + 1) * n + x];
        const double value = now_.y[x] + h * sum;
        const double remaining = (swept + rounding / setting_.options.tolerance) * allowed[x] +
                                 rounding * std::abs(value);
        change = std::max(change, std::abs(value - values_[k * n + x]) / remaining);
        values_[k * n + x] = value;
      }
    }
    double turn = 0.;
    if (!std::isfinite(change) || !turn_stages(turn)) return false;
    converged = sweep > 0 && change <= 1. && turn <= 1.;
  }
  if (!converged) return false;
  if (!correct_first_directions()) return false;
  std::copy(values_.end() - ix(n), values_.end(), end.begin());
  for (std::size_t i = 0; i < count; ++i) {
    direction_of(i) = directions_[stages * count + i];
  }
  return equations_.rate(now_.time + h, end, {&rates_[stages * n], n});
}

// Contacts that share directions have a singular Lambda: where the slip of several vanishes at the
// start, the root does not determine each direction. The stages do, by continuity.
bool Creep::correct_first_directions() {
  static constexpr auto at_start = Radau7::at_start();
  const std::size_t count = slipping_.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    direction_of(i) = directions_[i];
    if (!slipping_[i].is_start || starts_.size() < 2) continue;
    Direction d{};
    for (std::size_t k = 0; k < stages; ++k) {
      d[0] += at_start[k] * directions_[(k + 1) * count + i][0];
      d[1] += at_start[k] * directions_[(k + 1) * count + i][1];
    }
    const double size = std::hypot(d[0], d[1]);
    directions_[i] = {d[0] / size, d[1] / size};
    direction_of(i) = directions_[i];
    any = true;
  }
  return !any || equations_.rate(now_.time, now_.y, {rates_.data(), now_.size()});
}

double Creep::error(const std::vector<double>& allowed) const {
  static constexpr auto weights = Radau7::error();
  double squares = 0.;
  for (std::size_t x = 0; x < now_.size(); ++x) {
    double e = 0.;
    for (std::size_t j = 0; j <= stages; ++j) e += weights[j] * rates_[j * now_.size() + x];
    squares += h_ * e / allowed[x] * (h_ * e / allowed[x]);
  }
  return std::sqrt(squares / static_cast<double>(now_.size()));
}

void Creep::at(double time, std::vector<double>& y, std::size_t entries) {
  const double x = (time - start_) / h_;
  const auto weights = Radau7::integrals(x);
  for (std::size_t i = 0; i < entries; ++i) {
    double sum = 0.;
    for (std::size_t j = 0; j <= stages; ++j) sum += weights[j] * rates_[j * now_.size() + i];
    y[i] = now_.y[i] + h_ * sum;
  }
  const auto l = Radau7::lagrange(x);
  const std::size_t count = slipping_.size();
  now_.take({y.data(), entries}, time);
  for (std::size_t i = 0; i < count; ++i) {
    Direction d{};
    for (std::size_t j = 0; j <= stages; ++j) {
      d[0] += l[j] * directions_[j * count + i][0];
      d[1] += l[j] * directions_[j * count + i][1];
    }
    const double size = std::hypot(d[0], d[1]);
    const Eigen::Vector3d& v = now_.mechanics.load(slipping_[i].contact, now_.state).velocity;
    const double slip = v(1) * d[0] + v(2) * d[1] > 0. ? std::hypot(v(1), v(2)) : 0.;
    const double share = slip / std::hypot(slip, clear_slip * setting_.vanishing_slip());
    const double own = (1. - share * share) / size;
    const double of_slip = slip > 0. ? share * share / slip : 0.;
    d = {own * d[0] + of_slip * v(1), own * d[1] + of_slip * v(2)};
    const double sum = std::hypot(d[0], d[1]);
    direction_of(i) = {d[0] / sum, d[1] / sum};
  }
}

void Creep::keep_directions(bool at_end) {
  for (std::size_t i = 0; i < slipping_.size(); ++i) {
    Direction& d = direction_of(i);
    if (at_end) d = directions_[stages * slipping_.size() + i];
    contacts_.modes.status[slipping_[i].contact].direction = d;
  }
}

}  // namespace carom::motion
