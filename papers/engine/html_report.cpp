// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/html_report.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include <carom/report/pending_file.hpp>
#include <carom/report/picture.hpp>
#include <carom/study/map.hpp>
#include <carom/study/parallel.hpp>
#include <papers/engine/judgement.hpp>
#include <papers/engine/text.hpp>

namespace carom::papers {
namespace {

constexpr std::string_view style = R"(
:root { --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --back: #ffffff; --shade: #f6f8fa;
  --good: #1a7f37; --near: #4d6a00; --known: #9a6700; --open: #8250df; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d;
  --back: #0d1117; --shade: #161b22; --good: #56d364; --near: #b5cc4f; --known: #e3b341;
  --open: #d2a8ff; --bad: #ff7b72; } }
body { font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--ink);
  background: var(--back); margin: 0 auto; max-width: 76rem; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.25rem; margin-top: 2.6rem;
  border-top: 1px solid var(--line); padding-top: 1.2rem; } h3 { font-size: 1rem; }
a { color: #0969da; } @media (prefers-color-scheme: dark) { a { color: #58a6ff; } }
p { max-width: 60rem; } .soft { color: var(--soft); }
.wide { overflow-x: auto; } table { border-collapse: collapse; margin: .8rem 0; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding: .3rem 0; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; vertical-align: top; }
th { background: var(--shade); text-align: left; font-weight: 600; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td .ours { font-weight: 600; } td .paper, td .gap { color: var(--soft); font-size: .82rem;
  display: block; white-space: nowrap; }
.badge { font-size: .75rem; font-weight: 600; white-space: nowrap; }
.equal { color: var(--good); } .last { color: var(--near); } .erratum { color: var(--known); }
.open { color: var(--open); } .fault { color: var(--bad); }
figure { margin: 1.2rem 0; } figure img { max-width: 100%; background: #fff;
  border: 1px solid var(--line); } figcaption { max-width: 60rem; }
nav.parts { columns: 3 16rem; font-size: .9rem; } nav.parts a { display: block; break-inside: avoid; }
code { background: var(--shade); padding: .1em .3em; border-radius: 3px; font-size: .9em; }
ul.statements { padding-left: 1.2rem; } ul.statements li { margin: .45rem 0; max-width: 60rem; }
@media print { body { max-width: none; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
)";

std::string page(std::string_view title, std::string_view body, std::string_view version) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}\n"
      "<p class=\"soft\">Made by carom {}.</p>\n</body>\n</html>\n",
      html_text(title), style, body, html_text(version));
}

std::string_view css(Agreement a) {
  switch (a) {
    case Agreement::none:
    case Agreement::equal:
      return "equal";
    case Agreement::last_digit:
      return "last";
    case Agreement::explained:
      return "erratum";
    case Agreement::unexplained:
      return "open";
    case Agreement::differs:
    case Agreement::stale:
      return "fault";
  }
  return "";
}

std::string anchor(std::string_view id) {
  std::string out;
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain) {
      out += c;
    } else if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out;
}

/// The verdict with a link to its erratum.
std::string badge(Agreement a, const std::string& known, std::string_view when_equal = "equal") {
  std::string words = fmt::format("<span class=\"badge {}\">{}", css(a),
                                  a == Agreement::equal ? when_equal : name(a));
  if (!known.empty()) {
    words += fmt::format(" <a href=\"#{}\">{}</a>", anchor(known), html_text(known));
  }
  return words + "</span>";
}

std::string cell_html(const Cell& cell, const std::vector<Erratum>& errata) {
  const Judgement judged = judge(cell, errata);
  const std::string value = html_text(computed_text(cell));
  if (judged.agreement == Agreement::none) {
    return fmt::format("<td{}>{}</td>", cell.computed ? " class=\"number\"" : "", value);
  }
  std::string out = fmt::format(
      "<td class=\"number\"><span class=\"ours\">{}</span>"
      "<span class=\"paper\">printed {}</span>",
      value, html_text(cell.printed));
  if (cell.computed) {
    out += fmt::format("<span class=\"gap\">difference {}</span>",
                       judged.difference == 0. ? "0" : fmt::format("{:+.2g}", judged.difference));
  }
  return out + badge(judged.agreement, cell.known) + "</td>";
}

std::string table_html(const Table& table, const std::vector<Erratum>& errata) {
  std::string out = "<div class=\"wide\"><table>\n";
  if (!table.caption.empty()) out += "<caption>" + html_text(table.caption) + "</caption>\n";
  out += "<tr>";
  for (const std::string& head : table.columns) out += "<th>" + html_text(head) + "</th>";
  out += "</tr>\n";
  for (const Table::Row& row : table.rows) {
    out += "<tr>";
    for (const Cell& cell : row.cells) out += cell_html(cell, errata);
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string statements_html(const std::vector<Statement>& statements,
                            const std::vector<Erratum>& errata) {
  if (statements.empty()) return "";
  std::string out = "<ul class=\"statements\">\n";
  for (const Statement& s : statements) {
    out += fmt::format("<li>{}: {}", html_text(s.says),
                       badge(judge(s, errata).agreement, s.known, "yes"));
    if (!s.found.empty()) out += "<br><span class=\"soft\">" + html_text(s.found) + "</span>";
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

/// @param drawn  else the record takes its place
std::string picture_html(const Picture& p, bool drawn) {
  const std::string shown =
      drawn ? fmt::format(
                  "<a href=\"pictures/{0}.svg\"><img src=\"pictures/{0}.svg\" alt=\"{1}\" "
                  "loading=\"lazy\"></a>",
                  p.name, html_text(p.name))
            : "<p class=\"soft\">(not drawn)</p>";
  return fmt::format(
      "<figure>{1}\n<figcaption>{2} <span class=\"soft\">(<a "
      "href=\"pictures/{0}.svg.json\">record</a>, <a "
      "href=\"pictures/{0}.svg.py\">script</a>)</span>"
      "</figcaption></figure>\n",
      p.name, shown, html_text(p.caption));
}

std::string errata_table(const std::vector<Erratum>& errata) {
  std::string out =
      "<div class=\"wide\"><table>\n<tr><th></th><th>where</th><th>kind</th><th>as printed</th>"
      "<th>corrected</th><th>shown by</th></tr>\n";
  for (const Erratum& e : errata) {
    out += fmt::format(
        "<tr id=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}{}</td></tr>\n",
        anchor(e.id), html_text(e.id), html_text(e.where), reason_words(e.reason),
        html_text(e.printed), html_text(e.corrected), html_text(e.shown),
        e.holds ? "" : " <span class=\"badge fault\">NOT SHOWN</span>");
  }
  return out + "</table></div>\n";
}

std::string count_html(std::size_t n, std::string_view kind) {
  return fmt::format("<td class=\"number {}\">{}</td>", n > 0 ? kind : "soft", n);
}

std::string tally_row(const Recomputed& one) {
  const Tally t = tally(one.result);
  const Publication& p = *one.publication;
  return fmt::format(
             "<tr><td><a href=\"{0}.html\">{1} ({2})</a><br><span class=\"soft\">{3}</span></td>",
             p.name, html_text(p.authors), p.year, html_text(p.title)) +
         count_html(t.compared(), "") + count_html(t.equal, "equal") +
         count_html(t.last_digit, "last") + count_html(t.explained, "erratum") +
         count_html(t.unexplained, "open") + count_html(t.faults, "fault") + "</tr>\n";
}

std::string index_html(const std::vector<Recomputed>& all, const std::string& version) {
  std::string body =
      "<h1>Impact with friction: what is printed, and what comes out</h1>\n"
      "<p>Every table and figure of these publications, recomputed. A number is <b>equal</b> "
      "where it rounds to the digits that are printed. <b>Last digit</b>: one off there, and "
      "known. <b>Erratum</b>: it differs because of a misprint, a slip of the scan or an "
      "ambiguity, which is corrected and shown by a computation. <b>Unexplained</b>: it differs, "
      "and what was tried is said. Figures without printed numbers are compared by what the text "
      "says of them, and by nothing else.</p>\n"
      "<div class=\"wide\"><table>\n<tr><th>publication</th><th>compared</th><th>equal</th>"
      "<th>last digit</th><th>erratum</th><th>unexplained</th><th>faults</th></tr>\n";
  for (const Recomputed& one : all) body += tally_row(one);
  body += "</table></div>\n<p><a href=\"errata.html\">All errata and open points</a></p>\n";
  return page("Publications recomputed", body, version);
}

std::string all_errata_html(const std::vector<Recomputed>& all, const std::string& version) {
  std::string body =
      "<p><a href=\"index.html\">Publications recomputed</a></p>\n<h1>Errata</h1>\n"
      "<p>Misprints, ambiguities and open points, each with its corrected form and the computation "
      "that shows it. The text of the publications was read from scans; what may be the scan's is "
      "marked.</p>\n";
  for (const Recomputed& one : all) {
    body += fmt::format("<h2>{} ({})</h2>\n", html_text(one.publication->authors),
                        one.publication->year);
    body += errata_table(one.result.errata);
  }
  return page("Errata", body, version);
}

void write_file(const std::filesystem::path& name, const std::string& text) {
  report::PendingFile file(name);
  file.write(text);
  file.keep();
}

/// All pictures of all publications: first the records, in as many threads as there are, then the
/// pictures. @return why some are missing; empty: none is
std::string draw_all(const std::filesystem::path& directory, const std::vector<Recomputed>& all,
                     const ReportOptions& options) {
  std::vector<const Picture*> pictures;
  for (const Recomputed& one : all) {
    for (const Part& part : one.result.parts) {
      for (const Picture& p : part.pictures) pictures.push_back(&p);
    }
  }
  std::mutex telling;
  std::size_t computed = 0;
  std::vector<report::PictureFiles> files;
  for (const Picture* picture : pictures) {
    files.push_back(report::picture_files(directory / (picture->name + ".svg"), "picture"));
  }
  study::parallel_blocks(pictures.size(), 1, options.threads,
                         [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                             if (options.stop != nullptr && options.stop->load())
                               throw study::Interrupted();
                             const std::string record = pictures[i]->draw();
                             (void)report::remove_older(files[i]);
                             write_file(files[i].record, record);
                             const std::lock_guard lock(telling);
                             ++computed;
                             if (options.progress) {
                               options.progress(0.5 * static_cast<double>(computed) /
                                                static_cast<double>(pictures.size()));
                             }
                           }
                         });
  try {
    report::draw_all(files, options.threads);
  } catch (const std::runtime_error& e) {
    if (options.stop != nullptr && options.stop->load()) throw study::Interrupted();
    return e.what();
  }
  if (options.progress) options.progress(1.);
  return "";
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '`':
        code = !code;
        out += code ? "<code>" : "</code>";
        break;
      default:
        out += c;
    }
  }
  return code ? out + "</code>" : out;
}

std::string publication_html(const Recomputed& one, const std::string& version,
                             const std::filesystem::path& directory) {
  const Publication& p = *one.publication;
  std::string body = fmt::format(
      "<p><a href=\"index.html\">Publications recomputed</a></p>\n<h1>{}</h1>\n<p>{}, {}, {}.",
      html_text(p.title), html_text(p.authors), html_text(p.where), p.year);
  if (!p.link.empty()) body += fmt::format(" <a href=\"{0}\">{0}</a>", html_text(p.link));
  body += fmt::format("</p>\n<p>{}</p>\n<p><b>{}.</b></p>\n<nav class=\"parts\">\n",
                      html_text(p.about), html_text(tally_words(tally(one.result))));
  for (const Part& part : one.result.parts) {
    body += fmt::format("<a href=\"#{}\">{}: {}</a>\n", anchor(part.id), html_text(part.id),
                        html_text(part.title));
  }
  body += "<a href=\"#errata\">Errata and open points</a>\n</nav>\n";
  for (const Part& part : one.result.parts) {
    body += fmt::format("<h2 id=\"{}\">{}: {}</h2>\n<p>{}</p>\n", anchor(part.id),
                        html_text(part.id), html_text(part.title), html_text(part.text));
    for (const Picture& picture : part.pictures) {
      body += picture_html(
          picture, std::filesystem::exists(directory / "pictures" / (picture.name + ".svg")));
    }
    for (const Table& table : part.tables) body += table_html(table, one.result.errata);
    body += statements_html(part.statements, one.result.errata);
  }
  body += "<h2 id=\"errata\">Errata and open points</h2>\n" + errata_table(one.result.errata);
  return page(fmt::format("{} ({})", p.authors, p.year), body, version);
}

void make_report_directory(const std::filesystem::path& directory) {
  std::error_code why;
  std::filesystem::create_directories(directory / "pictures", why);
  if (why) {
    throw std::runtime_error("cannot make the directory " + directory.string() + ": " +
                             why.message());
  }
}

std::string write_report(const std::filesystem::path& directory, const std::vector<Recomputed>& all,
                         const ReportOptions& options) {
  make_report_directory(directory);
  const std::string missing = draw_all(directory / "pictures", all, options);
  for (const Recomputed& one : all) {
    write_file(directory / (std::string(one.publication->name) + ".html"),
               publication_html(one, options.version, directory));
  }
  write_file(directory / "errata.html", all_errata_html(all, options.version));
  write_file(directory / "index.html", index_html(all, options.version));
  return missing.empty() ? "" : missing + "; the pages are without the missing pictures";
}

}  // namespace carom::papers
