// SPDX-License-Identifier: Apache-2.0
// Sweeps: many numbers of a scenario vary.
#include <algorithm>
#include <tuple>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/report/sweep/rows.hpp>
#include <carom/report/sweep/summary.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/sweep/store.hpp>
#include <carom/study/sweep/sweep.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

/// A sweep that was computed, in memory.
struct Sweep {
  study::SweepPlan plan;
  std::unique_ptr<study::BlockStore> store;
  study::SweepResult result;
};

/// What [sweep] of the scenario asks, and what keywords say in its place.
/// @param vary  "PATH=..." as parse_sweep_axis reads it
scenario::SweepRequest sweep_request_of(const std::string& text, const std::string& name,
                                        const std::vector<std::string>& vary,
                                        const std::vector<std::string>& show,
                                        const std::vector<std::string>& laws,
                                        const py::dict& options) {
  const scenario::Document document(text, name);
  const scenario::Table top = document.top();
  scenario::SweepRequest r;
  if (top.has("sweep")) r = scenario::read_sweep(top.table("sweep"));
  for (const std::string& axis : vary) r.vary(scenario::parse_sweep_axis(axis, "vary"));
  if (!show.empty()) r.show = texts(show, "show");
  if (!laws.empty()) r.laws = texts(laws, "law");
  for (const auto& [key, value] : options) {
    const std::string k = text_of(key, "keyword");
    // clang 14 does not capture structured bindings.
    const auto count = [&k, given = py::handle(value)](double least, double most) {
      return scenario::require_count(number_of(given, k), least, most, k, "");
    };
    if (k == "method") {
      r.method = scenario::sweep_method(text_of(value, k), k, "");
    } else if (k == "samples") {
      r.samples = count(1., scenario::most_sweep_samples);
    } else if (k == "seed") {
      constexpr double most_seed = 0x1p53;
      r.seed = count(0., most_seed);
    } else if (k == "bins") {
      r.bins = count(1., scenario::most_sweep_bins);
    } else if (k == "indices") {
      r.indices = py::cast<bool>(value);
    } else if (k == "rows") {
      r.keep_rows = py::cast<bool>(value);
    } else if (k == "quantiles") {
      const Numbers given = numbers_of(value, k);
      r.quantiles.assign(given.data(), given.data() + given.size());
      scenario::require_quantiles(r.quantiles, k, "");
    } else {
      throw InputError(k, "unknown keyword");
    }
  }
  if (r.method == scenario::SweepMethod::grid && !options.contains("samples")) r.samples.reset();
  return r;
}

std::unique_ptr<Sweep> compute_sweep(const std::string& text, const std::string& name,
                                     const std::vector<std::string>& vary,
                                     const std::vector<std::string>& show,
                                     const std::vector<std::string>& laws, const py::dict& options,
                                     unsigned threads, const NumberLabels& labels) {
  auto sweep = std::make_unique<Sweep>();
  sweep->plan = study::plan_sweep(
      text, name, sweep_request_of(text, name, vary, show, laws, options), CAROM_VERSION);
  for (study::SweepInput& input : sweep->plan.inputs) {
    if (const auto at = labels.find(input.path); at != labels.end()) {
      std::tie(input.label, input.unit) = at->second;
    }
  }
  const study::SweepPlan& plan = sweep->plan;
  sweep->store = study::in_memory(plan);
  const auto distributor = study::on_threads(plan.parallel ? threads : 1);
  interruptible([&](const std::atomic<bool>& stop) {
    (void)study::compute_sweep(plan, study::blocks_of(plan, 1, 1), *sweep->store, *distributor,
                               &stop, [](double) {});
    sweep->result = study::gather(plan, *sweep->store, &stop);
  });
  return sweep;
}

/// (inputs, results): an array for each, or nothing where rows are not kept.
py::object rows_of_sweep(const Sweep& s) {
  if (!s.plan.keeps_values || s.plan.request.keep_rows == false) return py::none();
  study::Columns inputs(s.plan.inputs.size()), results(s.plan.columns.size());
  const auto append = [](study::Columns& to, const study::Columns& from) {
    for (std::size_t c = 0; c < to.size(); ++c) {
      to[c].insert(to[c].end(), from[c].begin(), from[c].end());
    }
  };
  report::for_rows(s.plan, *s.store,
                   [&](std::size_t, const study::Columns& in, const study::Columns& values) {
                     append(inputs, in);
                     append(results, values);
                   });
  const auto arrays = [](const study::Columns& columns) {
    py::list all;
    for (const auto& column : columns) all.append(array_of(column));
    return all;
  };
  return py::make_tuple(arrays(inputs), arrays(results));
}

}  // namespace

void add_sweep(py::module_& m) {
  py::class_<Sweep>(m, "Sweep", "A sweep that was computed.")
      .def("rows", rows_of_sweep)
      .def("categories",
           [](const Sweep& s) {
             py::list all;
             for (const study::SweepColumn& column : s.plan.columns) {
               py::list labels;
               for (const study::Category& c : column.categories) labels.append(c.label);
               all.append(labels);
             }
             return all;
           })
      .def("record",
           [](const Sweep& s) { return report::sweep_record(s.plan, s.result, *s.store); })
      .def("summary", [](const Sweep& s) {
        constexpr std::size_t width = 110;
        return report::sweep_summary(s.plan, s.result, {.colour = false, .width = width});
      });
  m.def("compute_sweep", compute_sweep);
}

}  // namespace carom::python
