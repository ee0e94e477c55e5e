// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <carom/study/fit/and_list.hpp>
#include <carom/study/fit/soundness.hpp>

namespace carom::study::fit {

namespace {

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, unit);
}

std::string sizes(const Distribution& d) {
  std::string text = fmt::format("{:.3g} m/s", d.rms);
  if (std::isfinite(d.rms_of_spin)) {
    text += fmt::format(" ({:.3g} m/s if the spin alone is wrong)", d.rms_of_spin);
  }
  return text;
}

std::string fall(const Distribution& from, const Distribution& to) {
  std::string text = fmt::format("lowers the rms from {:.3g} to {:.3g} m/s", from.rms, to.rms);
  if (std::isfinite(from.rms_of_spin) && std::isfinite(to.rms_of_spin)) {
    text += fmt::format(" (from {:.3g} to {:.3g} m/s if the spin alone is wrong)", from.rms_of_spin,
                        to.rms_of_spin);
  }
  return text;
}

std::string ids(const MeasuredImpacts& data, const std::vector<RowSoundness>& rows,
                bool RowSoundness::*flag, bool value) {
  constexpr std::size_t most = 12;  // a line
  std::vector<std::string> told;
  std::size_t count = 0;
  for (const RowSoundness& row : rows) {
    if (row.*flag != value) continue;
    if (++count <= most) told.push_back(data.impacts[row.impact].id);
  }
  if (count > most) told.push_back(fmt::format("{} more", count - most));
  return and_list(told);
}

std::size_t count(const std::vector<RowSoundness>& rows, bool RowSoundness::*flag, bool value) {
  std::size_t n = 0;
  for (const RowSoundness& row : rows) n += row.*flag == value ? 1U : 0U;
  return n;
}

void tell_rows(const MeasuredImpacts& data, const Soundness& found,
               std::vector<std::string>& lines) {
  const auto tell = [&](bool RowSoundness::*flag, bool value, const std::string& what) {
    if (const std::size_t n = count(found.rows, flag, value); n > 0) {
      lines.push_back(fmt::format("{}: {} of {} rows: {}", what, n, found.rows.size(),
                                  ids(data, found.rows, flag, value)));
    }
  };
  tell(&RowSoundness::approaches, false, "The contact does not approach");
  tell(&RowSoundness::separates, false, "The contact does not separate afterwards");
  tell(&RowSoundness::gains_energy, true,
       fmt::format("Energy is gained, by more than {:g} deviations", found.options.threshold));
  tell(&RowSoundness::outlier, true,
       fmt::format("The imbalance is an outlier, above {:g} robust deviations ({:.3g} m/s)",
                   found.options.threshold, found.options.threshold * found.deviation));
}

void tell_signs(const Soundness& found, std::vector<std::string>& lines) {
  if (found.best_flip.columns.empty()) return;
  if (found.mending.empty()) {
    lines.push_back(fmt::format(
        "Signs: no flip mends the balance. The nearest, of {}, makes the rms {:.3g} m/s.",
        and_list(found.best_flip.columns), found.best_flip.imbalance.rms));
    return;
  }
  lines.push_back(fmt::format("Signs: flipping the sign of {} {}.",
                              and_list(found.mending.front().columns),
                              fall(found.imbalance, found.mending.front().imbalance)));
  for (std::size_t i = 1; i < found.mending.size(); ++i) {
    lines.push_back(fmt::format("  The balance cannot tell this from flipping {}.",
                                and_list(found.mending[i].columns)));
  }
}

/// Below this part of the rms a change is not worth a line.
constexpr double felt = 0.05;

const Distribution& with_signs(const Soundness& found) {
  return found.mending.empty() ? found.imbalance : found.mending.front().imbalance;
}

bool is_felt(const Soundness& found, const BodyChange& change) {
  return change.imbalance.rms < (1. - felt) * with_signs(found).rms;
}

std::string best_value(const BodyNumber& number, const BodyChange::Number& n) {
  constexpr double quantile_95 = 1.959963984540054;  // of the normal distribution, two-sided
  const double half = quantile_95 * n.error;
  std::string text = fmt::format("{} = {}", number.name, with_unit(n.best, number.unit));
  if (n.at_bound) {
    text += " (at its bound)";
  } else if (half > 0.) {
    text += fmt::format(" [{:.4g}, {:.4g}]", n.best - half, n.best + half);
  }
  text += fmt::format(" rather than {}", with_unit(number.value, number.unit));
  return text;
}

void tell_body(const MeasuredImpacts& data, const Soundness& found,
               std::vector<std::string>& lines) {
  const std::string_view when = found.mending.empty() ? "Body" : "Body, with that sign flipped";
  for (const BodyChange& change : found.alone) {
    const BodyChange::Number& n = change.numbers.front();
    const BodyNumber& number = data.body[n.number];
    if (number.value == 0. && !is_felt(found, change)) continue;
    lines.push_back(is_felt(found, change)
                        ? fmt::format("{}: {} {}.", when, best_value(number, n),
                                      fall(with_signs(found), change.imbalance))
                        : fmt::format("{}: {} fits best, but hardly lowers the rms.", when,
                                      best_value(number, n)));
  }
  for (const BodyChange& change : found.together) {
    if (!is_felt(found, change)) continue;
    std::vector<std::string> values;
    bool determined = true;
    for (const BodyChange::Number& n : change.numbers) {
      values.push_back(best_value(data.body[n.number], n));
      determined = determined && (n.error > 0. || n.at_bound);
    }
    if (!determined) {
      values.clear();
      for (const BodyChange::Number& n : change.numbers) {
        values.push_back(data.body[n.number].name);
      }
    }
    lines.push_back(fmt::format("{}: changing {} together {}{}", when, and_list(values),
                                fall(with_signs(found), change.imbalance),
                                determined ? "." : ", but the data do not determine all of them."));
  }
}

}  // namespace

std::vector<std::string> words(const MeasuredImpacts& data, const Soundness& found) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format(
      "Velocity change that no impulse at the contact can produce, over {} rows: rms {}",
      found.rows.size(), sizes(found.imbalance)));
  lines.push_back(fmt::format(
      "  median {:.3g}, 90 % below {:.3g}, largest {:.3g} m/s; robust "
      "deviation {:.3g} m/s",
      found.imbalance.median, found.imbalance.p90, found.imbalance.largest, found.deviation));
  tell_rows(data, found, lines);
  tell_signs(found, lines);
  tell_body(data, found, lines);
  return lines;
}

}  // namespace carom::study::fit
