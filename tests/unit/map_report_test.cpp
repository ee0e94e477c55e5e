// SPDX-License-Identifier: Apache-2.0
// What becomes of a map: the record of its picture, CSV, HDF5, a summary.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include <carom/core/error.hpp>
#include <carom/report/map/csv.hpp>
#include <carom/report/map/hdf5.hpp>
#include <carom/report/map/record.hpp>
#include <carom/report/map/summary.hpp>
#include <carom/report/map/words.hpp>
#include <carom/report/packed.hpp>
#include <carom/report/pending_file.hpp>
#include <support/map_examples.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;
using report::MapStyle;
using study::Compared;
using study::Map;
using study::MapLayer;

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

/// Numbers on a plane, some of them undefined, some enormous.
Map plane(std::size_t columns, std::size_t rows) {
  Map map;
  map.title = "A plane";
  map.x = axis("a.x", "length", "x", "m", -1., 1., columns);
  map.y = axis("a.y", "height", "y", "m", 0., 2., rows);
  map.layers = {numbers(map, "ratio", "newton", "ratio", [](double x, double y) {
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
  map.layers = {categories(map, "sign", "newton", "sign", {{"0", ""}, {"1", ""}},
                           [&](double x, double y) { return x > split_x && y > split_y; })};
  return map;
}

// --- records

/// The text of a member of a record, up to the next comma at its level.
std::string member(const std::string& record, const std::string& name, std::size_t from = 0) {
  const std::string key = "\"" + name + "\":";
  const std::size_t begin = record.find(key, from);
  EXPECT_NE(begin, std::string::npos) << name;
  std::size_t at = begin + key.size();
  const std::size_t start = at;
  int depth = 0;
  bool quoted = false;
  for (; at < record.size(); ++at) {
    const char c = record[at];
    if (c == '"' && record[at - 1] != '\\') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth-- == 0) break;
    if (c == ',' && depth == 0) break;
  }
  return record.substr(start, at - start);
}

TEST(MapRecord, BytesAreThoseOfRfc4648) {
  const std::pair<std::string, std::string> printed[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"},
                                                         {"\xff\xfe", "//4="}};
  for (const auto& [plain, encoded] : printed) {
    const std::vector<std::uint8_t> bytes(plain.begin(), plain.end());
    EXPECT_EQ(report::base64(bytes), encoded);
  }
}

TEST(MapRecord, PacksNumbersInSinglePrecisionUnlessTheyAreBeyondIt) {
  const std::vector<std::size_t> shape{2};
  const auto packed = [&](const std::vector<double>& values) {
    report::JsonWriter json;
    report::write_packed(json, std::span<const double>(values), shape);
    return json.take();
  };
  // 1.0f is 00 00 80 3f, -2.0f is 00 00 00 c0.
  EXPECT_EQ(packed({1., -2.}), R"({"dtype":"<f4","shape":[2],"base64":"AACAPwAAAMA="})");
  EXPECT_EQ(member(packed({1., nan}), "dtype"), "\"<f4\"");
  EXPECT_EQ(member(packed({0., 1e-40}), "dtype"), "\"<f8\"");
  EXPECT_EQ(packed({1., 1e40}).size(), packed({1., 1e-40}).size());
}

TEST(MapRecord, HasAxesLayersAndBoundaries) {
  Map map = bar_map(61);
  map.layers = {bar_regimes(map, "moreau"),
                numbers(map, "energy", "newton", "energy left",
                        [](double x, double y) { return x > 100. ? nan : x + y; })};
  map.layers[0].values[0] = nan;
  map.contours = {1., 2.5};
  const std::string record = report::map_record(map, MapStyle::map);
  EXPECT_EQ(member(record, "points", record.find("\"x\":")), "61");
  EXPECT_EQ(member(record, "contours"), "[1,2.5]");
  const std::size_t regime = record.find("\"quantity\":\"regime\"");
  EXPECT_EQ(member(record, "boundaries", regime), "[0,1]");  // both of moreau
  EXPECT_EQ(member(record, "undefined", regime), "0.000268745");
  const std::size_t energy = record.find("\"quantity\":\"energy\"");
  EXPECT_EQ(member(record, "boundaries", energy), "[]");  // none of newton
  EXPECT_EQ(member(record, "least", energy), "-4");
  EXPECT_EQ(member(record, "shape", energy), "[61,61]");
  EXPECT_NE(record.find(R"("name":"r_f","meaning":"forward slip below")"), std::string::npos);
  EXPECT_NE(record.find(R"("picture":{"kind":"map","title":"Bar of Payr)"), std::string::npos);
}

TEST(MapRecord, IsThinnedToWhatAPictureCanShow) {
  const Map map = plane(5000, 3);
  const std::string record = report::map_record(map, MapStyle::map);
  EXPECT_EQ(member(record, "shape"), "[3,1400]");
  const std::string x = member(record, "values");
  EXPECT_TRUE(x.starts_with("[-1,")) << x.substr(0, 20);  // both ends are kept
  EXPECT_TRUE(x.ends_with(",1]"));
  EXPECT_EQ(member(record, "points"), "5000");
  // The ends of the numbers are those of all cells.
  double greatest = 0.;
  for (const double v : map.layers[0].values) greatest = std::fmax(greatest, v);
  EXPECT_NEAR(std::stod(member(record, "greatest")), greatest, 1e-6 * greatest);
}

TEST(MapRecord, OfAMillionCellsIsSmallEnough) {
  Map map = plane(1000, 1000);
  const std::size_t numbers = report::map_record(map, MapStyle::map).size();
  EXPECT_LT(numbers, 5'500'000U);
  map.layers[0].categories = {{"a", ""}, {"b", ""}};
  EXPECT_LT(report::map_record(map, MapStyle::map).size(), 1'500'000U);
}

TEST(MapRecord, SaysWhatIsFixed) {
  const std::string text =
      "title = 'x'\n[system]\ntype = 'linkage'\nzero_angle = 'down'\n[[system.links]]\nname = "
      "'B_x'\nmass = 3\nlength = 2.0\nangle_deg = 20\nrate = -0.1\n[[system.links]]\nmass = 1.5\n"
      "length = 2\nangle_deg = 30\nmass_centre = [0.5, 0]\n[surface]\nrestitution = 0.5\n"
      "friction = 0.7\n";
  scenario::MapRequest request;
  request.x = scenario::parse_axis("surface.friction=0:1:3", "--x");
  request.y = scenario::parse_axis("system.links[1].mass_centre[0]=0.4:0.6:3", "--y");
  const Map map = study::compute_map(text, "x.toml", request);
  EXPECT_EQ(report::fixed_words(map),
            "restitution e = 0.5; linkage; B_x: mass = 3 kg, length = 2 m, angle = 20 deg, rate = "
            "−0.1 rad/s; links[1]: mass = 1.5 kg, length = 2 m, angle = 30 deg, mass centre = "
            "(varied, 0) m");
  const std::string record = report::map_record(map, MapStyle::map);
  EXPECT_NE(record.find(R"({"path":"system.links.B_x.mass","of":"B_x","label":"mass","symbol":"",)"
                        R"("unit":"kg","value":3})"),
            std::string::npos);
  EXPECT_NE(record.find(R"("value":[null,0]})"), std::string::npos);
}

TEST(MapRecord, SaysWhatIsFixedAtEachContact) {
  const std::string text =
      "[system]\ntype = 'block'\nhalf_width = 1\nhalf_height = 2\nvelocity = [0, -1]\n"
      "[surfaces.left]\nrestitution = 0.5\nfriction = 0.3\n"
      "[surfaces.right]\nrestitution = 0.4\nfriction = 0.2\n";
  scenario::MapRequest request;
  request.x = scenario::parse_axis("surfaces.right.friction=0:1:3", "--x");
  const Map map = study::compute_map(text, "x.toml", request);
  EXPECT_EQ(map.x.label, "friction of right");
  EXPECT_EQ(report::fixed_words(map).substr(0, 83),
            "left: restitution e = 0.5, friction μ = 0.3; right: restitution e = 0.4; block: ha");
}

TEST(MapRecord, RefusesSurfacesOfCategoriesAndOfCurves) {
  Map map = quarter(0., 1., 0., 1., .5, .5, 5);
  try {
    static_cast<void>(report::map_record(map, MapStyle::surface));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "--style");
  }
  map = plane(5, 5);
  map.y.reset();
  map.layers[0].values.resize(5);
  EXPECT_THROW(static_cast<void>(report::map_record(map, MapStyle::surface)), InputError);
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
      categories(map, "mode", "poisson", "mode", {{"2", ""}, {"slip, then \"stick\"", ""}},
                 [](double x, double) { return x; }),
      numbers(map, "energy_change", "newton", "energy change",
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
                numbers(map, "energy", "moreau", "energy left",
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
  const std::string quantity(map.layers[0].name());
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
  map.layers = {numbers(map, "energy", "newton", "energy",
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
