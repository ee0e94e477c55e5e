// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/setting.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom::motion {

namespace {

void check_options(const Options& o) {
  require_finite(o.end_time, "end_time");
  (void)require_tolerance(o.tolerance, "tolerance");
  if (!(o.sample_interval >= 0.)) throw InputError("sample_interval", o.sample_interval, ">= 0");
  const double least = o.end_time / static_cast<double>(o.most_samples);
  if (o.sample_interval > 0. && o.sample_interval < least) {
    throw InputError("sample_interval", o.sample_interval,
                     ">= end_time/most_samples = " + shortest(least) + " s");
  }
  if (o.settling == Settling::contact_time && o.contact_time == ContactTime::given &&
      !(o.given_contact_time > 0. && std::isfinite(o.given_contact_time))) {
    throw InputError("given_contact_time", o.given_contact_time, "> 0");
  }
}

}  // namespace

Scales::Scales(const Model& model)
    : length(model.length_scale()),
      acceleration(model.acceleration_scale()),
      speed(std::sqrt(acceleration * length)),
      time(std::sqrt(length / acceleration)),
      closed(1e-12 * length),
      sunk(1e-13 * length),
      still(1e-12 * speed),
      faint(std::sqrt(128. * epsilon) * speed) {}

Setting::Setting(const Model& model_of, const std::vector<Surface>& surfaces_of,
                 const Options& options_of)
    : model(model_of),
      surfaces(surfaces_of),
      options(options_of),
      scales(model),
      positions(model.positions()),
      velocities(model.velocities()),
      components(model.components()) {
  check_options(options);
  if (surfaces.size() != model.surfaces() && surfaces.size() != 1) {
    throw InputError("surfaces", static_cast<double>(surfaces.size()),
                     "one for each of " + std::to_string(model.surfaces()) + " contacts");
  }
  for (std::size_t k = 0; k < surfaces.size() && k < model.surfaces(); ++k) {
    try {
      validate(surfaces[k]);
    } catch (const InputError&) {  // names are made only for what is wrong
      validate(surfaces[k], "surfaces." + model.surface_name(k));
    }
    any_couples = any_couples || surfaces[k].rolling_friction() > 0. ||
                  (components == 3 && surfaces[k].drilling_friction() > 0.);
    if (is_compliant(k) && !(surfaces[k].stiffness > 0. && surfaces[k].exponent > 0.)) {
      throw InputError("surfaces." + model.surface_name(k) + ".stiffness", surfaces[k].stiffness,
                       "> 0 where a contact is compliant");
    }
  }
  if (!(scales.length > 0.) || !std::isfinite(scales.length)) {
    throw InputError("length_scale", scales.length, "> 0");
  }
  if (!(scales.acceleration > 0.) || !std::isfinite(scales.acceleration)) {
    throw InputError("acceleration_scale", scales.acceleration, "> 0");
  }
  if (any_couples && !model.has_spins()) refuse_couples();
}

void Setting::refuse_couples() const {
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    const Surface& s = surfaces[k];
    const bool rolls = s.rolling_friction() > 0.;
    if (!rolls && !(s.drilling_friction() > 0.)) continue;
    throw InputError(
        "surfaces." + model.surface_name(k) + (rolls ? ".rolling_friction" : ".drilling_friction"),
        rolls ? s.rolling_friction() : s.drilling_friction(),
        "0: this system knows no relative spin of bodies in contact");
  }
}

double Setting::vanishing_slip() const {
  return std::max(100. * scales.still, 10. * options.tolerance * scales.speed);
}

bool Trouble::fail(Failure what, std::string why) {
  if (failure == Failure::none) {
    failure = what;
    reason = std::move(why);
  }
  return false;
}

bool Trouble::no_acceleration(double time) {
  return fail(Failure::no_acceleration,
              "no finite acceleration at t = " + shortest(time) + " s; try a smaller tolerance");
}

void check_state(const Model& model, const State& state) {
  require_finite(state.time, "time");
  const auto check_size = [](const Vector& x, std::size_t size, const char* name) {
    if (x.size() == ix(size)) return;
    throw InputError(name, static_cast<double>(x.size()), std::to_string(size) + " numbers");
  };
  check_size(state.q, model.positions(), "q");
  check_size(state.u, model.velocities(), "u");
  // Squares and products of what is larger are not finite.
  const auto check_number = [](double x, const std::string& name) {
    require_finite(x, name);
    if (std::abs(x) > most_magnitude) throw InputError(name, x, "of magnitude at most 1e60");
  };
  for (std::size_t j = 0; j < model.positions(); ++j) {
    check_number(state.q(ix(j)), model.position_name(j));
  }
  for (std::size_t j = 0; j < model.velocities(); ++j) {
    check_number(state.u(ix(j)), model.velocity_name(j));
  }
}

void refuse_sunk_bodies(const Setting& setting, const State& state) {
  const Model& model = setting.model;
  const double most = start_tolerance * setting.scales.length;
  std::vector<BodyPair> pairs;
  model.near_pairs(state, 0., pairs);
  for (const BodyPair& pair : pairs) {
    const double overlap = -model.distance(pair, state);
    if (!(overlap > most)) continue;
    throw InputError(model.surface_name(model.surface_of({.pair = pair})) + ".gap",
                     "the bodies overlap by " + shortest(overlap) + " m at the start; up to " +
                         shortest(most) + " m would be closed; move them apart");
  }
}

}  // namespace carom::motion
