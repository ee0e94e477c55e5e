// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/record.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <variant>

#include <fmt/format.h>

#include <carom/report/json_writer.hpp>
#include <carom/report/motion/log.hpp>
#include <carom/report/motion/partners.hpp>

namespace carom::report {
namespace {

using Points = std::vector<const MotionHistory::Point*>;
using scenario::MotionScenario;
namespace space = shapes::space;

constexpr std::size_t most_listed = 40;  ///< contacts that touch
constexpr std::size_t most_works = 8;    ///< works drawn separately; of more, contacts are summed

State state_of(const MotionHistory::Point& p) {
  State state;
  state.time = p.time;
  state.q = Eigen::Map<const Vector>(p.q.data(), static_cast<Eigen::Index>(p.q.size()));
  state.u = Eigen::Map<const Vector>(p.u.data(), static_cast<Eigen::Index>(p.u.size()));
  return state;
}

std::string_view name(motion::Ending ending) {
  switch (ending) {
    case motion::Ending::time:
      return "time";
    case motion::Ending::model:
      return "model";
    case motion::Ending::events:
      return "events";
    case motion::Ending::stopped:
      return "stopped";
    case motion::Ending::failed:
      return "failed";
  }
  return "";
}

/// Approach up to this has no restitution in a step that is not shortened [m/s].
double rest_speed(const MotionScenario& s) {
  if (s.options.rest_speed >= 0.) return s.options.rest_speed;
  return 2. * s.model->acceleration_scale() * motion::nominal_step(*s.model, s.options);
}

/// A list over all points.
template <class Value>
void series(JsonWriter& json, const Points& points, JsonWriter::Digits digits, const Value& value) {
  json.begin_array();
  for (const auto* p : points) json.number(value(*p), digits);
  json.end_array();
}

class Record {
 public:
  /// @param summary  of a record of everything; null: for a picture
  Record(const MotionScenario& s, const MotionHistory& history, const Shown& shown,
         const motion::Summary* summary = nullptr)
      : scenario_(s),
        model_(*s.model),
        names_(*s.model, history.found()),
        history_(history),
        shown_(shown),
        points_(history.points()),
        summary_(summary),
        digits_(summary != nullptr ? JsonWriter::Digits::exact : JsonWriter::Digits::drawing) {
    contacts_ = touching(history);
    if (contacts_.size() > most_listed && summary == nullptr) contacts_.resize(most_listed);
    for (const std::size_t i : shown.contacts) {
      if (std::find(contacts_.begin(), contacts_.end(), i) == contacts_.end()) {
        contacts_.push_back(i);
      }
    }
    std::sort(contacts_.begin(), contacts_.end());
  }

  [[nodiscard]] std::string make(std::string_view kind, const std::vector<double>& times) {
    json_.begin_object();
    json_.member("title", scenario_.title);
    json_.member("system", scenario_.system_type);
    json_.member("dimensions", model_.components());
    json_.key("time");
    series(json_, points_, digits_, [](const auto& p) { return p.time; });
    if (summary_ != nullptr) sides();
    coordinates();
    contacts();
    energy();
    events();
    bodies();
    ground();
    if (summary_ != nullptr) final_state();
    picture(kind, times);
    json_.end_object();
    return json_.take();
  }

 private:
  void sides() {
    json_.key("side").begin_array();
    for (const auto* p : points_) json_.text(name(p->side));
    json_.end_array();
  }

  /// The state at the end, and how it ended.
  void final_state() {
    const motion::Progress& p = summary_->progress;
    json_.key("final").begin_object().member("time", p.state.time);
    json_.member("ending", name(summary_->ending)).member("reason", summary_->reason);
    json_.member("failure", name(summary_->failure));
    json_.key("positions").numbers({p.state.q.data(), model_.positions()});
    json_.key("velocities").numbers({p.state.u.data(), model_.velocities()});
    json_.key("in_contact").begin_array();
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      if (p.contacts[i].touch == motion::Touch::open) continue;
      json_.begin_object().member("contact", names_[i]);
      json_.member("state", name(p.contacts[i], model_.components())).end_object();
    }
    json_.end_array().member("events", p.events).member("impacts", p.impacts);
    json_.member("steps", p.steps).member("energy_unaccounted_for", p.energy.gap());
    method();
    json_.end_object();
  }

  /// How it was computed.
  void method() {
    json_.member("method", scenario::name(scenario_.options.method));
    const auto counts = step_counts(summary_->progress);
    if (!counts) return;
    json_.key("stepping").begin_object();
    json_.member("step", motion::nominal_step(model_, scenario_.options));
    json_.member("rest_speed", rest_speed(scenario_));
    json_.member("residual", scenario_.options.residual);
    json_.member("steps", counts->steps).member("shortened", counts->shortened);
    json_.member("islands_repeated", counts->repeated);
    json_.member("islands_not_converged", counts->not_converged);
    json_.member("sweeps", counts->sweeps).member("islands_by_matrix", counts->formed);
    json_.end_object();
  }

  void coordinates() {
    json_.key("positions").begin_array();
    for (std::size_t i = 0; i < model_.positions(); ++i) {
      json_.begin_object().member("name", model_.position_name(i));
      json_.member("unit", model_.position_unit(i)).key("values");
      series(json_, points_, digits_, [i](const auto& p) { return p.q[i]; });
      json_.end_object();
    }
    json_.end_array().key("velocities").begin_array();
    for (std::size_t i = 0; i < model_.velocities(); ++i) {
      json_.begin_object().member("name", model_.velocity_name(i));
      json_.member("unit", std::string(model_.velocity_unit(i)) + "/s").key("values");
      series(json_, points_, digits_, [i](const auto& p) { return p.u[i]; });
      json_.end_object();
    }
    json_.end_array();
  }

  void contacts() {
    Partners partners(scenario_);
    const std::size_t d = model_.components();
    json_.member("contacts_touching", touching(history_).size());
    json_.key("contact_counts").begin_object();
    json_.key("stick");
    series(json_, points_, digits_, [](const auto& p) { return static_cast<double>(p.sticking); });
    json_.key("slip");
    series(json_, points_, digits_, [](const auto& p) { return static_cast<double>(p.slipping); });
    json_.end_object();
    json_.key("contacts").begin_array();
    for (const std::size_t i : contacts_) {
      const Surface& s = surface_of(scenario_, names_.id(i));
      json_.begin_object().member("name", names_[i]);
      json_.key("bodies").texts(partners.of(names_.id(i)));
      json_.member("restitution", s.restitution).member("friction", s.friction);
      json_.member("static_friction", s.static_friction);
      json_.member("tangential_restitution", s.tangential_restitution);
      json_.key("phases").begin_array();
      if (i < history_.phases().size()) {
        for (const auto& p : history_.phases()[i]) {
          json_.begin_array().number(p.from, digits_).number(p.to, digits_);
          json_.text(name(p.status, d)).end_array();
        }
      }
      json_.end_array().key("impacts");
      json_.numbers(i < history_.impacts().size() ? history_.impacts()[i] : std::vector<double>{},
                    digits_);
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      const auto components = [&](const char* key, ContactNumbers MotionHistory::Point::*of) {
        json_.key(key).begin_array();
        for (std::size_t c = 0; c < d; ++c) {
          series(json_, points_, digits_,
                 [&](const auto& p) { return (p.*of).at(i * d + c, unknown); });
        }
        json_.end_array();
      };
      if (summary_ != nullptr ||
          std::find(shown_.contacts.begin(), shown_.contacts.end(), i) != shown_.contacts.end()) {
        components("velocity", &MotionHistory::Point::velocity);
      }
      if (summary_ != nullptr) {
        components("force", &MotionHistory::Point::force);
        json_.key("gap");
        series(json_, points_, digits_, [&](const auto& p) { return p.gap.at(i, unknown); });
      }
      json_.end_object();
    }
    json_.end_array();
  }

  /// A part of the energy account.
  struct Work {
    std::string name;
    double (*of)(const MotionHistory::Energy&, std::size_t);
    std::size_t contact = 0;
    double size = 0.;  ///< the largest [J]
  };

  /// Parts that are large enough to be seen, the largest first. Of many contacts their sums.
  [[nodiscard]] std::vector<Work> works() const {
    std::vector<Work> all = other_works();
    for (const std::size_t i : touching(history_)) {
      all.push_back({"impacts at " + names_[i],
                     [](const auto& e, std::size_t k) { return e.impacts.at(k, 0.); }, i});
      all.push_back({"friction at " + names_[i],
                     [](const auto& e, std::size_t k) { return e.friction.at(k, 0.); }, i});
    }
    keep_seen(all);
    if (all.size() <= most_works || summary_ != nullptr) return all;
    all = other_works();
    all.push_back(
        {"impacts, all contacts", [](const auto& e, std::size_t) { return e.impacts.sum(); }});
    all.push_back(
        {"friction, all contacts", [](const auto& e, std::size_t) { return e.friction.sum(); }});
    keep_seen(all);
    return all;
  }

  /// All that is not of contacts.
  [[nodiscard]] static std::vector<Work> other_works() {
    return {{"drives", [](const auto& e, std::size_t) { return e.drives; }},
            {"dampers", [](const auto& e, std::size_t) { return e.dampers; }},
            {"dropped where contact begins", [](const auto& e, std::size_t) { return e.dropped; }},
            {"position corrections", [](const auto& e, std::size_t) { return e.corrections; }}};
  }

  void keep_seen(std::vector<Work>& all) const {
    double most = 0.;
    for (const auto* p : points_) most = std::max(most, p->energy.kinetic);
    for (Work& w : all) {
      for (const auto* p : points_) w.size = std::max(w.size, std::abs(w.of(p->energy, w.contact)));
      most = std::max(most, w.size);
    }
    constexpr double seen = 1e-4;  // what is less is not seen beside the others
    const double least = summary_ != nullptr ? 0. : seen * most;
    std::erase_if(all, [&](const Work& w) { return !(w.size > least); });
    std::stable_sort(all.begin(), all.end(),
                     [](const Work& a, const Work& b) { return a.size > b.size; });
  }

  void energy() {
    json_.key("energy").begin_object().key("kinetic");
    series(json_, points_, digits_, [](const auto& p) { return p.energy.kinetic; });
    json_.key("potential");
    series(json_, points_, digits_, [](const auto& p) { return p.energy.potential; });
    json_.key("works").begin_array();
    for (const Work& w : works()) {
      json_.begin_object().member("name", w.name).key("values");
      series(json_, points_, digits_, [&](const auto& p) { return w.of(p.energy, w.contact); });
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  void events() {
    const std::size_t d = model_.components();
    const Wording wording = Wording::brief(scenario_.options.end_time, 0.);
    std::map<std::size_t, std::size_t> place;  // in the lists, by order
    for (std::size_t k = 0; k < points_.size(); ++k) place[points_[k]->order] = k;
    const auto statuses = [&](const std::vector<motion::ContactStatus>& list) {
      json_.begin_array();
      for (const auto& status : list) json_.text(name(status, d));
      json_.end_array();
    };
    if (summary_ != nullptr) json_.member("samples_left_out", history_.samples_left_out());
    json_.member("instants_left_out", history_.moments_left_out());
    json_.key("events").begin_array();
    for (const auto& m : history_.moments()) {
      for (const motion::Event& e : m.events) {
        json_.begin_object().key("time").number(e.time, digits_);
        json_.member("kind", name(e.kind)).member("text", event_text(e, names_, wording));
        json_.key("contacts").begin_array();
        for (const std::size_t i : e.contacts) json_.text(names_[i]);
        json_.end_array().key("from");
        statuses(e.from);
        json_.key("to");
        statuses(e.to);
        json_.key("energy_change").number(e.energy_change, digits_);
        if (summary_ != nullptr) json_.key("impulse").numbers(e.impulse);
        json_.member("before", place.at(m.before.order));
        json_.member("after", place.at(m.after.order)).end_object();
      }
    }
    json_.end_array();
  }

  void figure(const scenario::Figure& f) {
    json_.begin_object();
    if (!f.corners.empty()) {
      json_.key("corners").begin_array();
      for (const auto& corner : f.corners) json_.numbers(corner);
      json_.end_array();
      if (f.radius > 0.) json_.member("radius", f.radius);
    } else if (f.semi_axes[0] > 0.) {
      json_.key("centre").numbers(f.centre).key("semi_axes").numbers(f.semi_axes);
    } else {
      json_.key("centre").numbers(f.centre).member("radius", f.radius);
    }
    json_.end_object();
  }

  struct SolidMembers {
    JsonWriter& json;
    void operator()(const space::Sphere& s) const { json.member("radius", s.radius); }
    void operator()(const space::Box& s) const {
      json.key("size").numbers(s.size);
      if (s.rounding > 0.) json.member("rounding", s.rounding);
    }
    void operator()(const space::Cylinder& s) const {
      json.member("radius", s.radius).member("length", s.length);
      if (s.rounding > 0.) json.member("rounding", s.rounding);
    }
    void operator()(const space::Capsule& s) const {
      json.member("radius", s.radius).member("length", s.length);
    }
    void operator()(const space::Rod& s) const { json.member("length", s.length); }
    void operator()(const space::Disc& s) const { json.member("radius", s.radius); }
    void operator()(const space::Cone& s) const {
      json.member("radius", s.radius).member("height", s.height);
    }
    /// The core that the rounding lies about.
    void operator()(const space::Polyhedron& s) const {
      const space::Shape shape = space::shape_of(s);
      json.key("vertices").begin_array();
      for (const space::V3& v : shape.core.vertices) json.numbers(space::world(v));
      json.end_array().key("faces").begin_array();
      for (const space::Face& f : shape.core.faces) {
        json.begin_array();
        for (const space::Corner& c : shape.core.corners(f)) json.integer(c.vertex);
        json.end_array();
      }
      json.end_array();
      if (s.rounding > 0.) json.member("rounding", s.rounding);
    }
    void operator()(const space::HalfSpace&) const {}
  };

  void solid(const space::Solid& s) {
    json_.key("shape").begin_object().member("type", name(s));
    std::visit(SolidMembers{json_}, s);
    json_.end_object();
  }

  /// Roll, pitch and yaw of a body in space.
  void attitudes(std::size_t first) {
    const auto list = [&](const char* key, double Attitude::*part) {
      json_.key(key);
      series(json_, points_, digits_, [&](const auto& p) {
        const double* q = p.q.data() + first + 3;
        return attitude(q[0], q[1], q[2], q[3]).*part;
      });
    };
    list("roll", &Attitude::roll);
    list("pitch", &Attitude::pitch);
    list("yaw", &Attitude::yaw);
  }

  void bodies() {
    json_.key("bodies").begin_array();
    for (const PlanarBody& b : planar_bodies(scenario_.drawing)) {
      std::vector<scenario::PlanarPose> poses;
      for (const auto* p : points_) poses.push_back(b.outlines.front()->pose(state_of(*p)));
      const auto list = [&](std::string_view key, const auto& value) {
        json_.key(key).begin_array();
        for (const scenario::PlanarPose& pose : poses) json_.number(value(pose), digits_);
        json_.end_array();
      };
      json_.begin_object().member("name", b.name).key("outlines").begin_array();
      for (const auto* o : b.outlines) figure(o->figure);
      json_.end_array();
      list("x", [](const auto& pose) { return pose.origin[0]; });
      list("y", [](const auto& pose) { return pose.origin[1]; });
      list("angle", [](const auto& pose) { return pose.angle; });
      json_.end_object();
    }
    for (const scenario::SpatialOutline& b : scenario_.drawing.bodies) {
      json_.begin_object().member("name", b.body);
      solid(b.solid);
      if (b.offset != World3{}) json_.key("offset").numbers(b.offset);
      json_.member("first", b.first);
      if (summary_ != nullptr) attitudes(b.first);
      json_.end_object();
    }
    json_.end_array();
  }

  void ground() {
    const auto item = [&](const auto& g) {
      json_.begin_object().member("name", g.name).key("through").numbers(g.through);
      json_.key("normal").numbers(g.normal);
    };
    // How a line or a piece moves, where it does.
    const auto motion = [&](const auto& g) {
      if (g.belt_speed != 0.) json_.member("belt_speed", g.belt_speed);
      if (!g.displacement) return;
      json_.key("displacement").begin_array();
      for (const std::size_t k : {0U, 1U}) {
        series(json_, points_, digits_, [&](const auto& p) { return g.displacement(p.time)[k]; });
      }
      json_.end_array();
    };
    json_.key("ground").begin_array();
    for (const scenario::GroundLine& g : scenario_.drawing.lines) {
      item(g);
      if (!g.displacement) json_.key("velocity").numbers(g.velocity);
      motion(g);
      json_.end_object();
    }
    for (const scenario::GroundPiece& g : scenario_.drawing.pieces) {
      json_.begin_object().member("name", g.name).key("outlines").begin_array();
      figure(g.figure);
      json_.end_array().key("position").numbers(g.pose.origin).member("angle", g.pose.angle);
      motion(g);
      json_.end_object();
    }
    for (const SpatialGround& g : scenario_.drawing.ground) spatial_ground(g);
    json_.end_array();
  }

  void spatial_ground(const SpatialGround& g) {
    json_.begin_object().member("name", g.name);
    if (const auto* plane = std::get_if<space::HalfSpace>(&g.solid)) {
      json_.key("through").numbers(g.position).key("normal").numbers(plane->normal);
    } else {
      solid(g.solid);
      json_.key("position").numbers(g.position).key("orientation").begin_array();
      for (const auto& row : g.orientation) json_.numbers(row);
      json_.end_array();
    }
    if (g.belt_velocity != World3{}) json_.key("belt_velocity").numbers(g.belt_velocity);
    if (g.motion.moves()) {
      json_.key("displacement").begin_array();
      for (std::size_t k = 0; k < 3; ++k) {
        series(json_, points_, digits_,
               [&](const auto& p) { return g.motion.at(p.time).displacement[k]; });
      }
      json_.end_array();
    }
    json_.end_object();
  }

  /// "impacts: energetic · e = 0.5, μ = 0.3", or from the least to the largest.
  [[nodiscard]] std::string subtitle() const {
    const auto range = [&](const char* symbol, double Surface::*member) {
      const auto [least, most] =
          std::minmax_element(scenario_.surfaces.begin(), scenario_.surfaces.end(),
                              [&](const auto& a, const auto& b) { return a.*member < b.*member; });
      std::string text = fmt::format("{} = {:.4g}", symbol, (*least).*member);
      if ((*least).*member != (*most).*member) text += fmt::format(" to {:.4g}", (*most).*member);
      return text;
    };
    const std::string laws = motion_laws(scenario_);
    if (laws.empty()) return "";
    std::string text = "impacts: " + laws + "; " + range("e", &Surface::restitution) + ", " +
                       range("μ", &Surface::friction);
    const auto any = [&](const auto& holds) {
      return std::any_of(scenario_.surfaces.begin(), scenario_.surfaces.end(), holds);
    };
    if (any([](const Surface& s) { return s.static_friction != s.friction; })) {
      text += ", " + range("μₛ", &Surface::static_friction);
    }
    if (any([](const Surface& s) { return s.tangential_restitution != 0.; })) {
      text += ", " + range("εₜ", &Surface::tangential_restitution);
    }
    return text;
  }

  void picture(std::string_view kind, const std::vector<double>& times) {
    json_.key("picture").begin_object().member("kind", kind).member("title", scenario_.title);
    json_.member("subtitle", subtitle()).member("note", shown_.note);
    json_.key("views").texts(shown_.views);
    json_.key("positions").begin_array();
    for (const std::size_t i : shown_.positions) json_.text(model_.position_name(i));
    json_.end_array().key("velocities").begin_array();
    for (const std::size_t i : shown_.velocities) json_.text(model_.velocity_name(i));
    json_.end_array().key("contacts").begin_array();
    for (const std::size_t i : shown_.contacts) json_.text(names_[i]);
    json_.end_array().key("bodies").texts(shown_.bodies);
    json_.key("times").numbers(times).end_object();
  }

  const MotionScenario& scenario_;
  const Model& model_;
  const motion::ContactNames names_;
  const MotionHistory& history_;
  const Shown& shown_;
  Points points_;
  const motion::Summary* summary_;
  JsonWriter::Digits digits_;
  std::vector<std::size_t> contacts_;
  JsonWriter json_;
};

}  // namespace

std::size_t most_samples(const MotionScenario& s) {
  constexpr std::size_t numbers = 400'000;  // about nine characters each
  const std::size_t of_a_point =
      s.model->positions() + s.model->velocities() + 3 * s.drawing.outlines.size() + 20;
  return std::clamp<std::size_t>(numbers / (2 * of_a_point), 300, 2000);
}

std::string motion_laws(const MotionScenario& s) {
  if (s.model->surfaces() == 0) return "";
  const motion::Options& o = s.options;
  const std::string_view one = o.law != nullptr ? o.law->name : "energetic";
  if (!scenario::meets_several(*s.model)) return std::string(one);
  return fmt::format("{}; several contacts: {}", one, o.several->name);
}

std::string method_text(const MotionScenario& s) {
  if (s.options.method != motion::MotionMethod::stepping) return "";
  return fmt::format("Method: stepping, steps of {} s, no restitution up to {:.4g} m/s.\n",
                     shortest(motion::nominal_step(*s.model, s.options)), rest_speed(s));
}

std::string motion_record(const MotionScenario& scenario, const MotionHistory& history,
                          const Shown& shown, std::string_view kind,
                          const std::vector<double>& times) {
  return Record(scenario, history, shown).make(kind, times);
}

void shorten(const MotionScenario& s, MotionHistory& history) {
  constexpr std::size_t numbers = 2'000'000;
  const std::size_t d = s.model->components();
  const std::size_t of_a_point = s.model->positions() + s.model->velocities() +
                                 3 * (s.drawing.outlines.size() + s.drawing.bodies.size()) +
                                 (2 * d + 3) * touching(history).size() + 10;
  history.thin(numbers / of_a_point);
}

std::string whole_record(const MotionScenario& scenario, const MotionHistory& history,
                         const motion::Summary& summary) {
  const Shown shown = usually_shown(scenario, history);
  return Record(scenario, history, shown, &summary).make("motion", {}) + "\n";
}

}  // namespace carom::report
