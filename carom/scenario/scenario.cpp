// SPDX-License-Identifier: Apache-2.0
// The one file that includes toml++.
#include <carom/scenario/scenario.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <numbers>
#include <optional>
#include <sstream>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/planar_problem.hpp>

namespace carom::scenario {
namespace {

constexpr double degree = std::numbers::pi / 180.;

constexpr std::array<std::string_view, 6> types = {"bar",    "rod",     "disc",
                                                   "sphere", "contact", "generalized"};

std::string place(const std::string& file, const toml::source_position& at) {
  return file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string kind(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "the string '" + *node.value<std::string>() + "'";
    case toml::node_type::boolean:
      return *node.value<bool>() ? "true" : "false";
    case toml::node_type::array:
      return "an array of " + std::to_string(node.as_array()->size());
    case toml::node_type::table:
      return "a table";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return shortest(*node.value<double>());
    default:
      return "a date or time";
  }
}

/// A table of the file under its dotted name. Remembers which keys were asked for, so that the
/// others can be refused.
class Table {
 public:
  Table(const toml::table& table, std::string path, const std::string& file)
      : table_(table), path_(std::move(path)), file_(file) {}

  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }

  [[nodiscard]] const toml::node* find(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
    return table_.get(key);
  }

  [[nodiscard]] const toml::node& require(std::string_view key, std::string_view what) {
    if (const toml::node* node = find(key)) return *node;
    throw InputError(field(key), "is missing; give " + std::string(what), here());
  }

  [[nodiscard]] double number(std::string_view key, double fallback) {
    const toml::node* node = find(key);
    return node != nullptr ? number(*node, field(key)) : fallback;
  }

  [[nodiscard]] double number(std::string_view key) {
    return number(require(key, "a number"), field(key));
  }

  [[nodiscard]] std::string text(std::string_view key, std::string fallback) {
    const toml::node* node = find(key);
    if (node == nullptr) return fallback;
    if (!node->is_string()) fail(*node, field(key), "must be a string, got " + kind(*node));
    return *node->value<std::string>();
  }

  [[nodiscard]] std::vector<double> row(std::string_view key) {
    return row(require(key, "an array of numbers"), field(key));
  }

  [[nodiscard]] std::array<double, 2> pair(std::string_view key) {
    const toml::node& node = require(key, "two numbers");
    const auto values = row(node, field(key));
    if (values.size() != 2) {
      fail(node, field(key), "must have 2 numbers, got " + std::to_string(values.size()));
    }
    return {values[0], values[1]};
  }

  [[nodiscard]] Eigen::MatrixXd matrix(std::string_view key) {
    const toml::node& node = require(key, "an array of rows of numbers");
    if (!node.is_array()) fail(node, field(key), "must be an array of rows, got " + kind(node));
    std::vector<std::vector<double>> rows;
    for (const toml::node& r : *node.as_array()) {
      rows.push_back(row(r, field(key) + "[" + std::to_string(rows.size()) + "]"));
      if (rows.back().size() != rows.front().size()) {
        fail(r, field(key),
             "must have rows of one length, got " + std::to_string(rows.front().size()) + " and " +
                 std::to_string(rows.back().size()));
      }
    }
    const auto columns = rows.empty() ? 0 : rows.front().size();
    Eigen::MatrixXd m(rows.size(), columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
      }
    }
    return m;
  }

  [[nodiscard]] Table table(std::string_view key) {
    const toml::node& node = require(key, "a table [" + std::string(key) + "]");
    if (!node.is_table()) fail(node, field(key), "must be a table, got " + kind(node));
    return {*node.as_table(), field(key), file_};
  }

  /// Refuses keys that nobody asked for.
  void finish() const {
    for (const auto& [key, node] : table_) {
      if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
      throw InputError(field(key.str()), "unknown key" + did_you_mean(key.str(), known_),
                       place(file_, key.source().begin));
    }
  }

  [[noreturn]] void fail(const toml::node& node, std::string name, std::string problem) const {
    throw InputError(std::move(name), std::move(problem), place(file_, node.source().begin));
  }

  [[nodiscard]] std::string field(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }

  [[nodiscard]] std::string here() const { return place(file_, table_.source().begin); }

  /// Where `key[i][j]`, as an error of the library names it, stands; or this table if it does not.
  [[nodiscard]] std::string where(std::string_view key) const {
    const auto bracket = key.find('[');
    const toml::node* node = table_.get(key.substr(0, bracket));
    if (node == nullptr) return here();
    while (bracket != std::string_view::npos && node->is_array()) {
      const auto open = key.find('[');
      if (open == std::string_view::npos) break;
      const auto index = static_cast<std::size_t>(std::stoul(std::string(key.substr(open + 1))));
      key.remove_prefix(key.find(']', open) + 1);
      const toml::node* item = node->as_array()->get(index);
      if (item == nullptr) break;
      node = item;
    }
    return place(file_, node->source().begin);
  }

 private:
  [[nodiscard]] double number(const toml::node& node, const std::string& name) const {
    if (!node.is_number()) fail(node, name, "must be a number, got " + kind(node));
    return *node.value<double>();
  }

  [[nodiscard]] std::vector<double> row(const toml::node& node, const std::string& name) const {
    if (!node.is_array()) fail(node, name, "must be an array of numbers, got " + kind(node));
    std::vector<double> values;
    for (const toml::node& item : *node.as_array()) {
      values.push_back(number(item, name + "[" + std::to_string(values.size()) + "]"));
    }
    return values;
  }

  const toml::table& table_;
  std::string path_;
  const std::string& file_;
  std::vector<std::string_view> known_;
};

template <class Body>
void read_motion(Table& t, Body& body) {
  body.velocity = t.pair("velocity");
  body.spin = t.number("spin", 0.);
}

template <class Body>
Body read_bar(Table& t) {  // Bar and Rod share their keys
  Body body;
  body.mass = t.number("mass", body.mass);
  body.half_length = t.number("half_length", body.half_length);
  body.inertia_factor = t.number("inertia_factor", body.inertia_factor);
  body.angle = t.number("angle_deg") * degree;
  read_motion(t, body);
  return body;
}

Round read_round(Table& t, double inertia_factor) {
  Round body;
  body.mass = t.number("mass", body.mass);
  body.radius = t.number("radius", body.radius);
  body.inertia_factor = t.number("inertia_factor", inertia_factor);
  read_motion(t, body);
  return body;
}

ContactSpace read_contact(Table& t) {
  const Eigen::MatrixXd G = t.matrix("inverse_inertia");
  if (G.rows() != 2 || G.cols() != 2) {
    throw InputError("inverse_inertia", "must be 2 x 2 (normal, tangential), got " +
                                            std::to_string(G.rows()) + " x " +
                                            std::to_string(G.cols()));
  }
  const auto v = t.pair("approach");
  return {.G = symmetric(G(0, 0), G(0, 1), G(1, 0), G(1, 1)), .approach = {.n = v[0], .t = v[1]}};
}

Configuration read_generalized(Table& t) {
  Configuration c;
  c.mass = t.matrix("mass");
  c.directions = t.matrix("directions");
  const auto u = t.row("velocity");
  c.velocity = Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
  for (std::size_t i = 0; i < u.size(); ++i) {
    c.coordinates.push_back({"u_" + std::to_string(i + 1), ""});
  }
  return c;
}

PlanarSystem read_system(Table& t, const std::string& type) {
  if (type == "bar") return read_bar<Bar>(t);
  if (type == "rod") return read_bar<Rod>(t);
  if (type == "disc") return read_round(t, disc_inertia_factor);
  if (type == "sphere") return read_round(t, sphere_inertia_factor);
  if (type == "contact") return read_contact(t);
  return read_generalized(t);
}

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

Surface read_surface(Table& t, std::vector<std::string>& given) {
  Surface s;
  s.restitution = t.number("restitution", 0.);
  s.friction = t.number("friction", 0.);
  s.static_friction = t.number("static_friction", s.friction);
  s.tangential_restitution = t.number("tangential_restitution", 0.);
  for (const char* key : {"restitution", "friction", "static_friction", "tangential_restitution"}) {
    if (t.has(key)) given.emplace_back(key);
  }
  t.finish();
  located(t, [&] { validate(s); });
  return s;
}

std::vector<const NamedLaw*> read_laws(Table& t) {
  std::vector<const NamedLaw*> laws;
  if (const toml::node* node = t.find("laws")) {
    if (!node->is_array()) {
      t.fail(*node, t.field("laws"), "must be an array of names, got " + kind(*node));
    }
    for (const toml::node& item : *node->as_array()) {
      const std::string name = t.field("laws") + "[" + std::to_string(laws.size()) + "]";
      if (!item.is_string()) t.fail(item, name, "must be a law's name, got " + kind(item));
      try {
        laws.push_back(&find_law(*item.value<std::string>(), name));
      } catch (const InputError& e) {
        t.fail(item, e.field(), e.problem());
      }
    }
  }
  t.finish();
  return laws;
}

/// TOML allows no control characters but tab and line ends. Refused here, because the parser's own
/// refusal of some (NUL in a key) is an assertion.
void refuse_control_characters(std::string_view text, const std::string& file) {
  toml::source_position at{.line = 1, .column = 1};
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if ((u < 0x20 && c != '\t' && c != '\n' && c != '\r') || u == 0x7f) {
      throw InputError("", "control character " + std::to_string(u) + " in the text",
                       place(file, at));
    }
    ++at.column;
    if (c == '\n') at = {.line = at.line + 1, .column = 1};
  }
}

toml::table parse_toml(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, std::string_view(name));
  } catch (const toml::parse_error& e) {
    throw InputError("", "not TOML: " + std::string(e.description()),
                     place(name, e.source().begin));
  }
}

}  // namespace

std::span<const std::string_view> system_types() { return types; }

Scenario parse(std::string_view text, std::string name) {
  refuse_control_characters(text, name);
  const toml::table document = parse_toml(text, name);
  Scenario s;
  s.name = std::move(name);
  Table top(document, "", s.name);
  s.title = top.text("title", "");
  Table system = top.table("system");
  Table surface = top.table("surface");
  const toml::node* solve = top.find("solve");
  top.finish();

  const toml::node& type =
      system.require("type", "one of bar, rod, disc, sphere, contact, generalized");
  s.system_type = system.text("type", "");
  if (std::find(types.begin(), types.end(), s.system_type) == types.end()) {
    system.fail(type, system.field("type"),
                "unknown system '" + s.system_type + "'" + did_you_mean(s.system_type, types));
  }
  s.system = located(system, [&] { return read_system(system, s.system_type); });
  system.finish();
  s.surface = read_surface(surface, s.given);
  located(system, [&] {
    const ContactSpace contact = at_impact(s.system).contact;
    validate({.G = contact.G, .approach = contact.approach, .surface = s.surface});
  });
  if (solve != nullptr) {
    Table table = top.table("solve");
    s.laws = read_laws(table);
  }
  return s;
}

Scenario read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || std::filesystem::is_directory(file) || !(text << in.rdbuf())) {
    throw InputError("", "cannot be read (is it there, and a file?)", file.string());
  }
  return parse(text.str(), file.string());
}

}  // namespace carom::scenario
