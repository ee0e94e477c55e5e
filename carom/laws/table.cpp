// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/table.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <mutex>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/labels.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/lzb/lzb.hpp>
#include <carom/laws/moreau/derivatives.hpp>
#include <carom/laws/moreau/several.hpp>
#include <carom/laws/registered.hpp>

namespace carom {
namespace {

template <Hypothesis hypothesis>
void moreau_of_several(const ContactProblem& p, const SolveOptions& options, Workspace& workspace,
                       Course*, Outcome& outcome) {
  multi_moreau(p, hypothesis, options, workspace, outcome);
}

void lzb_of_several(const ContactProblem& p, const SolveOptions& options, Workspace&,
                    Course* course, Outcome& outcome) {
  outcome = solve_lzb(p, options, course);
}

std::string_view not_a_sphere(const ContactProblem& p) {
  const double* G = p.G.diagonal(0);
  const std::size_t rows = p.G.components();
  const bool sphere = std::abs(G[1]) <= rounding * (G[0] + G[rows + 1]);
  return sphere ? "" : "it is meant for spheres (G_nt = 0); this is moreau";
}

const std::array<Law, 14>& built_in() {
  static const std::array<Law, 14> table{{
      {.name = "newton",
       .summary = Newton::info.summary,
       .info = &Newton::info,
       .exact = "newton",
       .planar = Newton{},
       .spatial = DarbouxKeller{Hypothesis::newton}},
      {.name = "poisson",
       .summary = Poisson::info.summary,
       .info = &Poisson::info,
       .exact = "poisson",
       .planar = Poisson{},
       .spatial = DarbouxKeller{Hypothesis::poisson}},
      {.name = "energetic",
       .summary = Energetic::info.summary,
       .info = &Energetic::info,
       .exact = "energetic",
       .planar = Energetic{},
       .spatial = DarbouxKeller{Hypothesis::energetic}},
      {.name = "moreau",
       .summary = Moreau::info.summary,
       .info = &Moreau::info,
       .exact = "newton",
       .option = {"hypothesis", "newton"},
       .solver_option = "solver",
       .planar = Moreau{},
       .spatial = SpatialMoreau{},
       .several = moreau_of_several<Hypothesis::newton>,
       .derivatives = moreau_derivatives},
      {.name = "moreau:poisson",
       .summary = Moreau::two_stages.summary,
       .info = &Moreau::two_stages,
       .exact = "poisson",
       .option = {"hypothesis", "poisson"},
       .solver_option = "solver",
       .planar = Moreau{.hypothesis = Hypothesis::poisson},
       .spatial = SpatialMoreau{Hypothesis::poisson},
       .several = moreau_of_several<Hypothesis::poisson>,
       .derivatives = moreau_poisson_derivatives},
      {.name = "lzb",
       .summary =
           "several contacts: stored energy distributes the forces; energetic at one contact",
       .info = &Lzb::info,
       .exact = "energetic",
       .same_in_plane = "energetic",
       .same_in_space = "energetic",
       .solver_option = "euler_steps",
       .has_course = true,
       .several = lzb_of_several},
      {.name = "brach",
       .summary = Brach::info.summary,
       .info = &Brach::info,
       .exact = "newton",
       .planar = Brach{},
       .spatial = SpatialBrach{}},
      {.name = "sun-baruh",
       .summary = SunBaruh::info.summary,
       .info = &SunBaruh::info,
       .exact = "poisson",
       .same_in_plane = "poisson",
       .option = {"hypothesis", "poisson"},
       .spatial = SunBaruh{}},
      {.name = "sun-baruh:energetic",
       .summary = "sun-baruh ended by the work ratio",
       .info = &SunBaruh::info,
       .exact = "energetic",
       .same_in_plane = "energetic",
       .option = {"hypothesis", "energetic"},
       .spatial = SunBaruh{Hypothesis::energetic}},
      {.name = "compliant",
       .summary = Compliant::info.summary,
       .info = &Compliant::info,
       .exact = "energetic",
       .planar = Compliant{},
       .spatial = SpatialCompliant{}},
      {.name = "conventional",
       .summary = Conventional::info.summary,
       .info = &Conventional::info,
       .exact = "newton",
       .option = {"friction_opposes", "approach"},
       .planar = Conventional{}},
      {.name = "conventional:rebound",
       .summary = "conventional with friction against the slip afterwards (Kane & Levinson)",
       .info = &Conventional::info,
       .exact = "newton",
       .option = {"friction_opposes", "rebound"},
       .planar = Conventional{.friction_opposes = FrictionOpposes::rebound}},
      {.name = "shen-townsend",
       .summary = "poisson in the plane, with mu_s; the mode shows its cases i, ii, iii",
       .info = &Poisson::info,
       .exact = "poisson",
       .same_in_plane = "poisson"},
      {.name = "walton",
       .summary = "moreau on a sphere (G_nt = 0), as used for particle flows",
       .info = &Moreau::info,
       .exact = "newton",
       .same_in_plane = "moreau",
       .contact_label = "walton_contact",
       .caution = not_a_sphere},
  }};
  return table;
}

/// Laws registered at run time. Their addresses do not change.
struct Registered {
  struct Row {
    Law law;
    Listed listed = Listed::always;
  };
  std::mutex mutex;
  std::deque<Row> rows;
};

Registered& registered() {
  static Registered all;
  return all;
}

std::string_view same_as(const Law& law, ContactKind kind) {
  if (kind.contacts != 1) return {};
  if (kind.components == 2) return law.same_in_plane;
  return kind.components == 3 ? law.same_in_space : std::string_view{};
}

/// Whether the row itself has a function for such contacts.
bool computes(const Law& law, ContactKind kind) {
  if (law.solve != nullptr) return true;
  if (kind.contacts == 1 && kind.components == 2 && law.planar) return true;
  if (kind.contacts == 1 && kind.components == 3 && law.spatial) return true;
  return law.several != nullptr;
}

/// The solutions of a set-valued law at one contact.
void add_solutions(const Law& law, const ContactProblem& p, Outcome& outcome) {
  const auto* moreau = law.planar ? std::get_if<Moreau>(&*law.planar) : nullptr;
  if (moreau != nullptr) add_solutions_of_one(p, moreau->hypothesis, outcome);
}

/// A built-in law, by what computes it.
void solve_built_in(const Law& law, const ContactProblem& p, const SolveOptions& options,
                    Workspace& workspace, Outcome& outcome) {
  const ContactKind kind{.contacts = p.contacts(), .components = p.components()};
  if (kind.contacts == 1 && kind.components == 2 && law.planar) {
    const PlanarProblem one = planar_problem(p);
    assign(outcome, p, solve(*law.planar, one));
    if (outcome.flags.has(Verdict::several_solutions)) add_solutions(law, p, outcome);
    if (std::holds_alternative<Compliant>(*law.planar)) {
      compliant_phases(one, workspace.phases);
      for (const PlanarPhase& f : workspace.phases) {
        outcome.phases.push_back({.contact = 0,
                                  .stage = f.stage,
                                  .motion = f.motion,
                                  .time = 0.,
                                  .impulse = {f.impulse.n, f.impulse.t, 0.},
                                  .velocity = {f.velocity.n, f.velocity.t, 0.}});
      }
    }
  } else if (kind.contacts == 1 && kind.components == 3 && law.spatial) {
    SpatialOptions spatial;
    if (options.tolerance > 0.) spatial.tolerance = options.tolerance;
    assign(outcome, p, law.spatial(spatial_problem(p), spatial));
    if (outcome.flags.has(Verdict::several_solutions)) add_solutions(law, p, outcome);
  } else {
    law.several(p, options, workspace, nullptr, outcome);
  }
}

/// The law that others call by its author, or by what its hypothesis is about; or `given`.
std::string_view our_name(std::string_view given) {
  using Name = std::pair<std::string_view, std::string_view>;
  constexpr std::array known{
      Name{"stronge", "energetic"},      Name{"energy", "energetic"},
      Name{"kinetic", "poisson"},        Name{"keller", "poisson"},
      Name{"routh", "poisson"},          Name{"kinematic", "newton"},
      Name{"glocker", "moreau:poisson"}, Name{"payr-glocker", "moreau:poisson"},
      Name{"liu-zhao-brogliato", "lzb"}};
  std::array<std::string_view, known.size()> theirs;
  std::ranges::transform(known, theirs.begin(), &Name::first);
  const auto at = std::ranges::find(theirs, nearest(given, theirs));
  return at == theirs.end() ? given : known[static_cast<std::size_t>(at - theirs.begin())].second;
}

[[noreturn]] void fail_to_find(std::string_view given, std::string_view field,
                               const Laws& candidates, std::string_view where) {
  std::vector<std::string_view> names;
  for (const Law& law : candidates) names.push_back(law.name);
  throw InputError(
      std::string(field),
      "unknown law '" + std::string(given) + "'" + std::string(where) +
          did_you_mean(nearest(given, names).empty() ? our_name(given) : given, names));
}

/// "moreau, moreau:poisson and lzb"
std::string listed(const Laws& some) {
  std::string text;
  for (std::size_t i = 0; i < some.size(); ++i) {
    if (i > 0) text += i + 1 < some.size() ? ", " : " and ";
    text += some[i].get().name;
  }
  return text;
}

}  // namespace

Laws laws() {
  Laws all(built_in().begin(), built_in().end());
  const std::lock_guard lock(registered().mutex);
  for (const Registered::Row& row : registered().rows) {
    if (row.listed == Listed::always) all.emplace_back(row.law);
  }
  return all;
}

const Law& register_law(const Law& law) {
  if (find_law(law.name) != nullptr) {
    throw InputError("name", "there is a law '" + std::string(law.name) + "' already");
  }
  if (law.info == nullptr || law.solve == nullptr) {
    throw InputError("law", "'" + std::string(law.name) + "' needs `info` and `solve`");
  }
  const std::lock_guard lock(registered().mutex);
  registered().rows.push_back({.law = law});
  return registered().rows.back().law;
}

void list_law(const Law& law, Listed listed) {
  const std::lock_guard lock(registered().mutex);
  for (Registered::Row& row : registered().rows) {
    if (&row.law == &law) row.listed = listed;
  }
}

const Law* find_law(std::string_view name) noexcept {
  for (const Law& law : built_in()) {
    if (law.name == name) return &law;
  }
  const std::lock_guard lock(registered().mutex);
  for (const Registered::Row& row : registered().rows) {
    if (row.law.name == name && row.listed != Listed::no) return &row.law;
  }
  return nullptr;
}

const Law* answering(const Law& law, ContactKind kind) noexcept {
  const std::string_view same = same_as(law, kind);
  if (!same.empty()) return find_law(same);
  return computes(law, kind) ? &law : nullptr;
}

const LawInfo& info_for(const Law& law, ContactKind kind) noexcept {
  return *answering(law, kind)->info;
}

const Law& with_option(const Law& law, std::string_view key, std::string_view value,
                       std::string_view field) {
  const auto base = [](std::string_view name) { return name.substr(0, name.find(':')); };
  std::vector<std::string_view> values;
  Laws having;  // plain rows
  for (const Law& row : laws()) {
    if (row.option.key != key) continue;
    if (row.name.find(':') == std::string_view::npos) having.push_back(row);
    if (base(row.name) != law.name) continue;
    if (row.option.value == value) return *find_law(row.name);
    values.push_back(row.option.value);
  }
  if (values.empty()) {
    throw InputError(std::string(field), having.empty() ? "is no option of any law"
                                                        : "is an option of " + listed(having) +
                                                              ", not of " + std::string(law.name));
  }
  std::string allowed;
  for (const std::string_view v : values) {
    allowed.append(allowed.empty() ? "" : " or ").append(v);
  }
  throw InputError(std::string(field), "must be " + allowed + ", got '" + std::string(value) + "'");
}

void require_option(const Law& law, ContactKind kind, std::string_view key,
                    std::string_view field) {
  if (key == "tolerance") {
    const Law* answers = answering(law, kind);
    if (answers == nullptr || kind.contacts > 1 || kind.components != 2 || !answers->planar) return;
    throw InputError(std::string(field), "is for impacts in space or of several contacts; " +
                                             std::string(law.name) +
                                             " is exact at one contact in the plane");
  }
  if (law.solver_option == key) {
    if (works_itself(law, kind) || key == "solver") return;
    throw InputError(std::string(field), "is for several contacts; at one contact " +
                                             std::string(law.name) + " is " +
                                             std::string(same_as(law, kind)));
  }
  Laws having = laws();
  std::erase_if(having, [&](const Law& row) {
    return row.solver_option != key || row.name.find(':') != std::string_view::npos;
  });
  throw InputError(std::string(field),
                   "is an option of " + listed(having) + ", not of " + std::string(law.name));
}

bool works_itself(const Law& law, ContactKind kind) noexcept {
  return same_as(law, kind).empty() && computes(law, kind);
}

Laws laws_for(ContactKind kind) {
  Laws some = laws();
  std::erase_if(some, [&](const Law& law) { return !works_itself(law, kind); });
  return some;
}

std::vector<const Coefficient*> known_coefficients(std::span<const ContactKind> kinds) {
  const Laws all = laws();
  const auto is_known = [&](const Coefficient& c, ContactKind kind) {
    if (c.in_space_only && kind.components != 3) return false;
    if (c.in_motion_only) return kind.components > 1;
    return std::any_of(all.begin(), all.end(), [&](const Law& law) {
      const Law* answers = answering(law, kind);
      return answers != nullptr && (law.info->knows(c.key) || answers->info->knows(c.key));
    });
  };
  std::vector<const Coefficient*> known;
  for (const Coefficient& c : coefficients()) {
    if (std::any_of(kinds.begin(), kinds.end(), [&](ContactKind k) { return is_known(c, k); })) {
      known.push_back(&c);
    }
  }
  return known;
}

const Law& find_law(std::string_view name, std::string_view field, ContactKind kind) {
  const Law* law = find_law(name);
  if (law != nullptr && answering(*law, kind) != nullptr) return *law;
  Laws some = laws();
  std::erase_if(some, [&](const Law& l) { return answering(l, kind) == nullptr; });
  if (law == nullptr) {
    fail_to_find(name, field, some, kind.contacts == 1 && kind.components == 3 ? " in space" : "");
  }
  const bool several = kind.contacts > 1;
  throw InputError(
      std::string(field),
      std::string(name) +
          (several                ? " is for one contact; for several use "
           : kind.components == 1 ? " needs a tangential direction; for frictionless contacts use "
           : kind.components == 3 ? " works in the plane only; in space use "
                                  : " works in space only; in the plane use ") +
          listed(some));
}

const Law& find_law(std::string_view name, std::string_view field) {
  if (const Law* law = find_law(name)) return *law;
  fail_to_find(name, field, laws(), "");
}

Applies applies_to(const Law& asked, const ContactProblem& p) noexcept {
  using Answer = Applies::Answer;
  const ContactKind kind{.contacts = p.contacts(), .components = p.components()};
  const Law* law = answering(asked, kind);
  if (law == nullptr) {
    return {.answer = Answer::cannot,
            .field = "law",
            .why = kind.contacts > 1 ? "is for one contact" : "does not support such contacts"};
  }
  for (const Surface& s : p.surfaces) {
    if (const auto key = missing_coefficient(*law->info, s)) {
      return {.answer = Answer::cannot, .field = *key, .why = "is missing"};
    }
  }
  const std::size_t spin_rows = kind.components == 3 ? 3 : 1;
  for (const Surface& s : p.surfaces) {
    if (s.has_couples(spin_rows) && law->info->knows("moment_coefficients") && p.spin_rows == 0) {
      return {.answer = Answer::cannot,
              .field = s.has_moment_ratio() ? "moment_ratio" : "moment_coefficients",
              .why = "needs a spin at the contact, which contact space alone does not have"};
    }
  }
  for (const Coefficient& c : coefficients()) {
    if (c.asks == nullptr || law->info->knows(c.key)) continue;
    for (const Surface& s : p.surfaces) {
      if (c.asks(s, spin_rows)) {
        return {.answer = Answer::ignores, .field = c.key, .why = c.ignored};
      }
    }
  }
  return {};
}

Applies applies(const Law& law, const ContactProblem& problem) noexcept {
  return law.applies != nullptr ? law.applies(law, problem) : applies_to(law, problem);
}

void require_applies(const Law& law, const ContactProblem& problem) {
  if (law.applies == nullptr) return;  // what every law is asked is asked elsewhere, with places
  const Applies a = law.applies(law, problem);
  if (!a.cannot()) return;
  const bool coefficient = find_coefficient(a.field) != nullptr;
  throw InputError((coefficient ? "surface." : "") + std::string(a.field),
                   std::string(law.name) + (coefficient ? ": " : " ") + std::string(a.why));
}

std::optional<std::string_view> missing_coefficient(const LawInfo& info,
                                                    const Surface& s) noexcept {
  for (const LawParameter& p : info.parameters) {
    if (!p.fallback.empty() || is_given(s, p.key)) continue;
    const bool replaced = std::any_of(p.instead.begin(), p.instead.end(),
                                      [&](std::string_view key) { return is_given(s, key); });
    if (!replaced) return p.key;
  }
  return std::nullopt;
}

std::optional<std::string> cannot_honour(const LawInfo& info, const Surface& s,
                                         std::size_t spin_rows) {
  for (const Coefficient& c : coefficients()) {
    if (c.asks != nullptr && !info.knows(c.key) && c.asks(s, spin_rows)) {
      return std::string(c.ignored);
    }
  }
  return std::nullopt;
}

std::optional<std::string> cannot_honour(const Law& law, const ContactProblem& p) {
  const LawInfo& info = info_for(law, kind_of(p));
  for (const Surface& s : p.surfaces) {
    if (auto reason = cannot_honour(info, s, p.components() == 3 ? 3 : 1)) return reason;
  }
  return std::nullopt;
}

void require_answerable(const LawInfo& law, const Surface& s, bool spin_known,
                        std::size_t components) {
  validate(s, "surface", law.release, components);
  if (law.knows("moment_coefficients") && !spin_known && s.has_couples(components == 3 ? 3 : 1)) {
    throw InputError(
        s.has_moment_ratio() ? "surface.moment_ratio" : "surface.moment_coefficients",
        "needs a spin at the contact, which contact space alone and slides do not have");
  }
}

void solve(const Law& asked, const ContactProblem& problem, const SolveOptions& options,
           Workspace& workspace, Outcome& outcome) {
  const Law* law = answering(asked, kind_of(problem));
  if (law->solve == nullptr) return solve_built_in(*law, problem, options, workspace, outcome);
  outcome.clear();  // a law from outside may fill a part of it
  law->solve(*law, problem, options, outcome);
}

void solve(const Law& law, const ContactProblem& problem, const SolveOptions& options,
           Outcome& outcome) {
  Workspace workspace;
  solve(law, problem, options, workspace, outcome);
}

const PlanarLaw& planar_kernel(const Law& law) { return *answering(law, {1, 2})->planar; }

std::string_view caution_of(const Law& law, const ContactProblem& problem) {
  return law.caution != nullptr ? law.caution(problem) : std::string_view{};
}

std::optional<Hypothesis> process_of(const Law& law) {
  if (!law.planar) return std::nullopt;
  if (std::holds_alternative<Newton>(*law.planar)) return Hypothesis::newton;
  if (std::holds_alternative<Poisson>(*law.planar)) return Hypothesis::poisson;
  if (std::holds_alternative<Energetic>(*law.planar)) return Hypothesis::energetic;
  return std::nullopt;
}

std::string mode_label(const Law& law, const ContactProblem& p, const Outcome& o,
                       std::size_t contact) {
  const ContactOutcome& c = o.contacts[contact];
  if (p.contacts() > 1 || p.components() == 1) return std::string(name(c.mode));
  return mode_label(info_for(law, kind_of(p)), c.mode, c.slider);
}

std::string mode_label(const LawInfo& law, Mode mode, const SliderStates& slider) {
  static constexpr std::string_view digits = "0123456";
  if (law.labels == Labels::slider) return slider_text(slider);
  if (mode == Mode::no_impulse) return law.labels == Labels::regimes ? "no-impulse" : "";
  switch (law.labels) {
    case Labels::modes: {
      const auto i = static_cast<std::size_t>(mode);
      return i < digits.size() ? std::string(digits.substr(i, 1)) : "";
    }
    case Labels::sticks:
      return mode == Mode::stick ? "stick" : "slip";
    default:
      if (mode == Mode::backward_slip || mode == Mode::forward_slip) {
        return std::string(regime_name(mode));
      }
      return std::string(name(mode));
  }
}

}  // namespace carom
