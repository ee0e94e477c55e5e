// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// Pictures through gnuplot, with the script and the data kept beside them.
namespace carom::report {
inline namespace by_gnuplot {

enum class PictureFormat : std::uint8_t { svg, png, pdf };

/// The three files of a picture: the same name but for the extension.
struct PictureFiles {
  std::filesystem::path picture;
  std::filesystem::path script;  ///< .gp
  std::filesystem::path data;    ///< .dat
  PictureFormat format = PictureFormat::svg;
};

/// Throws InputError under `field` unless the picture's name ends in .svg, .png or .pdf.
[[nodiscard]] PictureFiles picture_files(const std::filesystem::path& picture,
                                         std::string_view field);

/// Writes script and data and has gnuplot make the picture, each file whole or not at all.
/// The script draws to the file named by its variable `picture`. Throws std::runtime_error, and
/// keeps script and data, where gnuplot is missing or fails.
void draw(const PictureFiles& files, const std::string& script, const std::string& data);

/// User text as a string (expression) of gnuplot's in which nothing is special: no markup, no
/// commands.
[[nodiscard]] std::string gnuplot_text(std::string_view text);

/// The name of a file in the script's own directory as a string of gnuplot's; never taken for a
/// pipe or for one of the names that mean something to gnuplot.
[[nodiscard]] std::string gnuplot_file(const std::filesystem::path& name);

}  // namespace by_gnuplot
}  // namespace carom::report
