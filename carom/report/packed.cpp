// SPDX-License-Identifier: Apache-2.0
#include <carom/report/packed.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>

namespace carom::report {
namespace {

/// Appends the bytes of a number, the least significant first.
template <std::unsigned_integral Bits>
void append_bytes(std::vector<std::uint8_t>& bytes, Bits bits) {
  for (std::size_t i = 0; i < sizeof(Bits); ++i) {
    bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
}

/// Does single precision keep its seven digits?
bool is_single(double value) {
  const double size = std::abs(value);
  return value == 0. || !std::isfinite(value) || (size > 1e-30 && size < 1e30);
}

void write_bytes(JsonWriter& json, const char* type, std::span<const std::size_t> shape,
                 std::span<const std::uint8_t> bytes) {
  json.begin_object().member("dtype", type).key("shape").begin_array();
  for (const std::size_t n : shape) json.integer(n);
  json.end_array().member("base64", base64(bytes)).end_object();
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr const char* letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits = bits << 8U | (i < n ? bytes[at + i] : 0U);
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= n ? letters[bits >> (18U - 6U * i) & 63U] : '=';
    }
  }
  return text;
}

void write_packed(JsonWriter& json, std::span<const double> values,
                  std::span<const std::size_t> shape) {
  const bool single = std::all_of(values.begin(), values.end(), is_single);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * (single ? 4 : 8));
  for (const double value : values) {
    if (single) {
      append_bytes(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    } else {
      append_bytes(bytes, std::bit_cast<std::uint64_t>(value));
    }
  }
  write_bytes(json, single ? "<f4" : "<f8", shape, bytes);
}

void write_packed(JsonWriter& json, std::span<const std::uint8_t> values,
                  std::span<const std::size_t> shape) {
  write_bytes(json, "|u1", shape, values);
}

}  // namespace carom::report
