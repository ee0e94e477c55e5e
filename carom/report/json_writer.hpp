// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::report {

/// Appends a number, the shortest that reads back the same; null where it is not finite.
void append_number(std::string& out, double value);

/// Appends a string in quotes, escaped.
void append_text(std::string& out, std::string_view text);

/// Writes JSON and knows where commas go. Values follow a key in an object, and each other in an
/// array; `begin_*` and `end_*` must match.
class JsonWriter {
 public:
  /// How many digits a number has.
  enum class Digits {
    exact,    ///< the shortest that reads back as the same double
    drawing,  ///< seven significant ones: more than a picture shows
  };

  JsonWriter() : out_(own_) { begin(); }
  /// Appends to `out`, which must not change until this is destroyed.
  explicit JsonWriter(std::string& out) : out_(out) { begin(); }
  ~JsonWriter() { finish(); }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// @param name  has nothing to escape
  JsonWriter& key(std::string_view name) {
    constexpr std::size_t around = 4;  // comma, quotes, colon
    char* at = room(name.size() + around);
    if (comma_) *at++ = ',';
    *at++ = '"';
    at = std::copy(name.begin(), name.end(), at);
    *at++ = '"';
    *at++ = ':';
    at_ = at;
    comma_ = false;
    return *this;
  }
  /// Ends the line here, for people who look at the file.
  JsonWriter& new_line();

  /// A number that is not finite becomes null.
  JsonWriter& number(double value, Digits digits = Digits::exact);
  JsonWriter& number(const std::optional<double>& value, Digits digits = Digits::exact) {
    return value ? number(*value, digits) : null();
  }
  template <std::integral Integer>
  JsonWriter& integer(Integer value) {
    return raw(std::to_string(value));
  }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  JsonWriter& text(std::string_view value);
  JsonWriter& numbers(std::span<const double> values, Digits digits = Digits::exact);
  JsonWriter& texts(std::span<const std::string> values);
  /// A value that is JSON already.
  JsonWriter& raw(std::string_view json) {
    char* at = room(json.size() + 1);
    if (comma_) *at++ = ',';
    at_ = std::copy(json.begin(), json.end(), at);
    comma_ = true;
    return *this;
  }

  // The members that occur most: a key and its value.
  JsonWriter& member(std::string_view name, double value) { return key(name).number(value); }
  JsonWriter& member(std::string_view name, std::string_view value) {
    return key(name).text(value);
  }
  JsonWriter& member(std::string_view name, const char* value) { return key(name).text(value); }
  JsonWriter& member(std::string_view name, std::same_as<bool> auto value) {
    return key(name).boolean(value);
  }
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) JsonWriter& member(std::string_view name, Integer value) {
    return key(name).integer(value);
  }

  /// All that was written.
  [[nodiscard]] std::string take() {
    finish();
    std::string all = std::move(out_);
    out_.clear();
    begin();
    return all;
  }

 private:
  /// Where at least n more characters can be written.
  char* room(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) < n) grow(n);
    return at_;
  }
  JsonWriter& open(char bracket) {
    char* at = room(2);
    if (comma_) *at++ = ',';
    *at++ = bracket;
    at_ = at;
    comma_ = false;
    return *this;
  }
  JsonWriter& close(char bracket) {
    *room(1) = bracket;
    ++at_;
    comma_ = true;
    return *this;
  }
  void begin();
  void grow(std::size_t n);
  void finish();

  std::string own_;
  std::string& out_;     ///< longer than what was written, until it is finished
  char* at_ = nullptr;   ///< end of what was written
  char* end_ = nullptr;  ///< end of `out_`
  bool comma_ = false;   ///< a value or a key that follows on this level needs one before it
};

}  // namespace carom::report
