// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/complementarity/force_sharing.hpp>
#include <carom/core/dense_factors.hpp>
#include <carom/motion/acceleration.hpp>
#include <carom/motion/mechanics.hpp>

// Decides which spins at closed contacts stay zero, together with stick, slip and opening.
//
// For given modes of the spins, held couples are bilateral: M_h = -R_hh^-1 (c_h + N_h^T F) leaves a
// problem of forces alone with the symmetric matrix G - N_h R_hh^-1 N_h^T, which the friction
// solver decides. Couples of spins that turn, M = -d F_n dir, take F_n from the round before: this
// contracts like d over the size of the body. The modes found are then solved exactly, couples and
// forces together, and these are accepted if they satisfy all inequalities. Of held couples beyond
// their bounds the worst is released, and a released spin that would turn backwards is held again.
namespace carom::motion {

namespace {

/// Rounds of normal forces for given modes of the spins. They contract at least like 1/2 for all
/// lengths below a half of the body's; a few find the modes of the contacts.
constexpr int most_force_rounds = 60;
/// Changes of the modes of spins: each may be released and held again twice.
constexpr std::size_t changes_per_spin = 4;
/// Times that a spin is held again at a contact that closes again.
constexpr int most_returns = 2;
/// The slack grows by this factor where no modes satisfy it.
constexpr double rounded_spins = 10.;
/// The direction of a released spin in space has converged.
constexpr double same_direction = 1e-13;

double size_of(const AccelerationSpin& s, const Vector& x) {
  return s.size == 2 ? std::hypot(x(ix(s.first)), x(ix(s.first + 1))) : std::abs(x(ix(s.first)));
}

double along(const AccelerationSpin& s, const Vector& x, const std::array<double, 2>& d) {
  return x(ix(s.first)) * d[0] + (s.size == 2 ? x(ix(s.first + 1)) * d[1] : 0.);
}

std::array<double, 2> direction_of(const AccelerationSpin& s, const Vector& x, double sign) {
  const double size = size_of(s, x);
  if (!(size > 0.)) return {};
  return {sign * x(ix(s.first)) / size, s.size == 2 ? sign * x(ix(s.first + 1)) / size : 0.};
}

/// Entries of the held spins that are independent of each other: contacts of one body share spins.
std::vector<Eigen::Index> independent(const AccelerationProblem& p,
                                      const std::vector<SpinDecision>& spins) {
  std::vector<Eigen::Index> held;
  for (std::size_t s = 0; s < p.spins.size(); ++s) {
    for (std::size_t j = 0; j < p.spins[s].size && spins[s].held; ++j) {
      held.push_back(ix(p.spins[s].first + j));
    }
  }
  // Cholesky's factorisation with pivots ends where the rest vanishes.
  std::vector<Eigen::Index> chosen;
  Matrix rest = p.R(held, held);
  const double largest = held.empty() ? 0. : rest.diagonal().maxCoeff();
  while (chosen.size() < held.size()) {
    Eigen::Index at = 0;
    const double pivot = rest.diagonal().maxCoeff(&at);
    if (!(pivot > singular_pivot * largest)) break;
    chosen.push_back(held[static_cast<std::size_t>(at)]);
    const Vector column = rest.col(at);
    rest -= column * column.transpose() / pivot;
    rest.row(at).setZero();
    rest.col(at).setZero();
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// The problem of forces alone: held couples follow from them, others are given.
AccelerationProblem reduced(const AccelerationProblem& p, const std::vector<SpinDecision>& spins,
                            const Vector& given) {
  AccelerationProblem r{.components = p.components,
                        .G = p.G,
                        .b = p.b + p.N * given,
                        .contacts = p.contacts,
                        .scale = p.scale};
  const std::vector<Eigen::Index> held = independent(p, spins);
  if (held.empty()) return r;
  const Matrix N = p.N(Eigen::all, held);
  const Matrix R = p.R(held, held);
  const Vector c = (p.c + p.R * given)(held);
  Ldlt factors;
  if (!factors.factorize(R)) return r;  // chosen to be definite
  Matrix by_forces = N.transpose();
  factors.solve(by_forces);
  Matrix by_others = c;
  factors.solve(by_others);
  r.b -= N * by_others.col(0);
  r.G -= N * by_forces;
  r.G = 0.5 * (r.G + r.G.transpose()).eval();
  return r;
}

/// Forces, couples and accelerations in given modes of contacts and spins, as solve_in_modes.
struct InModes {
  Vector force, couple, acceleration, turning;
};

bool solve_exactly(const AccelerationProblem& p, const std::vector<ContactStatus>& status,
                   const std::vector<SpinDecision>& spins, InModes& out) {
  const auto forces = p.b.size();
  const auto size = forces + p.c.size();
  Matrix H(size, size);
  H << p.G, p.N, p.N.transpose(), p.R;
  Vector given = Vector::Zero(size);
  std::vector<Vector> pushes;  // of unknowns
  std::vector<Eigen::Index> rows;
  std::vector<complementarity::SharingContact> sharing;
  const auto add = [&](Vector push, Eigen::Index row) {
    pushes.push_back(std::move(push));
    rows.push_back(row);
  };
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& k = p.contacts[i];
    const ContactStatus& s = status[i];
    if (s.touch == Touch::open) continue;
    const auto n = ix(i * p.components);
    Vector push = Vector::Zero(size);
    push(n) = 1.;
    for (std::size_t j = 1; j < p.components && s.touch == Touch::slip; ++j) {
      push(n + ix(j)) = -k.mu * s.direction[j - 1];
    }
    for (std::size_t g = 0; g < p.spins.size(); ++g) {
      const AccelerationSpin& spin = p.spins[g];
      for (std::size_t j = 0; j < spin.size && spin.contact == i && !spins[g].held; ++j) {
        push(forces + ix(spin.first + j)) = -spin.bound * spins[g].direction[j];
      }
    }
    complementarity::SharingContact share;
    if (k.normal) {
      given += *k.normal * push;
      share.given = *k.normal;
    } else {
      share.normal = rows.size();
      add(std::move(push), n);
    }
    const std::size_t normal = share.normal;
    if (s.touch == Touch::stick) {
      share.tangential = rows.size();
      share.components = p.components - 1;
      share.mu = k.mu_s;
      for (std::size_t j = 1; j < p.components; ++j) add(Vector::Unit(size, n + ix(j)), n + ix(j));
    }
    sharing.push_back(share);
    for (std::size_t g = 0; g < p.spins.size(); ++g) {
      const AccelerationSpin& spin = p.spins[g];
      if (spin.contact != i || !spins[g].held) continue;
      sharing.push_back({.normal = normal,
                         .given = share.given,
                         .tangential = rows.size(),
                         .components = spin.size,
                         .mu = spin.bound});
      for (std::size_t j = 0; j < spin.size; ++j) {
        const auto row = forces + ix(spin.first + j);
        add(Vector::Unit(size, row), row);
      }
    }
  }
  const std::size_t r = rows.size();
  Vector free(size);
  free << p.b, p.c;
  free += H * given;
  Matrix accelerations(size, ix(r));
  for (std::size_t b = 0; b < r; ++b) accelerations.col(ix(b)) = H * pushes[b];
  std::vector<double> K(r * r), x(r);
  for (std::size_t a = 0; a < r; ++a) {
    x[a] = -free(rows[a]);
    for (std::size_t b = 0; b < r; ++b) K[a * r + b] = accelerations(rows[a], ix(b));
  }
  const Solved solved = eliminate_small(K.data(), x.data(), r);
  if (solved == Solved::not_at_all) return false;
  if (solved == Solved::shared) {
    thread_local complementarity::ForceSharing shared;  // a workspace
    if (!shared.read(K, x, singular_pivot)) return false;
    shared.share(sharing);
    const double moved =
        shared.kernel().cols() > 0 ? (accelerations * shared.kernel()).cwiseAbs().maxCoeff() : 0.;
    if (moved > indifferent * H.cwiseAbs().maxCoeff()) shared.find_least(sharing);
    std::copy(shared.least().begin(), shared.least().end(), x.begin());
  }
  Vector all = given;
  for (std::size_t a = 0; a < r; ++a) {
    all += x[a] * pushes[a];
    free += x[a] * accelerations.col(ix(a));
  }
  out.force = all.head(forces);
  out.couple = all.tail(p.c.size());
  out.acceleration = free.head(forces);
  out.turning = free.tail(p.c.size());
  return free.allFinite();
}

/// The search for the modes of the spins of an island.
class SpinSearch {
 public:
  explicit SpinSearch(const AccelerationProblem& p)
      : p_(p), spins_(p.spins.size()), returns_(p.spins.size()) {
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      const AccelerationSpin& spin = p.spins[s];
      const bool turns = spin.turns || spin.starts_turning;
      spins_[s] = {.held = !turns, .direction = turns ? spin.direction : std::array<double, 2>{}};
    }
  }

  [[nodiscard]] AccelerationAnswer run() {
    bool released = false;  // those that leave rest
    for (std::size_t k = 0; k <= changes_per_spin * spins_.size(); ++k) {
      std::size_t backwards = spins_.size();
      if (!find_contacts(backwards)) {
        // A couple that is held without bounds may leave no solution.
        if (backwards < spins_.size()) {
          spins_[backwards] = {.held = true};
        } else if (!answer_.found || !release_worst()) {
          return failed();
        }
        continue;
      }
      if (!released) {
        released = true;
        if (leave_rest()) continue;
      }
      if (!release_worst()) return answer();
    }
    return failed();
  }

 private:
  /// Couples of the spins that turn if all contacts stay closed and those at rest stick: those of
  /// the modes so far, which decide between leaving and keeping them.
  [[nodiscard]] Vector usual_couples() {
    std::vector<ContactStatus> status;
    for (const AccelerationContact& c : p_.contacts) {
      status.push_back(c.slips ? ContactStatus{Touch::slip, c.direction}
                               : ContactStatus{Touch::stick, {}});
    }
    Vector given = Vector::Zero(p_.c.size());
    if (!solve_exactly(p_, status, spins_, exact_)) return given;
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      const AccelerationSpin& spin = p_.spins[s];
      const double F = std::max(0., exact_.force(ix(spin.contact * p_.components)));
      for (std::size_t j = 0; j < spin.size && !spins_[s].held; ++j) {
        given(ix(spin.first + j)) = -spin.bound * F * spins_[s].direction[j];
      }
    }
    return given;
  }

  /// Modes of the contacts for the modes of the spins.
  /// @param backwards  a spin that was released and does not turn its way
  bool find_contacts(std::size_t& backwards) {
    Vector given = usual_couples();
    for (int round = 0; round < most_force_rounds; ++round) {
      answer_ = solve(reduced(p_, spins_, given));
      if (!answer_.found) return false;
      if (follow_contacts()) continue;
      backwards = spins_.size();
      const bool solved = settle_directions();
      if (solved && turn_absent()) continue;
      if (solved && is_accepted(backwards)) return true;
      if (backwards < spins_.size()) return false;
      double change = 0.;
      for (std::size_t s = 0; s < spins_.size(); ++s) {
        const AccelerationSpin& spin = p_.spins[s];
        for (std::size_t j = 0; j < spin.size && !spins_[s].held; ++j) {
          double& M = given(ix(spin.first + j));
          const double next = -spin.bound * normal(answer_.force, spin) * spins_[s].direction[j];
          change = std::max(change, std::abs(next - M));
          M = next;
        }
      }
      if (change == 0.) return false;
    }
    return false;
  }

  /// An open contact has no couple, and holds nothing. One that closes again does, but not for
  /// ever.
  bool follow_contacts() {
    bool any = false;
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      const AccelerationSpin& spin = p_.spins[s];
      const bool open = is_open(spin);
      if (open ? !spins_[s].held : !is_absent(s) || returns_[s] == most_returns) continue;
      if (!open) ++returns_[s];
      spins_[s] = {.held = !open};
      any = true;
    }
    return any;
  }

  /// Whether a spin has no couple, because its contact was open.
  [[nodiscard]] bool is_absent(std::size_t s) const {
    return !spins_[s].held && !p_.spins[s].turns && spins_[s].direction == at_rest;
  }

  /// A spin without a couple at a closed contact starts to turn, if it has an acceleration.
  bool turn_absent() {
    bool any = false;
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      const AccelerationSpin& spin = p_.spins[s];
      if (is_open(spin) || !is_absent(s)) continue;
      if (!(size_of(spin, exact_.turning) > acceleration_slack(p_))) continue;
      spins_[s].direction = direction_of(spin, exact_.turning, 1.);
      any = true;
    }
    return any;
  }

  /// The exact solution in the modes, with released spins along their accelerations.
  bool settle_directions() {
    for (int round = 0; round < most_force_rounds; ++round) {
      if (!solve_exactly(p_, answer_.status, spins_, exact_)) return false;
      double turn = 0.;
      for (std::size_t s = 0; s < spins_.size(); ++s) {
        const AccelerationSpin& spin = p_.spins[s];
        if (spins_[s].held || spin.turns || spin.size == 1) continue;
        if (!(size_of(spin, exact_.turning) > acceleration_slack(p_))) continue;
        const auto d = direction_of(spin, exact_.turning, 1.);
        turn = std::max(turn,
                        std::hypot(d[0] - spins_[s].direction[0], d[1] - spins_[s].direction[1]));
        spins_[s].direction = d;
      }
      if (turn <= same_direction) return true;
    }
    return true;
  }

  [[nodiscard]] bool is_accepted(std::size_t& backwards) const {
    if (!is_solution(p_, answer_.status, exact_.force, exact_.acceleration, true)) return false;
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      const AccelerationSpin& spin = p_.spins[s];
      if (spins_[s].held || spin.turns || is_open(spin)) continue;
      if (along(spin, exact_.turning, spins_[s].direction) >= -acceleration_slack(p_)) continue;
      backwards = s;
      return false;
    }
    return true;
  }

  bool leave_rest() {
    bool any = false;
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      if (!p_.spins[s].leaves_rest || !spins_[s].held) continue;
      if (!(size_of(p_.spins[s], exact_.couple) > 0.)) continue;
      release(s);
      any = true;
    }
    return any;
  }

  bool release_worst() {
    std::size_t worst = spins_.size();
    double most = 0.;
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      const AccelerationSpin& spin = p_.spins[s];
      if (!spins_[s].held) continue;
      const auto n = ix(spin.contact * p_.components);
      const double slack = acceleration_slack(p_) / p_.G(n, n);
      const double excess =
          size_of(spin, exact_.couple) - spin.bound * normal(exact_.force, spin) - slack;
      if (!(excess > most)) continue;
      most = excess;
      worst = s;
    }
    if (worst == spins_.size()) return false;
    release(worst);
    return true;
  }

  void release(std::size_t s) {
    spins_[s] = {.held = false, .direction = direction_of(p_.spins[s], exact_.couple, -1.)};
  }

  [[nodiscard]] bool is_open(const AccelerationSpin& s) const {
    return answer_.status[s.contact].touch == Touch::open;
  }
  [[nodiscard]] double normal(const Vector& force, const AccelerationSpin& s) const {
    if (is_open(s)) return 0.;
    return std::max(0., force(ix(s.contact * p_.components)));
  }

  [[nodiscard]] AccelerationAnswer answer() {
    answer_.force = exact_.force;
    answer_.acceleration = exact_.acceleration;
    answer_.couple = exact_.couple;
    for (std::size_t s = 0; s < spins_.size(); ++s) {
      if (is_absent(s) && !is_open(p_.spins[s])) spins_[s].held = true;  // without a couple
    }
    answer_.spins = spins_;
    return std::move(answer_);
  }
  [[nodiscard]] AccelerationAnswer failed() const {
    AccelerationAnswer none;
    for (std::size_t i = 0; i < p_.contacts.size(); ++i) none.failed.push_back(i);
    return none;
  }

  static constexpr std::array<double, 2> at_rest{};

  const AccelerationProblem& p_;
  std::vector<SpinDecision> spins_;
  std::vector<int> returns_;  ///< of contacts that have opened
  AccelerationAnswer answer_;
  InModes exact_;
};

}  // namespace

AccelerationAnswer solve_with_spins(const AccelerationProblem& p) {
  AccelerationAnswer answer = SpinSearch(p).run();
  if (answer.found) return answer;
  // A contact at the limit of static friction may hold for a while yet, or slip another way than
  // against the friction that would just hold it without couples.
  AccelerationProblem again = p;
  bool any = false;
  for (AccelerationContact& c : again.contacts) {
    any = any || c.leaves_stick;
    c.leaves_stick = false;
  }
  if (any) answer = SpinSearch(again).run();
  if (answer.found) return answer;
  // Forces of rounding size may be on either side of the tolerance.
  again.scale = rounded_spins * std::max(again.scale, again.b.cwiseAbs().maxCoeff());
  return SpinSearch(again).run();
}

AccelerationProblem without_spins(const AccelerationProblem& p) {
  std::vector<SpinDecision> spins(p.spins.size());
  AccelerationProblem columns = p;
  for (std::size_t s = 0; s < spins.size(); ++s) {
    const AccelerationSpin& spin = p.spins[s];
    spins[s].held = !spin.turns;
  }
  const AccelerationProblem r = reduced(p, spins, Vector::Zero(p.c.size()));
  columns.G = r.G;
  columns.b = r.b;
  columns.spins.clear();
  for (const AccelerationSpin& spin : p.spins) {
    if (!spin.turns) continue;
    Vector couple = Vector::Zero(p.c.size());  // of a normal force 1
    for (std::size_t j = 0; j < spin.size; ++j) {
      couple(ix(spin.first + j)) = -spin.bound * spin.direction[j];
    }
    columns.G.col(ix(spin.contact * p.components)) += reduced(p, spins, couple).b - r.b;
  }
  return columns;
}

}  // namespace carom::motion
