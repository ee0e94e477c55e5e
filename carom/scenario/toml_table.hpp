// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <carom/core/error.hpp>

/// A TOML file as readers of scenarios want it: values by key, and every complaint with the place
/// and the dotted name of what it is about. toml++ itself stays in the source.
namespace carom::scenario {

class Document;

/// A text of an array, with what an error about it needs.
struct PlacedText {
  std::string text;
  std::string field;  ///< "solve.laws[1]"
  std::string place;  ///< file:line:column
};

/// The numbers of a file under one key.
struct GivenNumbers {
  std::string path;  ///< "system.links.upper.mass"
  std::string of;    ///< "upper": the item, or the inner table, that they belong to; may be empty
  std::string key;   ///< "mass"
  int depth = 0;     ///< 0 one number, 1 a row, 2 a matrix
  bool slides = false;  ///< of a link whose joint is prismatic: its rate is in m/s
  std::vector<std::vector<double>> rows{};
};

/// A table of the file under its dotted name. Refers to the document, which must outlive it. All
/// that read throw InputError where the value is missing or of another kind.
class Table {
 public:
  [[nodiscard]] bool has(std::string_view key) const;

  /// Throws unless the key is given. @param what  what to give, for the message
  void require(std::string_view key, std::string_view what) const;

  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key, double fallback) const;
  [[nodiscard]] double positive(std::string_view key) const;  ///< finite and > 0
  [[nodiscard]] std::string text(std::string_view key, std::string fallback) const;
  [[nodiscard]] bool flag(std::string_view key, bool fallback) const;
  [[nodiscard]] PlacedText placed_text(std::string_view key) const;  ///< empty where not given
  [[nodiscard]] std::vector<double> row(std::string_view key) const;
  [[nodiscard]] std::array<double, 2> pair(std::string_view key) const;
  [[nodiscard]] std::array<double, 2> pair(std::string_view key,
                                           const std::array<double, 2>& fallback) const;
  [[nodiscard]] std::array<double, 3> triple(std::string_view key) const;
  [[nodiscard]] std::array<double, 3> triple(std::string_view key,
                                             const std::array<double, 3>& fallback) const;

  /// How deep arrays are nested: 0 a number (or any other value), 1 a row, 2 a matrix.
  [[nodiscard]] int depth(std::string_view key) const;
  [[nodiscard]] Eigen::MatrixXd matrix(std::string_view key) const;

  /// The texts of an array; none where the key is not given. @param what  "a law's name"
  [[nodiscard]] std::vector<PlacedText> texts(std::string_view key, const std::string& what) const;

  /// All keys, in alphabetical order.
  [[nodiscard]] std::vector<std::string> keys() const;

  [[nodiscard]] Table table(std::string_view key) const;

  /// The tables of an array [[key]].
  [[nodiscard]] std::vector<Table> tables(std::string_view key) const;

  /// Refuses any other key. To be asked first, so that a misspelt key is not reported as a missing
  /// one.
  void only(std::initializer_list<std::string_view> known) const;
  void only(std::span<const std::string_view> known) const;

  /// Refuses `key`, which means nothing here.
  void refuse(std::string_view key, const std::string& why) const;

  [[noreturn]] void fail(std::string_view key, std::string problem) const;

  [[nodiscard]] std::string field(std::string_view key) const;
  [[nodiscard]] std::string here() const;  ///< where the table begins

  /// Where `key[i].inner[j]`, as an error of the library names it, stands; or, if it does not, the
  /// innermost of what it is in.
  [[nodiscard]] std::string where(std::string_view key) const;

 private:
  friend class Document;
  struct Access;  ///< the part that knows toml++
  Table(const void* table, std::string path, const std::string& file)
      : table_(table), path_(std::move(path)), file_(&file) {}

  const void* table_;  ///< a toml::table, named only in the source
  std::string path_;
  const std::string* file_;
};

/// A file, parsed. Throws InputError where it is not TOML.
class Document {
 public:
  Document(std::string_view text, std::string name);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] Table top() const;

  /// The number at a dotted path, to be changed at will: "system.links[1].mass", or by an item's
  /// name "system.links.arm.mass". A key that its table does not have is made; whether it means
  /// anything the reader of that table decides. Throws InputError where there is no such table or
  /// item, or something that is not a number.
  [[nodiscard]] double& number(std::string_view path);

  /// All numbers of a table and of the tables in it, in the order of the file.
  [[nodiscard]] std::vector<GivenNumbers> numbers(std::string_view table) const;

 private:
  struct Parsed;
  std::string name_;
  std::unique_ptr<Parsed> parsed_;
};

/// A finite number.
[[nodiscard]] double finite(const Table& t, std::string_view key);
[[nodiscard]] double finite(const Table& t, std::string_view key, double fallback);
/// A finite number >= 0; 0 where the key is not given.
[[nodiscard]] double not_negative(const Table& t, std::string_view key);

/// The key "name": not empty, and none of those `taken`, to which it is added.
[[nodiscard]] std::string read_name(const Table& t, const std::string& fallback,
                                    std::vector<std::string>& taken);

/// Runs `work`, giving an error of the library the place of the key that it names.
template <class Work>
auto located(const Table& t, const Work& work) {
  try {
    return work();
  } catch (const InputError& e) {
    if (!e.where().empty()) throw;
    const std::string prefix = t.field("");
    const bool prefixed = e.field().starts_with(prefix);
    const std::string key = prefixed ? e.field().substr(prefix.size()) : e.field();
    throw InputError(prefix + key, e.problem(), t.where(key));
  }
}

}  // namespace carom::scenario
