// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <carom/motion/simulation.hpp>
#include <carom/report/motion/trajectory.hpp>

namespace carom::report {

/// Numbers by contact, of which most are the same: the others are stored. Of all contacts within
/// reach few touch.
class ContactNumbers {
 public:
  ContactNumbers() = default;
  /// @param usual  is not stored; NaN means any NaN
  ContactNumbers(const std::vector<double>& values, double usual);

  struct Entry {
    std::size_t place = 0;
    double value = 0.;
  };
  [[nodiscard]] const std::vector<Entry>& stored() const { return stored_; }
  [[nodiscard]] double operator[](std::size_t i) const;
  /// An entry; `missing` where the contact was not known yet.
  [[nodiscard]] double at(std::size_t i, double missing) const {
    return i < size_ ? (*this)[i] : missing;
  }
  [[nodiscard]] double sum() const;  ///< of those that are stored

 private:
  std::vector<Entry> stored_;  ///< ascending
  std::size_t size_ = 0;
  double usual_ = 0.;
};

/// A motion thinned for pictures, however long it is.
class MotionHistory {
 public:
  /// An EnergyAccount since the start [J].
  struct Energy {
    double kinetic = 0.;
    double potential = 0.;
    double drives = 0.;
    double dampers = 0.;
    double dropped = 0.;
    double corrections = 0.;
    ContactNumbers impacts{};
    ContactNumbers friction{};
  };

  struct Point {
    std::size_t order = 0;  ///< points in this order are in the order in which they were reported
    double time = 0.;
    std::vector<double> q;
    std::vector<double> u;
    ContactNumbers velocity{};  ///< of the contacts
    Energy energy{};
    RowSide side = RowSide::sample;
    std::size_t sticking = 0;  ///< number of contacts
    std::size_t slipping = 0;  ///< number of contacts
    ContactNumbers force{};    ///< of the contacts, if it is kept
    ContactNumbers gap{};      ///< of the contacts, if it is kept
  };

  /// What happened at one instant, and the states on both sides.
  struct Moment {
    Point before;
    Point after;  ///< that of `before` where the run ended in between
    std::vector<motion::Event> events;
    double jump = 0.;  ///< the largest change of a contact's velocity [m/s]
  };

  /// A stretch in which a contact does not change what it does.
  struct Phase {
    double from = 0.;
    double to = 0.;
    motion::ContactStatus status;
  };

  /// Keeps at most `most` samples, evenly over those that were reported, and at most half as many
  /// moments: those with the largest jumps. Half of a limit is kept at least where more was
  /// reported. Points of large systems are fewer, so that memory does not grow with the number of
  /// contacts times that of samples.
  explicit MotionHistory(std::size_t most = 2000) : most_(most) {}

  /// Keeps everything, forces and gaps of the contacts too.
  [[nodiscard]] static MotionHistory complete() {
    MotionHistory all(std::numeric_limits<std::size_t>::max());
    all.most_marks_ = all.most_;
    all.forces_ = true;
    return all;
  }

  /// Leaves out samples, evenly, and moments, those with the smallest jumps, until about `most`
  /// points are left. For a program that is about to end: their memory is not freed.
  void thin(std::size_t most);

  /// See Recorder::contact.
  void contact(std::size_t number, const ContactId& id);
  void sample(const motion::Sample& sample);
  void side(const motion::Sample& sample, motion::Side side);
  void event(const motion::Event& event);

  /// Contacts beyond those that the model knows from the start.
  [[nodiscard]] const std::vector<ContactId>& found() const { return found_; }

  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }
  [[nodiscard]] std::size_t moments_left_out() const { return moments_left_out_; }
  [[nodiscard]] std::size_t samples_left_out() const { return told_ - samples_.size(); }

  /// Samples and both sides of the moments, as they followed each other.
  [[nodiscard]] std::vector<const Point*> points() const;
  /// The last of them; null: none.
  [[nodiscard]] const Point* last_point() const;

  /// Of each contact, all but open ones.
  [[nodiscard]] const std::vector<std::vector<Phase>>& phases() const { return phases_; }

  /// Times of impacts, by contact.
  [[nodiscard]] const std::vector<std::vector<double>>& impacts() const { return impacts_; }

 private:
  [[nodiscard]] Point point(const motion::Sample& sample, RowSide side);
  void go_on(std::size_t contacts, double time);
  void change(std::size_t contact, const motion::ContactStatus& to, double time);
  void see(const motion::Sample& sample);
  [[nodiscard]] std::size_t most_points(const Point& like) const;
  void thin_samples();
  [[nodiscard]] double least_jump(std::size_t moments) const;
  void thin_moments();

  std::size_t most_;
  std::size_t most_marks_ = 2000;  ///< of phases and impacts of a contact
  bool forces_ = false;            ///< are kept
  std::size_t every_ = 1;          ///< one of so many samples is kept
  std::size_t told_ = 0;
  std::size_t order_ = 0;
  bool open_ = false;  ///< the last moment has not ended
  std::size_t moments_left_out_ = 0;
  std::vector<ContactId> found_;
  std::size_t known_ = 0;  ///< number of the first contact that was found
  std::vector<Point> samples_;
  std::vector<Moment> moments_;
  std::vector<std::vector<Phase>> phases_;
  std::vector<std::vector<double>> impacts_;
  std::vector<bool> running_;  ///< the last phase goes on
};

}  // namespace carom::report
