// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/radau.hpp>
#include <carom/core/scalar.hpp>
#include <carom/motion/run.hpp>

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
// Where a step h is too long for an explicit method, h Lambda/s > 3, the step is one of Radau's
// method IIA. It is L-stable, and collocation at the stages finds the slow manifold to the order of
// the method. Only the directions are stiff. They are unknowns of their own, d_ki of stage k and
// contact i. The rates f_k = f(t_k, Y_k, d_k) use them as directions of friction:
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

/// h Lambda/s above which a step is not left to the explicit method, which is stable up to about 6.
constexpr double stiff = 3.;
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
/// Contacts that share directions have a singular Lambda. Relative to it, this is added.
constexpr double regular = 1e-9;

Direction across(const Direction& d) { return {-d[1], d[0]}; }

Direction turned(const Direction& d, double angle) {
  const Direction t{d[0] - angle * d[1], d[1] + angle * d[0]};
  const double size = std::hypot(t[0], t[1]);
  return {t[0] / size, t[1] / size};
}

}  // namespace

void Run::follow_status() {
  for (const std::size_t i : active_) creep_direction_[i] = status_[i].direction;
}

/// d.a_T at state_, under the forces just computed.
double Run::acceleration_in(std::size_t i, const Direction& d) const {
  return d[0] * mechanics_.acceleration(i, 1, acceleration_) +
         d[1] * mechanics_.acceleration(i, 2, acceleration_);
}

// Lambda at state_, by central differences. Its contacts creep.
void Run::find_turning() {
  CreepStep& c = creep_;
  const std::size_t count = c.contacts.size();
  c.turning.assign(count * count, 0.);
  c.middle.clear();
  for (const std::size_t i : c.contacts) c.middle.push_back(creep_direction_[i]);
  for (std::size_t l = 0; l < count; ++l) {
    Direction& d = creep_direction_[c.contacts[l]];
    for (const double side : {-1., 1.}) {
      d = turned(c.middle[l], side * small_turn);
      if (!solve_equations()) continue;
      for (std::size_t i = 0; i < count; ++i) {
        c.turning[i * count + l] -=
            side * acceleration_in(c.contacts[i], across(c.middle[i])) / (2. * small_turn);
      }
    }
    d = c.middle[l];
  }
}

// Newton's method for e_i.a_i = 0 at all contacts whose slip starts.
void Run::settle_directions() {
  CreepStep& c = creep_;
  const std::size_t count = c.contacts.size();
  for (int round = 0; round < most_root_rounds; ++round) {
    find_turning();
    if (!solve_equations()) break;
    std::vector<std::size_t>& starts = c.starts;
    starts.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (c.is_start[i] != 0) starts.push_back(i);
    }
    const std::size_t r = starts.size();
    if (r == 0) return;
    turns_.resize(r);
    turn_matrix_.resize(r * r);
    for (std::size_t a = 0; a < r; ++a) {
      const std::size_t i = c.contacts[starts[a]];
      turns_[a] = acceleration_in(i, across(creep_direction_[i]));
      for (std::size_t b = 0; b < r; ++b) {
        turn_matrix_[a * r + b] = c.turning[starts[a] * count + starts[b]];
      }
      turn_matrix_[a * r + a] += acceleration_in(i, creep_direction_[i]);  // e turns, too
    }
    if (solve_small(turn_matrix_.data(), turns_.data(), r) == Solved::not_at_all) break;
    double turn = 0.;
    for (const double x : turns_) turn = std::max(turn, std::abs(x));
    if (!(turn < infinite)) break;
    const double part = std::min(1., most_turn / std::max(turn, most_turn));
    for (std::size_t a = 0; a < r; ++a) {
      Direction& d = creep_direction_[c.contacts[starts[a]]];
      d = turned(d, part * turns_[a]);
    }
    if (turn <= 1e-14) break;
  }
  // A root that repels directions is not one that slip follows.
  find_turning();
  for (std::size_t i = 0; i < count; ++i) {
    if (c.is_start[i] == 0 || c.turning[i * count + i] > 0.) continue;
    creep_direction_[c.contacts[i]] = status_[c.contacts[i]].direction;
  }
}

// Whether any slip may be too slow for explicit steps, and if so how fast directions turn. The
// rates at the start of the step have been computed.
void Run::prepare_creep(double h) {
  CreepStep& c = creep_;
  c.contacts.clear();
  c.slip.clear();
  c.horizon.clear();
  c.is_start.clear();
  c.first.clear();
  if (components_ != 3) return;
  bool near = false;
  for (const std::size_t i : touching_) {
    if (status_[i].touch != Touch::slip || is_smooth(i)) continue;
    const ContactMotion& m = mechanics_.motion(i);
    const double s = std::hypot(m.velocity(1), m.velocity(2));
    const Eigen::Matrix3d G = mechanics_.coupling(i, i);
    const double trace = G(1, 1) + G(2, 2);
    const Eigen::Map<const Vector> start(ode_.start_rate().data() + positions_, ix(velocities_));
    scratch_ = start;
    double along = 0.;
    for (std::size_t j = 1; j < 3; ++j) {
      const double d =
          creeps(i) || s <= scales_.still ? status_[i].direction[j - 1] : m.velocity(ix(j)) / s;
      along += d * mechanics_.acceleration(i, j, scratch_);
    }
    const double horizon = along < 0. ? s / -along : infinite;
    const double negligible =
        along < 0. ? scales_.still
                   : std::max(scales_.still, negligible_slip * options_.tolerance * scales_.speed);
    // Lambda is at most mu F_n (tr G_TT + |G_Tn| |G_Tn - mu G_TT d|/A).
    const double mu = surface(i).friction;
    const double G_nn = scales_.acceleration / unit_force_[i];
    const double normal =
        is_spring(i) ? 0. : (std::sqrt(G_nn * trace) + mu * trace) / std::abs(slip_A_[i]);
    const double most = mu * std::abs(force_[i * components_]) * trace * (1. + normal);
    near = near || s <= scales_.still || !(most * std::min(h, horizon) <= stiff * s);
    c.contacts.push_back(i);
    c.slip.push_back(s);
    c.horizon.push_back(horizon);
    c.is_start.push_back(s <= negligible ? 1 : 0);
  }
  if (!near) {
    c.contacts.clear();
    return;
  }
  const std::size_t count = c.contacts.size();
  c.directions.resize((stages + 1) * count);
  c.rates.resize((stages + 1) * size_);
  c.values.resize(stages * size_);
  c.limits.resize(stages * count);
  for (const std::size_t i : c.contacts) creeping_[i] = 1.;
  // Those that do not creep yet have the direction of their slip in status_: see
  // note_slip_at_start().
  settle_directions();
  for (const std::size_t i : c.contacts) c.first.push_back(creep_direction_[i]);
}

bool Run::is_stiff(double h) const {
  const CreepStep& c = creep_;
  const std::size_t count = c.contacts.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool starts = c.slip[i] <= scales_.still;
    const double turning = c.turning[i * count + i];
    if (starts ? h > least_step * scales_.time
               : turning * std::min(h, c.horizon[i]) > stiff * c.slip[i]) {
      return true;
    }
  }
  return false;
}

bool Run::start_creep(bool creep) {
  creep_.active = creep;
  for (const std::size_t i : touching_) {
    if (status_[i].touch == Touch::slip && components_ == 3) creeping_[i] = 0.;
  }
  for (std::size_t k = 0; k < creep_.contacts.size() && creep; ++k) {
    creeping_[creep_.contacts[k]] = 1.;
    creep_direction_[creep_.contacts[k]] = creep_.first[k];
  }
  if (!creep) note_slip_at_start();
  if (!rate(time_, y_, ode_.start_rate())) return fail_acceleration();
  indicate(at_start_);
  return true;
}

// Turns the directions of all stages by one step of Newton's method. `turn` becomes the largest
// turn relative to the one that may remain: s delta changes the direction of slip, and the rest,
// r - s delta = h sum a Lambda delta, changes v_T. Where contacts share directions a turn may
// change no velocity. Rounding has its share in v_T = W^T u.
bool Run::turn_stages(double& turn) {
  CreepStep& c = creep_;
  static constexpr auto a = Radau7::inner();
  const std::size_t count = c.contacts.size();
  const std::size_t unknowns = stages * count;
  c.system.resize(unknowns);
  const double allowed = 0.1 * swept * options_.tolerance * scales_.speed;
  double largest = 0.;
  for (const double x : c.turning) largest = std::max(largest, std::abs(x));
  for (std::size_t k = 0; k < stages; ++k) {
    take({&c.values[k * size_], size_}, c.start + Radau7::nodes[k] * c.h);
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3d& v = mechanics_.load(c.contacts[i], state_).velocity;
      const Direction& d = c.directions[(k + 1) * count + i];
      const Direction e = across(d);
      double* const row = c.system.equation(k * count + i);
      for (std::size_t j = 0; j < stages; ++j) {
        for (std::size_t l = 0; l < count; ++l) {
          row[j * count + l] = c.h * a[k][j] * c.turning[i * count + l];
        }
      }
      const double noise = rounding * mechanics_.terms(c.contacts[i], state_.u);
      const double size = v(1) * d[0] + v(2) * d[1];
      c.limits[k * count + i] = {size, v(1) * e[0] + v(2) * e[1], noise};
      row[k * count + i] += size + regular * c.h * largest;
      row[unknowns] = v(1) * e[0] + v(2) * e[1];
    }
  }
  if (!c.system.solve(0.)) return false;
  turn = 0.;
  for (std::size_t x = 0; x < unknowns; ++x) {
    const double delta = c.system.solution()[x];
    if (!(std::abs(delta) <= most_turn)) return false;
    const auto& [along, aside, noise] = c.limits[x];
    const double slip = std::abs(along);
    turn = std::max(turn, std::abs(aside - along * delta) / (allowed + noise));
    turn = std::max(turn, slip * std::abs(delta) / (slip * still_turn + noise));
    Direction& d = c.directions[count + x];
    d = turned(d, delta);
  }
  return true;
}

bool Run::creep_step(double h) {
  CreepStep& c = creep_;
  static constexpr auto a = Radau7::inner();
  const std::size_t count = c.contacts.size();
  const std::size_t n = size_;
  c.start = time_;
  c.h = h;
  std::copy(ode_.start_rate().begin(), ode_.start_rate().end(), c.rates.begin());
  for (std::size_t k = 0; k <= stages; ++k) {
    std::copy(c.first.begin(), c.first.end(), c.directions.begin() + ix(k * count));
  }
  for (std::size_t k = 0; k < stages; ++k) {
    for (std::size_t x = 0; x < n; ++x) {
      c.values[k * n + x] = y_[x] + Radau7::nodes[k] * h * c.rates[x];
    }
  }
  bool converged = false;
  for (int sweep = 0; sweep < most_sweeps && !converged; ++sweep) {
    least_.assign(indicators(), infinite);
    watch_ = true;
    for (std::size_t k = 0; k < stages; ++k) {
      for (std::size_t i = 0; i < count; ++i) {
        creep_direction_[c.contacts[i]] = c.directions[(k + 1) * count + i];
      }
      if (!rate(time_ + Radau7::nodes[k] * h, {&c.values[k * n], n}, {&c.rates[(k + 1) * n], n})) {
        watch_ = false;
        return false;
      }
    }
    watch_ = false;
    double change = 0.;
    for (std::size_t k = 0; k < stages; ++k) {
      for (std::size_t x = 0; x < n; ++x) {
        double sum = 0.;
        for (std::size_t j = 0; j < stages; ++j) sum += a[k][j] * c.rates[(j + 1) * n + x];
        const double value = y_[x] + h * sum;
        const double remaining =
            (swept + rounding / options_.tolerance) * allowed_[x] + rounding * std::abs(value);
        change = std::max(change, std::abs(value - c.values[k * n + x]) / remaining);
        c.values[k * n + x] = value;
      }
    }
    double turn = 0.;
    if (!std::isfinite(change) || !turn_stages(turn)) return false;
    converged = sweep > 0 && change <= 1. && turn <= 1.;
  }
  if (!converged) return false;
  if (!correct_first_directions()) return false;
  std::copy(c.values.end() - ix(n), c.values.end(), end_.begin());
  for (std::size_t i = 0; i < count; ++i) {
    creep_direction_[c.contacts[i]] = c.directions[stages * count + i];
  }
  return rate(time_ + h, end_, {&c.rates[stages * n], n});
}

// Contacts that share directions have a singular Lambda: where their slip vanishes at the start,
// the root does not determine each direction. The stages do, by continuity.
bool Run::correct_first_directions() {
  CreepStep& c = creep_;
  static constexpr auto at_start = Radau7::at_start();
  const std::size_t count = c.contacts.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    creep_direction_[c.contacts[i]] = c.directions[i];
    if (c.is_start[i] == 0 || count == 1) continue;
    Direction d{};
    for (std::size_t k = 0; k < stages; ++k) {
      d[0] += at_start[k] * c.directions[(k + 1) * count + i][0];
      d[1] += at_start[k] * c.directions[(k + 1) * count + i][1];
    }
    const double size = std::hypot(d[0], d[1]);
    c.directions[i] = {d[0] / size, d[1] / size};
    creep_direction_[c.contacts[i]] = c.directions[i];
    any = true;
  }
  return !any || rate(time_, y_, {c.rates.data(), size_});
}

// The estimated error of the step, relative to what is allowed: as MeanError.
double Run::creep_error() const {
  static constexpr auto weights = Radau7::error();
  double squares = 0.;
  for (std::size_t x = 0; x < size_; ++x) {
    double e = 0.;
    for (std::size_t j = 0; j <= stages; ++j) e += weights[j] * creep_.rates[j * size_ + x];
    squares += creep_.h * e / allowed_[x] * (creep_.h * e / allowed_[x]);
  }
  return std::sqrt(squares / static_cast<double>(size_));
}

// The state at a time within the step, and the directions of friction there.
void Run::course_at(double time, std::vector<double>& y, std::size_t entries) {
  const CreepStep& c = creep_;
  if (!c.active) {
    ode_.at(time, std::span(y).first(entries));
    return;
  }
  const double x = (time - c.start) / c.h;
  const auto weights = Radau7::integrals(x);
  for (std::size_t i = 0; i < entries; ++i) {
    double sum = 0.;
    for (std::size_t j = 0; j <= stages; ++j) sum += weights[j] * c.rates[j * size_ + i];
    y[i] = y_[i] + c.h * sum;
  }
  const auto l = Radau7::lagrange(x);
  const std::size_t count = c.contacts.size();
  for (std::size_t i = 0; i < count; ++i) {
    Direction d{};
    for (std::size_t j = 0; j <= stages; ++j) {
      d[0] += l[j] * c.directions[j * count + i][0];
      d[1] += l[j] * c.directions[j * count + i][1];
    }
    const double size = std::hypot(d[0], d[1]);
    creep_direction_[c.contacts[i]] = {d[0] / size, d[1] / size};
  }
}

// The status keeps the directions that were reached: those of the last stage, or those of the last
// course_at().
void Run::keep_directions(bool at_end) {
  const CreepStep& c = creep_;
  if (!c.active) return;
  for (std::size_t i = 0; i < c.contacts.size(); ++i) {
    Direction& d = creep_direction_[c.contacts[i]];
    if (at_end) d = c.directions[stages * c.contacts.size() + i];
    status_[c.contacts[i]].direction = d;
  }
}

}  // namespace carom::motion
