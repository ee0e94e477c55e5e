// SPDX-License-Identifier: Apache-2.0
// What the data are, and whether they keep the balance of momentum.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <papers/engine/measures.hpp>
#include <papers/measured/world.hpp>

namespace carom::papers::measured_world {
namespace {

using Shared = std::shared_ptr<World>;

constexpr double normal_95 = 1.959963984540054;  // quantile of the normal distribution, two-sided

std::size_t flagged(const fit::Soundness& s, bool fit::RowSoundness::*flag) {
  return count(s.rows, [&](const fit::RowSoundness& r) { return r.*flag; });
}

std::vector<Computed> soundness_rows(World& world) {
  std::vector<Computed> rows;
  const auto add = [&](const std::string& name, const fit::Soundness& s) {
    const fit::Distribution& d = s.imbalance;
    rows.push_back({{"set", name},
                    {"rows", s.rows.size()},
                    {"rms [m/s]", d.rms},
                    {"by spin alone [m/s]", d.rms_of_spin},
                    {"median [m/s]", d.median},
                    {"90 % below [m/s]", d.p90},
                    {"outliers", flagged(s, &fit::RowSoundness::outlier)},
                    {"rows that gain energy", flagged(s, &fit::RowSoundness::gains_energy)},
                    {"best flip of signs: rms [m/s]", s.best_flip.imbalance.rms}});
  };
  add("ellipse", world.set("ellipse").soundness);
  add("ellipse, vx as distributed", world.mirrored_ellipse());
  add("square", world.set("square").soundness);
  add("cube, body as published", world.published_cube());
  add("cube, body by the balance", world.set("cube-body").soundness);
  return rows;
}

std::vector<Computed> body_rows(World& world) {
  std::vector<Computed> rows;
  for (const std::string& name : set_names) {
    const Judged& set = world.set(name);
    for (const fit::BodyChange& change : set.soundness.alone) {
      for (const auto& n : change.numbers) {
        const fit::BodyNumber& number = set.data.body[n.number];
        const double half = normal_95 * n.error;
        rows.push_back({{"set", name},
                        {"number", number.name},
                        {"unit", number.unit.empty() ? "-" : number.unit},
                        {"given", number.value},
                        {"best", n.best},
                        {"from", n.best - half},
                        {"to", n.best + half},
                        {"rms [m/s]", change.imbalance.rms}});
      }
    }
  }
  return rows;
}

/// The number that fits the balance best when it alone is changed.
const fit::BodyChange::Number& best_number(const Judged& set, std::string_view name) {
  for (const fit::BodyChange& change : set.soundness.alone) {
    for (const auto& n : change.numbers) {
      if (set.data.body[n.number].name == name) return n;
    }
  }
  throw std::invalid_argument("no number '" + std::string(name) + "' of the body");
}

Found radius_of_ellipse(World& world) {
  const Judged& set = world.set("ellipse");
  const auto& k = best_number(set, "radius_of_gyration");
  const double given = set.data.body[k.number].value;
  const double half = normal_95 * k.error;
  return {std::abs(k.best - given) <= half,
          {{"given", 1e3 * given},
           {"best", 1e3 * k.best},
           {"low", 1e3 * (k.best - half)},
           {"high", 1e3 * (k.best + half)}}};
}

Found flip_found(World& world) {
  const fit::Soundness& s = world.mirrored_ellipse();
  if (s.mending.empty())
    return {false, {{"columns", "none"}, {"as", s.imbalance.rms}, {"rms", 0.}}};
  const fit::Flip& flip = s.mending.front();
  const std::string columns =
      joined(flip.columns, " and ", [](const std::string& column) { return column; });
  return {columns.find("vx") != std::string::npos,
          {{"columns", columns}, {"as", s.imbalance.rms}, {"rms", flip.imbalance.rms}}};
}

Found spin_rms(World& world) {
  const double mirrored = world.mirrored_ellipse().imbalance.rms_of_spin;
  const double mended = world.set("ellipse").soundness.imbalance.rms_of_spin;
  return {mirrored > 5. * mended, {{"as", mirrored}, {"mended", mended}}};
}

Found square_radius(World& world) {
  constexpr double uniform = 0.0245;  // m: side/root(6)
  const Judged& set = world.set("square");
  const auto& k = best_number(set, "radius_of_gyration");
  const double half = normal_95 * k.error;
  return {
      k.best + half < uniform,
      {{"best", 1e3 * k.best}, {"low", 1e3 * (k.best - half)}, {"high", 1e3 * (k.best + half)}}};
}

Found square_corner(World& world) {
  const Judged& set = world.set("square");
  const double before = set.soundness.imbalance.rms;
  const double after =
      set.soundness.together.empty() ? before : set.soundness.together.front().imbalance.rms;
  return {after < 0.5 * before, {{"before", before}, {"after", after}}};
}

Found published_body(World& world) {
  const double published = world.published_cube().imbalance.rms;
  const double given = world.set("cube-body").soundness.imbalance.rms;
  return {given < 0.5 * published, {{"published", published}, {"given", given}}};
}

/// Whether the body given is as good as the best that the balance allows.
Found given_body(World& world) {
  const Judged& set = world.set("cube-body");
  const double given = set.soundness.imbalance.rms;
  double best = given;
  for (const auto* changes : {&set.soundness.alone, &set.soundness.together}) {
    for (const fit::BodyChange& c : *changes) best = std::min(best, c.imbalance.rms);
  }
  return {given < 1.15 * best, {{"given", given}, {"best", best}}};
}

Found energy_gained(World& world) {
  const Judged& set = world.set("ellipse");
  std::vector<fit::RowSoundness> gain =
      those(set.soundness.rows, [](const fit::RowSoundness& r) { return r.gains_energy; });
  const std::string ids =
      joined(gain, ", ", [&](const fit::RowSoundness& r) { return set.data.impacts[r.impact].id; });
  return {gain.size() == 1 && ids == "1655",
          {{"ids", ids}, {"ratio", gain.empty() ? 0. : gain[0].energy_ratio}}};
}

struct Contradiction {
  std::string column;
  std::string unit;
  double in_si;
  fit::RelatedRow row;
};

std::vector<Contradiction> contradictions(World& world) {
  std::vector<Contradiction> all;
  for (const fit::RelationCheck& check : world.cars().checks) {
    for (const fit::RelatedRow& row : check.rows) {
      if (row.contradicts) all.push_back({check.column, check.unit, check.in_si, row});
    }
  }
  return all;
}

/// Whether just these tests contradict themselves in that column.
Found contradicts(World& world, std::string_view column, const std::vector<std::string>& tests) {
  std::vector<std::string> found;
  std::string words;
  for (const Contradiction& c : contradictions(world)) {
    if (c.column != column) continue;
    found.push_back(c.row.id);
    words += fmt::format("{}{}: {:.4g} {} stated, {:.4g} expected", words.empty() ? "" : "; ",
                         c.row.id, c.row.stated / c.in_si, c.unit, c.row.expected / c.in_si);
  }
  std::ranges::sort(found);
  return {found == tests, {{"words", words}}};
}

std::vector<Computed> car_rows(World& world) {
  std::vector<Computed> rows;
  for (const Contradiction& c : contradictions(world)) {
    rows.push_back({{"test", c.row.id},
                    {"column", c.column},
                    {"stated", c.row.stated / c.in_si},
                    {"expected", c.row.expected / c.in_si},
                    {"difference", fmt::format("{:+.0f} %", -100. * c.row.relative())}});
  }
  return rows;
}

}  // namespace

Computations of_data(const Shared& world) {
  Computations c;
  c.tables["sets"] = [world](const Row& row) -> Computed {
    const fit::MeasuredImpacts& data = world->set(row.text("key")).data;
    return {{"rows", fmt::to_string(data.impacts.size() + data.unreadable.size())},
            {"fitted", fmt::to_string(data.fitted().size())}};
  };
  c.tables["toss-set"] = [world]() -> std::vector<Computed> {
    std::size_t samples = 0;
    for (const fit::Trajectory& t : world->tosses().trajectories) samples += t.poses.size();
    return {{{"tosses", fmt::to_string(world->tosses().trajectories.size())},
             {"samples", fmt::to_string(samples)}}};
  };
  c.tables["soundness"] = [world] { return soundness_rows(*world); };
  c.tables["body"] = [world] { return body_rows(*world); };
  c.tables["as-distributed"] = [world]() -> std::vector<Computed> {
    const Found found = spin_rms(*world);
    return {{{"rms [m/s]", found.values.at("as")}}, {{"rms [m/s]", found.values.at("mended")}}};
  };
  c.tables["cars"] = [world] { return car_rows(*world); };
  c.checks["radius-of-ellipse"] = [world] { return radius_of_ellipse(*world); };
  c.checks["flip-found"] = [world] { return flip_found(*world); };
  c.checks["given-body"] = [world] { return given_body(*world); };
  c.checks["square-rounded"] = [world] { return square_corner(*world); };
  c.checks["yaw"] = [world] { return contradicts(*world, "domega_degps", {"CF10023"}); };
  c.checks["resultants"] = [world] {
    return contradicts(*world, "dv_mps", {"CF10020", "CF10024"});
  };
  c.checks["MW1"] = [world] { return flip_found(*world); };
  c.checks["MW2"] = [world] { return spin_rms(*world); };
  c.checks["MW3"] = [world] { return square_radius(*world); };
  c.checks["MW4"] = [world] { return published_body(*world); };
  c.checks["MW5"] = [world] { return energy_gained(*world); };
  c.checks["MW6"] = [world] { return contradicts(*world, "domega_degps", {"CF10023"}); };
  c.checks["MW7"] = [world] { return contradicts(*world, "dv_mps", {"CF10020", "CF10024"}); };
  return c;
}

}  // namespace carom::papers::measured_world
