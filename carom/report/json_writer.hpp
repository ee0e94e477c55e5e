// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  JsonWriter() : out_(own_) {}
  /// Appends to `out`.
  explicit JsonWriter(std::string& out) : out_(out) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// @param name  has nothing to escape
  JsonWriter& key(std::string_view name);
  /// Ends the line here, for people who look at the file.
  JsonWriter& new_line();

  /// A number that is not finite becomes null.
  JsonWriter& number(double value, Digits digits = Digits::exact);
  JsonWriter& number(const std::optional<double>& value, Digits digits = Digits::exact);
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
  JsonWriter& raw(std::string_view json);

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

  [[nodiscard]] const std::string& str() const { return out_; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string own_;
  std::string& out_;
  bool first_ = true;  ///< nothing stands before the next value on this level
  bool after_key_ = false;
};

}  // namespace carom::report
