// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <carom/laws/table.hpp>

/// Many planar impacts at once: structure of arrays, several impacts an instruction, all cores.
namespace carom::study {

/// One number an impact, or one for all of them. Refers to the numbers, which must outlive it.
class Column {
 public:
  constexpr Column() = default;  ///< empty: nothing was given
  constexpr Column(double same)  // NOLINT(google-explicit-constructor)
      : empty_(false), same_(same) {}
  constexpr Column(std::span<const double> each)  // NOLINT(google-explicit-constructor)
      : each_(each.empty() ? nullptr : each.data()), size_(each.size()), empty_(each.empty()) {}
  Column(const std::vector<double>& each)  // NOLINT(google-explicit-constructor)
      : Column(std::span<const double>(each)) {}
  Column(std::vector<double>&&) = delete;  // would not outlive it

  [[nodiscard]] constexpr bool empty() const { return empty_; }
  [[nodiscard]] constexpr bool varies() const { return each_ != nullptr; }
  [[nodiscard]] constexpr double operator[](std::size_t i) const {
    return varies() ? each_[i] : same_;
  }
  [[nodiscard]] constexpr const double* data() const { return each_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }  ///< 0 where it is one for all

 private:
  const double* each_ = nullptr;
  std::size_t size_ = 0;
  bool empty_ = true;
  double same_ = 0.;
};

/// The problems: PlanarProblem, column by column.
struct PlanarBatch {
  std::size_t size = 0;
  Column nn{0.}, nt{0.}, tt{0.};  ///< G [1/kg]
  Column normal{0.};              ///< v_n- [m/s]; negative closes
  Column slip{0.};                ///< v_t- [m/s]
  Column restitution{0.};
  Column friction{0.};
  Column static_friction{};           ///< empty: friction
  Column tangential_restitution{0.};  ///< `moreau`
  Column compliance_ratio{1.};        ///< `compliant`

  BrachRule rule = BrachRule::coulomb;  ///< `brach`, for all
  Column tangential{0.};                ///< mu_t or e_t, as the rule says; unused by coulomb
  Column moment_coefficient{-1.};       ///< e_m
  Column spin_nr{0.}, spin_tr{0.}, spin_rr{0.}, spin{0.};  ///< SpinRow

  /// mu_s of every impact: `static_friction`, or friction where that is empty.
  [[nodiscard]] const Column& friction_of_stick() const {
    return static_friction.empty() ? friction : static_friction;
  }
};

/// Where the answers go: PlanarOutcome, column by column. What is null is not wanted; where nothing
/// below `velocity_t` is wanted it is not computed either.
struct PlanarBatchOutcome {
  double* impulse_n = nullptr;        ///< [N s]
  double* impulse_t = nullptr;        ///< [N s]
  double* velocity_n = nullptr;       ///< v+ [m/s]
  double* velocity_t = nullptr;       ///< v+ [m/s]
  double* energy_change = nullptr;    ///< [J]
  double* energy_friction = nullptr;  ///< [J]
  std::uint8_t* mode = nullptr;       ///< Mode
  std::uint16_t* flags = nullptr;     ///< Verdicts, by their bits
};

/// Instructions to use. `best` is what the machine has; one that it has not is refused.
enum class Instructions : std::uint8_t { best, plain, avx2, avx512 };

/// "best", "plain", "avx2", "avx512".
[[nodiscard]] std::string_view name(Instructions i);

[[nodiscard]] bool available(Instructions i);

struct BatchOptions {
  Instructions instructions = Instructions::best;
  unsigned threads = 1;  ///< 0: as many as there are
};

/// Is there a kernel for many impacts? Where not, `solve_batch` asks the law one by one.
[[nodiscard]] bool has_batch_kernel(const PlanarLaw& law);

/// What `law` says of each problem: bit for bit what `solve` says of it, whatever the instructions
/// and the number of threads. Allocates nothing where `threads` is 1. Floating-point exceptions
/// must not trap: kernels divide by zero where the quotient is not used. Throws InputError if the
/// machine lacks the instructions.
/// @pre each problem is valid, as `validate(PlanarProblem)` means it; columns that vary have `size`
/// entries
void solve_batch(const PlanarLaw& law, const PlanarBatch& batch, const PlanarBatchOutcome& out,
                 const BatchOptions& options = {});

/// One of the problems. @pre i < size
[[nodiscard]] PlanarProblem problem_at(const PlanarBatch& batch, std::size_t i);

/// Throws InputError that names the first column and impact that is not allowed: "nn[17]".
void validate(const PlanarBatch& batch, Release release = Release::refused);

}  // namespace carom::study
