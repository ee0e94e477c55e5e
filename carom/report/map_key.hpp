// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <carom/report/map_colours.hpp>
#include <carom/report/map_frame.hpp>

namespace carom::report {

/// The key of a map of categories: for each entry a sample, its label, its share of the map and,
/// below in small letters, what it means.
class Key {
 public:
  /// @param width  [px] that it may use
  explicit Key(double width) : width_(width) {}

  void area(const KeyEntry& entry, const std::string& remark);
  void line(const study::BoundaryCurve& curve);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] double height() const;  ///< [px]

  /// Labels and objects on the screen, its upper left corner there.
  [[nodiscard]] std::string script(const Spot& corner, double page_width, double page_height) const;

 private:
  struct Row {
    std::string colour;  ///< empty: a line
    std::string label;
    std::string share;
    std::vector<std::string> meaning;  ///< lines of small letters
    bool dotted = false;
  };
  [[nodiscard]] std::vector<std::string> small(const std::string& text) const;

  double width_;
  std::vector<Row> rows_;
};

}  // namespace carom::report
