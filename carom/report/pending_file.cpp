// SPDX-License-Identifier: Apache-2.0
#include <carom/report/pending_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace carom::report {
namespace {

[[noreturn]] void fail(const std::filesystem::path& name, int why) {
  throw std::runtime_error("cannot write " + name.string() + ": " + std::strerror(why));
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path name) : name_(std::move(name)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(name_, ignored)) fail(name_, EISDIR);
  if (std::filesystem::exists(name_, ignored)) {
    if (!std::filesystem::is_regular_file(name_, ignored)) {
      throw std::runtime_error("cannot write " + name_.string() + ": it is not a regular file");
    }
    // Of a link what it points to is replaced, not the link.
    if (std::filesystem::is_symlink(name_, ignored)) name_ = std::filesystem::canonical(name_);
  }
  for (int attempt = 0;; ++attempt) {
    temporary_ = name_.parent_path() / (".carom-" + std::to_string(getpid()) + "-" +
                                        std::to_string(attempt) + name_.extension().string());
    const int file = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      return;
    }
    if (errno != EEXIST || attempt == 1000) fail(name_, errno);
  }
}

PendingFile::~PendingFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void PendingFile::write(std::string_view text) const { put(text, "wbe"); }

void PendingFile::append(std::string_view text) const { put(text, "abe"); }

void PendingFile::put(std::string_view text, const char* how) const {
  std::FILE* out = std::fopen(temporary_.c_str(), how);
  if (out == nullptr) fail(name_, errno);
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const int why = errno;
  if (std::fclose(out) != 0 || !written) fail(name_, written ? errno : why);
}

void PendingFile::keep() {
  if (std::rename(temporary_.c_str(), name_.c_str()) != 0) fail(name_, errno);
  temporary_.clear();
}

void write_whole(const std::filesystem::path& name, std::string_view text) {
  PendingFile file(name);
  file.write(text);
  file.keep();
}

}  // namespace carom::report
