// SPDX-License-Identifier: Apache-2.0
// Solving a problem a second time, with the same workspace and outcome, allocates nothing.
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <carom/laws/table.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/motion/simulation.hpp>
#include <support/multi_problems.hpp>
#include <support/sanitized.hpp>

namespace {

std::size_t calls = 0;
std::size_t bytes = 0;       ///< in use, where they are counted
std::size_t most_bytes = 0;  ///< at any time since it was reset

}  // namespace

// Eigen calls malloc, which sanitizers replace themselves. There, and where the C library has no
// other name for its malloc, only operator new is counted.
#if defined(__GLIBC__) && !defined(CAROM_SANITIZED)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t n, std::size_t size);
void* __libc_realloc(void* p, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* p);

static void* counted(void* p) noexcept {
  ++calls;
  bytes += malloc_usable_size(p);
  if (bytes > most_bytes) most_bytes = bytes;
  return p;
}
void* malloc(std::size_t size) noexcept { return counted(__libc_malloc(size)); }
void* calloc(std::size_t n, std::size_t size) noexcept { return counted(__libc_calloc(n, size)); }
void* realloc(void* p, std::size_t size) noexcept {
  bytes -= malloc_usable_size(p);
  return counted(__libc_realloc(p, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) noexcept {
  *p = counted(__libc_memalign(alignment, size));
  return *p == nullptr ? ENOMEM : 0;
}
void free(void* p) noexcept {
  bytes -= malloc_usable_size(p);
  __libc_free(p);
}
}
constexpr bool bytes_are_counted = true;
#else
constexpr bool bytes_are_counted = false;

// All forms, since those of a sanitizer do not call each other.
namespace {

void* take(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) noexcept {
  ++calls;
  void* p = nullptr;
  return posix_memalign(&p, alignment, size) == 0 ? p : nullptr;
}

void* take_or_throw(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
  void* const p = take(size, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

using Alignment = std::align_val_t;

void* operator new(std::size_t size) { return take_or_throw(size); }
void* operator new[](std::size_t size) { return take_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new(std::size_t size, Alignment a) {
  return take_or_throw(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, Alignment a) {
  return take_or_throw(size, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, Alignment) noexcept { std::free(p); }
void operator delete[](void* p, Alignment) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, Alignment) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, Alignment) noexcept { std::free(p); }
#endif

namespace carom::test {
namespace {

/// Contacts that approach, with a G far from singular and moderate friction: one solution.
ContactProblem ordinary(std::size_t contacts, std::size_t components) {
  Dice dice(contacts * 10 + components);
  const auto n = static_cast<Eigen::Index>(contacts * components);
  Eigen::MatrixXd A(n, n);
  for (Eigen::Index k = 0; k < A.size(); ++k) A(k) = dice.uniform(-1., 1.);
  const Eigen::MatrixXd G =
      A * A.transpose() / static_cast<double>(n) + Eigen::MatrixXd::Identity(n, n);
  ContactProblem p;
  p.G = BlockMatrix::from_dense(G, components);
  for (std::size_t k = 0; k < contacts * components; ++k) {
    p.approach.push_back(k % components == 0 ? dice.uniform(-2., -1.) : dice.uniform(-1., 1.));
  }
  p.surfaces.assign(contacts, {.restitution = .5, .friction = .2, .static_friction = .2});
  return p;
}

/// The laws that allocate on such contacts, and why.
bool allocates(const Law& law, ContactKind kind) {
  // Its process has vectors of its own, which are made anew for each impact.
  return law.name == "lzb" && (kind.contacts > 1 || kind.components == 1);
}

TEST(Allocations, AreCounted) {
  const std::size_t before = calls;
  void* made = ::operator new(10);  // unlike a new-expression, compilers do not remove it
  EXPECT_EQ(calls, before + 1);
  ::operator delete(made);
}

/// Solves a problem twice and counts the allocations of the second time.
void check_second_solve(const Law& law, const ContactProblem& problem) {
  const ContactKind kind = kind_of(problem);
  const std::string what = std::string(law.name) + ", " + std::to_string(kind.contacts) +
                           " contacts of " + std::to_string(kind.components) + " components";
  validate(problem);
  Workspace workspace;
  Outcome outcome;
  solve(law, problem, {}, workspace, outcome);
  const Outcome first = outcome;
  const std::size_t before = calls;
  solve(law, problem, {}, workspace, outcome);
  const std::size_t made = calls - before;
  EXPECT_EQ(outcome, first) << what;
  EXPECT_EQ(outcome.verdict(), Verdict::ordinary) << what;
  EXPECT_EQ(made > 0, allocates(law, kind)) << what << ": " << made;
}

TEST(Allocations, TheSecondSolveMakesNone) {
  const std::vector<ContactKind> kinds{
      {.contacts = 1, .components = 2},  {.contacts = 1, .components = 3},
      {.contacts = 3, .components = 2},  {.contacts = 6, .components = 2},
      {.contacts = 12, .components = 2}, {.contacts = 5, .components = 3},
      {.contacts = 1, .components = 1},  {.contacts = 4, .components = 1}};
  for (const Law& law : laws()) {
    for (const ContactKind kind : kinds) {
      if (answering(law, kind) == nullptr) continue;
      check_second_solve(law, ordinary(kind.contacts, kind.components));
    }
  }
}

/// A flat block lands on its two lower corners: G has rank 3, and the impulses are shared.
TEST(Allocations, HyperstaticContactsMakeNone) {
  Eigen::Matrix<double, 3, 4> W;  // x, y, angle; mass 1, radius of gyration 1, corners at (+-1, -1)
  W << 0., 1., 0., 1.,            //
      1., 0., 1., 0.,             //
      -1., 1., 1., 1.;
  ContactProblem p;
  p.G = BlockMatrix::from_dense(W.transpose() * W, 2);
  p.approach = {-1., .1, -1., .1};
  p.surfaces.assign(2, {.restitution = .5, .friction = .4, .static_friction = .4});
  for (const std::string_view name : {"moreau", "moreau:poisson"}) {
    check_second_solve(*find_law(name), p);
  }
}

/// Results do not depend on what a workspace and an outcome were used for before.
TEST(Allocations, AWorkspaceForgetsEarlierProblems) {
  Workspace workspace;
  Outcome outcome;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const ContactProblem problem = random_multi_problem(seed, 1 + seed % 3, 2, 10);
    for (const std::string_view name : {"moreau", "moreau:poisson"}) {
      const Law& law = *find_law(name);
      Outcome expected;
      solve(law, problem, {}, expected);
      solve(law, problem, {}, workspace, outcome);
      EXPECT_EQ(outcome, expected) << name << " " << seed;
    }
  }
}

class Silent final : public motion::Recorder {
 public:
  void event(const motion::Event& /*event*/) override {}
  void sample(const motion::Sample& /*sample*/) override {}
};

/// Discs in a box whose width is about its height, in rows, a little above each other.
struct Pile {
  static constexpr double radius = 0.1;

  explicit Pile(std::size_t discs, std::size_t columns) {
    const double width = (2.05 * static_cast<double>(columns) + 0.35) * radius;
    const double quarter = 0.5 * std::acos(-1.);
    const shapes::plane::Shape wall = shapes::plane::half_plane();
    PlanarScene scene;
    scene.ground = {{.name = "floor", .shape = wall},
                    {.name = "left", .shape = wall, .pose = {.angle = -quarter}},
                    {.name = "right", .shape = wall, .pose = {{width, 0.}, quarter}}};
    start.q.setZero(ix(3 * discs));
    start.u.setZero(ix(3 * discs));
    for (std::size_t i = 0; i < discs; ++i) {
      scene.bodies.push_back({.name = "disc " + std::to_string(i),
                              .mass = 1.,
                              .inertia = 0.5 * radius * radius,
                              .shape = shapes::plane::disc(radius)});
      const double shifted = i / columns % 2 == 0 ? 1.1 : 1.3;
      start.q(ix(3 * i)) = (shifted + 2.05 * static_cast<double>(i % columns)) * radius;
      start.q(ix(3 * i + 1)) = (1.05 + 2.05 * static_cast<double>(i / columns)) * radius;
    }
    model = std::make_unique<PlanarModel>(scene);
    options.method = motion::MotionMethod::stepping;
    options.step = 1e-3;
    options.residual = 1e-6;
    options.sample_interval = HUGE_VAL;
  }

  motion::Summary run(const motion::Progress& from, double time) {
    options.end_time = from.state.time + time;
    Silent silent;
    return motion::simulate(*model, surfaces, options, from, silent);
  }
  motion::Summary run(double time) {
    return run(motion::start(*model, start, surfaces, options), time);
  }

  std::unique_ptr<PlanarModel> model;
  State start;
  std::vector<Surface> surfaces{{.restitution = 0., .friction = 0.5}};
  motion::Options options;
};

// A pile at rest touches the floor, walls and other bodies, whose contacts differ in size. A run
// allocates when it starts and ends, whatever its length.
TEST(Allocations, AStepOfASettledPileAllocatesNothing) {
  Pile pile(9, 3);
  const motion::Summary settled = pile.run(3.);
  ASSERT_EQ(settled.ending, motion::Ending::time) << settled.reason;
  const auto count = [&](double time) {
    const std::size_t before = calls;
    (void)pile.run(settled.progress, time);
    return calls - before;
  };
  EXPECT_EQ(count(0.2), count(0.1));
}

// The same where islands are solved by several workers: boxes in towers, far from each other.
TEST(Allocations, AStepOfManyIslandsAllocatesNothing) {
  constexpr std::size_t towers = 20;
  constexpr std::size_t high = 4;
  PlanarScene scene;
  scene.ground = {{.name = "floor", .shape = shapes::plane::half_plane()}};
  State start;
  start.q.setZero(ix(3 * towers * high));
  start.u = start.q;
  for (std::size_t i = 0; i < towers * high; ++i) {
    scene.bodies.push_back({.name = "box " + std::to_string(i),
                            .mass = 1.,
                            .inertia = 1. / 600.,
                            .shape = shapes::plane::box(0.1, 0.1)});
    start.q(ix(3 * i)) = static_cast<double>(i / high);
    start.q(ix(3 * i + 1)) = 0.05 + 0.1 * static_cast<double>(i % high);
  }
  const PlanarModel model(scene);
  const std::vector<Surface> surfaces{{.restitution = 0., .friction = 0.5}};
  std::size_t called = 0;
  Executor executor{.workers = 2};
  executor.run = [&called](std::size_t count, const std::function<void(std::size_t)>& task) {
    ++called;
    for (std::size_t i = count; i-- > 0;) task(i);  // the last worker does most
  };
  motion::Options options{.method = motion::MotionMethod::stepping, .step = 1e-3};
  options.sample_interval = HUGE_VAL;
  options.executor = &executor;
  const auto count = [&](double time) {
    options.end_time = time;
    Silent silent;
    const motion::Progress from = motion::start(model, start, surfaces, options);
    const std::size_t before = calls;
    (void)motion::simulate(model, surfaces, options, from, silent);
    return calls - before;
  };
  (void)count(0.1);  // fills what threads keep
  EXPECT_EQ(count(0.2), count(0.1));
  EXPECT_GE(called, 300U);
}

// Four times as many bodies take about four times the memory, while the pile lands.
TEST(Allocations, TheMemoryOfStepsGrowsLinearlyWithBodies) {
  if (!bytes_are_counted) GTEST_SKIP() << "bytes are not counted here";
  std::vector<double> taken;
  for (const std::size_t columns : {6U, 12U}) {
    const std::size_t before = bytes;
    most_bytes = bytes;
    {
      Pile pile(columns * columns, columns);
      const motion::Summary s = pile.run(0.3);
      ASSERT_EQ(s.ending, motion::Ending::time) << s.reason;
      EXPECT_GT(s.progress.contacts.size(), columns * columns);
    }
    taken.push_back(static_cast<double>(most_bytes - before));
  }
  EXPECT_GT(taken[1], 2. * taken[0]);  // they are counted, and not only what every run needs
  EXPECT_LT(taken[1], 4.5 * taken[0]) << taken[0];
}

}  // namespace
}  // namespace carom::test
