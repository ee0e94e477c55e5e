// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace carom::cli {

/// A program that does the work of some subcommands, so that `carom` itself is built and started
/// quickly. It is called with the arguments of `carom`, the subcommand included.
struct Program {
  const char* name;      ///< "carom-papers"
  const char* variable;  ///< of the environment, which may name it elsewhere: "CAROM_PAPERS"
  const char* target;    ///< of the build: "carom_papers_cli"
};

/// Maps and motions, and the check of both.
inline constexpr Program study_program{"carom-study", "CAROM_STUDY", "carom_study_cli"};
inline constexpr Program papers_program{"carom-papers", "CAROM_PAPERS", "carom_papers_cli"};
inline constexpr Program sweep_program{"carom-sweep", "CAROM_SWEEP", "carom_sweep_cli"};
inline constexpr Program fit_program{"carom-fit", "CAROM_FIT", "carom_fit_cli"};

/// Becomes that program: as the environment says, beside this one, in its libexec, or in PATH.
/// Returns only by an exception. @param arguments  those of `carom`, without its name
[[noreturn]] void become(const Program& program, std::span<char* const> arguments);

}  // namespace carom::cli
