// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/html_report.hpp>

#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/pending_file.hpp>
#include <carom/report/picture.hpp>
#include <carom/study/parallel.hpp>
#include <papers/engine/judgement.hpp>
#include <papers/engine/reproduce.hpp>
#include <papers/engine/text.hpp>

namespace carom::papers {
namespace {

/// Text with what means something in HTML made harmless, and `code` between backquotes.
std::string html_text(std::string_view text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
           : c != '`' ? std::string(1, c)
           : code     ? "<code>"
                      : "</code>";
  }
  return code ? out + "</code>" : out;
}

/// The text of a file of engine/ with its {names} replaced.
std::string template_of(const char* name, const Values& values) {
  const std::string path = fmt::format("papers/engine/{}", name);
  return filled(embedded(path), values, path);
}

std::string page(std::string_view title, std::string_view body, std::string_view version) {
  return template_of("page.html", {{"title", html_text(title)},
                                   {"style", embedded("papers/engine/style.css")},
                                   {"body", body},
                                   {"version", html_text(version)}});
}

std::string anchor(std::string_view id) {
  std::string out;
  for (char c : id) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain || (!out.empty() && out.back() != '-')) out += plain ? c : '-';
  }
  return out;
}

/// The verdict with a link to its erratum.
std::string badge(Agreement a, const std::string& known, std::string_view when_equal = "equal") {
  std::string out = fmt::format("<span class=\"badge {}\">{}", words(a).css,
                                a == Agreement::equal ? when_equal : words(a).name);
  if (!known.empty()) {
    out += fmt::format(" <a href=\"#{}\">{}</a>", anchor(known), html_text(known));
  }
  return out + "</span>";
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
  std::string rows;
  for (const Recomputed& one : all) rows += tally_row(one);
  return page("Publications recomputed", template_of("index.html", {{"rows", rows}}), version);
}

std::string all_errata_html(const std::vector<Recomputed>& all, const std::string& version) {
  std::string tables;
  for (const Recomputed& one : all) {
    tables += fmt::format("<h2>{} ({})</h2>\n", html_text(one.publication->authors),
                          one.publication->year);
    tables += errata_table(one.result.errata);
  }
  return page("Errata", template_of("errata.html", {{"tables", tables}}), version);
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
  std::vector<report::PictureFiles> files;
  for (const Picture* picture : pictures) {
    files.push_back(report::picture_files(directory / (picture->name + ".svg"), "picture"));
  }
  std::mutex progress_mutex;
  std::size_t computed = 0;
  const auto record = [&](std::size_t i) {
    interrupt_if(options.stop);
    const std::string text = pictures[i]->draw();
    (void)report::remove_older(files[i]);
    write_file(files[i].record, text);
    const std::lock_guard lock(progress_mutex);
    const double share = static_cast<double>(++computed) / static_cast<double>(pictures.size());
    if (options.progress) options.progress(0.5 * share);
  };
  study::parallel_blocks(pictures.size(), 1, options.threads,
                         [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) record(i);
                         });
  try {
    report::draw_all(files, options.threads);
  } catch (const std::runtime_error& e) {
    interrupt_if(options.stop);
    return e.what();
  }
  if (options.progress) options.progress(1.);
  return "";
}

}  // namespace

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
