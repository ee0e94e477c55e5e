// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/pages.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <utility>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/core/text.hpp>
#include <carom/scenario/toml_table.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/engine/text.hpp>

namespace carom::papers {
namespace {

enum class BlockKind : std::uint8_t { paragraph, quotation, item };

struct Block {
  BlockKind kind = BlockKind::paragraph;
  Placed content{};
};

/// A heading and what stands below it.
struct Chunk {
  int level = 0;  ///< 0: before the first heading
  Placed heading{};
  std::vector<Block> blocks{};
};

std::string place_of(const std::string& file, std::size_t line) {
  return fmt::format("{}:{}", file, line);
}

[[noreturn]] void fail(const std::string& place, std::string problem) {
  throw InputError("", std::move(problem), place);
}

/// Without the backslashes that keep Markdown from reading a sign: `F\*` is F*.
std::string unescaped(std::string_view text) {
  constexpr std::string_view signs = "\\`*_{}[]()<>#+-.!|~";
  std::string out;
  bool code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && !code && i + 1 < text.size() &&
        signs.find(text[i + 1]) != std::string_view::npos) {
      out += text[++i];
      continue;
    }
    if (text[i] == '`') code = !code;
    out += text[i];
  }
  return out;
}

/// Markdown from a line on, heading by heading.
std::vector<Chunk> chunks_of(const std::vector<std::string_view>& lines, std::size_t first,
                             const std::string& file) {
  std::vector<Chunk> chunks(1);
  bool goes_on = false;  // the paragraph of the line before
  for (std::size_t i = first; i < lines.size(); ++i) {
    const std::string place = place_of(file, i + 1);
    std::string_view line = trimmed(lines[i]);
    const auto level = std::min(line.find_first_not_of('#'), line.size());
    if (level > 0 && level < line.size() && line[level] == ' ') {
      chunks.push_back({.level = static_cast<int>(level),
                        .heading = {unescaped(trimmed(line.substr(level))), place},
                        .blocks = {}});
      goes_on = false;
      continue;
    }
    const BlockKind kind = line.starts_with('>')    ? BlockKind::quotation
                           : line.starts_with("- ") ? BlockKind::item
                                                    : BlockKind::paragraph;
    if (kind != BlockKind::paragraph) line = trimmed(line.substr(1));
    if (line.empty()) {
      goes_on = false;
      continue;
    }
    auto& blocks = chunks.back().blocks;
    const bool begins =
        !goes_on || kind == BlockKind::item ||
        (kind == BlockKind::quotation) != (blocks.back().kind == BlockKind::quotation);
    if (begins) {
      blocks.push_back({.kind = kind, .content = {unescaped(line), place}});
    } else {
      blocks.back().content.text += " " + unescaped(line);
    }
    goes_on = true;
  }
  return chunks;
}

/// The first block, if it is of that kind; it is taken out.
std::optional<Placed> take(Chunk& chunk, BlockKind kind) {
  if (chunk.blocks.empty() || chunk.blocks.front().kind != kind) return std::nullopt;
  Placed content = std::move(chunk.blocks.front().content);
  chunk.blocks.erase(chunk.blocks.begin());
  return content;
}

void refuse_more(const Chunk& chunk, std::string_view allowed) {
  if (chunk.blocks.empty()) return;
  fail(chunk.blocks.front().content.place,
       fmt::format("'{}': only {} stands here", chunk.blocks.front().content.text, allowed));
}

/// The table between two lines `+++`. @return the line after it
std::size_t read_front(const std::vector<std::string_view>& lines, const std::string& file,
                       Publication& front) {
  const auto is_fence = [](std::string_view line) { return trimmed(line) == "+++"; };
  if (lines.empty() || !is_fence(lines[0])) fail(place_of(file, 1), "must begin with +++");
  const auto end = std::find_if(lines.begin() + 1, lines.end(), is_fence);
  if (end == lines.end()) fail(place_of(file, 1), "+++ does not end");
  std::string text;
  for (auto line = lines.begin() + 1; line != end; ++line) text += "\n" + std::string(*line);
  const scenario::Document document(text, file);  // lines count as in the file
  const scenario::Table table = document.top();
  table.only({"name", "authors", "year", "title", "where", "link"});
  for (const auto& [key, member] : {std::pair{"name", &Publication::name},
                                    {"authors", &Publication::authors},
                                    {"title", &Publication::title},
                                    {"where", &Publication::where}}) {
    table.require(key, "what the publication is");
    front.*member = table.text(key, "");
  }
  front.link = table.text("link", "");
  front.year = static_cast<int>(table.number("year"));
  return static_cast<std::size_t>(end - lines.begin()) + 1;
}

Section section_of(Chunk& chunk) {
  static const std::regex form(
      R"((table|statement|picture) ([a-z0-9][a-z0-9-]*)(?: \[([A-Z]+[0-9]+)\])?)");
  const std::string& heading = chunk.heading.text;
  std::smatch found;
  if (!std::regex_match(heading, found, form)) {
    fail(chunk.heading.place,
         fmt::format("'{}': must be 'table NAME', 'statement NAME', 'statement NAME [ERRATUM]' or "
                     "'picture NAME'",
                     heading));
  }
  Section s{.kind = found[1], .name = found[2], .known = found[3], .place = chunk.heading.place};
  const bool states = s.kind == "statement";
  if (!states && !s.known.empty()) fail(s.place, "only a statement names an erratum");
  const auto text = take(chunk, BlockKind::paragraph);
  if (!text && s.kind != "table") {
    fail(s.place, states ? "says nothing" : "a picture needs a caption");
  }
  s.text = text.value_or(Placed{{}, s.place});
  s.found =
      (states ? take(chunk, BlockKind::quotation) : std::nullopt).value_or(Placed{{}, s.place});
  refuse_more(chunk, states ? "one paragraph and one quotation" : "one paragraph");
  return s;
}

PartPage part_of(Chunk& chunk) {
  const std::string& heading = chunk.heading.text;
  const auto colon = heading.find(": ");
  if (colon == std::string::npos) {
    fail(chunk.heading.place, fmt::format("'{}': must be 'ID: TITLE'", heading));
  }
  PartPage part{.id = heading.substr(0, colon),
                .title = heading.substr(colon + 2),
                .text = take(chunk, BlockKind::paragraph).value_or(Placed{}),
                .sections = {},
                .place = chunk.heading.place};
  refuse_more(chunk, "one paragraph");
  return part;
}

Reason reason_of(const std::string& words, const std::string& place) {
  for (const Reason r : {Reason::misprint, Reason::scan, Reason::reading, Reason::unexplained}) {
    if (words == reason_words(r)) return r;
  }
  fail(place, fmt::format("'{}': must be 'misprint', 'perhaps the scan', 'reading' or "
                          "'unexplained'",
                          words));
}

ErratumEntry entry_of(Chunk& chunk) {
  static const std::regex form(R"(([A-Z]+[0-9]+) \(([^)]*)\): (.+))");
  const std::string& heading = chunk.heading.text;
  std::smatch found;
  if (!std::regex_match(heading, found, form)) {
    fail(chunk.heading.place, fmt::format("'{}': must be 'ID (REASON): WHERE'", heading));
  }
  ErratumEntry entry{.erratum = {.id = found[1],
                                 .reason = reason_of(found[2], chunk.heading.place),
                                 .where = found[3]},
                     .place = chunk.heading.place};
  for (const auto& [key, member] : {std::pair{"printed", &ErratumEntry::printed},
                                    {"corrected", &ErratumEntry::corrected},
                                    {"shown", &ErratumEntry::shown}}) {
    const std::string begin = fmt::format("{}: ", key);
    auto item = take(chunk, BlockKind::item);
    if (!item || !item->text.starts_with(begin)) {
      fail(item ? item->place : entry.place,
           fmt::format("{}: must have '- printed: ', '- corrected: ' and '- shown: ', in this "
                       "order",
                       entry.erratum.id));
    }
    entry.*member = {item->text.substr(begin.size()), item->place};
  }
  refuse_more(chunk, "- printed, - corrected and - shown");
  return entry;
}

}  // namespace

PublicationPage read_publication(std::string_view text, const std::string& file) {
  const auto lines = lines_of(text);
  PublicationPage page;
  auto chunks = chunks_of(lines, read_front(lines, file, page.front), file);
  const auto about = take(chunks.front(), BlockKind::paragraph);
  if (!about) fail(place_of(file, 1), "says nothing of what it is about");
  page.front.about = about->text;
  refuse_more(chunks.front(), "one paragraph");
  for (auto chunk = chunks.begin() + 1; chunk != chunks.end(); ++chunk) {
    if (chunk->level == 2) {
      page.parts.push_back(part_of(*chunk));
    } else if (chunk->level == 3 && !page.parts.empty()) {
      page.parts.back().sections.push_back(section_of(*chunk));
    } else {
      fail(chunk->heading.place, fmt::format("'{}': a part begins with ##, what belongs to it "
                                             "with ###",
                                             chunk->heading.text));
    }
  }
  return page;
}

std::vector<ErratumEntry> read_errata(std::string_view text, const std::string& file) {
  std::vector<ErratumEntry> entries;
  for (Chunk& chunk : chunks_of(lines_of(text), 0, file)) {
    if (chunk.level == 3) {
      entries.push_back(entry_of(chunk));
    } else if (!entries.empty()) {
      fail(chunk.heading.place,
           fmt::format("'{}': an erratum begins with ###", chunk.heading.text));
    }
  }
  return entries;
}

}  // namespace carom::papers
