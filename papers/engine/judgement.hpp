// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <papers/engine/publication.hpp>

namespace carom::papers {

enum class Agreement : std::uint8_t {
  none,         ///< there is nothing to compare
  equal,        ///< to the digits that are printed; of a statement: it is so
  last_digit,   ///< one off in the last digit, and known
  explained,    ///< differs by a known misprint, slip of the scan or reading
  unexplained,  ///< differs, is known, and nobody knows why
  differs,      ///< and nobody knew: a fault
  stale,        ///< is listed as a known difference, but there is none: a fault
};

/// How it is shown.
struct AgreementWords {
  std::string_view name;  ///< for people: "last digit"
  std::string_view mark;  ///< behind a number: "~"
  std::string_view css;   ///< class of the pages
};
[[nodiscard]] const AgreementWords& words(Agreement a);

/// A difference that must not be.
[[nodiscard]] constexpr bool is_fault(Agreement a) {
  return a == Agreement::differs || a == Agreement::stale;
}

struct Judgement {
  Agreement agreement = Agreement::none;
  double difference = 0.;  ///< computed - printed, where both are numbers
};

/// A number as printed and the unit of its last digit: "1.9640e8" is 1.964e8, by 1e4.
struct PrintedNumber {
  double value = 0.;
  double last_digit = 0.;
};

/// Throws std::invalid_argument where it is none. A true minus sign is one, too.
[[nodiscard]] PrintedNumber parse_printed(std::string_view digits);

/// Of one cell. Equal: within half a unit of the last printed digit (and rounding beside it).
/// @param errata  of the publication; throws std::invalid_argument where the cell names another
[[nodiscard]] Judgement judge(const Cell& cell, const std::vector<Erratum>& errata);
[[nodiscard]] Judgement judge(const Statement& statement, const std::vector<Erratum>& errata);

/// A cell or a statement that is compared.
struct Comparison {
  const Part* part = nullptr;
  const Table* table = nullptr;  ///< null: a statement
  std::size_t row = 0;
  std::size_t column = 0;
  const Statement* statement = nullptr;
  Judgement judged{};

  [[nodiscard]] const Cell& cell() const { return table->rows[row].cells[column]; }
};
/// All of them, part by part, tables before statements. They refer to the reproduction.
[[nodiscard]] std::vector<Comparison> comparisons(const Reproduction& r);

/// How often each agreement occurs.
struct Tally {
  std::size_t equal = 0;
  std::size_t last_digit = 0;
  std::size_t explained = 0;
  std::size_t unexplained = 0;
  std::size_t faults = 0;  ///< differs, stale, and errata that their computation does not show

  [[nodiscard]] std::size_t compared() const {
    return equal + last_digit + explained + unexplained + faults;
  }
};
[[nodiscard]] Tally tally(const Reproduction& r);

/// One line for each fault: which part, row and column, printed and computed.
[[nodiscard]] std::vector<std::string> faults(const Reproduction& r);

}  // namespace carom::papers
