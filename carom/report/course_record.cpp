// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/report/comparison/report.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/report/record_parts.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;

constexpr std::size_t most_course_samples = 4000;
constexpr std::size_t most_columns = 900;
constexpr std::size_t most_course_rows = 250;

/// The answer that has a course.
const Answer& traced(const Comparison& c) {
  return *std::find_if(c.answers.begin(), c.answers.end(),
                       [](const Answer& a) { return a.course.samples() > 1; });
}

std::vector<double> sum_of_impulses(const Course& trace) {
  std::vector<double> sum(trace.samples(), 0.);
  for (std::size_t s = 0; s < trace.samples(); ++s) {
    for (std::size_t i = 0; i < trace.contacts; ++i) {
      sum[s] += trace.impulse[s * trace.contacts + i];
    }
  }
  return sum;
}

/// "lzb; 4 contacts; e = 0.7 to 0.9, μ = 0.1; 38.28 % of the energy lost"
std::string subtitle(const Comparison& c) {
  const std::size_t n = c.problem().contacts();
  std::string text = fmt::format("{}; {} contact{}; {}", traced(c).law->name, n, n == 1 ? "" : "s",
                                 coefficients_text(c.problem(), true));
  const double lost = -traced(c).outcome.energy.change;
  if (c.energy_before > 0.) {
    text += fmt::format("; {} % of the energy lost",
                        pretty(std::round(1e4 * lost / c.energy_before) / 100.));
  }
  return text;
}

/// How many samples are worth drawing: small bounces may follow for long. Colours show less than
/// lines do.
std::size_t drawn_samples(const Course& trace, const std::vector<double>& at) {
  const double share = trace.contacts <= few_contacts ? 1e-4 : 5e-3;
  const double least = share * *std::max_element(trace.force.begin(), trace.force.end());
  const auto quiet = [&](std::size_t s) {
    const auto first = trace.force.begin() + static_cast<std::ptrdiff_t>(s * trace.contacts);
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(trace.contacts),
                       [&](double f) { return f < least; });
  };
  std::size_t last = trace.samples() - 1;
  while (last > 0 && quiet(last)) --last;
  if (!(at[last] > 0.)) return trace.samples();
  const auto end = std::upper_bound(at.begin(), at.end(), 1.08 * at[last]);
  return std::max<std::size_t>(static_cast<std::size_t>(end - at.begin()), 2);
}

/// A quantity of the course: its key in the record and where the trace has it.
struct Row {
  std::string_view key;
  const std::vector<double> Course::*values;
};
constexpr Row rows[] = {{"velocity_normal", &Course::velocity},
                        {"slip", &Course::slip},
                        {"force_normal", &Course::force},
                        {"stored_energy", &Course::energy}};

/// The course as it was computed, contact by contact.
void write_samples(JsonWriter& out, const Course& trace, const std::vector<double>& impulse,
                   std::size_t count, std::size_t components) {
  std::vector<std::size_t> samples;
  const std::size_t step = (count + most_course_samples - 1) / most_course_samples;
  for (std::size_t s = 0; s + 1 < count; s += step) samples.push_back(s);
  samples.push_back(count - 1);
  const auto column = [&](const auto& value) {
    out.begin_array();
    for (const std::size_t s : samples) out.number(value(s), JsonWriter::Digits::drawing);
    out.end_array();
  };
  out.key("samples").begin_object();
  out.key("time");
  column([&](std::size_t s) { return trace.time[s]; });
  out.key("impulse");
  column([&](std::size_t s) { return impulse[s]; });
  for (const Row& row : rows) {
    if (row.values == &Course::slip && components == 1) continue;
    out.key(row.key).begin_array();
    for (std::size_t i = 0; i < trace.contacts; ++i) {
      column([&](std::size_t s) { return (trace.*row.values)[s * trace.contacts + i]; });
    }
    out.end_array();
  }
  out.end_object();
}

/// The course of many contacts on a grid of even steps of the axis and of contacts.
class Cells {
 public:
  Cells(const Course& trace, const std::vector<double>& at, std::size_t count)
      : trace_(trace), at_(at), count_(count), end_(at[count - 1] > 0. ? at[count - 1] : 1.) {
    contacts_a_row_ = (trace.contacts + most_course_rows - 1) / most_course_rows;
    rows_ = (trace.contacts + contacts_a_row_ - 1) / contacts_a_row_;
  }

  void write(JsonWriter& out, std::size_t components) const {
    out.key("cells").begin_object();
    out.member("end", end_).member("contacts_a_row", contacts_a_row_);
    for (const Row& row : rows) {
      if (row.values == &Course::slip && components == 1) continue;
      write_row(out.key(row.key), trace_.*row.values);
    }
    out.end_object();
  }

 private:
  /// The values in a cell.
  struct Cell {
    double least = 0.;     ///< and zero
    double greatest = 0.;  ///< and zero
    double sum = 0.;       ///< over contacts and along the axis
    [[nodiscard]] double shown() const { return sum < 0. ? least : greatest; }
  };

  /// In each cell the value farthest from zero that has the sign of the mean, so that a wave leaves
  /// no gaps. In a wave contacts approach and separate at the same speed: by size alone the sign
  /// would be arbitrary.
  void write_row(JsonWriter& out, const std::vector<double>& values) const {
    std::vector<Cell> grid(rows_ * most_columns);
    for (std::size_t s = 0; s + 1 < count_; ++s) add_stretch(grid, values, s);
    double most = 0.;
    for (const Cell& cell : grid) most = std::max(most, std::abs(cell.shown()));
    const double step = 1e-4 * most;  // finer than any colour
    out.begin_array();
    for (std::size_t r = 0; r < rows_; ++r) {
      out.begin_array();
      for (std::size_t k = 0; k < most_columns; ++k) {
        const double v = grid[r * most_columns + k].shown();
        out.number(step > 0. ? std::round(v / step) * step : 0., JsonWriter::Digits::drawing);
      }
      out.end_array();
    }
    out.end_array();
  }

  /// From one sample to the next values change linearly; they are farthest from zero at an end of
  /// what of the stretch lies in a column.
  void add_stretch(std::vector<Cell>& grid, const std::vector<double>& values,
                   std::size_t s) const {
    const double width = end_ / most_columns;
    const double from = at_[s];
    const double to = at_[s + 1];
    for (std::size_t k = column(from); k <= column(to); ++k) {
      const auto share = [&](double x) {
        return to > from ? std::clamp((x - from) / (to - from), 0., 1.) : 0.;
      };
      const double enters = share(static_cast<double>(k) * width);
      const double leaves = to > from ? share(static_cast<double>(k + 1) * width) : 1.;
      for (std::size_t i = 0; i < trace_.contacts; ++i) {
        const double a = values[s * trace_.contacts + i];
        const double b = values[(s + 1) * trace_.contacts + i];
        Cell& cell = grid[i / contacts_a_row_ * most_columns + k];
        for (const double v : {a + enters * (b - a), a + leaves * (b - a)}) {
          cell.least = std::min(cell.least, v);
          cell.greatest = std::max(cell.greatest, v);
          cell.sum += v * (leaves - enters) * (to - from);
        }
      }
    }
  }

  [[nodiscard]] std::size_t column(double x) const {
    const auto k = static_cast<std::size_t>(std::max(0., x / end_ * most_columns));
    return std::min(k, most_columns - 1);
  }

  const Course& trace_;
  const std::vector<double>& at_;
  std::size_t count_;
  double end_;
  std::size_t contacts_a_row_ = 1;
  std::size_t rows_ = 0;
};

}  // namespace

std::string course_record(const scenario::Scenario& s, const Comparison& c, CourseAxis axis) {
  const Course& trace = traced(c).course;
  const std::vector<double> impulse = sum_of_impulses(trace);
  const std::vector<double>& at = axis == CourseAxis::time ? trace.time : impulse;
  const std::size_t count = drawn_samples(trace, at);
  const std::size_t d = c.problem().components();

  JsonWriter out;
  begin_picture(out, "course", s, subtitle(c));
  out.member("law", traced(c).law->name);
  out.member("over", axis == CourseAxis::time ? "time" : "impulse");
  const RecordQuantity slip = d == 2 ? RecordQuantity{"slip", "slip", "vₜ", "m/s"}
                                     : RecordQuantity{"slip", "slip speed", "|vₜ|", "m/s"};
  write_quantities(out, {{"time", "reconstructed time", "", "s"},
                         {"impulse", "sum of the normal impulses", "", "N s"},
                         {"velocity_normal", "normal velocity", "vₙ", "m/s"},
                         slip,
                         {"force_normal", "normal force", "Fₙ", "N"},
                         {"stored_energy", "stored energy", "E", "J"}});
  if (trace.contacts <= few_contacts) {
    write_samples(out, trace, impulse, count, d);
  } else {
    Cells(trace, at, count).write(out, d);
  }
  out.end_object();
  return comparison_json(s, c, picture_member(out));
}

bool draws_course(ContactKind kind) { return kind.contacts > 1 || kind.components == 1; }

std::string impact_record(const scenario::Scenario& s, const Comparison& c, CourseAxis axis) {
  const ContactKind kind = kind_of(c.problem());
  if (draws_course(kind)) return course_record(s, c, axis);
  if (c.system.vehicles != nullptr) return vehicles_record(s, c);
  return kind.components == 2 ? routh_record(s, c) : hodograph_record(s, c);
}

}  // namespace carom::report
