// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/motion/present.hpp>

namespace carom::motion {

/// The error that is allowed in a step of a quarter of the reference time, for each entry of y.
class ErrorScales {
 public:
  ErrorScales(const Setting& setting, const CompliantContacts& compliant, const Present& now);

  /// From the present, which is looked at.
  void set();
  [[nodiscard]] const std::vector<double>& allowed() const { return allowed_; }
  /// The factor on allowed() for a step of length h.
  [[nodiscard]] double part_of(double h) const;

 private:
  const Setting& setting_;
  const CompliantContacts& compliant_;
  const Present& now_;
  std::vector<double> allowed_;
  State unit_;
  Vector q_rate_;
};

}  // namespace carom::motion
