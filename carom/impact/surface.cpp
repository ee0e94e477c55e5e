// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/surface.hpp>

#include <cmath>
#include <string>

#include <carom/core/error.hpp>

namespace carom {
namespace {

constexpr double most = 1e60;  // as for all magnitudes, see planar_problem.hpp
// Beyond these the number of times that a slider stops and starts is out of proportion.
constexpr double least_compliance = 1e-9;
constexpr double most_compliance = 1e9;

std::string path(std::string_view prefix, std::string_view key) {
  return std::string(prefix) + "." + std::string(key);
}

}  // namespace

// Each test is written so that NaN fails it.
void validate(const Surface& s, std::string_view prefix, Release release) {
  const bool may_release = release == Release::allowed;
  if (!(s.restitution >= 0. && s.restitution <= (may_release ? most : 1.))) {
    throw InputError(path(prefix, "restitution"), s.restitution,
                     may_release && s.restitution > 1. ? "at most 1e60" : "in [0, 1]");
  }
  if (!(s.friction >= 0. && s.friction <= most)) {
    throw InputError(path(prefix, "friction"), s.friction, "in [0, 1e60]");
  }
  if (!(s.static_friction >= s.friction && s.static_friction <= most)) {
    throw InputError(path(prefix, "static_friction"), s.static_friction,
                     "in [friction, 1e60], friction being " + shortest(s.friction));
  }
  if (!(s.tangential_restitution >= 0. && s.tangential_restitution <= 1.)) {
    throw InputError(path(prefix, "tangential_restitution"), s.tangential_restitution, "in [0, 1]");
  }
  if (!(s.compliance_ratio >= least_compliance && s.compliance_ratio <= most_compliance)) {
    throw InputError(path(prefix, "compliance_ratio"), s.compliance_ratio, "in [1e-9, 1e9]");
  }
  if (s.impulse_ratio && !(std::abs(*s.impulse_ratio) <= most)) {
    throw InputError(path(prefix, "impulse_ratio"), *s.impulse_ratio, "in [-1e60, 1e60]");
  }
  if (s.tangential_coefficient && !(std::abs(*s.tangential_coefficient) <= most)) {
    throw InputError(path(prefix, "tangential_coefficient"), *s.tangential_coefficient,
                     "in [-1e60, 1e60]");
  }
  if (s.impulse_ratio && s.tangential_coefficient) {
    throw InputError(path(prefix, "tangential_coefficient"),
                     "must not stand beside impulse_ratio: one follows from the other");
  }
  if (!(s.moment_coefficient >= -1. && s.moment_coefficient <= 1.)) {
    throw InputError(path(prefix, "moment_coefficients"), s.moment_coefficient, "in [-1, 1]");
  }
}

}  // namespace carom
