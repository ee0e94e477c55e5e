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
#include <carom/impact/outcome.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/kernels.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/solve_options.hpp>

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
  std::string_view why{};    ///< "no tangential_restitution", "is missing", "is for one contact"

  [[nodiscard]] bool yes() const { return answer == Answer::yes; }
  [[nodiscard]] bool cannot() const { return answer == Answer::cannot; }
};

/// One row of the table.
struct Law {
  std::string_view name;     ///< "newton", "moreau:poisson"
  std::string_view summary;  ///< one line
  const LawInfo* info = nullptr;
  std::string_view exact{};          ///< the exact process that it approximates; empty: none
  std::string_view same_in_plane{};  ///< the law that it equals for one contact in the plane
  std::string_view same_in_space{};  ///< the same in space

  // Its functions; hot paths call these directly.
  std::optional<PlanarLaw> planar{};  ///< one contact in the plane
  SpatialOutcome (*spatial)(const SpatialProblem&, const SpatialOptions&) = nullptr;
  Outcome (*several)(const ContactProblem&, const SolveOptions&, Course*) = nullptr;

  /// Fills `outcome` in place. A law registered at run time has only this function.
  void (*solve)(const Law&, const ContactProblem&, const SolveOptions&, Outcome&) = nullptr;
  Applies (*applies)(const Law&, const ContactProblem&) noexcept = nullptr;  ///< null: applies_to
  bool parallel = true;                ///< may be called by several threads at once
  std::shared_ptr<const void> data{};  ///< data of a registered law

  /// Whether it is another name for a law of the table wherever it works.
  [[nodiscard]] bool is_alias() const {
    return !planar && spatial == nullptr && several == nullptr && solve == nullptr;
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
};

inline constexpr ContactKind in_the_plane{.contacts = 1, .components = 2};
inline constexpr ContactKind in_space{.contacts = 1, .components = 3};
inline constexpr ContactKind several_contacts{.contacts = 2, .components = 2};

/// Finds a law that supports such contacts. Otherwise throws InputError (with "did you mean") under
/// `field`.
[[nodiscard]] const Law& find_law(std::string_view name, std::string_view field, ContactKind kind);

/// The same for any contacts.
[[nodiscard]] const Law& find_law(std::string_view name, std::string_view field);

/// The row that solves such contacts: the law itself, or for one contact the law that it is another
/// name for. Null if it does not support them.
[[nodiscard]] const Law* answering(const Law& law, ContactKind kind) noexcept;

/// Whether `law` solves such contacts under its own name. Aliases are omitted by default.
[[nodiscard]] bool works_itself(const Law& law, ContactKind kind) noexcept;

/// Laws that support such contacts, without aliases.
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

/// The first coefficient that a law requires and a surface does not have, or nothing.
[[nodiscard]] std::optional<std::string_view> missing_coefficient(const LawInfo& info,
                                                                  const Surface& surface) noexcept;

/// The reason why a law cannot use a coefficient of a surface ("no tangential_restitution"), or
/// nothing.
/// @param spin_rows  1 in the plane, 3 in space
[[nodiscard]] std::optional<std::string> cannot_honour(const LawInfo& info, const Surface& surface,
                                                       std::size_t spin_rows);

/// Throws InputError if a law cannot solve one contact at all: restitution above 1 for a law that
/// releases no energy, or a couple if the problem has no spin.
/// @param law  the law that solves it
void require_answerable(const LawInfo& law, const Surface& surface, bool spin_known,
                        std::size_t components);

/// Solves `problem` with `law` into `outcome`, whose memory is reused.
/// @pre the problem was validated, and the law applies to it
void solve(const Law& law, const ContactProblem& problem, const SolveOptions& options,
           Outcome& outcome);

/// The same by the law's solver for several contacts if it has one, even for one contact.
void solve_as_several(const Law& law, const ContactProblem& problem, const SolveOptions& options,
                      Outcome& outcome);

/// The kernel of a law for one contact in the plane. @pre it has one
[[nodiscard]] const PlanarLaw& planar_kernel(const Law& law);

/// The mode of a contact as a label: "0".."6", a regime's name, "slip" or "stick", or the states of
/// the slider, "stick/slip+". Empty if there is none.
[[nodiscard]] std::string mode_label(const LawInfo& law, Mode mode,
                                     const SliderStates& slider = {});

}  // namespace carom
