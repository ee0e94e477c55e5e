// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/registered_systems.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/scenario/system_reader.hpp>
#include <carom/scenario/vehicles_reader.hpp>

namespace carom::scenario {
namespace {

struct RegisteredSystems {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const SystemType>, std::less<>> types;
};

RegisteredSystems& registered_systems() {
  static RegisteredSystems all;
  return all;
}

bool is_built_in(std::string_view type) {
  constexpr std::array<std::string_view, 4> others = {vehicles_type, "cradle", "plane-body",
                                                      "space-body"};  // that move, or are fitted
  const auto has = [&](const auto& types) { return std::ranges::find(types, type) != types.end(); };
  return is_spatial(type) || has_several_contacts(type) || has(system_types) || has(others);
}

}  // namespace

std::string register_system(SystemType type) {
  if (type.name.empty() || !type.at_impact) {
    throw InputError("type", "a type of system needs a name and a function at_impact");
  }
  RegisteredSystems& all = registered_systems();
  const std::lock_guard lock(all.mutex);
  const std::string wish = type.name;
  for (std::size_t k = 2; is_built_in(type.name) || all.types.contains(type.name); ++k) {
    type.name = wish + "-" + std::to_string(k);
  }
  std::string name = type.name;
  all.types.emplace(name, std::make_shared<const SystemType>(std::move(type)));
  return name;
}

void remove_system(std::string_view name) {
  RegisteredSystems& all = registered_systems();
  std::shared_ptr<const SystemType> removed;  // destroyed without the lock: it is another's code
  const std::lock_guard lock(all.mutex);
  const auto at = all.types.find(name);
  if (at == all.types.end()) return;
  removed = std::move(at->second);
  all.types.erase(at);
}

std::shared_ptr<const SystemType> registered_system(std::string_view name) {
  RegisteredSystems& all = registered_systems();
  const std::lock_guard lock(all.mutex);
  const auto at = all.types.find(name);
  return at == all.types.end() ? nullptr : at->second;
}

bool is_parallel(std::string_view system_type) {
  const auto type = registered_system(system_type);
  return type == nullptr || type->parallel;
}

}  // namespace carom::scenario
