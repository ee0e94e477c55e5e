// SPDX-License-Identifier: Apache-2.0
#include <carom/study/spatial_batch.hpp>

#include <array>

#include <carom/impact/one_contact.hpp>
#include <carom/study/batch/columns.hpp>
#include <carom/study/parallel.hpp>

namespace carom::study {
namespace {

constexpr std::size_t block = 64;  // impacts that a thread takes at a time

template <class T>
void put_one(T* column, std::size_t i, T value) {
  if (column != nullptr) column[i] = value;
}

/// What any outcome has, in either batch.
template <class Out>
void put_rest(const Out& out, std::size_t i, const EnergyLedger& energy, Mode mode,
              const Verdicts& flags) {
  put_one(out.energy_change, i, energy.change);
  put_one(out.energy_friction, i, energy.friction);
  put_one(out.mode, i, static_cast<std::uint8_t>(mode));
  put_one(out.flags, i, flags.bits());
}

void put(const SpatialBatchOutcome& out, std::size_t i, const SpatialOutcome& o) {
  put_one(out.impulse_n, i, o.impulse.n);
  put_one(out.impulse_t1, i, o.impulse.t1);
  put_one(out.impulse_t2, i, o.impulse.t2);
  put_one(out.velocity_n, i, o.velocity.n);
  put_one(out.velocity_t1, i, o.velocity.t1);
  put_one(out.velocity_t2, i, o.velocity.t2);
  put_one(out.couple_n, i, o.couple.n);
  put_one(out.couple_t1, i, o.couple.t1);
  put_one(out.couple_t2, i, o.couple.t2);
  put_rest(out, i, o.energy, o.mode, o.flags);
}

void put(const SpatialBatchOutcome& out, std::size_t i, const Outcome& o) {
  const auto three = [](const std::vector<double>& x, std::size_t from) {
    return x.size() < from + 3 ? Vec3{} : Vec3{.n = x[from], .t1 = x[from + 1], .t2 = x[from + 2]};
  };
  SpatialOutcome one;
  one.impulse = three(o.impulse, 0);
  one.velocity = three(o.velocity, 0);
  one.couple = three(o.impulse, 3);
  one.energy = o.energy;
  one.mode = o.contacts[0].mode;
  one.flags = o.flags;
  put(out, i, one);
}

void put(const PlanarBatchOutcome& out, std::size_t i, const Outcome& o) {
  put_one(out.impulse_n, i, o.impulse[0]);
  put_one(out.impulse_t, i, o.impulse[1]);
  put_one(out.velocity_n, i, o.velocity[0]);
  put_one(out.velocity_t, i, o.velocity[1]);
  put_rest(out, i, o.energy, o.contacts[0].mode, o.flags);
}

unsigned threads_for(const Law& law, unsigned threads) { return law.parallel ? threads : 1; }

/// One after the other, through the table.
template <class Batch, class Out>
void solve_by_table(const Law& law, const Batch& batch, const Out& out, const SolveOptions& options,
                    unsigned threads) {
  in_blocks(batch.size, block, threads_for(law, threads), [&](std::size_t begin, std::size_t end) {
    ContactProblem problem;
    Outcome outcome;
    Workspace workspace;
    for (std::size_t i = begin; i < end; ++i) {
      assign(problem, problem_at(batch, i));
      solve(law, problem, options, workspace, outcome);
      put(out, i, outcome);
    }
  });
}

using Name = ColumnName<SpatialBatch>;
constexpr std::array names{
    Name{"inverse_inertia[0][0]", "nn", &SpatialBatch::nn, true},
    Name{"inverse_inertia[0][1]", "n1", &SpatialBatch::n1, true},
    Name{"inverse_inertia[0][2]", "n2", &SpatialBatch::n2, true},
    Name{"inverse_inertia[1][1]", "t11", &SpatialBatch::t11, true},
    Name{"inverse_inertia[1][2]", "t12", &SpatialBatch::t12, true},
    Name{"inverse_inertia[2][2]", "t22", &SpatialBatch::t22, true},
    Name{"inverse_inertia", "nn", &SpatialBatch::nn, true},
    Name{"approach[0]", "normal", &SpatialBatch::normal, true},
    Name{"approach[1]", "slip1", &SpatialBatch::slip1, true},
    Name{"approach[2]", "slip2", &SpatialBatch::slip2, true},
    Name{"surface.restitution", "restitution", &SpatialBatch::restitution, true},
    Name{"surface.friction", "friction", &SpatialBatch::friction, true},
    Name{"surface.static_friction", "static_friction", &SpatialBatch::static_friction, true},
    Name{"surface.tangential_restitution", "tangential_restitution",
         &SpatialBatch::tangential_restitution, true},
    Name{"surface.compliance_ratio", "compliance_ratio", &SpatialBatch::compliance_ratio, true},
};

}  // namespace

void solve_batch(const SpatialLaw& law, const SpatialBatch& batch, const SpatialBatchOutcome& out,
                 const SpatialBatchOptions& options) {
  in_blocks(batch.size, block, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      put(out, i, law(problem_at(batch, i), options.accuracy));
    }
  });
}

void solve_batch(const Law& asked, const SpatialBatch& batch, const SpatialBatchOutcome& out,
                 const SpatialBatchOptions& options) {
  const Law& law = *answering(asked, in_space);
  if (law.spatial) {
    return solve_batch(
        law.spatial, batch, out,
        {.threads = threads_for(law, options.threads), .accuracy = options.accuracy});
  }
  solve_by_table(law, batch, out, {.tolerance = options.accuracy.tolerance}, options.threads);
}

void solve_batch(const Law& asked, const PlanarBatch& batch, const PlanarBatchOutcome& out,
                 const BatchOptions& options) {
  const Law& law = *answering(asked, in_the_plane);
  if (law.planar) {
    BatchOptions of_kernel = options;
    of_kernel.threads = threads_for(law, options.threads);
    return solve_batch(*law.planar, batch, out, of_kernel);
  }
  solve_by_table(law, batch, out, {}, options.threads);
}

void solve_batch(const Law& law, std::span<const ContactProblem> problems,
                 std::span<Outcome> outcomes, const SolveOptions& options, unsigned threads) {
  in_blocks(problems.size(), 1, threads_for(law, threads), [&](std::size_t begin, std::size_t end) {
    thread_local Workspace workspace;  // a block may be one problem
    for (std::size_t i = begin; i < end; ++i) {
      solve(law, problems[i], options, workspace, outcomes[i]);
    }
  });
}

SpatialProblem problem_at(const SpatialBatch& b, std::size_t i) {
  SpatialProblem p = b.same;
  const auto take = [i](const Column& column, double& to) {
    if (!column.empty()) to = column[i];
  };
  take(b.nn, p.G.nn);
  take(b.n1, p.G.n1);
  take(b.n2, p.G.n2);
  take(b.t11, p.G.t11);
  take(b.t12, p.G.t12);
  take(b.t22, p.G.t22);
  take(b.normal, p.approach.n);
  take(b.slip1, p.approach.t1);
  take(b.slip2, p.approach.t2);
  take(b.restitution, p.surface.restitution);
  take(b.friction, p.surface.friction);
  take(b.static_friction.empty() ? b.friction : b.static_friction, p.surface.static_friction);
  take(b.tangential_restitution, p.surface.tangential_restitution);
  take(b.compliance_ratio, p.surface.compliance_ratio);
  return p;
}

void validate(const SpatialBatch& batch, Release release) {
  validate_columns<SpatialBatch>(batch, names, release);
}

}  // namespace carom::study
