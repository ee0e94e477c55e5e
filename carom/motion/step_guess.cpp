// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <carom/motion/step_solver.hpp>

// The impulses from which a step starts: those that the step before leaves.
namespace carom::motion {

// What each contact was in the last step, or another of its pair that pressed and is no more: where
// corners meet, the same point is now a vertex of the one body and now of the other.
// @param last  ascending, as those of the step
void StepSolver::match(const std::vector<StepContact>& last) {
  past_.assign(found_.size(), nullptr);
  auto from = last.begin();
  for (std::size_t i = 0; i < found_.size();) {
    const BodyPair pair = found_[i].id.pair;
    const std::size_t first = i;
    while (from != last.end() && from->id.pair < pair) ++from;
    lost_.clear();
    for (; from != last.end() && from->id.pair == pair; ++from) {
      while (i < found_.size() && found_[i].id < from->id) ++i;
      if (i < found_.size() && found_[i].id == from->id) {
        past_[i] = &*from;
      } else if (from->impulse[0] > 0.) {
        lost_.push_back(&*from);
      }
    }
    auto next = lost_.begin();
    for (i = first; i < found_.size() && found_[i].id.pair == pair; ++i) {
      if (past_[i] != nullptr || next == lost_.end()) continue;
      if (found_[i].acts || step_.gap_at_start(i) <= fallen()) past_[i] = *next++;
    }
  }
}

void StepSolver::warm_start(std::size_t i, const StepContact& last, double scale) {
  StepContact& c = found_[i];
  // Friction that pushed along what is now slip would do positive work.
  c.mean_tangential = c.stuck && last.impulse[1] * c.before[1] + last.impulse[2] * c.before[2] > 0.;
  for (std::size_t j = 0; j < setting_.components; ++j) {
    friction_.impulse(i)[j] = c.guess[j] = scale * last.guess[j];
  }
  for (std::size_t j = 0; j < friction_.spins(); ++j) {
    friction_.couple(i)[j] = c.guess_couple[j] = scale * last.guess_couple[j];
  }
}

// The impulses from which the next step starts: those that keep velocities at the contacts as they
// are. The impulses of this step may have changed them, too: they have stopped what approached or
// drifted, and would push it back. So of the change from the guess P_k of this step to its impulses
// P the next guess takes that part which changes these velocities least,
//
//     P_k + lambda (P - P_k),    lambda = -s.r/r.r,
//     s = W^T (u_k - u_start),   r = W^T (u - u_k),
//
// over normal velocities of contacts that press, and slip of those that stick, in units of sqrt(G).
void StepSolver::find_guess(Members island) {
  for (const std::size_t i : island) {
    for (const VelocityRange& r : step_.contacts.motion[i].ranges) {
      guessed_.segment(ix(r.begin), ix(r.size)) = free_.segment(ix(r.begin), ix(r.size));
    }
  }
  const std::span<double> u_k{guessed_.data(), static_cast<std::size_t>(guessed_.size())};
  for (const std::size_t i : island) {
    friction_.push(i, found_[i].guess.data(), u_k);
    if (friction_.contact(i).turns) friction_.push_couple(i, found_[i].guess_couple.data(), u_k);
  }
  const std::size_t d = setting_.components;
  double stops = 0.;
  double square = 0.;
  for (const std::size_t i : island) {
    const StepContact& c = found_[i];
    if (c.done || !(c.impulse[0] > 0.)) continue;
    const std::array<double, 3> start = along(i, step_.u_start);
    const std::array<double, 3> guessed = along(i, guessed_);
    const std::array<double, 3> end = along(i, step_.u);
    for (std::size_t j = 0; j < (c.sticks ? d : 1); ++j) {
      const double G = friction_.diagonal(i)[j * d + j];
      if (!(G > 0.)) continue;
      stops -= (guessed[j] - start[j]) * (end[j] - guessed[j]) / G;
      square += (end[j] - guessed[j]) * (end[j] - guessed[j]) / G;
    }
  }
  const double part = square > 0. ? std::clamp(stops / square, 0., 1.) : 1.;
  for (const std::size_t i : island) {
    StepContact& c = found_[i];
    for (std::size_t j = 0; j < d; ++j) c.guess[j] += part * (c.impulse[j] - c.guess[j]);
    for (std::size_t j = 0; j < friction_.spins(); ++j) {
      c.guess_couple[j] += part * (c.couple[j] - c.guess_couple[j]);
    }
  }
}

}  // namespace carom::motion
