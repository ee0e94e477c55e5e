// SPDX-License-Identifier: Apache-2.0
// Publications as files: what is read, and every refusal with file and line.
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <carom/core/error.hpp>
#include <papers/engine/judgement.hpp>
#include <papers/engine/pages.hpp>
#include <papers/engine/reproduce.hpp>

namespace carom::papers {
namespace {

/// A publication of one part with everything in it.
struct Sample {
  std::map<std::string, std::string> files{
      {"papers/one/publication.md",
       "+++\n"                                     // 1
       "name = \"one\"\n"                          // 2
       "authors = \"A. Body\"\n"                   // 3
       "year = 1999\n"                             // 4
       "title = \"On impact\"\n"                   // 5
       "where = \"Journal 1\"\n"                   // 6
       "+++\n"                                     // 7
       "\n"                                        // 8
       "What it is\n"                              // 9
       "about.\n"                                  // 10
       "\n"                                        // 11
       "## Table 1: Numbers: all of them\n"        // 12
       "\n"                                        // 13
       "Text with {count} rows and {{braces}}.\n"  // 14
       "\n"                                        // 15
       "### table numbers\n"                       // 16
       "\n"                                        // 17
       "Caption, F\\* of `a\\*b`\n"                // 18
       "\n"                                        // 19
       "### statement grows [X1]\n"                // 20
       "\n"                                        // 21
       "it grows\n"                                // 22
       "\n"                                        // 23
       "> by {worst:.1e},\n"                       // 24
       "> not by {word}\n"                         // 25
       "\n"                                        // 26
       "### picture one-1\n"                       // 27
       "\n"                                        // 28
       "A picture.\n"},                            // 29
      {"papers/one/errata.md",
       "# Errata\n"                        // 1
       "\n"                                // 2
       "### X1 (misprint): Table 1 (b)\n"  // 3
       "\n"                                // 4
       "- printed: 1\n"                    // 5
       "- corrected: 2\n"                  // 6
       "- shown: it is {x:g},\n"           // 7
       "  not 1\n"},                       // 8
      {"papers/one/numbers.csv",
       "key,e,\"v, both\",mode,in,in\n"  // 1
       "a,0.5,1.25 [X1],stick,,\n"       // 2
       "b,0.7,−3,slip,yes,1\n"},         // 3
  };
  Computations computations{.checks = {{"grows",
                                        [] {
                                          return Found{false, {{"worst", 0.25}, {"word", "half"}}};
                                        }},
                                       {"X1",
                                        [] {
                                          return Found{true, {{"x", 2.}}};
                                        }}},
                            .tables = {{"numbers", RowOf([](const Row& row) -> Computed {
                                          const bool first = row.text("key") == "a";
                                          return {{"v, both", first ? 2. : -3.},
                                                  {"mode", first ? "stick" : "slip"},
                                                  {"in", "yes"},
                                                  {"in", row.index}};
                                        })}},
                            .pictures = {{"one-1", chart([] { return Chart{}; })}},
                            .texts = {{"Table 1", [] {
                                         return Values{{"count", 2}};
                                       }}}};

  void replace(const std::string& file, const std::string& was, const std::string& is) {
    std::string& text = files.at("papers/one/" + file);
    const auto at = text.find(was);
    ASSERT_NE(at, std::string::npos) << was;
    text.replace(at, was.size(), is);
  }

  [[nodiscard]] Reproduction run() const {
    std::vector<EmbeddedFile> all;
    for (const auto& [path, text] : files) all.push_back({path, text});
    return reproduce("one", all, computations);
  }

  [[nodiscard]] std::string refusal() const {
    try {
      (void)run();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }
};

TEST(PapersReader, ReadsEverything) {
  const Sample sample;
  const Reproduction r = sample.run();
  ASSERT_EQ(r.parts.size(), 1U);
  const Part& part = r.parts[0];
  EXPECT_EQ(part.id, "Table 1");
  EXPECT_EQ(part.title, "Numbers: all of them");
  EXPECT_EQ(part.text, "Text with 2 rows and {braces}.");
  ASSERT_EQ(part.tables.size(), 1U);
  EXPECT_EQ(part.tables[0].caption, "Caption, F* of `a\\*b`");
  EXPECT_EQ(part.tables[0].columns, (std::vector<std::string>{"e", "v, both", "mode", "in", "in"}));
  ASSERT_EQ(part.tables[0].rows.size(), 2U);
  const auto& first = part.tables[0].rows[0].cells;
  EXPECT_EQ(first[0].text, "0.5");
  EXPECT_FALSE(first[0].computed);
  EXPECT_EQ(first[1].computed, 2.);
  EXPECT_EQ(first[1].printed, "1.25");
  EXPECT_EQ(first[1].known, "X1");
  EXPECT_EQ(first[2].text, "stick");
  EXPECT_EQ(first[2].printed, "stick");
  EXPECT_EQ(first[3].text, "yes");
  EXPECT_EQ(first[3].printed, "");
  EXPECT_EQ(first[4].computed, 0.);
  EXPECT_EQ(first[4].printed, "");
  EXPECT_EQ(part.tables[0].rows[1].cells[1].printed, "−3");
  EXPECT_EQ(part.tables[0].rows[1].cells[3].printed, "yes");
  ASSERT_EQ(part.statements.size(), 1U);
  EXPECT_EQ(part.statements[0].says, "it grows");
  EXPECT_EQ(part.statements[0].found, "by 2.5e-01, not by half");
  EXPECT_EQ(part.statements[0].known, "X1");
  ASSERT_EQ(part.pictures.size(), 1U);
  EXPECT_EQ(part.pictures[0].name, "one-1");
  ASSERT_EQ(r.errata.size(), 1U);
  EXPECT_EQ(r.errata[0].where, "Table 1 (b)");
  EXPECT_EQ(r.errata[0].shown, "it is 2, not 1");
  EXPECT_TRUE(r.errata[0].holds);
  EXPECT_EQ(faults(r), std::vector<std::string>{});
}

TEST(PapersReader, FrontMatter) {
  const Sample sample;
  const Publication p =
      read_publication(sample.files.at("papers/one/publication.md"), "p.md").front;
  EXPECT_EQ(p.name, "one");
  EXPECT_EQ(p.authors, "A. Body");
  EXPECT_EQ(p.year, 1999);
  EXPECT_EQ(p.title, "On impact");
  EXPECT_EQ(p.where, "Journal 1");
  EXPECT_EQ(p.link, "");
  EXPECT_EQ(p.about, "What it is about.");
}

// A head alone: the rows are those that are computed.
TEST(PapersReader, RowsThatAreComputedAlone) {
  Sample sample;
  sample.files["papers/one/numbers.csv"] = "phase,from [ms]\n";
  sample.computations.tables.at("numbers") = RowsOf([] {
    return std::vector<Computed>{{{"phase", "slip"}, {"from [ms]", 0.5}}, {{"phase", "stick"}}};
  });
  const Table table = sample.run().parts[0].tables[0];
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].cells[0].text, "slip");
  EXPECT_EQ(table.rows[0].cells[1].computed, 0.5);
  EXPECT_FALSE(table.rows[1].cells[1].computed);
}

struct Refused {
  const char* file;
  const char* was;
  const char* is;
  const char* message;
};

class PapersReaderRefuses : public testing::TestWithParam<Refused> {};

TEST_P(PapersReaderRefuses, WithFileAndLine) {
  Sample sample;
  sample.replace(GetParam().file, GetParam().was, GetParam().is);
  EXPECT_EQ(sample.refusal(), "papers/one/" + std::string(GetParam().message));
}

constexpr const char* page = "publication.md";
constexpr const char* errata = "errata.md";
constexpr const char* numbers = "numbers.csv";

INSTANTIATE_TEST_SUITE_P(
    All, PapersReaderRefuses,
    testing::Values(
        // the page
        Refused{page, "+++\nname", "name", "publication.md:1: must begin with +++"},
        Refused{page, "1\"\n+++", "1\"\n", "publication.md:1: +++ does not end"},
        Refused{page, "name = \"one\"", "name = \"two\"",
                "publication.md:1: the name is 'two', not the folder's"},
        Refused{page, "What it is\nabout.\n", "",
                "publication.md:1: says nothing of what it is about"},
        Refused{page, "## Table 1: Numbers: all of them", "## Table 1",
                "publication.md:12: 'Table 1': must be 'ID: TITLE'"},
        Refused{page, "## Table", "# Table",
                "publication.md:12: 'Table 1: Numbers: all of them': a part begins with ##, what "
                "belongs to it with ###"},
        Refused{page, "### table numbers", "### tables numbers",
                "publication.md:16: 'tables numbers': must be 'table NAME', 'statement NAME', "
                "'statement NAME [ERRATUM]' or 'picture NAME'"},
        Refused{page, "### table numbers", "### table numbers [X1]",
                "publication.md:16: only a statement names an erratum"},
        Refused{page, "it grows\n", "", "publication.md:20: says nothing"},
        Refused{page, "A picture.\n", "", "publication.md:27: a picture needs a caption"},
        Refused{page, "> not by {word}\n", "> not by {word}\n\nmore\n",
                "publication.md:27: 'more': only one paragraph and one quotation stands here"},
        Refused{page, "rows and", "rows and\n\n",
                "publication.md:16: '{{braces}}.': only one paragraph stands here"},
        Refused{page, "{count}", "{many}", "publication.md:14: no value 'many' was computed"},
        Refused{page, "{worst:.1e}", "{least}", "publication.md:24: no value 'least' was computed"},
        Refused{page, "{worst:.1e}", "{worst:d}",
                "publication.md:24: 'by {worst:d}, not by {word}': invalid type specifier"},
        // names
        Refused{page, "### table numbers", "### table figures",
                "publication.md:16: no function for the table 'figures'"},
        Refused{page, "statement grows", "statement shrinks",
                "publication.md:20: no function for the statement 'shrinks'"},
        Refused{page, "picture one-1", "picture one-2",
                "publication.md:27: no function for the picture 'one-2'"},
        Refused{page, "picture one-1\n\nA picture.\n", "statement grows\n\nagain\n",
                "publication.md:27: statement 'grows' again"},
        Refused{page, "### picture one-1\n\nA picture.\n", "",
                "publication.md:1: no picture 'one-1', which has a function"},
        Refused{page, "## Table 1:", "## Table 2:",
                "publication.md:1: no part 'Table 1', which has a function"},
        Refused{page, "[X1]", "[X2]", "publication.md:20: no erratum 'X2'"},
        // errata
        Refused{errata, "### X1 (misprint)", "### X1 misprint",
                "errata.md:3: 'X1 misprint: Table 1 (b)': must be 'ID (REASON): WHERE'"},
        Refused{errata, "misprint", "fault",
                "errata.md:3: 'fault': must be 'misprint', 'perhaps the scan', 'reading' or "
                "'unexplained'"},
        Refused{errata, "- corrected: 2\n", "",
                "errata.md:6: X1: must have '- printed: ', '- corrected: ' and '- shown: ', in "
                "this order"},
        Refused{errata, "  not 1\n", "  not 1\n- more\n",
                "errata.md:9: 'more': only - printed, - corrected and - shown stands here"},
        Refused{errata, "### X1", "### X2", "errata.md:3: no function for the erratum 'X2'"},
        Refused{errata, "{x:g}", "{y}", "errata.md:7: no value 'y' was computed"},
        Refused{errata, "  not 1\n", "  not 1\n## X2\n",
                "errata.md:9: 'X2': an erratum begins with ###"},
        // tables
        Refused{numbers, "a,0.5", "0.5", "numbers.csv:2: 5 cells, but 6 columns"},
        Refused{numbers, "\"v, both\"", "\"v, both", "numbers.csv:1: a quote does not end"},
        Refused{numbers, "\"v, both\"", "\"v\" both", "numbers.csv:1: text after a quote"},
        Refused{numbers, "[X1]", "[X2]", "numbers.csv:2: no erratum 'X2'"},
        Refused{numbers, "a,0.5", "a,0.5 [X1]",
                "numbers.csv:2: [X1] at a cell that is not compared"},
        Refused{numbers, "−3", "-", "numbers.csv:3: not a printed number: '-'"},
        Refused{numbers, ",mode,", ",case,", "numbers.csv:2: no column 'mode', which is computed"},
        Refused{numbers, "key,", "name,", "numbers.csv:1: no column 'key'"}));

TEST(PapersReader, RefusesMissingFilesAndFunctions) {
  Sample sample;
  sample.files.erase("papers/one/numbers.csv");
  EXPECT_EQ(sample.refusal(), "papers/one/publication.md:16: there is no papers/one/numbers.csv");
  sample = {};
  sample.files["papers/one/numbers.csv"] = "\n";
  EXPECT_EQ(sample.refusal(), "papers/one/numbers.csv:1: there are no columns");
  sample = {};
  sample.files.erase("papers/one/errata.md");
  EXPECT_EQ(sample.refusal(), "papers/one/publication.md:1: there is no papers/one/errata.md");
  sample = {};
  EXPECT_THROW((void)sample.computations.checks["grows"], std::invalid_argument) << "again";
  sample.computations.checks["more"] = [] { return Found{}; };
  EXPECT_EQ(sample.refusal(),
            "papers/one/publication.md:1: no statement or erratum 'more', which has a function");
  sample = {};
  sample.computations.tables["more"] = RowsOf([] { return std::vector<Computed>{}; });
  EXPECT_EQ(sample.refusal(), "papers/one/publication.md:1: no table 'more', which has a function");
  sample = {};
  sample.computations.tables.at("numbers") = RowsOf([] { return std::vector<Computed>(3); });
  EXPECT_EQ(sample.refusal(), "papers/one/numbers.csv:1: 2 rows, but 3 were computed");
  EXPECT_THROW((void)merged({sample.computations, sample.computations}), std::invalid_argument);
  EXPECT_THROW((void)embedded("papers/one/none.md"), std::invalid_argument);
}

TEST(PapersReader, PrintedRowsAreNumbersAndWords) {
  const auto& rows = printed_rows("shen-townsend/table-2");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].number("energy [J]"), 0.1034);
  EXPECT_EQ(rows[1].text("change"), "Increase");
  EXPECT_EQ(rows[3].index, 3U);
  EXPECT_THROW((void)rows[0].number("change"), InputError);
  EXPECT_THROW((void)rows[0].text("none"), InputError);
}

}  // namespace
}  // namespace carom::papers
