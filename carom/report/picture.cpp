// SPDX-License-Identifier: Apache-2.0
#include <carom/report/picture.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/report/pending_file.hpp>

extern "C" char** environ;  // NOLINT(readability-redundant-declaration)

namespace carom::report {
namespace {

constexpr std::string_view packages = "python3 python3-numpy python3-matplotlib python3-pil";

/// Holds back Ctrl-C and the like while it lives: Python gets them and ends, we tidy up, and only
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
  std::string said{};  ///< on standard error
};

/// CAROM_PYTHON, or the interpreter found when Carom was configured.
std::string interpreter() {
  const char* chosen = std::getenv("CAROM_PYTHON");
  return chosen != nullptr && *chosen != '\0' ? chosen : CAROM_PYTHON_EXECUTABLE;
}

/// Where the package `carom` is: beside the installed program, in the source tree, or where it was
/// to be installed.
std::filesystem::path package_directory() {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::array<std::filesystem::path, 3> places{
      program.parent_path().parent_path() / CAROM_PYTHON_INSTALL_DIRECTORY,
      CAROM_PYTHON_SOURCE_DIRECTORY, CAROM_PYTHON_FULL_INSTALL_DIRECTORY};
  for (const auto& place : places) {
    if (std::filesystem::exists(place / "carom" / "plot" / "__init__.py", unknown)) return place;
  }
  throw std::runtime_error("the Python package carom.plot is not where it was installed, " +
                           places.back().string());
}

/// Python in isolated mode (-I: no directory of the user's is searched for modules), without a
/// shell.
Ended run_python(const std::vector<std::string>& arguments, const sigset_t& signals) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {.not_started = errno};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);

  std::vector<std::string> words{interpreter(), "-I"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  Ended ended;
  pid_t child = 0;
  ended.not_started = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
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

/// The last line of a traceback: "ValueError: what".
std::string last_line(const std::string& said) {
  std::string last = "it does not say why";
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t") != std::string::npos) last = line;
  }
  return last;
}

/// @param kept  what is left of the picture, for the message
void require_drawn(const Ended& ended, const std::string& kept) {
  if (ended.not_started != 0) {
    throw std::runtime_error(fmt::format(
        "pictures need Python: {} cannot be started ({}); install {}, or name another interpreter "
        "by CAROM_PYTHON; {}",
        interpreter(), std::strerror(ended.not_started), packages, kept));
  }
  if (ended.well) return;
  if (ended.said.find("ModuleNotFoundError: No module named") != std::string::npos) {
    throw std::runtime_error(
        std::getenv("CAROM_PYTHON") != nullptr
            ? fmt::format("pictures need NumPy and matplotlib: CAROM_PYTHON, {}, says: {}; install "
                          "them for "
                          "it, or leave CAROM_PYTHON out; {}",
                          interpreter(), last_line(ended.said), kept)
            : fmt::format("pictures need Python packages: {} says: {}; install {}; {}",
                          interpreter(), last_line(ended.said), packages, kept));
  }
  throw std::runtime_error(
      fmt::format("the picture could not be drawn: {}; {}", last_line(ended.said), kept));
}

}  // namespace

PictureFiles picture_files(const std::filesystem::path& picture, std::string_view field,
                           std::initializer_list<std::string_view> endings) {
  std::string given = picture.extension().string();
  for (char& c : given) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(endings.begin(), endings.end(), given) != endings.end()) {
    const auto beside = [&](const char* ending) {
      std::filesystem::path file = picture;
      return file += ending;
    };
    return {.picture = picture, .record = beside(".json"), .script = beside(".py")};
  }
  std::string list;
  for (const auto* e = endings.begin(); e != endings.end(); ++e) {
    list += e == endings.begin() ? "" : (e + 1 == endings.end() ? " or " : ", ");
    list += *e;
  }
  throw InputError(std::string(field), fmt::format("must name a file that ends in {}, got '{}'",
                                                   list, picture.string()));
}

bool remove_older(const PictureFiles& files) {
  std::error_code none;
  const auto picture = std::filesystem::canonical(files.picture, none);
  if (none) return false;
  const bool removed = std::filesystem::remove(picture, none);
  if (none) {
    throw std::runtime_error("cannot replace " + files.picture.string() + ": " + none.message());
  }
  return removed;
}

std::string picture_script() {
  const auto quoted = [](const std::string& text) {
    std::string out;
    append_text(out, text);  // a string of JSON is one of Python
    return out;
  };
  return fmt::format(
      "# Draws the picture that this file is named after, from the record beside it.\n"
      "# Run it with {}.\n"
      "# To restyle it, change `figure`, a matplotlib Figure, before it is saved.\n"
      "import sys\n"
      "\n"
      "sys.path.insert(0, {})\n"
      "import carom.plot\n"
      "\n"
      "picture = __file__[: -len(\".py\")]\n"
      "figure = carom.plot.draw(carom.plot.read(picture + \".json\"))\n"
      "carom.plot.save(figure, picture)\n",
      quoted(interpreter()), quoted(package_directory().string()));
}

void draw(const PictureFiles& files, std::string_view record) {
  const SignalsHeld held;
  { const PendingFile possible(files.picture); }  // an error names what the user gave
  PendingFile record_file(files.record);
  PendingFile script_file(files.script);
  record_file.write(record);
  script_file.write(picture_script());
  const bool older = remove_older(files);
  record_file.keep();
  script_file.keep();
  const std::string kept =
      fmt::format("the record is {}, the script {}{}", files.record.string(), files.script.string(),
                  older ? "; the older picture is removed" : "");
  const auto script = std::filesystem::absolute(files.script);
  require_drawn(run_python({script.string()}, held.before()), kept);
  std::error_code none;
  if (!std::filesystem::exists(files.picture, none)) {
    throw std::runtime_error(fmt::format(
        "the picture was not drawn: {} ended without writing it; {}", interpreter(), kept));
  }
}

void draw_all(const std::vector<PictureFiles>& pictures, unsigned processes) {
  const SignalsHeld held;
  std::vector<std::string> arguments{
      (package_directory() / "carom" / "plot" / "__main__.py").string(), "--processes",
      std::to_string(processes)};
  for (const PictureFiles& files : pictures) {
    PendingFile script_file(files.script);
    script_file.write(picture_script());
    script_file.keep();
    arguments.push_back(std::filesystem::absolute(files.picture).string());
  }
  require_drawn(run_python(arguments, held.before()), "the records are kept");
}

std::string wrote(const PictureFiles& files) {
  return fmt::format("carom: wrote {}, with {} and {}\n", files.picture.string(),
                     files.record.string(), files.script.string());
}

}  // namespace carom::report
