// SPDX-License-Identifier: Apache-2.0
#include <carom/core/nearest.hpp>

#include <algorithm>
#include <vector>

namespace carom {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Damerau's distance by rows: two letters swapped count once.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      const bool swapped =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && a[i - 1] != b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t longest_worth_comparing = 64;
  std::string_view best;
  constexpr std::size_t letters_a_slip = 3;  // of a longer word more may be wrong
  std::size_t least = std::max<std::size_t>(1, word.size() / letters_a_slip) + 1;
  if (word.size() <= longest_worth_comparing) {
    for (const std::string_view candidate : known) {
      const std::size_t d = edit_distance(word, candidate);
      if (d < least) {
        least = d;
        best = candidate;
      }
    }
  }
  // Nothing near: a part of a name may be meant, "angle" for "angle_deg".
  constexpr std::size_t shortest_part = 4;
  if (best.empty() && word.size() >= shortest_part) {
    const auto holds = [&](std::string_view candidate) {
      return candidate.find(word) != std::string_view::npos;
    };
    if (std::count_if(known.begin(), known.end(), holds) == 1) {
      best = *std::find_if(known.begin(), known.end(), holds);
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view best = nearest(word, known);
  if (!best.empty()) return "; did you mean '" + std::string(best) + "'?";
  if (known.empty()) return "";
  std::string text = "; known: ";
  for (std::size_t i = 0; i < known.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::string(known[i]);
  }
  return text;
}

}  // namespace carom
