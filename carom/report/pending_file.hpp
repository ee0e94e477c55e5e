// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace carom::report {

/// A file that appears under its name whole or not at all: it is made under another name in the
/// same directory, and renamed by `keep`. Not kept, it is removed.
class PendingFile {
 public:
  /// Throws std::runtime_error where the directory does not allow it.
  explicit PendingFile(std::filesystem::path name);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// The name it has until it is kept: plain letters and digits, with the extension of the other.
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

  /// All that it holds. Throws std::runtime_error, on a full disk for example.
  void write(std::string_view text) const;

  /// The same piece by piece: adds to what it holds.
  void append(std::string_view text) const;

  /// Gives it its name, in the place of any file that had it.
  void keep();

 private:
  void put(std::string_view text, const char* how) const;

  std::filesystem::path name_;
  std::filesystem::path temporary_;
};

/// The whole file at once.
void write_whole(const std::filesystem::path& name, std::string_view text);

}  // namespace carom::report
