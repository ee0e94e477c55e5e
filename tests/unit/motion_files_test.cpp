// SPDX-License-Identifier: Apache-2.0
// The trajectory as a table: columns, CSV, and HDF5 read back through HDF5 itself.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <carom/core/error.hpp>
#include <carom/mechanics/disc_model.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/report/motion/files.hpp>
#include <carom/report/motion/hdf5.hpp>
#include <carom/report/motion/trajectory.hpp>

#include "support/motion_scenes.hpp"

namespace carom::report {
namespace {

/// Discs in a row over a floor; every pair is a contact.
PlanarScene discs(std::size_t count) {
  PlanarScene scene{.bodies = {}, .ground = {test::line("floor")}};
  for (std::size_t k = 0; k < count; ++k) {
    scene.bodies.push_back({.name = "disc" + std::to_string(k),
                            .mass = 1.,
                            .inertia = 0.5,
                            .shape = shapes::plane::disc(1.)});
  }
  return scene;
}

/// A state whose numbers are all different, so that a column in the wrong place shows.
struct Numbers {
  explicit Numbers(const Model& model, double seed) {
    double x = seed;
    const auto next = [&] { return x += 1.0 / 3.; };
    state.time = next();
    state.q.resize(static_cast<Eigen::Index>(model.positions()));
    state.u.resize(static_cast<Eigen::Index>(model.velocities()));
    for (double& q : state.q) q = next();
    for (double& u : state.u) u = -next();
    for (std::size_t i = 0; i < model.contacts(); ++i) {
      gap.push_back(next());
      for (std::size_t c = 0; c < model.components(); ++c) {
        velocity.push_back(-next());
        force.push_back(next());
      }
      contacts.push_back({.touch = static_cast<motion::Touch>(i % 3), .direction = {}});
      if (i % 3 == 1) contacts.back().direction[0] = i % 2 == 0 ? 1. : -1.;
    }
  }
  [[nodiscard]] motion::Sample sample() const {
    return {.state = state,
            .contacts = contacts,
            .force = force,
            .velocity = velocity,
            .gap = gap,
            .kinetic = 0.1,
            .potential = 0.7,
            .energy = energy};
  }
  State state;
  std::vector<motion::ContactStatus> contacts;
  std::vector<double> force;
  std::vector<double> velocity;
  std::vector<double> gap;
  motion::EnergyAccount energy;
};

std::size_t columns(const std::string& line) {
  return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
}

TEST(TrajectoryTable, ColumnsCarryUnits) {
  const PlanarModel plane(test::ball_on_floor());
  EXPECT_EQ(TrajectoryTable(plane).csv_header(),
            "time_s,side,q_ball.x_m,q_ball.y_m,q_ball.angle_rad,u_ball.v_x_m_s,u_ball.v_y_m_s,"
            "u_ball.spin_rad_s,ball-floor_gap_m,ball-floor_v_n_m_s,ball-floor_v_t_m_s,"
            "ball-floor_F_n_N,ball-floor_F_t_N,ball-floor_ratio,ball-floor_status,kinetic_J,"
            "potential_J\n");
}

TEST(TrajectoryTable, RowsReadBackTheSame) {
  const PlanarModel model(discs(4));
  const TrajectoryTable table(model);
  for (const RowSide side : {RowSide::sample, RowSide::before, RowSide::after}) {
    std::vector<double> row;
    std::vector<double> again;
    std::string line;
    table.fill(Numbers(model, 0.1).sample(), side, row);
    ASSERT_EQ(row.size(), table.width());
    table.append_csv(line, row);
    EXPECT_EQ(columns(line), columns(table.csv_header()));
    line.pop_back();
    ASSERT_TRUE(table.read_csv(line, again)) << line;
    EXPECT_EQ(row, again);
    // A line that was cut off is none.
    EXPECT_FALSE(table.read_csv(line.substr(0, line.rfind(',')), again));
    EXPECT_FALSE(table.read_csv(line + ",1", again));
  }
}

// Turned by the roll about x, then by the pitch about y, then by the yaw about z, all fixed axes.
TEST(Attitude, IsRollThenPitchThenYawAboutFixedAxes) {
  using Eigen::AngleAxisd;
  using Eigen::Quaterniond;
  using Eigen::Vector3d;
  for (const double roll : {-3., -1., 0., 0.3, 2.5}) {
    for (const double pitch : {-1.5, -0.4, 0., 0.7, 1.2}) {
      for (const double yaw : {-2.8, -0.2, 0., 1.1, 3.}) {
        const Quaterniond q = AngleAxisd(yaw, Vector3d::UnitZ()) *
                              AngleAxisd(pitch, Vector3d::UnitY()) *
                              AngleAxisd(roll, Vector3d::UnitX());
        // The length of the quaternion does not matter.
        const Attitude a = attitude(2. * q.w(), 2. * q.x(), 2. * q.y(), 2. * q.z());
        EXPECT_NEAR(a.roll, roll, 1e-12);
        EXPECT_NEAR(a.pitch, pitch, 1e-12);
        EXPECT_NEAR(a.yaw, yaw, 1e-12);
      }
    }
  }
}

// Upright only yaw - roll (or yaw + roll) is determined: roll is 0, and the turn is the same.
TEST(Attitude, UprightHasNoRoll) {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  const double half_pi = std::acos(0.);
  for (const double pitch : {half_pi, -half_pi}) {
    const Eigen::Quaterniond q = AngleAxisd(0.9, Vector3d::UnitZ()) *
                                 AngleAxisd(pitch, Vector3d::UnitY()) *
                                 AngleAxisd(0.4, Vector3d::UnitX());
    const Attitude a = attitude(q.w(), q.x(), q.y(), q.z());
    EXPECT_EQ(a.roll, 0.);
    EXPECT_EQ(a.pitch, pitch);
    const Eigen::Quaterniond again =
        AngleAxisd(a.yaw, Vector3d::UnitZ()) * AngleAxisd(a.pitch, Vector3d::UnitY());
    EXPECT_NEAR(std::abs(again.dot(q)), 1., 1e-15);
  }
}

/// Reads a dataset of numbers, its rank and its rows.
std::vector<double> numbers_in(hid_t file, const char* name, std::vector<hsize_t>& size) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  const hid_t space = H5Dget_space(set);
  size.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  std::size_t count = 1;
  for (const hsize_t n : size) count *= n;
  std::vector<double> values(count);
  EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

std::string text_at(hid_t file, const char* name, std::size_t at) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  const hid_t space = H5Dget_space(set);
  const hid_t type = H5Dget_type(set);
  std::vector<char*> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), 0);
  std::string text = at < texts.size() ? texts[at] : "";
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
  return text;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string scratch(const std::string& name) {
  const auto folder = std::filesystem::temp_directory_path() / "carom-tests" / "MotionFiles";
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

// What came after the last progress is cut off, and the rows before it are passed on. A new run
// leaves nothing of an older one.
TEST(MotionFiles, GoOnFromTheirProgress) {
  const PlanarModel model(test::ball_on_floor());
  const motion::ContactNames names(model);
  const TrajectoryTable table(model);
  const std::filesystem::path folder = scratch("run");
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(is_run_without_progress(folder));
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(is_run_without_progress(folder));
  for (const char* old : {"energy.csv", "trajectory.h5"}) std::ofstream(folder / old) << "old";
  EXPECT_FALSE(is_run_without_progress(folder));

  const std::vector<Surface> surfaces = {{.restitution = 0.5, .friction = 0.}};
  const motion::Options options{.end_time = 1., .sample_interval = 0.1};
  const motion::Progress start =
      motion::start(model, test::state({0., 1., 0.}, {0., 0., 0.}), surfaces, options);
  const RunIdentity identity{.scenario = "text",
                             .method = motion::MotionMethod::automatic,
                             .step = 2e-3,
                             .end_time = 1.,
                             .tolerance = 1e-9,
                             .sample_interval = 0.1};
  std::vector<double> first;
  std::vector<double> second;
  table.fill(Numbers(model, 0.).sample(), RowSide::sample, first);
  table.fill(Numbers(model, 5.).sample(), RowSide::before, second);
  {
    MotionFiles files(folder, names, table, identity);
    files.begin(start);
    EXPECT_FALSE(std::filesystem::exists(folder / "energy.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder / "trajectory.h5"));
    EXPECT_EQ(read_progress(folder, model, "text", "run").bytes[0], 0U);
    files.row(first);
    files.checkpoint(start);
    files.row(second);
  }
  const std::string both = text_of(folder / "trajectory.csv");
  const ResumedRun run = read_progress(folder, model, "text", "run");
  EXPECT_EQ(test::numbers(run.progress.next), test::numbers(start.next));
  EXPECT_EQ(run.progress.next_sample, start.next_sample);
  EXPECT_EQ(run.progress.last_sample, start.last_sample);
  EXPECT_EQ(run.sample_interval, 0.1);
  EXPECT_EQ(run.method, motion::MotionMethod::automatic);
  EXPECT_EQ(read_method(folder, "text", "run"), motion::MotionMethod::automatic);
  EXPECT_THROW((void)read_method(folder, "another", "run"), InputError);
  EXPECT_EQ(run.step, 2e-3);
  EXPECT_LT(run.bytes[0], both.size());
  std::vector<std::vector<double>> rows;
  {
    MotionFiles files(folder, names, table, identity);
    files.resume(run.bytes, [&](const std::vector<double>& row) { rows.push_back(row); });
    EXPECT_EQ(rows, (std::vector<std::vector<double>>{first}));
    files.row(second);
  }
  EXPECT_EQ(text_of(folder / "trajectory.csv"), both);
  // Files that are shorter than the progress says are not resumed.
  std::filesystem::resize_file(folder / "trajectory.csv", run.bytes[0] - 1);
  MotionFiles files(folder, names, table, identity);
  EXPECT_THROW(files.resume(run.bytes, [](const std::vector<double>&) {}), std::runtime_error);
  EXPECT_THROW((void)read_progress(folder, model, "another", "run"), InputError);
}

/// Counts nothing, keeps nothing.
class Nothing final : public motion::Recorder {
 public:
  void event(const motion::Event& /*event*/) override {}
  void sample(const motion::Sample& /*sample*/) override {}
};

// Contacts that were found, and numbers that are infinite: all of it comes back, and the run goes
// on to the same bits.
void expect_to_go_on(const Model& model, const State& from, const std::vector<Surface>& surfaces,
                     motion::Options options, const std::string& name, bool finds) {
  SCOPED_TRACE(name);
  Nothing nothing;
  const motion::Progress start = motion::start(model, from, surfaces, options);
  const auto whole = motion::simulate(model, surfaces, options, start, nothing);
  ASSERT_EQ(whole.ending, motion::Ending::time) << whole.reason;
  EXPECT_EQ(whole.progress.found.empty(), !finds);
  const motion::Options to_the_end = options;
  const std::size_t events = whole.progress.events;
  for (const std::size_t most : {events / 3, events / 2, events - 1}) {
    options.most_events = std::max<std::size_t>(most, 1);
    const auto first = motion::simulate(model, surfaces, options, start, nothing);
    const motion::ContactNames names(model, first.progress.found);
    const TrajectoryTable table(model);
    const std::filesystem::path folder = scratch(name);
    std::filesystem::remove_all(folder);
    {
      MotionFiles files(folder, names, table, {.scenario = "text"});
      files.begin(start);
      files.checkpoint(first.progress);
    }
    const motion::Progress read = read_progress(folder, model, "text", "run").progress;
    EXPECT_EQ(read.found, first.progress.found);
    EXPECT_EQ(read.contacts, first.progress.contacts);
    EXPECT_EQ(test::numbers(read.next), test::numbers(first.progress.next));
    const auto rest = motion::simulate(model, surfaces, to_the_end, read, nothing);
    EXPECT_EQ(rest.progress.found, whole.progress.found);
    EXPECT_EQ(test::numbers(rest.progress.next), test::numbers(whole.progress.next));
    EXPECT_TRUE(rest.progress.state.q == whole.progress.state.q);
    EXPECT_TRUE(rest.progress.state.u == whole.progress.state.u);
    EXPECT_EQ(rest.progress.energy.impacts, whole.progress.energy.impacts);
    EXPECT_EQ(rest.progress.energy.corrections, whole.progress.energy.corrections);
    EXPECT_EQ(rest.progress.energy.gap(), whole.progress.energy.gap());
  }
}

TEST(MotionFiles, KeepContactsThatWereFound) {
  PlanarScene scene{.bodies = {}, .ground = {test::line("floor")}};
  for (const char* name : {"a", "b"}) {
    scene.bodies.push_back(
        {.name = name, .mass = 1., .inertia = 0.01, .shape = shapes::plane::box(0.3, 0.2)});
  }
  const PlanarModel boxes(scene);
  motion::Options options{.end_time = 1., .sample_interval = 0.1};
  options.several = &find_law("moreau", "law");
  expect_to_go_on(boxes, test::state({-0.3, 0.9, 0.2, 0.3, 1., -0.4}, {1.5, 0., 1., -1., 0.2, -2.}),
                  {{.restitution = 0.4, .friction = 0.3}}, options, "boxes", true);
  options.method = motion::MotionMethod::stepping;
  expect_to_go_on(boxes, test::state({-0.3, 0.9, 0.2, 0.3, 1., -0.4}, {1.5, 0., 1., -1., 0.2, -2.}),
                  {{.restitution = 0.4, .friction = 0.3}}, options, "steps", true);
}

TEST(MotionFiles, KeepRunsOfListedModels) {
  const DiscModel disc(
      {.mass = 0.20969, .radius = 0.0375, .half_thickness = 0.003, .gravity = 9.81});
  expect_to_go_on(
      disc, test::state({0., 0.0375, 1.5707963267948966}, {0.117, 0.01712452074880882, 1.7274}),
      std::vector<Surface>(3, {.restitution = 0.9064,
                               .friction = 0.14,
                               .static_friction = 0.15,
                               .stiffness = 2.9217e10}),
      {.end_time = 0.2, .sample_interval = 0.01, .settling = motion::Settling::contact_time},
      "disc", false);
}

/// A model with so many columns as 300 discs of which every pair is listed.
class Wide final : public ListedModel {
 public:
  [[nodiscard]] std::size_t positions() const override { return 900; }
  [[nodiscard]] std::size_t velocities() const override { return 900; }
  [[nodiscard]] std::size_t components() const override { return 2; }
  [[nodiscard]] std::string position_name(std::size_t i) const override {
    return discs_.position_name(i);
  }
  [[nodiscard]] std::string velocity_name(std::size_t i) const override {
    return discs_.velocity_name(i);
  }
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return discs_.position_unit(i);
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return discs_.velocity_unit(i);
  }
  [[nodiscard]] std::size_t contacts() const override { return 45150; }
  [[nodiscard]] std::string name_of(std::size_t i) const override {
    return "pair " + std::to_string(i);
  }
  // A table asks for names alone.
  void kinematics(const State& /*state*/, Vector& /*rate*/) const override {}
  void dynamics(const State& /*state*/, MassMatrix& /*M*/, Vector& /*h*/) const override {}
  [[nodiscard]] double gap_of(std::size_t /*i*/, const State& /*state*/) const override {
    return 0.;
  }
  void motion_of(std::size_t /*i*/, const State& /*state*/,
                 ContactMotion& /*motion*/) const override {}
  [[nodiscard]] double potential_energy(const State& /*state*/) const override { return 0.; }
  [[nodiscard]] double length_scale() const override { return 1.; }
  [[nodiscard]] double acceleration_scale() const override { return 1.; }

 private:
  PlanarModel discs_{discs(300)};
};

// 45,150 contacts: 272,704 columns.
TEST(MotionHdf5, WidthIsNoLimit) {
  const Wide model;
  const TrajectoryTable table(model);
  const std::string name = scratch("wide.h5");
  const std::vector<Numbers> states = {Numbers(model, 0.), Numbers(model, 0.5), Numbers(model, 7.),
                                       Numbers(model, 9.), Numbers(model, 11.)};
  {
    MotionHdf5 out(name, table);
    std::vector<double> row;
    for (const Numbers& s : states) {
      table.fill(s.sample(), RowSide::after, row);
      out.row(row);
    }
    out.finish();
  }
  const hid_t file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  std::vector<hsize_t> size;
  const std::vector<double> time = numbers_in(file, "/time", size);
  EXPECT_EQ(size, (std::vector<hsize_t>{states.size()}));
  EXPECT_EQ(numbers_in(file, "/side", size), std::vector<double>(states.size(), 2.));
  const std::vector<double> q = numbers_in(file, "/positions/values", size);
  EXPECT_EQ(size, (std::vector<hsize_t>{states.size(), 900}));
  const std::vector<double> force = numbers_in(file, "/contact_forces/values", size);
  ASSERT_EQ(size, (std::vector<hsize_t>{states.size(), 2 * model.contacts()}));
  const std::vector<double> gap = numbers_in(file, "/gaps/values", size);
  const std::vector<double> status = numbers_in(file, "/contact_status/values", size);
  ASSERT_EQ(size, (std::vector<hsize_t>{states.size(), model.contacts()}));
  for (std::size_t r = 0; r < states.size(); ++r) {
    EXPECT_EQ(time[r], states[r].state.time);
    EXPECT_EQ(q[900 * r + 899], states[r].state.q(899));
    for (const std::size_t i : {std::size_t{0}, std::size_t{22222}, model.contacts() - 1}) {
      EXPECT_EQ(gap[r * model.contacts() + i], states[r].gap[i]);
      EXPECT_EQ(force[2 * (r * model.contacts() + i) + 1], states[r].force[2 * i + 1]);
    }
    EXPECT_EQ(status[r * model.contacts()], 0.);
    EXPECT_EQ(status[r * model.contacts() + 1], -1.);
    EXPECT_EQ(status[r * model.contacts() + 2], 2.);
    EXPECT_EQ(status[r * model.contacts() + 4], 1.);
  }
  EXPECT_EQ(text_at(file, "/positions/names", 899), "disc299.angle");
  EXPECT_EQ(text_at(file, "/positions/units", 899), "rad");
  EXPECT_EQ(text_at(file, "/velocities/units", 0), "m/s");
  EXPECT_EQ(text_at(file, "/gaps/names", 22222), model.name_of(22222));
  EXPECT_EQ(text_at(file, "/contact_forces/names", 44445), model.name_of(22222) + " F_t");
  EXPECT_EQ(text_at(file, "/energy/names", 1), "potential");
  H5Fclose(file);
}

}  // namespace
}  // namespace carom::report
