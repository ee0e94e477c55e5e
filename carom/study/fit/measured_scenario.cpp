// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/measured_scenario.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <Eigen/SparseCholesky>

#include <carom/core/error.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/fit/free_body.hpp>

namespace carom::study::fit {
namespace {

/// The dotted path of a number of [system].
std::string path_of(const std::string& name) {
  return name.starts_with("system.") ? name : "system." + name;
}

/// The numbers of [system] that may be fitted: single ones that no column gives.
std::vector<BodyNumber> numbers_of(const scenario::Variation& variation,
                                   const SystemColumns& columns) {
  std::vector<BodyNumber> body;
  for (const scenario::GivenNumbers& g : variation.numbers("system")) {
    if (g.depth != 0) continue;
    const bool mapped = std::ranges::any_of(
        columns.names, [&](const std::string& name) { return path_of(name) == g.path; });
    if (mapped) continue;
    const double value = g.rows[0][0];
    const double least = std::min(0.25 * value, 4. * value);
    const double most = std::max(0.25 * value, 4. * value);
    body.push_back({.name = g.path.substr(std::string_view("system.").size()),
                    .unit = "",
                    .value = value,
                    .low = value != 0. ? least : -1.,
                    .high = value != 0. ? most : 1.});
  }
  return body;
}

/// What a scenario says, kept parsed for each thread.
struct Parsed {
  std::string text;
  std::string name;
};

void fill(const SystemAtImpact& system, const MeasuredImpact& row, MeasuredContact& out) {
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(system.M);
  if (factor.info() != Eigen::Success) {
    throw InputError("system", "the mass matrix is not positive definite", row.place);
  }
  out.W = Eigen::MatrixXd(system.W);
  out.mass = Eigen::MatrixXd(system.M);
  out.response = factor.solve(out.W);
  out.problem.G = system.problem.G;
  out.problem.spin_rows = 0;
  const auto d = static_cast<std::size_t>(out.W.cols());
  if (system.problem.spin_rows > 0) {
    const Eigen::MatrixXd G = out.W.transpose() * out.response;
    std::vector<double> block;
    for (Eigen::Index i = 0; i < G.rows(); ++i) {
      for (Eigen::Index j = 0; j < G.cols(); ++j) block.push_back(0.5 * (G(i, j) + G(j, i)));
    }
    out.problem.G.assign_block(d, block);
  }
  const Eigen::Map<const Eigen::VectorXd> y(row.before.data(),
                                            static_cast<Eigen::Index>(row.before.size()));
  const Eigen::VectorXd v = out.W.transpose() * y;
  out.problem.approach.assign(v.data(), v.data() + v.size());
  for (std::size_t i = 0; i < system.support_velocity.size() && i < d; ++i) {
    out.problem.approach[i] -= system.support_velocity[i];
  }
  out.problem.surfaces.resize(1);
}

}  // namespace

void set_scenario(const scenario::FitRequest& r, const SystemColumns& columns,
                  MeasuredImpacts& data) {
  const auto parsed = std::make_shared<const Parsed>(Parsed{r.text, r.name});
  scenario::Variation variation(parsed->text, parsed->name);
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    try {
      (void)variation.number(path_of(columns.names[i]));
    } catch (const InputError& e) {
      throw InputError(r.columns[i].number.field, e.problem(), r.columns[i].number.place);
    }
  }
  const SystemAtImpact system = variation.impact();
  if (system.problem.contacts() != 1) {
    throw InputError("system",
                     "must have one contact, got " + std::to_string(system.problem.contacts()),
                     r.system_place);
  }
  if (!system.has_velocities()) {
    throw InputError("system.type",
                     "must be a system with generalized velocities, got '" + r.system_type + "'",
                     r.system_place);
  }
  data.components = system.problem.components();
  if (r.before.size() != system.coordinates.size()) {
    std::string names;
    for (const Coordinate& c : system.coordinates) names += (names.empty() ? "" : ", ") + c.name;
    throw InputError("fit.before",
                     "must name " + std::to_string(system.coordinates.size()) + " columns (" +
                         names + "), got " + std::to_string(r.before.size()),
                     r.before.front().place);
  }
  for (const Coordinate& c : system.coordinates) data.units.push_back(c.unit);
  data.body = numbers_of(variation, columns);
  std::vector<std::pair<std::string, std::size_t>> of_row;
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    of_row.emplace_back(path_of(columns.names[i]), columns.columns[i]);
  }
  std::vector<std::string> of_body;
  for (const BodyNumber& b : data.body) of_body.push_back(path_of(b.name));
  data.contact_of = [parsed, of_row, of_body](const MeasuredImpact& row,
                                              std::span<const double> body, MeasuredContact& out) {
    scenario::Variation one(parsed->text, parsed->name);
    for (const auto& [path, number] : of_row) one.number(path) = row.numbers[number];
    for (std::size_t i = 0; i < of_body.size(); ++i) one.number(of_body[i]) = body[i];
    try {
      fill(one.impact(), row, out);
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem(), row.place.empty() ? e.where() : row.place);
    }
  };
}

}  // namespace carom::study::fit
