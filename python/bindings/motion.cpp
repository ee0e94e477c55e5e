// SPDX-License-Identifier: Apache-2.0
// Motions: a scenario or a Python model, followed; its table, its events and its record for
// pictures.
#include <algorithm>
#include <utility>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/report/motion/history.hpp>
#include <carom/report/motion/log.hpp>
#include <carom/report/motion/record.hpp>
#include <carom/report/motion/shown.hpp>
#include <carom/report/motion/trajectory.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/registered_systems.hpp>
#include <carom/study/parallel.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

constexpr double default_samples = 1000.;

/// Keeps rows, events and what pictures need; ends the run at Ctrl-C.
class Keeper : public motion::Recorder {
 public:
  Keeper(const scenario::MotionScenario& s, report::MotionHistory& history,
         motion::ContactNames& names, const std::atomic<bool>& stop)
      : history_(history),
        names_(names),
        stop_(stop),
        table_(*s.model),
        rows_(table_, [this](const std::vector<double>& row) { keep(row); }) {}

  void contact(std::size_t number, const ContactId& id) override {
    names_.add(number, id);
    history_.contact(number, id);
  }
  void event(const motion::Event& e) override {
    events.push_back(e);
    rows_.event(e);
    history_.event(e);
  }
  void sample(const motion::Sample& s) override {
    rows_.sample(s);
    history_.sample(s);
  }
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const motion::Sample& s, motion::Side side) override {
    rows_.side(s, side);
    history_.side(s, side);
  }
  bool stop() override { return stop_.load(); }

  [[nodiscard]] const report::TrajectoryTable& table() const { return table_; }

  std::vector<motion::Event> events;
  std::vector<double> values;  ///< of all rows, without contacts that were found

 private:
  void keep(const std::vector<double>& row) {
    const auto end = row.begin() + static_cast<std::ptrdiff_t>(table_.width());
    values.insert(values.end(), row.begin(), end);
  }

  report::MotionHistory& history_;
  motion::ContactNames& names_;
  const std::atomic<bool>& stop_;
  report::TrajectoryTable table_;
  report::TrajectoryRows rows_;
};

/// A motion that was followed to its end.
class Motion {
 public:
  explicit Motion(scenario::MotionScenario s)
      : scenario_(std::move(s)),
        names_(*scenario_.model),
        history_(report::most_samples(scenario_)) {
    if (!(scenario_.options.sample_interval > 0.)) {
      scenario_.options.sample_interval = scenario_.options.end_time / default_samples;
    }
    const Executor executor = study::make_executor(0);
    if (!asks_python()) scenario_.options.executor = &executor;
    interruptible([&](const std::atomic<bool>& stop) { run(stop); });
    scenario_.options.executor = nullptr;
  }

  [[nodiscard]] const py::object& table() const { return table_; }

  /// [(group, [name, ...], [unit, ...], [column, ...])]
  [[nodiscard]] py::list groups() const {
    const report::TrajectoryTable t(*scenario_.model);
    py::list all;
    for (const report::TrajectoryTable::Group& g : t.groups()) {
      all.append(py::make_tuple(g.name, g.names, g.units, g.at));
    }
    return all;
  }

  /// [(time, kind, contacts, energy change, impulse, verdict, text)]
  [[nodiscard]] py::list events() const {
    py::list all;
    const report::Wording wording = report::Wording::full_digits();
    for (const motion::Event& e : events_) {
      py::tuple contacts(e.contacts.size());
      for (std::size_t k = 0; k < e.contacts.size(); ++k) contacts[k] = names_[e.contacts[k]];
      all.append(py::make_tuple(e.time, std::string(name(e.kind)), contacts, e.energy_change,
                                array_of(e.impulse), std::string(name(e.flags.gravest())),
                                report::event_text(e, names_, wording)));
    }
    return all;
  }

  [[nodiscard]] py::dict energy() const {
    const motion::EnergyAccount& e = summary_.progress.energy;
    py::dict out;
    out["kinetic_start"] = e.kinetic_start;
    out["potential_start"] = e.potential_start;
    out["kinetic"] = e.kinetic;
    out["potential"] = e.potential;
    py::dict impacts, friction;
    for (std::size_t i = 0; i < e.impacts.size(); ++i) impacts[py::str(names_[i])] = e.impacts[i];
    for (std::size_t i = 0; i < e.friction.size(); ++i) {
      friction[py::str(names_[i])] = e.friction[i];
    }
    out["impacts"] = impacts;
    out["friction"] = friction;
    out["drives"] = e.drives;
    out["dampers"] = e.dampers;
    out["dropped"] = e.dropped;
    out["corrections"] = e.corrections;
    out["gap"] = e.gap();
    return out;
  }

  [[nodiscard]] py::tuple final_state() const {
    const State& s = summary_.progress.state;
    return py::make_tuple(s.time, py::array_t<double>(s.q.size(), s.q.data()),
                          py::array_t<double>(s.u.size(), s.u.data()));
  }

  [[nodiscard]] std::string ending() const {
    static constexpr std::array<const char*, 5> names{"time", "model", "events", "stopped",
                                                      "failed"};
    return names[static_cast<std::size_t>(summary_.ending)];
  }
  [[nodiscard]] std::string reason() const { return summary_.reason; }
  [[nodiscard]] py::dict counts() const {
    py::dict out;
    out["events"] = summary_.progress.events;
    out["impacts"] = summary_.progress.impacts;
    out["steps"] = summary_.progress.steps;
    out["other_law"] = summary_.progress.other_law;
    return out;
  }
  [[nodiscard]] std::string title() const { return scenario_.title; }
  [[nodiscard]] py::list notes() const { return py::cast(scenario_.notes); }

  /// The record of a picture. @param show  none: what is usual
  [[nodiscard]] std::string record(const std::string& kind, const std::vector<std::string>& show,
                                   const std::vector<double>& times) const {
    if (history_.points().size() < 2) {
      throw InputError("", "nothing moved: there is nothing to draw");
    }
    report::Shown shown = show.empty() ? report::usually_shown(scenario_, history_)
                                       : report::shown_by_name(scenario_, history_, show, "show");
    // A model written in Python has no shapes to draw.
    if (scenario_.drawing.outlines.empty() && scenario_.drawing.bodies.empty()) {
      std::erase_if(shown.views, [](const std::string& view) {
        return view == "scene" || view == "path" || view == "top";
      });
    }
    return report::motion_record(scenario_, history_, shown, kind, times);
  }

 private:
  /// Whether a law or the model is Python's: then one thread asks.
  [[nodiscard]] bool asks_python() const {
    const motion::Options& o = scenario_.options;
    const auto is_ours = [](const Law* law) { return law != nullptr && !law->parallel; };
    return !scenario::is_parallel(scenario_.system_type) || is_ours(o.law) || is_ours(o.several);
  }

  void run(const std::atomic<bool>& stop) {
    Keeper keeper(scenario_, history_, names_, stop);
    const motion::Progress from =
        motion::start(*scenario_.model, scenario_.start, scenario_.surfaces, scenario_.options);
    summary_ =
        motion::simulate(*scenario_.model, scenario_.surfaces, scenario_.options, from, keeper);
    events_ = std::move(keeper.events);
    const py::gil_scoped_acquire acquire;
    const std::size_t width = keeper.table().width();
    auto table = empty_array({keeper.values.size() / width, width});
    std::ranges::copy(keeper.values, table.mutable_data());
    table_ = std::move(table);
  }

  scenario::MotionScenario scenario_;
  motion::ContactNames names_;
  report::MotionHistory history_;
  motion::Summary summary_;
  std::vector<motion::Event> events_;
  py::object table_;
};

std::unique_ptr<Motion> simulate_scenario(const std::string& text, const std::string& name) {
  return std::make_unique<Motion>(scenario::parse_motion(text, name));
}

}  // namespace

void add_motion(py::module_& m) {
  py::class_<Motion>(m, "Motion", "A motion that was followed to its end.")
      .def("table", &Motion::table)
      .def("groups", &Motion::groups)
      .def("events", &Motion::events)
      .def("energy", &Motion::energy)
      .def("final_state", &Motion::final_state)
      .def("ending", &Motion::ending)
      .def("reason", &Motion::reason)
      .def("counts", &Motion::counts)
      .def("title", &Motion::title)
      .def("notes", &Motion::notes)
      .def("record", &Motion::record);
  m.def("simulate_scenario", simulate_scenario);
}

}  // namespace carom::python
