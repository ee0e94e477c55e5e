#include <carom/study/batch.hpp>
namespace carom::study {
bool has_batch_kernel(const PlanarLaw& law) { return !std::holds_alternative<Compliant>(law); }
PlanarProblem problem_at(const PlanarBatch& b, std::size_t i) {
  PlanarProblem p;
  p.G = {b.nn[i], b.nt[i], b.tt[i]};
  p.approach = {b.normal[i], b.slip[i]};
  p.surface.restitution = b.restitution[i];
  p.surface.friction = b.friction[i];
  p.surface.static_friction = b.static_friction[i];
  p.surface.tangential_restitution = b.tangential_restitution[i];
  p.surface.moment_coefficient = b.moment_coefficient[i];
  if (b.rule == BrachRule::impulse_ratio) p.surface.impulse_ratio = b.tangential[i];
  if (b.rule == BrachRule::coefficient) p.surface.tangential_coefficient = b.tangential[i];
  p.spin = {b.spin_nr[i], b.spin_tr[i], b.spin_rr[i], b.spin[i]};
  return p;
}
void solve_batch(const PlanarLaw& law, const PlanarBatch& b, const PlanarBatchOutcome& out,
                 const BatchOptions&) {
  for (std::size_t i = 0; i < b.size; ++i) {
    const PlanarOutcome o = solve(law, problem_at(b, i));
    out.impulse_n[i] = o.impulse.n;
    out.impulse_t[i] = o.impulse.t;
    out.velocity_n[i] = o.velocity.n;
    out.velocity_t[i] = o.velocity.t;
    out.energy_change[i] = o.energy.change;
    out.mode[i] = static_cast<std::uint8_t>(o.mode);
    out.flags[i] = o.flags.bits();
  }
}
bool available(Instructions i) { return i == Instructions::best || i == Instructions::plain; }
std::string_view name(Instructions) { return ""; }
}  // namespace carom::study
