// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <carom/laws/table.hpp>

namespace carom::study {

/// A number with its name, as tables and files show it.
struct NamedNumber {
  std::string name;  ///< "friction"
  std::string unit;  ///< empty: none
  double value = 0.;
};

/// How an outcome changes with what went into it: derivatives, not differences. At the edge between
/// two modes they are those of the mode that the outcome has, or there are none.
struct Sensitivity {
  const Law* law = nullptr;
  Verdict verdict = Verdict::ordinary;  ///< of the outcome: why there may be nothing
  std::vector<NamedNumber> inputs;      ///< the approach, and the coefficients that the law knows
  std::vector<NamedNumber> outputs;     ///< impulse, velocity after, couples, energy change
  Eigen::MatrixXd absolute;             ///< d output/d input, a row for each output
  std::string refused{};                ///< why there is no derivative; empty: there is no impulse

  /// (input/output) d output/d input: per cent for a per cent. Empty where either is zero.
  [[nodiscard]] std::optional<double> relative(Eigen::Index output, Eigen::Index input) const;
};

/// The derivatives of what `law` says of `problem`. Empty inputs and outputs: there is no impulse,
/// or `refused` says why there is no derivative. Where mu_s is not above mu it is taken to follow
/// it.
///
/// - One contact in the plane: the law's kernel on numbers that carry derivatives.
/// - One contact in space: the same through `brach` and `sun-baruh`, and through Taylor's series of
///   the exact process (carom/laws/darboux_keller/totals.hpp).
/// - Several contacts, and `moreau` in space: by the law's own `derivatives`. `moreau` has them
///   where its mode is strict (carom/laws/moreau/derivatives.hpp).
///
/// A law with none of these is refused: `compliant` in space, `lzb` for several contacts, and a
/// registered law.
/// @pre the problem was validated, and the law can be asked about it
[[nodiscard]] Sensitivity sensitivity(const Law& law, const ContactProblem& problem,
                                      const SolveOptions& options = {});

/// The derivatives alone, with respect to the inputs that are asked for: by the first that there is
/// of a kernel and the law's own derivatives. At most nine inputs at one contact.
/// @pre as above; `outcome` is the law's answer (at one contact in the plane it is not read), with
/// an impulse
[[nodiscard]] Derivatives differentiate(const Law& law, const ContactProblem& problem,
                                        const Outcome& outcome, const SolveOptions& options,
                                        std::span<const ImpactInput> inputs);

/// The same in the types of the plane.
[[nodiscard]] Sensitivity sensitivity(const Law& law, const PlanarProblem& problem);

}  // namespace carom::study
