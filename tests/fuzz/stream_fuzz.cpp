// SPDX-License-Identifier: Apache-2.0
// Any bytes as a line of the stream: one line of JSON comes back, or none for a blank one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <simdjson.h>

#include "stream.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static carom::cli::StreamSolver solver("energetic");
  std::string out;
  solver.answer({reinterpret_cast<const char*>(data), size}, out);
  if (!out.empty() && (out.back() != '\n' || out.front() != '{')) std::abort();
  static simdjson::dom::parser parser;
  if (!out.empty() && parser.parse(out).error() != simdjson::SUCCESS) std::abort();
  if (std::count(out.begin(), out.end(), '\n') > 1) std::abort();
  return 0;
}
