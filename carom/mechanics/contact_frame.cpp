// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/contact_frame.hpp>

#include <cmath>

#include <carom/core/error.hpp>

namespace carom {
namespace {

constexpr double six_digits = 1e-6;

World3 unit_already(const World3& v, const std::string& field) {
  require_finite(v, field);
  const double size = length(v);
  if (!(std::abs(size - 1.) <= six_digits)) {
    throw InputError(field, "must have length 1, got " + shortest(size));
  }
  return {v[0] / size, v[1] / size, v[2] / size};
}

/// @param n  of length 1
ContactFrame completed(const World3& n, const World3& along, const std::string& field) {
  const double part = dot(n, along);
  const World3 projection{along[0] - part * n[0], along[1] - part * n[1], along[2] - part * n[2]};
  ContactFrame f{.normal = n, .tangent1 = unit(projection, field), .tangent2 = {}};
  f.tangent2 = cross(f.normal, f.tangent1);
  return f;
}

}  // namespace

ContactFrame frame_of(const World3& normal) {
  const World3 n = unit(normal, "normal");
  return completed(n, std::abs(n[0]) <= 0.9 ? World3{1., 0., 0.} : World3{0., 1., 0.}, "");
}

ContactFrame frame_of(const World3& normal, const World3& tangent) {
  const World3 n = unit(normal, "normal");
  const World3 t = unit(tangent, "tangent");
  if (!(std::abs(dot(n, t)) <= 1. - six_digits)) {
    throw InputError("tangent", "must not lie along the normal");
  }
  return completed(n, t, "tangent");
}

ContactFrame checked(const ContactFrame& frame, const std::string& prefix) {
  const World3 n = unit_already(frame.normal, prefix + "normal");
  const World3 t1 = unit_already(frame.tangent1, prefix + "tangent1");
  if (!(std::abs(dot(n, t1)) <= six_digits)) {
    throw InputError(prefix + "tangent1", "must be perpendicular to the normal");
  }
  const World3 t2 = unit_already(frame.tangent2, prefix + "tangent2");
  const ContactFrame exact = completed(n, t1, prefix + "tangent1");
  const double hand = dot(exact.tangent2, t2);
  if (!(hand >= 1. - six_digits)) {
    throw InputError(prefix + "tangent2",
                     hand <= -1. + six_digits
                         ? "must be normal x tangent1 (a right-handed frame), got its opposite"
                         : "must be normal x tangent1");
  }
  return exact;
}

Vec3 in_frame(const ContactFrame& f, const World3& w) {
  return {.n = dot(f.normal, w), .t1 = dot(f.tangent1, w), .t2 = dot(f.tangent2, w)};
}

World3 in_world(const ContactFrame& f, const Vec3& v) {
  World3 w{};
  for (std::size_t k = 0; k < 3; ++k) {
    w[k] = v.n * f.normal[k] + v.t1 * f.tangent1[k] + v.t2 * f.tangent2[k];
  }
  return w;
}

}  // namespace carom
