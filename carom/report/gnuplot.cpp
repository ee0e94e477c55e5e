// SPDX-License-Identifier: Apache-2.0
#include <carom/report/gnuplot.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/pending_file.hpp>

extern "C" char** environ;  // NOLINT(readability-redundant-declaration)

namespace carom::report {
namespace {

/// Holds back Ctrl-C and the like while it lives: gnuplot gets them and ends, we tidy up, and only
/// then are we ended ourselves.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

struct Ended {
  int not_started = 0;  ///< errno of the start, 0 if it started
  bool well = false;
  std::string said;  ///< on standard error
};

/// `gnuplot ARGUMENT...` in `directory`, without a shell.
Ended run_gnuplot(const std::filesystem::path& directory, const std::vector<std::string>& arguments,
                  const sigset_t& signals) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {.not_started = errno, .well = false, .said = {}};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);

  std::vector<std::string> words{"gnuplot"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  Ended ended;
  pid_t child = 0;
  ended.not_started = posix_spawnp(&child, "gnuplot", &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (ended.not_started == 0) {
    std::array<char, 4096> some{};
    for (;;) {
      const ssize_t n = read(ends[0], some.data(), some.size());
      if (n > 0) ended.said.append(some.data(), static_cast<std::size_t>(n));
      if (n == 0 || (n < 0 && errno != EINTR)) break;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    ended.well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  close(ends[0]);
  return ended;
}

/// gnuplot repeats the script's line, points at the place, and then says: "x.gp" line 3: what.
std::string first_error(const std::string& said) {
  std::string first;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t^") == std::string::npos) continue;
    if (line.find("\" line ") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "it does not say why" : first;
}

/// The length of the valid UTF-8 sequence at `at`, 0 if there is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

}  // namespace

inline namespace by_gnuplot {

PictureFiles picture_files(const std::filesystem::path& picture, std::string_view field) {
  static constexpr std::array<std::pair<std::string_view, PictureFormat>, 3> known{
      {{".svg", PictureFormat::svg}, {".png", PictureFormat::png}, {".pdf", PictureFormat::pdf}}};
  std::string given = picture.extension().string();
  for (char& c : given) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [extension, format] : known) {
    if (given != extension) continue;
    PictureFiles files{.picture = picture, .script = picture, .data = picture, .format = format};
    files.script.replace_extension(".gp");
    files.data.replace_extension(".dat");
    return files;
  }
  throw InputError(std::string(field), "must name a file that ends in .svg, .png or .pdf, got '" +
                                           picture.string() + "'");
}

void draw(const PictureFiles& files, const std::string& script, const std::string& data) {
  const SignalsHeld held;
  PendingFile picture_file(files.picture);  // first: an error names what the user gave
  PendingFile script_file(files.script);
  PendingFile data_file(files.data);
  script_file.write(script);
  data_file.write(data);
  script_file.keep();
  data_file.keep();

  std::filesystem::path directory = files.picture.parent_path();
  if (directory.empty()) directory = ".";
  // -d: without the user's own start-up file. "./", because a name may begin with a dash.
  const Ended ended =
      run_gnuplot(directory,
                  {"-d", "-e", "picture = " + gnuplot_file(picture_file.temporary().filename()),
                   "./" + files.script.filename().string()},
                  held.before());
  const std::string kept = "; the script is " + files.script.string();
  if (ended.not_started == ENOENT) {
    throw std::runtime_error("gnuplot is not installed: install gnuplot-nox" + kept);
  }
  if (ended.not_started != 0) {
    throw std::runtime_error(
        fmt::format("gnuplot cannot be started: {}{}", std::strerror(ended.not_started), kept));
  }
  std::error_code unknown;
  const bool drawn = std::filesystem::file_size(picture_file.temporary(), unknown) > 0 && !unknown;
  if (!ended.well || !drawn) {
    throw std::runtime_error("gnuplot failed: " + first_error(ended.said) + kept);
  }
  picture_file.keep();
}

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";  // in single quotes gnuplot replaces nothing
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const auto c = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out += '?';
    } else if (length > 1) {
      out += text.substr(at, length);
    } else if (c < 0x20 || c == 0x7F) {
      out += ' ';
    } else {
      if (std::strchr("_^{}@&~\\", text[at]) != nullptr) out += '\\';
      // It reads '' as one quote, but not at the beginning, nor twice in a row.
      out += c == '\'' ? std::string("'.\"'\".'") : std::string(1, text[at]);
    }
    at += length == 0 ? 1 : length;
  }
  return out + "'";
}

std::string gnuplot_file(const std::filesystem::path& name) {
  const std::string text = name.string();
  std::string out = "\"";
  // "<" and "|" would begin a pipe, "-" and "+" mean something, "~" is somebody's home.
  const auto first = static_cast<unsigned char>(text.empty() ? 'x' : text[0]);
  if (std::isalnum(first) == 0 && first < 0x80) out += "./";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F || c == '"' || c == '\\' || c == '`') {
      out += fmt::format("\\{:03o}", code);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace by_gnuplot
}  // namespace carom::report
