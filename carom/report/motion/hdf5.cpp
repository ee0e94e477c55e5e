// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/hdf5.hpp>

#include <array>

#include <carom/report/hdf5_parts.hpp>

namespace carom::report {
namespace {

using hdf5::attribute;
using hdf5::check;
using hdf5::Handle;
using hdf5::Silence;

constexpr std::size_t rows_at_once = 1024;

struct Columns {
  std::vector<std::string> names{};
  std::vector<std::string> units{};

  void add(const std::string& name, const char* unit) {
    names.push_back(name);
    units.emplace_back(unit);
  }
};

Columns columns_of(const motion::Model& model) {
  Columns c;
  c.add("time", "s");
  for (std::size_t i = 0; i < model.positions(); ++i) c.add(model.position_name(i), "SI");
  for (std::size_t i = 0; i < model.velocities(); ++i) c.add(model.velocity_name(i), "SI");
  static constexpr std::array<const char*, 3> plane = {"n", "t", ""};
  static constexpr std::array<const char*, 3> space = {"n", "t1", "t2"};
  const auto& parts = model.components() == 2 ? plane : space;
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    const std::string contact = model.contact_name(i);
    c.add(contact + " gap", "m");
    for (std::size_t k = 0; k < model.components(); ++k) {
      c.add(contact + " v_" + parts[k], "m/s");
    }
    for (std::size_t k = 0; k < model.components(); ++k) c.add(contact + " F_" + parts[k], "N");
    c.add(contact + " status", "0 open, 1 slip, 2 stick");
  }
  c.add("kinetic energy", "J");
  c.add("potential energy", "J");
  return c;
}

Handle open_file(const std::filesystem::path& file, bool resumed) {
  const hid_t id = resumed ? H5Fopen(file.c_str(), H5F_ACC_RDWR, hdf5::unlocked())
                           : H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, hdf5::unlocked());
  return {id, H5Fclose, file.c_str()};
}

Handle open_dataset(hid_t file, const Columns& columns, bool resumed) {
  if (resumed) return {H5Dopen2(file, "/trajectory", H5P_DEFAULT), H5Dclose, "/trajectory"};
  const std::array<hsize_t, 2> none = {0, columns.names.size()};
  const std::array<hsize_t, 2> most = {H5S_UNLIMITED, columns.names.size()};
  const std::array<hsize_t, 2> chunk = {rows_at_once, columns.names.size()};
  const Handle space(H5Screate_simple(2, none.data(), most.data()), H5Sclose, "a space");
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a property list");
  check(H5Pset_chunk(how, 2, chunk.data()), "/trajectory");
  check(H5Pset_shuffle(how), "/trajectory");
  check(H5Pset_deflate(how, 4), "/trajectory");
  check(H5Pset_obj_track_times(how, false), "/trajectory");  // same motion, same bytes
  Handle made(
      H5Dcreate2(file, "/trajectory", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT),
      H5Dclose, "/trajectory");
  attribute(made, "columns", columns.names);
  attribute(made, "units", columns.units);
  return made;
}

}  // namespace

struct MotionHdf5::File {
  File(const std::filesystem::path& name, const motion::Model& model, bool resumed)
      : columns(columns_of(model)),
        file(open_file(name, resumed)),
        trajectory(open_dataset(file, columns, resumed)) {
    const Handle space(H5Dget_space(trajectory), H5Sclose, "a space");
    std::array<hsize_t, 2> size{};
    if (H5Sget_simple_extent_dims(space, size.data(), nullptr) != 2 ||
        size[1] != columns.names.size()) {
      throw std::runtime_error(name.string() + " is of another motion");
    }
    rows = size[0];
  }

  void write() {
    const std::size_t width = columns.names.size();
    const std::size_t count = buffer.size() / width;
    if (count == 0) return;
    const std::array<hsize_t, 2> size = {rows + count, width};
    check(H5Dset_extent(trajectory, size.data()), "/trajectory");
    const Handle space(H5Dget_space(trajectory), H5Sclose, "a space");
    const std::array<hsize_t, 2> from = {rows, 0};
    const std::array<hsize_t, 2> part = {count, width};
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr),
          "/trajectory");
    const Handle memory(H5Screate_simple(2, part.data(), nullptr), H5Sclose, "a space");
    check(H5Dwrite(trajectory, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, buffer.data()),
          "/trajectory");
    rows += count;
    buffer.clear();
  }

  Silence silence;
  Columns columns;
  Handle file;
  Handle trajectory;
  hsize_t rows = 0;
  std::vector<double> buffer;
};

MotionHdf5::MotionHdf5(const std::filesystem::path& file, const motion::Model& model, bool resumed)
    : model_(model), file_(std::make_unique<File>(file, model, resumed)) {}

MotionHdf5::~MotionHdf5() = default;

void MotionHdf5::sample(const motion::Sample& s) {
  std::vector<double>& row = file_->buffer;
  row.push_back(s.state.time);
  row.insert(row.end(), s.state.q.begin(), s.state.q.end());
  row.insert(row.end(), s.state.u.begin(), s.state.u.end());
  const std::size_t d = model_.components();
  for (std::size_t i = 0; i < model_.contacts(); ++i) {
    row.push_back(s.gap[i]);
    for (std::size_t k = 0; k < d; ++k) row.push_back(s.velocity[i * d + k]);
    for (std::size_t k = 0; k < d; ++k) row.push_back(s.force[i * d + k]);
    row.push_back(static_cast<double>(s.contacts[i].touch));
  }
  row.push_back(s.kinetic);
  row.push_back(s.potential);
  if (row.size() >= rows_at_once * file_->columns.names.size()) file_->write();
}

void MotionHdf5::finish() {
  file_->write();
  file_->trajectory.close("/trajectory");
  file_->file.close("the file");
}

}  // namespace carom::report
