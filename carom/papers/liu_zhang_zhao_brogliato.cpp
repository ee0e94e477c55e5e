// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/liu_zhang_zhao_brogliato.hpp>

#include <iterator>
#include <utility>

namespace carom::papers {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Reproduction liu_zhang_zhao_brogliato() {
  Reproduction r;
  append(r.parts, disc_ball::model_parts());
  append(r.parts, disc_ball::input_parts());
  r.parts.push_back(disc_ball::friction_part());
  append(r.parts, disc_ball::stiffness_parts());
  r.parts.push_back(disc_ball::velocity_part());
  append(r.parts, disc_ball::pattern_parts());
  append(r.parts, disc_ball::motion_parts());
  append(r.errata, disc_ball::model_errata());
  append(r.errata, disc_ball::data_errata());
  return r;
}

}  // namespace carom::papers
