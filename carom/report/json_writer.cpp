// SPDX-License-Identifier: Apache-2.0
#include <carom/report/json_writer.hpp>

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

void JsonWriter::separate() {
  if (!first_ && !after_key_) out_ += ',';
  first_ = false;
  after_key_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  out_ += '"';
  out_ += name;
  out_ += "\":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::new_line() {
  // The comma stands before the line's end.
  if (!first_) out_ += ',';
  out_ += '\n';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  append_text(out_, value);
  return *this;
}

JsonWriter& JsonWriter::number(double value, Digits digits) {
  separate();
  if (digits == Digits::exact || !std::isfinite(value)) {
    append_number(out_, value);
    return *this;
  }
  constexpr int significant = 7;
  char short_text[32];
  const auto end = std::to_chars(short_text, short_text + sizeof short_text, value,
                                 std::chars_format::general, significant)
                       .ptr;
  double rounded = 0.;
  std::from_chars(short_text, end, rounded);
  append_number(out_, rounded);
  return *this;
}

JsonWriter& JsonWriter::number(const std::optional<double>& value, Digits digits) {
  return value ? number(*value, digits) : null();
}

JsonWriter& JsonWriter::numbers(std::span<const double> values, Digits digits) {
  begin_array();
  for (const double v : values) number(v, digits);
  return end_array();
}

JsonWriter& JsonWriter::texts(std::span<const std::string> values) {
  begin_array();
  for (const std::string& v : values) text(v);
  return end_array();
}

}  // namespace carom::report
