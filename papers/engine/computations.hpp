// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <papers/engine/chart.hpp>
#include <papers/engine/csv.hpp>

/// What a publication computes: functions by name. Names stand in publication.md and errata.md.
namespace carom::papers {

/// A number, a count or a word.
class Value {
 public:
  Value(double number) : value_(number) {}
  template <std::integral Count>
  Value(Count count) : value_(static_cast<long long>(count)) {}
  Value(std::string word) : value_(std::move(word)) {}
  Value(std::string_view word) : value_(std::string(word)) {}
  Value(const char* word) : value_(std::string(word)) {}

  [[nodiscard]] const std::variant<double, long long, std::string>& get() const { return value_; }

 private:
  std::variant<double, long long, std::string> value_;
};

/// Fill the {names} of a text.
using Values = std::map<std::string, Value>;

/// What a statement or an erratum comes to.
struct Found {
  bool holds = false;
  Values values{};
};
using Check = std::function<Found()>;

/// Values of a row by column head. Heads that a table has several times stand in its order.
using Computed = std::vector<std::pair<std::string, Value>>;

/// One row from what its file gives.
using RowOf = std::function<Computed(const Row&)>;
/// All rows. Of a file with a head only they are the table; else one for each row of the file.
using RowsOf = std::function<std::vector<Computed>()>;

/// Functions by name, each given once.
template <class Function>
class Named : public std::map<std::string, Function> {
 public:
  using std::map<std::string, Function>::map;

  /// The place of a new one. Throws std::invalid_argument where there is one of that name.
  Function& operator[](const std::string& name) {
    const auto [at, is_new] = this->try_emplace(name);
    if (!is_new) throw std::invalid_argument("two functions for '" + name + "'");
    return at->second;
  }
};

struct Computations {
  Named<Check> checks{};  ///< of statements by name, of errata by id
  Named<std::variant<RowOf, RowsOf>> tables{};
  Named<Drawing> pictures{};
  Named<std::function<Values()>> texts{};  ///< of a part's text, by the part's id
};

/// All of several. Throws std::invalid_argument where a name occurs twice.
[[nodiscard]] Computations merged(std::initializer_list<Computations> several);

}  // namespace carom::papers
