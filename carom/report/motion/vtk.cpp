// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/vtk.hpp>

#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <carom/mechanics/shapes/space/vector.hpp>
#include <carom/report/motion/mesh.hpp>
#include <carom/report/pending_file.hpp>

namespace carom::report {
namespace {

namespace space = shapes::space;

/// A mesh in the axes of what carries it.
struct Part {
  Mesh mesh;
  space::V3 offset{};  ///< of its origin from the body's mass centre
};

/// Where a body is: q from `first` are its position and its quaternion (w, x, y, z).
space::Pose pose_of(const Vector& q, std::size_t first) {
  const auto at = [&](std::size_t i) { return q(static_cast<Eigen::Index>(first + i)); };
  return {.position = {at(0), at(1), at(2)},
          .turn = space::rotation_of({at(3), at(4), at(5), at(6)})};
}

/// Where a piece of the ground is at a time.
space::Pose pose_of(const SpatialGround& piece, double time) {
  space::Pose pose;
  const World3 moved = piece.motion.at(time).displacement;
  pose.position = space::vector(piece.position) + space::vector(moved);
  const Mat3& R = piece.orientation;
  for (std::size_t k = 0; k < 3; ++k) pose.turn.axes[k] = {R[0][k], R[1][k], R[2][k]};
  return pose;
}

/// Bodies, and then pieces of the ground, at a state, as one file of polygons.
std::string vtp(const scenario::MotionScenario& s, const std::vector<Part>& parts,
                const State& state) {
  std::string points;
  std::string connectivity;
  std::string offsets;
  std::string bodies;
  std::size_t count = 0;
  std::size_t faces = 0;
  std::size_t corners = 0;
  const std::size_t moving = s.drawing.bodies.size();
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const auto& [mesh, offset] = parts[b];
    if (mesh.points.empty()) continue;
    const space::Pose pose = b < moving ? pose_of(state.q, s.drawing.bodies[b].first)
                                        : pose_of(s.drawing.ground[b - moving], state.time);
    for (const World3& p : mesh.points) {
      const space::V3 at = pose.position + pose.turn * (offset + space::vector(p));
      points += fmt::format("{:.9g} {:.9g} {:.9g}\n", at.x, at.y, at.z);
    }
    for (const auto& face : mesh.faces) {
      for (const std::size_t k : face) connectivity += fmt::format("{} ", count + k);
      corners += face.size();
      offsets += fmt::format("{} ", corners);
      bodies += fmt::format("{} ", b);
      ++faces;
    }
    count += mesh.points.size();
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
  std::vector<Part> parts;
  for (const auto& body : s.drawing.bodies) {
    parts.push_back({.mesh = mesh_of(body.solid), .offset = space::vector(body.offset)});
  }
  for (const SpatialGround& piece : s.drawing.ground) {
    parts.push_back({.mesh = mesh_of(piece.solid)});
  }
  std::string series =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::string name = fmt::format("frame-{:04}.vtp", f);
    write_whole(directory / name, vtp(s, parts, frames[f]));
    series += fmt::format("<DataSet timestep=\"{:.9g}\" file=\"{}/{}\"/>\n", frames[f].time,
                          directory.filename().string(), name);
  }
  write_whole(file, series + "</Collection>\n</VTKFile>\n");
}

}  // namespace carom::report
