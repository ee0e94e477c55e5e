// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

/// Scenes of motion that several programs can express, with what they must give.
namespace carom::benchmarks {

inline constexpr double gravity = 9.81;  // [m/s^2]

/// When something happens, and what is the case then.
struct Answer {
  double time = 0.;   ///< [s]
  double value = 0.;  ///< [m] or [m/s]
};

/// A ball is dropped: when it strikes for the 10th time, and how high it rises after that.
struct BouncingBall {
  double mass = 0.5;    ///< [kg]
  double radius = 0.1;  ///< [m]
  double height = 1.;   ///< of its lowest point [m]
  double restitution = 0.9;
  int impacts = 10;

  [[nodiscard]] Answer exact() const {
    double flights = 1.;  // from the top, in times of the fall
    for (int k = 1; k < impacts; ++k) flights += 2. * std::pow(restitution, k);
    return {flights * std::sqrt(2. * height / gravity),
            height * std::pow(restitution, 2 * impacts)};
  }
};

/// A solid sphere is thrown along the floor with backspin: when it begins to roll, and how fast.
struct Backspin {
  double mass = 0.5;
  double radius = 0.1;
  double velocity = 2.;  ///< [m/s]
  double spin = 20.;     ///< against the velocity [rad/s]
  double friction = 0.2;

  [[nodiscard]] double slip() const { return velocity + radius * spin; }  ///< [m/s]
  [[nodiscard]] Answer exact() const {
    const double time = slip() / (3.5 * friction * gravity);
    return {time, velocity - friction * gravity * time};
  }
};

/// A block slides to rest: when, and how far.
struct SlidingBlock {
  double mass = 1.5;
  double half_length = 0.2;  ///< [m]
  double half_height = 0.1;
  double velocity = 1.;
  double friction = 0.3;

  [[nodiscard]] Answer exact() const {
    return {velocity / (friction * gravity), velocity * velocity / (2. * friction * gravity)};
  }
};

/// A program, or one of its methods, on one scene.
struct Rival {
  std::string scene;  ///< "ball", "backspin", "slide"
  std::string name;   ///< "bullet, 1/240 s"
  std::function<Answer()> run;
};

// Each in a file that is built where the program is found.
void add_bullet(std::vector<Rival>& rivals);
void add_mujoco(std::vector<Rival>& rivals);
void add_siconos(std::vector<Rival>& rivals);

/// Steps a ball until it has struck often enough and come to its top. `step` goes on by one step
/// and returns its velocity upwards; `height` its lowest point's.
template <class Step, class Height>
Answer bounce(const BouncingBall& ball, double dt, const Step& step, const Height& height) {
  Answer answer;
  double before = 0.;
  int struck = 0;
  for (int k = 1; static_cast<double>(k) * dt < 20.; ++k) {
    const double v = step();
    if (before < 0. && v > 0. && ++struck == ball.impacts) answer.time = dt * k;
    if (struck >= ball.impacts && v <= 0.) {
      answer.value = height();
      return answer;
    }
    before = v;
  }
  return {NAN, NAN};
}

/// Steps until slip has all but ended, and returns when its last fall comes to zero: steps and soft
/// contacts do not report it themselves. `step` goes on by one step and returns the slip; `value`
/// is asked a while later.
template <class Step, class Value>
Answer slide(double slip, double dt, const Step& step, const Value& value) {
  constexpr double little = 0.01;  // of the slip at the start
  constexpr double later = 0.1;    // [s]
  double before = slip;
  double fall = 0.;  // in a step
  Answer answer{NAN, NAN};
  for (int k = 1; static_cast<double>(k) * dt < 20.; ++k) {
    const double now = step();
    const double t = dt * k;
    if (std::isnan(answer.time)) {
      if (std::abs(now) < little * slip && fall > 0.) answer.time = t - dt + dt * before / fall;
      fall = before - now;
      before = now;
    }
    if (t > answer.time + later) {
      answer.value = value();
      break;
    }
  }
  return answer;
}

}  // namespace carom::benchmarks
