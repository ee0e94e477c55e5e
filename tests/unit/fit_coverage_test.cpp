// SPDX-License-Identifier: Apache-2.0
// Do 95 % intervals cover the truth in 95 of 100 synthetic data sets? CAROM_FIT_SETS sets the
// number of sets; `./test --long` asks for 400.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include <carom/study/fit/estimation_of.hpp>
#include <carom/study/fit/intervals.hpp>
#include <carom/study/parallel.hpp>
#include <support/synthetic_impacts.hpp>

namespace carom::study::fit {
namespace {

std::size_t sets_asked() {
  const char* asked = std::getenv("CAROM_FIT_SETS");
  constexpr std::size_t few = 24;  // seconds
  return asked == nullptr ? few : static_cast<std::size_t>(std::atoi(asked));
}

using CoversTruth = std::vector<bool> (*)(const test::Synthetic& s, std::uint64_t set);

/// A set, and its fit by least squares.
struct Fitted {
  MeasuredImpacts data;
  Objective objective;
  Estimation fit;
  Estimate best;

  Fitted(const test::Synthetic& s, std::uint64_t set)
      : data(test::synthetic_impacts(s, set)),
        objective(data, find_law(s.law, "law"), test::parameters_of(s)) {
    const auto rows = data.fitted();
    const MinimiseOptions options{.loss = Loss::least_squares};
    fit = estimation_of(objective, rows, options);
    best = estimate_of(minimise(objective, rows, options), rows.size(), options);
  }
  Fitted(const Fitted&) = delete;  // the fit refers to the objective, which refers to the data
  Fitted& operator=(const Fitted&) = delete;
  ~Fitted() = default;
};

std::vector<bool> by_profile(const test::Synthetic& s, std::uint64_t set) {
  const Fitted f(s, set);
  const Covariance covariance = gauss_newton_covariance(f.fit, f.best);
  std::vector<bool> covers;
  for (std::size_t j = 0; j < s.truth.size(); ++j) {
    covers.push_back(profile_interval(f.fit, f.best, covariance, j).interval.contains(s.truth[j]));
  }
  return covers;
}

std::vector<bool> by_bootstrap(const test::Synthetic& s, std::uint64_t set) {
  const Fitted f(s, set);
  const Bootstrap boot = bootstrap(f.fit, f.best, {.replicas = 100, .seed = set, .threads = 1});
  std::vector<bool> covers;
  for (std::size_t j = 0; j < s.truth.size(); ++j) {
    covers.push_back(boot.intervals[j].contains(s.truth[j]));
  }
  return covers;
}

/// The shares of sets whose interval covers the truth, one for each parameter; printed.
std::vector<double> coverage(const test::Synthetic& s, std::size_t sets, CoversTruth covers) {
  std::vector<std::vector<bool>> found(sets);
  parallel_blocks(sets, 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) found[i] = covers(s, i);
  });
  std::vector<double> shares;
  for (std::size_t j = 0; j < s.truth.size(); ++j) {
    const auto count =
        std::count_if(found.begin(), found.end(), [&](const auto& f) { return f[j]; });
    shares.push_back(static_cast<double>(count) / static_cast<double>(sets));
    std::printf("%s, %s: covers %.1f %% of %zu\n", s.law.c_str(), s.parameters[j].c_str(),
                100. * shares.back(), sets);
  }
  return shares;
}

class Coverage : public testing::TestWithParam<test::Synthetic> {};

TEST_P(Coverage, OfProfilesIsThatPromised) {
  // Of 400 sets 92 to 98 % is wanted. Of fewer, n, a count below that would be seen by chance once
  // in 10^4: 0.95 - 3.7 root(0.95 0.05/n). All may cover.
  // `compliant` searches for events, and takes as long as the others together.
  const std::size_t sets =
      GetParam().law == "compliant" && sets_asked() < 100 ? sets_asked() / 4 : sets_asked();
  const double chance = 3.7 * std::sqrt(0.95 * 0.05 / static_cast<double>(sets));
  for (const double share : coverage(GetParam(), sets, by_profile)) {
    EXPECT_GE(share, sets >= 400 ? 0.92 : 0.95 - chance);
    EXPECT_LE(share, sets >= 400 ? 0.98 : 1.);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, Coverage,
    testing::Values(test::Synthetic{"newton", {"restitution", "friction"}, {0.6, 0.2}},
                    test::Synthetic{"poisson", {"restitution", "friction"}, {0.6, 0.2}},
                    test::Synthetic{"energetic", {"restitution", "friction"}, {0.6, 0.2}},
                    test::Synthetic{"moreau",
                                    {"restitution", "friction", "tangential_restitution"},
                                    {0.6, 0.2, 0.3}},
                    test::Synthetic{"compliant",
                                    {"restitution", "friction", "compliance_ratio"},
                                    {0.6, 0.2, 0.4}}),
    [](const auto& info) { return info.param.law; });

// The law jumps as its coefficients change: no profile, and what the bootstrap covers is reported
// rather than promised. It must not be far off: half of what is wanted would be an error.
TEST(CoverageOfJumps, OfTheBootstrapIsReported) {
  const test::Synthetic s{"conventional", {"restitution", "friction"}, {0.6, 0.2}};
  for (const double share : coverage(s, std::max<std::size_t>(sets_asked() / 4, 6), by_bootstrap)) {
    EXPECT_GE(share, 0.5);
  }
}

}  // namespace
}  // namespace carom::study::fit
