// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_colours.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include <carom/report/map_words.hpp>

namespace carom::report {
namespace {

// Paul Tol's "light" scheme, made for areas under black text, in his order but for the grey: that
// is for what is left over.
constexpr std::array<std::string_view, 8> light = {"#77AADD", "#EE8866", "#EEDD88", "#FFAABB",
                                                   "#99DDFF", "#44BB99", "#BBCC33", "#AAAA00"};
constexpr std::string_view left_over = "#DDDDDD";
constexpr std::string_view nothing = "#FFFFFF";

// Viridis without its darkest tenth, and a blue-white-red whose ends are equally dark.
constexpr std::array<std::string_view, 10> rising = {"#482878", "#443A83", "#3B528B", "#31688E",
                                                     "#26828E", "#1F9E89", "#35B779", "#6DCD59",
                                                     "#B4DE2C", "#FDE725"};
constexpr std::array<std::string_view, 9> from_the_middle = {"#2166AC", "#4393C3", "#92C5DE",
                                                             "#D1E5F0", "#F7F7F7", "#FDDBC7",
                                                             "#F4A582", "#D6604D", "#B2182B"};

std::span<const std::string_view> stops(bool diverging) {
  if (diverging) return from_the_middle;
  return rising;
}

/// All finite values, or a fair part of many; sorted.
std::vector<double> sorted_values(std::span<const study::MapLayer> layers) {
  std::size_t total = 0;
  for (const study::MapLayer& layer : layers) total += layer.values.size();
  const std::size_t every = 1 + total / 2'000'000;
  std::vector<double> all;
  for (const study::MapLayer& layer : layers) {
    for (std::size_t cell = 0; cell < layer.values.size(); cell += every) {
      if (std::isfinite(layer.values[cell])) all.push_back(layer.values[cell]);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Two digits, away from zero or towards it as `up` says.
double rounded(double value, bool up) {
  if (value == 0.) return 0.;
  const double unit = std::pow(10., std::floor(std::log10(std::abs(value))) - 1.);
  return (up ? std::ceil(value / unit) : std::floor(value / unit)) * unit;
}

/// The range that nearly all values are in: its ends are the values' own unless a few of them are
/// much farther out than the others reach.
Range robust(const std::vector<double>& sorted) {
  const auto at = [&](double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  Range r{.least = sorted.front(), .most = sorted.back()};
  const Range most_values{.least = at(0.01), .most = at(0.99)};
  const double size = most_values.size();
  if (!(size > 0.)) return r;
  if (r.most > most_values.most + size) r.most = rounded(most_values.most, true);
  if (r.least < most_values.least - size) r.least = rounded(most_values.least, false);
  return r;
}

Range widened_if_empty(Range r) {
  if (r.size() > 1e-12 * std::max(std::abs(r.least), std::abs(r.most))) return r;
  const double half = r.least == 0. ? 0.5 : 0.1 * std::abs(r.least);
  return {.least = r.least - half, .most = r.most + half};
}

}  // namespace

CategoryColours CategoryPalette::colours(std::span<const study::MapLayer> layers) {
  CategoryColours result;
  std::vector<std::size_t> cells;  // of each entry, in all layers
  std::map<std::string, int> entry;
  double nowhere = 0.;
  const auto share = [](std::size_t part, const study::MapLayer& layer) {
    return layer.values.empty()
               ? 0.
               : static_cast<double>(part) / static_cast<double>(layer.values.size());
  };
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const auto count = counts(layers[k]);
    auto& of = result.entry_of.emplace_back(layers[k].categories.size(), -1);
    for (std::size_t c = 0; c < of.size(); ++c) {
      if (count[c] == 0) continue;
      const study::Category& category = layers[k].categories[c];
      const auto [seen, fresh] =
          entry.try_emplace(category.label, static_cast<int>(result.entries.size()));
      if (fresh) {
        result.entries.push_back({.label = category.label,
                                  .meaning = category.meaning,
                                  .colour = "",
                                  .shares = std::vector<double>(layers.size())});
        cells.push_back(0);
      }
      of[c] = seen->second;
      result.entries[static_cast<std::size_t>(of[c])].shares[k] += share(count[c], layers[k]);
      cells[static_cast<std::size_t>(of[c])] += count[c];
    }
    nowhere += share(count.back(), layers[k]);
  }

  // The rarest share one entry where colours do not suffice.
  std::vector<int> order(result.entries.size());
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = static_cast<int>(e);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return cells[static_cast<std::size_t>(a)] > cells[static_cast<std::size_t>(b)];
  });
  std::set<int> pooled;
  if (order.size() > light.size() + 1) pooled.insert(order.begin() + light.size(), order.end());
  std::vector<int> moved(result.entries.size());
  std::vector<KeyEntry> kept;
  KeyEntry other{.label = "other",
                 .meaning = "",
                 .colour = std::string(left_over),
                 .shares = std::vector<double>(layers.size())};
  const int other_at = static_cast<int>(result.entries.size() - pooled.size());
  for (std::size_t e = 0; e < result.entries.size(); ++e) {
    KeyEntry& it = result.entries[e];
    if (!pooled.contains(static_cast<int>(e))) {
      moved[e] = static_cast<int>(kept.size());
      kept.push_back(std::move(it));
      continue;
    }
    moved[e] = other_at;
    other.meaning += (other.meaning.empty() ? "" : ", ") + it.label;
    for (std::size_t k = 0; k < layers.size(); ++k) other.shares[k] += it.shares[k];
  }
  result.entries = std::move(kept);
  if (!pooled.empty()) result.entries.push_back(std::move(other));
  for (auto& of : result.entry_of) {
    for (int& e : of) {
      if (e >= 0) e = moved[static_cast<std::size_t>(e)];
    }
  }

  // First those that have a colour already, then numbers, whose colour goes with them, then others.
  std::set<std::string> taken;
  const auto give = [&](KeyEntry& it, const std::string& colour) {
    if (!it.colour.empty() || taken.contains(colour)) return;
    it.colour = colour;
    taken.insert(colour);
    known_.try_emplace(it.label, colour);
  };
  for (KeyEntry& it : result.entries) {
    if (const auto seen = known_.find(it.label); seen != known_.end()) give(it, seen->second);
  }
  for (KeyEntry& it : result.entries) {
    if (it.label.size() == 1 && it.label[0] >= '0' && it.label[0] < '8') {
      give(it, std::string(light[static_cast<std::size_t>(it.label[0] - '0')]));
    }
  }
  for (KeyEntry& it : result.entries) {
    for (const std::string_view colour : light) give(it, std::string(colour));
    give(it, std::string(left_over));
  }
  if (nowhere > 0.) {
    result.undefined = static_cast<int>(result.entries.size());
    KeyEntry none{
        .label = "undefined", .meaning = "", .colour = std::string(nothing), .shares = {}};
    for (const study::MapLayer& layer : layers) {
      none.shares.push_back(share(counts(layer).back(), layer));
    }
    result.entries.push_back(std::move(none));
  }
  return result;
}

NumberColours number_colours(std::span<const study::MapLayer> layers) {
  NumberColours colours;
  std::size_t total = 0;
  std::size_t none = 0;
  for (const study::MapLayer& layer : layers) {
    total += layer.values.size();
    none += static_cast<std::size_t>(std::count_if(layer.values.begin(), layer.values.end(),
                                                   [](double v) { return !std::isfinite(v); }));
  }
  colours.undefined = total > 0 ? static_cast<double>(none) / static_cast<double>(total) : 0.;
  const study::Compared compared = layers.empty() ? study::Compared::no : layers.front().compared;
  colours.diverging = compared != study::Compared::no;
  const auto sorted = sorted_values(layers);
  if (sorted.empty()) {
    colours.range = colours.reached = {.least = 0., .most = 1.};
    return colours;
  }
  colours.reached = {.least = sorted.front(), .most = sorted.back()};
  colours.range = robust(sorted);
  if (colours.diverging) {
    const double middle = compared == study::Compared::ratio ? 1. : 0.;
    double reach = std::max(colours.range.most - middle, middle - colours.range.least);
    if (!(reach > 0.)) reach = 1.;
    colours.range = {.least = middle - reach, .most = middle + reach};
  }
  colours.range = widened_if_empty(colours.range);
  return colours;
}

Range common_range(std::span<const study::MapLayer> layers) {
  const auto sorted = sorted_values(layers);
  if (sorted.empty()) return {.least = 0., .most = 1.};
  return widened_if_empty(robust(sorted));
}

std::string palette_script(bool diverging) {
  std::string text;
  const auto all = stops(diverging);
  for (std::size_t k = 0; k < all.size(); ++k) {
    text += fmt::format("{}{} \"{}\"", k == 0 ? "" : ", ", k, all[k]);
  }
  return "set palette defined (" + text + ")\n";
}

bool is_dark(double share, bool diverging) {
  const auto all = stops(diverging);
  const double at = std::clamp(share, 0., 1.) * static_cast<double>(all.size() - 1);
  const std::string colour(all[static_cast<std::size_t>(std::lround(at))]);
  const auto part = [&](std::size_t from) {
    return static_cast<double>(std::strtol(colour.substr(from, 2).c_str(), nullptr, 16)) / 255.;
  };
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) < 0.52;
}

}  // namespace carom::report
