// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <carom/study/sweep/sweep.hpp>

/// Where the finished blocks of a sweep are kept.
namespace carom::study {

[[nodiscard]] std::unique_ptr<BlockStore> in_memory(const SweepPlan& plan);

/// What to do where the file is there already.
enum class Existing : std::uint8_t {
  refuse,   ///< throw InputError under "--out"
  replace,  ///< begin anew
  resume,   ///< go on with it; where there is none, begin
};

/// In a file to which each block is appended when it is finished, so that a process that is killed
/// loses no more than the blocks in work. Throws InputError where the file belongs to another
/// sweep, std::runtime_error where it cannot be written.
[[nodiscard]] std::unique_ptr<BlockStore> in_file(const SweepPlan& plan,
                                                  const std::filesystem::path& file,
                                                  Existing existing);

/// Parts of a sweep, to be read only. Throws InputError where they do not belong to the plan.
[[nodiscard]] std::unique_ptr<BlockStore> in_parts(const SweepPlan& plan,
                                                   const std::vector<std::filesystem::path>& files);

/// What a part says of the sweep that it belongs to. Throws InputError.
struct PartHeader {
  std::string version, name, text, asked;
};
[[nodiscard]] PartHeader read_header(const std::filesystem::path& file);

}  // namespace carom::study
