// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/partners.hpp>

#include <algorithm>

namespace carom::report {

std::vector<PlanarBody> planar_bodies(const scenario::Drawing& d) {
  std::vector<PlanarBody> bodies;
  for (const scenario::PlanarOutline& o : d.outlines) {
    auto body = std::find_if(bodies.begin(), bodies.end(),
                             [&](const PlanarBody& b) { return b.name == o.body; });
    if (body == bodies.end()) body = bodies.insert(bodies.end(), {.name = o.body, .outlines = {}});
    body->outlines.push_back(&o);
  }
  return bodies;
}

Partners::Partners(const scenario::MotionScenario& s) : scenario_(s) {
  const Model& model = *s.model;
  State state = s.start;
  Vector rate = Vector::Zero(static_cast<Eigen::Index>(model.positions()));
  const auto planar = planar_bodies(s.drawing);
  for (const auto& b : planar) names_.push_back(b.name);
  for (const auto& b : s.drawing.bodies) names_.push_back(b.body);
  moves_.resize(names_.size());
  for (std::size_t j = 0; j < model.velocities(); ++j) {
    state.u.setZero();
    state.u(static_cast<Eigen::Index>(j)) = 1.;
    model.kinematics(state, rate);
    State moved = state;
    moved.q += rate;
    for (std::size_t b = 0; b < planar.size(); ++b) {
      const auto& pose = planar[b].outlines.front()->pose;
      const scenario::PlanarPose from = pose(state);
      const scenario::PlanarPose to = pose(moved);
      if (from.origin != to.origin || from.angle != to.angle) moves_[b].push_back(j);
    }
    for (std::size_t b = 0; b < s.drawing.bodies.size(); ++b) {
      const auto first = static_cast<Eigen::Index>(s.drawing.bodies[b].first);
      if (rate.segment<7>(first).any()) moves_[b].push_back(j);
    }
  }
}

std::vector<std::string> Partners::of(const ContactId& contact) {
  scenario_.model->contact(contact, scenario_.start, contact_);
  const auto is_moved = [&](std::size_t j) {
    std::size_t row = 0;
    for (const VelocityRange& range : contact_.ranges) {
      if (j >= range.begin && j < range.begin + range.size) {
        return contact_.W.row(ix(row + j - range.begin)).any();
      }
      row += range.size;
    }
    return false;
  };
  std::vector<std::string> partners;
  for (std::size_t b = 0; b < names_.size(); ++b) {
    if (std::any_of(moves_[b].begin(), moves_[b].end(), is_moved)) partners.push_back(names_[b]);
  }
  return partners;
}

}  // namespace carom::report
