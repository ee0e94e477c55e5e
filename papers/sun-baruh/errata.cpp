// SPDX-License-Identifier: Apache-2.0
// What is misprinted or claims too much, but for the matrices in space; each shown by a
// computation.
#include <numbers>

#include <papers/sun-baruh/rod.hpp>

namespace carom::papers::sb {
namespace {

constexpr double close = 1e-9;

const PlanarGrid& thin_grid() {
  static const PlanarGrid grid = planar_grid({.restitution = 0.5, .friction = 0.3}, thin);
  return grid;
}

// --- R1 and R2 -----------------------------------------------------------------------------------

/// Eq. 30: sin/(alpha + cos^2) as printed, sin cos/(alpha + cos^2) as corrected.
Found second_ratio(double alpha) {
  constexpr double mu_s = 0.4;
  const auto printed = [&](double angle_deg) {
    const double c = std::cos(angle_deg * degree);
    return std::sin(angle_deg * degree) / (alpha + c * c);
  };
  const double angle = reverse_angle_deg(alpha);
  const double corrected = printed(angle) * std::cos(angle * degree);
  return {std::abs(corrected - mu_s) < close && std::abs(printed(angle) - mu_s) > 0.01,
          {{"angle", angle},
           {"corrected", corrected},
           {"printed", printed(angle)},
           {"printed_angle", threshold(0., 50., [&](double x) { return printed(x) > mu_s; })}}};
}

/// Falls of a grid that |R2| against a limit sorts wrongly.
Found limit_of_ratio(const PlanarGrid& grid) {
  const auto wrong = [&](double limit) {
    return count(grid.points, unless(that_slide), [&](const PlanarPoint& p) {
      return (std::abs(*ratios(p.fall).R2) <= limit) != that_stick(p);
    });
  };
  const std::size_t printed = wrong(1.);
  const std::size_t corrected = wrong(grid.points[0].fall.surface.static_friction);
  return {printed > 0 && corrected == 0,
          {{"falls", count(grid.points, unless(that_slide))},
           {"printed", printed},
           {"corrected", corrected}}};
}

/// At the ratio R1 slip is zero at the end of compression.
Found first_ratio(double angle_deg) {
  const double R1 = *ratios({angle_deg, 1.}).R1;
  // Without restitution the impact ends with compression.
  const double slip = std::abs(solved({angle_deg, R1, {.friction = 0.4}}).velocity.t);
  return {slip < close && R1 > 0.1, {{"R1", R1}, {"slip", decade(slip)}}};
}

// --- work and forces of the stages ---------------------------------------------------------------

/// Restitution by eq. 20 from the phases of an outcome under `energetic`, W^r by eq. 24 with the
/// sign as printed (y down: v_Cy = -v_n).
Found sign_of_work(double angle_deg, double ratio) {
  const PlanarFall fall{angle_deg, ratio};
  double compression = 0.;  // -W^c as in eq. 23
  double restitution = 0.;  // W^r as in eq. 24
  double F = 0.;
  double v = -problem_of(fall).approach.n;
  for (const PlanarPhase& phase : solved(fall, Hypothesis::energetic).phases) {
    const double work = (phase.impulse.n - F) * (v - phase.velocity.n) / 2.;
    (phase.stage == Stage::compression ? compression : restitution) += work;
    F = phase.impulse.n;
    v = -phase.velocity.n;
  }
  const double square = restitution / compression;
  const double e = std::sqrt(-square);
  return {square < 0. && std::abs(e - fall.surface.restitution) < close,
          {{"work", restitution}, {"square", square}, {"e", e}}};
}

/// The two periods of restitution in case 4.
Found force_after_stop(double angle_deg, double ratio) {
  const PlanarFall fall{angle_deg, ratio};
  const double mu = fall.surface.friction;
  const PlanarOutcome o = solved(fall);
  const Vec2 first = o.phases[1].impulse - o.phases[0].impulse;
  const Vec2 second = o.phases[2].impulse - o.phases[1].impulse;
  const double corrected = second.t / second.n;
  const double printed = second.t / first.n;
  return {o.mode == Mode::stops_in_restitution_slips && std::abs(corrected - mu) < close &&
              std::abs(printed - mu) > 0.01,
          {{"case", number(o.mode)}, {"corrected", corrected}, {"printed", printed}}};
}

/// Of alpha m L^2 and alpha m R^2 with R the only radius that there is.
Found length_of_inertia(double alpha, double inertia) {
  const double with_L = alpha * half_length * half_length;
  const double with_r = alpha * radius * radius;
  return {std::abs(with_L - inertia) < close && std::abs(with_r - inertia) > 1.,
          {{"inertia", inertia}, {"with_L", with_L}, {"with_r", with_r}}};
}

/// What a normal impulse of 1 N s alone does to the rod at an angle: spin gained, clockwise as
/// seen [rad/s], and slip gained by the contact along x [m/s].
Found moment(double angle_deg) {
  const SystemAtImpact rod = at_impact(rod_of(PlanarFall{angle_deg}));
  const Vec2 P{.n = 1., .t = 0.};
  const double spin = rod.velocity_after(P)[2];
  const double slip = (planar_problem(rod.problem).G * P).t;
  return {angle_deg * spin > 0. && angle_deg * slip < 0., {{"spin", spin}, {"slip", slip}}};
}

// --- the greatest difference of the laws ---------------------------------------------------------

/// On every step-th angle and ratio of the grid of Fig. 3 [%].
double greatest_on_every(std::size_t step) {
  const PlanarGrid& grid = fig_3();
  double most = 0.;
  for (std::size_t j = 0; j < grid.y.size(); j += step) {
    for (std::size_t i = 0; i < grid.x.size(); i += step) {
      most = largest(most, 100. * (1. - velocity_quotient(grid.at(i, j))));
    }
  }
  return most;
}

// --- energy in space -----------------------------------------------------------------------------

Found friction_and_loss(const SpatialGrid& grid) {
  const auto left = mean_energies(grid);
  const auto least = std::min_element(left.begin(), left.end());
  return {*least < left.back() - 0.01 && left.back() < left.front(),
          {{"first", left.front()},
           {"mu", grid.x[static_cast<std::size_t>(least - left.begin())]},
           {"least", *least},
           {"last", left.back()}}};
}

}  // namespace

Computations errata() {
  Computations paper;
  paper.checks["SB1"] = [] { return both(second_ratio(thin), second_ratio(cylinder)); };
  paper.checks["SB2"] = []() -> Found {
    Found found = both(limit_of_ratio(fig_3()), limit_of_ratio(thin_grid()));
    const PlanarFall leaning_back{-45., 0.};  // R2 < 0 without |.|
    found.holds =
        found.holds && *ratios(leaning_back).R2 < 0. && reverses(solved(leaning_back).mode);
    return found;
  };
  // Beyond super-critical friction, too: v_n grows in compression while slipping.
  paper.checks["SB3"] = []() -> Found {
    Found found = both(first_ratio(20.), first_ratio(-10.));
    const PlanarFall fall{-60., 1., {.restitution = 0.7, .friction = 4.}};
    const SlideRatios r = ratios(fall);
    const PlanarOutcome o = solved(fall);
    found.holds = found.holds && r.jams && *r.R1 < 1. && o.mode != Mode::slides &&
                  o.phases[0].velocity.t == 0. && o.phases[0].stage == Stage::compression;
    found.values.insert({{"jam_R1", *r.R1}, {"jam_case", number(o.mode)}});
    return found;
  };
  paper.checks["SB4"] = [] { return both(sign_of_work(10., 1.), sign_of_work(45., 1.)); };
  paper.checks["SB5"] = [] { return both(force_after_stop(45., 1.), force_after_stop(50., 0.9)); };
  paper.checks["SB6"] = []() -> Found {
    const double of_thin = half_length * half_length / 3.;
    return both(length_of_inertia(thin, of_thin),
                length_of_inertia(cylinder, radius * radius / 4. + of_thin));
  };
  paper.checks["SB7"] = []() -> Found {
    const std::size_t differ = other_cases(&PlanarPoint::newton);
    const Extent velocity = extent(fig_3().points, [](const PlanarPoint& p) {
      return std::abs(p.newton.velocity.n - p.poisson.velocity.n);
    });
    return {differ == 0 && velocity.most > 0.01,
            {{"falls", velocity.count()}, {"differ", differ}, {"velocity", velocity.most}}};
  };
  paper.checks["SB8"] = []() -> Found {
    const double sliding =
        largest(extent(fig_3().points, velocity_quotient, that_slide).from_one(),
                extent(thin_grid().points, velocity_quotient, that_slide).from_one());
    const double sticking =
        extent(fig_3().points, velocity_quotient, that_stick, [](const PlanarPoint& p) {
          return p.fall.angle_deg < 0.;
        }).most;
    return {sliding < rounding_of_sums && sticking > 1.05,
            {{"sliding", decade(sliding)}, {"sticking", sticking}}};
  };
  paper.checks["SB9"] = []() -> Found {
    const auto mode = [](double angle_deg, double ratio, double e) {
      return number(solved({angle_deg, ratio, {.restitution = e, .friction = 0.4}}).mode);
    };
    const int upright_1 = mode(0., 2., 0.1);
    const int upright_7 = mode(0., 2., 0.7);
    const int leaning_3 = mode(-24., 0.4, 0.3);
    const int leaning_5 = mode(-24., 0.4, 0.5);
    return {upright_1 != upright_7 && leaning_3 == 0 && leaning_5 == 3,
            {{"upright_1", upright_1},
             {"upright_7", upright_7},
             {"leaning_3", leaning_3},
             {"leaning_5", leaning_5}}};
  };
  // The friction impulse of the second period, in a fall and in its mirror image.
  paper.checks["SB10"] = []() -> Found {
    const auto friction = [](double side) {
      const PlanarOutcome o = solved({side * 45., side * 0.5});
      return o.phases[1].impulse.t - o.phases[0].impulse.t;
    };
    const double right = friction(1.);
    const double left = friction(-1.);
    return {right > 0. && std::abs(right + left) < close, {{"right", right}, {"left", left}}};
  };
  // W = int F v dt for a force of any course: F = (pi/2)(P/T) sin(pi t/T), say.
  paper.checks["SB11"] = []() -> Found {
    const PlanarFall fall{10., 1.};
    const double before = problem_of(fall).approach.n;
    const PlanarOutcome o = solved(fall);
    const double P = o.phases[1].impulse.n;  // of compression
    const double stop = o.phases[0].impulse.n;
    const auto v_n = [&](double impulse) {  // piecewise linear in the impulse
      const double v1 = o.phases[0].velocity.n;
      return impulse < stop ? before + (v1 - before) * impulse / stop
                            : v1 * (P - impulse) / (P - stop);
    };
    constexpr int parts = 200'000;
    double work = 0.;
    for (int k = 0; k < parts; ++k) {
      const double t = (k + 0.5) / parts;
      const double so_far = 0.5 * P * (1. - std::cos(std::numbers::pi * t));
      const double force = 0.5 * P * std::numbers::pi * std::sin(std::numbers::pi * t);
      work += force * v_n(so_far) / parts;
    }
    const double exact = o.energy.stages->compression;
    return {std::abs(work - exact) < 1e-8, {{"work", work}, {"exact", exact}}};
  };
  paper.checks["SB12"] = []() -> Found {
    const double thin_line = reverse_angle_deg(thin);
    const double line = reverse_angle_deg(cylinder);
    return {std::abs(thin_line - line) > 0.1 && std::abs(thin_line - line) < 1.,
            {{"line", line},
             {"thin_line", thin_line},
             {"difference", greatest_difference(cylinder).per_cent},
             {"thin_difference", greatest_difference(thin).per_cent}}};
  };
  paper.checks["SB26"] = [] { return both(moment(20.), moment(-20.)); };
  paper.checks["SB27"] = []() -> Found {
    const auto left = mean_energies(fig(10));
    return {left[50] < left[75] && left[75] < left[100],
            {{"at_0", left[50]}, {"at_25", left[75]}, {"at_50", left[100]}}};
  };
  paper.checks["SB30"] = []() -> Found {
    const After& corner = fig(8).at(0, 0).poisson;
    const Extent ended = extent(
        fig(8).points, [](const SpatialPoint& p) { return p.poisson.energy; },
        [](const SpatialPoint& p) { return of_case(1)(p) || of_case(2)(p); });
    return {corner.mode == Mode::slides && corner.energy < ended.least,
            {{"case", number(corner.mode)},
             {"left", corner.energy},
             {"least", ended.least},
             {"most", ended.most}}};
  };
  paper.checks["SB31"] = []() -> Found {
    const double plane = greatest_difference(cylinder).per_cent;
    const Extent quotients = extent(
        falls_of({8, 10, 11, 12, 13}),
        [](const SpatialPoint& p) { return p.poisson.velocity.n / p.energetic.velocity.n; },
        [](const SpatialPoint& p) { return p.energetic.velocity.n > 0.; });
    const double space = 100. * quotients.from_one();
    return {plane > 20. && space < 20., {{"plane", plane}, {"space", space}}};
  };
  paper.checks["SB32"] = []() -> Found {
    const auto& points = fig(10).points;
    const auto differs = [](const SpatialPoint& p) { return p.poisson.mode != p.energetic.mode; };
    const std::size_t differ = count(points, differs);
    const auto one = std::find_if(points.begin(), points.end() - 1, differs);
    return {differ > 0 && 100 * differ < points.size(),
            {{"differ", differ},
             {"falls", points.size()},
             {"angle1", one->fall.angle1_deg},
             {"angle2", one->fall.angle2_deg},
             {"poisson", number(one->poisson.mode)},
             {"energetic", number(one->energetic.mode)}}};
  };
  paper.checks["SB33"] = []() -> Found {
    const double corner = greatest_difference(cylinder).per_cent;
    const double fine = greatest_on_every(1);
    const double coarse = greatest_on_every(4);
    return {corner > 25.5 && corner < 26.5 && fine < corner && coarse < fine,
            {{"corner", corner},
             {"thin", greatest_difference(thin).per_cent},
             {"fine", fine},
             {"coarse", coarse}}};
  };
  paper.checks["SB34"] = [] {
    return both(friction_and_loss(fig(12)), friction_and_loss(fig(13)));
  };
  return paper;
}

}  // namespace carom::papers::sb
