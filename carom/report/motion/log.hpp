// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <carom/motion/simulation.hpp>
#include <carom/report/table.hpp>

/// The story of a motion in words.
namespace carom::report {

/// How much is printed, and with how many digits.
struct Wording {
  bool full = true;    ///< everything with six digits; else what a reader wants, with four: of many
                       ///< contacts and bodies the first or the largest, and how many others
  int decimals = 9;    ///< of times
  double energy = 0.;  ///< what the system has [J]: less than rounding of it is 0

  [[nodiscard]] static Wording full_digits();
  [[nodiscard]] static Wording brief(double end_time, double energy);

  [[nodiscard]] std::string number(double x) const;
  [[nodiscard]] std::string joules(double x) const;
};

/// One event in a line, without its time: "A: slip+ -> stick (needs F_t/F_n = -0.039)".
[[nodiscard]] std::string event_text(const motion::Event& event, const motion::ContactNames& names,
                                     const Wording& wording);

/// The same with its time in front, "0.0131200 s  A: ...".
[[nodiscard]] std::string event_line(const motion::Event& event, const motion::ContactNames& names,
                                     const Wording& wording);

/// What steps of a given length met with.
struct StepCounts {
  std::size_t steps = 0;
  std::size_t shortened = 0;      ///< steps that were tried again with a shorter one
  std::size_t repeated = 0;       ///< islands that were solved again with less restitution
  std::size_t sweeps = 0;         ///< over contacts, in all
  std::size_t formed = 0;         ///< islands that were solved by their whole matrix
  std::size_t not_converged = 0;  ///< islands whose residual stayed too large
};
/// None if there were no steps of a given length.
[[nodiscard]] std::optional<StepCounts> step_counts(const motion::Progress& progress);

/// How it ended, the final state, what each contact does then, and the energy account. In brief,
/// of many bodies the first, and of many contacts their number, the sums and the largest.
[[nodiscard]] std::string motion_summary(const Model& model, const motion::Summary& summary,
                                         const Page& page, const Wording& wording);

/// Keeps the first and the last lines of a log, however long it is.
class LogLines {
 public:
  /// More lines than any log has.
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max() / 2;

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

/// Events as lines. In brief, of many impacts in a row the first are printed, and of the others how
/// many there were.
class Story {
 public:
  Story(const motion::ContactNames& names, const Wording& wording, std::size_t lines_at_each_end)
      : names_(names), wording_(wording), lines_(lines_at_each_end) {}
  void add(const motion::Event& event);
  [[nodiscard]] std::string text();

 private:
  static constexpr std::size_t impacts_in_a_row = 3;
  void tell_rest();

  const motion::ContactNames& names_;
  Wording wording_;
  LogLines lines_;
  std::size_t shown_ = 0;  ///< impacts in a row, printed
  std::size_t held_ = 0;   ///< and held back
  double held_energy_ = 0.;
  double held_time_ = 0.;
  std::string held_line_{};
  std::vector<std::size_t> held_contacts_{};
};

}  // namespace carom::report
