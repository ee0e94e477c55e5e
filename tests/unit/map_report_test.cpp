// SPDX-License-Identifier: Apache-2.0
// What becomes of a map: pictures (these tests need gnuplot), CSV, HDF5, a summary.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include <carom/core/error.hpp>
#include <carom/report/map_colours.hpp>
#include <carom/report/map_contours.hpp>
#include <carom/report/map_csv.hpp>
#include <carom/report/map_hdf5.hpp>
#include <carom/report/map_plot.hpp>
#include <carom/report/map_regions.hpp>
#include <carom/report/map_summary.hpp>
#include <carom/report/map_words.hpp>
#include <carom/report/pending_file.hpp>
#include <support/map_examples.hpp>
#include <support/png.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;
using report::MapStyle;
using study::Compared;
using study::Map;
using study::MapLayer;
using study::Quantity;

const double nan = std::numeric_limits<double>::quiet_NaN();

/// An empty folder of this test, removed at its end.
class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() /
              ("carom-map-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What gnuplot says while it draws: nothing, if all is well.
std::string said(const fs::path& script) {
  std::string text;
  const std::string command = "gnuplot -d '" + script.string() + "' 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  return text;
}

/// gnuplot draws it and does not complain.
void expect_draws(const Map& map, const std::string& extension, MapStyle style = MapStyle::map) {
  SCOPED_TRACE(extension);
  const Folder folder;
  const auto files = report::picture_files(folder / ("x." + extension), "--plot");
  const auto plot = report::map_plot(map, style, files);
  std::ofstream(files.script) << plot.script;
  std::ofstream(files.data) << plot.data;
  EXPECT_EQ(said(files.script), "");
  EXPECT_GT(fs::file_size(files.picture), 1000U);
  EXPECT_EQ(folder.files(), 3U);  // no images beside the picture
}

void expect_draws_in_all_formats(const Map& map, MapStyle style = MapStyle::map) {
  for (const char* extension : {"svg", "png", "pdf"}) expect_draws(map, extension, style);
}

/// Numbers on a plane, some of them undefined, some enormous.
Map plane(std::size_t columns, std::size_t rows) {
  Map map;
  map.title = "A plane";
  map.x = axis("a.x", "length", "x", "m", -1., 1., columns);
  map.y = axis("a.y", "height", "y", "m", 0., 2., rows);
  map.layers = {numbers(map, Quantity::ratio, "newton", "ratio", [](double x, double y) {
    if (x > 0.5 && y > 1.5) return std::nan("");
    return 1. / (x - 0.3 * y + 0.001) + y;
  })};
  return map;
}

/// Two regions that meet at x = split and y = split.
Map quarter(double x0, double x1, double y0, double y1, double split_x, double split_y,
            std::size_t n, bool log = false) {
  Map map;
  map.x = axis("x", "x", "", "", x0, x1, n, log);
  map.y = axis("y", "y", "", "", y0, y1, n);
  map.layers = {categories(map, Quantity::sign, "newton", "sign", {{"0", ""}, {"1", ""}},
                           [&](double x, double y) { return x > split_x && y > split_y; })};
  return map;
}

// --- regions

report::CategoryGrid grid_of(const std::vector<std::string>& rows_from_above) {
  report::CategoryGrid grid{
      .columns = rows_from_above[0].size(), .rows = rows_from_above.size(), .cell = {}};
  for (std::size_t j = grid.rows; j-- > 0;) {
    for (const char c : rows_from_above[j]) grid.cell.push_back(c - '0');
  }
  return grid;
}

TEST(MapRegions, LabelsStandInTheirRegions) {
  const auto grid = grid_of({"00000000000000000000",  //
                             "00000000000000000000",  //
                             "00000000001111111111",  //
                             "00000000001111111111",  //
                             "00000000001111111111",  //
                             "22000000001111111111"});
  const double width = 400.;
  const double height = 300.;
  const auto labels =
      report::place_labels(grid, {"zero", "one", "a long name"}, width, height, {}, {});
  ASSERT_EQ(labels.size(), 2U);  // the third has no room
  EXPECT_EQ(labels[0].category, 0);
  EXPECT_EQ(labels[1].category, 1);
  for (const auto& label : labels) {
    for (const double x : {label.box.left, label.box.right}) {
      for (const double y : {label.box.bottom, label.box.top}) {
        const auto i = static_cast<std::size_t>(std::lround(x / width * 19.));
        const auto j = static_cast<std::size_t>(std::lround(y / height * 5.));
        EXPECT_EQ(grid.at(i, j), label.category);
      }
    }
  }
}

TEST(MapRegions, EveryRegionOfACategoryHasALabelIfItIsLargeEnough) {
  const auto grid = grid_of({"0001000", "0001000", "0001000"});
  const auto labels = report::place_labels(grid, {"a", "b"}, 400., 300., {}, {});
  ASSERT_EQ(labels.size(), 3U);
  EXPECT_EQ(labels[0].category, 0);
  EXPECT_EQ(labels[1].category, 0);
  EXPECT_EQ(labels[2].category, 1);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(labels[a].box.overlaps(labels[b].box));
  }
}

TEST(MapRegions, LabelsAvoidLinesAndObstacles) {
  const auto grid = grid_of({"00", "00"});
  const report::Polyline line = {{200., 0.}, {200., 300.}};
  const report::Box obstacle{.left = 0., .bottom = 0., .right = 190., .top = 300.};
  const auto labels = report::place_labels(grid, {"zero"}, 400., 300., {obstacle}, {line});
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_FALSE(labels[0].box.overlaps(obstacle));
  EXPECT_FALSE(report::touches(line, labels[0].box));
  EXPECT_GT(labels[0].centre.x, 200.);
}

TEST(MapRegions, FindsRegionsOneCellThick) {
  const auto found = report::strips(grid_of({"000000004",  //
                                             "011110004",  //
                                             "011110004",  //
                                             "555566600"}));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].category, 5);
  EXPECT_TRUE(found[0].row);
  EXPECT_EQ(found[0].at, 0U);
  EXPECT_EQ(found[0].first, 0U);
  EXPECT_EQ(found[0].last, 3U);
  EXPECT_EQ(found[1].category, 6);
  EXPECT_EQ(found[2].category, 4);
  EXPECT_FALSE(found[2].row);
  EXPECT_EQ(found[2].at, 8U);
  EXPECT_EQ(found[2].first, 1U);
  EXPECT_EQ(found[2].last, 3U);
}

// --- colours

TEST(MapColours, ALabelKeepsItsColourAndTheRarestArePooled) {
  Map map = quarter(0., 1., 0., 1., .5, .5, 11);
  report::CategoryPalette palette;
  const auto first = palette.colours(map.layers);
  ASSERT_EQ(first.entries.size(), 2U);
  EXPECT_EQ(first.entries[0].colour, "#77AADD");
  EXPECT_NEAR(first.entries[0].shares[0] + first.entries[1].shares[0], 1., 1e-12);

  std::vector<study::Category> many;
  for (char c = 'a'; c < 'p'; ++c) many.push_back({std::string(1, c), "meaning"});
  many[3].label = "1";
  MapLayer layer = categories(map, Quantity::mode, "newton", "mode", many,
                              [](double x, double y) { return std::floor(15. * x * y * .999); });
  const auto second = palette.colours(std::span(&layer, 1));
  ASSERT_EQ(second.entries.size(), 9U);
  EXPECT_EQ(second.entries.back().label, "other");
  for (const auto& entry : second.entries) {
    if (entry.label == "1") {
      EXPECT_EQ(entry.colour, first.entries[1].colour);
    }
  }
  EXPECT_EQ(second.undefined, -1);
}

TEST(MapColours, AFewExtremesDoNotTakeAllColours) {
  const Map map = plane(101, 101);
  const auto colours = report::number_colours(map.layers);
  EXPECT_TRUE(colours.cut_above());
  EXPECT_LT(colours.range.most, 200.);
  EXPECT_GT(colours.reached.most, 300.);
  EXPECT_GT(colours.undefined, 0.03);
}

TEST(MapColours, ComparedLayersAreColouredFromTheMiddle) {
  Map map = plane(21, 21);
  MapLayer& layer = map.layers[0];
  for (double& value : layer.values) value = value > 0. ? 3. : 0.5;
  layer.compared = Compared::difference;
  const auto difference = report::number_colours(map.layers);
  EXPECT_EQ(difference.range.least, -3.);
  EXPECT_EQ(difference.range.most, 3.);
  layer.compared = Compared::ratio;
  const auto ratio = report::number_colours(map.layers);
  EXPECT_EQ(ratio.range.least, -1.);
  EXPECT_EQ(ratio.range.most, 3.);
}

// --- contours

TEST(MapContours, PassThroughTheLevel) {
  report::NumberGrid grid{.columns = 41, .rows = 31, .value = {}};
  for (std::size_t j = 0; j < 31; ++j) {
    for (std::size_t i = 0; i < 41; ++i) {
      grid.value.push_back(
          std::hypot(static_cast<double>(i) / 40. - .5, static_cast<double>(j) / 30. - .5));
    }
  }
  const auto lines = report::contour(grid, .3, 1e300);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NEAR(lines[0].front().x, lines[0].back().x, 1e-12);  // closed
  EXPECT_NEAR(lines[0].front().y, lines[0].back().y, 1e-12);
  for (const auto& s : lines[0]) EXPECT_NEAR(std::hypot(s.x - .5, s.y - .5), .3, 1e-3);
}

TEST(MapContours, StopAtWhatIsUndefinedAndAtLeaps) {
  report::NumberGrid grid{.columns = 3, .rows = 3, .value = {0., 1., 2., 0., 1., 2., 0., 1., 2.}};
  EXPECT_EQ(report::contour(grid, .5, 10.).size(), 1U);
  EXPECT_EQ(report::contour(grid, .5, .9).size(), 0U);
  grid.value[1] = nan;
  const auto lines = report::contour(grid, .5, 10.);
  ASSERT_EQ(lines.size(), 1U);
  for (const auto& s : lines[0]) EXPECT_GE(s.y, .5);
}

TEST(MapContours, LinesHaveGapsForText) {
  const report::Polyline line = {{0., 5.}, {100., 5.}};
  const report::Box box{.left = 40., .bottom = 0., .right = 60., .top = 10.};
  const auto pieces = report::outside(line, box);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].back().x, 40.);
  EXPECT_EQ(pieces[1].front().x, 60.);
  const auto seen = report::inside({{-50., 5.}, {150., 5.}}, 100., 10.);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].front().x, 0.);
  EXPECT_EQ(seen[0].back().x, 100.);
}

// --- pictures

TEST(MapPlot, DrawsCategoriesWithBoundariesInEveryFormat) {
  Map map = bar_map(61);
  map.layers = {bar_regimes(map, "moreau")};
  expect_draws_in_all_formats(map);
}

TEST(MapPlot, DrawsNumbersWithHolesAndPolesInEveryFormat) {
  expect_draws_in_all_formats(plane(61, 41));
}

TEST(MapPlot, DrawsContoursThatAreAskedFor) {
  Map map = plane(61, 41);
  map.contours = {-1., 0., 2.5, 1e6};
  expect_draws(map, "svg");
}

TEST(MapPlot, DrawsComparedLaws) {
  for (const Compared how : {Compared::difference, Compared::ratio}) {
    Map map = plane(41, 41);
    map.layers[0].compared = how;
    map.layers[0].other = "poisson";
    expect_draws(map, "png");
  }
}

TEST(MapPlot, DrawsLogarithmicAndFallingAxes) {
  Map map;
  map.x = axis("m", "mass", "m", "kg", 1e-3, 1e4, 41, true);
  map.y = axis("mu", "friction", "μ", "", 2., 0., 31);
  map.layers = {numbers(map, Quantity::energy, "newton", "energy",
                        [](double x, double y) { return std::log(x) * y; })};
  expect_draws_in_all_formats(map);
  map.x = axis("m", "mass", "m", "kg", 7., 3., 41, true);
  expect_draws(map, "svg");
}

TEST(MapPlot, DrawsNinePanels) {
  Map map = rod_map(41);
  for (const char* law : {"newton", "poisson", "energetic"}) {
    map.layers.push_back(rod_modes(map, law));
  }
  for (const char* law : {"newton", "poisson", "energetic"}) {
    map.layers.push_back(rod_energy(map, law));
  }
  for (const char* law : {"newton", "poisson", "energetic"}) {
    map.layers.push_back(rod_rebound(map, law));
  }
  expect_draws_in_all_formats(map);
}

TEST(MapPlot, DrawsCurves) {
  Map map = rod_map(101);
  map.y.reset();
  Map at = map;
  at.y = axis("ratio", "", "", "", 1.2, 1.2, 1);
  for (const char* law : {"newton", "poisson"}) map.layers.push_back(rod_modes(at, law));
  for (const char* law : {"newton", "poisson", "energetic", "moreau", "brach"}) {
    map.layers.push_back(rod_energy(at, law));
  }
  map.layers[3].values[50] = nan;
  map.layers[4].values[20] = 1e30;
  map.layers[4].values[21] = -1e30;
  expect_draws_in_all_formats(map);
}

TEST(MapPlot, DrawsSurfaces) { expect_draws_in_all_formats(plane(201, 31), MapStyle::surface); }

TEST(MapPlot, RefusesSurfacesOfCategoriesAndOfCurves) {
  Map map = quarter(0., 1., 0., 1., .5, .5, 5);
  const auto files = report::picture_files("x.svg", "--plot");
  try {
    static_cast<void>(report::map_plot(map, MapStyle::surface, files));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "--style");
  }
  map = plane(5, 5);
  map.y.reset();
  map.layers[0].values.resize(5);
  EXPECT_THROW(static_cast<void>(report::map_plot(map, MapStyle::surface, files)), InputError);
}

TEST(MapPlot, DrawsWhatIsTheSameEverywhereOrUndefinedEverywhere) {
  for (const double value : {0., 3., nan}) {
    Map map = plane(5, 4);
    for (double& v : map.layers[0].values) v = value;
    expect_draws(map, "png");
    expect_draws(map, "png", MapStyle::surface);
    map.layers[0].categories = {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}};
    expect_draws(map, "png");
    map.y.reset();
    map.layers[0].values.resize(5);
    expect_draws(map, "png");
    map.layers[0].categories.clear();
    expect_draws(map, "png");
  }
}

TEST(MapPlot, TextMayBeginWithQuotes) {
  Map map = quarter(0., 1., 0., 1., .5, .5, 5);
  map.title = "''quoted''";
  map.layers[0].categories[0].label = "'";
  expect_draws(map, "svg");
}

TEST(MapPlot, TextIsTextAndNothingElse) {
  const std::string hostile = "a_b^c {d} @e & ~f <g> `touch x` \"h\" 'i' %s $0 \\";
  Map map = quarter(0., 1., 0., 1., .5, .5, 21);
  map.title = hostile;
  map.layers[0].title = hostile;
  map.layers[0].categories[0] = {hostile, hostile};
  map.x.label = map.y->label = hostile;
  map.provenance = {hostile, hostile + "\n" + hostile, hostile, hostile};
  map.boundaries.push_back({.law = map.layers[0].law,
                            .name = hostile,
                            .meaning = hostile,
                            .lines = {{{0., 0.}, {1., 1.}}}});
  expect_draws_in_all_formats(map);
  const Folder folder;
  const auto files = report::picture_files(folder / "x.svg", "--plot");
  const auto plot = report::map_plot(map, MapStyle::map, files);
  report::draw(files, plot.script, plot.data);
  EXPECT_NE(
      contents(files.picture).find("a_b^c {d} @e &amp; ~f &lt;g> `touch x` \"h\" 'i' %s $0 \\<"),
      std::string::npos);
}

/// The value of "set WHAT at screen VALUE".
double margin(const std::string& script, const std::string& what) {
  const std::string begin = "set " + what + " at screen ";
  return std::stod(script.substr(script.find(begin) + begin.size()));
}

/// Draws two regions and checks that they meet where the data says.
void expect_edge_at(double x0, double x1, double y0, double y1, bool log = false) {
  // Samples are 1/40 of the axis apart, the regions meet halfway between two of them.
  const double s = 14.5 / 40.;
  const double t = 25.5 / 40.;
  const auto at = [&](double share) {
    return log ? x0 * std::pow(x1 / x0, share) : x0 + share * (x1 - x0);
  };
  const Map map = quarter(x0, x1, y0, y1, at(s), y0 + t * (y1 - y0), 41, log);
  const Folder folder;
  const auto files = report::picture_files(folder / "x.png", "--plot");
  const auto plot = report::map_plot(map, MapStyle::map, files);
  report::draw(files, plot.script, plot.data);
  const Pixels p = read_png(files.picture.string());
  const double left = margin(plot.script, "lmargin") * static_cast<double>(p.width);
  const double right = margin(plot.script, "rmargin") * static_cast<double>(p.width);
  const double bottom = (1. - margin(plot.script, "bmargin")) * static_cast<double>(p.height);
  const double top = (1. - margin(plot.script, "tmargin")) * static_cast<double>(p.height);
  const double edge_x = left + s * (right - left);
  const double edge_y = bottom + t * (top - bottom);
  const auto colour = [&](double x, double y) {
    return p.colour(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
  };
  // The quarter in which both exceed the split: to the right if x rises, above if y rises.
  const double inwards_x = x1 > x0 ? 2.5 : -2.5;
  const double inwards_y = y1 > y0 ? -2.5 : 2.5;
  const double far_x = x1 > x0 ? right - 6. : left + 6.;
  const double far_y = y1 > y0 ? top + 6. : bottom - 6.;
  EXPECT_EQ(colour(edge_x + inwards_x, far_y), "#EE8866");
  EXPECT_EQ(colour(edge_x - inwards_x, far_y), "#77AADD");
  EXPECT_EQ(colour(far_x, edge_y + inwards_y), "#EE8866");
  EXPECT_EQ(colour(far_x, edge_y - inwards_y), "#77AADD");
}

TEST(MapPlot, ColoursAreWhereTheDataIs) {
  expect_edge_at(0., 1., 0., 1.);
  expect_edge_at(-3., 5., 10., 20.);
}

TEST(MapPlot, ColoursAreWhereTheDataIsOnFallingAxes) {
  expect_edge_at(1., 0., 0., 1.);
  expect_edge_at(0., 1., 5., -5.);
  expect_edge_at(1., -1., 5., -5.);
}

TEST(MapPlot, ColoursAreWhereTheDataIsOnLogarithmicAxes) {
  expect_edge_at(1e-3, 1e2, 0., 1., true);
  expect_edge_at(1e2, 1e-1, 0., 1., true);
}

TEST(MapPlot, ImagesCoverTheFrameExactly) {  // SVG does not clip them
  const Map map = quarter(0., 1., 0., 1., .5, .5, 41);
  const Folder folder;
  const auto files = report::picture_files(folder / "x.svg", "--plot");
  const auto plot = report::map_plot(map, MapStyle::map, files);
  report::draw(files, plot.script, plot.data);
  const std::string svg = contents(files.picture);
  const auto number = [](const std::string& text, const std::string& before, std::size_t from) {
    return std::stod(text.substr(text.find(before, from) + before.size()));
  };
  const std::size_t image = svg.find("<image ");
  ASSERT_NE(image, std::string::npos);
  const double page = number(svg, "width=\"", 0);
  EXPECT_NEAR(number(svg, "x='", image), margin(plot.script, "lmargin") * page, 0.6);
  EXPECT_NEAR(number(svg, "width='", image),
              (margin(plot.script, "rmargin") - margin(plot.script, "lmargin")) * page, 0.6);
}

// --- CSV

std::string csv(const Map& map) {
  std::string text;
  report::write_map_csv(map, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(MapCsv, IsAPlainTable) {
  Map map;
  map.x = axis("system.angle_deg", "angle", "φ", "deg", 0., 1., 2);
  map.y = axis("friction", "friction", "μ", "", .1, .3, 2);
  map.layers = {
      categories(map, Quantity::mode, "poisson", "mode", {{"2", ""}, {"slip, then \"stick\"", ""}},
                 [](double x, double) { return x; }),
      numbers(map, Quantity::energy_change, "newton", "energy change",
              [](double x, double y) { return x > 0. ? nan : 1. / 3. * y; })};
  map.layers[1].unit = "J";
  EXPECT_EQ(csv(map),
            "system.angle_deg [deg],friction,mode (poisson),energy_change (newton) [J]\n"
            "0,0.1,2,0.03333333333333333\n"
            "1,0.1,\"slip, then \"\"stick\"\"\",\n"
            "0,0.3,2,0.09999999999999999\n"
            "1,0.3,\"slip, then \"\"stick\"\"\",\n");
  map.y.reset();
  for (MapLayer& layer : map.layers) layer.values.resize(2);
  EXPECT_EQ(csv(map).substr(0, csv(map).find('\n')),
            "system.angle_deg [deg],mode (poisson),energy_change (newton) [J]");
}

TEST(MapCsv, ComesInPieces) {
  const Map map = plane(300, 300);
  std::size_t pieces = 0;
  std::string text;
  report::write_map_csv(map, [&](std::string_view piece) {
    ++pieces;
    EXPECT_LT(piece.size(), std::size_t{2} << 20U);
    text += piece;
  });
  EXPECT_GT(pieces, 1U);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 90'001);
  const Folder folder;
  report::PendingFile file(folder / "x.csv");
  for (std::size_t at = 0; at < text.size(); at += 1000) {
    file.append(std::string_view(text).substr(at, 1000));
  }
  file.keep();
  EXPECT_EQ(contents(folder / "x.csv"), text);
}

// --- HDF5

std::string text_attribute(hid_t file, const std::string& object, const char* name) {
  const hid_t attribute = H5Aopen_by_name(file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(attribute, 0) << object << " " << name;
  const hid_t type = H5Aget_type(attribute);
  const hid_t space = H5Aget_space(attribute);
  std::vector<char*> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Aread(attribute, type, texts.data()), 0);
  std::string all;
  for (const char* text : texts) all += (all.empty() ? "" : "|") + std::string(text);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return all;
}

template <class T>
std::vector<T> read_dataset(hid_t file, const std::string& name, hid_t type,
                            const std::vector<hsize_t>& size) {
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  const hid_t space = H5Dget_space(set);
  std::vector<hsize_t> found(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  EXPECT_EQ(found, size) << name;
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

TEST(MapHdf5, ReadsBackBitForBit) {
  Map map = bar_map(150);  // large enough to be compressed
  map.layers = {bar_regimes(map, "moreau"),
                numbers(map, Quantity::energy, "moreau", "energy left",
                        [](double x, double y) { return x > 170. ? nan : std::sin(x) / y; })};
  map.layers[0].values[7] = nan;
  map.layers[1].compared = Compared::difference;
  map.layers[1].other = "newton";
  map.layers[1].unit = "J";
  map.contours = {1., 2.};
  map.notes = {"a note"};
  map.provenance = {"bar.toml", std::string(100'000, '#'), "0.1.0", "carom map bar.toml"};
  const Folder folder;
  report::write_map_hdf5(map, folder / "x.h5");
  EXPECT_EQ(folder.files(), 1U);

  const hid_t file = H5Fopen((folder / "x.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(text_attribute(file, "/", "title"), map.title);
  EXPECT_EQ(text_attribute(file, "/", "scenario"), map.provenance.scenario_text);
  EXPECT_EQ(text_attribute(file, "/", "scenario_file"), "bar.toml");
  EXPECT_EQ(text_attribute(file, "/", "version"), "0.1.0");
  EXPECT_EQ(text_attribute(file, "/", "command"), "carom map bar.toml");
  EXPECT_EQ(text_attribute(file, "/", "created_by"), "carom");
  EXPECT_EQ(text_attribute(file, "/", "notes"), "a note");
  EXPECT_EQ(text_attribute(file, "/x", "path"), "system.angle_deg");
  EXPECT_EQ(text_attribute(file, "/x", "unit"), "deg");
  EXPECT_EQ(text_attribute(file, "/y", "label"), "approach ratio");
  EXPECT_EQ(read_dataset<double>(file, "/x", H5T_NATIVE_DOUBLE, {150}), map.x.values);

  const auto regimes =
      read_dataset<std::uint8_t>(file, "/moreau/regime", H5T_NATIVE_UINT8, {150, 150});
  EXPECT_EQ(regimes[7], 255);
  for (std::size_t cell = 8; cell < regimes.size(); ++cell) {
    ASSERT_EQ(regimes[cell], map.layers[0].values[cell]);
  }
  EXPECT_EQ(text_attribute(file, "/moreau/regime", "categories"),
            "forward slip|stick|backward slip|no impulse");
  EXPECT_EQ(text_attribute(file, "/moreau/regime", "law"), "moreau");
  EXPECT_EQ(text_attribute(file, "/moreau/regime", "quantity"), "regime");
  EXPECT_EQ(text_attribute(file, "/moreau/regime", "compared"), "no");

  const std::string energy = "/moreau_minus_newton/energy";
  const auto values = read_dataset<double>(file, energy, H5T_NATIVE_DOUBLE, {150, 150});
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(values[cell]),
              std::bit_cast<std::uint64_t>(map.layers[1].values[cell]));
  }
  EXPECT_EQ(text_attribute(file, energy, "other_law"), "newton");
  EXPECT_EQ(text_attribute(file, energy, "compared"), "difference");
  EXPECT_EQ(text_attribute(file, energy, "unit"), "J");

  const auto& line = map.boundaries[0].lines[0];
  const auto points =
      read_dataset<double>(file, "/boundaries/moreau/r_f/0", H5T_NATIVE_DOUBLE, {line.size(), 2});
  EXPECT_EQ(points[2 * 3], line[3][0]);
  EXPECT_EQ(points[2 * 3 + 1], line[3][1]);
  EXPECT_EQ(text_attribute(file, "/boundaries/moreau/r_f/0", "meaning"), "forward slip below");
  H5Fclose(file);

  report::write_map_hdf5(map, folder / "y.h5");
  EXPECT_TRUE(contents(folder / "x.h5") == contents(folder / "y.h5"));
}

TEST(MapHdf5, LayersThatShareANameAreBothKept) {
  Map map = plane(4, 3);
  map.layers.push_back(map.layers[0]);
  map.layers[1].values[0] = 17.;
  const std::string quantity(study::info(map.layers[0].quantity).name);
  const Folder folder;
  report::write_map_hdf5(map, folder / "x.h5");
  const hid_t file = H5Fopen((folder / "x.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(read_dataset<double>(file, "/newton/" + quantity + "_2", H5T_NATIVE_DOUBLE, {3, 4})[0],
            17.);
  H5Fclose(file);
}

TEST(MapHdf5, SaysInOneLineWhatFails) {
  const Folder folder;
  try {
    report::write_map_hdf5(plane(3, 3), folder / "no such folder/x.h5");
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("cannot write"), std::string::npos);
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
  }
}

// --- summary

TEST(MapSummary, TellsOfRegionsInAScreenful) {
  Map map = rod_map(101);
  map.layers = {rod_modes(map, "poisson")};
  map.notes = {"brach left out: no e_t"};
  const std::string text = report::map_summary(map, {});
  EXPECT_NE(text.find("mode, poisson\n"), std::string::npos);
  EXPECT_NE(text.find("  4 |00000"), std::string::npos);
  EXPECT_NE(text.find("  0 |6666"), std::string::npos);
  EXPECT_NE(text.find("system.angle_deg [deg]"), std::string::npos);
  EXPECT_TRUE(text.ends_with("note: brach left out: no e_t\n"));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 30);
}

TEST(MapSummary, LettersTellCategoriesApart) {
  Map map = quarter(0., 1., 0., 1., .5, .5, 21);
  map.layers[0].categories = {{"stick", ""}, {"slip", ""}};
  map.layers[0].values[0] = nan;
  const std::string text = report::map_summary(map, {});
  EXPECT_NE(text.find("s  stick"), std::string::npos);
  EXPECT_NE(text.find("l  slip"), std::string::npos);
  EXPECT_NE(text.find(".  undefined"), std::string::npos);
  EXPECT_NE(text.find("|.ssss"), std::string::npos);
}

TEST(MapSummary, TellsOfNumbers) {
  Map map;
  map.x = axis("a", "mass", "m", "kg", 0., 10., 11);
  map.y = axis("b", "friction", "", "", 0., 1., 11);
  map.layers = {numbers(map, Quantity::energy, "newton", "energy",
                        [](double x, double y) { return x == 3. ? nan : x + y; })};
  map.contours = {5.};
  const std::string text = report::map_summary(map, {});
  EXPECT_NE(text.find("least     0            at m = 0, friction = 0\n"), std::string::npos);
  EXPECT_NE(text.find("greatest  11           at m = 10, friction = 1\n"), std::string::npos);
  EXPECT_NE(text.find("53.7 %  above 5\n"), std::string::npos);
  EXPECT_NE(text.find("median "), std::string::npos);
  EXPECT_NE(text.find("9.1 %  .  undefined\n"), std::string::npos);
}

TEST(MapSummary, TabulatesCurves) {
  Map map = plane(101, 1);
  map.y.reset();
  map.layers.push_back(map.layers[0]);
  map.layers[1].law = "poisson";
  map.layers[1].title = "ratio, poisson";
  const std::string text = report::map_summary(map, {});
  EXPECT_NE(text.find("newton"), std::string::npos);
  EXPECT_NE(text.find("poisson"), std::string::npos);
  EXPECT_NE(text.find("\n  -1 "), std::string::npos);
  EXPECT_NE(text.find("\n  0.8 "), std::string::npos);
}

}  // namespace
}  // namespace carom::test
