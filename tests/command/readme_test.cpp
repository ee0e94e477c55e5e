// SPDX-License-Identifier: Apache-2.0
// What the README and the docs show is what happens: every ```console block is run, `$ carom` or
// `$ ./run` standing for the command, and its output compared to the letter. A line "..." stands
// for any number of lines. A ```toml block that begins with "# NAME.toml", and a block
// "```csv NAME.csv", are files that the commands of its page may read.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <command/process.hpp>

namespace carom::test {
namespace {

struct Shown {
  std::string file;
  std::string command;
  std::vector<std::string> output;
};

std::vector<Shown> shown_in(const std::string& file) {
  std::vector<Shown> all;
  bool inside = false;
  for (const std::string& line : lines_of(read_file(CAROM_SOURCE_DIR "/" + file))) {
    if (line == "```console") {
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside && line.starts_with("$ ")) {
      all.push_back({.file = file, .command = line.substr(2), .output = {}});
    } else if (inside && !all.empty()) {
      all.back().output.push_back(line);
    }
  }
  return all;
}

/// Writes the files that a page shows; returns the folder that they are in.
std::string write_files_of(const std::string& page) {
  const auto lines = lines_of(read_file(CAROM_SOURCE_DIR "/" + page));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i - 1] != "```toml" || !lines[i].starts_with("# ") || !lines[i].ends_with(".toml")) {
      continue;
    }
    std::string text;
    for (std::size_t k = i; lines.at(k) != "```"; ++k) text += lines[k] + "\n";
    (void)write_file(lines[i].substr(2), text);
  }
  const std::string csv = "```csv ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(csv)) continue;
    std::string text;
    for (std::size_t k = i + 1; lines.at(k) != "```"; ++k) text += lines[k] + "\n";
    (void)write_file(lines[i].substr(csv.size()), text);
  }
  return std::filesystem::path(write_file("stdin", "")).parent_path();
}

bool matches(const std::vector<std::string>& shown, std::size_t i,
             const std::vector<std::string>& got, std::size_t j) {
  if (i == shown.size()) return j == got.size();
  if (shown[i] == "...") {
    for (std::size_t k = j; k <= got.size(); ++k) {
      if (matches(shown, i + 1, got, k)) return true;
    }
    return false;
  }
  return j < got.size() && shown[i] == got[j] && matches(shown, i + 1, got, j + 1);
}

std::vector<std::string> pages() {
  std::vector<std::string> all = {"CONTRIBUTING.md", "README.md"};
  const std::filesystem::path top = CAROM_SOURCE_DIR;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top / "docs")) {
    if (entry.path().extension() == ".md") all.push_back(entry.path().lexically_relative(top));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Docs, ShowWhatHappens) {
  int tried = 0;
  for (const std::string& page : pages()) {
    const std::string folder = write_files_of(page);
    for (const Shown& s : shown_in(page)) {
      std::string command = s.command;
      for (std::size_t at = 0; (at = command.find("./run", at)) != std::string::npos;) {
        command.replace(at, 5, "'" CAROM_COMMAND_FILE "'");
        at += sizeof CAROM_COMMAND_FILE;
      }
      const Finished f = run_shell(
          "cd '" + folder + "'; PATH=\"$(dirname '" CAROM_COMMAND_FILE "'):$PATH\"; " + command);
      const auto got = lines_of(f.out + f.err);
      EXPECT_TRUE(matches(s.output, 0, got, 0)) << page << ": $ " << s.command << "\nprints\n"
                                                << f.out << f.err;
      ++tried;
    }
  }
  EXPECT_GE(tried, 6);
}

// The programs that docs/library.md shows are those that a test builds and runs.
TEST(Docs, LibraryPageShowsTheConsumers) {
  const std::string page = read_file(CAROM_SOURCE_DIR "/docs/library.md");
  for (const char* file : {"main.cpp", "CMakeLists.txt", "batch/main.cpp", "batch/CMakeLists.txt",
                           "study/main.cpp", "study/CMakeLists.txt"}) {
    const std::string text = read_file(std::string(CAROM_SOURCE_DIR "/tests/consumer/") + file);
    EXPECT_NE(page.find("\n" + text + "```"), std::string::npos) << file;
  }
}

// No link to a file that is not there.
TEST(Docs, LinksResolve) {
  for (const std::string& page : pages()) {
    const std::string text = read_file(CAROM_SOURCE_DIR "/" + page);
    for (std::size_t at = 0; (at = text.find("](", at)) != std::string::npos; at += 2) {
      const std::string target = text.substr(at + 2, text.find_first_of(")#", at) - at - 2);
      if (target.empty() || target.starts_with("http")) continue;
      const auto base = std::filesystem::path(CAROM_SOURCE_DIR "/" + page).parent_path();
      EXPECT_TRUE(std::filesystem::exists(base / target)) << page << " -> " << target;
    }
  }
}

}  // namespace
}  // namespace carom::test
