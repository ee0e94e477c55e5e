// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <carom/impact/energy_ledger.hpp>
#include <carom/impact/labels.hpp>
#include <carom/impact/verdict.hpp>
#include <carom/laws/law.hpp>

/// The parts that outcomes in the plane and in space share as JSON, in the schema of
/// tests/reference/README.md. Each function appends to `out`.
namespace carom::report {

/// A number, the shortest that reads back the same; null where it is not finite.
void append_number(std::string& out, double value);

/// A number, or null.
void append_optional(std::string& out, const std::optional<double>& value);

/// A string in quotes, escaped.
void append_text(std::string& out, std::string_view text);

/// A comma, the key and a colon.
void append_key(std::string& out, std::string_view key);

/// A mode's label: a number, a name in quotes, or null where it is empty.
void append_mode(std::string& out, const std::string& label, Labels labels);

/// An outcome's beginning: the brace, "id" where there is one (as JSON), and "law".
void append_head(std::string& out, std::string_view id, std::string_view law);

/// Laws that were not asked, [{"law": .., "reason": ..}, ..]. @param left_out  laws with their
/// reasons
template <class LeftOut>
void append_left_out(std::string& out, const LeftOut& left_out) {
  out += '[';
  for (const auto& l : left_out) {
    out += out.back() == '[' ? "{\"law\":" : ",{\"law\":";
    append_text(out, l.law->name);
    append_key(out, "reason");
    append_text(out, l.reason);
    out += '}';
  }
  out += ']';
}

/// The members "verdict" and "flags".
void append_verdict(std::string& out, const Verdicts& flags);

/// The member "energy".
void append_energy(std::string& out, const EnergyLedger& energy, bool couples);

/// The member "equivalent_restitution".
void append_equivalent(std::string& out, const EquivalentRestitution& e);

}  // namespace carom::report
