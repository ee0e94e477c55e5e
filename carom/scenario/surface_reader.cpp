// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/surface_reader.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/coefficients.hpp>

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

/// "a, b, c"
std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

/// "a-b" of "a-b 2", and "ball 1-floor" as it is.
std::string_view without_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string_view::npos && end + 1 < name.size() && name[end] == ' ';
  return numbered ? name.substr(0, end) : name;
}

/// Complains about a name that no contact has.
[[noreturn]] void unknown_contact(const std::string& name, const std::vector<std::string>& names,
                                  const Table& t) {
  constexpr std::size_t few = 16;  // to be listed
  std::vector<std::string_view> known;
  for (const std::string& other : names) {  // of "a-b 1", "a-b 2" only "a-b"
    const std::string_view pair = without_number(other);
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
  const bool each = top.has("surfaces");
  if (!each || top.has("surface")) given.all = top.table("surface");
  if (!each) return given;
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
  return given;
}

/// Throws where a table gives a key that no law uses.
void require_known(const Table& t, const std::vector<const Coefficient*>& known,
                   std::span<const std::string_view> also) {
  std::vector<std::string_view> keys(also.begin(), also.end());
  for (const Coefficient* c : known) keys.push_back(c->key);
  for (const std::string& key : t.keys()) {
    const Coefficient* c = find_coefficient(key);
    if (c == nullptr || std::find(known.begin(), known.end(), c) != known.end()) continue;
    t.fail(key, "is used by no law for such contacts; there are " + joined(keys));
  }
  t.only(keys);
}

/// The numbers that a table gives for one coefficient of one contact.
void read_numbers(const Table& t, const Coefficient& c, std::size_t components, Surface& s) {
  switch (c.size(components)) {
    case 1:
      c.numbers(s)[0] = t.number(c.key);
      return;
    case 2: {
      const auto pair = t.pair(c.key);
      std::copy(pair.begin(), pair.end(), c.numbers(s).begin());
      return;
    }
    default: {
      const auto triple = t.triple(c.key);
      std::copy(triple.begin(), triple.end(), c.numbers(s).begin());
    }
  }
}

/// One coefficient of every contact. [surface] may give one number for all or one for each.
void read_coefficient(const Given& given, const Coefficient& c, std::size_t components,
                      std::vector<Surface>& each) {
  const std::size_t n = each.size();
  const bool all = given.all && given.all->has(c.key);
  std::vector<double> row;
  if (all && n > 1 && c.size(components) == 1 && given.all->depth(c.key) > 0) {
    row = given.all->row(c.key);
    if (row.size() != n) {
      given.all->fail(c.key, "must be one number, or one for each of " + std::to_string(n) +
                                 " contacts, got " + std::to_string(row.size()));
    }
  }
  Surface shared;
  if (all && row.empty()) read_numbers(*given.all, c, components, shared);
  for (std::size_t i = 0; i < n; ++i) {
    if (given.own[i] && given.own[i]->has(c.key)) {
      read_numbers(*given.own[i], c, components, each[i]);
    } else if (!row.empty()) {
      c.numbers(each[i])[0] = row[i];
    } else if (all) {
      const auto numbers = c.read(shared);
      std::copy(numbers.begin(), numbers.end(), c.numbers(each[i]).begin());
    } else {
      continue;
    }
    each[i].given |= given_bit(c);
  }
}

/// Gives an error about "surface.key" of contact i the place and the name of what decides it.
[[noreturn]] void fail(const Given& given, std::size_t i, const InputError& e) {
  constexpr std::string_view prefix = "surface.";
  const std::string key = e.field().substr(std::min(prefix.size(), e.field().size()));
  const std::string plain = key.substr(0, key.find('['));
  if (const Table* t = given.deciding(plain, i)) {
    const bool one_each = plain == key && t->depth(key) > 0;
    t->fail(one_each ? key + "[" + std::to_string(i) + "]" : key, e.problem());
  }
  const Table& t = given.own[i] ? *given.own[i] : *given.all;
  t.fail(key, e.problem());
}

/// Validates the moment_coefficients that a moment_ratio is about to replace.
void validate_replaced(const Given& given, std::size_t components,
                       const std::vector<Surface>& each) {
  const Coefficient& replaced = *find_coefficient("moment_coefficients");
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (given.deciding("moment_ratio", i) == nullptr) continue;
    try {
      validate(replaced, each[i], "surface", Release::refused, components);
    } catch (const InputError& e) {
      fail(given, i, e);
    }
  }
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

void require_one_rule(const Surface& s, std::string_view prefix) {
  if (is_given(s, "impulse_ratio") && is_given(s, "tangential_coefficient")) {
    throw InputError(std::string(prefix).append(".tangential_coefficient"),
                     "must not stand beside impulse_ratio: one follows from the other");
  }
  for (const char* length : {"rolling_friction", "drilling_friction"}) {
    for (const char* moment : {"moment_coefficients", "moment_ratio"}) {
      if (!is_given(s, length) || !is_given(s, moment)) continue;
      throw InputError(std::string(prefix).append(".").append(length),
                       std::string("must not stand beside ").append(moment) +
                           ": a contact has couples by one rule");
    }
  }
}

bool Surfaces::has(std::string_view key) const {
  return std::any_of(given.begin(), given.end(), [&](const GivenKey& g) { return g.key == key; });
}

Surfaces read_surfaces(const Table& top, const std::vector<std::string>& names,
                       std::span<const ContactKind> kinds, std::span<const std::string_view> also) {
  const Given given = sort_tables(top, names);
  const std::vector<const Coefficient*> known = known_coefficients(kinds);
  if (given.all) require_known(*given.all, known, also);
  for (const auto& t : given.own) {
    if (t) require_known(*t, known, {});
  }
  const std::size_t components = kinds.front().components;
  const bool one = kinds.size() == 1 && kinds.front().contacts == 1;
  Surfaces result;
  result.place = top.has("surface") ? top.table("surface").here() : top.where("surfaces");
  result.each.resize(names.size());
  for (Surface& s : result.each) s.given = 0;
  for (const Coefficient* c : known) {
    if (c->key == "moment_ratio") validate_replaced(given, components, result.each);
    read_coefficient(given, *c, components, result.each);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Surface& s = result.each[i];
    if (!is_given(s, "static_friction")) s.static_friction = s.friction;
    try {
      validate(s, "surface", one ? Release::allowed : Release::refused, components);
      require_one_rule(s, "surface");
      if (components == 1) require_frictionless(s, "surface.");
    } catch (const InputError& e) {
      fail(given, i, e);
    }
    if (components == 1) s.given |= given_bit(*find_coefficient("friction"));
  }
  for (const Coefficient* c : known) {
    const bool everywhere =
        std::all_of(result.each.begin(), result.each.end(),
                    [&](const Surface& s) { return (s.given & given_bit(*c)) != 0; });
    if (!everywhere || names.empty()) continue;
    const Table* first = given.deciding(c->key, 0);
    result.given.push_back(
        {.key = std::string(c->key),
         .place = first != nullptr ? first->where(c->key) : top.table("system").where("type")});
  }
  return result;
}

void require_for_all(const Table& top, std::initializer_list<std::string_view> keys,
                     const std::vector<std::string>& names) {
  const Given given = sort_tables(top, names);
  for (const std::string_view key : keys) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (given.deciding(key, i) != nullptr) continue;
      throw InputError("surface." + std::string(key), "is missing for contact '" + names[i] + "'",
                       top.has("surface") ? top.table("surface").here() : top.where("surfaces"));
    }
  }
}

}  // namespace carom::scenario
