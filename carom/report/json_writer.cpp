// SPDX-License-Identifier: Apache-2.0
#include <carom/report/json_writer.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace carom::report {

namespace {

constexpr std::size_t longest_number = 32;  // -1.7976931348623157e+308 has 24

/// Writes the shortest number that reads back the same, or null. @return the end
char* put_number(char* at, double value) {
  if (!std::isfinite(value)) {
    return std::copy_n("null", 4, at);
  }
  value += 0.;  // not -0
  // Without an exponent it would be an integer, which readers of JSON refuse beyond 64 bits and may
  // round beyond 2^53.
  constexpr double largest_integer = 0x1p53;
  if (std::abs(value) > largest_integer) {
    return std::to_chars(at, at + longest_number, value, std::chars_format::scientific).ptr;
  }
  return std::to_chars(at, at + longest_number, value).ptr;
}

constexpr std::size_t longest_escape = 6;  // \u001b

/// Writes a string in quotes, escaped. @return the end
char* put_text(char* at, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  *at++ = '"';
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      *at++ = '\\';
      *at++ = c;
    } else if (u < 0x20) {
      at = std::copy_n("\\u00", 4, at);
      *at++ = hex[u >> 4U];
      *at++ = hex[u & 15U];
    } else {
      *at++ = c;
    }
  }
  *at++ = '"';
  return at;
}

}  // namespace

void append_number(std::string& out, double value) {
  char text[longest_number];
  out.append(text, put_number(text, value));
}

void append_text(std::string& out, std::string_view text) {
  const std::size_t before = out.size();
  out.resize(before + longest_escape * text.size() + 2);
  const char* const end = put_text(out.data() + before, text);
  out.resize(static_cast<std::size_t>(end - out.data()));
}

void JsonWriter::begin() { at_ = end_ = out_.data() + out_.size(); }

void JsonWriter::grow(std::size_t n) {
  constexpr std::size_t least = 2048;  // about a line of a stream; the capacity grows by factors
  const auto written = static_cast<std::size_t>(at_ - out_.data());
  out_.resize(written + std::max(n, least));
  at_ = out_.data() + written;
  end_ = out_.data() + out_.size();
}

void JsonWriter::finish() {
  out_.resize(static_cast<std::size_t>(at_ - out_.data()));
  end_ = at_;
}

JsonWriter& JsonWriter::new_line() {
  // The comma stands before the line's end.
  char* at = room(2);
  if (comma_) *at++ = ',';
  *at++ = '\n';
  at_ = at;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  char* at = room(longest_escape * value.size() + 3);
  if (comma_) *at++ = ',';
  at_ = put_text(at, value);
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::number(double value, Digits digits) {
  if (digits == Digits::drawing && std::isfinite(value)) {
    constexpr int significant = 7;
    char short_text[longest_number];
    const auto end = std::to_chars(short_text, short_text + sizeof short_text, value,
                                   std::chars_format::general, significant)
                         .ptr;
    std::from_chars(short_text, end, value);
  }
  char* at = room(longest_number + 1);
  if (comma_) *at++ = ',';
  at_ = put_number(at, value);
  comma_ = true;
  return *this;
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
