// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <carom/motion/simulation.hpp>
#include <carom/report/table.hpp>

/// The story of a motion in words.
namespace carom::report {

/// One event in a line, without its time: "A: slip+ -> stick (F_t/F_n = -0.039)".
[[nodiscard]] std::string event_text(const motion::Event& event, const motion::Model& model);

/// The same with its time in front, "0.0131200 s  A: ...".
[[nodiscard]] std::string event_line(const motion::Event& event, const motion::Model& model);

/// How it ended, the final state, what each contact does then, and the energy account.
[[nodiscard]] std::string motion_summary(const motion::Model& model, const motion::Summary& summary,
                                         const Page& page);

/// Keeps the first and the last lines of a log, however long it is.
class LogLines {
 public:
  explicit LogLines(std::size_t at_each_end) : most_(at_each_end) {}
  void add(std::string line);

  /// All of them, or those at both ends with a word about those in between.
  [[nodiscard]] std::string text() const;

 private:
  std::size_t most_;
  std::size_t count_ = 0;
  std::vector<std::string> first_;
  std::vector<std::string> last_;  ///< a ring
};

}  // namespace carom::report
