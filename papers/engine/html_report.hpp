// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <papers/engine/publication.hpp>

/// The report of publications as pages for a browser: no network, no scripts.
namespace carom::papers {

/// A publication and what was recomputed of it.
struct Recomputed {
  const Publication* publication = nullptr;
  Reproduction result{};
};

struct ReportOptions {
  std::string version{};                    ///< of Carom
  unsigned threads = 0;                     ///< that draw; 0: as many as there are
  std::function<void(double)> progress{};   ///< called now and then with the share drawn
  const std::atomic<bool>* stop = nullptr;  ///< set by others: give up
};

/// Makes it, with what it holds; throws std::runtime_error where that is not possible.
void make_report_directory(const std::filesystem::path& directory);

/// Writes index.html, a page a publication, errata.html, and pictures/ with their scripts and data.
/// Each file is there whole or not at all. Throws std::runtime_error where a file cannot be
/// written, Interrupted where `stop` ended it.
/// @return why pictures are missing, for example without Python; empty: none is
[[nodiscard]] std::string write_report(const std::filesystem::path& directory,
                                       const std::vector<Recomputed>& all,
                                       const ReportOptions& options);

}  // namespace carom::papers
