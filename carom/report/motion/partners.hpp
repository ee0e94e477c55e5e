// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <carom/scenario/motion/reader.hpp>

/// The bodies of a drawing, and which of them take part in a contact.
namespace carom::report {

/// Outlines that a body carries, in the order in which bodies are first named.
struct PlanarBody {
  std::string name;
  std::vector<const scenario::PlanarOutline*> outlines;
};

[[nodiscard]] std::vector<PlanarBody> planar_bodies(const scenario::Drawing& drawing);

/// Which velocities move which body, and from that which bodies take part in a contact.
class Partners {
 public:
  /// @param scenario  must outlive it
  explicit Partners(const scenario::MotionScenario& scenario);

  /// Names of the bodies, in the order of the drawing.
  [[nodiscard]] std::vector<std::string> of(const ContactId& contact);

 private:
  const scenario::MotionScenario& scenario_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::size_t>> moves_;  ///< velocities, by body
  ContactMotion contact_;
};

}  // namespace carom::report
