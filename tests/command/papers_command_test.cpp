// SPDX-License-Identifier: Apache-2.0
// `carom papers`: the list, one publication, the report, the errata.
#include <gtest/gtest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include <command/process.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;

TEST(PapersCommand, ListsThePublications) {
  const Finished f = run_carom("papers");
  EXPECT_EQ(f.code, 0) << f.err;
  for (const char* name : {"payr-glocker", "brach", "liu-zhang-zhao-brogliato", "shen-townsend",
                           "sun-baruh", "measured"}) {
    EXPECT_NE(f.out.find(name), std::string::npos) << name;
  }
}

TEST(PapersCommand, OneAsText) {
  const Finished f = run_carom("papers shen-townsend");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("Table 1"), std::string::npos);
  EXPECT_NE(f.out.find("printed 0.1034, computed 0.103327"), std::string::npos);
  EXPECT_NE(f.out.find("last digit ST9"), std::string::npos);
  EXPECT_EQ(f.out.find("FAULTY"), std::string::npos);
  EXPECT_EQ(f.err, "");
  const Finished full = run_carom("papers shen-townsend --full");
  EXPECT_GT(full.out.size(), f.out.size());
}

TEST(PapersCommand, AsJson) {
  const Finished f = run_carom("papers shen-townsend --json");
  EXPECT_EQ(f.code, 0) << f.err;
  const auto one = nlohmann::json::parse(f.out);
  EXPECT_EQ(one["name"], "shen-townsend");
  std::size_t numbers = 0;
  for (const auto& c : one["comparisons"]) {
    EXPECT_TRUE(c.contains("part") && c.contains("agreement")) << c;
    numbers += c.contains("computed") && c["computed"].is_number() ? 1U : 0U;
  }
  EXPECT_GT(numbers, 40U);
}

TEST(PapersCommand, WrongUseIsOneLine) {
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"papers shen-towsend",
            "carom: error: NAME: no publication 'shen-towsend'; did you mean 'shen-townsend'?\n"},
           {"papers --out /tmp/x",
            "carom: error: --out: needs --all or the names of publications\n"},
           {"papers --errata",
            "carom: error: --errata: needs --all or the names of publications\n"},
           {"papers brach --all", "carom: error: --all: goes without names, got 'brach'\n"},
           {"papers brach --out ''", "carom: error: --out: must name a directory, got ''\n"}}) {
    const Finished f = run_carom(arguments);
    EXPECT_EQ(f.code, 2) << arguments;
    EXPECT_EQ(f.err, message);
    EXPECT_EQ(f.out, "");
  }
  const Finished f = run_carom("papers shen-townsend --out /proc/nowhere");
  EXPECT_EQ(f.code, 1);
  EXPECT_NE(f.err.find("cannot make the directory /proc/nowhere"), std::string::npos) << f.err;
}

// `carom papers` runs a program of its own, and says so where there is none.
TEST(PapersCommand, RunsTheProgramThatIsNamed) {
  const std::string echo = write_file("echo.sh", "#!/bin/sh\necho \"$# $*\"\nexit 7\n");
  fs::permissions(echo, fs::perms::owner_all);
  const Finished f = run_shell("CAROM_PAPERS='" + echo +
                               "' '" CAROM_COMMAND_FILE "' papers 'a b' --json --threads 2");
  EXPECT_EQ(f.code, 7) << f.err;
  EXPECT_EQ(f.out, "5 papers a b --json --threads 2\n");
  const Finished none = run_shell("CAROM_PAPERS=/nowhere '" CAROM_COMMAND_FILE "' papers");
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.err, "carom: error: cannot run /nowhere: No such file or directory\n");
}

TEST(PapersCommand, WithoutTheProgramIsOneLine) {
  const std::string alone = write_file("carom", "");
  fs::copy_file(CAROM_COMMAND_FILE, alone, fs::copy_options::overwrite_existing);
  const Finished f = run_shell("unset CAROM_PAPERS; PATH=/usr/bin:/bin '" + alone + "' papers");
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.out, "");
  EXPECT_TRUE(f.err.starts_with("carom: error: this needs the program carom-papers")) << f.err;
  EXPECT_NE(f.err.find("'./run papers'"), std::string::npos);     // in the source tree
  EXPECT_NE(f.err.find("'cmake --install'"), std::string::npos);  // in a package
  EXPECT_EQ(lines_of(f.err).size(), 1U) << f.err;
  // What it can be asked for is known without it.
  const Finished help = run_shell("'" + alone + "' papers --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, run_carom("papers --help").out);
  EXPECT_NE(help.out.find("Usage: carom papers [OPTIONS] [NAME...]"), std::string::npos);
  fs::remove(alone);
}

/// What stands between `begin` and the next quote, everywhere.
std::vector<std::string> all_between(const std::string& text, const std::string& begin) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    found.push_back(text.substr(at, text.find('"', at) - at));
  }
  return found;
}

// Every table and figure of all, as a user would: pages whose links and pictures are there, and
// that load nothing from elsewhere.
TEST(PapersCommand, TheWholeReport) {
  const fs::path dir = fs::path(write_file("papers-report", "")).replace_extension("d");
  fs::remove_all(dir);
  const Finished f = run_carom("papers --all --out '" + dir.string() + "'");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.err, "carom: wrote " + (dir / "index.html").string() + "\n");
  std::size_t pages = 0;
  std::size_t pictures = 0;
  for (const auto& entry : fs::directory_iterator(dir)) {
    if (entry.path().extension() != ".html") continue;
    ++pages;
    const std::string html = read_file(entry.path());
    EXPECT_EQ(html.find("<script"), std::string::npos);
    for (const std::string& source : all_between(html, "src=\"")) {
      EXPECT_TRUE(fs::exists(dir / source)) << source;
      ++pictures;
    }
    for (const std::string& link : all_between(html, "href=\"")) {
      if (link.starts_with("https://doi.org/")) continue;
      if (link[0] == '#') {
        EXPECT_NE(html.find("id=\"" + link.substr(1) + "\""), std::string::npos)
            << entry.path() << ": " << link;
      } else {
        EXPECT_TRUE(fs::exists(dir / link)) << entry.path() << ": " << link;
      }
    }
    // Tags that open are closed.
    for (const char* tag : {"table", "tr", "td", "ul", "li", "figure", "span", "code", "p", "h2"}) {
      const std::string open = "<" + std::string(tag);
      const std::string close = "</" + std::string(tag) + ">";
      long balance = 0;
      for (std::size_t at = 0; (at = html.find(open, at)) != std::string::npos; at += open.size()) {
        const char next = html[at + open.size()];
        balance += next == '>' || next == ' ' ? 1 : 0;
      }
      for (std::size_t at = 0; (at = html.find(close, at)) != std::string::npos;
           at += close.size()) {
        --balance;
      }
      EXPECT_EQ(balance, 0) << entry.path() << ": " << tag;
    }
  }
  EXPECT_EQ(pages, 7U);
  EXPECT_GE(pictures, 25U);
  for (const auto& entry : fs::directory_iterator(dir / "pictures")) {
    const std::string extension = entry.path().extension();
    EXPECT_TRUE(extension == ".svg" || extension == ".json" || extension == ".py") << entry.path();
    EXPECT_GT(entry.file_size(), 100U) << entry.path();
  }
  fs::remove_all(dir);
}

// Pages, records and numbers do not wait for Python; pictures of an older run do not stay.
TEST(PapersCommand, WithoutPythonThePagesAreThere) {
  const fs::path dir = fs::path(write_file("papers-report", "")).replace_extension("d");
  fs::remove_all(dir);
  fs::create_directories(dir / "pictures");
  const auto run = [&](const std::string& python) {
    return run_shell("CAROM_PYTHON='" + python +
                     "' '" CAROM_COMMAND_FILE "' papers payr-glocker --out '" + dir.string() + "'");
  };
  const Finished f = run("/nowhere/python3");
  EXPECT_EQ(f.code, 1);
  EXPECT_EQ(f.out.find("payr-glocker: "), 0U) << f.out;
  const auto lines = lines_of(f.err);
  ASSERT_EQ(lines.size(), 2U) << f.err;
  EXPECT_EQ(lines[0], "carom: wrote " + (dir / "index.html").string());
  EXPECT_NE(lines[1].find("install python3 python3-numpy python3-matplotlib python3-pil"),
            std::string::npos);
  EXPECT_TRUE(lines[1].ends_with("; the pages are without the missing pictures"));
  const auto page = [&] { return read_file((dir / "payr-glocker.html").string()); };
  EXPECT_EQ(page().find("<img"), std::string::npos);
  EXPECT_NE(page().find("(not drawn)"), std::string::npos);
  const auto records = all_between(page(), "href=\"pictures/");
  EXPECT_GE(records.size(), 6U);
  for (const std::string& file : records) EXPECT_TRUE(fs::exists(dir / "pictures" / file)) << file;

  EXPECT_EQ(run(CAROM_PYTHON_EXECUTABLE).code, 0);
  EXPECT_NE(page().find("<img"), std::string::npos);
  EXPECT_EQ(page().find("(not drawn)"), std::string::npos);
  EXPECT_EQ(run("/nowhere/python3").code, 1);
  EXPECT_EQ(page().find("<img"), std::string::npos);
  fs::remove_all(dir);
}

// docs/errata.md is what the command prints, below its own first lines.
TEST(PapersCommand, ErrataPageIsWhatIsPrinted) {
  const Finished f = run_carom("papers --all --errata");
  EXPECT_EQ(f.code, 0) << f.err;
  const std::string page = read_file(CAROM_SOURCE_DIR "/docs/errata.md");
  const auto first = page.find("## ");
  ASSERT_NE(first, std::string::npos);
  EXPECT_TRUE(page.substr(first) == f.out)
      << "docs/errata.md is behind: (sed '/^## /,$d' docs/errata.md; ./run papers --all --errata) "
         "> errata.md && mv errata.md docs";
}

}  // namespace
}  // namespace carom::test
