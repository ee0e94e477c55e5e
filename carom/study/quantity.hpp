// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/outcome.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/system_at_impact.hpp>

/// The table of quantities: all that tables, CSV, JSON, maps and HDF5 show of an outcome. To add a
/// quantity: write its function in quantity_rows.cpp and add a row; or register one at run time.
namespace carom::study {

/// One law's outcome, with what it belongs to.
struct OutcomeView {
  const Law* law = nullptr;  ///< as asked, alias or not
  const ContactProblem* problem = nullptr;
  const Outcome* outcome = nullptr;
  double energy_before = 0.;                   ///< [J]
  const SystemAtImpact* system = nullptr;      ///< null: only contact space is known
  const std::vector<double>* after = nullptr;  ///< u+; null: not known
  std::span<const JointImpulse> joints{};      ///< of a linkage
  const Outcome* other = nullptr;              ///< of another law, for quantities of two

  [[nodiscard]] const ContactOutcome& contact(std::size_t i) const { return outcome->contacts[i]; }
};

/// What a quantity has one value for.
enum class Over : std::uint8_t {
  impact,      ///< the impact
  contact,     ///< each contact
  component,   ///< each component of velocity, contact by contact
  spin,        ///< each row of spin, contact by contact
  coordinate,  ///< each generalized velocity
  body,        ///< each body
  joint,       ///< each joint of a linkage
  vehicle,     ///< each vehicle of a crash
  crash,       ///< the impact, of vehicles only
  pair,        ///< the impact, of two laws
};

/// Is it taken from the system's velocities, and not from the contact alone?
[[nodiscard]] constexpr bool is_of_system(Over over) {
  return over == Over::coordinate || over == Over::body || over == Over::joint ||
         over == Over::vehicle || over == Over::crash;
}

/// One of the few things that a quantity can be.
struct Category {
  std::string label;    ///< short, for the middle of a region: "2", "stick"
  std::string meaning;  ///< for the key: "slip stops in compression, then reverses"
};

/// Where a quantity is not defined.
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// Where a quantity is shown without being asked for.
enum class Shown : std::uint8_t {
  nowhere,  ///< on maps, where it is named; and in JSON
  files,    ///< in CSV, too
  tables,   ///< in tables for people, too
};

/// One row of the table.
struct Quantity {
  std::string_view name{};     ///< as asked for: "rebound"
  std::string_view label{};    ///< for people: "normalised normal velocity"
  std::string_view symbol{};   ///< plain UTF-8, "−vₙ⁺/(e vₙ⁻)"; may be empty
  std::string_view unit{};     ///< "J"; empty: none, or of a coordinate its own
  std::string_view meaning{};  ///< one line for --help
  Over over = Over::impact;
  /// Its value of the impact, of contact i, of component i of all, ...; NaN: not defined. Null: it
  /// has words only.
  double (*get)(const OutcomeView& view, std::size_t i) = nullptr;
  double (*before)(const OutcomeView& view, std::size_t i) = nullptr;  ///< null: means nothing
  /// The categories of which `get` returns the index. Null: it is a number.
  std::vector<Category> (*categories)(const LawInfo& law, ContactKind kind) = nullptr;
  /// In words, for tables and CSV. Null: the label of its category.
  std::string (*text)(const OutcomeView& view, std::size_t i) = nullptr;
  /// Why it means nothing for such contacts ("is of the plane; in space show mode"), or nothing.
  std::string_view (*refuses)(ContactKind kind) = nullptr;
  Shown shown = Shown::tables;    ///< with one contact
  Shown several = Shown::tables;  ///< with several contacts
  std::string_view column{};      ///< in CSV, without unit; empty: its name
  bool in_schema = false;         ///< JSON has it in a place of its own
  bool indented = false;          ///< in tables: a part of the row above
  bool ruled = false;             ///< in tables: a line stands above it
  bool if_any = false;            ///< left out where it is zero for all laws
  bool of_totals = false;         ///< needs no more than impulse, velocity, energy change and mode
  bool always = false;            ///< defined even where the law has no answer

  [[nodiscard]] bool is_text() const { return categories != nullptr || text != nullptr; }
};

using Quantities = std::vector<std::reference_wrapper<const Quantity>>;

/// Every quantity in the order in which they are shown: built in, then registered.
[[nodiscard]] Quantities quantities();

/// Adds a quantity for the rest of the program's run. Throws InputError where its name is taken or
/// it has no `get`. The row is copied; what its views refer to must outlive it.
const Quantity& register_quantity(const Quantity& quantity);

/// Throws InputError (with "did you mean") under `field`.
[[nodiscard]] const Quantity& find_quantity(std::string_view name, std::string_view field);

/// The value on a map: not defined where the law has no answer.
[[nodiscard]] double value_of(const Quantity& quantity, const OutcomeView& view, std::size_t i);

/// The label of its category; empty where it is not defined.
[[nodiscard]] std::string category_of(const Quantity& quantity, const OutcomeView& view,
                                      std::size_t i);

/// One value of a quantity of a system.
struct QuantityEntry {
  const Quantity* quantity = nullptr;
  std::size_t index = 0;    ///< for `get`
  std::size_t contact = 0;  ///< that it belongs to, where it is of contacts
  std::string of;           ///< "normal", "wall, normal", "u_x"; empty: the impact
  std::string key;          ///< the same as it is asked for: "wall:normal"
  std::string unit;         ///< the quantity's, or that of the coordinate
};

/// Its values in order. @param system  null: contact space alone
[[nodiscard]] std::vector<QuantityEntry> entries_of(const Quantity& quantity,
                                                    const ContactProblem& problem,
                                                    const SystemAtImpact* system);

}  // namespace carom::study
