// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include <carom/study/batch/batch.hpp>

/// The laws over arrays, for any scalar: `double`, or a pack of several (pack.hpp).
///
/// Everything that is not declared here only is a template on the scalar, because this header is
/// compiled for several instruction sets: see pack.hpp.
namespace carom::study {

/// A stretch of a batch, for one thread.
struct KernelTask {
  const PlanarBatch& batch;
  const PlanarBatchOutcome& out;
  std::size_t law;    ///< its place in PlanarLaw
  const void* value;  ///< the law itself
  bool couples;       ///< is there a spin?
  bool everything;    ///< is more wanted than impulse and velocity?
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

  [[nodiscard]] PlanarInputs<S> operator[](std::size_t i) const {
    return {.G = {.nn = nn[i], .nt = nt[i], .tt = tt[i]},
            .approach = {.n = normal[i], .t = slip[i]},
            .restitution = restitution[i],
            .friction = friction[i],
            .static_friction = static_friction[i],
            .tangential_restitution = tangential_restitution[i],
            .compliance_ratio = S(1.),
            .tangential = tangential[i],
            .moment_coefficient = moment_coefficient[i],
            .spin = {.nr = spin_nr[i], .tr = spin_tr[i], .rr = spin_rr[i], .approach = spin[i]}};
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

/// Where answers go, from the first of a stretch on.
template <class S>
struct Answers {
  double *impulse_n, *impulse_t, *velocity_n, *velocity_t, *change, *friction;
  std::uint8_t* mode;
  std::uint16_t* flags;

  template <bool everything>
  void store(std::size_t i, const PlanarAnswer<S>& a) const {
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

/// @param count  a multiple of the scalar's width, or less than it
template <class S, class Kernel, bool everything>
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
      answers.template store<everything>(i, Kernel::template answer<S>(rows[i]));
    }
  }
  if (count < width) outputs.template deliver<everything>(count);
}

template <class S, class Kernel>
void solve_by(const KernelTask& task) {
  const auto solve = task.everything ? solve_rows<S, Kernel, true> : solve_rows<S, Kernel, false>;
  const std::size_t rest = (task.end - task.begin) % Lanes<S>::width;
  const std::size_t whole = task.end - rest;
  if (whole > task.begin) solve(task, task.begin, whole - task.begin);
  if (rest > 0) solve(task, whole, rest);
}

template <class S, class Law>
void solve_by_law(const KernelTask& task) {
  const Law& law = *static_cast<const Law*>(task.value);
  law.with_kernel({.rule = task.batch.rule, .couples = task.couples}, [&]<class Kernel>(Kernel) {
    if constexpr (kernels::takes_packs<Kernel>()) solve_by<S, Kernel>(task);
  });
}

template <class S, std::size_t... laws>
void solve_by_one_of(const KernelTask& task, std::index_sequence<laws...>) {
  ((task.law == laws ? solve_by_law<S, std::variant_alternative_t<laws, PlanarLaw>>(task) : void()),
   ...);
}

/// Instantiates the kernels of all laws of kernels.hpp.
template <class S>
void solve_kernel(const KernelTask& task) {
  solve_by_one_of<S>(task, std::make_index_sequence<std::variant_size_v<PlanarLaw>>());
}

}  // namespace carom::study
