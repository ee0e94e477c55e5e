// SPDX-License-Identifier: Apache-2.0
#include <carom/study/quantity_rows.hpp>

#include <array>
#include <cmath>
#include <cstdio>

#include <carom/impact/one_contact.hpp>
#include <carom/impact/outcome_words.hpp>

namespace carom::study {
namespace {

using View = OutcomeView;

double quotient(double a, double b) { return b != 0. ? a / b : undefined; }
double number(const std::optional<double>& x) { return x ? *x : undefined; }

/// The first row of contact i.
std::size_t row(const View& v, std::size_t i) { return i * v.problem->G.components(); }
/// The row of component k, counted over all contacts.
std::size_t component(const View& v, std::size_t k) {
  const std::size_t d = v.problem->components();
  return row(v, k / d) + k % d;
}
std::size_t spin_row(const View& v, std::size_t k) {
  const std::size_t r = v.problem->spin_rows;
  return row(v, k / r) + v.problem->components() + k % r;
}

// --- components ---------------------------------------------------------------------------------

double impulse(const View& v, std::size_t k) { return v.outcome->impulse[component(v, k)]; }
double velocity(const View& v, std::size_t k) { return v.outcome->velocity[component(v, k)]; }
double approach(const View& v, std::size_t k) { return v.problem->approach[component(v, k)]; }
double couple(const View& v, std::size_t k) { return v.outcome->impulse[spin_row(v, k)]; }

// --- contacts -----------------------------------------------------------------------------------

double normal_impulse(const View& v, std::size_t i) { return v.outcome->impulse[row(v, i)]; }
double normal_velocity(const View& v, std::size_t i) { return v.outcome->velocity[row(v, i)]; }
double normal_approach(const View& v, std::size_t i) { return v.problem->approach[row(v, i)]; }
double tangential(const View& v, std::size_t i) {
  return tangential_impulse(*v.problem, *v.outcome, i);
}
SlipOfContact slip_of(const View& v, std::size_t i) { return slip(*v.problem, *v.outcome, i); }
double slip_after(const View& v, std::size_t i) { return slip_of(v, i).after; }
double slip_before(const View& v, std::size_t i) { return slip_of(v, i).before; }

double slip_speed(const View& v, std::size_t i) { return std::abs(slip_after(v, i)); }
double slip_speed_before(const View& v, std::size_t i) { return slip_before(v, i); }

double ratio(const View& v, std::size_t i) {
  return quotient(slip_after(v, i), normal_velocity(v, i));
}
double impulse_ratio(const View& v, std::size_t i) {
  return quotient(tangential(v, i), normal_impulse(v, i));
}
double restitution(const View& v, std::size_t i) {
  if (!(normal_impulse(v, i) > 0.)) return undefined;
  return quotient(-normal_velocity(v, i), normal_approach(v, i));
}
double rebound(const View& v, std::size_t i) {
  if (!(normal_impulse(v, i) > 0.)) return undefined;
  return quotient(-normal_velocity(v, i),
                  v.problem->surfaces[i].restitution * normal_approach(v, i));
}

template <std::optional<double> EquivalentRestitution::*part>
double equivalent(const View& v, std::size_t i) {
  return number(equivalent_restitution(*v.problem, *v.outcome, i).*part);
}

/// A number of Brach's in the plane.
double brach(const View& v, std::string_view key) {
  for (const BrachEntry& e : brach_entries(*v.problem, *v.outcome)) {
    if (e.key == key && e.size == 1) return number(e.values[0]);
  }
  return undefined;
}
double brach_e_t(const View& v, std::size_t) { return brach(v, "e_t"); }
double brach_ratio(const View& v, std::size_t) { return brach(v, "impulse_ratio"); }
double brach_critical(const View& v, std::size_t) { return brach(v, "critical_impulse_ratio"); }

// --- energies -----------------------------------------------------------------------------------

double compression(const EnergyLedger& e) { return e.stages ? e.stages->compression : undefined; }
double expansion(const EnergyLedger& e) { return e.stages ? e.stages->restitution : undefined; }

template <double EnergyLedger::*part>
double work(const View& v, std::size_t) {
  return v.outcome->energy.*part;
}
double compression_work(const View& v, std::size_t) { return compression(v.outcome->energy); }
double restitution_work(const View& v, std::size_t) { return expansion(v.outcome->energy); }

template <double EnergyLedger::*part>
double contact_work(const View& v, std::size_t i) {
  return v.contact(i).energy.*part;
}
double contact_compression(const View& v, std::size_t i) {
  return compression(v.contact(i).energy);
}
double contact_restitution(const View& v, std::size_t i) { return expansion(v.contact(i).energy); }

double energy(const View& v, std::size_t) {
  return quotient(v.energy_before + v.outcome->energy.change, v.energy_before);
}
double percent(const View& v, std::size_t) {
  return v.energy_before > 0. ? 100. * v.outcome->energy.change / v.energy_before : undefined;
}

// --- coordinates, bodies, joints ----------------------------------------------------------------

double coordinate(const View& v, std::size_t i) { return v.after ? (*v.after)[i] : undefined; }
double coordinate_before(const View& v, std::size_t i) { return v.system->u[i]; }

template <double KineticParts::*part>
double body_energy(const View& v, std::size_t i) {
  return v.after ? v.system->energy(i, *v.after).*part : undefined;
}
template <double KineticParts::*part>
double body_energy_before(const View& v, std::size_t i) {
  return v.system->energy(i, v.system->u).*part;
}

double joint_x(const View& v, std::size_t i) { return v.joints[i].impulse[0]; }
double joint_y(const View& v, std::size_t i) { return v.joints[i].impulse[1]; }
/// Hinges have none.
double joint_couple(const View& v, std::size_t i) {
  return links_of(*v.system)[i].joint == JointKind::prismatic ? v.joints[i].couple : undefined;
}

// --- two laws -----------------------------------------------------------------------------------

/// |v+ - v+| of two laws, per cent of |v-|.
double parting(const View& v, std::size_t) {
  if (v.other == nullptr || has_no_answer(*v.other)) return undefined;
  double apart = 0.;
  double speed = 0.;
  for (std::size_t k = 0; k < v.problem->contacts() * v.problem->components(); ++k) {
    const double d = velocity(v, k) - v.other->velocity[component(v, k)];
    apart += d * d;
    speed += approach(v, k) * approach(v, k);
  }
  return 100. * quotient(std::sqrt(apart), std::sqrt(speed));
}

// --- what means nothing where -------------------------------------------------------------------

std::string_view without_friction(ContactKind kind) {
  return kind.components > 1 ? "" : "there is no friction without a tangent";
}
std::string_view not_in_space(ContactKind kind) {
  return kind.components == 3 ? "" : "slip_speed is of space; in the plane show slip";
}
std::string_view not_one_in_plane(ContactKind kind) {
  return kind == in_the_plane ? "" : "Brach's numbers are of one contact in the plane";
}

// --- categories ---------------------------------------------------------------------------------

/// In space slip has no side, and with several contacts laws distinguish slip from stick.
Labels labels_of(const LawInfo& law, ContactKind kind) {
  if (kind.contacts > 1) return Labels::sticks;
  return kind.components == 3 && law.labels == Labels::regimes ? Labels::sticks : law.labels;
}

std::vector<Category> categories_of_modes(Labels labels, bool in_space) {
  const auto described = [&](std::string_view label, Mode m) {
    std::string meaning(describe(m));
    // In space slip that begins anew need not run back.
    if (in_space && meaning.ends_with("reverses")) {
      meaning.replace(meaning.size() - 8, 8, "slips again");
    }
    return Category{.label = std::string(label), .meaning = std::move(meaning)};
  };
  switch (labels) {
    case Labels::modes: {
      std::vector<Category> all;
      for (int i = 0; i <= static_cast<int>(Mode::no_slip_slides); ++i) {
        all.push_back(described(std::to_string(i), static_cast<Mode>(i)));
      }
      all.push_back(described("none", Mode::no_impulse));
      return all;
    }
    case Labels::regimes:
      return {described("backward slip", Mode::backward_slip), described("stick", Mode::stick),
              described("forward slip", Mode::forward_slip),
              described("no impulse", Mode::no_impulse)};
    case Labels::sticks:
      return {described("slip", Mode::slip), described("stick", Mode::stick),
              described("no impulse", Mode::no_impulse)};
    case Labels::slider:
      break;
  }
  return {};  // labelled by what the sliders did
}

double index_of_mode(Labels labels, Mode m) {
  switch (labels) {
    case Labels::modes:
      return m <= Mode::no_slip_slides ? static_cast<double>(m) : 7.;
    case Labels::regimes:
      return m == Mode::backward_slip  ? 0.
             : m == Mode::stick        ? 1.
             : m == Mode::forward_slip ? 2.
                                       : 3.;
    case Labels::sticks:
      return m == Mode::no_impulse ? 2. : m == Mode::stick ? 1. : 0.;
    case Labels::slider:
      break;
  }
  return undefined;
}

std::vector<Category> mode_categories(const LawInfo& law, ContactKind kind) {
  if (kind.components == 1) {
    return {{.label = "closed", .meaning = std::string(describe(Mode::closed))},
            {.label = "no impulse", .meaning = std::string(describe(Mode::no_impulse))}};
  }
  return categories_of_modes(labels_of(law, kind), kind.components == 3);
}
double mode(const View& v, std::size_t i) {
  const ContactKind kind = kind_of(*v.problem);
  if (kind.components == 1) return v.contact(i).mode == Mode::no_impulse ? 1. : 0.;
  return index_of_mode(labels_of(info_for(*v.law, kind), kind), v.contact(i).mode);
}
std::string mode_text(const View& v, std::size_t i) {
  return mode_label(*v.law, *v.problem, *v.outcome, i);
}
std::string case_text(const View& v, std::size_t) {
  for (const PublishedLabel& l : published_labels(*v.problem, *v.outcome)) {
    if (l.key == "shen_townsend_case") return std::string(l.text);
  }
  return "";
}

/// What an answer for several contacts was computed to.
std::string accuracy(const View& v, std::size_t) {
  const Outcome& o = *v.outcome;
  if (v.problem->contacts() == 1) return "";
  if (!v.law->has_course) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "residual %.1e", o.residual);
    return text.data();
  }
  std::string text = std::to_string(o.steps) + " steps";
  if (o.collapsed > 0) text += ", " + std::to_string(o.collapsed) + " collapsed";
  return text;
}

std::string description(const View& v, std::size_t i) {
  std::string text = describe(*v.problem, *v.outcome, i);
  const std::size_t times = v.problem->contacts() > 1 ? compressions(*v.outcome, i) : 1;
  if (times > 1) {
    text +=
        " (" + std::to_string(times) + "x" + (v.outcome->phases_left_out > 0 ? " or more)" : ")");
  }
  return text;
}

std::vector<Category> regime_categories(const LawInfo&, ContactKind) {
  return categories_of_modes(Labels::regimes, false);
}
std::string_view regime_refused(ContactKind kind) {
  if (kind.contacts > 1) return "regime is of one contact; of several show mode";
  return kind.components == 2 ? "" : "regime is of the plane; in space show mode";
}
double regime(const View& v, std::size_t) {
  return index_of_mode(Labels::regimes,
                       payr_glocker_regime(planar_problem(*v.problem), planar_outcome(*v.outcome)));
}

std::vector<Category> verdict_categories(const LawInfo&, ContactKind) {
  static constexpr std::array<std::string_view, verdict_names.size()> meanings{
      "nothing to report",
      "the contact separates or rests",
      "normal velocity returned to zero in restitution",
      "normal velocity grew in compression",
      "the law admits more than one answer",
      "the law creates energy",
      "the contact still closes afterwards",
      "the contact locks before the hypothesis is met",
      "no answer within the tolerance",
      "the law has no answer"};
  std::vector<Category> all;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    all.push_back({.label = std::string(verdict_names[i]), .meaning = std::string(meanings[i])});
  }
  return all;
}
double verdict(const View& v, std::size_t) { return static_cast<double>(v.outcome->verdict()); }
std::string verdict_text(const View& v, std::size_t) {
  std::string text;
  v.outcome->flags.for_each_name(
      [&](std::string_view flag) { text += (text.empty() ? "" : " + ") + std::string(flag); });
  return text.empty() ? std::string(name(Verdict::ordinary)) : text;
}

enum Reversal : int { goes_on, stops, reverses, begins, none };

std::vector<Category> reversal_categories(const LawInfo&, ContactKind) {
  return {{.label = "goes on", .meaning = "slip goes on in its direction"},
          {.label = "stops", .meaning = "slip ends"},
          {.label = "reverses", .meaning = "slip comes back reversed"},
          {.label = "begins", .meaning = "no slip before, slip after"},
          {.label = "none", .meaning = "no slip before, none after"}};
}
double reversal(const View& v, std::size_t i) {
  const auto [before, after] = slip_of(v, i);
  if (before == 0.) return after == 0. ? none : begins;
  if (after == 0.) return stops;
  return (before < 0.) == (after < 0.) ? goes_on : reverses;
}

std::vector<Category> sign_categories(const LawInfo&, ContactKind kind) {
  const bool space = kind.components == 3;
  return {{.label = "-",
           .meaning = space ? "negative: slip after against that before"
                            : "negative: slip after along −t"},
          {.label = "0", .meaning = "zero: no slip after"},
          {.label = "+",
           .meaning =
               space ? "positive: slip after along that before" : "positive: slip after along +t"}};
}
double sign(const View& v, std::size_t i) {
  const double r = ratio(v, i);
  return std::isnan(r) ? undefined : 1. + (r > 0.) - (r < 0.);
}

// --- the table ----------------------------------------------------------------------------------

constexpr auto files = Shown::files;
constexpr auto nowhere = Shown::nowhere;

constexpr std::array table{
    Quantity{.name = "impulse",
             .label = "impulse",
             .symbol = "P",
             .unit = "N s",
             .meaning = "impulse, by component",
             .over = Over::component,
             .get = impulse,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "couple",
             .label = "couple",
             .symbol = "M",
             .unit = "N m s",
             .meaning = "couple on the first body, by axis",
             .over = Over::spin,
             .get = couple,
             .in_schema = true,
             .if_any = true},
    Quantity{.name = "velocity",
             .label = "velocity",
             .symbol = "v",
             .unit = "m/s",
             .meaning = "velocity at the contact after, by component",
             .over = Over::component,
             .get = velocity,
             .before = approach,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "slip_speed",
             .label = "slip speed",
             .symbol = "|vₜ⁺|",
             .unit = "m/s",
             .meaning = "speed of slip after, in space",
             .over = Over::contact,
             .get = slip_speed,
             .before = slip_speed_before,
             .refuses = not_in_space,
             .several = files,
             .of_totals = true},
    Quantity{.name = "contact_normal_work",
             .label = "normal work",
             .symbol = "normal work",
             .unit = "J",
             .meaning = "work of a contact's normal impulse",
             .over = Over::contact,
             .get = contact_work<&EnergyLedger::normal>,
             .shown = nowhere,
             .column = "normal",
             .in_schema = true},
    Quantity{.name = "contact_friction_work",
             .label = "friction",
             .symbol = "friction",
             .unit = "J",
             .meaning = "work of a contact's tangential impulse",
             .over = Over::contact,
             .get = contact_work<&EnergyLedger::friction>,
             .refuses = without_friction,
             .shown = nowhere,
             .column = "friction",
             .in_schema = true},
    Quantity{.name = "contact_compression_work",
             .label = "compression",
             .unit = "J",
             .meaning = "work of a contact's normal impulse in compression",
             .over = Over::contact,
             .get = contact_compression,
             .shown = nowhere,
             .several = files,
             .column = "normal_compression",
             .in_schema = true},
    Quantity{.name = "contact_restitution_work",
             .label = "restitution",
             .unit = "J",
             .meaning = "work of a contact's normal impulse in restitution",
             .over = Over::contact,
             .get = contact_restitution,
             .shown = nowhere,
             .several = files,
             .column = "normal_restitution",
             .in_schema = true},
    Quantity{.name = "description",
             .label = "the contact",
             .symbol = "motion",
             .meaning = "what the contact did, in words",
             .over = Over::contact,
             .text = description,
             .in_schema = true},
    Quantity{.name = "mode",
             .label = "mode",
             .meaning = "what the contact does, as the law labels it",
             .over = Over::contact,
             .get = mode,
             .categories = mode_categories,
             .text = mode_text,
             .several = files,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "shen_townsend_case",
             .label = "Shen & Townsend's case",
             .meaning = "i, ii or iii: slip vanishes before, at or after the end of compression",
             .text = case_text,
             .several = nowhere,
             .in_schema = true,
             .indented = true},
    Quantity{.name = "regime",
             .label = "regime",
             .meaning = "backward slip, stick or forward slip by the total impulse, for any law",
             .over = Over::contact,
             .get = regime,
             .categories = regime_categories,
             .refuses = regime_refused,
             .shown = nowhere,
             .several = nowhere,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "reversal",
             .label = "what becomes of slip",
             .meaning = "whether slip goes on, stops, reverses or begins",
             .over = Over::contact,
             .get = reversal,
             .categories = reversal_categories,
             .refuses = without_friction,
             .shown = nowhere,
             .several = nowhere,
             .of_totals = true},
    Quantity{.name = "sign",
             .label = "sign of the ratio after",
             .symbol = "sgn(vₜ⁺/vₙ⁺)",
             .meaning = "sign of the ratio of velocities after",
             .over = Over::contact,
             .get = sign,
             .categories = sign_categories,
             .refuses = without_friction,
             .shown = nowhere,
             .several = nowhere,
             .of_totals = true},
    Quantity{.name = "energy_change",
             .label = "energy change",
             .symbol = "ΔT",
             .unit = "J",
             .meaning = "energy after minus before",
             .get = work<&EnergyLedger::change>,
             .in_schema = true,
             .ruled = true,
             .of_totals = true},
    Quantity{.name = "energy_change_percent",
             .label = "in % of the energy before",
             .unit = "%",
             .meaning = "energy change in per cent of the energy before",
             .get = percent,
             .column = "energy_change",
             .indented = true,
             .of_totals = true},
    Quantity{.name = "compression_work",
             .label = "normal, compression",
             .unit = "J",
             .meaning = "work of the normal impulses in compression",
             .get = compression_work,
             .several = Shown::tables,
             .column = "normal_compression",
             .in_schema = true,
             .indented = true},
    Quantity{.name = "restitution_work",
             .label = "normal, restitution",
             .unit = "J",
             .meaning = "work of the normal impulses in restitution",
             .get = restitution_work,
             .column = "normal_restitution",
             .in_schema = true,
             .indented = true},
    Quantity{.name = "normal_work",
             .label = "normal, total",
             .unit = "J",
             .meaning = "work of the normal impulses",
             .get = work<&EnergyLedger::normal>,
             .column = "normal",
             .in_schema = true,
             .indented = true},
    Quantity{.name = "friction_work",
             .label = "friction",
             .unit = "J",
             .meaning = "work of the tangential impulses",
             .get = work<&EnergyLedger::friction>,
             .refuses = without_friction,
             .column = "friction",
             .in_schema = true,
             .indented = true},
    Quantity{.name = "couple_work",
             .label = "couple",
             .unit = "J",
             .meaning = "work of the couple",
             .get = work<&EnergyLedger::couple>,
             .column = "couple",
             .in_schema = true,
             .indented = true,
             .if_any = true},
    Quantity{.name = "equivalent_e_newton",
             .label = "e measured by newton",
             .meaning = "e that the hypothesis of newton would measure",
             .over = Over::contact,
             .get = equivalent<&EquivalentRestitution::newton>,
             .several = files,
             .in_schema = true,
             .ruled = true},
    Quantity{.name = "equivalent_e_poisson",
             .label = "e measured by poisson",
             .meaning = "e that the hypothesis of poisson would measure",
             .over = Over::contact,
             .get = equivalent<&EquivalentRestitution::poisson>,
             .several = files,
             .in_schema = true},
    Quantity{.name = "equivalent_e_energetic",
             .label = "e measured by energetic",
             .meaning = "e that the energetic hypothesis would measure",
             .over = Over::contact,
             .get = equivalent<&EquivalentRestitution::energetic>,
             .several = files,
             .in_schema = true},
    Quantity{.name = "brach_e_t",
             .label = "Brach's e_t",
             .meaning = "Brach's tangential coefficient, at one contact in the plane",
             .get = brach_e_t,
             .refuses = not_one_in_plane,
             .several = nowhere,
             .in_schema = true},
    Quantity{.name = "brach_impulse_ratio",
             .label = "impulse ratio mu_t",
             .meaning = "Brach's impulse ratio, at one contact in the plane",
             .get = brach_ratio,
             .refuses = not_one_in_plane,
             .several = nowhere,
             .in_schema = true,
             .indented = true},
    Quantity{.name = "brach_critical_impulse_ratio",
             .label = "that ends slip, mu_0",
             .meaning = "Brach's critical impulse ratio, at one contact in the plane",
             .get = brach_critical,
             .refuses = not_one_in_plane,
             .several = nowhere,
             .in_schema = true,
             .indented = true},
    Quantity{
        .name = "energy",
        .label = "energy after over before",
        .symbol = "T⁺/T⁻",
        .meaning =
            "kinetic energy after over before (of the contact where the system's is not known)",
        .get = energy,
        .shown = nowhere,
        .several = nowhere,
        .of_totals = true},
    Quantity{.name = "rebound",
             .label = "normalised normal velocity",
             .symbol = "−vₙ⁺/(e vₙ⁻)",
             .meaning = "separation speed over e times the approach speed: 1 under newton",
             .over = Over::contact,
             .get = rebound,
             .shown = nowhere,
             .several = nowhere,
             .of_totals = true},
    Quantity{.name = "ratio",
             .label = "ratio of velocities after",
             .symbol = "vₜ⁺/vₙ⁺",
             .meaning = "slip over normal velocity after",
             .over = Over::contact,
             .get = ratio,
             .refuses = without_friction,
             .shown = nowhere,
             .several = nowhere,
             .of_totals = true},
    Quantity{.name = "restitution",
             .label = "apparent restitution",
             .symbol = "−vₙ⁺/vₙ⁻",
             .meaning = "separation speed over approach speed",
             .over = Over::contact,
             .get = restitution,
             .shown = nowhere,
             .several = nowhere,
             .of_totals = true},
    Quantity{.name = "impulse_ratio",
             .label = "impulse ratio",
             .symbol = "Pₜ/Pₙ",
             .meaning = "tangential over normal impulse",
             .over = Over::contact,
             .get = impulse_ratio,
             .refuses = without_friction,
             .shown = nowhere,
             .several = nowhere,
             .of_totals = true},
    Quantity{.name = "normal_velocity",
             .label = "normal velocity after",
             .symbol = "vₙ⁺",
             .unit = "m/s",
             .meaning = "normal velocity after",
             .over = Over::contact,
             .get = normal_velocity,
             .shown = nowhere,
             .several = nowhere,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "slip",
             .label = "slip after",
             .symbol = "vₜ⁺",
             .unit = "m/s",
             .meaning = "tangential velocity after",
             .over = Over::contact,
             .get = slip_after,
             .refuses = without_friction,
             .shown = nowhere,
             .several = nowhere,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "normal_impulse",
             .label = "normal impulse",
             .symbol = "Pₙ",
             .unit = "N s",
             .meaning = "normal impulse",
             .over = Over::contact,
             .get = normal_impulse,
             .shown = nowhere,
             .several = nowhere,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "tangential_impulse",
             .label = "tangential impulse",
             .symbol = "Pₜ",
             .unit = "N s",
             .meaning = "tangential impulse",
             .over = Over::contact,
             .get = tangential,
             .refuses = without_friction,
             .shown = nowhere,
             .several = nowhere,
             .in_schema = true,
             .of_totals = true},
    Quantity{.name = "velocity_after",
             .meaning = "generalized velocity after",
             .over = Over::coordinate,
             .get = coordinate,
             .before = coordinate_before,
             .in_schema = true,
             .ruled = true},
    Quantity{.name = "translation",
             .label = "energy of translation",
             .unit = "J",
             .meaning = "kinetic energy of translation of a body after",
             .over = Over::body,
             .get = body_energy<&KineticParts::translation>,
             .before = body_energy_before<&KineticParts::translation>,
             .in_schema = true},
    Quantity{.name = "rotation",
             .label = "energy of rotation",
             .unit = "J",
             .meaning = "kinetic energy of rotation of a body after",
             .over = Over::body,
             .get = body_energy<&KineticParts::rotation>,
             .before = body_energy_before<&KineticParts::rotation>,
             .in_schema = true},
    Quantity{.name = "joint_x",
             .label = "x",
             .unit = "N s",
             .meaning = "impulse in a joint along x",
             .over = Over::joint,
             .get = joint_x,
             .column = "x",
             .in_schema = true,
             .ruled = true},
    Quantity{.name = "joint_y",
             .label = "y",
             .unit = "N s",
             .meaning = "impulse in a joint along y",
             .over = Over::joint,
             .get = joint_y,
             .column = "y",
             .in_schema = true},
    Quantity{.name = "joint_couple",
             .label = "couple",
             .unit = "N m s",
             .meaning = "couple in a slide",
             .over = Over::joint,
             .get = joint_couple,
             .column = "couple",
             .in_schema = true},
    Quantity{.name = "parting",
             .label = "distance of two laws",
             .symbol = "|v⁺ − v⁺|/|v⁻|",
             .unit = "%",
             .meaning = "distance between two laws: that of their velocities after, in per cent of "
                        "the velocity before",
             .over = Over::pair,
             .get = parting,
             .shown = nowhere,
             .several = nowhere,
             .of_totals = true},
    Quantity{.name = "verdict",
             .label = "verdict",
             .meaning = "the most serious verdict",
             .get = verdict,
             .categories = verdict_categories,
             .text = verdict_text,
             .in_schema = true,
             .ruled = true,
             .of_totals = true,
             .always = true},
    Quantity{.name = "accuracy",
             .label = "computed to",
             .meaning = "residual, or steps of integration",
             .text = accuracy,
             .in_schema = true,
             .always = true},
};

}  // namespace

std::span<const Quantity> built_in_quantities() { return table; }

bool has_no_answer(const Outcome& o) {
  return o.flags.has(Verdict::no_solution) || o.flags.has(Verdict::not_converged);
}

}  // namespace carom::study
