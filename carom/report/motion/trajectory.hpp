// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/motion/simulation.hpp>

/// The trajectory as a table: its columns, and its rows as numbers or as CSV.
namespace carom::report {

/// Which state a row has.
enum class RowSide : std::uint8_t {
  sample,  ///< at the sample interval, or the first or last instant
  before,  ///< just before an instant with events
  after,   ///< just after it
};

/// "" for a sample, "before", "after".
[[nodiscard]] std::string_view name(RowSide side);

/// Entries of q that are the quaternion of a body in space.
struct BodyTurn {
  std::string body;
  std::size_t first = 0;  ///< w; x, y and z follow
};
[[nodiscard]] std::vector<BodyTurn> turns_of(const Model& model);

/// Roll, pitch and yaw [rad] of a quaternion (w, x, y, z): R = Rz(yaw) Ry(pitch) Rx(roll). The
/// body is turned about its x axis by the roll, then about the fixed y axis by the pitch, then
/// about the fixed z axis by the yaw. Pitch is in [-pi/2, pi/2], the others in [-pi, pi]. Where
/// the pitch is +-pi/2 only the sum or difference of the others is determined: roll is 0.
struct Attitude {
  double roll = 0.;
  double pitch = 0.;
  double yaw = 0.;
};
[[nodiscard]] Attitude attitude(double w, double x, double y, double z);

/// What stands in the columns of a trajectory. A row is a list of numbers in this order: time,
/// side, positions, velocities, roll, pitch and yaw of each body in space, then for each contact
/// gap, velocity, force and status, then kinetic and potential energy.
class TrajectoryTable {
 public:
  /// Columns of one kind that are written together.
  struct Group {
    std::string name;                ///< "positions"
    std::vector<std::string> names;  ///< of the columns, "ball.x"
    std::vector<std::string> units;  ///< "m"
    std::vector<std::size_t> at;     ///< their places in a row
    std::string meaning{};           ///< of whole numbers of a few bits; empty: not whole
  };

  explicit TrajectoryTable(const Model& model);

  [[nodiscard]] std::size_t width() const { return width_; }
  /// Without time.
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

  /// A state as a row, followed by what touches beyond the contacts known from the start: for each
  /// its number, and the same numbers as the others have. Of a contact's status 0 is open, 2 stick,
  /// 1 slip; -1 in the plane slip along -t.
  void fill(const motion::Sample& sample, RowSide side, std::vector<double>& row) const;

  /// Names of columns with their units, and a row, each as a line. Numbers read back the same.
  [[nodiscard]] std::string csv_header() const;
  void append_csv(std::string& out, const std::vector<double>& row) const;

  /// The same of the contacts that follow a row: a line for each.
  [[nodiscard]] std::string found_header() const;
  void append_found(std::string& out, const std::vector<double>& row,
                    const motion::ContactNames& names) const;

  /// A line, without its end, as it was written by `append_csv`.
  /// @return false where it is none
  [[nodiscard]] bool read_csv(std::string_view line, std::vector<double>& row) const;

 private:
  void append_contact(const motion::Sample& sample, std::size_t i, std::vector<double>& row) const;
  void append_contact_csv(std::string& out, const double* contact) const;

  const Model& model_;
  std::vector<BodyTurn> turns_;
  std::vector<Group> groups_;
  std::size_t contacts_at_ = 0;
  std::size_t of_contact_ = 0;  ///< columns
  std::size_t width_ = 0;
};

/// Makes rows of what a recorder receives: samples, and both sides of instants with events. Start
/// and end alone have no sides: their states are samples.
class TrajectoryRows {
 public:
  using Sink = std::function<void(const std::vector<double>&)>;
  TrajectoryRows(const TrajectoryTable& table, Sink sink) : table_(table), sink_(std::move(sink)) {}

  void sample(const motion::Sample& sample);
  void side(const motion::Sample& sample, motion::Side side);
  void event(const motion::Event& event);

 private:
  const TrajectoryTable& table_;
  Sink sink_;
  std::vector<double> row_;
  std::vector<double> before_;  ///< until an event comes
  bool waiting_ = false;        ///< for an event
  bool happened_ = false;       ///< an event, since `before`
};

}  // namespace carom::report
