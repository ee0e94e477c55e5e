// SPDX-License-Identifier: Apache-2.0
// Many impacts at once. One contact in the plane goes through the batch kernels block by block:
// rows of arrays become columns that stay in the cache. Everything else is solved one by one, on
// all cores.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include <pybind11/stl.h>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/study/batch/batch.hpp>
#include <carom/study/map/map.hpp>
#include <carom/study/parallel.hpp>
#include <carom/study/sensitivity.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

using Array = py::array_t<double>;

constexpr std::size_t block = 1024;  ///< problems whose columns fit into the cache
/// Below this many problems a call is over before Ctrl-C could be pressed.
constexpr std::size_t few = 4096;

/// One operand: an entry for each problem, or one for all; strides in bytes.
struct Operand {
  const char* data = nullptr;
  std::array<py::ssize_t, 3> stride{};
  bool varies = false;

  [[nodiscard]] double at(std::size_t i, std::size_t r = 0, std::size_t c = 0) const {
    const auto offset = static_cast<py::ssize_t>(i) * stride[0] +
                        static_cast<py::ssize_t>(r) * stride[1] +
                        static_cast<py::ssize_t>(c) * stride[2];
    double x = 0.;
    std::copy_n(data + offset, sizeof x, reinterpret_cast<char*>(&x));  // may be unaligned
    return x;
  }
};

/// @pre the first dimension has one entry or `size`
Operand operand(const Array& array, std::size_t size) {
  Operand o{.data = static_cast<const char*>(static_cast<const void*>(array.data())),
            .varies = static_cast<std::size_t>(array.shape(0)) == size};
  for (py::ssize_t k = 0; k < array.ndim() && k < 3; ++k) {
    o.stride[static_cast<std::size_t>(k)] = array.strides(k);
  }
  if (!o.varies) o.stride[0] = 0;
  return o;
}

struct GivenCoefficient {
  const Coefficient* row = nullptr;
  Operand values{};
};

/// What is asked, without Python.
struct Problems {
  std::size_t size = 0;
  std::size_t components = 2;
  std::size_t rows = 2;  ///< of all contacts
  Operand G{}, v{};
  std::vector<GivenCoefficient> coefficients{};
  Asked asked{};
  Release release = Release::refused;

  [[nodiscard]] std::size_t contacts() const { return rows / components; }
};

/// Where the answers go, row by row.
struct Answers {
  double* impulse = nullptr;
  double* velocity = nullptr;
  double* energy_change = nullptr;
  double* friction_work = nullptr;
  std::uint8_t* mode = nullptr;  ///< of the first contact
  std::uint16_t* flags = nullptr;
  double* derivatives = nullptr;  ///< outputs x inputs of each; null: not wanted
  std::size_t outputs = 0, inputs = 0;
};

/// The error of the first problem that has one, whatever the threads do.
class FirstError {
 public:
  void add(std::size_t i, const InputError& e) {
    const std::lock_guard lock(mutex_);
    if (i >= first_) return;
    first_ = i;
    error_ = e;
  }
  void throw_if_any(std::size_t size) const {
    if (!error_) return;
    const std::string& field = error_->field();
    const std::string prefix = "surface.";
    throw InputError(field.starts_with(prefix) ? field.substr(prefix.size()) : field,
                     error_->problem(),
                     size > 1 ? "problem " + std::to_string(first_) : std::string());
  }

 private:
  std::mutex mutex_;
  std::size_t first_ = std::numeric_limits<std::size_t>::max();
  std::optional<InputError> error_;
};

/// Problem i into memory that is reused.
void make(const Problems& p, std::size_t i, ContactProblem& problem) {
  const std::size_t n = p.rows, d = p.components;
  if (n == d) {
    std::array<double, 9> G{};
    std::array<double, 3> v{};
    for (std::size_t r = 0; r < d; ++r) {
      for (std::size_t c = 0; c < d; ++c) G[r * d + c] = p.G.at(i, r, c);
      v[r] = p.v.at(i, r);
    }
    assign(problem, std::span(G).first(d * d), std::span(v).first(d));
  } else {
    Matrix G(ix(n), ix(n));
    problem.approach.resize(n);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) G(ix(r), ix(c)) = p.G.at(i, r, c);
      problem.approach[r] = p.v.at(i, r);
    }
    problem.G = BlockMatrix::from_dense(G, d);
  }
  Surface s;
  s.given = 0;
  for (const GivenCoefficient& c : p.coefficients) {
    const auto into = c.row->numbers(s);
    for (std::size_t k = 0; k < c.row->size(d); ++k) into[k] = c.values.at(i, k);
    s.given |= given_bit(*c.row);
  }
  if (!is_given(s, "static_friction")) s.static_friction = s.friction;
  if (d == 1) s.given |= given_bit(*find_coefficient("friction"));
  problem.surfaces.assign(p.contacts(), s);
}

// --- one contact in the plane --------------------------------------------------------------------

/// Columns of one block.
struct Columns {
  std::array<double, block> nn, nt, tt, n, t;
  std::array<double, block> impulse_n, impulse_t, velocity_n, velocity_t;
  std::vector<std::array<double, block>> coefficients;
};

/// The columns of a batch that are coefficients, by their keys.
struct ColumnOf {
  std::string_view key;
  study::Column study::PlanarBatch::*column;
  BrachRule rule = BrachRule::coulomb;  ///< that it chooses
};
constexpr std::array columns_of{
    ColumnOf{"restitution", &study::PlanarBatch::restitution},
    ColumnOf{"friction", &study::PlanarBatch::friction},
    ColumnOf{"static_friction", &study::PlanarBatch::static_friction},
    ColumnOf{"tangential_restitution", &study::PlanarBatch::tangential_restitution},
    ColumnOf{"compliance_ratio", &study::PlanarBatch::compliance_ratio},
    ColumnOf{"impulse_ratio", &study::PlanarBatch::tangential, BrachRule::impulse_ratio},
    ColumnOf{"tangential_coefficient", &study::PlanarBatch::tangential, BrachRule::coefficient},
};

const ColumnOf* column_of(std::string_view key) {
  const auto* at = std::ranges::find(columns_of, key, &ColumnOf::key);
  return at == columns_of.end() ? nullptr : at;
}

/// The kernel for many, where the law has one and all coefficients have columns.
const PlanarLaw* kernel_of(const Problems& p) {
  if (p.components != 2 || p.rows != 2) return nullptr;
  const Law* const law = answering(*p.asked.law, in_the_plane);
  if (!law->planar || !study::has_batch_kernel(*law->planar)) return nullptr;
  for (const GivenCoefficient& c : p.coefficients) {
    const ColumnOf* const column = column_of(c.row->key);
    if (column == nullptr) return nullptr;
  }
  return &*law->planar;
}

/// Whether a block is certainly valid: what this refuses is looked at once more, for the message.
/// Comparisons are false for NaN.
bool plainly_valid(const Columns& c, std::size_t size) {
  constexpr double least = least_magnitude, most = most_magnitude;
  bool valid = true;
  for (std::size_t i = 0; i < size; ++i) {
    const double nn = c.nn[i], nt = c.nt[i], tt = c.tt[i];
    const double speed = std::max(std::abs(c.n[i]), std::abs(c.t[i]));
    valid &= nn >= least && nn <= most && tt >= least && tt <= most && nn * tt >= nt * nt;
    valid &= speed >= least && speed <= most && c.n[i] == c.n[i] && c.t[i] == c.t[i];
  }
  return valid;
}

/// The same of coefficients, which the table knows the ranges of.
bool plainly_valid(const Problems& p, const Columns& c, std::size_t size) {
  bool valid = true;
  const double* friction = nullptr;
  for (std::size_t k = 0; k < p.coefficients.size(); ++k) {
    const Coefficient& row = *p.coefficients[k].row;
    const double* const values = c.coefficients[k].data();
    if (row.key == "friction") friction = values;
    if (row.key == "static_friction") {
      if (friction == nullptr) return false;
      for (std::size_t i = 0; i < size; ++i) valid &= values[i] >= friction[i];
    }
    const double high = p.release == Release::allowed ? row.high_releasing : row.high;
    for (std::size_t i = 0; i < size; ++i) valid &= values[i] >= row.low && values[i] <= high;
  }
  return valid;
}

void solve_block(const Problems& p, const PlanarLaw& law, Columns& c, const Answers& out,
                 std::size_t begin, std::size_t end) {
  const std::size_t size = end - begin;
  study::PlanarBatch batch;
  batch.size = size;
  bool symmetric = true;
  const auto fill_G = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      c.nn[i] = p.G.at(begin + i, 0, 0);
      c.nt[i] = p.G.at(begin + i, 0, 1);
      c.tt[i] = p.G.at(begin + i, 1, 1);
      symmetric &= p.G.at(begin + i, 1, 0) == c.nt[i];
    }
  };
  fill_G(0, size);
  if (!symmetric) {
    for (std::size_t i = 0; i < size; ++i) {
      (void)carom::symmetric(c.nn[i], c.nt[i], p.G.at(begin + i, 1, 0), c.tt[i]);
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    c.n[i] = p.v.at(begin + i, 0);
    c.t[i] = p.v.at(begin + i, 1);
  }
  const auto column = [&](const auto& values) { return study::Column({values.data(), size}); };
  batch.nn = column(c.nn);
  batch.nt = column(c.nt);
  batch.tt = column(c.tt);
  batch.normal = column(c.n);
  batch.slip = column(c.t);
  for (std::size_t k = 0; k < p.coefficients.size(); ++k) {
    const GivenCoefficient& given = p.coefficients[k];
    auto& values = c.coefficients[k];
    for (std::size_t i = 0; i < size; ++i) values[i] = given.values.at(begin + i);
    const ColumnOf& to = *column_of(given.row->key);
    if (to.rule != BrachRule::coulomb) batch.rule = to.rule;
    batch.*to.column = given.values.varies ? column(values) : study::Column(given.values.at(0));
  }
  if (!plainly_valid(c, size) || !plainly_valid(p, c, size)) validate(batch, p.release);
  study::solve_batch(law, batch,
                     {.impulse_n = c.impulse_n.data(),
                      .impulse_t = c.impulse_t.data(),
                      .velocity_n = c.velocity_n.data(),
                      .velocity_t = c.velocity_t.data(),
                      .energy_change = out.energy_change + begin,
                      .energy_friction = out.friction_work + begin,
                      .mode = out.mode + begin,
                      .flags = out.flags + begin});
  double* const impulse = out.impulse + 2 * begin;
  double* const velocity = out.velocity + 2 * begin;
  for (std::size_t i = 0; i < size; ++i) {
    impulse[2 * i] = c.impulse_n[i];
    impulse[2 * i + 1] = c.impulse_t[i];
  }
  for (std::size_t i = 0; i < size; ++i) {
    velocity[2 * i] = c.velocity_n[i];
    velocity[2 * i + 1] = c.velocity_t[i];
  }
}

/// Which of the problems of a block is wrong, by the words that it alone would have.
void name_the_wrong_one(const Problems& p, std::size_t begin, std::size_t end,
                        const InputError& of_block, FirstError& error) {
  ContactProblem problem;
  for (std::size_t i = begin; i < end; ++i) {
    try {
      make(p, i, problem);
      validate(planar_problem(problem), p.release);
    } catch (const InputError& e) {
      return error.add(i, e);
    }
  }
  error.add(begin, of_block);
}

void solve_blocks(const Problems& p, const PlanarLaw& kernel, const Answers& out, std::size_t begin,
                  std::size_t end, const std::atomic<bool>& stop, FirstError& error) {
  const auto columns = std::make_unique<Columns>();
  columns->coefficients.resize(p.coefficients.size());
  for (std::size_t i = begin; i < end; i += block) {
    if (stop.load(std::memory_order_relaxed)) return;
    const std::size_t to = std::min(i + block, end);
    try {
      solve_block(p, kernel, *columns, out, i, to);
    } catch (const InputError& e) {
      name_the_wrong_one(p, i, to, e, error);
    }
  }
}

// --- any other contacts, one by one --------------------------------------------------------------

/// Without an impulse v+ = v-. Outputs are, contact by contact, impulses and then velocities;
/// inputs the approach and then coefficients.
void follow_approach(const Problems& p, const Answers& out, double* to) {
  std::fill_n(to, out.outputs * out.inputs, 0.);
  const std::size_t d = p.components, of_contact = out.inputs / p.contacts();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      to[(2 * i * d + d + c) * out.inputs + i * of_contact + c] = 1.;
    }
  }
}

/// Derivatives of one outcome; NaN where there are none.
void differentiate(const Problems& p, const ContactProblem& problem, const Answers& out,
                   std::size_t i) {
  double* const to = out.derivatives + i * out.outputs * out.inputs;
  const study::Sensitivity s = study::sensitivity(*p.asked.law, problem, p.asked.options);
  const bool known = s.outputs.size() == out.outputs && s.inputs.size() == out.inputs;
  if (s.verdict == Verdict::no_impulse) return follow_approach(p, out, to);
  for (std::size_t r = 0; r < out.outputs; ++r) {
    for (std::size_t c = 0; c < out.inputs; ++c) {
      to[r * out.inputs + c] =
          known ? s.absolute(ix(r), ix(c)) : std::numeric_limits<double>::quiet_NaN();
    }
  }
}

void solve_one(const Problems& p, ContactProblem& problem, Workspace& workspace, Outcome& outcome,
               const Answers& out, std::size_t i) {
  make(p, i, problem);
  validate(problem, p.release);
  require_applies(*p.asked.law, problem);
  solve(*p.asked.law, problem, p.asked.options, workspace, outcome);
  std::copy_n(outcome.impulse.begin(), p.rows, out.impulse + i * p.rows);
  std::copy_n(outcome.velocity.begin(), p.rows, out.velocity + i * p.rows);
  out.energy_change[i] = outcome.energy.change;
  out.friction_work[i] = outcome.energy.friction;
  out.mode[i] = static_cast<std::uint8_t>(outcome.contacts.front().mode);
  out.flags[i] = outcome.flags.bits();
  if (out.derivatives != nullptr) differentiate(p, problem, out, i);
}

void solve_each(const Problems& p, const Answers& out, std::size_t begin, std::size_t end,
                const std::atomic<bool>& stop, FirstError& error) {
  ContactProblem problem;
  Workspace workspace;
  Outcome outcome;
  for (std::size_t i = begin; i < end; ++i) {
    if (stop.load(std::memory_order_relaxed)) return;
    try {
      solve_one(p, problem, workspace, outcome, out, i);
    } catch (const InputError& e) {
      error.add(i, e);
    }
  }
}

// --- all of them ---------------------------------------------------------------------------------

void solve_all(const Problems& p, const Answers& out, unsigned threads,
               const std::atomic<bool>& stop) {
  const PlanarLaw* const kernel = out.derivatives == nullptr ? kernel_of(p) : nullptr;
  FirstError error;
  const auto work = [&](std::size_t begin, std::size_t end) {
    kernel != nullptr ? solve_blocks(p, *kernel, out, begin, end, stop, error)
                      : solve_each(p, out, begin, end, stop, error);
  };
  const std::size_t grain = kernel != nullptr ? 64 * block : 64;
  if (p.asked.law->parallel) {
    study::parallel_blocks(p.size, grain, threads, work);
  } else {
    work(0, p.size);
  }
  error.throw_if_any(p.size);
}

/// The names of a mode's values, by their numbers.
py::list mode_names(const Law& law, ContactKind kind) {
  py::list names;
  for (int i = 0; i <= static_cast<int>(Mode::no_impulse); ++i) {
    const auto mode = static_cast<Mode>(i);
    std::string label = kind == in_the_plane || kind == in_space
                            ? mode_label(info_for(law, kind), mode)
                            : std::string(name(mode));
    names.append(label);
  }
  return names;
}

/// @param G  (1 or N, n, n); @param v  (1 or N, n); coefficients: (1 or N, numbers of each)
py::dict solve_many(const std::string& law_name, const Array& G, const Array& v,
                    std::size_t components, const py::dict& given, const py::dict& options,
                    std::size_t size, bool sensitivity, unsigned threads) {
  Problems p;
  p.size = size;
  p.components = components;
  p.rows = static_cast<std::size_t>(v.shape(1));
  p.G = operand(G, size);
  p.v = operand(v, size);
  const ContactKind kind{.contacts = p.contacts(), .components = components};
  const Law& law = find_law(law_name, "law", kind);
  std::vector<Array> arrays;  // keeps them
  for (const auto& [key, value] : given) {
    const Coefficient* c = find_coefficient(py::cast<std::string>(key));
    arrays.push_back(py::cast<Array>(value));
    p.coefficients.push_back({.row = c, .values = operand(arrays.back(), size)});
  }
  // In the order of the table: static friction after friction.
  std::ranges::sort(p.coefficients, {}, &GivenCoefficient::row);
  // The first problem says whether the law can answer at all.
  ContactProblem first;
  FirstError of_first_problem;
  try {
    if (size > 0) {
      make(p, 0, first);
      validate(first, kind.contacts == 1 ? info_for(law, kind).release : Release::refused);
    }
  } catch (const InputError& e) {
    of_first_problem.add(0, e);
  }
  of_first_problem.throw_if_any(size);
  if (size == 0) {
    first.G = BlockMatrix::from_dense(Matrix::Identity(ix(p.rows), ix(p.rows)), components);
    first.approach.assign(p.rows, -1.);
  }
  py::dict of_first = options;
  for (std::size_t k = 0; k < p.coefficients.size(); ++k) {
    if (size == 0) break;
    const GivenCoefficient& c = p.coefficients[k];
    const std::size_t n = c.row->size(components);
    py::list numbers;
    for (std::size_t j = 0; j < n; ++j) numbers.append(c.values.at(0, j));
    of_first[py::str(std::string(c.row->key))] = n == 1 ? py::object(numbers[0]) : numbers;
  }
  if (size > 0) {
    p.asked = complete(first, &law, of_first, py::none());
  } else {
    p.asked.law = &law;
  }
  p.release = kind.contacts == 1 ? info_for(*p.asked.law, kind).release : Release::refused;

  py::dict out;
  const std::vector<std::size_t> one{size}, rows{size, p.rows};
  auto impulse = empty_array(rows), velocity = empty_array(rows);
  auto energy = empty_array(one), friction = empty_array(one);
  py::array_t<std::uint8_t> mode(static_cast<py::ssize_t>(size));
  py::array_t<std::uint16_t> flags(static_cast<py::ssize_t>(size));
  Answers to{.impulse = impulse.mutable_data(),
             .velocity = velocity.mutable_data(),
             .energy_change = energy.mutable_data(),
             .friction_work = friction.mutable_data(),
             .mode = mode.mutable_data(),
             .flags = flags.mutable_data()};
  out["impulse"] = impulse;
  out["velocity"] = velocity;
  out["energy_change"] = energy;
  out["friction_work"] = friction;
  out["mode"] = mode;
  out["flags"] = flags;
  out["mode_names"] = mode_names(*p.asked.law, kind);
  out["note"] = size > 0 ? cannot_honour(*p.asked.law, first).value_or("") : std::string();
  if (sensitivity) {
    // A problem with an impulse says which derivatives there are.
    ContactProblem problem;
    study::Sensitivity s;
    for (std::size_t i = 0; i < size && s.outputs.empty(); ++i) {
      make(p, i, problem);
      validate(problem, p.release);
      s = study::sensitivity(*p.asked.law, problem, p.asked.options);
      if (!s.refused.empty() && s.refused.find("this law has no") != std::string::npos) {
        throw InputError("sensitivity", s.refused);
      }
    }
    py::list inputs, outputs;
    for (const auto& x : s.inputs) inputs.append(py::make_tuple(x.name, x.unit));
    for (const auto& y : s.outputs) outputs.append(py::make_tuple(y.name, y.unit));
    to.outputs = s.outputs.size();
    to.inputs = s.inputs.size();
    auto derivatives = empty_array({size, to.outputs, to.inputs});
    to.derivatives = derivatives.mutable_data();
    out["derivatives"] = derivatives;
    out["inputs"] = inputs;
    out["outputs"] = outputs;
  }
  if (size <= few && p.asked.law->parallel) {
    const std::atomic<bool> never{false};
    const py::gil_scoped_release release;
    solve_all(p, to, 1, never);
  } else {
    interruptible([&](const std::atomic<bool>& stop) { solve_all(p, to, threads, stop); });
  }
  return out;
}

}  // namespace

void add_many(py::module_& m) { m.def("solve_many", solve_many); }

}  // namespace carom::python
