// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <carom/report/hdf5_parts.hpp>
#include <carom/report/pending_file.hpp>
#include <carom/report/sweep/rows.hpp>
#include <carom/report/sweep/summary.hpp>

namespace carom::report {
namespace {

using hdf5::attribute;
using hdf5::check;
using hdf5::Handle;
using hdf5::Silence;
using study::Columns;
using study::ColumnStatistics;
using study::SweepColumn;
using study::SweepPlan;
using study::SweepResult;

/// A step of a path: no slash, and not "." or "..", which HDF5 would follow.
std::string path_step(std::string_view text) {
  std::string out(text.empty() ? "_" : text);
  for (char& c : out) {
    if (c == '/' || c == ' ') c = '_';
  }
  return out == "." || out == ".." ? "_" : out;
}

void numbers_attribute(hid_t of, const char* name, double value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "a space");
  hdf5::write_attribute(of, name, H5T_NATIVE_DOUBLE, space, &value);
}

class SweepWriter {
 public:
  SweepWriter(const SweepPlan& plan, const SweepResult& result, const study::BlockStore& store,
              const std::filesystem::path& file)
      : plan_(plan),
        result_(result),
        store_(store),
        file_(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, hdf5::unlocked()), H5Fclose,
              "the file") {}

  void write() {
    root();
    if (*plan_.request.keep_rows) rows();
    if (plan_.request.statistics) {
      for (std::size_t c = 0; c < plan_.columns.size(); ++c) statistics(c);
    }
    file_.close("the file");
  }

 private:
  void root() {
    const Handle root(H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose, "/");
    attribute(root, "created_by", std::string("carom"));
    attribute(root, "version", plan_.version);
    attribute(root, "title", plan_.title);
    attribute(root, "scenario", plan_.text);
    attribute(root, "scenario_file", plan_.name);
    attribute(root, "sweep", as_toml(plan_.request));
    attribute(root, "notes", plan_.notes);
    attribute(root, "not_computed", fault_words(plan_, result_.faults));
    numbers_attribute(root, "evaluations", static_cast<double>(plan_.evaluations()));
    std::vector<std::string> inputs;
    for (const study::SweepInput& in : plan_.inputs) inputs.push_back(in.path);
    attribute(root, "inputs", inputs);
  }

  /// Groups on the way are made. @param chunk  0: in one piece, without compression
  Handle create(const std::string& path, hid_t type, const std::vector<hsize_t>& size,
                hsize_t chunk) {
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "a property list");
    check(H5Pset_create_intermediate_group(links, 1), "a property list");
    const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a property list");
    check(H5Pset_obj_track_times(how, false), "a property list");  // same sweep, same bytes
    if (chunk > 0) {
      check(H5Pset_chunk(how, 1, &chunk), path.c_str());
      check(H5Pset_shuffle(how), path.c_str());
      check(H5Pset_deflate(how, 4), path.c_str());
    }
    const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                       H5Sclose, "a space");
    return {H5Dcreate2(file_, path.c_str(), type, space, links, how, H5P_DEFAULT), H5Dclose,
            path.c_str()};
  }

  static void write_part(hid_t dataset, std::size_t first, const std::vector<double>& values,
                         const char* what) {
    const hsize_t from = first;
    const hsize_t count = values.size();
    const Handle all(H5Dget_space(dataset), H5Sclose, "a space");
    check(H5Sselect_hyperslab(all, H5S_SELECT_SET, &from, nullptr, &count, nullptr), what);
    const Handle part(H5Screate_simple(1, &count, nullptr), H5Sclose, "a space");
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, part, all, H5P_DEFAULT, values.data()), what);
  }

  static std::string column_path(const char* group, const SweepColumn& c) {
    return std::string(group) + "/" + (c.law.empty() ? "motion" : path_step(c.law)) + "/" +
           path_step(c.name);
  }

  static void describe(hid_t of, const SweepColumn& c) {
    attribute(of, "quantity", c.name);
    attribute(of, "label", c.label);
    attribute(of, "law", c.law);
    attribute(of, "unit", c.unit);
    if (c.is_number()) return;
    std::vector<std::string> labels;
    std::vector<std::string> meanings;
    for (const study::Category& category : c.categories) {
      labels.push_back(category.label);
      meanings.push_back(category.meaning);
    }
    attribute(of, "categories", labels);
    attribute(of, "meanings", meanings);
  }

  void rows() {
    constexpr hsize_t usual_chunk = 16'384;
    const hsize_t size = plan_.rows();
    const hsize_t chunk = std::min<hsize_t>(size, usual_chunk);
    std::vector<Handle> inputs;
    std::vector<Handle> values;
    for (const study::SweepInput& in : plan_.inputs) {
      inputs.push_back(create("/inputs/" + path_step(in.path), H5T_NATIVE_DOUBLE, {size}, chunk));
      attribute(inputs.back(), "path", in.path);
      attribute(inputs.back(), "label", in.label);
      attribute(inputs.back(), "symbol", in.symbol);
      attribute(inputs.back(), "unit", in.unit);
    }
    for (const SweepColumn& c : plan_.columns) {
      values.push_back(create(column_path("/results", c), H5T_NATIVE_DOUBLE, {size}, chunk));
      describe(values.back(), c);
    }
    for_rows(plan_, store_, [&](std::size_t first, const Columns& in, const Columns& out) {
      for (std::size_t k = 0; k < in.size(); ++k) write_part(inputs[k], first, in[k], "inputs");
      for (std::size_t c = 0; c < out.size(); ++c) write_part(values[c], first, out[c], "results");
    });
  }

  Handle table(const std::string& path, const std::vector<std::string>& names,
               const std::vector<double>& values) {
    const hsize_t width = names.size();
    Handle made = create(path, H5T_NATIVE_DOUBLE, {values.size() / width, width}, 0);
    check(H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          path.c_str());
    attribute(made, "columns", names);
    return made;
  }

  void statistics(std::size_t c) {
    const SweepColumn& column = plan_.columns[c];
    const ColumnStatistics& s = result_.columns[c];
    const std::string group = column_path("/statistics", column);
    if (!column.is_number()) {
      std::vector<double> values;
      for (const std::uint64_t n : s.categories) {
        values.push_back(static_cast<double>(n));
        values.push_back(static_cast<double>(n) / s.moments.count);
      }
      const Handle made = table(group, {"count", "share"}, values);
      describe(made, column);
      numbers_attribute(made, "not_defined", s.moments.undefined);
      return;
    }
    const study::Moments& m = s.moments;
    const double none = std::numeric_limits<double>::quiet_NaN();
    const bool sample = plan_.is_sample();
    {
      const Handle made =
          table(group + "/moments",
                {"count", "not_defined", "mean", "mean_error", "deviation", "deviation_error",
                 "least", "greatest"},
                {m.count, m.undefined, m.count > 0. ? m.mean : none, sample ? m.mean_error() : none,
                 m.deviation(), sample ? m.deviation_error() : none, m.least, m.greatest});
      describe(made, column);
    }
    std::vector<double> quantiles;
    for (const study::Quantile& q : s.quantiles) {
      quantiles.insert(quantiles.end(),
                       {q.probability, q.value, sample ? q.error : none, q.resolution});
    }
    if (!quantiles.empty()) {
      table(group + "/quantiles", {"probability", "value", "error", "resolution"}, quantiles);
    }
    std::vector<double> bins;
    const double width =
        (s.histogram.to - s.histogram.from) / static_cast<double>(s.histogram.counts.size());
    for (std::size_t i = 0; i < s.histogram.counts.size(); ++i) {
      const double from = s.histogram.from + width * static_cast<double>(i);
      bins.insert(bins.end(), {from, from + width, s.histogram.counts[i]});
    }
    {
      const Handle made = table(group + "/histogram", {"from", "to", "count"}, bins);
      numbers_attribute(made, "below", s.histogram.below);
      numbers_attribute(made, "above", s.histogram.above);
    }
    std::vector<double> indices;
    for (std::size_t k = 0; k < s.indices.first.size(); ++k) {
      indices.insert(indices.end(), {s.indices.first[k].value, s.indices.first[k].error,
                                     s.indices.total[k].value, s.indices.total[k].error});
    }
    if (indices.empty()) return;
    const Handle made =
        table(group + "/indices", {"first", "first_error", "total", "total_error"}, indices);
    std::vector<std::string> inputs;
    for (const study::SweepInput& in : plan_.inputs) inputs.push_back(in.path);
    attribute(made, "inputs", inputs);
  }

  const SweepPlan& plan_;
  const SweepResult& result_;
  const study::BlockStore& store_;
  Handle file_;
};

}  // namespace

void write_sweep_hdf5(const SweepPlan& plan, const SweepResult& result,
                      const study::BlockStore& store, const std::filesystem::path& file) {
  PendingFile pending(file);
  const Silence silence;
  try {
    SweepWriter(plan, result, store, pending.temporary()).write();
  } catch (const std::runtime_error& e) {
    throw std::runtime_error("cannot write " + file.string() + ": " + e.what());
  }
  pending.keep();
}

}  // namespace carom::report
