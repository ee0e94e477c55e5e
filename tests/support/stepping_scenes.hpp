// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <carom/motion/stepping.hpp>

#include "support/random_scenes.hpp"

/// Scenes for time-stepping, and what every accepted step must satisfy.
namespace carom::test {

/// e and mu from 0 to 1, both ends now and then; mu_s = mu or 1.2 mu; one of two laws; the step of
/// stepping.
inline void choose_stepping(Random& random, RandomMotion& m, double end_time = 1.) {
  const auto coefficient = [&] {
    const double kind = random(0., 1.);
    return kind < 0.2 ? 0. : kind < 0.3 ? 1. : random(0., 1.);
  };
  const double e = coefficient();
  const double mu = coefficient();
  const double more = random(0., 1.) < 0.7 ? 1. : 1.2;
  m.surfaces.assign(1, {.restitution = e, .friction = mu, .static_friction = more * mu});
  m.options = {.method = motion::MotionMethod::stepping, .end_time = end_time};
  m.options.law = find_law(random(0., 1.) < 0.5 ? "poisson" : "energetic");
}

/// A wall of bricks, `rows` high, each row shifted by half a brick: hyperstatic. At rest, or each
/// brick a little above the one below.
[[nodiscard]] inline RandomMotion brick_wall(std::uint64_t seed, std::size_t rows, bool falls) {
  Random random(seed + 5000);
  RandomMotion m;
  PlanarScene scene;
  scene.ground = {line("floor")};
  constexpr double width = 0.2;
  constexpr double height = 0.1;
  std::vector<double> q;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k + row < rows; ++k) {
      scene.bodies.push_back({.name = "b" + std::to_string(scene.bodies.size()),
                              .mass = 1.,
                              .inertia = (width * width + height * height) / 12.,
                              .shape = shapes::plane::box(width, height)});
      const auto r = static_cast<double>(row);
      q.push_back((static_cast<double>(k) + 0.5 * r) * 1.05 * width);
      q.push_back((r + 0.5) * height + (falls ? (r + 1.) * random(0.02, 0.025) : 0.));
      q.push_back(falls ? random(-0.02, 0.02) : 0.);
    }
  }
  m.start.q = Eigen::Map<const Vector>(q.data(), static_cast<Eigen::Index>(q.size()));
  m.start.u.setZero(m.start.q.size());
  m.mass = static_cast<double>(scene.bodies.size());
  m.model = std::make_unique<PlanarModel>(std::move(scene));
  choose_stepping(random, m);
  return m;
}

/// A disc or a box driven into a wedge of a random angle, between steep walls where it jams.
[[nodiscard]] inline RandomMotion wedged(std::uint64_t seed, std::size_t count) {
  Random random(seed + 6000);
  RandomMotion m;
  PlanarScene scene;
  const double half = random(0.05, 1.2);  // of the opening [rad]
  const double steep = 0.5 * std::numbers::pi - half;
  scene.ground = {line("left", {}, -steep), line("right", {}, steep)};
  const auto size = static_cast<Eigen::Index>(3 * count);
  m.start.q.setZero(size);
  m.start.u.setZero(size);
  double y = 0.16 / std::sin(half);
  for (std::size_t i = 0; i < count; ++i) {
    PlanarBody b;
    b.name = "b" + std::to_string(i);
    b.mass = random(0.2, 1.);
    b.shape = any_shape(random);
    b.inertia = b.mass * shapes::plane::uniform(b.shape).squared_gyration;
    m.mass += b.mass;
    scene.bodies.push_back(std::move(b));
    const auto at = static_cast<Eigen::Index>(3 * i);
    m.start.q.segment<3>(at) << 0., y, random(0., 6.);
    m.start.u.segment<3>(at) << 0., random(-4., 0.), random(-5., 5.);
    y += 0.32;
  }
  m.model = std::make_unique<PlanarModel>(std::move(scene));
  choose_stepping(random, m);
  return m;
}

/// A stack of boxes of random sizes in space, each within the one below; at rest or struck.
[[nodiscard]] inline RandomMotion stack_in_space(std::uint64_t seed, std::size_t count,
                                                 bool struck) {
  Random random(seed + 7000);
  RandomMotion m;
  SpatialScene scene;
  scene.ground = {plane("floor")};
  double z = 0.;
  for (std::size_t i = 0; i < count; ++i) {
    SpatialMover b;
    b.name = "b" + std::to_string(i);
    const double height = random(0.08, 0.15);
    b.solid = shapes::space::Box{.size = {random(0.15, 0.25), random(0.15, 0.25), height}};
    b.mass = random(0.2, 1.);
    b.position = {random(-0.01, 0.01), random(-0.01, 0.01), z + 0.5 * height};
    z += height;
    if (struck && i + 1 == count) b.velocity = {random(-2., 2.), random(-2., 2.), 0.};
    m.mass += b.mass;
    scene.bodies.push_back(b);
  }
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  m.start = model->start();
  m.model = std::move(model);
  choose_stepping(random, m);
  return m;
}

/// How far accepted states are from what each of them must satisfy, by steps and by events. For a
/// run that samples every step. Forces are relative to the largest force of the step, or to the
/// weight if that is larger; velocities to the largest speed of a body before or after it, or to g
/// h; energies to what was turned over. A state that lasts no time, as that on which an event
/// happens, before its consequences, is judged by overlap and account alone.
class StepJudge final : public motion::Recorder {
 public:
  explicit StepJudge(const RandomMotion& m)
      : m_(m), names_(*m.model), steps_(m.options.method == motion::MotionMethod::stepping) {
    weight_ = m.model->acceleration_scale() * m.mass;
    h_ = motion::default_step(*m.model);
  }
  void contact(std::size_t number, const ContactId& id) override { names_.add(number, id); }
  void event(const motion::Event& e) override {
    using motion::EventKind;
    // The run goes on otherwise than by the last sample, also where steps begin.
    if (!steps_ && e.time == last_time_) pending_ = laws;
    if (e.kind == EventKind::stepping_begins ||
        (e.kind == EventKind::start && !e.note.empty() && e.note.find("by steps") == 0)) {
      steps_ = true;
    } else if (e.kind == EventKind::stepping_ends) {
      steps_ = false;
    }
    if (e.kind != EventKind::impact) return;
    for (const std::size_t i : e.contacts) struck_.push_back(i);
    if (e.flags.has(Verdict::energy_gained)) ++said_to_gain;
  }
  void sample(const motion::Sample& s) override {
    if (s.state.time == last_time_) {
      pending_ = laws;
    } else {
      laws = pending_;
    }
    turned_over_ = std::max({turned_over_, s.kinetic + std::abs(s.potential - potential_start(s)),
                             weight_ * m_.model->length_scale()});
    raise(unaccounted, std::abs(s.energy.gap()) / turned_over_, s, "account");
    const double energy = s.kinetic + s.potential - s.energy.drives;
    lowest_ = std::min(lowest_, energy);
    raise(risen, (energy - lowest_) / turned_over_, s, "energy");
    judge_overlap(s);
    judge_work(s);
    judge_contacts(s);
    if (steps_) laws = pending_;
    struck_.clear();
    last_time_ = s.state.time;
    last_speed_ = speed(s);
    last_contacts_ = s.contacts;
    ++steps;
  }

  /// The largest of a kind, and where it was.
  struct Worst {
    double value = 0.;
    double time = 0.;
    std::string where;
  };
  Worst unaccounted;
  Worst overlap;  ///< relative to the smaller body
  Worst gained;   ///< by contacts in a step
  Worst risen;    ///< energy above the least before, with corrections of positions
  /// What contacts must satisfy.
  struct Laws {
    Worst tension;         ///< -F_n
    Worst friction;        ///< natural map of Coulomb's law: cone, stick, direction of slip
    Worst couples;         ///< the same of rolling and drilling friction
    Worst separating;      ///< min(F_n, v_n) of a contact that did not strike
    Worst approaching;     ///< -v_n of one with a force, that was closed before, and did not strike
    Worst force_at_a_gap;  ///< gap over the smaller body of one with a force that did not strike
  };
  Laws laws;
  std::size_t steps = 0;
  std::size_t said_to_gain = 0;  ///< impacts that are reported to gain energy

 private:
  static double potential_start(const motion::Sample& s) { return s.energy.potential_start; }

  [[nodiscard]] double speed(const motion::Sample& s) const {
    // Of mass centres alone: the linear part of each block. Joints have none.
    const std::size_t d = m_.model->components();
    const Eigen::Index block = d == 3 ? 6 : 3;
    if (m_.model->blocks()[0].size != static_cast<std::size_t>(block)) {
      return s.state.u.lpNorm<Eigen::Infinity>() * m_.model->length_scale();
    }
    double most = 0.;
    for (Eigen::Index at = 0; at + block <= s.state.u.size(); at += block) {
      most = std::max(most, s.state.u.segment(at, static_cast<Eigen::Index>(d)).norm());
    }
    return most;
  }

  void raise(Worst& worst, double value, const motion::Sample& s, const std::string& where) const {
    if (!(value > worst.value) && !std::isnan(value)) return;
    worst = {value, s.state.time, where};
  }

  [[nodiscard]] const Surface& surface_of(std::size_t contact) const {
    if (m_.surfaces.size() == 1) return m_.surfaces[0];
    return m_.surfaces[m_.model->surface_of(names_.id(contact))];
  }

  void judge_overlap(const motion::Sample& s) {
    m_.model->near_pairs(s.state, 0., pairs_);
    for (const BodyPair& pair : pairs_) {
      const double size = m_.model->describe(pair).smallest_length;
      raise(overlap, -m_.model->distance(pair, s.state) / size, s,
            std::to_string(pair.first) + " and " + std::to_string(pair.second));
    }
  }

  // An impact by events keeps what its law gains, and reports it.
  void judge_work(const motion::Sample& s) {
    double work = 0.;
    for (std::size_t i = 0; i < s.energy.impacts.size(); ++i) {
      work += s.energy.impacts[i] + s.energy.friction[i];
    }
    if (steps > 0 && steps_) raise(gained, (work - work_) / turned_over_, s, "all contacts");
    work_ = work;
  }

  /// How far x is from the projection of x - y on the ball of a radius.
  static double off(std::array<double, 2> x, std::array<double, 2> y, double radius) {
    const std::array<double, 2> z{x[0] - y[0], x[1] - y[1]};
    const double size = std::hypot(z[0], z[1]);
    const double f = size > radius ? radius / size : 1.;
    return std::hypot(x[0] - f * z[0], x[1] - f * z[1]);
  }

  void judge_contacts(const motion::Sample& s) {
    using motion::Touch;
    const std::size_t d = m_.model->components();
    Laws& now = pending_;
    double F_unit = weight_;
    for (const double F : s.force) F_unit = std::max(F_unit, std::abs(F));
    const double v_unit = std::max({m_.model->acceleration_scale() * h_, speed(s), last_speed_});
    const auto was = [&](std::size_t i, Touch touch) {
      return i < last_contacts_.size() && last_contacts_[i].touch == touch;
    };
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
      if (s.contacts[i].touch == Touch::open) continue;
      const auto say = [&] { return names_[i]; };
      std::array<double, 3> F{};
      std::array<double, 3> v{};
      for (std::size_t j = 0; j < d; ++j) {
        F[j] = s.force[i * d + j] / F_unit;
        v[j] = s.velocity[i * d + j] / v_unit;
      }
      raise(now.tension, -F[0], s, say());
      const auto slip = [&](double mu) {
        return off({F[1], F[2]}, {v[1], v[2]}, mu * std::max(0., F[0]));
      };
      const Surface& surface = surface_of(i);
      const bool slips = s.contacts[i].touch == Touch::slip;
      double error = slip(slips ? surface.friction : surface.static_friction);
      if (slips && was(i, Touch::stick)) error = std::min(error, slip(surface.static_friction));
      raise(now.friction, error, s, say());
      judge_couples(s, i, F_unit, v_unit);
      if (std::find(struck_.begin(), struck_.end(), i) != struck_.end()) continue;
      raise(now.separating, std::min(F[0], v[0]), s, say());
      const bool closed = was(i, Touch::stick) || was(i, Touch::slip);
      if (closed) raise(now.approaching, F[0] > 0. ? -v[0] : 0., s, say());
      const double size = m_.model->describe(names_.id(i).pair).smallest_length;
      if (F[0] > 1e-6) raise(now.force_at_a_gap, s.gap[i] / size, s, say());
    }
  }

  // Couples divided by the length scale. Spins of a step are those at its end, where frames have
  // turned since its middle, for which couples obey their law: there bounds alone are judged.
  void judge_couples(const motion::Sample& s, std::size_t i, double F_unit, double v_unit) {
    const Surface& surface = surface_of(i);
    const double rolling = surface.rolling_friction();
    const double drilling = surface.drilling_friction();
    if (s.couple.empty() || !(rolling + drilling > 0.)) return;
    const double l = m_.model->length_scale();
    const double F_n = std::max(0., s.force[i * m_.model->components()] / F_unit);
    const double* const M = &s.couple[3 * i];
    const double* const w = &s.spin[3 * i];
    const auto judge = [&](std::size_t a, std::size_t b, double bound) {
      const auto part = [&](const double* x, std::size_t k, double unit) {
        return k < 3 ? x[k] / unit : 0.;
      };
      const std::array<double, 2> couple{part(M, a, F_unit * l), part(M, b, F_unit * l)};
      const std::array<double, 2> spin{part(w, a, v_unit / l), part(w, b, v_unit / l)};
      const double most = bound / l * F_n;
      raise(pending_.couples,
            steps_ ? std::hypot(couple[0], couple[1]) - most : off(couple, spin, most), s,
            names_[i]);
    };
    if (m_.model->components() == 2) return judge(0, 3, rolling);
    judge(0, 3, drilling);
    judge(1, 2, rolling);
  }

  const RandomMotion& m_;
  motion::ContactNames names_;
  bool steps_ = false;  ///< whether the run is by steps now
  Laws pending_;        ///< with the last sample, which may be the state before an event
  double weight_ = 0.;
  double turned_over_ = 0.;
  double lowest_ = std::numeric_limits<double>::infinity();  ///< of the energy so far [J]
  double work_ = 0.;
  double last_time_ = -1.;
  double h_ = 0.;  ///< a step [s]
  double last_speed_ = 0.;
  std::vector<std::size_t> struck_;
  std::vector<motion::ContactStatus> last_contacts_;
  std::vector<BodyPair> pairs_;
};

}  // namespace carom::test
