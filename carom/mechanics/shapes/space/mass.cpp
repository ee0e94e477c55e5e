// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/space/mass.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>

namespace carom::shapes::space {
namespace {

using std::numbers::pi;

MassMoments diagonal(double volume, double x, double y, double z) {
  return {.volume = volume, .spread = {{{x, 0., 0.}, {0., y, 0.}, {0., 0., z}}}};
}

/// A part of a symmetric solid: its volume and the mean square of a coordinate.
struct Part {
  double volume;
  double square;
};

double mean_square(std::initializer_list<Part> parts) {
  double volume = 0., sum = 0.;
  for (const Part& p : parts) {
    volume += p.volume;
    sum += p.volume * p.square;
  }
  return sum / volume;
}

// Along an axis with half core a, others b and c, rounding r: the core with the slabs, quarter
// cylinders on its sides; and what lies beyond +-a: slabs, quarter cylinders, eighths of a sphere.
// A quarter disc has its centroid at 4 r/(3 pi) and the mean square r^2/4, an eighth of a sphere
// 3 r/8 and r^2/5.
double box_square(double a, double b, double c, double r) {
  const double quarter = a * a + 2. * a * (4. * r / (3. * pi)) + r * r / 4.;
  return mean_square({{.volume = 8. * a * b * c + 8. * a * r * (b + c) + 2. * a * pi * r * r,
                       .square = a * a / 3.},
                      {.volume = 8. * b * c * r, .square = a * a + a * r + r * r / 3.},
                      {.volume = 2. * pi * r * r * (b + c), .square = quarter},
                      {.volume = 4. / 3. * pi * r * r * r,
                       .square = a * a + 2. * a * (3. * r / 8.) + r * r / 5.}});
}

MassMoments moments(const Box& s) {
  const double r = s.rounding;
  const double a = 0.5 * s.size[0] - r, b = 0.5 * s.size[1] - r, c = 0.5 * s.size[2] - r;
  const double volume = 8. * a * b * c + 8. * r * (a * b + b * c + c * a) +
                        2. * pi * r * r * (a + b + c) + 4. / 3. * pi * r * r * r;
  return diagonal(volume, box_square(a, b, c, r), box_square(b, c, a, r), box_square(c, a, b, r));
}

MassMoments moments(const Sphere& s) {
  const double x = 0.2 * s.radius * s.radius;
  return diagonal(4. / 3. * pi * s.radius * s.radius * s.radius, x, x, x);
}

// A core of radius R and half length h; slabs on its ends, a tube about it, and the quarter disc of
// radius r turned about the axis at distance R, at both ends. Over that quarter disc, x outward and
// z along the axis: 2 pi int (R + x) f dx dz with int 1 = pi r^2/4, int x = r^3/3, int x^2 = pi
// r^4/16, int x^3 = 2 r^5/15, int x z = r^4/8, int x z^2 = r^5/15.
MassMoments moments(const Cylinder& s) {
  const double r = s.rounding, R = s.radius - r, h = 0.5 * s.length - r;
  const double r2 = r * r, r3 = r2 * r, r4 = r2 * r2, r5 = r4 * r;
  const double core = 2. * h * pi * R * R, slabs = 2. * r * pi * R * R;
  const double tube = 2. * h * pi * r * (2. * R + r);
  const double ring = 4. * pi * (R * pi * r2 / 4. + r3 / 3.);  // both ends
  const double ring_out =
      4. * pi * (R * R * R * pi * r2 / 4. + R * R * r3 + 3. * R * pi * r4 / 16. + 2. * r5 / 15.);
  const double ring_up = 4. * pi *
                         (h * h * (R * pi * r2 / 4. + r3 / 3.) + 2. * h * (R * r3 / 3. + r4 / 8.) +
                          R * pi * r4 / 16. + r5 / 15.);
  const double outer = R + r;
  const double volume = core + slabs + tube + ring;
  const double out =
      ((core + slabs) * R * R / 2. + tube * (R * R + outer * outer) / 2. + ring_out) / volume;
  const double up =
      ((core + tube) * h * h / 3. + slabs * (h * h + h * r + r2 / 3.) + ring_up) / volume;
  return diagonal(volume, 0.5 * out, 0.5 * out, up);
}

MassMoments moments(const Capsule& s) {
  const double r = s.radius, h = 0.5 * s.length;
  const double tube = 2. * h * pi * r * r, caps = 4. / 3. * pi * r * r * r;
  const double x = mean_square({{tube, r * r / 4.}, {caps, r * r / 5.}});
  const double z =
      mean_square({{tube, h * h / 3.}, {caps, h * h + 2. * h * (3. * r / 8.) + r * r / 5.}});
  return diagonal(tube + caps, x, x, z);
}

MassMoments moments(const Disc& s) {
  const double x = s.radius * s.radius / 4.;
  return diagonal(0., x, x, 0.);
}

MassMoments moments(const Rod& s) { return diagonal(0., 0., 0., s.length * s.length / 12.); }

MassMoments moments(const Cone& s) {
  const double x = 3. * s.radius * s.radius / 20.;
  return diagonal(pi * s.radius * s.radius * s.height / 3., x, x, 3. * s.height * s.height / 80.);
}

MassMoments moments(const Polyhedron& s) {
  return mass_of(shape_of(Polyhedron{.vertices = s.vertices}).core);
}

MassMoments moments(const HalfSpace&) { throw InputError("", "a half space has no mass"); }

Mat3 principal(double x, double y, double z) { return {{{x, 0., 0.}, {0., y, 0.}, {0., 0., z}}}; }

Mat3 inertia(const Sphere& s, double m) {
  const double I = 0.4 * m * s.radius * s.radius;
  return principal(I, I, I);
}

Mat3 inertia(const Box& s, double m) {
  if (s.rounding > 0.) return inertia_of(mass_of(Solid(s)), m);
  const double x = s.size[0] * s.size[0], y = s.size[1] * s.size[1], z = s.size[2] * s.size[2];
  return principal(m * (y + z) / 12., m * (x + z) / 12., m * (x + y) / 12.);
}

Mat3 inertia(const Cylinder& s, double m) {
  if (s.rounding > 0.) return inertia_of(mass_of(Solid(s)), m);
  const double r2 = s.radius * s.radius;
  const double across = m * (r2 / 4. + s.length * s.length / 12.);
  return principal(across, across, m * r2 / 2.);
}

Mat3 inertia(const Capsule& s, double m) {
  const double r = s.radius, h = s.length;
  const double caps = 4. * r / 3.;  // volumes over pi r^2
  const double m_cylinder = m * h / (h + caps);
  const double m_caps = m * caps / (h + caps);
  const double across = m_cylinder * (r * r / 4. + h * h / 12.) +
                        m_caps * (0.4 * r * r + h * h / 4. + 3. * h * r / 8.);
  return principal(across, across, m_cylinder * r * r / 2. + m_caps * 0.4 * r * r);
}

Mat3 inertia(const Rod& s, double m) {
  const double across = m * s.length * s.length / 12.;
  return principal(across, across, 0.);
}

Mat3 inertia(const Disc& s, double m) {
  const double across = m * s.radius * s.radius / 4.;
  return principal(across, across, 2. * across);
}

template <class Other>  // cone, polyhedron
Mat3 inertia(const Other& s, double m) {
  return inertia_of(mass_of(Solid(s)), m);
}

}  // namespace

// Over a tetrahedron with a corner at the origin and others a, b, c: volume V = a.(b x c)/6, int x
// = V s/4 with s = a + b + c, int x x^T = V/20 (a a^T + b b^T + c c^T + s s^T).
MassMoments mass_of(const Polytope& t) {
  const V3 origin = t.vertices.front();
  const auto entries = [](const V3& v) { return std::array{v.x, v.y, v.z}; };
  MassMoments m;
  V3 first{};
  for (const Face& f : t.faces) {
    const auto corners = t.corners(f);
    const V3 a = t.vertices[corners[0].vertex] - origin;
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
      const V3 b = t.vertices[corners[k].vertex] - origin;
      const V3 c = t.vertices[corners[k + 1].vertex] - origin;
      const V3 s = a + b + c;
      const double V = dot(a, cross(b, c)) / 6.;
      m.volume += V;
      first = first + (V / 4.) * s;
      const auto A = entries(a), B = entries(b), C = entries(c), sum = entries(s);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          m.spread[i][j] += V / 20. * (A[i] * A[j] + B[i] * B[j] + C[i] * C[j] + sum[i] * sum[j]);
        }
      }
    }
  }
  const V3 mean = (1. / m.volume) * first;
  const auto c = entries(mean);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m.spread[i][j] = m.spread[i][j] / m.volume - c[i] * c[j];
  }
  m.centroid = origin + mean;
  return m;
}

MassMoments mass_of(const Solid& solid, const std::string& prefix) {
  static_cast<void>(shape_of(solid, {}, prefix));  // refuses wrong lengths
  return std::visit([](const auto& s) { return moments(s); }, solid);
}

Mat3 inertia_of(const MassMoments& m, double mass) {
  Mat3 I{};
  const double trace = m.spread[0][0] + m.spread[1][1] + m.spread[2][2];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      I[i][j] = mass * ((i == j ? trace : 0.) - m.spread[i][j]);
    }
  }
  return I;
}

Mat3 inertia_of(const Solid& solid, double mass) {
  return std::visit([&](const auto& s) { return inertia(s, mass); }, solid);
}

}  // namespace carom::shapes::space
