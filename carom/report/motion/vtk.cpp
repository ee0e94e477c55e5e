// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/vtk.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <system_error>
#include <variant>

#include <fmt/format.h>

#include <carom/report/pending_file.hpp>

namespace carom::report {
namespace {

constexpr std::size_t around = 32;  ///< sides of what is round
constexpr std::size_t bands = 16;   ///< of a sphere, from pole to pole

/// A surface in body axes.
struct Mesh {
  std::vector<World3> points{};
  std::vector<std::vector<std::size_t>> faces{};
};

/// What turns about z: rings of (radius, height), closed where the radius is zero.
Mesh turned(const std::vector<std::array<double, 2>>& rings) {
  Mesh m;
  for (const auto& [radius, height] : rings) {
    for (std::size_t k = 0; k < around; ++k) {
      const double a = 2. * std::numbers::pi * static_cast<double>(k) / around;
      m.points.push_back({radius * std::cos(a), radius * std::sin(a), height});
    }
  }
  for (std::size_t r = 0; r + 1 < rings.size(); ++r) {
    for (std::size_t k = 0; k < around; ++k) {
      const std::size_t next = (k + 1) % around;
      m.faces.push_back(
          {r * around + k, r * around + next, (r + 1) * around + next, (r + 1) * around + k});
    }
  }
  return m;
}

/// Half circles above and below a cylinder of this half length.
std::vector<std::array<double, 2>> rounded(double radius, double half) {
  std::vector<std::array<double, 2>> rings;
  for (std::size_t k = 0; k <= bands; ++k) {
    const double a = std::numbers::pi * (static_cast<double>(k) / bands - 0.5);
    const double z = radius * std::sin(a);
    if (2 * k == bands && half > 0.) rings.push_back({radius, -half});
    rings.push_back({radius * std::cos(a), z < 0. ? z - half : z + half});
  }
  return rings;
}

Mesh box(const World3& size) {
  Mesh m;
  for (int k = 0; k < 8; ++k) {
    m.points.push_back({0.5 * size[0] * ((k & 1) != 0 ? 1. : -1.),
                        0.5 * size[1] * ((k & 2) != 0 ? 1. : -1.),
                        0.5 * size[2] * ((k & 4) != 0 ? 1. : -1.)});
  }
  m.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return m;
}

Mesh cylinder(double radius, double length) {
  return turned(
      {{0., -0.5 * length}, {radius, -0.5 * length}, {radius, 0.5 * length}, {0., 0.5 * length}});
}

struct MeshOf {
  Mesh operator()(const SphereShape& s) const { return turned(rounded(s.radius, 0.)); }
  Mesh operator()(const BoxShape& s) const { return box(s.size); }
  Mesh operator()(const CylinderShape& s) const { return cylinder(s.radius, s.length); }
  Mesh operator()(const CapsuleShape& s) const { return turned(rounded(s.radius, 0.5 * s.length)); }
  Mesh operator()(const RodShape& s) const { return cylinder(0.01 * s.length, s.length); }
  Mesh operator()(const DiscShape& s) const { return cylinder(s.radius, 0.02 * s.radius); }
};

/// A body's point in the world, by its position and quaternion (w, x, y, z).
World3 placed(const World3& p, const Vector& q, std::size_t first) {
  const auto at = [&](std::size_t i) { return q(static_cast<Eigen::Index>(first + i)); };
  const double length = std::sqrt(at(3) * at(3) + at(4) * at(4) + at(5) * at(5) + at(6) * at(6));
  const double w = at(3) / length;
  const double x = at(4) / length;
  const double y = at(5) / length;
  const double z = at(6) / length;
  return {at(0) + (1. - 2. * (y * y + z * z)) * p[0] + 2. * (x * y - w * z) * p[1] +
              2. * (x * z + w * y) * p[2],
          at(1) + 2. * (x * y + w * z) * p[0] + (1. - 2. * (x * x + z * z)) * p[1] +
              2. * (y * z - w * x) * p[2],
          at(2) + 2. * (x * z - w * y) * p[0] + 2. * (y * z + w * x) * p[1] +
              (1. - 2. * (x * x + y * y)) * p[2]};
}

/// All bodies at a state, as one file of polygons.
std::string vtp(const scenario::MotionScenario& s, const std::vector<Mesh>& meshes,
                const State& state) {
  std::string points;
  std::string connectivity;
  std::string offsets;
  std::string bodies;
  std::size_t count = 0;
  std::size_t faces = 0;
  std::size_t corners = 0;
  for (std::size_t b = 0; b < meshes.size(); ++b) {
    for (const World3& p : meshes[b].points) {
      const World3 at = placed(p, state.q, s.drawing.bodies[b].first);
      points += fmt::format("{:.9g} {:.9g} {:.9g}\n", at[0], at[1], at[2]);
    }
    for (const auto& face : meshes[b].faces) {
      for (const std::size_t k : face) connectivity += fmt::format("{} ", count + k);
      corners += face.size();
      offsets += fmt::format("{} ", corners);
      bodies += fmt::format("{} ", b);
      ++faces;
    }
    count += meshes[b].points.size();
  }
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n"
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
      "format=\"ascii\">\n{}</DataArray></Points>\n"
      "<CellData Scalars=\"body\"><DataArray type=\"Int32\" Name=\"body\" "
      "format=\"ascii\">{}</DataArray></CellData>\n"
      "<Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">{}</DataArray>\n"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">{}</DataArray></Polys>\n"
      "</Piece>\n</PolyData>\n</VTKFile>\n",
      count, faces, points, bodies, connectivity, offsets);
}

}  // namespace

void write_vtk(const std::filesystem::path& file, const scenario::MotionScenario& s,
               const std::vector<State>& frames) {
  const std::filesystem::path directory = std::filesystem::path(file).replace_extension();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!std::filesystem::is_directory(directory)) {
    throw std::runtime_error("cannot make the directory " + directory.string());
  }
  std::vector<Mesh> meshes;
  for (const auto& body : s.drawing.bodies) meshes.push_back(std::visit(MeshOf{}, body.shape));
  std::string series =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::string name = fmt::format("frame-{:04}.vtp", f);
    write_whole(directory / name, vtp(s, meshes, frames[f]));
    series += fmt::format("<DataSet timestep=\"{:.9g}\" file=\"{}/{}\"/>\n", frames[f].time,
                          directory.filename().string(), name);
  }
  write_whole(file, series + "</Collection>\n</VTKFile>\n");
}

}  // namespace carom::report
