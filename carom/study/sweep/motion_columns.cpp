// SPDX-License-Identifier: Apache-2.0
#include <carom/study/sweep/motion_columns.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/study/sweep/impacts.hpp>

namespace carom::study {
namespace {

using motion::EventKind;
using What = MotionColumn::What;

struct Known {
  std::string_view name;
  What what;
  std::string_view unit;
  std::string_view label;
  enum class Of : std::uint8_t { end, event, both } of;
};
constexpr std::array known_numbers{
    Known{"ending", What::ending, "", "how the run ended", Known::Of::end},
    Known{"end_time", What::time, "s", "time at the end", Known::Of::end},
    Known{"time", What::time, "s", "time of the event", Known::Of::event},
    Known{"events", What::events, "", "events", Known::Of::end},
    Known{"impacts", What::impacts, "", "impacts", Known::Of::end},
    Known{"kinetic", What::kinetic, "J", "kinetic energy", Known::Of::both},
    Known{"potential", What::potential, "J", "potential energy", Known::Of::both},
    Known{"energy", What::energy, "J", "kinetic and potential energy", Known::Of::both},
    Known{"energy_lost", What::energy_lost, "J", "energy lost since the start", Known::Of::both},
    Known{"energy_change", What::energy_change, "J", "change of energy by the event",
          Known::Of::event},
    Known{"normal_impulse", What::normal_impulse, "N s", "normal impulse of the event",
          Known::Of::event},
    Known{"tangential_impulse", What::tangential_impulse, "N s",
          "tangential impulse, of an event at one contact in the plane", Known::Of::event},
};

struct Ended {
  std::string_view label;
  std::string_view meaning;
};
/// In the order of motion::Ending.
constexpr std::array endings{
    Ended{"time", "reached its end time"}, Ended{"model", "reached an end condition of the system"},
    Ended{"events", "reached the limit of events"}, Ended{"stopped", "was stopped"},
    Ended{"failed", "could not be followed further"}};

std::vector<EventKind> kinds_of(const std::string& name, const scenario::PlacedText& asked) {
  // An impact after which contact begins is an impact, too.
  if (name == "impact") return {EventKind::impact, EventKind::impact_to_contact};
  std::vector<std::string_view> names;
  for (int k = 0; k <= static_cast<int>(EventKind::end); ++k) {
    const auto kind = static_cast<EventKind>(k);
    if (motion::name(kind) == name) return {kind};
    names.push_back(motion::name(kind));
  }
  throw InputError(asked.field, "unknown event '" + name + "'" + did_you_mean(name, names),
                   asked.place);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto at = std::min(text.find(' '), text.size());
    if (at > 0) words.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return words;
}

/// "impact", "impact 2", "impact last before".
void read_event(MotionColumn& m, const std::string& text, const scenario::PlacedText& asked) {
  std::vector<std::string> words = words_of(text);
  const auto refuse = [&] {
    throw InputError(asked.field,
                     "must be NAME@EVENT, NAME@EVENT N or NAME@EVENT last, with 'before' after it "
                     "for the state before, as in 'energy@impact 2 before'; got '" +
                         asked.text + "'",
                     asked.place);
  };
  if (words.empty()) refuse();
  m.at_event = true;
  if (words.back() == "before") {
    m.before = true;
    words.pop_back();
  }
  if (words.empty() || words.size() > 2) refuse();
  m.kinds = kinds_of(words[0], asked);
  if (words.size() < 2) return;
  if (words[1] == "last") {
    m.number = 0;
    return;
  }
  const char* end = words[1].data() + words[1].size();
  const auto [at, error] = std::from_chars(words[1].data(), end, m.number);
  if (error != std::errc() || at != end || m.number == 0) refuse();
}

/// State and energies at an instant.
struct Instant {
  State state;
  double kinetic = 0.;
  double potential = 0.;
};

/// Notes what columns ask of a run.
class Notes : public motion::Recorder {
 public:
  Notes(const std::vector<MotionColumn>& columns, const std::atomic<bool>* stop)
      : columns_(columns),
        stop_(stop),
        seen_(columns.size(), 0),
        values_(columns.size(), undefined) {
    sides_ = std::ranges::any_of(columns, [](const MotionColumn& c) { return c.at_event; });
  }

  void begin(std::size_t components, double energy) {
    components_ = components;
    energy_at_start_ = energy;
    std::fill(seen_.begin(), seen_.end(), 0);
    std::fill(values_.begin(), values_.end(), undefined);
    pending_.clear();
    before_.reset();
  }
  void event(const motion::Event& e) override {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const MotionColumn& m = columns_[c];
      if (!m.at_event || std::ranges::find(m.kinds, e.kind) == m.kinds.end()) continue;
      if (++seen_[c] != m.number && m.number != 0) continue;
      values_[c] = of_event(m, e);
      if (!is_of_event(m.what)) {
        if (m.before) {
          if (before_) values_[c] = of(m, *before_);
        } else {
          pending_.push_back(c);
        }
      }
    }
  }
  void sample(const motion::Sample& s) override { last_ = instant(s); }
  bool stop() override { return stop_ != nullptr && stop_->load(); }
  [[nodiscard]] bool wants_sides() const override { return sides_; }
  void side(const motion::Sample& s, motion::Side side) override {
    if (side == motion::Side::before) {
      before_ = instant(s);
      return;
    }
    const Instant now = instant(s);
    for (const std::size_t c : pending_) values_[c] = of(columns_[c], now);
    pending_.clear();
  }

  /// The value of a column when the run has ended.
  [[nodiscard]] double value(std::size_t c, const motion::Summary& summary) const {
    const MotionColumn& m = columns_[c];
    if (m.what == What::ending) return static_cast<double>(summary.ending);
    if (m.at_event) return values_[c];
    if (summary.ending == motion::Ending::failed || !last_) return undefined;
    if (m.what == What::events) return static_cast<double>(summary.progress.events);
    if (m.what == What::impacts) return static_cast<double>(summary.progress.impacts);
    return of(m, *last_);
  }

 private:
  static Instant instant(const motion::Sample& s) { return {s.state, s.kinetic, s.potential}; }
  static bool is_of_event(What what) {
    return what == What::time || what == What::energy_change || what == What::normal_impulse ||
           what == What::tangential_impulse;
  }
  [[nodiscard]] double of_event(const MotionColumn& m, const motion::Event& e) const {
    switch (m.what) {
      case What::time:
        return e.time;
      case What::energy_change:
        return e.energy_change;
      case What::normal_impulse: {
        if (e.impulse.empty()) return undefined;
        double sum = 0.;
        for (std::size_t i = 0; i < e.impulse.size(); i += components_) sum += e.impulse[i];
        return sum;
      }
      case What::tangential_impulse:
        return components_ == 2 && e.impulse.size() == 2 ? e.impulse[1] : undefined;
      default:
        return undefined;
    }
  }
  [[nodiscard]] double of(const MotionColumn& m, const Instant& at) const {
    switch (m.what) {
      case What::time:
        return at.state.time;
      case What::kinetic:
        return at.kinetic;
      case What::potential:
        return at.potential;
      case What::energy:
        return at.kinetic + at.potential;
      case What::energy_lost:
        return energy_at_start_ - (at.kinetic + at.potential);
      case What::position:
        return at.state.q[static_cast<Eigen::Index>(m.index)];
      case What::velocity:
        return at.state.u[static_cast<Eigen::Index>(m.index)];
      default:
        return undefined;
    }
  }

  const std::vector<MotionColumn>& columns_;
  const std::atomic<bool>* stop_;
  bool sides_ = false;
  std::size_t components_ = 2;
  double energy_at_start_ = 0.;
  std::vector<std::size_t> seen_;     ///< events of the kind, by column
  std::vector<double> values_;        ///< of columns at events
  std::vector<std::size_t> pending_;  ///< columns that wait for the state after
  std::optional<Instant> before_;
  std::optional<Instant> last_;
};

class MotionEvaluator : public Evaluator {
 public:
  explicit MotionEvaluator(const SweepPlan& plan)
      : plan_(plan), document_(plan.text, plan.name), varying_(varying_numbers(plan)) {
    for (const scenario::SweepAxis& axis : plan.request.axes) {
      numbers_.push_back(&document_.number(axis.path));
      *numbers_.back() = axis.number().from;
    }
    const scenario::MotionScenario s = scenario::read_motion(document_.top(), plan.name);
    for (const scenario::PlacedText& asked : plan.request.show) {
      columns_.push_back(motion_column(asked, *s.model));
    }
  }

  void evaluate(const Columns& inputs, std::size_t count, std::size_t first, Columns& values,
                Faults& faults) override {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < varying_.size(); ++k) *numbers_[varying_[k]] = inputs[k][i];
      for (std::vector<double>& column : values) column[i] = undefined;
      try {
        run(i, first + i, values, faults);
      } catch (const InputError& e) {
        const std::string what = e.field().empty() ? "" : e.field() + ": ";
        faults.add(kind_of_fault(what + e.problem()), first + i, what + e.problem());
      }
    }
  }

 private:
  void run(std::size_t i, std::size_t number, Columns& values, Faults& faults) {
    scenario::MotionScenario s = scenario::read_motion(document_.top(), plan_.name);
    // Only the last state is of interest; where samples are decides the steps of stepping alone.
    if (s.options.method == motion::MotionMethod::events || !(s.options.sample_interval > 0.)) {
      s.options.sample_interval = s.options.end_time;
    }
    const motion::Progress from = motion::start(*s.model, s.start, s.surfaces, s.options);
    Notes notes(columns_, stop);
    notes.begin(s.model->components(), from.energy.kinetic_start + from.energy.potential_start);
    const motion::Summary summary = motion::simulate(*s.model, s.surfaces, s.options, from, notes);
    if (summary.ending == motion::Ending::stopped) throw Interrupted();
    for (std::size_t c = 0; c < columns_.size(); ++c) values[c][i] = notes.value(c, summary);
    if (summary.ending == motion::Ending::failed) {
      faults.add("the motion cannot be followed: " + std::string(motion::name(summary.failure)),
                 number, summary.reason);
    }
  }

  const SweepPlan& plan_;
  scenario::Document document_;
  std::vector<std::size_t> varying_;
  std::vector<double*> numbers_;
  std::vector<MotionColumn> columns_;
};

}  // namespace

MotionColumn motion_column(const scenario::PlacedText& asked, const Model& model) {
  MotionColumn m;
  const auto at = asked.text.find('@');
  const std::string name = asked.text.substr(0, at);
  if (at != std::string::npos) read_event(m, asked.text.substr(at + 1), asked);
  m.column.name = asked.text;
  const std::string when = m.at_event ? " at " + asked.text.substr(at + 1) : "";
  const auto found = [&](std::string_view label, std::string_view unit) {
    m.column.label = std::string(label) + when;
    m.column.unit = unit;
    return m;
  };
  std::vector<std::string> names;
  for (const Known& k : known_numbers) {
    const bool fits = k.of == Known::Of::both || (k.of == Known::Of::event) == m.at_event;
    if (fits) names.emplace_back(k.name);
    if (k.name != name) continue;
    if (!fits) {
      throw InputError(asked.field,
                       name + (m.at_event ? " is of the end of a motion; leave out '@...'"
                                          : " is of an event; name it, as in " + name + "@impact"),
                       asked.place);
    }
    m.what = k.what;
    if (k.what == What::ending) {
      for (const Ended& e : endings) {
        m.column.categories.push_back(
            {.label = std::string(e.label), .meaning = std::string(e.meaning)});
      }
    }
    return found(k.label, k.unit);
  }
  for (std::size_t i = 0; i < model.positions(); ++i) {
    names.push_back(model.position_name(i));
    if (names.back() != name) continue;
    m.what = What::position;
    m.index = i;
    return found(name, model.position_unit(i));
  }
  for (std::size_t i = 0; i < model.velocities(); ++i) {
    names.push_back(model.velocity_name(i));
    if (names.back() != name) continue;
    m.what = What::velocity;
    m.index = i;
    const std::string_view unit = model.velocity_unit(i);  // per second
    return found(name, unit.empty() ? "1/s" : std::string(unit) + "/s");
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  throw InputError(asked.field, "a motion has no '" + name + "'" + did_you_mean(name, views),
                   asked.place);
}

std::string motion_quantity_list() {
  std::string list;
  for (const Known& k : known_numbers) {
    std::string name(k.name);
    if (k.of == Known::Of::event) name += "@EVENT";
    name.resize(std::max<std::size_t>(name.size() + 1, 29), ' ');
    list += "\n  " + name + std::string(k.label);
  }
  return list;
}

std::unique_ptr<Evaluator> make_motion_evaluator(const SweepPlan& plan) {
  return std::make_unique<MotionEvaluator>(plan);
}

}  // namespace carom::study
