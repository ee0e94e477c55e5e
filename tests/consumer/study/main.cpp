// SPDX-License-Identifier: Apache-2.0
// Reads a scenario file, asks every law that applies, and says how far they part.
#include <algorithm>
#include <cstdio>
#include <string>

#include <carom/study.hpp>

int main(int argc, char** argv) {
  try {
    const auto scenario = carom::scenario::read(argc > 1 ? argv[1] : "bar.toml");
    const auto comparison = carom::study::compare_laws(scenario);
    double least = comparison.answers.front().outcome.energy.change;
    double most = least;
    for (const carom::study::Answer& answer : comparison.answers) {
      const carom::Outcome& outcome = answer.outcome;
      std::printf("%-20s  energy %.4f J, %s\n", std::string(answer.law->name).c_str(),
                  outcome.energy.change, name(outcome.verdict()).data());
      least = std::min(least, outcome.energy.change);
      most = std::max(most, outcome.energy.change);
    }
    std::printf("they part by %.4f J\n", most - least);
    return 0;
  } catch (const carom::InputError& e) {  // file:line:column, the key, what is allowed
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
