// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <carom/impact/coefficients.hpp>
#include <carom/impact/contact_problem.hpp>
#include <carom/laws/table.hpp>

/// Measured impacts, and how a law's coefficients and a body's numbers predict them. Nothing here
/// knows a file.
///
/// Velocities are kept as they were measured, y: those of the tracked point, in the measured
/// lengths, converted to SI units. The system makes W and M^-1 W in these coordinates, so that
///
///     v = W^T y,   G = W^T M^-1 W,   y+ = y- + M^-1 W P
///
/// hold whatever is fitted (the offset of the mass centre or the scale of lengths, too), and a
/// prediction is compared with what was measured directly.
namespace carom::study::fit {

/// One row of the data.
struct MeasuredImpact {
  std::string id;
  std::string place;                   ///< "drops.csv:17", for messages; may be empty
  std::size_t line = 0;                ///< its place in the file: 0, 1, ...
  std::size_t group = 0;               ///< index into MeasuredImpacts::groups
  std::string left_out{};              ///< why it is not fitted: "flag = 1"; empty: it is
  std::vector<double> before{};        ///< y- [SI], one for each coordinate
  std::vector<double> after{};         ///< y+ [SI]; empty where it is not known
  std::vector<double> error_before{};  ///< standard errors of y- [SI]; empty: not known
  std::vector<double> error_after{};   ///< standard errors of y+ [SI]; empty: not known
  std::vector<double> numbers{};       ///< one for each of MeasuredImpacts::numbers [SI]
};

/// The contact of one impact. Memory is reused.
struct MeasuredContact {
  ContactProblem problem{};         ///< G, approach, and one surface to be filled in; no spin rows
  Eigen::MatrixXd W{};              ///< a column for each component of the contact
  Eigen::MatrixXd response{};       ///< M^-1 W: the change of y by unit impulses
  Eigen::MatrixXd response_spin{};  ///< the change of y by unit couples at the contact, a column
                                    ///< for each spin row; empty: no couples
  Eigen::MatrixXd W_spin{};         ///< relative spin = W_spin^T y; empty: no couples
  Eigen::MatrixXd mass{};           ///< M: kinetic energy 1/2 y.M.y [J]
};

/// A number of the body or of the system that may be fitted.
struct BodyNumber {
  std::string name;   ///< "mass", "radius_of_gyration", "system.links.arm.mass"
  std::string unit;   ///< "kg"; may be empty
  double value = 0.;  ///< as given
  double low = 0.;    ///< bounds of a fit
  double high = 0.;
};

/// Fills the contact of an impact. @param body  one number for each of MeasuredImpacts::body.
/// May be called by several threads at once. Throws InputError where such a body is impossible.
using ContactOf =
    std::function<void(const MeasuredImpact&, std::span<const double> body, MeasuredContact&)>;

/// A data set.
struct MeasuredImpacts {
  std::string name;                           ///< of the file, for messages
  std::vector<std::string> coordinates;       ///< of y: the names of their columns, without "_post"
  std::vector<std::string> columns_before{};  ///< of y-, for messages; may be empty
  std::vector<std::string> columns_after{};   ///< of y+, the same
  std::vector<std::string> units;             ///< of y: "m/s", "rad/s"
  std::vector<double> metric;                 ///< |y|^2 = sum of metric_j y_j^2: 1, 1, k^2. Fixed,
                                              ///< whatever is fitted
  std::vector<std::string> numbers;  ///< names of the columns that the system or a coefficient
                                     ///< depends on, and "approach_speed", "slip_speed"
  std::vector<std::string> groups;   ///< names; one if there is no such column
  bool grouped = false;              ///< whether a column says the group
  std::vector<MeasuredImpact> impacts;
  std::vector<std::string> unreadable{};  ///< messages about rows that are not among them
  std::vector<BodyNumber> body;
  ContactOf contact_of;
  std::size_t components = 2;  ///< of the contact: 2 in the plane, 3 in space

  /// Indices of the impacts that are fitted.
  [[nodiscard]] std::vector<std::size_t> fitted() const;
  /// The body's numbers as they were given.
  [[nodiscard]] std::vector<double> given_body() const;
  /// Root of the metric.
  [[nodiscard]] double norm(std::span<const double> y) const;
};

/// One number that is fitted.
struct Parameter {
  std::string name;   ///< "friction", "restitution, per |x_m|", "friction (steel)"
  std::string unit;   ///< empty: none
  double start = 0.;  ///< of the first start
  double low = 0.;
  double high = 0.;
};

/// How a coefficient depends on a column x, beside its constant c.
enum class Form : std::uint8_t {
  linear,     ///< c + a x
  absolute,   ///< c + a |x|
  quadratic,  ///< c + a x + b x^2
  square,     ///< c + a x^2
  power,      ///< c - a |x|^p
};

/// One addend of a coefficient.
struct Term {
  Form form = Form::linear;
  std::size_t number = 0;     ///< index into MeasuredImpacts::numbers
  std::size_t parameter = 0;  ///< index of a; b or p is the next
};

/// A fitted coefficient: constant and terms, brought into the range that it may have.
struct FittedCoefficient {
  const Coefficient* coefficient = nullptr;
  std::size_t index = 0;              ///< which of its numbers
  std::vector<std::size_t> constant;  ///< index of the parameter: one, or one for each group
  std::vector<Term> terms{};
};

/// A fitted number of the body.
struct FittedBodyNumber {
  std::size_t number = 0;     ///< index into MeasuredImpacts::body
  std::size_t parameter = 0;  ///< index of the parameter
};

/// The parameters of a fit, and what they mean.
struct Parameters {
  std::vector<Parameter> list;
  Surface surface{};  ///< coefficients that are given; those that are fitted replace its own
  std::vector<FittedCoefficient> coefficients{};
  std::vector<FittedBodyNumber> body{};

  [[nodiscard]] std::size_t size() const { return list.size(); }
  [[nodiscard]] std::vector<double> starts() const;
  /// The surface at an impact. Static friction that is not fitted or given follows friction.
  [[nodiscard]] Surface surface_at(const MeasuredImpact& impact, std::span<const double> p) const;
  /// The body's numbers. @param given  those that are not fitted
  [[nodiscard]] std::vector<double> body_at(std::span<const double> p,
                                            std::span<const double> given) const;
};

/// How derivatives are computed.
enum class DerivativesBy : std::uint8_t { laws, differences };

/// What a law predicts of the impacts of a data set, and how far that is from what was measured.
/// Refers to data and law, which must outlive it. Its functions may be called by several threads.
class Objective {
 public:
  /// @param law  solves such contacts itself (`answering`)
  Objective(const MeasuredImpacts& data, const Law& law, Parameters parameters);

  [[nodiscard]] const MeasuredImpacts& data() const { return *data_; }
  [[nodiscard]] const Law& law() const { return *law_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  /// Length of the residual of one impact: the number of coordinates.
  [[nodiscard]] std::size_t width() const { return data_->coordinates.size(); }

  /// The contact of impact `i` (index into data().impacts), its surface included.
  void contact(std::size_t i, std::span<const double> p, MeasuredContact& contact) const;

  /// y+ of impact `i`. @param after  width() numbers
  /// @return whether the law has an answer; else `after` is y-
  bool predict(std::size_t i, std::span<const double> p, std::span<double> after) const;

  /// root(metric_j) (predicted - measured y+)_j / |y-|: the norm of these is the error of the
  /// impact. @pre y+ is known
  void residual(std::size_t i, std::span<const double> p, std::span<double> residual) const;

  /// The same with derivatives d residual_j / d p_k at [j * size + k]: through the law where it has
  /// derivatives, else by central differences, or all by those.
  void residual(std::size_t i, std::span<const double> p, std::span<double> residual,
                std::span<double> derivatives, DerivativesBy by = DerivativesBy::laws) const;

  /// |residual| of impact `i`.
  [[nodiscard]] double error(std::size_t i, std::span<const double> p) const;
  /// The same of many, in their order.
  [[nodiscard]] std::vector<double> errors(std::span<const std::size_t> impacts,
                                           std::span<const double> p) const;

 private:
  const MeasuredImpacts* data_;
  const Law* law_;
  Parameters parameters_;
  std::vector<MeasuredContact> contacts_;  ///< of each impact, if no number of the body is fitted
  std::vector<double> scale_;              ///< 1/|y-|
};

}  // namespace carom::study::fit
