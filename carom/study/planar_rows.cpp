// SPDX-License-Identifier: Apache-2.0
#include <carom/study/planar_rows.hpp>

#include <array>

#include <carom/impact/one_contact.hpp>

namespace carom::study {
namespace {

constexpr std::size_t input_columns = 15;
constexpr std::size_t output_columns = 5;

PlanarBatch as_columns(const std::vector<MapCell>& row, std::vector<std::vector<double>>& columns) {
  const Surface& first = row.front().problem.surface;
  const BrachRule rule = brach_rule(first).rule;  // the file decides, so it is the same for all
  for (std::size_t i = 0; i < row.size(); ++i) {
    const PlanarProblem& p = row[i].problem;
    const std::array<double, input_columns> numbers{p.G.nn,
                                                    p.G.nt,
                                                    p.G.tt,
                                                    p.approach.n,
                                                    p.approach.t,
                                                    p.surface.restitution,
                                                    p.surface.friction,
                                                    p.surface.static_friction,
                                                    p.surface.tangential_restitution,
                                                    brach_rule(p.surface).value,
                                                    p.surface.planar_moment_coefficient(),
                                                    p.spin.nr,
                                                    p.spin.tr,
                                                    p.spin.rr,
                                                    p.spin.approach};
    for (std::size_t c = 0; c < input_columns; ++c) columns[c][i] = numbers[c];
  }
  const auto column = [&](std::size_t c) { return Column(std::span<const double>(columns[c])); };
  PlanarBatch b;
  b.size = row.size();
  b.nn = column(0);
  b.nt = column(1);
  b.tt = column(2);
  b.normal = column(3);
  b.slip = column(4);
  b.restitution = column(5);
  b.friction = column(6);
  b.static_friction = column(7);
  b.tangential_restitution = column(8);
  b.rule = rule;
  b.tangential = column(9);
  b.moment_coefficient = column(10);
  b.spin_nr = column(11);
  b.spin_tr = column(12);
  b.spin_rr = column(13);
  b.spin = column(14);
  return b;
}

/// The kernel of a law at one contact in the plane, or null for a law from outside.
const PlanarLaw* kernel_of(const Law& law) {
  const Law* answers = answering(law, in_the_plane);
  return answers->planar ? &*answers->planar : nullptr;
}

}  // namespace

PlanarRows::PlanarRows(std::span<const Law* const> laws, std::size_t columns,
                       Instructions instructions)
    : laws_(laws),
      instructions_(instructions),
      inputs_(input_columns, std::vector<double>(columns)),
      outputs_(output_columns, std::vector<double>(columns)),
      mode_(columns),
      flags_(columns),
      planar_(laws.size(), std::vector<PlanarOutcome>(columns)),
      outcomes_(laws.size()),
      views_(laws.size()) {}

void PlanarRows::set_row(std::size_t j, const std::vector<MapCell>& row, MapLayers& layers) {
  const PlanarBatch batch = as_columns(row, inputs_);
  const bool whole = layers.need_whole_outcomes();  // kernels of batches give totals alone
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const PlanarLaw* law = kernel_of(*laws_[k]);
    if (law == nullptr || whole) continue;
    if (has_batch_kernel(*law)) {
      ask_batch(*law, batch, planar_[k]);
    } else {
      for (std::size_t i = 0; i < row.size(); ++i) planar_[k][i] = solve(*law, row[i].problem);
    }
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    assign(problem_, row[i].problem);
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      if (!whole && kernel_of(*laws_[k]) != nullptr) {
        assign(outcomes_[k], problem_, planar_[k][i]);
      } else {
        solve(*laws_[k], problem_, {}, workspace_, outcomes_[k]);
      }
      views_[k] = {.law = laws_[k],
                   .problem = &problem_,
                   .outcome = &outcomes_[k],
                   .energy_before = row[i].energy_before};
    }
    layers.set_cell(j, i, views_);
  }
}

void PlanarRows::ask_batch(const PlanarLaw& law, const PlanarBatch& batch,
                           std::vector<PlanarOutcome>& outcomes) {
  solve_batch(law, batch,
              {.impulse_n = outputs_[0].data(),
               .impulse_t = outputs_[1].data(),
               .velocity_n = outputs_[2].data(),
               .velocity_t = outputs_[3].data(),
               .energy_change = outputs_[4].data(),
               .energy_friction = nullptr,
               .mode = mode_.data(),
               .flags = flags_.data()},
              {.instructions = instructions_, .threads = 1});
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    PlanarOutcome& o = outcomes[i];
    o.impulse = {.n = outputs_[0][i], .t = outputs_[1][i]};
    o.velocity = {.n = outputs_[2][i], .t = outputs_[3][i]};
    o.energy.change = outputs_[4][i];
    o.mode = static_cast<Mode>(mode_[i]);
    o.flags = Verdicts::from_bits(flags_[i]);
  }
}

}  // namespace carom::study
