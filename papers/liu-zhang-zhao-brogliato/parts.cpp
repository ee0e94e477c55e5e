// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <papers/publications.hpp>

namespace carom::papers {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// By the number of their ids, "L2" before "L10".
bool in_order(const Erratum& a, const Erratum& b) {
  return std::stoi(a.id.substr(1)) < std::stoi(b.id.substr(1));
}

}  // namespace

Reproduction liu_zhang_zhao_brogliato() {
  Reproduction r;
  append(r.parts, disc_ball::model_parts());
  r.parts.push_back(disc_ball::painleve_part());
  append(r.parts, disc_ball::input_parts());
  r.parts.push_back(disc_ball::friction_part());
  append(r.parts, disc_ball::stiffness_parts());
  r.parts.push_back(disc_ball::velocity_part());
  r.parts.push_back(disc_ball::pattern_figure_part());
  r.parts.push_back(disc_ball::pattern_table_part());
  append(r.parts, disc_ball::motion_parts());
  append(r.errata, disc_ball::equation_errata());
  append(r.errata, disc_ball::law_errata());
  append(r.errata, disc_ball::input_errata());
  append(r.errata, disc_ball::table_errata());
  std::sort(r.errata.begin(), r.errata.end(), in_order);
  return r;
}

}  // namespace carom::papers
