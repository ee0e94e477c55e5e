// SPDX-License-Identifier: Apache-2.0
#include <carom/report/json_parts.hpp>

#include <charconv>
#include <cmath>

namespace carom::report {

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value + 0.).ptr;  // not -0
  out.append(text, end);
}

void append_text(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20) {
      out += "\\u00";
      out += hex[u >> 4U];
      out += hex[u & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_key(std::string& out, std::string_view key) {
  out += ",\"";
  out += key;
  out += "\":";
}

void append_optional(std::string& out, const std::optional<double>& value) {
  if (value) {
    append_number(out, *value);
  } else {
    out += "null";
  }
}

void append_mode(std::string& out, const std::string& label, Labels labels) {
  if (label.empty()) {
    out += "null";
  } else if (labels == Labels::modes) {
    out += label;
  } else {
    append_text(out, label);
  }
}

void append_head(std::string& out, std::string_view id, std::string_view law) {
  out += '{';
  if (!id.empty()) {
    out += "\"id\":";
    out += id;
    out += ',';
  }
  out += "\"law\":";
  append_text(out, law);
}

void append_verdict(std::string& out, const Verdicts& flags) {
  append_key(out, "verdict");
  append_text(out, name(flags.gravest()));
  append_key(out, "flags");
  out += '[';
  flags.for_each_name([&](std::string_view flag) {
    if (out.back() != '[') out += ',';
    append_text(out, flag);
  });
  out += ']';
}

void append_energy(std::string& out, const EnergyLedger& e, bool couples) {
  append_key(out, "energy");
  out += "{\"change\":";
  append_number(out, e.change);
  append_key(out, "normal");
  append_number(out, e.normal);
  append_key(out, "normal_compression");
  append_optional(out, e.stages ? std::optional(e.stages->compression) : std::nullopt);
  append_key(out, "normal_restitution");
  append_optional(out, e.stages ? std::optional(e.stages->restitution) : std::nullopt);
  append_key(out, "friction");
  append_number(out, e.friction);
  if (couples) {
    append_key(out, "couple");
    append_number(out, e.couple);
  }
  out += '}';
}

void append_equivalent(std::string& out, const EquivalentRestitution& e) {
  append_key(out, "equivalent_restitution");
  out += "{\"newton\":";
  append_optional(out, e.newton);
  append_key(out, "poisson");
  append_optional(out, e.poisson);
  append_key(out, "energetic");
  append_optional(out, e.energetic);
  out += '}';
}

}  // namespace carom::report
