// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/free_body.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/study/fit/measured_scenario.hpp>

namespace carom::study::fit {
namespace {

using scenario::FitRequest;
using scenario::SystemNumber;

/// A number of a body: the key in [system] and the name of each entry.
struct Key {
  std::string_view key;
  std::vector<std::string_view> names;
  std::string_view unit;
  std::optional<double> fallback;  ///< none: it is required
  bool positive = false;
  /// Bounds of a fit: for what is positive these factors of the given number; for lengths that may
  /// be zero these fractions of the body's size.
  std::array<double, 2> range{0.25, 4.};
};

const std::vector<Key>& keys_in_the_plane() {
  static const std::vector<Key> keys{
      {"mass", {"mass"}, "kg", {}, true},
      {"radius_of_gyration", {"radius_of_gyration"}, "m", {}, true},
      {"mass_centre", {"mass_centre_x", "mass_centre_y"}, "m", 0., false, {-1., 1.}},
      {"contact_offset", {"contact_offset_x", "contact_offset_y"}, "m", 0., false, {-1., 1.}},
      {"corner_radius", {"corner_radius"}, "m", 0., false, {0., 1.}},
      {"half_width", {"half_width"}, "m", std::numeric_limits<double>::infinity(), true}};
  return keys;
}

const std::vector<Key>& keys_in_space() {
  static const std::vector<Key> keys{
      {"mass", {"mass"}, "kg", {}, true},
      {"inertia", {"inertia"}, "kg m^2", {}, true},
      {"mass_centre",
       {"mass_centre_x", "mass_centre_y", "mass_centre_z"},
       "m",
       0.,
       false,
       {-1., 1.}},
      {"contact_offset",
       {"contact_offset_x", "contact_offset_y", "contact_offset_z"},
       "m",
       0.,
       false,
       {-1., 1.}},
      {"corner_radius", {"corner_radius"}, "m", 0., false, {0., 1.}},
      {"half_width", {"half_width"}, "m", std::numeric_limits<double>::infinity(), true},
      {"length_scale", {"length_scale"}, "", 1., true, {0.5, 2.}}};
  return keys;
}

bool in_plane(const FitRequest& r) { return r.system_type == "plane-body"; }

const SystemNumber* find(const FitRequest& r, std::string_view key) {
  const auto at = std::ranges::find(r.system, key, &SystemNumber::key);
  return at == r.system.end() ? nullptr : &*at;
}

/// The numbers of the body as [system] gives them.
std::vector<BodyNumber> read_body(const FitRequest& r, const std::vector<Key>& keys) {
  std::vector<std::string_view> known;
  for (const Key& k : keys) known.push_back(k.key);
  for (const SystemNumber& n : r.system) {
    if (std::ranges::find(known, n.key) == known.end()) {
      throw InputError("system." + n.key, "unknown key" + did_you_mean(n.key, known), n.place);
    }
  }
  std::vector<BodyNumber> body;
  double size = 0.;  // of the body: what offsets are bounded by
  for (const Key& k : keys) {
    const SystemNumber* given = find(r, k.key);
    const std::string field = "system." + std::string(k.key);
    if (given == nullptr && !k.fallback) {
      throw InputError(field, "is missing; give it in " + std::string(k.unit), r.system_place);
    }
    if (given != nullptr && given->values.size() != k.names.size()) {
      throw InputError(field,
                       "must have " + std::to_string(k.names.size()) + " number(s), got " +
                           std::to_string(given->values.size()),
                       given->place);
    }
    for (std::size_t i = 0; i < k.names.size(); ++i) {
      const double value = given != nullptr ? given->values[i] : *k.fallback;
      if (given != nullptr && !(k.positive ? value > 0. : std::isfinite(value))) {
        throw InputError(field, "must be > 0, got " + shortest(value), given->place);
      }
      if (k.key == "radius_of_gyration") size = 2. * value;
      if (k.key == "inertia") size = 2. * std::sqrt(value / body[0].value);
      const double unit = k.positive ? value : size;
      body.push_back({.name = std::string(k.names[i]),
                      .unit = std::string(k.unit),
                      .value = value,
                      .low = k.range[0] * unit,
                      .high = k.range[1] * unit});
    }
  }
  return body;
}

/// Where in a row the numbers of the system are.
class Columns {
 public:
  Columns(const FitRequest& r, const SystemColumns& columns, std::vector<std::string_view> known)
      : request_(r), columns_(columns) {
    for (const scenario::MappedColumn& m : r.columns) {
      if (std::ranges::find(known, m.number.text) == known.end()) {
        throw InputError(m.number.field,
                         "a " + r.system_type + " has no number '" + m.number.text +
                             "' for a column" + did_you_mean(m.number.text, known),
                         m.number.place);
      }
    }
  }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const auto at = std::ranges::find(columns_.names, name);
    if (at == columns_.names.end()) return std::nullopt;
    return columns_.columns[static_cast<std::size_t>(at - columns_.names.begin())];
  }

  [[nodiscard]] std::size_t operator()(std::string_view name) const {
    if (const auto at = find(name)) return *at;
    throw InputError("fit.columns." + std::string(name),
                     "is missing; name the column that gives it", request_.place);
  }

 private:
  const FitRequest& request_;
  const SystemColumns& columns_;
};

/// Fills a contact from W and M, of `n` coordinates and `d` components.
template <int n, int d>
void fill(const Eigen::Matrix<double, n, d>& W, const Eigen::Matrix<double, n, n>& M,
          const MeasuredImpact& impact, MeasuredContact& out) {
  const Eigen::LLT<Eigen::Matrix<double, n, n>> factor(M);
  if (factor.info() != Eigen::Success) {
    throw InputError("system", "the mass matrix is not positive definite", impact.place);
  }
  const Eigen::Matrix<double, n, d> response = factor.solve(W);
  const Eigen::Matrix<double, d, d> G = W.transpose() * response;
  std::array<double, static_cast<std::size_t>(d * d)> block{};
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) {
      block[static_cast<std::size_t>(i * d + j)] = 0.5 * (G(i, j) + G(j, i));
    }
  }
  out.problem.G.assign_block(static_cast<std::size_t>(d), block);
  out.problem.spin_rows = 0;
  const Eigen::Map<const Eigen::Matrix<double, n, 1>> y(impact.before.data());
  const Eigen::Matrix<double, d, 1> v = W.transpose() * y;
  out.problem.approach.assign(v.data(), v.data() + d);
  out.problem.surfaces.resize(1);
  out.W = W;
  out.response = response;
  out.mass = M;
}

/// The body's numbers in order of the keys.
enum PlaneNumber : std::uint8_t { p_mass, p_k, p_cx, p_cy, p_ox, p_oy, p_radius, p_half };
enum SpaceNumber : std::uint8_t {
  s_mass,
  s_inertia,
  s_cx,
  s_ox = 5,
  s_radius = 8,
  s_half,
  s_scale
};

ContactOf plane_body(const Columns& at) {
  const std::size_t rx = at("rx");
  const std::size_t ry = at("ry");
  const auto angle = at.find("angle");
  return [=](const MeasuredImpact& row, std::span<const double> b, MeasuredContact& out) {
    const double left = 1. - b[p_radius] / b[p_half];
    const double x = left * row.numbers[rx] + b[p_ox];
    const double y = left * row.numbers[ry] + b[p_oy] - b[p_radius];
    const double turn = angle ? row.numbers[*angle] : 0.;
    const Eigen::Vector2d c = Eigen::Rotation2Dd(turn) * Eigen::Vector2d(b[p_cx], b[p_cy]);
    Eigen::Matrix<double, 3, 2> W;
    W << 0., 1.,  //
        1., 0.,   //
        x, -y;
    Eigen::Matrix3d T;    // velocity of the mass centre from that of the tracked point
    T << 1., 0., -c.y(),  //
        0., 1., c.x(),    //
        0., 0., 1.;
    const double m = b[p_mass];
    const Eigen::Vector3d diagonal(m, m, m * b[p_k] * b[p_k]);
    fill<3, 2>(W, T.transpose() * diagonal.asDiagonal() * T, row, out);
  };
}

Eigen::Matrix3d cross(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0., -a.z(), a.y(),  //
      a.z(), 0., -a.x(),   //
      -a.y(), a.x(), 0.;
  return m;
}

ContactOf space_body(const Columns& at) {
  const std::array<std::size_t, 3> r{at("rx"), at("ry"), at("rz")};
  std::array<std::optional<std::size_t>, 4> q{at.find("qw"), at.find("qx"), at.find("qy"),
                                              at.find("qz")};
  if (q[0] || q[1] || q[2] || q[3]) q = {at("qw"), at("qx"), at("qy"), at("qz")};
  return [=](const MeasuredImpact& row, std::span<const double> b, MeasuredContact& out) {
    const auto number = [&](std::size_t i) { return row.numbers[i]; };
    const Eigen::Vector3d n = Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d offset(b[s_ox], b[s_ox + 1], b[s_ox + 2]);
    const Eigen::Vector3d given(number(r[0]), number(r[1]), number(r[2]));
    const Eigen::Vector3d arm = (1. - b[s_radius] / b[s_half]) * given + offset - b[s_radius] * n;
    Eigen::Vector3d c(b[s_cx], b[s_cx + 1], b[s_cx + 2]);
    if (q[0]) {
      const Eigen::Quaterniond turn(number(*q[0]), number(*q[1]), number(*q[2]), number(*q[3]));
      c = turn.normalized() * c;
    }
    const double s = b[s_scale];
    Eigen::Matrix<double, 6, 3> W;
    const std::array<Eigen::Vector3d, 3> axes{n, Eigen::Vector3d::UnitX(),
                                              Eigen::Vector3d::UnitY()};
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d& e = axes[static_cast<std::size_t>(i)];
      W.col(i) << e / s, arm.cross(e);
    }
    Eigen::Matrix<double, 6, 6> T = Eigen::Matrix<double, 6, 6>::Identity();
    T.topLeftCorner<3, 3>() /= s;
    T.topRightCorner<3, 3>() = -cross(c);
    Eigen::Matrix<double, 6, 1> diagonal;
    diagonal << Eigen::Vector3d::Constant(b[s_mass]), Eigen::Vector3d::Constant(b[s_inertia]);
    fill<6, 3>(W, T.transpose() * diagonal.asDiagonal() * T, row, out);
  };
}

/// Offsets in body axes need the body's orientation.
void require_orientation(const FitRequest& r, const MeasuredImpacts& data, bool known,
                         const char* column) {
  const auto wants = [&](const scenario::PlacedText& p) {
    return p.text.find("mass_centre") != std::string::npos;
  };
  bool asked = std::ranges::any_of(r.parameters, wants) || std::ranges::any_of(r.models, wants);
  for (const BodyNumber& b : data.body) {
    asked = asked || (b.name.starts_with("mass_centre") && b.value != 0.);
  }
  if (asked && !known) {
    throw InputError(
        "system.mass_centre",
        std::string("is in body axes: name the column of ") + column + " in [fit.columns]",
        r.place);
  }
}

void set_body(const FitRequest& r, const SystemColumns& columns, MeasuredImpacts& data) {
  const bool plane = in_plane(r);
  data.body = read_body(r, plane ? keys_in_the_plane() : keys_in_space());
  const Columns at(r, columns,
                   plane ? std::vector<std::string_view>{"rx", "ry", "angle"}
                         : std::vector<std::string_view>{"rx", "ry", "rz", "qw", "qx", "qy", "qz"});
  data.contact_of = plane ? plane_body(at) : space_body(at);
  data.components = plane ? 2 : 3;
  data.units = plane ? std::vector<std::string>{"m/s", "m/s", "rad/s"}
                     : std::vector<std::string>{"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
  const bool oriented = at.find(plane ? "angle" : "qw").has_value();
  require_orientation(r, data, oriented, plane ? "the angle" : "the quaternion, qw to qz,");
  const auto rounded = std::ranges::find(data.body, "corner_radius", &BodyNumber::name);
  const auto half = std::ranges::find(data.body, "half_width", &BodyNumber::name);
  const bool known = std::isfinite(half->value);
  const auto fits_radius = [](const scenario::PlacedText& p) {
    return p.text.find("corner_radius") != std::string::npos;
  };
  if (!known && (rounded->value > 0. || std::ranges::any_of(r.parameters, fits_radius) ||
                 std::ranges::any_of(r.models, fits_radius))) {
    throw InputError("system.half_width", "is missing; rounded corners need it", r.system_place);
  }
  if (known) rounded->high = half->value;
}

}  // namespace

std::size_t coordinates_of(const FitRequest& r) {
  if (r.system_type == "plane-body") return 3;
  return r.system_type == "space-body" ? 6 : 0;
}

double radius_of(const FitRequest& r) {
  if (r.metric_radius) return *r.metric_radius;
  if (const SystemNumber* k = find(r, "radius_of_gyration")) return k->values.at(0);
  const SystemNumber* inertia = find(r, "inertia");
  const SystemNumber* mass = find(r, "mass");
  if (inertia != nullptr && mass != nullptr) {
    return std::sqrt(inertia->values.at(0) / mass->values.at(0));
  }
  throw InputError("fit.metric_radius",
                   "is missing; give the length that weighs spins against velocities [m]", r.place);
}

void set_system(const FitRequest& r, const SystemColumns& columns, MeasuredImpacts& data) {
  const std::size_t expected = coordinates_of(r);
  if (expected == 0) return set_scenario(r, columns, data);
  if (r.before.size() != expected) {
    throw InputError("fit.before",
                     "must name " + std::to_string(expected) + " columns for a " + r.system_type +
                         (expected == 3 ? " (v_x, v_y, spin)" : " (v_x, v_y, v_z, w_x, w_y, w_z)") +
                         ", got " + std::to_string(r.before.size()),
                     r.before.front().place);
  }
  set_body(r, columns, data);
}

}  // namespace carom::study::fit
