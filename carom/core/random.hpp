// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Random numbers by a counter: number i of a stream is computed from i alone, so that draws do not
/// depend on who makes them, in which order, or on how many threads or machines.
namespace carom {

/// Philox 4x32-10: four words of 32 bits for a counter and a key [Salmon et al. 2011].
[[nodiscard]] constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                            std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter[2];
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); };
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

/// Streams of one seed are independent of each other.
class RandomStream {
 public:
  constexpr explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0)
      : seed_(seed), stream_(stream) {}

  /// 64 random bits.
  [[nodiscard]] constexpr std::uint64_t bits(std::uint64_t i) const {
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); };
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto words =
        philox({low(i), high(i), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
    return (std::uint64_t{words[1]} << 32U) | words[0];
  }

  /// Uniform in (0, 1): the middles of 2^52 intervals, so that no quantile is infinite.
  [[nodiscard]] constexpr double uniform(std::uint64_t i) const {
    return (static_cast<double>(bits(i) >> 12U) + 0.5) * 0x1p-52;
  }

  /// Uniform in {0, ..., count - 1}. The bias is below count/2^52. @pre 0 < count < 2^52
  [[nodiscard]] constexpr std::size_t below(std::uint64_t i, std::size_t count) const {
    return static_cast<std::size_t>(uniform(i) * static_cast<double>(count));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

/// 0, ..., count - 1 in random order [Fisher & Yates, as Durstenfeld 1964 has it].
[[nodiscard]] inline std::vector<std::size_t> shuffled(std::size_t count,
                                                       const RandomStream& random) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

}  // namespace carom
