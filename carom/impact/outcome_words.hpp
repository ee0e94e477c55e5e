// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <carom/impact/labels.hpp>
#include <carom/impact/outcome.hpp>

/// Outcomes in words and in the coefficients of publications, for any number of contacts with any
/// number of components: labels.hpp and spatial/coefficients.hpp behind one door.
namespace carom {

/// "normal", "tangential"; in space "normal", "tangent 1", "tangent 2".
[[nodiscard]] std::string_view component_name(std::size_t components, std::size_t component);

/// "n", "t"; in space "n", "t1", "t2".
[[nodiscard]] std::string_view component_symbol(std::size_t components, std::size_t component);

/// The axis of a row of spin: "" in the plane, in space "normal", "tangent 1", "tangent 2".
[[nodiscard]] std::string_view spin_name(std::size_t spin_rows, std::size_t row);

/// Slip of a contact before and after [m/s]. In the plane with their signs. In space `before` is
/// the speed, and `after` is negative where slip runs against that before.
struct SlipOfContact {
  double before = 0.;
  double after = 0.;
};
[[nodiscard]] SlipOfContact slip(const ContactProblem& problem, const Outcome& outcome,
                                 std::size_t contact);

/// The tangential impulse of a contact [N s]: with its sign in the plane, its size in space.
[[nodiscard]] double tangential_impulse(const ContactProblem& problem, const Outcome& outcome,
                                        std::size_t contact);

/// The coefficient of restitution that each hypothesis would measure at a contact.
[[nodiscard]] EquivalentRestitution equivalent_restitution(const ContactProblem& problem,
                                                           const Outcome& outcome,
                                                           std::size_t contact);

/// What a contact did, in a few words: "slip stops in compression, then reverses".
[[nodiscard]] std::string describe(const ContactProblem& problem, const Outcome& outcome,
                                   std::size_t contact);

/// The friction above which slip can jam one contact in the plane, G_nn/|G_nt|; else nothing.
[[nodiscard]] std::optional<double> jamming_friction(const ContactProblem& problem);

/// How many numbers a couple has at each contact: 1 in the plane, 3 in space.
[[nodiscard]] constexpr std::size_t couple_size(std::size_t components) {
  return components == 3 ? 3 : 1;
}

/// "slip", "stick", "reverse-slip"; empty for a contact without a tangent.
[[nodiscard]] std::string_view motion_name(const ContactProblem& problem, const Phase& phase);

/// How often a contact was compressed, as far as phases are known.
[[nodiscard]] std::size_t compressions(const Outcome& outcome, std::size_t contact);

/// A list of at most n, without allocation.
template <class T, std::size_t n>
class FewOf {
 public:
  void push_back(const T& x) { items_[size_++] = x; }
  [[nodiscard]] const T* begin() const { return items_.data(); }
  [[nodiscard]] const T* end() const { return items_.data() + size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  std::array<T, n> items_{};
  std::size_t size_ = 0;
};

/// The name that a publication gives to an outcome.
struct PublishedLabel {
  std::string_view key;   ///< "payr_glocker_regime"
  std::string_view text;  ///< "stick", "4"
  bool number = false;    ///< `text` is a number
};

/// Those of an impact at one contact in the plane; none for others.
[[nodiscard]] FewOf<PublishedLabel, 3> published_labels(const ContactProblem& problem,
                                                        const Outcome& outcome);

/// One of [Brach 1998]'s coefficients of an outcome.
struct BrachEntry {
  std::string_view key;  ///< "e_t"
  std::size_t size = 1;  ///< numbers
  std::array<std::optional<double>, 3> values{};
  bool whole = false;  ///< all numbers are defined, or none
};

/// An impact at one contact in Brach's coefficients; none for several contacts.
[[nodiscard]] FewOf<BrachEntry, 6> brach_entries(const ContactProblem& problem,
                                                 const Outcome& outcome);

}  // namespace carom
