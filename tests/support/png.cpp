// SPDX-License-Identifier: Apache-2.0
#include <support/png.hpp>

#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace carom::test {
namespace {

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t n = 0;
  for (std::size_t k = 0; k < 4; ++k) n = n << 8U | static_cast<unsigned char>(bytes.at(at + k));
  return n;
}

/// The predictor of the PNG specification.
int paeth(int a, int b, int c) {
  const int p = a + b - c;
  const int pa = std::abs(p - a);
  const int pb = std::abs(p - b);
  const int pc = std::abs(p - c);
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

int predicted(int filter, int left, int up, int corner) {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) / 2;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

}  // namespace

std::string Pixels::colour(std::size_t column, std::size_t row) const {
  const auto& c = rgb.at(row * width + column);
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02X%02X%02X", c[0], c[1], c[2]);
  return text.data();
}

Pixels read_png(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  Pixels p;
  p.width = number(bytes, 16);
  p.height = number(bytes, 20);
  const int kind = bytes.at(25);
  if (bytes.at(24) != 8 || (kind != 2 && kind != 6) || bytes.at(28) != 0) {
    throw std::runtime_error("not such a PNG: " + file);
  }
  const std::size_t channels = kind == 2 ? 3 : 4;
  std::string packed;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t size = number(bytes, at);
    if (bytes.compare(at + 4, 4, "IDAT") == 0) packed += bytes.substr(at + 8, size);
    at += size + 12;
  }
  const std::size_t stride = p.width * channels;
  std::vector<Bytef> raw(p.height * (stride + 1));
  uLongf size = raw.size();
  if (uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()) !=
      Z_OK) {
    throw std::runtime_error("broken PNG: " + file);
  }
  std::vector<std::uint8_t> before(stride);
  std::vector<std::uint8_t> row(stride);
  for (std::size_t y = 0; y < p.height; ++y) {
    const Bytef* line = raw.data() + y * (stride + 1);
    for (std::size_t k = 0; k < stride; ++k) {
      const int left = k >= channels ? row[k - channels] : 0;
      const int corner = k >= channels ? before[k - channels] : 0;
      row[k] = static_cast<std::uint8_t>(line[k + 1] + predicted(line[0], left, before[k], corner));
    }
    for (std::size_t x = 0; x < p.width; ++x) {
      p.rgb.push_back({row[x * channels], row[x * channels + 1], row[x * channels + 2]});
    }
    before = row;
  }
  return p;
}

}  // namespace carom::test
