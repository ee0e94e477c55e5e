// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Pictures, drawn by the Python package carom.plot from a record in JSON. The record and a script
/// of a few lines are kept beside the picture, so that a user can restyle it.
namespace carom::report {

/// The files of a picture: "block.svg", "block.svg.json" and "block.svg.py".
struct PictureFiles {
  std::filesystem::path picture;
  std::filesystem::path record;
  std::filesystem::path script;
};

/// Throws InputError under `field` unless the picture's name has one of these endings.
[[nodiscard]] PictureFiles picture_files(const std::filesystem::path& picture,
                                         std::string_view field,
                                         std::initializer_list<std::string_view> endings = {
                                             ".svg", ".png", ".pdf"});

/// Writes record and script and runs the script, which draws the picture. Each file is there whole
/// or not at all. Throws std::runtime_error, and leaves record and script, where Python or one of
/// its packages is missing, or drawing fails. An older picture of that name is gone then, too: it
/// would not be what the record says.
void draw(const PictureFiles& files, std::string_view record);

/// The same for many pictures, drawn by `processes` processes of Python (0: one for each core).
/// @pre the records are written already, as `record` says, each after `remove_older`
void draw_all(const std::vector<PictureFiles>& pictures, unsigned processes);

/// Removes a picture that is there; of a link what it points to. @return whether there was one
bool remove_older(const PictureFiles& files);

/// The script: the same text for every picture. It finds its files by its own name.
[[nodiscard]] std::string picture_script();

/// "carom: wrote block.svg, with block.svg.json and block.svg.py"
[[nodiscard]] std::string wrote(const PictureFiles& files);

}  // namespace carom::report
