// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/coefficients.hpp>
#include <carom/impact/contact_problem.hpp>
#include <carom/impact/hypothesis.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/derivatives.hpp>
#include <carom/laws/kernels.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/solve_options.hpp>
#include <carom/laws/spatial_kernels.hpp>
#include <carom/laws/workspace.hpp>

/// The table of laws. To add a law, write its file next to the others and add a row in table.cpp,
/// or register it at run time.
namespace carom {

struct Law;

/// Whether a law can solve a problem.
struct Applies {
  enum class Answer : std::uint8_t {
    yes,
    ignores,  ///< the law ignores a given coefficient: left out unless the law is named
    cannot,
  };
  Answer answer = Answer::yes;
  std::string_view field{};  ///< the coefficient's key, or "law"
  std::string_view why{};    ///< "ignores the couple", "is missing", "is for one contact"

  [[nodiscard]] bool yes() const { return answer == Answer::yes; }
  [[nodiscard]] bool cannot() const { return answer == Answer::cannot; }
};

/// One row of the table.
struct Law {
  std::string_view name;       ///< "newton", "moreau:poisson"
  std::string_view summary{};  ///< one line
  const LawInfo* info = nullptr;
  std::string_view exact{};          ///< the exact process that it approximates; empty: none
  std::string_view same_in_plane{};  ///< the law that it equals for one contact in the plane
  std::string_view same_in_space{};  ///< the same in space

  /// Rows "NAME" and "NAME:VALUE" are one law with an option: `moreau` with hypothesis = poisson.
  struct Option {
    std::string_view key{};    ///< "hypothesis"; empty: none
    std::string_view value{};  ///< "poisson"
  };
  Option option{};
  /// A key of SolveOptions that only this law's solver has: "solver", "euler_steps"; or empty.
  std::string_view solver_option{};
  std::string_view contact_label{};  ///< what its publication calls stick and slip, in the plane
  /// What to bear in mind of its answer ("is meant for spheres"), or nothing; null: nothing.
  std::string_view (*caution)(const ContactProblem&) = nullptr;
  bool has_course = false;  ///< can it record the course of the impact?

  // What computes it; hot paths call these directly.
  std::optional<PlanarLaw> planar{};  ///< one contact in the plane
  SpatialLaw spatial{};               ///< one contact in space
  /// Several contacts, into `outcome`. Records the course unless it is null.
  void (*several)(const ContactProblem&, const SolveOptions&, Workspace&, Course*,
                  Outcome& outcome) = nullptr;

  /// Differentiates where no kernel does. Null: contacts that no kernel computes have no
  /// derivative.
  Derivatives (*derivatives)(const ContactProblem&, const Outcome&, const SolveOptions&,
                             std::span<const ImpactInput>) = nullptr;

  /// Fills `outcome` in place. A law that is registered at run time has only this.
  void (*solve)(const Law&, const ContactProblem&, const SolveOptions&, Outcome&) = nullptr;
  Applies (*applies)(const Law&, const ContactProblem&) noexcept = nullptr;  ///< null: applies_to
  bool parallel = true;                ///< may be called by several threads at once
  std::shared_ptr<const void> data{};  ///< data of a registered law

  /// Whether it is another name for a law of the table wherever it works.
  [[nodiscard]] bool is_alias() const {
    return !planar && !spatial && several == nullptr && solve == nullptr;
  }
};

using Laws = std::vector<std::reference_wrapper<const Law>>;

/// All laws in the order of display: built in, then registered.
[[nodiscard]] Laws laws();

/// Adds a law for the rest of the run. Throws InputError if its name is taken or if it has no
/// `info` or `solve`. The row is copied. The strings and objects that it refers to must outlive it.
const Law& register_law(const Law& law);

/// Finds a law by name, or null.
[[nodiscard]] const Law* find_law(std::string_view name) noexcept;

/// Kind of contacts, for messages and choices.
struct ContactKind {
  std::size_t contacts = 1;
  std::size_t components = 2;  ///< of velocity at each: 1, 2 (plane) or 3 (space)

  bool operator==(const ContactKind&) const = default;
};

inline constexpr ContactKind in_the_plane{.contacts = 1, .components = 2};
inline constexpr ContactKind in_space{.contacts = 1, .components = 3};
inline constexpr ContactKind several_contacts{.contacts = 2, .components = 2};

[[nodiscard]] inline ContactKind kind_of(const ContactProblem& problem) {
  return {.contacts = problem.contacts(), .components = problem.components()};
}

/// Looks up a law that works on such contacts. Throws InputError (with "did you mean") under
/// `field` if there is none.
[[nodiscard]] const Law& find_law(std::string_view name, std::string_view field, ContactKind kind);

/// The same for any contacts.
[[nodiscard]] const Law& find_law(std::string_view name, std::string_view field);

/// The row that solves such contacts: the law itself, or for one contact the law that it is another
/// name for. Null if it does not support them.
[[nodiscard]] const Law* answering(const Law& law, ContactKind kind) noexcept;

/// Whether `law` solves such contacts under its own name. Aliases are omitted by default.
[[nodiscard]] bool works_itself(const Law& law, ContactKind kind) noexcept;

/// What is said of the law that answers. @pre there is one
[[nodiscard]] const LawInfo& info_for(const Law& law, ContactKind kind) noexcept;

/// The row of a law with an option of its own: `moreau` with hypothesis = poisson is
/// `moreau:poisson`. Throws InputError under `field` where it has no such option or value.
[[nodiscard]] const Law& with_option(const Law& law, std::string_view key, std::string_view value,
                                     std::string_view field);

/// Throws InputError under `field` where an option of SolveOptions ("tolerance", "solver",
/// "euler_steps") means nothing to the law on such contacts.
void require_option(const Law& law, ContactKind kind, std::string_view key, std::string_view field);

/// Laws that work on such contacts, without aliases.
[[nodiscard]] Laws laws_for(ContactKind kind);

/// The coefficients used by any law that supports one of these kinds of contacts, in the order of
/// the table.
[[nodiscard]] std::vector<const Coefficient*> known_coefficients(
    std::span<const ContactKind> kinds);

/// The default check: does the law support such contacts, does every contact have the required
/// coefficients, is there spin if a surface has couples, and does the law ignore a given
/// coefficient?
[[nodiscard]] Applies applies_to(const Law& law, const ContactProblem& problem) noexcept;

/// The check of the law itself.
[[nodiscard]] Applies applies(const Law& law, const ContactProblem& problem) noexcept;

/// Throws InputError where the row of a law refuses a problem by its own `applies`.
void require_applies(const Law& law, const ContactProblem& problem);

/// The first coefficient that a law requires and a surface does not have, or nothing.
[[nodiscard]] std::optional<std::string_view> missing_coefficient(const LawInfo& info,
                                                                  const Surface& surface) noexcept;

/// The reason why a law cannot use a coefficient of a surface ("ignores tangential_restitution"),
/// or nothing.
/// @param spin_rows  1 in the plane, 3 in space
[[nodiscard]] std::optional<std::string> cannot_honour(const LawInfo& info, const Surface& surface,
                                                       std::size_t spin_rows);

/// The first of these at any contact of a problem.
[[nodiscard]] std::optional<std::string> cannot_honour(const Law& law,
                                                       const ContactProblem& problem);

/// Throws InputError if a law cannot be asked about one contact at all: restitution above 1 for a
/// law that releases no energy, a couple where the problem knows of no spin.
/// @param law  the one that answers
void require_answerable(const LawInfo& law, const Surface& surface, bool spin_known,
                        std::size_t components);

/// Solves `problem` with `law` into `outcome`. The memory of both `workspace` and `outcome` is
/// reused: the second time nothing is allocated, except as said of Workspace.
/// @pre the problem was validated, and the law applies to it
void solve(const Law& law, const ContactProblem& problem, const SolveOptions& options,
           Workspace& workspace, Outcome& outcome);

/// The same with a temporary workspace, for callers that solve few problems.
void solve(const Law& law, const ContactProblem& problem, const SolveOptions& options,
           Outcome& outcome);

/// The kernel of a law that works at one contact in the plane. @pre it has one
[[nodiscard]] const PlanarLaw& planar_kernel(const Law& law);

/// What to bear in mind of a law's answer, or nothing.
[[nodiscard]] std::string_view caution_of(const Law& law, const ContactProblem& problem);

/// The hypothesis that ends the law's exact friction process; nothing for a law of another kind.
[[nodiscard]] std::optional<Hypothesis> process_of(const Law& law);

/// The label of what a contact of an outcome did, as below; with several contacts its mode.
[[nodiscard]] std::string mode_label(const Law& law, const ContactProblem& problem,
                                     const Outcome& outcome, std::size_t contact);

/// The label of what a contact did: "0".."6", a regime's name, "slip" or "stick", or the slider's
/// states "stick/slip+"; empty where there is none.
[[nodiscard]] std::string mode_label(const LawInfo& law, Mode mode,
                                     const SliderStates& slider = {});

}  // namespace carom
