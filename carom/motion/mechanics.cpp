// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/mechanics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/core/dense_factors.hpp>
#include <carom/core/dense_system.hpp>

namespace carom::motion {

namespace {

constexpr double singular = singular_pivot;
/// Elimination does not reveal the rank: two pivots of 1e-6 and 1e-10 may stand for a singular
/// value of 1e-15. Where a pivot is below this, relative to the largest entry, an orthogonal
/// decomposition decides.
constexpr double doubtful = 1e-5;

bool least_squares(const double* K, double* rhs, std::size_t r) {
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
      matrix(K, ix(r), ix(r));
  const Eigen::Map<const Vector> right(rhs, ix(r));
  const Vector x = carom::least_squares(matrix, right, singular);
  for (std::size_t i = 0; i < r; ++i) rhs[i] = x(ix(i));
  return x.allFinite();
}

/// G += W^T X of some columns with `n` rows, which lie `w_stride` and `x_stride` apart. Inlined
/// where the numbers are known.
inline void add_products(const double* W, Eigen::Index w_stride, std::size_t w_columns,
                         const double* X, Eigen::Index x_stride, std::size_t x_columns,
                         std::size_t n, Eigen::Matrix3d& G) {
  for (Eigen::Index j = 0; j < ix(x_columns); ++j) {
    for (Eigen::Index i = 0; i < ix(w_columns); ++i) {
      const double* const w = W + i * w_stride;
      const double* const x = X + j * x_stride;
      double sum = G(i, j);
      for (std::size_t k = 0; k < n; ++k) sum += w[k] * x[k];
      G(i, j) = sum;
    }
  }
}

/// Cholesky's factor of a block in its place. False if it is not positive definite.
bool cholesky(double* M, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double v = M[i * size + j];
      for (std::size_t k = 0; k < j; ++k) v -= M[i * size + k] * M[j * size + k];
      if (j < i) {
        M[i * size + j] = v / M[j * size + j];
      } else {
        if (!(v > 0.) || !std::isfinite(v)) return false;
        M[i * size + i] = std::sqrt(v);
      }
    }
  }
  return true;
}

}  // namespace

Mechanics::Mechanics(const Model& m, const ContactList& contacts)
    : model(m),
      n(m.velocities()),
      components(m.components()),
      spins(components == 3 ? 3 : 1),
      contacts_(contacts),
      M_(m.blocks()),
      known_(M_),
      factors_(M_),
      h_(Vector::Zero(ix(n))),
      free_(Vector::Zero(ix(n))),
      diagonal_(n),
      inverse_(n),
      is_diagonal_(M_.blocks().size()),
      block_at_(n) {
  for (std::size_t b = 0; b < M_.blocks().size(); ++b) {
    const auto& [begin, size] = M_.blocks()[b];
    block_at_[begin] = b;
    std::fill_n(known_.block(b), size * size, std::numeric_limits<double>::quiet_NaN());
  }
}

bool Mechanics::at(const State& state) {
  model.dynamics(state, M_, h_);
  return factorise();
}

bool Mechanics::at_step(const State& state, double h) {
  model.step_dynamics(state, M_, h_);
  if (h > 0.) model.add_drag(state, h, M_);
  return factorise();
}

bool Mechanics::factorise() {
  free_ = h_;
  double sound = 0.;  // NaN where a number is not finite
  for (std::size_t b = 0; b < M_.blocks().size(); ++b) {
    const auto& [begin, size] = M_.blocks()[b];
    const double* const given = M_.block(b);
    if (!std::equal(given, given + size * size, known_.block(b)) && !factorise(b)) return false;
    double* const x = free_.data() + begin;
    solve_block(b, x);
    for (std::size_t j = 0; j < size; ++j) sound += 0. * x[j];
  }
  return sound == 0.;
}

bool Mechanics::factorise(std::size_t b) {
  const auto& [begin, size] = M_.blocks()[b];
  const double* const given = M_.block(b);
  double* const factors = factors_.block(b);
  std::copy_n(given, size * size, factors);
  bool is_diagonal = true;
  for (std::size_t j = 0; j < size; ++j) {
    const double m = given[j * size + j];
    diagonal_[begin + j] = m;
    inverse_[begin + j] = 1. / m;
    is_diagonal = is_diagonal && m > 0. && std::isfinite(m);
    for (std::size_t k = 0; k < j; ++k) is_diagonal = is_diagonal && given[j * size + k] == 0.;
  }
  is_diagonal_[b] = is_diagonal ? 1 : 0;
  if (!is_diagonal && !cholesky(factors, size)) return false;
  std::copy_n(given, size * size, known_.block(b));
  return true;
}

const ContactMotion& Mechanics::load(std::size_t contact, const State& state) {
  if (motion_.size() < contacts_.size()) motion_.resize(contacts_.size());
  Loaded& loaded = motion_[contact];
  model.contact(contacts_[contact], state, loaded.motion);
  loaded.ready = false;
  loaded.is_coupled = false;
  return loaded.motion;
}

const ContactMotion& Mechanics::load_spin(std::size_t contact, const State& state, double length) {
  if (spin_.size() < contacts_.size()) spin_.resize(contacts_.size());
  Loaded& loaded = spin_[contact];
  model.relative_spin(contacts_[contact], state, loaded.motion);
  loaded.motion.W *= length;
  loaded.motion.velocity *= length;
  loaded.motion.bias *= length;
  loaded.ready = false;
  return loaded.motion;
}

const Mechanics::Columns& Mechanics::mobility(Loaded& loaded, std::size_t columns) const {
  if (loaded.ready) return loaded.mobility;
  mobility(loaded.motion, columns, loaded.mobility);
  loaded.ready = true;
  return loaded.mobility;
}

void Mechanics::mobility(const ContactMotion& motion, std::size_t columns, Columns& Y) const {
  // Contacts with the ground and with other bodies differ in rows. Two matrices serve both without
  // allocation.
  thread_local Columns other;
  if (Y.rows() != motion.W.rows()) Y.swap(other);
  Y.resize(motion.W.rows(), Eigen::NoChange);
  std::copy_n(motion.W.data(), motion.W.size(), Y.data());
  double* first = Y.data();
  for (const VelocityRange& range : motion.ranges) {
    if (range.size == 0) continue;
    const std::size_t block = block_at_[range.begin];
    for (Eigen::Index j = 0; j < ix(columns); ++j) solve_block(block, first + j * Y.rows());
    first += range.size;
  }
}

void Mechanics::solve_block(std::size_t block, double* x) const {
  const auto& [begin, size] = M_.blocks()[block];
  if (is_diagonal_[block] != 0) {
    for (std::size_t i = 0; i < size; ++i) x[i] *= inverse_[begin + i];
    return;
  }
  const double* const L = factors_.block(block);
  for (std::size_t i = 0; i < size; ++i) {
    double v = x[i];
    for (std::size_t k = 0; k < i; ++k) v -= L[i * size + k] * x[k];
    x[i] = v / L[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    x[i] /= L[i * size + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= L[i * size + k] * x[i];
  }
}

double Mechanics::kinetic(const Vector& u) const {
  double twice = 0.;
  for (std::size_t b = 0; b < M_.blocks().size(); ++b) {
    const auto& [begin, size] = M_.blocks()[b];
    if (is_diagonal_[b] != 0) {
      for (std::size_t j = 0; j < size; ++j) {
        const double v = u(ix(begin + j));
        twice += diagonal_[begin + j] * v * v;
      }
      continue;
    }
    const double* const L = factors_.block(b);
    for (std::size_t j = 0; j < size; ++j) {
      double v = 0.;  // L^T u
      for (std::size_t i = j; i < size; ++i) v += L[i * size + j] * u(ix(begin + i));
      twice += v * v;
    }
  }
  return 0.5 * twice;
}

double Mechanics::terms(std::size_t contact, const Vector& x) const {
  const ContactMotion& m = motion_[contact].motion;
  Eigen::Index row = 0;
  double sum = 0.;
  for (const VelocityRange& range : m.ranges) {
    for (std::size_t k = 0; k < range.size; ++k, ++row) {
      sum += (std::abs(m.W(row, 1)) + std::abs(m.W(row, 2))) * std::abs(x(ix(range.begin + k)));
    }
  }
  return sum;
}

void Mechanics::push(Loaded& loaded, std::size_t columns, const std::array<double, 3>& c,
                     Vector& x) const {
  const Columns& mobile = mobility(loaded, columns);
  Eigen::Index row = 0;
  for (const VelocityRange& range : loaded.motion.ranges) {
    for (std::size_t k = 0; k < range.size; ++k, ++row) {
      const double* const m = mobile.data() + row;
      double sum = 0.;
      for (std::size_t j = 0; j < columns; ++j) sum += m[ix(j) * mobile.rows()] * c[j];
      x(ix(range.begin + k)) += sum;
    }
  }
}

void Mechanics::push(std::size_t contact, const std::array<double, 3>& c, Vector& x) {
  push(motion_[contact], components, c, x);
}

void Mechanics::push_couple(std::size_t contact, const std::array<double, 3>& c, Vector& x) {
  push(spin_[contact], spins, c, x);
}

void Mechanics::respond(std::size_t contact, const std::array<double, 3>& c,
                        const std::array<double, 3>* m, double* y) const {
  const ContactMotion& motion = motion_[contact].motion;
  const auto rows = static_cast<std::size_t>(motion.W.rows());
  const double* const W = motion.W.data();
  if (components == 2) {
    for (std::size_t k = 0; k < rows; ++k) y[k] = W[k] * c[0] + W[rows + k] * c[1];
  } else {
    for (std::size_t k = 0; k < rows; ++k) {
      y[k] = W[k] * c[0] + W[rows + k] * c[1] + W[2 * rows + k] * c[2];
    }
  }
  for (std::size_t j = 0; m != nullptr && j < spins; ++j) {
    const double* const S = direction(contact, first_spin + j);
    for (std::size_t k = 0; k < rows; ++k) y[k] += S[k] * (*m)[j];
  }
  for (const VelocityRange& range : motion.ranges) {
    if (range.size == 0) continue;
    solve_block(block_at_[range.begin], y);
    y += range.size;
  }
}

bool Mechanics::are_coupled(std::size_t a, std::size_t b) const {
  for (const VelocityRange& one : motion_[a].motion.ranges) {
    for (const VelocityRange& two : motion_[b].motion.ranges) {
      if (one.size > 0 && two.size > 0 && one.begin == two.begin) return true;
    }
  }
  return false;
}

Eigen::Matrix3d Mechanics::coupling(std::size_t a, std::size_t b) {
  if (a == b) return own_coupling(a);
  return coupling(motion_[a], components, motion_[b], components);
}

const Eigen::Matrix3d& Mechanics::own_coupling(std::size_t contact) {
  Loaded& one = motion_[contact];
  if (!one.is_coupled) {
    one.coupling = coupling(one, components, one, components);
    one.is_coupled = true;
  }
  return one.coupling;
}

Eigen::Matrix3d Mechanics::spin_coupling(std::size_t a, bool spin_of_a, std::size_t b,
                                         bool spin_of_b) {
  return coupling(spin_of_a ? spin_[a] : motion_[a], spin_of_a ? spins : components,
                  spin_of_b ? spin_[b] : motion_[b], spin_of_b ? spins : components);
}

Eigen::Matrix3d Mechanics::coupling(const Loaded& a, std::size_t rows, Loaded& b,
                                    std::size_t columns) const {
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  const Columns& mobile = b.ready ? b.mobility : mobility(b, columns);
  const Columns& W = a.motion.W;
  Eigen::Index row = 0;
  for (const VelocityRange& one : a.motion.ranges) {
    if (one.size == 0) continue;
    Eigen::Index other = 0;
    for (const VelocityRange& two : b.motion.ranges) {
      if (two.size > 0 && one.begin == two.begin) {
        const double* const w = W.data() + row;
        const double* const m = mobile.data() + other;
        if (rows == 2 && columns == 2 && one.size == 3) {  // a body in the plane
          add_products(w, W.rows(), 2, m, mobile.rows(), 2, 3, G);
        } else {
          add_products(w, W.rows(), rows, m, mobile.rows(), columns, one.size, G);
        }
      }
      other += ix(two.size);
    }
    row += ix(one.size);
  }
  return G;
}

void Mechanics::contact_space(const std::vector<std::size_t>& contacts, Matrix& G, Vector& b) {
  const auto c = ix(components);
  const auto size = ix(contacts.size()) * c;
  G.setZero(size, size);
  b.resize(size);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    for (std::size_t j = 0; j < components; ++j) {
      b(ix(k) * c + ix(j)) = acceleration(contacts[k], j, free_);
    }
    for (std::size_t s = 0; s <= k; ++s) {
      if (!are_coupled(contacts[k], contacts[s])) continue;
      const Eigen::Matrix3d block = coupling(contacts[k], contacts[s]);
      G.block(ix(k) * c, ix(s) * c, c, c) = block.topLeftCorner(c, c);
    }
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    // Diagonal blocks are complete; make them exactly symmetric.
    for (Eigen::Index j = i - i % c; j < i; ++j) G(i, j) = G(j, i) = 0.5 * (G(i, j) + G(j, i));
    for (Eigen::Index j = 0; j < i - i % c; ++j) G(j, i) = G(i, j);
  }
}

void Mechanics::spin_space(const std::vector<std::size_t>& contacts,
                           const std::vector<SpinRow>& rows, Matrix& N, Matrix& R, Vector& c) {
  const auto d = ix(components);
  N.setZero(ix(contacts.size()) * d, ix(rows.size()));
  R.setZero(ix(rows.size()), ix(rows.size()));
  c.resize(ix(rows.size()));
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const std::size_t i = contacts[rows[a].place];
    const auto own = ix(rows[a].component - first_spin);
    c(ix(a)) = acceleration(i, rows[a].component, free_);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (!are_coupled(contacts[k], i)) continue;
      const Eigen::Matrix3d block = spin_coupling(contacts[k], false, i, true);
      N.block(ix(k) * d, ix(a), d, 1) = block.col(own).head(d);
    }
    for (std::size_t b = 0; b <= a; ++b) {
      const std::size_t j = contacts[rows[b].place];
      if (!are_coupled(i, j)) continue;
      R(ix(a), ix(b)) = R(ix(b), ix(a)) =
          spin_coupling(i, true, j, true)(own, ix(rows[b].component - first_spin));
    }
  }
}

std::array<std::size_t, 2> Mechanics::blocks_of(const ContactMotion& motion) const {
  const auto block = [&](const VelocityRange& r) {
    return r.size > 0 ? block_at_[r.begin] : nowhere;
  };
  return {block(motion.ranges[0]), block(motion.ranges[1])};
}

Solved solve_small(const double* K, double* rhs, std::size_t r) {
  const Solved solved = eliminate_small(K, rhs, r);
  if (solved != Solved::shared) return solved;
  return least_squares(K, rhs, r) ? Solved::shared : Solved::not_at_all;
}

Solved eliminate_small(const double* K, double* rhs, std::size_t r) {
  if (r == 0) return Solved::uniquely;
  if (r == 1) {
    rhs[0] /= K[0];
    return std::isfinite(rhs[0]) ? Solved::uniquely : Solved::not_at_all;
  }
  if (r == 2) {
    const double det = K[0] * K[3] - K[1] * K[2];
    if (!(std::abs(det) > singular * (std::abs(K[0] * K[3]) + std::abs(K[1] * K[2])))) {
      return Solved::shared;
    }
    const double x = (rhs[0] * K[3] - rhs[1] * K[1]) / det;
    const double y = (rhs[1] * K[0] - rhs[0] * K[2]) / det;
    rhs[0] = x;
    rhs[1] = y;
    return std::isfinite(x) && std::isfinite(y) ? Solved::uniquely : Solved::not_at_all;
  }
  thread_local DenseSystem system;  // a workspace
  system.resize(r);
  double largest = 0.;
  for (std::size_t a = 0; a < r; ++a) {
    double* const row = system.equation(a);
    for (std::size_t b = 0; b < r; ++b) {
      row[b] = K[a * r + b];
      largest = std::max(largest, std::abs(row[b]));
    }
    row[r] = rhs[a];
  }
  if (!system.solve(doubtful * largest)) return Solved::shared;
  bool finite = true;
  for (std::size_t i = 0; i < r; ++i) {
    rhs[i] = system.solution()[i];
    finite = finite && std::isfinite(rhs[i]);
  }
  return finite ? Solved::uniquely : Solved::not_at_all;
}

void ContactSystem::add(const Mechanics& mechanics, std::size_t contact, std::size_t row,
                        const std::array<double, 3>& c, const std::array<double, 3>* m) {
  unknowns_.push_back({.contact = contact, .row = row, .c = c, .response = used_});
  if (m != nullptr) {
    unknowns_.back().couple = couples_.size();
    couples_.push_back(*m);
  }
  used_ += static_cast<std::size_t>(mechanics.motion(contact).W.rows());
  if (responses_.size() < used_) responses_.resize(2 * used_);
  mechanics.respond(contact, c, m, responses_.data() + unknowns_.back().response);
}

void ContactSystem::add(const Mechanics& mechanics, std::size_t contact, std::size_t row) {
  std::array<double, 3> c{};
  if (row < first_spin) {
    c[row] = 1.;
    add(mechanics, contact, row, c);
  } else {
    std::array<double, 3> m{};
    m[row - first_spin] = 1.;
    add(mechanics, contact, row, c, &m);
  }
}

void ContactSystem::arrange(const Mechanics& mechanics) {
  x.resize(unknowns_.size());
  islands_.clear();
  if (mechanics.blocks() == 1) {  // one body
    islands_.make_one(unknowns_.size());
    return;
  }
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    islands_.add(k, mechanics.blocks_of(unknowns_[k].contact));
  }
  islands_.find(mechanics.blocks());
  if (islands_.all().size() <= 1) return;  // they are in order
  sorted_.clear();
  for (const std::size_t k : islands_.order()) sorted_.push_back(unknowns_[k]);
  unknowns_.swap(sorted_);
}

double ContactSystem::entry(const Mechanics& mechanics, const Unknown& one,
                            const Unknown& two) const {
  const auto& a = mechanics.motion(one.contact).ranges;
  const auto& b = mechanics.motion(two.contact).ranges;
  const double* const w = mechanics.direction(one.contact, one.row);
  const double* const y = &responses_[two.response];
  double sum = a[0] == b[0] ? dot(w, y, a[0].size) : 0.;
  if (a[1].size > 0 && a[1] == b[0]) sum += dot(w + a[0].size, y, a[1].size);
  if (b[1].size == 0) return sum;
  if (a[0] == b[1]) sum += dot(w, y + b[0].size, a[0].size);
  if (a[1] == b[1]) sum += dot(w + a[0].size, y + b[0].size, a[1].size);
  return sum;
}

const std::vector<double>& ContactSystem::matrix(const Island& island, const Mechanics& mechanics) {
  const std::size_t r = island.size();
  K_.resize(r * r);
  double* K = K_.data();
  for (std::size_t a = island.begin; a < island.end; ++a) {
    for (std::size_t b = island.begin; b < island.end; ++b) {
      *K++ = entry(mechanics, unknowns_[a], unknowns_[b]);
    }
  }
  return K_;
}

bool ContactSystem::solve(const Mechanics& mechanics) {
  for (const Island& island : islands()) {
    if (solve_small(matrix(island, mechanics).data(), x.data() + island.begin, island.size()) ==
        Solved::not_at_all) {
      return false;
    }
  }
  return true;
}

void ContactSystem::push(const Mechanics& mechanics, Vector& to) const {
  for (std::size_t k = 0; k < unknowns_.size(); ++k) push(mechanics, unknowns_[k], x[k], to);
}

void ContactSystem::push(const Mechanics& mechanics, const Unknown& unknown, double size,
                         Vector& to) const {
  const double* y = &responses_[unknown.response];
  for (const VelocityRange& range : mechanics.motion(unknown.contact).ranges) {
    double* const moved = to.data() + range.begin;
    for (std::size_t k = 0; k < range.size; ++k) moved[k] += size * *y++;
  }
}

}  // namespace carom::motion
