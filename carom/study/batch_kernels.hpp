// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <carom/study/batch.hpp>

/// The laws over arrays, for any scalar: `double`, or a pack of several (pack.hpp).
///
/// Everything that is not declared here only is a template on the scalar, because this header is
/// compiled for several instruction sets: see pack.hpp.
namespace carom::study {

enum class KernelLaw : std::uint8_t {
  newton,
  poisson,
  energetic,
  moreau,
  moreau_poisson,
  brach,
  conventional,
  conventional_rebound,
};

/// A stretch of a batch, for one thread.
struct KernelTask {
  const PlanarBatch& batch;
  const PlanarBatchOutcome& out;
  KernelLaw law;
  bool couples;     ///< `brach`: is there a spin?
  bool everything;  ///< is more wanted than impulse and velocity?
  std::size_t begin;
  std::size_t end;
};

void solve_plain(const KernelTask& task);
void solve_avx2(const KernelTask& task);
void solve_avx512(const KernelTask& task);

/// How a scalar goes to and from memory: `width`, `load`, `store`.
template <class S>
struct Lanes;

/// How many rows are taken at a stretch: so many copies there are of a number that does not vary,
/// so that the innermost loop need not ask. A multiple of every width.
template <class S>
constexpr std::size_t stretch = 256;

/// Entries of a column, from the first of a stretch on.
template <class S>
struct Entries {
  const double* data;

  [[nodiscard]] S operator[](std::size_t i) const { return Lanes<S>::load(data + i); }
};

/// A column for reading. Entries that fill no whole scalar are copied, so that nothing is read
/// beyond the column.
template <class S>
class Input {
 public:
  static constexpr std::size_t width = Lanes<S>::width;

  Input(const Column& column, std::size_t begin, std::size_t count) {
    if (!column.varies()) {
      const S same(column[0]);
      for (std::size_t k = 0; k < count && k < stretch<S>; k += width) {
        Lanes<S>::store(own_ + k, same);
      }
    } else if (count >= width) {
      column_ = column.data() + begin;
    } else {
      for (std::size_t k = 0; k < width; ++k) own_[k] = column[begin + (k < count ? k : 0)];
    }
  }

  [[nodiscard]] Entries<S> from(std::size_t i) const {
    return {column_ == nullptr ? own_ : column_ + i};
  }

 private:
  const double* column_ = nullptr;
  double own_[stretch<S>];
};

/// A column for writing. What is not wanted, or fills no whole scalar, goes to a place of its own
/// first.
template <class T, class S>
class Output {
 public:
  Output(T* column, std::size_t begin, std::size_t count)
      : column_(column == nullptr ? nullptr : column + begin),
        direct_(column != nullptr && count >= Lanes<S>::width) {}

  [[nodiscard]] T* from(std::size_t i) { return direct_ ? column_ + i : own_; }

  /// Hands over the entries that filled no whole scalar.
  void deliver(std::size_t count) const {
    if (column_ == nullptr || direct_) return;
    for (std::size_t k = 0; k < count; ++k) column_[k] = own_[k];
  }

 private:
  T* column_;
  bool direct_;
  T own_[stretch<S>];
};

/// Problems, from the first of a stretch on.
template <class S>
struct Rows {
  Entries<S> nn, nt, tt, normal, slip;
  Entries<S> restitution, friction, static_friction, tangential_restitution;
  Entries<S> tangential, moment_coefficient, spin_nr, spin_tr, spin_rr, spin;

  [[nodiscard]] BasicSym2<S> G(std::size_t i) const {
    return {.nn = nn[i], .nt = nt[i], .tt = tt[i]};
  }
  [[nodiscard]] BasicVec2<S> approach(std::size_t i) const {
    return {.n = normal[i], .t = slip[i]};
  }
  [[nodiscard]] BasicSpinRow<S> spin_row(std::size_t i) const {
    return {.nr = spin_nr[i], .tr = spin_tr[i], .rr = spin_rr[i], .approach = spin[i]};
  }
};

/// `count` problems of a batch.
template <class S>
class Inputs {
 public:
  Inputs(const PlanarBatch& b, std::size_t begin, std::size_t count)
      : nn_(b.nn, begin, count),
        nt_(b.nt, begin, count),
        tt_(b.tt, begin, count),
        normal_(b.normal, begin, count),
        slip_(b.slip, begin, count),
        restitution_(b.restitution, begin, count),
        friction_(b.friction, begin, count),
        static_friction_(b.friction_of_stick(), begin, count),
        tangential_restitution_(b.tangential_restitution, begin, count),
        tangential_(b.tangential, begin, count),
        moment_coefficient_(b.moment_coefficient, begin, count),
        spin_nr_(b.spin_nr, begin, count),
        spin_tr_(b.spin_tr, begin, count),
        spin_rr_(b.spin_rr, begin, count),
        spin_(b.spin, begin, count) {}

  [[nodiscard]] Rows<S> from(std::size_t i) const {
    return {.nn = nn_.from(i),
            .nt = nt_.from(i),
            .tt = tt_.from(i),
            .normal = normal_.from(i),
            .slip = slip_.from(i),
            .restitution = restitution_.from(i),
            .friction = friction_.from(i),
            .static_friction = static_friction_.from(i),
            .tangential_restitution = tangential_restitution_.from(i),
            .tangential = tangential_.from(i),
            .moment_coefficient = moment_coefficient_.from(i),
            .spin_nr = spin_nr_.from(i),
            .spin_tr = spin_tr_.from(i),
            .spin_rr = spin_rr_.from(i),
            .spin = spin_.from(i)};
  }

 private:
  Input<S> nn_, nt_, tt_, normal_, slip_;
  Input<S> restitution_, friction_, static_friction_, tangential_restitution_;
  Input<S> tangential_, moment_coefficient_, spin_nr_, spin_tr_, spin_rr_, spin_;
};

/// PlanarOutcome without phases, of one scalar's worth of impacts. Where energy, mode and flags
/// are not asked for the compiler leaves out what makes them.
template <class S>
struct Answer {
  BasicVec2<S> impulse;
  BasicVec2<S> velocity;
  S change{};    ///< of energy [J]
  S friction{};  ///< work [J]
  S mode{};      ///< Mode, as a number
  S flags{};     ///< Verdicts, their bits as a number
};

/// Where answers go, from the first of a stretch on.
template <class S>
struct Answers {
  double *impulse_n, *impulse_t, *velocity_n, *velocity_t, *change, *friction;
  std::uint8_t* mode;
  std::uint16_t* flags;

  template <bool everything>
  void store(std::size_t i, const Answer<S>& a) const {
    Lanes<S>::store(impulse_n + i, a.impulse.n);
    Lanes<S>::store(impulse_t + i, a.impulse.t);
    Lanes<S>::store(velocity_n + i, a.velocity.n);
    Lanes<S>::store(velocity_t + i, a.velocity.t);
    if constexpr (everything) {
      Lanes<S>::store(change + i, a.change);
      Lanes<S>::store(friction + i, a.friction);
      Lanes<S>::store(mode + i, a.mode);
      Lanes<S>::store(flags + i, a.flags);
    }
  }
};

/// `count` answers.
template <class S>
class Outputs {
 public:
  Outputs(const PlanarBatchOutcome& o, std::size_t begin, std::size_t count)
      : impulse_n_(o.impulse_n, begin, count),
        impulse_t_(o.impulse_t, begin, count),
        velocity_n_(o.velocity_n, begin, count),
        velocity_t_(o.velocity_t, begin, count),
        change_(o.energy_change, begin, count),
        friction_(o.energy_friction, begin, count),
        mode_(o.mode, begin, count),
        flags_(o.flags, begin, count) {}

  [[nodiscard]] Answers<S> from(std::size_t i) {
    return {.impulse_n = impulse_n_.from(i),
            .impulse_t = impulse_t_.from(i),
            .velocity_n = velocity_n_.from(i),
            .velocity_t = velocity_t_.from(i),
            .change = change_.from(i),
            .friction = friction_.from(i),
            .mode = mode_.from(i),
            .flags = flags_.from(i)};
  }

  template <bool everything>
  void deliver(std::size_t count) const {
    impulse_n_.deliver(count);
    impulse_t_.deliver(count);
    velocity_n_.deliver(count);
    velocity_t_.deliver(count);
    if constexpr (everything) {
      change_.deliver(count);
      friction_.deliver(count);
      mode_.deliver(count);
      flags_.deliver(count);
    }
  }

 private:
  Output<double, S> impulse_n_, impulse_t_, velocity_n_, velocity_t_, change_, friction_;
  Output<std::uint8_t, S> mode_;
  Output<std::uint16_t, S> flags_;
};

consteval double number(Mode mode) { return static_cast<double>(mode); }
consteval double number(Verdict verdict) {
  Verdicts v;
  v.add(verdict);
  return v.bits();
}

template <class S>
[[nodiscard]] S flag_if(const Mask<S>& holds, double flag) {
  return select(holds, S(flag), S(0.));
}

/// `a` where an impact happens; elsewhere `unchanged(v, no_solution or no_impulse)`.
template <class S>
[[nodiscard]] Answer<S> where(const Mask<S>& happens, const Answer<S>& a, const BasicVec2<S>& v,
                              const Mask<S>& no_solution) {
  if (!any(negate(happens))) return a;
  const S zero(0.);
  const auto otherwise = [&](const S& x, const S& nothing) { return select(happens, x, nothing); };
  return {.impulse = {.n = otherwise(a.impulse.n, zero), .t = otherwise(a.impulse.t, zero)},
          .velocity = {.n = otherwise(a.velocity.n, v.n), .t = otherwise(a.velocity.t, v.t)},
          .change = otherwise(a.change, zero),
          .friction = otherwise(a.friction, zero),
          .mode = otherwise(a.mode, S(number(Mode::no_impulse))),
          .flags = otherwise(a.flags, select(no_solution, S(number(Verdict::no_solution)),
                                             S(number(Verdict::no_impulse))))};
}

/// Normal and friction work of a stage, 1/2 P.(before + after).
template <class S>
struct Work {
  S normal{};
  S friction{};

  static Work of(const BasicVec2<S>& impulse, const BasicVec2<S>& before,
                 const BasicVec2<S>& after) {
    return {.normal = S(0.5) * impulse.n * (before.n + after.n),
            .friction = S(0.5) * impulse.t * (before.t + after.t)};
  }
};

template <class S>
[[nodiscard]] S gain_flag(const S& change, const S& scale) {
  return flag_if<S>(gains_energy(change, scale), number(Verdict::energy_gained));
}

/// `newton`, `poisson`, `energetic`.
template <Hypothesis hypothesis>
struct ProcessRow {
  template <class S>
  static S mode(const RouthTotals<S>& r, const Mask<S>& no_slip) {
    const S when = select(r.stops_in_compression, S(number(Mode::stops_in_compression_sticks)),
                          S(number(Mode::stops_in_restitution_sticks)));
    const S sticking = select(no_slip, S(number(Mode::no_slip_sticks)), when);
    const S stopped = select(r.sticks, sticking, S(sticking + S(1.)));  // the one that slips on
    return select(either(no_slip, r.stops), stopped, S(number(Mode::slides)));
  }

  template <class S>
  static Answer<S> answer(const Rows<S>& rows, std::size_t i) {
    const BasicVec2<S> v = rows.approach(i);
    const auto r = routh_totals<hypothesis>(rows.G(i), v, rows.restitution[i], rows.friction[i],
                                            rows.static_friction[i]);
    const S normal = r.compression_work + r.restitution_work;
    const S change = normal + r.friction_work;
    const S scale = magnitude(r.friction_work) +
                    (magnitude(r.compression_work) + magnitude(r.restitution_work));
    const S flags = flag_if<S>(r.jams, number(Verdict::jam)) +
                    flag_if<S>(r.unreachable, number(Verdict::target_unreachable)) +
                    gain_flag(change, scale);
    const Answer<S> a{.impulse = r.impulse,
                      .velocity = r.velocity,
                      .change = change,
                      .friction = r.friction_work,
                      .mode = mode(r, v.t == S(0.)),
                      .flags = flags};
    return where<S>(both(r.impact, negate(r.unsolvable)), a, v, both(r.impact, r.unsolvable));
  }
};

template <class S>
[[nodiscard]] S regime(const Mask<S>& backward, const Mask<S>& forward) {
  return select(backward, S(number(Mode::backward_slip)),
                select(forward, S(number(Mode::forward_slip)), S(number(Mode::stick))));
}

/// Without approach an impulse is one of two answers, the other being none.
template <class S>
[[nodiscard]] S several_flag(const BasicVec2<S>& v) {
  return flag_if<S>(v.n == S(0.), number(Verdict::several_solutions));
}

template <class S>
[[nodiscard]] Answer<S> where_moreau_happens(const Answer<S>& a, const BasicVec2<S>& v,
                                             const MoreauTotals<S>& r) {
  const S zero(0.);
  const Mask<S> happens = both(both(v.n <= zero, negate(r.unsolvable)), r.impulse.n > zero);
  return where<S>(happens, a, v, both(r.unsolvable, v.n < zero));
}

/// `moreau`
struct MoreauRow {
  template <class S>
  static Answer<S> answer(const Rows<S>& rows, std::size_t i) {
    const BasicVec2<S> v = rows.approach(i);
    const auto r = moreau_totals(rows.G(i), v, rows.restitution[i], rows.tangential_restitution[i],
                                 rows.friction[i]);
    const auto work = Work<S>::of(r.impulse, v, r.velocity);
    const S normal = S(0.) + work.normal;  // as the law adds it up: -0 becomes 0
    const S friction = S(0.) + work.friction;
    const S change = normal + friction;
    const Answer<S> a{
        .impulse = r.impulse,
        .velocity = r.velocity,
        .change = change,
        .friction = friction,
        .mode = regime<S>(r.backward, r.forward),
        .flags = several_flag(v) + gain_flag(change, S(magnitude(friction) + magnitude(normal)))};
    return where_moreau_happens(a, v, r);
  }
};

/// `moreau:poisson`
struct TwoStageRow {
  template <class S>
  static Answer<S> answer(const Rows<S>& rows, std::size_t i) {
    const S zero(0.);
    const BasicVec2<S> v = rows.approach(i);
    const BasicSym2<S> G = rows.G(i);
    const S e = rows.restitution[i];
    const S mu = rows.friction[i];
    const auto c = moreau_totals(G, v, zero, zero, mu);
    const auto x = moreau_expansion(G, c.velocity, S(e * c.impulse.n), mu);
    const Mask<S> expands = e > zero;
    const auto then = [&](const S& both_stages, const S& compression) {
      return select(expands, both_stages, compression);
    };
    const auto first = Work<S>::of(c.impulse, v, c.velocity);
    const auto second = Work<S>::of(x.impulse, c.velocity, x.velocity);
    const S compression = zero + first.normal;
    const S restitution = then(second.normal, zero);
    const S normal = then(S(compression + second.normal), compression);
    const S slipping = zero + first.friction;
    const S friction = then(S(slipping + second.friction), slipping);
    const S change = normal + friction;
    const S scale = magnitude(friction) + (magnitude(compression) + magnitude(restitution));
    const S mode_1 = regime<S>(c.backward, c.forward);
    const S mode_2 = regime<S>(x.backward, x.forward);
    const S mode = select(mode_1 == mode_2, mode_1, S(number(Mode::stick)));
    const Answer<S> a{
        .impulse = {.n = then(S(c.impulse.n + x.impulse.n), c.impulse.n),
                    .t = then(S(c.impulse.t + x.impulse.t), c.impulse.t)},
        .velocity = {.n = then(x.velocity.n, c.velocity.n), .t = then(x.velocity.t, c.velocity.t)},
        .change = change,
        .friction = friction,
        .mode = then(mode, mode_1),
        .flags = several_flag(v) + gain_flag(change, scale)};
    return where_moreau_happens(a, v, c);
  }
};

/// An algebraic law that sticks or slips, from its totals.
template <class S, class Totals>
[[nodiscard]] Answer<S> algebraic(const Totals& r, const BasicVec2<S>& v, const S& couple_work) {
  const auto work = Work<S>::of(r.impulse, v, r.velocity);
  const S change = (work.normal + work.friction) + couple_work;
  const S scale = (magnitude(work.friction) + magnitude(couple_work)) + magnitude(work.normal);
  const Answer<S> a{.impulse = r.impulse,
                    .velocity = r.velocity,
                    .change = change,
                    .friction = work.friction,
                    .mode = select(r.sticks, S(number(Mode::stick)), S(number(Mode::slip))),
                    .flags = gain_flag(change, scale)};
  const Mask<S> closes = v.n < S(0.);
  return where<S>(both(closes, negate(r.unsolvable)), a, v, both(closes, r.unsolvable));
}

/// `conventional`, `conventional:rebound`
template <FrictionOpposes opposes>
struct ConventionalRow {
  template <class S>
  static Answer<S> answer(const Rows<S>& rows, std::size_t i) {
    const BasicVec2<S> v = rows.approach(i);
    const auto r = conventional_totals<opposes>(rows.G(i), v, rows.restitution[i], rows.friction[i],
                                                rows.static_friction[i]);
    return algebraic(r, v, S(-0.));  // x + -0 is x
  }
};

/// `brach`
template <BrachRule rule, bool couples>
struct BrachRow {
  template <class S>
  static Answer<S> answer(const Rows<S>& rows, std::size_t i) {
    const BasicVec2<S> v = rows.approach(i);
    const S e = rows.restitution[i];
    const S tangential = rule == BrachRule::coulomb ? rows.friction[i] : rows.tangential[i];
    if constexpr (couples) {
      const BasicSpinRow<S> row = rows.spin_row(i);
      const auto r =
          brach_totals(rows.G(i), v, row, e, rule, tangential, rows.moment_coefficient[i]);
      const S work = S(0.5) * r.couple * (row.approach + r.spin);
      return algebraic(r, v, select(r.couple == S(0.), S(-0.), work));
    } else {
      const WithoutCouple<S> space{.G = rows.G(i), .v = v};
      return algebraic(brach_totals(space, v, e, rule, tangential), v, S(-0.));
    }
  }
};

/// @param count  a multiple of the scalar's width, or less than it
template <class S, class Row, bool everything>
[[gnu::noinline, gnu::flatten]] void solve_rows(const KernelTask& task, std::size_t begin,
                                                std::size_t count) {
  constexpr std::size_t width = Lanes<S>::width;
  const Inputs<S> inputs(task.batch, begin, count);
  Outputs<S> outputs(task.out, begin, count);
  for (std::size_t done = 0; done < count; done += stretch<S>) {
    const Rows<S> rows = inputs.from(done);
    const Answers<S> answers = outputs.from(done);
    const std::size_t end = count - done < stretch<S> ? count - done : stretch<S>;
    for (std::size_t i = 0; i < end; i += width) {
      answers.template store<everything>(i, Row::template answer<S>(rows, i));
    }
  }
  if (count < width) outputs.template deliver<everything>(count);
}

template <class S, class Row>
void solve_by(const KernelTask& task) {
  const auto solve = task.everything ? solve_rows<S, Row, true> : solve_rows<S, Row, false>;
  const std::size_t rest = (task.end - task.begin) % Lanes<S>::width;
  const std::size_t whole = task.end - rest;
  if (whole > task.begin) solve(task, task.begin, whole - task.begin);
  if (rest > 0) solve(task, whole, rest);
}

template <class S, BrachRule rule>
void solve_by_brach(const KernelTask& task) {
  task.couples ? solve_by<S, BrachRow<rule, true>>(task) : solve_by<S, BrachRow<rule, false>>(task);
}

template <class S>
void solve_kernel(const KernelTask& task) {
  switch (task.law) {
    case KernelLaw::newton:
      return solve_by<S, ProcessRow<Hypothesis::newton>>(task);
    case KernelLaw::poisson:
      return solve_by<S, ProcessRow<Hypothesis::poisson>>(task);
    case KernelLaw::energetic:
      return solve_by<S, ProcessRow<Hypothesis::energetic>>(task);
    case KernelLaw::moreau:
      return solve_by<S, MoreauRow>(task);
    case KernelLaw::moreau_poisson:
      return solve_by<S, TwoStageRow>(task);
    case KernelLaw::conventional:
      return solve_by<S, ConventionalRow<FrictionOpposes::approach>>(task);
    case KernelLaw::conventional_rebound:
      return solve_by<S, ConventionalRow<FrictionOpposes::rebound>>(task);
    case KernelLaw::brach:
      break;
  }
  switch (task.batch.rule) {
    case BrachRule::coulomb:
      return solve_by_brach<S, BrachRule::coulomb>(task);
    case BrachRule::impulse_ratio:
      return solve_by_brach<S, BrachRule::impulse_ratio>(task);
    case BrachRule::coefficient:
      return solve_by_brach<S, BrachRule::coefficient>(task);
  }
}

}  // namespace carom::study
