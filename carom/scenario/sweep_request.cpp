// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/sweep_request.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/scenario/map_request.hpp>

namespace carom::scenario {
namespace {

constexpr std::array<std::string_view, 3> method_names{"grid", "sobol", "random"};
constexpr std::array<std::string_view, 3> distributions{"uniform", "normal", "log-normal"};

[[noreturn]] void refuse(const SweepAxis& axis, const std::string& problem) {
  throw InputError(axis.field, axis.path + ": " + problem, axis.place);
}

void require_finite_number(const SweepAxis& axis, std::string_view key, double value) {
  if (!std::isfinite(value)) {
    refuse(axis, std::string(key) + " must be a finite number, got " + shortest(value));
  }
}

void validate_range(const SweepAxis& axis) {
  require_finite_number(axis, "from", axis.from);
  require_finite_number(axis, "to", axis.to);
  if (axis.from == axis.to) {
    refuse(axis, "from and to must differ, got " + shortest(axis.from) + " twice");
  }
  if (axis.log && !(axis.from > 0. && axis.to > 0.)) {
    refuse(axis, "from and to must be > 0 on a logarithmic axis, got " + shortest(axis.from) +
                     " and " + shortest(axis.to));
  }
  if (axis.points < 2) refuse(axis, "points must be at least 2");
}

/// Refuses values that are none.
void validate(const SweepAxis& axis) {
  switch (axis.spread) {
    case Spread::range:
      validate_range(axis);
      return;
    case Spread::list:
      if (axis.list.empty()) refuse(axis, "list must have at least one value");
      for (const double x : axis.list) require_finite_number(axis, "list", x);
      return;
    case Spread::uniform:
      require_finite_number(axis, "low", axis.low);
      require_finite_number(axis, "high", axis.high);
      break;
    case Spread::normal:
    case Spread::log_normal:
      require_finite_number(axis, "mean", axis.mean);
      require_finite_number(axis, "deviation", axis.deviation);
      if (!(axis.deviation > 0.)) {
        refuse(axis, "deviation must be > 0, got " + shortest(axis.deviation));
      }
      if (axis.spread == Spread::log_normal && !(axis.mean > 0.)) {
        refuse(axis, "mean must be > 0 of a log-normal number, got " + shortest(axis.mean));
      }
      if (axis.spread == Spread::log_normal && !(axis.high > 0.)) {
        refuse(axis, "high must be > 0 of a log-normal number, got " + shortest(axis.high));
      }
      break;
  }
  if (!(axis.low < axis.high)) {
    refuse(axis,
           "low must be below high, got " + shortest(axis.low) + " and " + shortest(axis.high));
  }
}

Spread distribution(const SweepAxis& axis, const std::string& name) {
  const auto at = std::find(distributions.begin(), distributions.end(), name);
  if (at == distributions.end()) {
    refuse(axis, "unknown distribution '" + name + "'" + did_you_mean(name, distributions));
  }
  return static_cast<Spread>(static_cast<std::ptrdiff_t>(Spread::uniform) +
                             (at - distributions.begin()));
}

void read_distribution(const Table& t, SweepAxis& axis) {
  axis.spread = distribution(axis, t.text("distribution", ""));
  for (const char* key : {"from", "to", "points", "log", "list"}) {
    t.refuse(key, "is of a range or list, not of a distribution");
  }
  if (axis.spread == Spread::uniform) {
    t.refuse("mean", "is of normal and log-normal; give low and high");
    t.refuse("deviation", "is of normal and log-normal; give low and high");
    t.require("low", "the lower bound");
    t.require("high", "the upper bound");
  } else {
    axis.mean = t.number("mean");
    axis.deviation = t.number("deviation");
  }
  axis.low = t.number("low", axis.low);
  axis.high = t.number("high", axis.high);
}

/// @param path  empty: the table has it under `vary`
SweepAxis read_sweep_axis(const Table& t, const std::string& path, const std::string& field) {
  t.only({"vary", "from", "to", "points", "log", "list", "distribution", "mean", "deviation", "low",
          "high"});
  SweepAxis axis;
  axis.path = path;
  axis.field = field;
  axis.place = t.here();
  if (path.empty()) {
    t.require("vary", "the dotted path of a number of the scenario");
    axis.path = t.text("vary", "");
    if (axis.path.empty()) t.fail("vary", "must be the dotted path of a number, got ''");
  } else {
    t.refuse("vary", "is the key of this table already");
  }
  if (t.has("distribution")) {
    read_distribution(t, axis);
  } else if (t.has("list")) {
    for (const char* key : {"from", "to", "points", "log", "low", "high"}) {
      t.refuse(key, "goes without list");
    }
    axis.spread = Spread::list;
    axis.list = t.row("list");
  } else {
    for (const char* key : {"mean", "deviation", "low", "high"}) {
      t.refuse(key, "is of a distribution; add distribution = \"normal\", for example");
    }
    t.require("from", "one of: from and to; list; distribution");
    axis.from = t.number("from");
    axis.to = t.number("to");
    axis.log = t.flag("log", false);
    if (t.has("points")) {
      axis.points = require_count(t.number("points"), 2, most_sweep_samples, t.field("points"),
                                  t.where("points"));
    }
  }
  validate(axis);
  return axis;
}

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = std::min(text.find(between), text.size());
    parts.push_back(text.substr(0, at));
    if (at == text.size()) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// TOML wants a point or an exponent in a float only where it is no whole number; infinities have
/// their own word.
std::string toml_number(double value) {
  if (std::isinf(value)) return value < 0. ? "-inf" : "inf";
  return shortest(value);
}

std::string toml_numbers(const std::vector<double>& values) {
  std::string out = "[";
  for (const double x : values) out += (out.size() > 1 ? ", " : "") + toml_number(x);
  return out + "]";
}

std::string toml_texts(const std::vector<PlacedText>& texts) {
  std::string out = "[";
  for (const PlacedText& t : texts) out += (out.size() > 1 ? ", " : "") + quoted(t.text);
  return out + "]";
}

std::string as_toml(const SweepAxis& axis) {
  std::string out = "[[sweep.axes]]\nvary = " + quoted(axis.path) + "\n";
  const auto add = [&](const char* key, double value) {
    if (std::isfinite(value)) out += std::string(key) + " = " + toml_number(value) + "\n";
  };
  switch (axis.spread) {
    case Spread::range:
      add("from", axis.from);
      add("to", axis.to);
      out += "points = " + std::to_string(axis.points) + "\n";
      if (axis.log) out += "log = true\n";
      return out;
    case Spread::list:
      return out + "list = " + toml_numbers(axis.list) + "\n";
    default:
      break;
  }
  const auto which =
      static_cast<std::size_t>(axis.spread) - static_cast<std::size_t>(Spread::uniform);
  out += "distribution = " + quoted(distributions[which]) + "\n";
  if (axis.spread != Spread::uniform) {
    add("mean", axis.mean);
    add("deviation", axis.deviation);
  }
  add("low", axis.low);
  add("high", axis.high);
  return out;
}

void refuse_two_of_one_path(const SweepRequest& r) {
  for (std::size_t k = 0; k < r.axes.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      if (r.axes[j].path == r.axes[k].path) refuse(r.axes[k], "varies twice");
    }
  }
}

}  // namespace

std::vector<double> SweepAxis::values() const {
  if (spread == Spread::list) return list;
  return MapAxis{.path = path,
                 .from = from,
                 .to = to,
                 .points = points,
                 .log = log,
                 .field = field,
                 .place = place}
      .values();
}

VariedNumber SweepAxis::number() const {
  VariedNumber n{.path = path, .from = from, .to = to, .field = field, .place = place};
  switch (spread) {
    case Spread::range:
      break;
    case Spread::list:
      n.from = list.front();
      n.to = list.back();
      break;
    case Spread::uniform:
      n.from = 0.5 * (low + high);
      n.to = high;
      break;
    case Spread::normal:
    case Spread::log_normal:
      n.from = std::clamp(mean, low, high);
      n.to = n.from;
      break;
  }
  return n;
}

void SweepRequest::vary(SweepAxis axis) {
  for (SweepAxis& known : axes) {
    if (known.path == axis.path) {
      known = std::move(axis);
      return;
    }
  }
  axes.push_back(std::move(axis));
}

std::string_view name(SweepMethod method) { return method_names[static_cast<std::size_t>(method)]; }

SweepMethod sweep_method(const std::string& name, const std::string& field,
                         const std::string& place) {
  const auto at = std::find(method_names.begin(), method_names.end(), name);
  if (at != method_names.end()) return static_cast<SweepMethod>(at - method_names.begin());
  throw InputError(field, "unknown method '" + name + "'" + did_you_mean(name, method_names),
                   place);
}

std::size_t require_count(double value, double least, double most, const std::string& field,
                          const std::string& place) {
  if (value >= least && value <= most && value == std::floor(value)) {
    return static_cast<std::size_t>(value);
  }
  throw InputError(field,
                   "must be a whole number in [" + shortest(least) + ", " + shortest(most) +
                       "], got " + shortest(value),
                   place);
}

void require_quantiles(const std::vector<double>& quantiles, const std::string& field,
                       const std::string& place) {
  for (const double p : quantiles) {
    if (p > 0. && p < 1.) continue;
    throw InputError(field, "must be probabilities in (0, 1), got " + shortest(p), place);
  }
}

SweepRequest read_sweep(const Table& t) {
  t.only({"axes", "method", "samples", "seed", "show", "laws", "statistics", "indices", "keep",
          "quantiles", "bins"});
  SweepRequest r;
  if (t.has("axes")) {
    if (t.depth("axes") > 0) {
      for (const Table& axis : t.tables("axes")) {
        r.axes.push_back(
            read_sweep_axis(axis, "", t.field("axes") + "[" + std::to_string(r.axes.size()) + "]"));
      }
    } else {
      const Table by_path = t.table("axes");
      for (const std::string& path : by_path.keys()) {
        r.axes.push_back(read_sweep_axis(by_path.table(path), path, t.field("axes")));
      }
    }
  }
  refuse_two_of_one_path(r);
  if (t.has("method")) {
    r.method = sweep_method(t.text("method", ""), t.field("method"), t.where("method"));
  }
  const auto count = [&](const char* key, double least, double most) {
    return require_count(t.number(key), least, most, t.field(key), t.where(key));
  };
  if (t.has("samples")) r.samples = count("samples", 1, most_sweep_samples);
  constexpr double most_seed = 0x1p53;
  if (t.has("seed")) r.seed = count("seed", 0, most_seed);
  r.show = t.texts("show", "the name of a quantity");
  r.laws = t.texts("laws", "a law's name");
  r.statistics = t.flag("statistics", true);
  r.indices = t.flag("indices", false);
  if (t.has("keep")) {
    const std::string keep = t.text("keep", "");
    if (keep != "rows" && keep != "statistics") {
      t.fail("keep", "must be rows or statistics, got '" + keep + "'");
    }
    r.keep_rows = keep == "rows";
  }
  if (t.has("quantiles")) r.quantiles = t.row("quantiles");
  require_quantiles(r.quantiles, t.field("quantiles"), t.here());
  if (t.has("bins")) r.bins = count("bins", 1, most_sweep_bins);
  return r;
}

SweepAxis parse_sweep_axis(std::string_view text, std::string_view field) {
  SweepAxis axis;
  axis.field = field;
  const auto refuse_all = [&]() {
    throw InputError(std::string(field),
                     "must be PATH=FROM:TO[:POINTS][:log], PATH=VALUE,VALUE,..., "
                     "PATH=uniform:LOW:HIGH, PATH=normal:MEAN:DEVIATION[:LOW:HIGH] or "
                     "PATH=log-normal:..., as in surface.friction=normal:0.3:0.05:0:1; got '" +
                         std::string(text) + "'");
  };
  const auto number = [&](std::string_view digits) {
    double value = 0.;
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) refuse_all();
    return value;
  };
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) refuse_all();
  axis.path = text.substr(0, equals);
  const std::string_view given = text.substr(equals + 1);
  std::vector<std::string_view> parts = parts_of(given, ':');
  const bool named =
      !parts[0].empty() && std::isalpha(static_cast<unsigned char>(parts[0][0])) != 0;
  if (named) {
    axis.spread = distribution(axis, std::string(parts[0]));
    const bool uniform = axis.spread == Spread::uniform;
    if (parts.size() < 3 || parts.size() > (uniform ? 3 : 5)) refuse_all();
    (uniform ? axis.low : axis.mean) = number(parts[1]);
    (uniform ? axis.high : axis.deviation) = number(parts[2]);
    if (parts.size() > 3 && !parts[3].empty()) axis.low = number(parts[3]);
    if (parts.size() > 4 && !parts[4].empty()) axis.high = number(parts[4]);
  } else if (parts.size() == 1) {
    axis.spread = Spread::list;
    for (const std::string_view value : parts_of(given, ',')) axis.list.push_back(number(value));
  } else {
    if (parts.back() == "log" && parts.size() > 2) {
      axis.log = true;
      parts.pop_back();
    }
    if (parts.size() > 3) refuse_all();
    axis.from = number(parts[0]);
    axis.to = number(parts[1]);
    if (parts.size() == 3) {
      axis.points = require_count(number(parts[2]), 2, most_sweep_samples,
                                  std::string(field) + ": points", "");
    }
  }
  validate(axis);
  return axis;
}

std::string as_toml(const SweepRequest& r) {
  std::string out = "[sweep]\n";
  if (r.method) out += "method = " + quoted(name(*r.method)) + "\n";
  if (r.samples) out += "samples = " + std::to_string(*r.samples) + "\n";
  out += "seed = " + std::to_string(r.seed) + "\n";
  out += "show = " + toml_texts(r.show) + "\n";
  out += "laws = " + toml_texts(r.laws) + "\n";
  out += std::string("statistics = ") + (r.statistics ? "true" : "false") + "\n";
  out += std::string("indices = ") + (r.indices ? "true" : "false") + "\n";
  if (r.keep_rows)
    out += std::string("keep = ") + (*r.keep_rows ? "\"rows\"" : "\"statistics\"") + "\n";
  out += "quantiles = " + toml_numbers(r.quantiles) + "\n";
  out += "bins = " + std::to_string(r.bins) + "\n";
  for (const SweepAxis& axis : r.axes) out += as_toml(axis);
  return out;
}

}  // namespace carom::scenario
