// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/surface.hpp>

#include <string>

#include <carom/core/error.hpp>

namespace carom {
namespace {

constexpr double most_friction = 1e60;  // as for all magnitudes, see planar_problem.hpp

std::string path(std::string_view prefix, std::string_view key) {
  return std::string(prefix) + "." + std::string(key);
}

}  // namespace

// Each test is written so that NaN fails it.
void validate(const Surface& s, std::string_view prefix) {
  if (!(s.restitution >= 0. && s.restitution <= 1.)) {
    throw InputError(path(prefix, "restitution"), s.restitution, "in [0, 1]");
  }
  if (!(s.friction >= 0. && s.friction <= most_friction)) {
    throw InputError(path(prefix, "friction"), s.friction, "in [0, 1e60]");
  }
  if (!(s.static_friction >= s.friction && s.static_friction <= most_friction)) {
    throw InputError(path(prefix, "static_friction"), s.static_friction,
                     "in [friction, 1e60], friction being " + shortest(s.friction));
  }
  if (!(s.tangential_restitution >= 0. && s.tangential_restitution <= 1.)) {
    throw InputError(path(prefix, "tangential_restitution"), s.tangential_restitution, "in [0, 1]");
  }
}

}  // namespace carom
