// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <carom/laws/table.hpp>
#include <carom/study/batch/batch.hpp>

/// Many impacts in space at once, and many problems of any kind: all cores, one impact after the
/// other on each. There are no vector kernels: the laws in space search, iterate and branch, so
/// that the impacts of a vector would take different ways.
namespace carom::study {

/// The problems: SpatialProblem, column by column. Where a column is empty, and for all that has no
/// column (spin, coefficients of `brach`), `same` holds for every impact.
struct SpatialBatch {
  std::size_t size = 0;
  SpatialProblem same{};
  Column nn{}, n1{}, n2{}, t11{}, t12{}, t22{};  ///< G [1/kg]
  Column normal{};                               ///< v_n- [m/s]; negative closes
  Column slip1{}, slip2{};                       ///< v_t- along the tangents [m/s]
  Column restitution{};
  Column friction{};
  Column static_friction{};  ///< empty: as `friction`, or where that is empty too as in `same`
  Column tangential_restitution{};  ///< `moreau`
  Column compliance_ratio{};        ///< `compliant`
};

/// Where the answers go: SpatialOutcome, column by column. What is null is not wanted.
struct SpatialBatchOutcome {
  double* impulse_n = nullptr;        ///< [N s]
  double* impulse_t1 = nullptr;       ///< [N s]
  double* impulse_t2 = nullptr;       ///< [N s]
  double* velocity_n = nullptr;       ///< v+ [m/s]
  double* velocity_t1 = nullptr;      ///< v+ [m/s]
  double* velocity_t2 = nullptr;      ///< v+ [m/s]
  double* couple_n = nullptr;         ///< [N m s]
  double* couple_t1 = nullptr;        ///< [N m s]
  double* couple_t2 = nullptr;        ///< [N m s]
  double* energy_change = nullptr;    ///< [J]
  double* energy_friction = nullptr;  ///< [J]
  std::uint8_t* mode = nullptr;       ///< Mode
  std::uint16_t* flags = nullptr;     ///< Verdicts, by their bits
};

/// How many threads, and how accurately.
struct SpatialBatchOptions {
  unsigned threads = 1;  ///< 0: as many as there are
  SpatialOptions accuracy{};
};

/// What `law` says of each problem: bit for bit what it says of it alone, whatever the number of
/// threads. Allocates nothing where `threads` is 1.
/// @pre each problem is valid, as `validate(SpatialProblem)` means it; columns that vary have
/// `size` entries
void solve_batch(const SpatialLaw& law, const SpatialBatch& batch, const SpatialBatchOutcome& out,
                 const SpatialBatchOptions& options = {});

/// The same by any law of the table that works on such contacts, registered ones too; on one thread
/// where its row says that it is not to be asked by several at once.
void solve_batch(const Law& law, const SpatialBatch& batch, const SpatialBatchOutcome& out,
                 const SpatialBatchOptions& options = {});
void solve_batch(const Law& law, const PlanarBatch& batch, const PlanarBatchOutcome& out,
                 const BatchOptions& options = {});

/// Problems of any kind, several contacts too, one outcome for each; the memory of outcomes is
/// reused. @pre `outcomes` has the size of `problems`, which were validated
void solve_batch(const Law& law, std::span<const ContactProblem> problems,
                 std::span<Outcome> outcomes, const SolveOptions& options = {},
                 unsigned threads = 1);

/// One of the problems. @pre i < size
[[nodiscard]] SpatialProblem problem_at(const SpatialBatch& batch, std::size_t i);

/// Throws InputError that names the first column and impact that is not allowed: "nn[17]".
void validate(const SpatialBatch& batch, Release release = Release::refused);

}  // namespace carom::study
