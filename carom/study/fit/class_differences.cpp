// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/class_differences.hpp>

#include <array>
#include <numeric>

namespace carom::study::fit {

const std::vector<double>& judged_errors(const FittedModel& model) {
  return model.validated.empty() ? model.errors : model.validated;
}

const FittedModel& reference_of(const Ranking& ranking) {
  for (const FittedModel& f : ranking.models) {
    if (f.model.name == ranking.reference) return f;
  }
  return ranking.models.front();
}

std::vector<ClassDifferences> class_differences(const MeasuredImpacts& data, const Ranking& ranking,
                                                std::span<const Classified> classes,
                                                std::uint64_t seed) {
  constexpr std::array all{SlipClass::goes_on, SlipClass::stops, SlipClass::reverses,
                           SlipClass::no_slip};
  const FittedModel& reference = reference_of(ranking);
  std::vector<ClassDifferences> found;
  for (const SlipClass kind : all) {
    ClassDifferences c{.kind = kind, .members = {}, .uncertain = 0, .models = {}};
    std::vector<std::size_t> impacts;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i].kind != kind) continue;
      c.members.push_back(i);
      c.uncertain += classes[i].depends_on_restitution ? 1U : 0U;
      impacts.push_back(ranking.impacts[i]);
    }
    if (c.members.empty()) continue;
    const auto part = [&](const FittedModel& f) {
      std::vector<double> errors;
      for (const std::size_t i : c.members) errors.push_back(judged_errors(f)[i]);
      return errors;
    };
    const std::vector<double> of_reference = part(reference);
    for (const FittedModel& f : ranking.models) {
      const std::vector<double> errors = part(f);
      ModelInClass m{.model = &f,
                     .error = std::accumulate(errors.begin(), errors.end(), 0.) /
                              static_cast<double>(errors.size())};
      if (&f != &reference) {
        m.difference = paired_difference(data, impacts, errors, of_reference, seed);
      }
      c.models.push_back(m);
    }
    found.push_back(std::move(c));
  }
  return found;
}

}  // namespace carom::study::fit
