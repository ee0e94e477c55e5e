// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/json_values.hpp>

#include <utility>

#include <carom/core/nearest.hpp>

namespace carom::scenario::json {
namespace {

/// A value for a message: itself if it is short, else what kind of thing it is.
std::string shown(const element& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  std::string text = simdjson::minify(value);
  return text.size() <= 40 ? text : "a long string";
}

}  // namespace

void must_be(std::string field, const char* what, const element& value) {
  throw InputError(std::move(field), "must be " + std::string(what) + ", got " + shown(value));
}

double number(const element& value, std::string_view field) {
  double x = 0.;
  if (value.get(x) != simdjson::SUCCESS) must_be(std::string(field), "a number", value);
  return x;
}

double entry(const element& value, std::string_view field, std::size_t i) {
  double x = 0.;
  if (value.get(x) != simdjson::SUCCESS) {
    must_be(std::string(field) + "[" + std::to_string(i) + "]", "a number", value);
  }
  return x;
}

std::string_view text(const element& value, std::string_view field) {
  std::string_view s;
  if (value.get(s) != simdjson::SUCCESS) must_be(std::string(field), "a string", value);
  return s;
}

object members(const element& value, std::string_view field) {
  object o;
  if (value.get(o) != simdjson::SUCCESS) must_be(std::string(field), "an object", value);
  return o;
}

array items(const element& value, std::string_view field, const char* what) {
  array a;
  if (value.get(a) != simdjson::SUCCESS) must_be(std::string(field), what, value);
  return a;
}

void unknown_key(const std::string& path, std::string_view key,
                 std::span<const std::string_view> known) {
  throw InputError(path + std::string(key), "unknown key" + did_you_mean(key, known));
}

Eigen::VectorXd vector(const element& value, std::string_view field) {
  const array a = items(value, field, "an array of numbers");
  Eigen::VectorXd v(static_cast<Eigen::Index>(a.size()));
  Eigen::Index i = 0;
  for (const element item : a) {
    v(i) = entry(item, field, static_cast<std::size_t>(i));
    ++i;
  }
  return v;
}

Eigen::MatrixXd matrix(const element& value, std::string_view field) {
  const array rows = items(value, field, "an array of rows");
  Eigen::MatrixXd m(static_cast<Eigen::Index>(rows.size()), 0);
  Eigen::Index i = 0;
  for (const element row : rows) {
    const Eigen::VectorXd r = vector(row, field);
    if (i == 0) m.resize(m.rows(), r.size());
    if (r.size() != m.cols()) {
      throw InputError(std::string(field), "must have rows of one length, got " +
                                               std::to_string(m.cols()) + " and " +
                                               std::to_string(r.size()));
    }
    m.row(i++) = r.transpose();
  }
  return m;
}

std::size_t size_of(const element& value) {
  array a;
  return value.get(a) == simdjson::SUCCESS ? a.size() : 0;
}

array one_or_two(const element& bodies) {
  const array list = items(bodies, "bodies", "an array of bodies");
  if (list.size() < 1 || list.size() > 2) {
    throw InputError("bodies", "must have 1 or 2 entries, got " + std::to_string(list.size()));
  }
  return list;
}

const element& require(const std::optional<element>& value, std::string_view field) {
  if (!value) throw InputError(std::string(field), "is missing");
  return *value;
}

}  // namespace carom::scenario::json
