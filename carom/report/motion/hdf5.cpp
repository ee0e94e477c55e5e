// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/hdf5.hpp>

#include <algorithm>
#include <array>

#include <carom/report/hdf5_parts.hpp>

namespace carom::report {
namespace {

using hdf5::attribute;
using hdf5::check;
using hdf5::Handle;
using hdf5::Silence;

constexpr std::size_t most_rows_at_once = 1024;
constexpr std::size_t numbers_at_once = std::size_t{1} << 20U;  // 8 MB

std::filesystem::path partial(std::filesystem::path name) { return name += ".partial"; }

Handle make_group(hid_t file, const char* name) {
  const Handle how(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "a property list");
  check(H5Pset_obj_track_times(how, false), name);  // same motion, same bytes
  return {H5Gcreate2(file, name, H5P_DEFAULT, how, H5P_DEFAULT), H5Gclose, name};
}

/// Texts as a dataset, which may be longer than an attribute.
void write_texts(hid_t where, const char* name, const std::vector<std::string>& texts) {
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "a space");
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a property list");
  check(H5Pset_obj_track_times(how, false), name);
  const Handle type = hdf5::text_type();
  const Handle made(H5Dcreate2(where, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose,
                    name);
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
}

/// A dataset that grows by rows; with one column it is a list.
struct Growing {
  Growing(hid_t where, const std::string& path, std::vector<std::size_t> columns, bool whole,
          bool list, std::size_t rows_at_once)
      : name(path),
        at(std::move(columns)),
        rank(list ? 1 : 2),
        set(make(where, whole, rows_at_once)) {}

  Handle make(hid_t where, bool whole, std::size_t rows_at_once) const {
    const std::array<hsize_t, 2> none = {0, at.size()};
    const std::array<hsize_t, 2> most = {H5S_UNLIMITED, at.size()};
    const std::array<hsize_t, 2> chunk = {rows_at_once, at.size()};
    const Handle space(H5Screate_simple(rank, none.data(), most.data()), H5Sclose, "a space");
    const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a property list");
    check(H5Pset_chunk(how, rank, chunk.data()), name.c_str());
    check(H5Pset_shuffle(how), name.c_str());
    check(H5Pset_deflate(how, 4), name.c_str());
    check(H5Pset_obj_track_times(how, false), name.c_str());
    return {H5Dcreate2(where, name.c_str(), whole ? H5T_STD_I8LE : H5T_IEEE_F64LE, space,
                       H5P_DEFAULT, how, H5P_DEFAULT),
            H5Dclose, name.c_str()};
  }

  /// Appends its columns of `count` rows.
  void write(const std::vector<double>& rows, std::size_t width, std::size_t count,
             hsize_t before) {
    part.resize(count * at.size());
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t c = 0; c < at.size(); ++c) {
        part[r * at.size() + c] = rows[r * width + at[c]];
      }
    }
    const std::array<hsize_t, 2> size = {before + count, at.size()};
    check(H5Dset_extent(set, size.data()), name.c_str());
    const Handle space(H5Dget_space(set), H5Sclose, "a space");
    const std::array<hsize_t, 2> from = {before, 0};
    const std::array<hsize_t, 2> block = {count, at.size()};
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, block.data(), nullptr),
          name.c_str());
    const Handle memory(H5Screate_simple(rank, block.data(), nullptr), H5Sclose, "a space");
    check(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, part.data()), name.c_str());
  }

  std::string name;
  std::vector<std::size_t> at;  ///< columns of a row
  int rank;
  Handle set;
  std::vector<double> part{};
};

}  // namespace

struct MotionHdf5::File {
  File(const std::filesystem::path& name, const TrajectoryTable& table)
      : width(table.width()),
        rows_at_once(std::clamp<std::size_t>(numbers_at_once / width, 1, most_rows_at_once)),
        file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, hdf5::unlocked()), H5Fclose,
             name.c_str()) {
    sets.reserve(table.groups().size() + 1);
    sets.emplace_back(file, "time", std::vector<std::size_t>{0}, false, true, rows_at_once);
    attribute(sets.back().set, "unit", "s");
    for (const TrajectoryTable::Group& g : table.groups()) {
      const bool whole = !g.meaning.empty();
      if (g.at.size() == 1 && g.names.front() == g.name) {
        sets.emplace_back(file, g.name, g.at, whole, true, rows_at_once);
      } else {
        const Handle group = make_group(file, g.name.c_str());
        sets.emplace_back(group, "values", g.at, whole, false, rows_at_once);
        write_texts(group, "names", g.names);
        if (!whole) write_texts(group, "units", g.units);
      }
      if (whole) attribute(sets.back().set, "meaning", g.meaning);
    }
  }

  void write() {
    const std::size_t count = buffer.size() / width;
    if (count == 0) return;
    for (Growing& set : sets) set.write(buffer, width, count, rows);
    rows += count;
    buffer.clear();
  }

  Silence silence;
  std::size_t width;
  std::size_t rows_at_once;
  Handle file;
  std::vector<Growing> sets;
  hsize_t rows = 0;
  std::vector<double> buffer;
};

MotionHdf5::MotionHdf5(std::filesystem::path file, const TrajectoryTable& table)
    : name_(std::move(file)), file_(std::make_unique<File>(partial(name_), table)) {}

MotionHdf5::~MotionHdf5() = default;

void MotionHdf5::row(const std::vector<double>& row) {
  std::vector<double>& buffer = file_->buffer;
  const auto end = row.begin() + static_cast<std::ptrdiff_t>(file_->width);
  buffer.insert(buffer.end(), row.begin(), end);
  if (buffer.size() >= file_->rows_at_once * file_->width) file_->write();
}

void MotionHdf5::finish() {
  file_->write();
  for (Growing& set : file_->sets) set.set.close(set.name.c_str());
  file_->file.close("the file");
  std::filesystem::rename(partial(name_), name_);
}

}  // namespace carom::report
