// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map/hdf5.hpp>

#include <hdf5_hl.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <carom/report/hdf5_parts.hpp>
#include <carom/report/map/words.hpp>
#include <carom/report/pending_file.hpp>

namespace carom::report {
namespace {

using hdf5::attribute;
using hdf5::check;
using hdf5::Handle;
using hdf5::Silence;

constexpr std::uint8_t undefined = 255;

/// A step of a path: no slash, and not "." or "..", which HDF5 would follow.
std::string step(std::string_view text) {
  std::string out(text.empty() ? "_" : text);
  for (char& c : out) {
    if (c == '/' || c == ' ' || c == '.') c = '_';
  }
  return out;
}

class Writer {
 public:
  Writer(const study::Map& map, const std::filesystem::path& file)
      : map_(map), file_(create(file)) {}

  void write() {
    root();
    x_ = axis("/x", map_.x);
    if (map_.y) y_ = axis("/y", *map_.y);
    for (const study::MapLayer& layer : map_.layers) this->layer(layer);
    for (const study::BoundaryCurve& curve : map_.boundaries) boundary(curve);
    x_.clear();
    y_.clear();
    file_.close("the file");
  }

 private:
  static Handle create(const std::filesystem::path& file) {
    return {H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, hdf5::unlocked()), H5Fclose,
            "the file"};
  }

  void root() {
    const Handle root(H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose, "/");
    attribute(root, "created_by", std::string("carom"));
    attribute(root, "title", map_.title);
    attribute(root, "scenario", map_.provenance.scenario_text);
    attribute(root, "scenario_file", map_.provenance.scenario_name);
    attribute(root, "version", map_.provenance.version);
    attribute(root, "command", map_.provenance.command);
    attribute(root, "contours", map_.contours);
    attribute(root, "notes", map_.notes);
  }

  /// Groups on the way are made; large ones are compressed.
  Handle dataset(const std::string& path, hid_t type, const std::vector<hsize_t>& size,
                 const void* values) {
    const int rank = static_cast<int>(size.size());
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "a property list");
    check(H5Pset_create_intermediate_group(links, 1), "a property list");
    const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a property list");
    check(H5Pset_obj_track_times(how, false), "a property list");  // same map, same bytes
    hsize_t cells = 1;
    for (const hsize_t n : size) cells *= n;
    if (cells >= large) {
      std::vector<hsize_t> chunk;
      for (const hsize_t n : size) chunk.push_back(std::min<hsize_t>(n, rank == 1 ? large : 256));
      check(H5Pset_chunk(how, rank, chunk.data()), path.c_str());
      check(H5Pset_shuffle(how), path.c_str());
      check(H5Pset_deflate(how, 4), path.c_str());
    }
    const Handle space(H5Screate_simple(rank, size.data(), nullptr), H5Sclose, "a space");
    Handle made(H5Dcreate2(file_, path.c_str(), type, space, links, how, H5P_DEFAULT), H5Dclose,
                path.c_str());
    check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), path.c_str());
    return made;
  }

  std::vector<Handle> axis(const std::string& path, const study::Axis& axis) {
    std::vector<Handle> made;
    made.push_back(dataset(path, H5T_NATIVE_DOUBLE, {axis.values.size()}, axis.values.data()));
    const hid_t it = made.front();
    attribute(it, "path", axis.path);
    attribute(it, "label", axis.label);
    attribute(it, "symbol", axis.symbol);
    attribute(it, "unit", axis.unit);
    attribute(it, "log", static_cast<std::uint8_t>(axis.log ? 1 : 0));
    check(H5DSset_scale(it, axis.path.c_str()), path.c_str());
    return made;
  }

  /// As asked, or with a number behind it where two layers would share it.
  std::string unused(const std::string& path) {
    std::string name = path;
    for (int i = 2; !used_.insert(name).second; ++i) name = path + "_" + std::to_string(i);
    return name;
  }

  void layer(const study::MapLayer& layer) {
    std::string law = layer.law.empty() ? "law" : layer.law;
    if (!layer.other.empty()) {
      static constexpr const char* joined[] = {"_and_", "_minus_", "_over_"};
      law += joined[static_cast<std::size_t>(layer.compared)];
      law += layer.other;
    }
    const std::string quantity = layer.name();
    const std::string path = unused("/" + step(law) + "/" + step(quantity));
    std::vector<hsize_t> size;
    if (map_.y) size.push_back(map_.rows());
    size.push_back(map_.columns());

    const Handle made = layer.categories.empty()
                            ? dataset(path, H5T_NATIVE_DOUBLE, size, layer.values.data())
                            : categories(path, layer, size);
    static constexpr const char* words[] = {"no", "difference", "ratio"};
    attribute(made, "law", layer.law);
    if (!layer.other.empty()) attribute(made, "other_law", layer.other);
    attribute(made, "compared", std::string(words[static_cast<std::size_t>(layer.compared)]));
    attribute(made, "quantity", quantity);
    attribute(made, "title", layer.title);
    attribute(made, "unit", layer.unit);
    if (map_.y) check(H5DSattach_scale(made, y_.front(), 0), path.c_str());
    check(H5DSattach_scale(made, x_.front(), map_.y ? 1 : 0), path.c_str());
  }

  Handle categories(const std::string& path, const study::MapLayer& layer,
                    const std::vector<hsize_t>& size) {
    if (layer.categories.size() > undefined) {
      throw std::runtime_error("HDF5: more categories than a byte can number: " + path);
    }
    std::vector<std::uint8_t> bytes(layer.values.size());
    for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
      const int category = category_of(layer, cell);
      bytes[cell] = category < 0 ? undefined : static_cast<std::uint8_t>(category);
    }
    Handle made = dataset(path, H5T_NATIVE_UINT8, size, bytes.data());
    std::vector<std::string> labels;
    std::vector<std::string> meanings;
    for (const study::Category& c : layer.categories) {
      labels.push_back(c.label);
      meanings.push_back(c.meaning);
    }
    attribute(made, "categories", labels);
    attribute(made, "meanings", meanings);
    attribute(made, "undefined", undefined);
    return made;
  }

  void boundary(const study::BoundaryCurve& curve) {
    const std::string law = curve.law.empty() ? "law" : curve.law;
    const std::string path = unused("/boundaries/" + step(law) + "/" + step(curve.name));
    for (std::size_t k = 0; k < curve.lines.size(); ++k) {
      if (curve.lines[k].empty()) continue;
      const Handle made = dataset(path + "/" + std::to_string(k), H5T_NATIVE_DOUBLE,
                                  {curve.lines[k].size(), 2}, curve.lines[k].data());
      attribute(made, "law", law);
      attribute(made, "name", curve.name);
      attribute(made, "meaning", curve.meaning);
      attribute(made, "columns", std::vector<std::string>{"x", "y"});
    }
  }

  static constexpr hsize_t large = 16'384;  // cells

  const study::Map& map_;
  Handle file_;
  std::vector<Handle> x_;  // one, once it is made
  std::vector<Handle> y_;
  std::set<std::string> used_;
};

}  // namespace

void write_map_hdf5(const study::Map& map, const std::filesystem::path& file) {
  PendingFile pending(file);
  const Silence silence;
  try {
    Writer(map, pending.temporary()).write();
  } catch (const std::runtime_error& e) {
    throw std::runtime_error("cannot write " + file.string() + ": " + e.what());
  }
  pending.keep();
}

}  // namespace carom::report
