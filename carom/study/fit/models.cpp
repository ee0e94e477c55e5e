// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/models.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/core/text.hpp>

namespace carom::study::fit {
namespace {

using scenario::FitRequest;
using scenario::PlacedText;

[[noreturn]] void fail(const PlacedText& at, const std::string& problem) {
  throw InputError(at.field, problem, at.place);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

TermWords parse_term(std::string_view text, const PlacedText& given) {
  const auto column = [&](std::string_view name) {
    if (name.empty() || name.find_first_of("|^+ ") != std::string_view::npos) {
      fail(given, "'" + std::string(text) +
                      "' is not understood; write COLUMN, |COLUMN|, COLUMN^2, COLUMN+COLUMN^2 or "
                      "COLUMN^p");
    }
    return std::string(name);
  };
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    return {.form = Form::absolute, .column = column(text.substr(1, text.size() - 2))};
  }
  if (const auto plus = text.find('+'); plus != std::string_view::npos) {
    const std::string first = column(trimmed(text.substr(0, plus)));
    if (trimmed(text.substr(plus + 1)) != first + "^2") (void)column("");
    return {.form = Form::quadratic, .column = first};
  }
  if (text.ends_with("^2")) {
    return {.form = Form::square, .column = column(text.substr(0, text.size() - 2))};
  }
  if (text.ends_with("^p")) {
    return {.form = Form::power, .column = column(text.substr(0, text.size() - 2))};
  }
  return {.form = Form::linear, .column = column(text)};
}

std::string written(const TermWords& t) {
  switch (t.form) {
    case Form::linear:
      return t.column;
    case Form::absolute:
      return "|" + t.column + "|";
    case Form::quadratic:
      return t.column + "+" + t.column + "^2";
    case Form::square:
      return t.column + "^2";
    case Form::power:
      return t.column + "^p";
  }
  return t.column;
}

/// Adds parameters; one of a name that is there already replaces it.
void add(std::vector<ParameterWords>& all, ParameterWords one) {
  const auto at = std::ranges::find(all, one.name, &ParameterWords::name);
  if (at == all.end()) {
    all.push_back(std::move(one));
  } else {
    *at = std::move(one);
  }
}

/// "poisson + friction by group" in its parts.
struct ModelWords {
  std::string law;
  std::vector<ParameterWords> more{};
  PlacedText given{};
};

ModelWords parse_model(const PlacedText& text) {
  // " + " between blanks, so that x+x^2 is one part.
  const auto parts = split(text.text, " + ");
  ModelWords m{.law = std::string(parts[0]), .more = {}, .given = text};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    PlacedText part = text;
    part.text = std::string(parts[i]);
    m.more.push_back(parse_parameter(part));
  }
  return m;
}

std::vector<ParameterWords> common_parameters(const FitRequest& r) {
  std::vector<ParameterWords> all;
  for (const PlacedText& p : r.parameters) add(all, parse_parameter(p));
  if (r.parameters.empty()) {
    for (const char* name : {"restitution", "friction"}) {
      add(all,
          {.name = name, .given = {.text = name, .field = "fit.parameters", .place = r.place}});
    }
  }
  return all;
}

bool is_body_number(const MeasuredImpacts& data, std::string_view name) {
  return std::ranges::find(data.body, name, &BodyNumber::name) != data.body.end();
}

bool is_given(const FitRequest& r, std::string_view key) {
  return std::ranges::find(r.surface, key, &scenario::SystemNumber::key) != r.surface.end();
}

std::string known_names(const MeasuredImpacts& data, std::string_view word) {
  std::vector<std::string_view> known;
  for (const Coefficient& c : coefficients()) known.push_back(c.key);
  for (const BodyNumber& b : data.body) known.push_back(b.name);
  return did_you_mean(word, known);
}

bool fits(const FitModel& m, std::string_view key) {
  return std::ranges::find(m.parameters, key, &ParameterWords::name) != m.parameters.end();
}

FitModel model_of(const ModelWords& words, const FitRequest& r, const MeasuredImpacts& data) {
  const ContactKind kind{.contacts = 1, .components = data.components};
  FitModel m{.name = words.law};
  m.law = &find_law(words.law, words.given.field.empty() ? "--law" : words.given.field, kind);
  m.answering = answering(*m.law, kind);
  const LawInfo& info = info_for(*m.law, kind);
  const auto admit = [&](const ParameterWords& p, bool by_name) {
    if (is_body_number(data, p.name)) return add(m.parameters, p);
    const Coefficient* c = find_coefficient(p.name);
    if (c == nullptr)
      fail(p.given, "nothing to fit is called '" + p.name + "'" + known_names(data, p.name));
    if (info.knows(p.name)) return add(m.parameters, p);
    if (by_name) {
      fail(p.given, std::string(m.law->name) + " does not depend on " + p.name +
                        (m.answering != m.law
                             ? " at one contact, where it is " + std::string(m.answering->name)
                             : ""));
    }
    m.notes.push_back("does not depend on " + p.name);
  };
  for (const ParameterWords& p : common_parameters(r)) admit(p, false);
  for (const ParameterWords& p : words.more) {
    admit(p, true);
    std::string text = p.name;
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
      text += (i == 0 ? " by " : ", ") + written(p.terms[i]);
    }
    m.name += " + " + text + (p.by_group ? " by group" : "");
  }
  // What is fitted by name may replace a common parameter: an impulse ratio friction.
  for (const LawParameter& p : info.parameters) {
    const auto named = [&](std::string_view key) {
      return std::ranges::find(words.more, key, &ParameterWords::name) != words.more.end();
    };
    if (!named(p.key) && std::ranges::any_of(p.instead, named)) {
      std::erase_if(m.parameters, [&](const ParameterWords& w) { return w.name == p.key; });
    }
  }
  // What the law requires beside is fitted, too.
  for (const LawParameter& p : info.parameters) {
    const bool replaced = std::ranges::any_of(
        p.instead, [&](std::string_view key) { return is_given(r, key) || fits(m, key); });
    if (!p.fallback.empty() || replaced || find_coefficient(p.key) == nullptr) continue;
    if (!fits(m, p.key) && !is_given(r, p.key)) {
      m.parameters.push_back({.name = std::string(p.key), .given = words.given});
    }
  }
  return m;
}

/// Bounds of a coefficient that the file does not give, and where a fit starts.
struct Range {
  double low = 0.;
  double high = 1.;
  double start = 0.5;
};

Range range_of(const Coefficient& c) {
  if (c.key == "restitution") return {0., 1., 0.5};
  if (c.key == "friction") return {0., 2., 0.3};
  if (c.key == "static_friction") return {0., 4., 0.};  // as friction, which it cannot be below
  if (c.key == "tangential_restitution") return {0., 1., 0.2};
  if (c.key == "compliance_ratio") return {1e-3, 10., 0.5};
  if (c.low >= -1. && c.high <= 1.) return {c.low, c.high, 0.5 * (c.low + c.high)};
  return {std::max(c.low, -2.), std::min(c.high, 2.), 0.};
}

/// How far an addend, and with addends the constant, may go, in ranges of the coefficient: addends
/// of either sign may nearly cancel over the data.
constexpr double addends_reach = 8.;

/// The range of a coefficient's addend: as far as it could take the coefficient over the data.
Parameter parameter_of_term(const std::string& name, const TermWords& t, const Range& r,
                            std::span<const double> x, bool second) {
  double most = 0.;
  for (const double one : x) most = std::max(most, std::abs(one));
  if (!(most > 0.)) most = 1.;
  const double reach = addends_reach * (r.high - r.low) / most;
  const std::string column = t.column;
  switch (t.form) {
    case Form::linear:
      return {
          .name = name + " per " + column, .unit = "", .start = 0., .low = -reach, .high = reach};
    case Form::absolute:
      return {.name = name + " per |" + column + "|",
              .unit = "",
              .start = 0.,
              .low = -reach,
              .high = reach};
    case Form::square:
      return {.name = name + " per " + column + "^2",
              .unit = "",
              .start = 0.,
              .low = -reach / most,
              .high = reach / most};
    case Form::quadratic:
      if (!second) {
        return {
            .name = name + " per " + column, .unit = "", .start = 0., .low = -reach, .high = reach};
      }
      return {.name = name + " per " + column + "^2",
              .unit = "",
              .start = 0.,
              .low = -reach / most,
              .high = reach / most};
    case Form::power:
      if (!second) {
        return {.name = name + " less per " + column + "^p",
                .unit = "",
                .start = reach / 100.,
                .low = -reach,
                .high = reach};
      }
      return {.name = name + ", p of " + column + "^p",
              .unit = "",
              .start = 0.5,
              .low = 0.05,
              .high = 3.};
  }
  return {};
}

std::size_t index_of(const MeasuredImpacts& data, const std::string& column) {
  return static_cast<std::size_t>(std::ranges::find(data.numbers, column) - data.numbers.begin());
}

class Builder {
 public:
  Builder(const FitModel& model, const FitRequest& request, const MeasuredImpacts& data)
      : model_(model), request_(request), data_(data) {}

  Parameters build() {
    give();
    for (const ParameterWords& w : model_.parameters) {
      const Coefficient* c = find_coefficient(w.name);
      if (c != nullptr && !is_body_number(data_, w.name)) {
        coefficient(*c, w);
      } else {
        body(w);
      }
    }
    named(request_.bounds, [](Parameter& p, const std::vector<double>& v) {
      p.low = v[0];
      p.high = v[1];
    });
    named(request_.starts, [](Parameter& p, const std::vector<double>& v) { p.start = v[0]; });
    for (Parameter& p : all_.list) p.start = std::clamp(p.start, p.low, p.high);
    return std::move(all_);
  }

 private:
  /// The coefficients of [surface].
  void give() {
    all_.surface.given = 0;
    for (const scenario::SystemNumber& n : request_.surface) {
      const Coefficient* c = find_coefficient(n.key);
      if (c == nullptr) {
        std::vector<std::string_view> known;
        for (const Coefficient& one : coefficients()) known.push_back(one.key);
        throw InputError("surface." + n.key, "unknown key" + did_you_mean(n.key, known), n.place);
      }
      const auto numbers = c->numbers(all_.surface);
      for (std::size_t i = 0; i < n.values.size() && i < numbers.size(); ++i) {
        numbers[i] = n.values[i];
      }
      all_.surface.given |= given_bit(*c);
      try {
        validate(*c, all_.surface, "surface", Release::refused, data_.components);
      } catch (const InputError& e) {
        throw InputError(e.field(), e.problem(), n.place);
      }
    }
  }

  void coefficient(const Coefficient& c, const ParameterWords& w) {
    all_.surface.given |= given_bit(c);
    const Range r = range_of(c);
    for (std::size_t index = 0; index < c.size(data_.components); ++index) {
      FittedCoefficient f{.coefficient = &c, .index = index, .constant = {}};
      const std::string name =
          c.size(data_.components) > 1 ? w.name + "[" + std::to_string(index) + "]" : w.name;
      const std::size_t groups = w.by_group ? data_.groups.size() : 1;
      for (std::size_t g = 0; g < groups; ++g) {
        f.constant.push_back(all_.list.size());
        all_.list.push_back({.name = groups > 1 ? name + " (" + data_.groups[g] + ")" : name,
                             .unit = std::string(c.unit),
                             .start = r.start,
                             .low = r.low,
                             .high = r.high});
      }
      for (const TermWords& t : w.terms) term(t, name, r, f);
      all_.coefficients.push_back(std::move(f));
    }
  }

  void term(const TermWords& t, const std::string& name, const Range& r, FittedCoefficient& f) {
    const std::size_t number = index_of(data_, t.column);
    std::vector<double> x;
    for (const std::size_t i : data_.fitted()) x.push_back(data_.impacts[i].numbers[number]);
    f.terms.push_back({.form = t.form, .number = number, .parameter = all_.list.size()});
    all_.list.push_back(parameter_of_term(name, t, r, x, false));
    if (t.form == Form::quadratic || t.form == Form::power) {
      all_.list.push_back(parameter_of_term(name, t, r, x, true));
    }
    for (const std::size_t k : f.constant) {
      all_.list[k].low = r.low - addends_reach * (r.high - r.low);
      all_.list[k].high = r.high + addends_reach * (r.high - r.low);
    }
  }

  void body(const ParameterWords& w) {
    if (!w.terms.empty() || w.by_group) {
      fail(w.given, "a number of the system is the same for all rows, got '" + w.given.text + "'");
    }
    const auto at = std::ranges::find(data_.body, w.name, &BodyNumber::name);
    all_.body.push_back({.number = static_cast<std::size_t>(at - data_.body.begin()),
                         .parameter = all_.list.size()});
    all_.list.push_back(
        {.name = at->name, .unit = at->unit, .start = at->value, .low = at->low, .high = at->high});
  }

  /// Sets what [fit.bounds] and [fit.start] say of parameters by their names.
  template <class Set>
  void named(const std::vector<scenario::ParameterNumbers>& given, const Set& set) {
    for (const scenario::ParameterNumbers& n : given) {
      // Another model may have it, but it must be one that there can be.
      const std::string& name = n.name.text;
      const std::string of = name.substr(0, std::min(name.find_first_of(" ,["), name.size()));
      if (find_coefficient(of) == nullptr && !is_body_number(data_, of)) {
        fail(n.name, "nothing to fit is called '" + of + "'" + known_names(data_, of));
      }
      for (Parameter& p : all_.list) {
        const bool of_group = p.name.starts_with(n.name.text + " (");
        if (p.name == n.name.text || of_group) set(p, n.values);
      }
    }
  }

  const FitModel& model_;
  const FitRequest& request_;
  const MeasuredImpacts& data_;
  Parameters all_{};
};

}  // namespace

ParameterWords parse_parameter(const PlacedText& text) {
  const auto parts = split(text.text, " by ");
  ParameterWords p{.name = std::string(parts[0]), .given = text};
  if (p.name.empty()) fail(text, "must be the name of what is fitted, got '" + text.text + "'");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] == "group") {
      p.by_group = true;
      continue;
    }
    for (const std::string_view term : split(parts[i], ",")) {
      p.terms.push_back(parse_term(term, text));
    }
  }
  return p;
}

std::vector<PlacedText> columns_of(const FitRequest& r, const std::vector<PlacedText>& asked) {
  std::vector<PlacedText> columns;
  const auto take = [&](const ParameterWords& p) {
    for (const TermWords& t : p.terms) {
      columns.push_back({.text = t.column, .field = p.given.field, .place = p.given.place});
    }
  };
  for (const ParameterWords& p : common_parameters(r)) take(p);
  for (const auto* models : {&r.models, &asked}) {
    for (const PlacedText& m : *models) {
      for (const ParameterWords& p : parse_model(m).more) take(p);
    }
  }
  return columns;
}

std::vector<FitModel> models_of(const FitRequest& r, const std::vector<PlacedText>& asked,
                                const MeasuredImpacts& data) {
  const ContactKind kind{.contacts = 1, .components = data.components};
  std::vector<FitModel> of_file;
  for (const PlacedText& m : r.models) of_file.push_back(model_of(parse_model(m), r, data));
  if (asked.empty()) {
    if (!of_file.empty()) return of_file;
    for (const Law& law : laws_for(kind)) {
      of_file.push_back(model_of({.law = std::string(law.name), .more = {}, .given = {}}, r, data));
    }
    return of_file;
  }
  std::vector<FitModel> chosen;
  for (const PlacedText& a : asked) {
    const ModelWords words = parse_model(a);
    const std::size_t before = chosen.size();
    if (words.more.empty()) {
      const Law& law = find_law(words.law, a.field, kind);
      for (const FitModel& m : of_file) {
        if (m.law == &law) chosen.push_back(m);
      }
    }
    if (chosen.size() == before) chosen.push_back(model_of(words, r, data));
  }
  return chosen;
}

Parameters parameters_of(const FitModel& model, const FitRequest& request,
                         const MeasuredImpacts& data) {
  return Builder(model, request, data).build();
}

}  // namespace carom::study::fit
