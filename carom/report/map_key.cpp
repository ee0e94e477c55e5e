// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_key.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <carom/report/map_words.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

// [px]
constexpr double sample_width = 22.;
constexpr double sample_height = 13.;
constexpr double indent = 30.;
constexpr double label_pitch = 17.;
constexpr double small_pitch = 14.;
constexpr double gap = 6.;
constexpr double small_size = 11.;

/// Of one layer "34 %"; of two or three in their order; of many from the least to the greatest.
std::string shares_text(const std::vector<double>& shares) {
  if (shares.empty()) return "";
  if (shares.size() == 1) return percent(shares[0]);
  if (shares.size() <= 3) {
    std::string text;
    for (const double share : shares) text += (text.empty() ? "" : ",  ") + percent(share);
    return text;
  }
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  const std::string a = percent(*least);
  const std::string b = percent(*most);
  return a == b ? a : a + " to " + b;
}

}  // namespace

std::vector<std::string> Key::small(const std::string& text) const {
  if (text.empty()) return {};
  return wrap(text, static_cast<std::size_t>((width_ - indent) / (0.53 * small_size)));
}

void Key::area(const KeyEntry& entry, const std::string& remark) {
  std::string meaning = entry.meaning == entry.label ? "" : entry.meaning;
  if (!remark.empty()) meaning += (meaning.empty() ? "" : "; ") + remark;
  rows_.push_back({.colour = entry.colour,
                   .label = entry.label,
                   .share = shares_text(entry.shares),
                   .meaning = small(meaning),
                   .dotted = false});
}

void Key::line(const study::BoundaryCurve& curve) {
  rows_.push_back({.colour = "",
                   .label = curve.name,
                   .share = "",
                   .meaning = small(curve.meaning),
                   .dotted = curve.kind == study::BoundaryKind::reference});
}

double Key::height() const {
  double sum = 0.;
  for (const Row& row : rows_) {
    sum += label_pitch + small_pitch * static_cast<double>(row.meaning.size()) + gap;
  }
  return std::max(0., sum - gap);
}

std::string Key::script(const Spot& corner, double page_width, double page_height) const {
  std::string text;
  const auto at = [&](double x, double y) {
    return fmt::format("screen {}, screen {}", share_text(x, page_width),
                       share_text(y, page_height));
  };
  double y = corner.y;
  for (const Row& row : rows_) {
    const double middle = y - 0.5 * label_pitch;
    if (row.colour.empty()) {
      text += fmt::format("set arrow from {} to {} nohead ls 1{}\n", at(corner.x, middle),
                          at(corner.x + sample_width, middle), row.dotted ? " dt (2,4)" : "");
    } else {
      text += fmt::format(
          "set object rectangle from {} to {} fc rgb \"{}\" fs solid border lc rgb \"#808080\"\n",
          at(corner.x, middle - 0.5 * sample_height),
          at(corner.x + sample_width, middle + 0.5 * sample_height), row.colour);
    }
    text +=
        fmt::format("set label {} at {} left\n", typeset(row.label), at(corner.x + indent, middle));
    if (!row.share.empty()) {
      text += fmt::format("set label {} at {} right tc rgb \"#404040\"\n", gnuplot_text(row.share),
                          at(corner.x + width_, middle));
    }
    y -= label_pitch;
    for (const std::string& line : row.meaning) {
      text += fmt::format("set label {} at {} left font \",{}\" tc rgb \"#404040\"\n",
                          typeset(line), at(corner.x + indent, y - 0.5 * small_pitch), small_size);
      y -= small_pitch;
    }
    y -= gap;
  }
  return text;
}

}  // namespace carom::report
