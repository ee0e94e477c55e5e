// SPDX-License-Identifier: Apache-2.0
// Maps: what laws say while one or two numbers of a scenario vary.
#include <cmath>
#include <tuple>
#include <utility>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/report/map/record.hpp>
#include <carom/report/map/summary.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/map/map.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

py::dict dict_of(const study::Axis& axis) {
  py::dict out;
  out["path"] = axis.path;
  out["label"] = axis.label;
  out["symbol"] = axis.symbol;
  out["unit"] = axis.unit;
  out["log"] = axis.log;
  out["values"] = array_of(axis.values);
  return out;
}

py::list layers(const study::Map& map) {
  py::list all;
  for (const study::MapLayer& layer : map.layers) {
    std::vector<std::size_t> shape{map.columns()};
    if (map.y) shape.insert(shape.begin(), map.rows());
    auto values = empty_array(shape);
    std::ranges::copy(layer.values, values.mutable_data());
    py::dict out;
    out["name"] = layer.name();
    out["law"] = layer.law;
    out["other"] = layer.other;
    out["title"] = layer.title;
    out["unit"] = layer.unit;
    out["values"] = values;
    py::list categories;
    for (const study::Category& c : layer.categories) {
      categories.append(py::make_tuple(c.label, c.meaning));
    }
    out["categories"] = categories;
    all.append(out);
  }
  return all;
}

py::list boundaries(const study::Map& map) {
  py::list all;
  for (const study::BoundaryCurve& b : map.boundaries) {
    py::dict out;
    out["law"] = b.law;
    out["name"] = b.name;
    out["meaning"] = b.meaning;
    py::list lines;
    for (const auto& line : b.lines) {
      auto points = empty_array({line.size(), 2});
      double* at = points.mutable_data();
      for (const auto& [x, y] : line) {
        *at++ = x;
        *at++ = y;
      }
      lines.append(points);
    }
    out["lines"] = lines;
    all.append(out);
  }
  return all;
}

/// An axis: (path, from, to, points, log). @param points  0: as by default
scenario::MapAxis axis_of(const py::tuple& given, const char* field) {
  scenario::MapAxis axis;
  axis.path = text_of(given[0], field);
  axis.from = number_of(given[1], field);
  axis.to = number_of(given[2], field);
  const double points = number_of(given[3], field);
  if (points != 0.) {
    const double most = static_cast<double>(scenario::MapAxis::most_points);
    if (!(points >= 2. && points <= most && points == std::floor(points))) {
      throw InputError(field, points, "a whole number of points in [2, 20000]");
    }
    axis.points = static_cast<std::size_t>(points);
  }
  axis.log = py::cast<bool>(given[4]);
  axis.field = field;
  if (!std::isfinite(axis.from) || !std::isfinite(axis.to) || axis.from == axis.to) {
    throw InputError(field, "must go from one number to another, got " + shortest(axis.from) +
                                " and " + shortest(axis.to));
  }
  if (axis.log && !(axis.from > 0. && axis.to > 0.)) {
    throw InputError(field, "must be above 0 at both ends where it is logarithmic, got " +
                                shortest(axis.from) + " and " + shortest(axis.to));
  }
  return axis;
}

/// What is None or empty is as the scenario says.
std::unique_ptr<study::Map> compute_map(const std::string& text, const std::string& name,
                                        const py::object& x, const py::object& y,
                                        const std::vector<std::string>& show,
                                        const std::vector<std::string>& laws,
                                        const std::string& compare, unsigned threads,
                                        const NumberLabels& labels) {
  scenario::MapRequest request = scenario::Variation(text, name).map();
  if (!x.is_none()) {
    request.x = axis_of(x, "x");
    request.y.reset();
  }
  if (!y.is_none()) request.y = axis_of(y, "y");
  if (!request.x) throw InputError("x", "is missing: what varies, and over which range");
  if (!show.empty()) request.show = texts(show, "show");
  if (!laws.empty()) request.laws = texts(laws, "law");
  if (!compare.empty()) request.compare = {.text = compare, .field = "compare", .place = ""};
  auto map = std::make_unique<study::Map>();
  interruptible([&](const std::atomic<bool>& stop) {
    *map = study::compute_map(text, name, request, {.threads = threads, .stop = &stop});
  });
  map->provenance.version = CAROM_VERSION;
  const auto name_axis = [&](study::Axis& axis) {
    if (const auto at = labels.find(axis.path); at != labels.end()) {
      std::tie(axis.label, axis.unit) = at->second;
    }
  };
  name_axis(map->x);
  if (map->y) name_axis(*map->y);
  return map;
}

}  // namespace

void add_map(py::module_& m) {
  py::class_<study::Map>(m, "Map", "What laws say while one or two numbers vary.")
      .def_property_readonly("title", [](const study::Map& map) { return map.title; })
      .def_property_readonly("x", [](const study::Map& map) { return dict_of(map.x); })
      .def_property_readonly("y",
                             [](const study::Map& map) -> py::object {
                               if (!map.y) return py::none();
                               return dict_of(*map.y);
                             })
      .def_property_readonly("notes", [](const study::Map& map) { return map.notes; })
      .def("layers", layers)
      .def("boundaries", boundaries)
      .def("summary",
           [](const study::Map& map) { return report::map_summary(map, {.colour = false}); })
      .def("record", [](const study::Map& map, bool surface) {
        return report::map_record(map, surface ? report::MapStyle::surface : report::MapStyle::map);
      });
  m.def("compute_map", compute_map);
}

}  // namespace carom::python
