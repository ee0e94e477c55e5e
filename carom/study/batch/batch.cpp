// SPDX-License-Identifier: Apache-2.0
#include <carom/study/batch/batch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <carom/core/error.hpp>
#include <carom/study/batch/columns.hpp>
#include <carom/study/batch/kernels.hpp>
#include <carom/study/parallel.hpp>

namespace carom::study {
namespace {

// How many impacts a thread takes at a time. Multiples of every pack's width.
constexpr std::size_t kernel_block = 4096;
constexpr std::size_t single_block = 64;  // of those that are asked one by one

#ifdef CAROM_BATCH_X86
Instructions best() {
  if (available(Instructions::avx512)) return Instructions::avx512;
  return available(Instructions::avx2) ? Instructions::avx2 : Instructions::plain;
}
#endif

using Kernel = void (*)(const KernelTask&);

Kernel kernel_for(Instructions instructions) {
  if (!available(instructions)) {
    throw InputError("instructions",
                     "this machine has no " + std::string(name(instructions)) + "; must be best");
  }
#ifdef CAROM_BATCH_X86
  switch (instructions == Instructions::best ? best() : instructions) {
    case Instructions::avx512:
      return solve_avx512;
    case Instructions::avx2:
      return solve_avx2;
    case Instructions::best:
    case Instructions::plain:
      break;
  }
#endif
  return solve_plain;
}

/// Is the spin known to be unknown, for all? (-0 counts as known: it may show in a sign.)
bool has_spin(const PlanarBatch& b) {
  return std::ranges::any_of(std::array{b.spin_nr, b.spin_tr, b.spin_rr, b.spin}, [](Column c) {
    return c.varies() || c[0] != 0. || std::signbit(c[0]);
  });
}

void put(const PlanarBatchOutcome& out, std::size_t i, const PlanarOutcome& o) {
  const auto to = [i](auto* column, auto value) {
    if (column != nullptr) column[i] = value;
  };
  to(out.impulse_n, o.impulse.n);
  to(out.impulse_t, o.impulse.t);
  to(out.velocity_n, o.velocity.n);
  to(out.velocity_t, o.velocity.t);
  to(out.energy_change, o.energy.change);
  to(out.energy_friction, o.energy.friction);
  to(out.mode, static_cast<std::uint8_t>(o.mode));
  to(out.flags, o.flags.bits());
}

using Name = ColumnName<PlanarBatch>;
constexpr std::array names{
    Name{"inverse_inertia[0][0]", "nn", &PlanarBatch::nn},
    Name{"inverse_inertia[0][1]", "nt", &PlanarBatch::nt},
    Name{"inverse_inertia[1][1]", "tt", &PlanarBatch::tt},
    Name{"inverse_inertia", "nt", &PlanarBatch::nt},
    Name{"approach[0]", "normal", &PlanarBatch::normal},
    Name{"approach[1]", "slip", &PlanarBatch::slip},
    Name{"surface.restitution", "restitution", &PlanarBatch::restitution},
    Name{"surface.friction", "friction", &PlanarBatch::friction},
    Name{"surface.static_friction", "static_friction", &PlanarBatch::static_friction, true},
    Name{"surface.tangential_restitution", "tangential_restitution",
         &PlanarBatch::tangential_restitution},
    Name{"surface.compliance_ratio", "compliance_ratio", &PlanarBatch::compliance_ratio},
    Name{"surface.impulse_ratio", "tangential", &PlanarBatch::tangential},
    Name{"surface.tangential_coefficient", "tangential", &PlanarBatch::tangential},
    Name{"surface.moment_coefficients", "moment_coefficient", &PlanarBatch::moment_coefficient},
    Name{"", "spin_nr", &PlanarBatch::spin_nr},
    Name{"", "spin_tr", &PlanarBatch::spin_tr},
    Name{"", "spin_rr", &PlanarBatch::spin_rr},
    Name{"spin", "spin", &PlanarBatch::spin},
};

}  // namespace

std::string_view name(Instructions i) {
  switch (i) {
    case Instructions::best:
      return "best";
    case Instructions::plain:
      return "plain";
    case Instructions::avx2:
      return "avx2";
    case Instructions::avx512:
      return "avx512";
  }
  return "";
}

bool available(Instructions i) {
  switch (i) {
    case Instructions::best:
    case Instructions::plain:
      return true;
#ifdef CAROM_BATCH_X86
    case Instructions::avx2:
      return __builtin_cpu_supports("avx2") != 0;
    case Instructions::avx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
             __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#else
    case Instructions::avx2:
    case Instructions::avx512:
      break;
#endif
  }
  return false;
}

bool has_batch_kernel(const PlanarLaw& law) {
  return std::visit(
      [](const auto& l) {
        return l.with_kernel({}, []<class K>(K) { return kernels::takes_packs<K>(); });
      },
      law);
}

void solve_batch(const PlanarLaw& law, const PlanarBatch& batch, const PlanarBatchOutcome& out,
                 const BatchOptions& options) {
  const Kernel kernel = kernel_for(options.instructions);
  if (!has_batch_kernel(law)) {
    in_blocks(batch.size, single_block, options.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) put(out, i, solve(law, problem_at(batch, i)));
    });
    return;
  }
  const bool everything = out.energy_change != nullptr || out.energy_friction != nullptr ||
                          out.mode != nullptr || out.flags != nullptr;
  const bool couples = has_spin(batch);
  const void* value = std::visit([](const auto& l) -> const void* { return &l; }, law);
  in_blocks(batch.size, kernel_block, options.threads, [&](std::size_t begin, std::size_t end) {
    kernel({.batch = batch,
            .out = out,
            .law = law.index(),
            .value = value,
            .couples = couples,
            .everything = everything,
            .begin = begin,
            .end = end});
  });
}

PlanarProblem problem_at(const PlanarBatch& b, std::size_t i) {
  PlanarProblem p{
      .G = {.nn = b.nn[i], .nt = b.nt[i], .tt = b.tt[i]},
      .approach = {.n = b.normal[i], .t = b.slip[i]},
      .surface = {.restitution = b.restitution[i],
                  .friction = b.friction[i],
                  .static_friction = b.friction_of_stick()[i],
                  .tangential_restitution = b.tangential_restitution[i],
                  .compliance_ratio = b.compliance_ratio[i],
                  .tangential_rule = b.rule,
                  .moment = {b.moment_coefficient[i], -1., -1.}},
      .spin = {.nr = b.spin_nr[i], .tr = b.spin_tr[i], .rr = b.spin_rr[i], .approach = b.spin[i]}};
  if (b.rule != BrachRule::coulomb) p.surface.tangential[0] = b.tangential[i];
  return p;
}

void validate(const PlanarBatch& batch, Release release) {
  validate_columns<PlanarBatch>(batch, names, release);
}

}  // namespace carom::study
