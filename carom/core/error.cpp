// SPDX-License-Identifier: Apache-2.0
#include <carom/core/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace carom {

std::string shortest(double value) {
  char text[32];
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

InputError::InputError(std::string field, std::string problem, std::string where)
    : field_(std::move(field)), problem_(std::move(problem)), where_(std::move(where)) {
  if (!where_.empty()) text_ += where_ + ": ";
  if (!field_.empty()) text_ += field_ + ": ";
  text_ += problem_;
}

InputError::InputError(std::string field, double value, std::string_view allowed)
    : InputError(std::move(field), "must be " + std::string(allowed) + ", got " + shortest(value)) {
}

}  // namespace carom
