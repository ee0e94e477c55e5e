// SPDX-License-Identifier: Apache-2.0
#include "pile_settling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "pile_relaxation.hpp"
#include "pile_scenes.hpp"

namespace carom::benchmarks {

using namespace carom::motion;

const std::vector<Surface>& surfaces() {
  static const std::vector<Surface> all{
      {.restitution = pile_restitution, .friction = pile_friction}};
  return all;
}

Options stepping(double step, double tolerance, double end_time) {
  Options o;
  o.method = MotionMethod::stepping;
  o.step = step;
  o.residual = tolerance;
  o.end_time = end_time;
  o.sample_interval = HUGE_VAL;
  return o;
}

namespace {

/// While a pile comes to rest: without friction, so that no contact rests at the edge of its cone.
const std::vector<Surface>& smooth() {
  static const std::vector<Surface> all{{.restitution = 0., .friction = 0.}};
  return all;
}

/// What a pile may need to settle, once [s of the processor].
constexpr double most_settling = 1500.;
/// Kinetic energy per body over m g r up to which a pile rests: 4e-6 m/s on average. A body that
/// carries no others may roll that slowly for long.
constexpr double rest = 1e-11;
/// Drag while it settles [1/s]: bodies sink by g/20 = 0.5 m/s at most.
constexpr double braking = 20.;

/// A part of settling. It ends at a kinetic energy per body over m g r, or at the latest after a
/// time.
struct Part {
  const std::vector<Surface>& surfaces;
  double braking;  ///< of all bodies, by drag [1/s]
  double step;
  double tolerance;
  double energy;
  double longest;
};

/// A run that goes on from there.
Progress at(const Model& model, const Settled& s) {
  // The state itself may overlap by more than what a start accepts.
  const Pile apart = packed(s.pile.kind, s.pile.bodies.size());
  Progress p = start(model, state_of(s.pile.kind, apart.bodies), surfaces(),
                     stepping(pile_step, residual, 0.));
  p.state = state_of(s.pile.kind, s.pile.bodies);
  p.found = s.found;
  const std::size_t contacts = model.contacts() + s.found.size();
  p.contacts.resize(contacts);
  p.energy.impacts.resize(contacts);
  p.energy.friction.resize(contacts);
  p.next.impulses = s.impulses;
  p.next.steps_h = pile_step;
  return p;
}

/// Contacts of a relaxed pile, and the impulses with which they press in a step.
void press(Settled& s) {
  const std::unique_ptr<Model> model = model_of(s.pile);
  const State state = state_of(s.pile.kind, s.pile.bodies);
  std::vector<ContactId> listed;
  for (std::size_t i = 0; i < model->contacts(); ++i) listed.push_back(model->contact_id(i));
  std::vector<BodyPair> pairs;
  std::vector<NearContact> near;
  model->near_pairs(state, 0., pairs);
  for (const BodyPair& pair : pairs) {
    model->near_contacts(pair, state, 0., near);
    for (const NearContact& c : near) {
      if (!(c.gap < 0.)) continue;
      const double impulse = -c.gap * relaxed_stiffness * pile_step;
      // Contacts that the model itself lists come first.
      const auto known = std::find(listed.begin(), listed.end(), c.id) - listed.begin();
      const bool is_known = known < std::ssize(listed);
      const std::size_t number =
          is_known ? static_cast<std::size_t>(known) : listed.size() + s.found.size();
      s.impulses.insert(s.impulses.end(), {static_cast<double>(number), 1., impulse, 0., 0., 0., 0.,
                                           0., impulse, 0., 0., 0., 0., 0.});
      if (!is_known) s.found.push_back(c.id);
    }
  }
}

/// Goes on until a part ends. False if the run fails or takes too long.
bool follow(const Part& part, Silent& silent, Pile& pile, Progress& p) {
  constexpr double between = 0.1;  // looks at the energy [s]
  const std::unique_ptr<Model> model = model_of(pile, part.braking);
  const double until = p.state.time + part.longest;
  while (p.state.time < until - 0.5 * between) {
    const Summary s =
        simulate(*model, part.surfaces, stepping(part.step, part.tolerance, p.state.time + between),
                 p, silent);
    if (s.ending == Ending::failed) {
      std::fprintf(stderr, "settling failed: %s\n", s.reason.c_str());
      return false;
    }
    p = s.progress;
    read_state(pile.kind, p.state, pile.bodies);
    const double kinetic = unrest(pile);
    std::fprintf(stderr, "  t = %.2f s, kinetic energy %.1e, %.1f s of processor time\n",
                 p.state.time, kinetic, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    if (s.ending == Ending::stopped) return false;
    if (kinetic <= part.energy) break;
  }
  return true;
}

/// Lets a pile come to rest. Discs and spheres relax; boxes sink from their packing without
/// friction and with drag. All then rest with friction, at last as it is measured. False if a run
/// fails or the pile does not rest.
bool settle(Pile& pile, Progress& p) {
  Silent silent(most_settling);
  if (pile.kind == Kind::boxes) {
    p = at(*model_of(pile), {.pile = pile});
    if (!follow({smooth(), braking, 4e-3, 1e-3, 1e-6, 5.}, silent, pile, p)) return false;
    if (!follow({smooth(), braking, pile_step, 1e-4, 1e-12, 3.}, silent, pile, p)) return false;
  } else {
    Settled relaxed{.pile = pile};
    if (!relax(relaxed.pile)) return false;
    press(relaxed);
    p = at(*model_of(pile), relaxed);
  }
  return follow({surfaces(), braking, pile_step, residual, 1e-14, 1.}, silent, pile, p) &&
         follow({surfaces(), 0., pile_step, residual, 1e-16, 1.}, silent, pile, p) &&
         unrest(pile) <= rest;
}

/// Numbers of a file, one after the other.
class Numbers {
 public:
  explicit Numbers(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    double x = 0.;
    while (file.read(reinterpret_cast<char*>(&x), sizeof x)) all_.push_back(x);
  }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  double next() { return at_ < all_.size() ? all_[at_++] : 0.; }
  std::size_t next_count() { return static_cast<std::size_t>(next()); }

 private:
  std::vector<double> all_;
  std::size_t at_ = 0;
};

/// Visits all numbers of a body, in the same order to write and to read.
template <class F>
void each_number(Placed& p, const F& f) {
  for (double& x : p.position) f(x);
  for (double& x : p.orientation) f(x);
  f(p.angle);
  for (double& x : p.velocity) f(x);
  for (double& x : p.spin) f(x);
}

void write(Settled& s, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](double x) { file.write(reinterpret_cast<const char*>(&x), sizeof x); };
  for (Placed& p : s.pile.bodies) each_number(p, put);
  put(static_cast<double>(s.found.size()));
  for (const ContactId& id : s.found) {
    put(id.pair.first);
    put(id.pair.second);
    put(static_cast<double>(id.features >> 32U));
    put(static_cast<double>(id.features & 0xffffffffU));
  }
  put(static_cast<double>(s.impulses.size()));
  for (const double x : s.impulses) put(x);
}

void read(Settled& s, Numbers& numbers) {
  for (Placed& p : s.pile.bodies) each_number(p, [&](double& x) { x = numbers.next(); });
  s.found.resize(numbers.next_count());
  for (ContactId& id : s.found) {
    id.pair.first = static_cast<std::uint32_t>(numbers.next());
    id.pair.second = static_cast<std::uint32_t>(numbers.next());
    const auto first = static_cast<std::uint64_t>(numbers.next());
    id.features = first << 32U | static_cast<std::uint64_t>(numbers.next());
  }
  s.impulses.resize(numbers.next_count());
  for (double& x : s.impulses) x = numbers.next();
}

}  // namespace

const Settled* settled(Kind kind, std::size_t n, const std::filesystem::path& folder) {
  static std::deque<std::pair<std::string, Settled>> known;
  const std::string label = std::string(name(kind)) + '-' + std::to_string(n);
  for (const auto& [key, s] : known) {
    if (key == label) return s.pile.bodies.empty() ? nullptr : &s;
  }
  Settled s{.pile = packed(kind, n)};
  const std::filesystem::path path = folder / ("relaxed-" + label + ".bin");
  if (Numbers numbers(path); !numbers.empty()) {
    read(s, numbers);
  } else {
    std::fprintf(stderr, "settling %zu %s, once\n", n, name(kind));
    Progress p;
    if (!settle(s.pile, p)) {
      known.emplace_back(label, Settled{});  // not tried again
      return nullptr;
    }
    s.found = p.found;
    s.impulses = p.next.impulses;
    write(s, path);
  }
  known.emplace_back(label, std::move(s));
  return &known.back().second;
}

Progress begin(const Model& model, const Settled& s) {
  Silent silent(most_settling);
  constexpr int few = 10;  // steps
  return simulate(model, surfaces(), stepping(pile_step, residual, few * pile_step), at(model, s),
                  silent)
      .progress;
}

}  // namespace carom::benchmarks
