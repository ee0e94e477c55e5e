// SPDX-License-Identifier: Apache-2.0
#include <support/measured.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include <carom/impact/one_contact.hpp>
#include <carom/scenario/csv_table.hpp>

namespace carom::test {

using study::fit::MeasuredContact;
using study::fit::MeasuredImpact;
using study::fit::MeasuredImpacts;

MeasuredImpacts free_planar_body(double mass, double k, double metric_k) {
  MeasuredImpacts data;
  data.coordinates = {"vx", "vy", "omega"};
  data.units = {"m/s", "m/s", "rad/s"};
  data.metric = {1., 1., metric_k * metric_k};
  data.numbers = {"rx_m", "ry_m"};
  data.groups = {"all"};
  data.body = {
      {.name = "mass", .unit = "kg", .value = mass, .low = mass / 2., .high = 2. * mass},
      {.name = "radius_of_gyration", .unit = "m", .value = k, .low = k / 2., .high = 2. * k}};
  data.contact_of = [](const MeasuredImpact& impact, std::span<const double> body,
                       MeasuredContact& c) {
    const double x = impact.numbers[0];
    const double y = impact.numbers[1];
    // v_n = vy + x omega, v_t = vx - y omega
    c.W.resize(3, 2);
    c.W << 0., 1., 1., 0., x, -y;
    c.mass = Eigen::Vector3d(body[0], body[0], body[0] * body[1] * body[1]).asDiagonal();
    c.response = c.mass.diagonal().cwiseInverse().asDiagonal() * c.W;
    const Eigen::Matrix<double, 2, 2, Eigen::RowMajor> G = c.W.transpose() * c.response;
    const Eigen::Vector2d v =
        c.W.transpose() * Eigen::Map<const Eigen::Vector3d>(impact.before.data());
    assign(c.problem, {G.data(), 4}, {v.data(), 2});
    c.problem.surfaces.resize(1);
  };
  return data;
}

MeasuredImpacts read_planar_drops(const PlanarDrops& drops) {
  const std::string file = std::string(CAROM_SOURCE_DIR) + "/data/measured/" + drops.file;
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  const scenario::CsvTable table = scenario::parse_csv(text.str(), file);
  MeasuredImpacts data = free_planar_body(drops.mass, drops.k, drops.metric_k);
  data.name = drops.file;
  for (std::size_t line = 0; line < table.lines.size(); ++line) {
    const auto number = [&](const std::string& column) {
      return table.number(line, table.index(column));
    };
    if (number("flag") != 0.) continue;
    MeasuredImpact impact;
    impact.id = table.lines[line].cells[table.index("id")];
    impact.before = {number("vx_pre"), number(drops.up + "_pre"), number("omega_pre")};
    impact.after = {number("vx_post"), number(drops.up + "_post"), number("omega_post")};
    impact.numbers = {number("rx_m"), number(drops.arm)};
    data.impacts.push_back(std::move(impact));
  }
  return data;
}

}  // namespace carom::test
