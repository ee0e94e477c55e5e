// SPDX-License-Identifier: Apache-2.0
#include "support/motion_log.hpp"

#include <fstream>
#include <limits>

#include <nlohmann/json.hpp>

namespace carom::test {

namespace {

std::vector<ReferenceRun> read() {
  std::ifstream in(CAROM_TEST_DATA "/reference/motion.json");
  const auto root = nlohmann::json::parse(in);
  std::vector<ReferenceRun> runs;
  for (const auto& r : root.at("runs")) {
    ReferenceRun run;
    run.id = r.at("id").get<std::string>();
    run.bar = r.at("bar").get<bool>();
    run.local_time = r.at("contact_time_rule").get<std::string>() == "local";
    run.striker_speed = r.at("striker_speed").get<double>();
    run.friction = r.at("friction").get<double>();
    run.static_friction = r.at("static_friction").get<double>();
    run.start = r.at("start").get<std::vector<double>>();
    for (const auto& e : r.at("events")) {
      ReferenceEvent event;
      event.time = e.at("time").get<double>();
      event.kind = e.at("kind").get<std::string>();
      event.text = e.at("text").get<std::string>();
      if (e.contains("contacts")) event.contact = e.at("contacts").at(0).get<std::string>();
      if (e.contains("from")) event.from = e.at("from").get<std::string>();
      if (e.contains("to")) event.to = e.at("to").get<std::string>();
      run.events.push_back(event);
    }
    for (const auto& [time, v] : r.at("v1").items()) {
      run.v1.emplace_back(std::stod(time),
                          v.is_null() ? std::numeric_limits<double>::quiet_NaN() : v.get<double>());
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

const std::vector<ReferenceRun>& reference_runs() {
  static const std::vector<ReferenceRun> runs = read();
  return runs;
}

}  // namespace carom::test
