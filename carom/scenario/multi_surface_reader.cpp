// SPDX-License-Identifier: Apache-2.0
// The surfaces of several contacts.
#include <algorithm>
#include <map>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/scenario/multi_reader.hpp>

namespace carom::scenario {
namespace {

/// What a file says of surfaces: for all contacts, and for each its own table, if it has one.
struct Given {
  std::optional<Table> all;
  std::vector<std::optional<Table>> own;

  /// The table that decides a key of contact i, or null.
  [[nodiscard]] const Table* deciding(std::string_view key, std::size_t i) const {
    if (own[i] && own[i]->has(key)) return &*own[i];
    return all && all->has(key) ? &*all : nullptr;
  }
};

/// Complains about a name that no contact has.
[[noreturn]] void unknown_contact(const std::string& name, const std::vector<std::string>& names,
                                  const Table& t) {
  constexpr std::size_t few = 16;  // to be listed
  std::vector<std::string_view> known;
  for (const std::string& other : names) {  // of "a-b 1", "a-b 2" only "a-b"
    const std::string_view pair = std::string_view(other).substr(0, other.find(' '));
    if (known.empty() || known.back() != pair) known.push_back(pair);
  }
  std::string hint = did_you_mean(name, known);
  if (known.size() > few && hint.find("did you mean") == std::string::npos) {
    hint = "; there are " + std::to_string(names.size()) + ", from '" + names.front() + "' to '" +
           names.back() + "'";
  }
  t.fail(name, "unknown contact '" + name + "'" + hint);
}

/// Tables by the names of contacts; "a-b" is for "a-b 1", "a-b 2", ..., too, but for those that
/// have their own.
void sort_by_name(const Table& tables, const std::vector<std::string>& names, Given& given) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], i);
  std::vector<bool> exactly(names.size(), false);
  for (const std::string& key : tables.keys()) {
    if (const auto at = index.find(key); at != index.end()) {
      given.own[at->second] = tables.table(key);
      exactly[at->second] = true;
      continue;
    }
    const std::string pair = key + " ";
    bool any = false;
    for (auto at = index.lower_bound(pair); at != index.end() && at->first.starts_with(pair);
         ++at) {
      any = true;
      if (!exactly[at->second]) given.own[at->second] = tables.table(key);
    }
    if (!any) unknown_contact(key, names, tables);
  }
}

Given sort_tables(const Table& top, const std::vector<std::string>& names) {
  Given given;
  given.own.resize(names.size());
  if (!top.has("surfaces")) {
    given.all = top.table("surface");
  } else if (top.has("surface")) {
    given.all = top.table("surface");
  }
  if (given.all) given.all->only(multi_surface_keys);
  if (!top.has("surfaces")) return given;
  if (top.depth("surfaces") > 0) {
    const std::vector<Table> tables = top.tables("surfaces");
    if (tables.size() != names.size()) {
      top.fail("surfaces", "must be one for each of " + std::to_string(names.size()) +
                               " contacts, got " + std::to_string(tables.size()));
    }
    for (std::size_t i = 0; i < names.size(); ++i) given.own[i] = tables[i];
  } else {
    sort_by_name(top.table("surfaces"), names, given);
  }
  for (const auto& t : given.own) {
    if (t) t->only(multi_surface_keys);
  }
  return given;
}

/// A key's numbers, one a contact; where it is not given, `fallback`. [surface] may give one for
/// all or one for each.
std::vector<double> column(const Given& given, std::string_view key,
                           const std::vector<double>& fallback) {
  std::vector<double> values = fallback;
  if (given.all && given.all->has(key)) {
    if (given.all->depth(key) == 0) {
      std::fill(values.begin(), values.end(), given.all->number(key));
    } else {
      const std::vector<double> row = given.all->row(key);
      if (row.size() != values.size()) {
        given.all->fail(key, "must be one number, or one for each of " +
                                 std::to_string(values.size()) + " contacts, got " +
                                 std::to_string(row.size()));
      }
      values = row;
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (given.own[i] && given.own[i]->has(key)) values[i] = given.own[i]->number(key);
  }
  return values;
}

/// Gives an error about "surface.key" of contact i the place and the name of what decides it.
[[noreturn]] void fail(const Given& given, std::size_t i, const InputError& e) {
  constexpr std::string_view prefix = "surface.";
  const std::string key = e.field().substr(std::min(prefix.size(), e.field().size()));
  if (const Table* t = given.deciding(key, i)) {
    const bool one_each = t->depth(key) > 0;
    t->fail(one_each ? key + "[" + std::to_string(i) + "]" : key, e.problem());
  }
  const Table& t = given.own[i] ? *given.own[i] : *given.all;
  t.fail(key, e.problem());
}

}  // namespace

void require_frictionless(const Surface& s, const std::string& prefix) {
  const auto refuse = [&](const char* key, double value) {
    if (value == 0.) return;
    throw InputError(prefix + key, value, "0 where contacts are frictionless (a normal alone)");
  };
  refuse("friction", s.friction);
  refuse("static_friction", s.static_friction);
  refuse("tangential_restitution", s.tangential_restitution);
}

MultiSurfaces read_multi_surfaces(const Table& top, const std::vector<std::string>& names,
                                  std::size_t components) {
  const Given given = sort_tables(top, names);
  const Surface usual;
  const auto all = [&](double x) { return std::vector<double>(names.size(), x); };
  const auto restitution = column(given, "restitution", all(usual.restitution));
  const auto friction = column(given, "friction", all(usual.friction));
  const auto static_friction = column(given, "static_friction", friction);
  const auto tangential = column(given, "tangential_restitution", all(0.));
  const auto stiffness = column(given, "stiffness", all(usual.stiffness));
  const auto exponent = column(given, "exponent", all(usual.exponent));
  MultiSurfaces result;
  result.stiffness_given = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.surfaces.push_back({.restitution = restitution[i],
                               .friction = friction[i],
                               .static_friction = static_friction[i],
                               .tangential_restitution = tangential[i],
                               .stiffness = stiffness[i],
                               .exponent = exponent[i]});
    if (given.deciding("stiffness", i) == nullptr) result.stiffness_given = false;
    try {
      validate(result.surfaces.back(), "surface");
      if (components == 1) require_frictionless(result.surfaces.back(), "surface.");
    } catch (const InputError& e) {
      fail(given, i, e);
    }
  }
  return result;
}

std::vector<GivenKey> given_to_all(const Table& top, const MultiImpact& impact) {
  const Given given = sort_tables(top, impact.system.names);
  std::vector<GivenKey> keys;
  for (const std::string_view key : multi_surface_keys) {
    const Table* first = given.deciding(key, 0);
    bool everywhere = first != nullptr;
    for (std::size_t i = 1; everywhere && i < given.own.size(); ++i) {
      everywhere = given.deciding(key, i) != nullptr;
    }
    if (everywhere) {
      keys.push_back({.key = std::string(key), .place = first->where(key)});
    } else if (key == "friction" && impact.system.contact.G.components() == 1) {
      keys.push_back({.key = "friction", .place = top.table("system").where("type")});
    }
  }
  return keys;
}

void require_for_all(const Table& top, std::initializer_list<std::string_view> keys,
                     const std::vector<std::string>& names) {
  const Given given = sort_tables(top, names);
  for (const std::string_view key : keys) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (given.deciding(key, i) != nullptr) continue;
      throw InputError("surface." + std::string(key), "is missing for contact '" + names[i] + "'",
                       surface_place(top));
    }
  }
}

std::string surface_place(const Table& top) {
  if (top.has("surface")) return top.table("surface").here();
  return top.where("surfaces");
}

}  // namespace carom::scenario
