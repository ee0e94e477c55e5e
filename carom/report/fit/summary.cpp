// SPDX-License-Identifier: Apache-2.0
#include <carom/report/fit/summary.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <carom/core/error.hpp>

namespace carom::report {
namespace {

using study::fit::FittedModel;
using study::fit::Parameter;

std::string rows(std::size_t n) { return fmt::format("{} row{}", n, n == 1 ? "" : "s"); }

/// "1031 rows fitted; left out: 905 with flag = 1"
std::string used(const FitReport& r) {
  std::string text = rows(r.ranking.impacts.size()) + " fitted";
  std::map<std::string, std::size_t> reasons;
  for (const auto& impact : r.data.impacts) {
    if (!impact.left_out.empty()) ++reasons[impact.left_out];
  }
  std::string left_out;
  for (const auto& [why, n] : reasons) {
    left_out += fmt::format("{}{} with {}", left_out.empty() ? "" : ", ", n, why);
  }
  const std::size_t unreadable = r.data.unreadable.size();
  if (unreadable > 0) {
    left_out += fmt::format("{}{} that cannot be read", left_out.empty() ? "" : ", ", unreadable);
  }
  if (!left_out.empty()) text += "; left out: " + left_out;
  return text;
}

std::string loss_words(const FitReport& r) {
  return r.options.loss == study::fit::Loss::huber
             ? fmt::format("huber (square below {})", figure(r.options.huber))
             : std::string(name(r.options.loss));
}

std::string value_of(const FittedModel& f, std::size_t k) {
  const Parameter& p = f.parameters.list[k];
  std::string text = fmt::format("{} = {:.4g}", p.name, f.minimum.p[k]);
  if (!p.unit.empty()) text += " " + p.unit;
  if (f.minimum.undetermined[k]) {
    text += " (not determined)";
  } else if (f.minimum.at_low[k] || f.minimum.at_high[k]) {
    text += " (at its bound)";
  }
  return text;
}

std::string interval(const study::fit::Difference& d) {
  return fmt::format("{:+.4f} [{:+.4f}, {:+.4f}]", d.mean, d.low, d.high);
}

/// A table of text with columns as wide as they must be.
std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> width(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], line[c].size());
  }
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = fmt::format("{:<{}}", lines[i][0], width[0]);
    for (std::size_t c = 1; c < lines[i].size(); ++c) {
      line += fmt::format("  {:>{}}", lines[i][c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    if (i == 0) {
      std::size_t total = 0;
      for (const std::size_t w : width) total += w + 2;
      out += std::string(total - 2, '-') + "\n";
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> fit_notes(const FittedModel& f) {
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    const Parameter& p = f.parameters.list[k];
    if (f.minimum.undetermined[k]) {
      notes.push_back(
          fmt::format("the data do not determine {}: no prediction depends on it", p.name));
    } else if (f.minimum.at_low[k] || f.minimum.at_high[k]) {
      notes.push_back(fmt::format("{} is at its {} bound, {}", p.name,
                                  f.minimum.at_low[k] ? "lower" : "upper",
                                  figure(f.minimum.at_low[k] ? p.low : p.high)));
    }
  }
  for (const std::string& note : f.model.notes) notes.push_back(note);
  if (f.without_answer > 0) {
    notes.push_back(
        fmt::format("no solution for {}; the velocities before stand in", rows(f.without_answer)));
  }
  return notes;
}

std::string fit_summary(const FitReport& r, const Page& page) {
  std::string out;
  if (!r.request.title.empty()) out += r.request.title + "\n";
  out += fmt::format("{}: {}\n", r.data.name, used(r));
  out += fmt::format("loss {}; error: |predicted - measured| after over |measured| before",
                     loss_words(r));
  const double k2 = *std::ranges::max_element(r.data.metric);
  const double least = *std::ranges::min_element(r.data.metric);
  const double k = std::sqrt(least < 1. ? least : k2);
  if (k != 1.) out += fmt::format(", spins times k = {} m", figure(k));
  out += "\n\n";

  const bool validated = r.folds > 0;
  std::vector<std::vector<std::string>> lines{{"model", "error"}};
  if (validated) lines[0].push_back(fmt::format("{}-fold", r.folds));
  const bool several = validated && r.ranking.models.size() > 1;
  constexpr std::size_t short_name = 24;
  const bool is_short = r.ranking.reference.size() <= short_name;
  if (several) {
    lines[0].push_back(
        fmt::format("minus {} [95 %]", is_short ? r.ranking.reference : "reference"));
  }
  for (const FittedModel& f : r.ranking.models) {
    std::vector<std::string> line{f.model.name, fmt::format("{:.4f}", f.minimum.mean_error)};
    if (validated) line.push_back(fmt::format("{:.4f}", f.validated_error));
    if (several) line.push_back(f.difference ? interval(*f.difference) : "");
    lines.push_back(std::move(line));
  }
  out += aligned(lines);
  if (several && !is_short) out += "reference: " + r.ranking.reference + "\n";
  out += "\n";
  for (const FittedModel& f : r.ranking.models) {
    std::string text = f.model.name + ": ";
    for (std::size_t i = 0; i < f.parameters.size(); ++i) {
      text += (i == 0 ? "" : ", ") + value_of(f, i);
    }
    if (f.parameters.size() == 0) text += "nothing is fitted";
    for (const std::string& note : fit_notes(f)) text += "; " + note;
    const auto wrapped = wrap(text, page.width - 2);
    for (std::size_t i = 0; i < wrapped.size(); ++i) {
      out += (i == 0 ? "" : "  ") + wrapped[i] + "\n";
    }
  }
  return out;
}

}  // namespace carom::report
