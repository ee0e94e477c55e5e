// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace carom::motion {

inline constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// Contacts, or unknowns at them, grouped by islands: bodies that they connect. What belongs to one
/// island moves no body of another.
class Islands {
 public:
  /// A range of `order`.
  struct Island {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  void clear();
  /// @param blocks  of the mass matrix that the member moves; `nowhere` for the ground
  void add(std::size_t member, const std::array<std::size_t, 2>& blocks);
  /// Finds the islands of what was added, in the order of their first members. Members of an island
  /// keep their order. @param blocks  of the mass matrix
  void find(std::size_t blocks);
  /// One island of so many members, which keep their places, where all move one body: `order` stays
  /// empty. @pre nothing was added
  void make_one(std::size_t members);

  [[nodiscard]] const std::vector<Island>& all() const { return islands_; }
  /// The members of all islands, one island after the other.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  [[nodiscard]] std::span<const std::size_t> members(const Island& island) const {
    return std::span(order_).subspan(island.begin, island.size());
  }
  [[nodiscard]] std::size_t largest() const;  ///< number of its members

 private:
  struct Member {
    std::size_t name = 0;
    std::array<std::size_t, 2> blocks{};
    std::size_t island = 0;
  };
  [[nodiscard]] std::size_t root(std::size_t block);

  std::vector<Member> members_;
  std::vector<std::size_t> parent_;  ///< by block
  std::vector<std::size_t> number_;  ///< of the island, by its root
  std::vector<Island> islands_;
  std::vector<std::size_t> order_;
};

}  // namespace carom::motion
