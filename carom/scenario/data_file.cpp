// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/data_file.hpp>

#include <array>
#include <memory>

#include <zlib.h>

#include <carom/core/error.hpp>

namespace carom::scenario {

std::string read_data(const std::filesystem::path& file) {
  std::error_code none;
  // zlib passes on what is not gzipped as it is.
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(
      std::filesystem::is_directory(file, none) ? nullptr : gzopen(file.c_str(), "rb"), gzclose);
  if (in == nullptr) {
    throw InputError("", "cannot be read (is it there, and a file?)", file.string());
  }
  std::string text;
  std::array<char, 65536> block{};
  for (;;) {
    const int read = gzread(in.get(), block.data(), static_cast<unsigned>(block.size()));
    if (read < 0) {
      int why = 0;
      throw InputError("", std::string("cannot be read: ") + gzerror(in.get(), &why),
                       file.string());
    }
    if (read == 0) break;
    text.append(block.data(), static_cast<std::size_t>(read));
  }
  int why = Z_OK;
  (void)gzerror(in.get(), &why);
  if (why != Z_OK) throw InputError("", "is incomplete: the gzipped data end early", file.string());
  return text;
}

CsvTable read_csv(const std::filesystem::path& file) {
  return parse_csv(read_data(file), file.string());
}

}  // namespace carom::scenario
