// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/motion/reader.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/registered_systems.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/scenario/surface_reader.hpp>

namespace carom::scenario {
namespace {

constexpr std::array<std::string_view, 16> types = {
    "assembly", "linkage", "cradle",    "disc-ball",   "space-assembly", "bar",
    "rod",      "disc",    "sphere",    "block",       "rod-ends",       "bodies",
    "chain",    "space",   "space-rod", "space-sphere"};

/// Systems that are known at the instant of impact alone.
struct Unmoved {
  std::string_view type;
  std::string_view why;
};
constexpr std::string_view no_bodies =
    "gives contact space alone, without bodies that could move: give bodies, or carom solve it";
constexpr std::string_view no_positions =
    "gives M, W and u at one instant, not how they change with position: give bodies or a linkage, "
    "or carom solve it";
constexpr std::array<Unmoved, 5> unmoved = {{{"contact", no_bodies},
                                             {"space-contact", no_bodies},
                                             {"contacts", no_bodies},
                                             {"generalized", no_positions},
                                             {"generalized-contacts", no_positions}}};

/// In the order of MotionMethod.
constexpr std::array<std::string_view, 3> methods = {"events", "stepping", "auto"};

constexpr double usual_gravity = 9.81;  // [m/s^2]
constexpr std::size_t most = 1000000000000;
/// What a compliant contact knows of friction.
constexpr LawParameter rolling{.key = "rolling_friction",
                               .symbol = "d_r",
                               .meaning = "rolling friction",
                               .allowed = ">= 0",
                               .fallback = "0"};
constexpr LawParameter drilling{.key = "drilling_friction",
                                .symbol = "d_d",
                                .meaning = "drilling friction",
                                .allowed = ">= 0",
                                .fallback = "0"};
constexpr std::array compliant_parameters{parameter::friction, parameter::static_friction, rolling,
                                          drilling};

constexpr std::size_t most_law_steps = 1000000000;

/// Which of `names` a key says; `fallback` where it is not given.
std::size_t choice(const Table& t, std::string_view key,
                   std::initializer_list<std::string_view> names, std::size_t fallback) {
  if (!t.has(key)) return fallback;
  const std::string name = t.text(key, "");
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  const std::vector<std::string_view> known(names);
  t.fail(key, "unknown choice '" + name + "'" + did_you_mean(name, known));
}

double not_negative(const Table& t, std::string_view key, double fallback) {
  const double x = t.number(key, fallback);
  if (!(x >= 0. && std::isfinite(x))) {
    t.fail(key, "must be a finite number >= 0, got " + shortest(x));
  }
  return x;
}

bool is_text(const Table& t, std::string_view key) {
  try {
    static_cast<void>(t.text(key, ""));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void read_contact_time(const Table& t, motion::Options& o) {
  if (!t.has("contact_time")) return;
  if (o.settling != motion::Settling::contact_time) {
    t.fail("contact_time", "means nothing without settling = \"contact-time\"");
  }
  if (!is_text(t, "contact_time")) {
    o.contact_time = motion::ContactTime::given;
    o.given_contact_time = t.positive("contact_time");
    return;
  }
  if (const std::string text = t.text("contact_time", ""); text != "local") {
    t.fail("contact_time", "must be \"local\" or a number of seconds, got '" + text + "'");
  }
}

void read_laws(const Table& t, const MotionScenario& s, motion::Options& o) {
  const auto named = [&](std::string_view key, const auto& find) {
    const std::string name = t.text(key, "");
    located(t, [&] { find(name, std::string(key)); });
  };
  if (t.has("law")) {
    named("law", [&](const std::string& name, const std::string& field) {
      o.law = &find_law(name, field, {.contacts = 1, .components = s.model->components()});
    });
  }
  const Law* const moreau = find_law("moreau");
  const bool steps = o.method == motion::MotionMethod::stepping;
  // lzb where it knows all it needs. Steps know moreau alone.
  o.several = s.stiffness_given && !steps ? find_law("lzb") : moreau;
  if (!t.has("several")) return;
  named("several", [&](const std::string& name, const std::string& field) {
    o.several = &find_law(name, field, several_contacts);
  });
  if (!steps || o.several == moreau) return;
  t.fail("several", "must be \"moreau\" where method is \"stepping\", got '" +
                        t.text("several", "") + "'; leave it out, or choose method = \"events\"");
}

/// How motion is computed, and what stepping needs.
void read_method(const Table& t, std::optional<motion::MotionMethod> instead, motion::Options& o) {
  o.method = motion::MotionMethod::automatic;
  if (t.has("method")) {
    o.method = located(t, [&] { return motion_method(t.text("method", ""), "method"); });
  }
  if (instead) o.method = *instead;
  if (t.has("step")) o.step = t.positive("step");
  if (t.has("rest_speed")) o.rest_speed = not_negative(t, "rest_speed", 0.);
  o.residual =
      located(t, [&] { return require_tolerance(t.number("residual", o.residual), "residual"); });
}

/// [motion.solve]: options of the laws, by the names that they have in [solve]. Each reaches the
/// laws to which it means something; one that means nothing to any of them is refused.
void read_law_options(const Table& motion, const MotionScenario& s, motion::Options& o) {
  if (!motion.has("solve")) return;
  const Table t = motion.table("solve");
  t.only({"tolerance", "solver", "euler_steps", "most_steps"});
  const std::size_t d = s.model->components();
  const Law& one = o.law != nullptr ? *o.law : *find_law("energetic");
  // Steps solve several contacts to the residual of [motion].
  const bool meet = meets_several(*s.model) && o.method != motion::MotionMethod::stepping;
  // Whether an option means something to the law of one contact and to that of several.
  const auto means = [&](const Law& law, ContactKind kind, std::string_view key) {
    try {
      require_option(law, kind, key, key);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  const auto give = [&](std::string_view key, const auto& set) {
    if (!t.has(key)) return;
    const bool to_one = means(one, {1, d}, key);
    const bool to_several = meet && means(*o.several, {2, d}, key);
    if (!to_one && !to_several) {
      located(t, [&] { require_option(meet ? *o.several : one, {meet ? 2U : 1U, d}, key, key); });
    }
    if (to_one) set(o.law_options);
    if (to_several) set(o.several_options);
  };
  give("tolerance", [&](SolveOptions& to) {
    to.tolerance =
        located(t, [&] { return require_tolerance(t.number("tolerance"), "tolerance"); });
  });
  give("solver", [&](SolveOptions& to) {
    to.solver = located(t, [&] { return multi_solver(t.text("solver", ""), "solver"); });
  });
  give("euler_steps", [&](SolveOptions& to) {
    to.euler_steps = located(
        t, [&] { return whole_number(t.number("euler_steps"), 1, most_law_steps, "euler_steps"); });
  });
  if (!t.has("most_steps")) return;
  if (!meet || !means(*o.several, {2, d}, "euler_steps")) {
    t.fail("most_steps", "limits the steps of lzb, which is not the law of several contacts here");
  }
  o.several_options.most_steps = located(
      t, [&] { return whole_number(t.number("most_steps"), 1, most_law_steps, "most_steps"); });
}

/// Contacts of unit mass with this surface, to ask a law whether it applies.
ContactProblem contacts_with(const Surface& surface, ContactKind kind) {
  const auto size = static_cast<Eigen::Index>(kind.contacts * kind.components);
  ContactProblem p;
  p.G = BlockMatrix::from_dense(Eigen::MatrixXd::Identity(size, size), kind.components);
  p.approach.assign(kind.contacts * kind.components, 0.);
  p.surfaces.assign(kind.contacts, surface);
  return p;
}

/// Asks the laws of impacts about the surface of every rigid contact, by the same `applies` that
/// decides which laws `solve` asks. Throws where a law cannot be used; notes a coefficient that a
/// law ignores.
void require_laws(const Table& motion, MotionScenario& s) {
  const auto is_compliant = [&](std::size_t i) {
    return i < s.options.compliant.size() && s.options.compliant[i];
  };
  const bool steps = s.options.method == motion::MotionMethod::stepping;
  const auto check = [&](const Law& law, const char* key, ContactKind kind) {
    std::string ignored;
    for (std::size_t i = 0; i < s.surfaces.size(); ++i) {
      if (is_compliant(i)) continue;
      const ContactProblem problem = contacts_with(s.surfaces[i], kind);
      const Applies a = applies(law, problem);
      if (a.cannot()) {
        const std::string contact = "contact '" + s.model->surface_name(i) + "'";
        const std::string name(law.name), field(a.field), why(a.why);
        if (find_coefficient(a.field) == nullptr) motion.fail(key, name + " " + why);
        if (!is_given(s.surfaces[i], a.field)) {
          motion.fail(key,
                      name + " needs surface." + field + ", which is not given for " + contact);
        }
        motion.fail(key, name + " cannot use surface." + field + " of " + contact +
                             " in motion: it " + why + "; leave it out, or choose another law");
      }
      // Steps add couples to moreau.
      const bool couple = a.field == "rolling_friction" || a.field == "drilling_friction";
      if (steps && couple && kind.contacts > 1) continue;
      if (ignored.empty() && !a.yes()) ignored = std::string(a.why);
    }
    if (ignored.empty()) return;
    const std::string by_default =
        motion.has(key) ? "" : " (the default of motion." + std::string(key) + ")";
    s.notes.push_back("in impacts " + std::string(law.name) + by_default + " " + ignored);
  };
  const std::size_t d = s.model->components();
  check(s.options.law != nullptr ? *s.options.law : *find_law("energetic"), "law", {1, d});
  if (meets_several(*s.model)) check(*s.options.several, "several", {2, d});
  // Springs with Coulomb friction know both coefficients of friction and nothing else tangential.
  for (std::size_t i = 0; i < s.surfaces.size(); ++i) {
    if (!is_compliant(i)) continue;
    constexpr LawInfo springs{.id = "compliant contact",
                              .summary = "",
                              .assumptions = "",
                              .source = "",
                              .parameters = compliant_parameters};
    const auto ignored = cannot_honour(springs, s.surfaces[i], d == 3 ? 3 : 1);
    if (!ignored) continue;
    s.notes.push_back("a compliant contact " + *ignored);
    break;
  }
}

/// Couples need the relative spin of bodies.
void refuse_couples(const Table& top, const MotionScenario& s) {
  for (const Surface& x : s.surfaces) {
    const bool rolls = x.rolling_friction() > 0.;
    if (s.model->has_spins() || !(rolls || x.drilling_friction() > 0.)) continue;
    const std::string key = rolls ? "rolling_friction" : "drilling_friction";
    const std::string why = "means nothing to a " + s.system_type +
                            ", which knows no relative spin of bodies in contact; leave it out";
    if (top.has("surface") && top.table("surface").has(key)) top.table("surface").fail(key, why);
    throw InputError("surfaces." + key, why, top.where("surfaces"));
  }
}

/// true: all contacts; or the names of some.
std::vector<bool> read_compliant(const Table& t, const MotionScenario& s,
                                 motion::MotionMethod method) {
  if (!t.has("compliant")) return {};
  std::vector<bool> compliant(s.model->surfaces(), false);
  if (t.depth("compliant") == 0) {
    std::fill(compliant.begin(), compliant.end(), t.flag("compliant", false));
  } else {
    for (const PlacedText& name : t.texts("compliant", "a contact's name")) {
      bool found = false;
      for (std::size_t i = 0; i < compliant.size(); ++i) {
        const std::string own = s.model->surface_name(i);
        if (own != name.text && !own.starts_with(name.text + " ")) continue;
        compliant[i] = found = true;
      }
      if (!found) throw InputError(name.field, "unknown contact '" + name.text + "'", name.place);
    }
  }
  if (std::find(compliant.begin(), compliant.end(), true) == compliant.end()) return {};
  if (method == motion::MotionMethod::stepping) {
    t.fail("compliant",
           "must be false where method is \"stepping\", whose contacts are rigid; leave it out, or "
           "choose method = \"events\"");
  }
  if (!s.stiffness_given) t.fail("compliant", "needs the stiffness of every contact");
  return compliant;
}

/// Too many samples would fill the disk.
void require_few_samples(const Table& t, const motion::Options& o) {
  const double least = o.end_time / static_cast<double>(o.most_samples);
  if (o.sample_interval >= least) return;
  t.fail("sample_interval", "must be at least end_time/most_samples = " + shortest(o.end_time) +
                                " s/" + std::to_string(o.most_samples) + " = " + shortest(least) +
                                " s, got " + shortest(o.sample_interval) +
                                "; set most_samples to allow more");
}

motion::Options read_options(const Table& t, const MotionScenario& s,
                             std::optional<motion::MotionMethod> method) {
  motion::Options o;
  read_method(t, method, o);
  t.require("end_time", "how long to follow the motion [s]");
  o.end_time = t.positive("end_time");
  o.tolerance = located(
      t, [&] { return require_tolerance(t.number("tolerance", o.tolerance), "tolerance"); });
  o.sample_interval = not_negative(t, "sample_interval", o.sample_interval);
  if (t.has("most_samples")) {
    o.most_samples =
        located(t, [&] { return whole_number(t.number("most_samples"), 1, most, "most_samples"); });
  }
  if (o.sample_interval > 0.) require_few_samples(t, o);
  if (t.has("most_events")) {
    o.most_events =
        located(t, [&] { return whole_number(t.number("most_events"), 1, most, "most_events"); });
  }
  o.settling =
      static_cast<motion::Settling>(choice(t, "settling", {"contact-time", "accumulation", "none"},
                                           static_cast<std::size_t>(o.settling)));
  read_contact_time(t, o);
  if (o.settling == motion::Settling::contact_time &&
      o.contact_time == motion::ContactTime::local && !s.stiffness_given) {
    t.fail("settling",
           "\"contact-time\" needs the stiffness of every contact, or contact_time in seconds");
  }
  o.indeterminate = static_cast<motion::Indeterminate>(choice(
      t, "indeterminate", {"lift-off", "impact"}, static_cast<std::size_t>(o.indeterminate)));
  read_laws(t, s, o);
  read_law_options(t, s, o);
  o.compliant = read_compliant(t, s, o.method);
  return o;
}

void read_type(const Table& top, const Table& system, const Table& motion, MotionScenario& s) {
  if (const auto registered = registered_system(s.system_type)) {
    motion.refuse("gravity", "is a matter of the forces of a " + s.system_type);
    ModelInState made = registered->moving(system);
    s.model = std::move(made.model);
    s.start = std::move(made.state);
    return;
  }
  if (s.system_type == "assembly") return read_planar_motion(system, motion, s);
  if (s.system_type == "disc-ball") return read_disc_motion(top, motion, s);
  if (s.system_type == "linkage") return read_moving_linkage(system, motion, s);
  if (s.system_type == "cradle") return read_cradle(system, motion, s);
  if (s.system_type == "chain") return read_moving_chain(system, motion, s);
  if (s.system_type == "space-assembly") return read_space_motion(system, motion, s);
  if (is_spatial(s.system_type)) return read_moving_space_body(system, motion, s);
  read_moving_body(system, motion, s);
}

std::vector<std::string> surface_names(const Model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.surfaces(); ++i) names.push_back(model.surface_name(i));
  return names;
}

void refuse_overlap(const Table& system, const MotionScenario& s) {
  const double limit = motion::start_tolerance * s.model->length_scale();
  std::vector<BodyPair> pairs;
  std::vector<NearContact> near;
  s.model->near_pairs(s.start, 0., pairs);
  for (const BodyPair& pair : pairs) {
    s.model->near_contacts(pair, s.start, 0., near);
    for (const NearContact& c : near) {
      if (!c.in_range || c.gap >= -limit) continue;
      throw InputError("system",
                       "bodies overlap at the start, at the contact '" +
                           s.model->contact_name(c.id) + "' by " + shortest(-c.gap) + " m; up to " +
                           shortest(limit) + " m would be closed; move them apart",
                       system.here());
    }
  }
}

/// As a number it points downwards.
double downwards(const Table& t, const char* up) {
  const double g = t.number("gravity", usual_gravity);
  if (!(g >= 0. && std::isfinite(g))) {
    t.fail("gravity", "must be a finite number >= 0, which points downwards, or a vector such as " +
                          std::string(up) + "; got " + shortest(g));
  }
  return g;
}

}  // namespace

std::string_view name(motion::MotionMethod method) {
  return methods[static_cast<std::size_t>(method)];
}

motion::MotionMethod motion_method(const std::string& name, std::string_view field) {
  const auto at = std::find(methods.begin(), methods.end(), name);
  if (at != methods.end()) return static_cast<motion::MotionMethod>(at - methods.begin());
  throw InputError(std::string(field),
                   "unknown method '" + name + "'" + did_you_mean(name, methods));
}

std::array<double, 2> planar_gravity(const Table& t) {
  if (t.has("gravity") && t.depth("gravity") > 0) return t.pair("gravity");
  return {0., -downwards(t, "[0, 9.81] for upwards")};
}

World3 spatial_gravity(const Table& t) {
  if (t.has("gravity") && t.depth("gravity") > 0) return t.triple("gravity");
  return {0., 0., -downwards(t, "[0, 0, 9.81] for upwards")};
}

void refuse_of_one_impact(const Table& t) {
  t.refuse("contacts", "is of one impact: a motion finds its contacts from the shapes");
  t.refuse("tolerance", "is of one impact: a motion closes gaps up to 1e-6 of a length");
}

MotionScenario read_motion(const Table& top, std::string name,
                           std::optional<motion::MotionMethod> method) {
  top.only({"title", "system", "surface", "surfaces", "motion", "sweep", "fit"});
  MotionScenario s;
  s.name = std::move(name);
  s.title = top.text("title", "");
  const Table system = top.table("system");
  const Table motion = top.table("motion");
  motion.only({"end_time", "tolerance", "sample_interval", "most_samples", "settling",
               "contact_time", "indeterminate", "law", "several", "most_events", "gravity",
               "compliant", "solve", "method", "step", "rest_speed", "residual"});
  system.require("type",
                 "one of assembly, linkage, cradle, disc-ball, space-assembly, bar, rod, disc, "
                 "sphere, block, rod-ends, bodies, chain, space, space-rod, space-sphere");
  s.system_type = system.text("type", "");
  for (const Unmoved& u : unmoved) {
    if (s.system_type == u.type) {
      system.fail("type", "'" + s.system_type + "' " + std::string(u.why));
    }
  }
  const auto registered = registered_system(s.system_type);
  const bool moves = registered != nullptr && registered->moving;
  if (!moves && std::find(types.begin(), types.end(), s.system_type) == types.end()) {
    system.fail("type", "unknown system '" + s.system_type + "' that moves" +
                            did_you_mean(s.system_type, types));
  }
  located(system, [&] { read_type(top, system, motion, s); });
  if (s.model->surfaces() > 0 && s.surfaces.empty()) {
    const bool smooth = s.system_type == "chain" ||
                        (system.has("frictionless") && system.flag("frictionless", false));
    const std::size_t d = smooth ? 1 : s.model->components();
    const std::array kinds{ContactKind{1, d}, ContactKind{2, d}};
    Surfaces all = read_surfaces(top, surface_names(*s.model), kinds);
    s.stiffness_given = all.has("stiffness");
    s.surfaces = std::move(all.each);
    // Without friction a contact is smooth.
    for (Surface& x : s.surfaces) x.given |= given_bit(*find_coefficient("friction"));
    require_for_all(top, {"restitution"}, surface_names(*s.model));
  }
  refuse_couples(top, s);
  s.options = read_options(motion, s, method);
  require_laws(motion, s);
  s.several_named = motion.has("several");
  s.options.keeps_several = s.several_named;
  if (s.first_impact) strike_disc(system, s);
  refuse_overlap(system, s);
  return s;
}

bool is_motion(std::string_view text, const std::string& name) {
  return Document(text, name).top().has("motion");
}

MotionScenario parse_motion(std::string_view text, std::string name,
                            std::optional<motion::MotionMethod> method) {
  const Document document(text, name);
  return read_motion(document.top(), std::move(name), method);
}

MotionScenario read_motion(const std::filesystem::path& file) {
  return parse_motion(read_text(file), file.string());
}

}  // namespace carom::scenario
