// SPDX-License-Identifier: Apache-2.0
// A law and a quantity from outside, each one row, are seen wherever built-in ones are. They stay
// registered, so that this is a program of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <carom/laws/registered.hpp>
#include <carom/study.hpp>

#include "apps/cli/command_line.hpp"

namespace carom::test {
namespace {

// --- a law: each contact alone bounces by e, without friction ------------------------------------

constexpr std::array<LawParameter, 1> parameters{parameter::velocity_restitution};
constexpr LawInfo mirror_info{.id = "mirror",
                              .summary = "each contact bounces by itself",
                              .assumptions = "No friction; contacts do not know of each other.",
                              .source = "this test",
                              .parameters = parameters,
                              .labels = Labels::sticks};

void mirror(const Law&, const ContactProblem& p, const SolveOptions&, Outcome& o) {
  o = Outcome{};
  o.impulse.assign(p.approach.size(), 0.);
  o.velocity = p.approach;
  o.contacts.resize(p.contacts());
  const std::size_t rows = p.G.components();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const double v = p.approach[i * rows];
    if (v >= 0.) continue;
    o.impulse[i * rows] = -(1. + p.surfaces[i].restitution) * v / p.G.diagonal(i)[0];
    o.contacts[i].mode = Mode::slip;
  }
  std::vector<double> change(o.velocity.size());
  p.G.multiply(o.impulse, change);
  for (std::size_t k = 0; k < change.size(); ++k) o.velocity[k] += change[k];
  settle_algebraically(p, o);
}

const Law& mirror_law() {
  static const Law& law = register_law({.name = "mirror",
                                        .summary = mirror_info.summary,
                                        .info = &mirror_info,
                                        .exact = "newton",
                                        .solve = mirror,
                                        .parallel = false});
  return law;
}

// --- a quantity: the sum of the normal impulses
// ---------------------------------------------------

double total_push(const study::OutcomeView& v, std::size_t) {
  double sum = 0.;
  for (std::size_t i = 0; i < v.problem->contacts(); ++i) {
    sum += v.outcome->impulse[i * v.problem->G.components()];
  }
  return sum;
}

const study::Quantity& push_quantity() {
  static const study::Quantity& q = study::register_quantity({.name = "total_push",
                                                              .label = "total push",
                                                              .symbol = "ΣPₙ",
                                                              .unit = "N s",
                                                              .meaning = "sum of normal impulses",
                                                              .get = total_push});
  return q;
}

const std::string plane =
    "[system]\ntype = 'bar'\nangle_deg = 60\nvelocity = [0.4, -1]\n"
    "[surface]\nrestitution = 0.5\nfriction = 0.3\n";
const std::string space =
    "[system]\ntype = 'space-sphere'\nvelocity = [0.4, 0, -1]\n"
    "[surface]\nrestitution = 0.5\nfriction = 0.3\n";
const std::string several =
    "[system]\ntype = 'block'\nhalf_width = 1\nhalf_height = 1\nvelocity = [0, -1]\n"
    "[surface]\nrestitution = 0.5\nfriction = 0.3\n";

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

std::string csv_of(const study::Map& map) {
  std::string out;
  report::write_map_csv(map, [&](std::string_view part) { out += part; });
  return out;
}

TEST(Extension, ALawIsSeenInSolve) {
  const std::vector<const Law*> laws{&mirror_law()};
  for (const std::string& text : {plane, space, several}) {
    const auto s = scenario::parse(text, "f.toml");
    const auto c = study::compare_laws(s, {.laws = laws});
    const Outcome& o = c.answers.front().outcome;
    EXPECT_GT(o.impulse[0], 0.);
    expect_in(report::comparison_table(s, c, {}), "mirror");
    expect_in(report::comparison_csv(c), "\nmirror,");
    expect_in(report::comparison_json(s, c), "\"law\":\"mirror\"");
    // By default, too.
    const auto all = study::compare_laws(s);
    EXPECT_EQ(all.answers.back().law, &mirror_law());
  }
}

TEST(Extension, ALawIsSeenInTheStream) {
  scenario::ProblemReader reader("mirror");
  (void)mirror_law();
  scenario::JsonProblem p;
  reader.read(R"({"inverse_inertia":[[2,0],[0,3]],"approach":[-1,0],"surface":{"restitution":1}})",
              p);
  Outcome o;
  solve(*p.law, p.system.problem, p.options, o);
  EXPECT_EQ(o.velocity, (std::vector<double>{1., 0.}));
}

TEST(Extension, ALawIsSeenOnMaps) {
  (void)mirror_law();
  scenario::MapRequest request;
  request.x = scenario::parse_axis("surface.restitution=0:1:5", "--x");
  request.laws = {{.text = "mirror", .field = "--law", .place = ""}};
  request.show = {{.text = "energy_change", .field = "--show", .place = ""}};
  for (const std::string& text : {plane, space, several}) {
    const study::Map map = study::compute_map(text, "f.toml", request);
    ASSERT_EQ(map.layers.size(), 1U);
    EXPECT_EQ(map.layers[0].law, "mirror");
    expect_in(csv_of(map), "energy_change (mirror) [J]");
    EXPECT_LT(map.layers[0].values.front(), 0.);
  }
}

TEST(Extension, ALawIsSeenInBatches) {
  const ContactProblem p = scenario::parse(several, "f.toml").problem();
  const std::vector<ContactProblem> problems(3, p);
  std::vector<Outcome> outcomes(3);
  study::solve_batch(mirror_law(), problems, outcomes, {}, 2);
  Outcome one;
  solve(mirror_law(), p, {}, one);
  for (const Outcome& o : outcomes) EXPECT_EQ(o, one);
}

TEST(Extension, ALawWithoutDerivativesIsRefusedBySensitivity) {
  for (const std::string& text : {plane, space, several}) {
    const auto s = study::sensitivity(mirror_law(), scenario::parse(text, "f.toml").problem());
    expect_in(s.refused, "this law has no derivatives");
  }
}

/// Standard output of `carom ARGUMENTS`, run in this program, where the law is registered.
std::string printed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "carom");
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  testing::internal::CaptureStdout();
  EXPECT_EQ(cli::run(static_cast<int>(argv.size()), argv.data()), cli::done);
  return testing::internal::GetCapturedStdout();
}

TEST(Extension, ALawIsSeenByTheCommand) {
  (void)mirror_law();
  expect_in(printed({"laws"}), "\nmirror  ");
  expect_in(printed({"laws", "mirror"}), "each contact bounces by itself");
  for (const char* shell : {"bash", "zsh", "fish"}) {
    expect_in(printed({"completions", shell}), "mirror");
  }
}

TEST(Extension, ALawIsRefusedWhereItCannot) {
  EXPECT_THROW((void)register_law({.name = "newton", .info = &mirror_info, .solve = mirror}),
               InputError);
  EXPECT_THROW((void)register_law({.name = "nothing", .info = &mirror_info}), InputError);
}

TEST(Extension, AQuantityIsSeenInTextCsvAndJson) {
  const study::Quantity& q = push_quantity();
  EXPECT_EQ(&study::find_quantity("total_push", ""), &q);
  for (const std::string& text : {plane, space, several}) {
    const auto s = scenario::parse(text, "f.toml");
    const auto c = study::compare_laws(s);
    expect_in(report::comparison_table(s, c, {}), "total push [N s]");
    expect_in(report::comparison_csv(c), "total_push_Ns");
    expect_in(report::comparison_json(s, c), "\"total_push\":");
  }
}

TEST(Extension, AQuantityIsSeenOnMapsAndInHdf5) {
  (void)push_quantity();
  scenario::MapRequest request;
  request.x = scenario::parse_axis("surface.restitution=0:1:5", "--x");
  request.laws = {{.text = "moreau", .field = "--law", .place = ""}};
  request.show = {{.text = "total_push", .field = "--show", .place = ""}};
  const auto file = std::filesystem::temp_directory_path() / "carom-extension.h5";
  for (const std::string& text : {plane, space, several}) {
    const study::Map map = study::compute_map(text, "f.toml", request);
    ASSERT_EQ(map.layers.size(), 1U);
    expect_in(csv_of(map), "total_push (moreau) [N s]");
    expect_in(report::map_record(map, report::MapStyle::map), "\"quantity\":\"total_push\"");
    report::write_map_hdf5(map, file.string());
    EXPECT_GT(std::filesystem::file_size(file), 0U);
  }
  std::filesystem::remove(file);
}

TEST(Extension, AQuantityIsRefusedWhereItCannotBe) {
  EXPECT_THROW((void)study::register_quantity({.name = "slip", .get = total_push}), InputError);
  EXPECT_THROW((void)study::register_quantity({.name = "nothing"}), InputError);
}

TEST(Extension, ALawIsFoundAsItIsListed) {
  static const Law& law = register_law(
      {.name = "mirror-by-name", .info = &mirror_info, .solve = mirror, .parallel = false});
  const auto among_all = [] {
    return std::ranges::any_of(laws(), [](const Law& one) { return &one == &law; });
  };
  EXPECT_TRUE(among_all());
  list_law(law, Listed::by_name);
  EXPECT_FALSE(among_all());
  EXPECT_EQ(find_law("mirror-by-name"), &law);
  list_law(law, Listed::no);
  EXPECT_EQ(find_law("mirror-by-name"), nullptr);
}

// --- a type of system: a ball that falls straight down -------------------------------------------

scenario::SystemType falling() {
  return {.name = "falling",
          .at_impact =
              [](const scenario::Table& t) {
                t.only({"type", "mass", "speed"});
                return at_impact(Matrix::Identity(1, 1) * t.positive("mass"),
                                 (Matrix(1, 2) << 1., 0.).finished(), {-t.number("speed")});
              },
          .moving =
              [](const scenario::Table&) {
                auto ball =
                    scenario::read_motion(CAROM_SOURCE_DIR "/examples/motion/bouncing-ball.toml");
                return scenario::ModelInState{.model = std::move(ball.model), .state = ball.start};
              },
          .parallel = false};
}
const std::string striking =
    "[system]\ntype = 'falling'\nmass = 2\nspeed = 3\n"
    "[surface]\nrestitution = 0.5\nfriction = 0.3\n";

TEST(Extension, ASystemIsSeenWhereverScenariosAre) {
  EXPECT_THROW((void)scenario::parse(striking, "f.toml"), InputError);
  EXPECT_EQ(scenario::register_system(falling()), "falling");
  EXPECT_FALSE(scenario::is_parallel("falling"));
  const auto s = scenario::parse(striking, "f.toml");
  EXPECT_DOUBLE_EQ(study::compare_laws(s).answers.front().outcome.impulse[0], 9.);
  EXPECT_FALSE(scenario::Variation(striking, "f.toml").is_planar());

  scenario::MapRequest request;
  request.x = scenario::parse_axis("system.mass=1:3:3", "--x");
  request.show = {{.text = "normal_impulse", .field = "--show", .place = ""}};
  request.laws = {{.text = "newton", .field = "--law", .place = ""}};
  const study::Map map = study::compute_map(striking, "f.toml", request);
  const std::vector<double>& values = map.layers.front().values;
  ASSERT_EQ(values.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(values[i], 4.5 * static_cast<double>(i + 1));
  }

  const std::string moving = striking + "[motion]\nend_time = 1\n";
  const auto motion = scenario::parse_motion(moving, "f.toml");
  EXPECT_EQ(motion.surfaces.front().restitution, 0.5);
  EXPECT_THROW((void)scenario::parse_motion(moving + "gravity = 1\n", "f.toml"), InputError);

  scenario::remove_system("falling");
  EXPECT_TRUE(scenario::is_parallel("falling"));
  EXPECT_THROW((void)scenario::parse(striking, "f.toml"), InputError);
}

TEST(Extension, ASystemGetsANameOfItsOwn) {
  for (const char* taken : {"bar", "space-rod", "chain", "vehicles", "cradle", "plane-body"}) {
    scenario::SystemType type = falling();
    type.name = taken;
    const std::string name = scenario::register_system(type);
    EXPECT_EQ(name, std::string(taken) + "-2");
    EXPECT_EQ(scenario::register_system(type), std::string(taken) + "-3");
    for (const char* number : {"-2", "-3"}) scenario::remove_system(taken + std::string(number));
  }
  EXPECT_THROW((void)scenario::register_system({.name = "nothing", .at_impact = {}}), InputError);
}

}  // namespace
}  // namespace carom::test
