// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <papers/engine/chart.hpp>

/// Publications recomputed: what each prints, table by table and figure by figure, beside what
/// Carom computes. Texts are plain UTF-8; figures are described in our own words.
namespace carom::papers {

/// Why a paper and the computation differ.
enum class Reason : std::uint8_t {
  misprint,     ///< of the paper: the corrected form is shown by a computation
  scan,         ///< perhaps of the scanned text only
  reading,      ///< the text allows several readings, or claims too much
  unexplained,  ///< nobody knows; what was tried is said
};

/// A misprint, inconsistency or open point.
struct Erratum {
  std::string id{};  ///< "ST9"; unique over all publications
  Reason reason = Reason::misprint;
  std::string where{};      ///< "Table 2, row 1"
  std::string printed{};    ///< what stands there, in our notation
  std::string corrected{};  ///< what should
  std::string shown{};      ///< the computation that shows it, with its numbers
  bool holds = false;       ///< whether that computation shows it: computed, never just set
};

/// One place of a table: a word, a number of ours, or one of ours beside one that is printed.
struct Cell {
  std::string text{};                ///< of a place without a number: an input, a word
  std::optional<double> computed{};  ///< ours
  std::string printed{};             ///< the digits as printed, "0.1034"; empty: none are
  std::string known{};  ///< the erratum that explains the difference; empty: there is none
};

struct Table {
  std::string caption{};
  std::vector<std::string> columns{};  ///< heads with their units: "v_n+ [m/s]"
  struct Row {
    std::vector<Cell> cells{};  ///< one for each column
  };
  std::vector<Row> rows{};
};

/// Something that the text says, and whether it is so. Of figures without printed numbers this is
/// all that can be compared.
struct Statement {
  std::string says{};   ///< in our own words
  bool holds = false;   ///< by computation
  std::string found{};  ///< what was computed, with its numbers
  std::string known{};  ///< the erratum, where the text is wrong
};

struct Picture {
  std::string name{};     ///< of its files, "payr-glocker-4"
  std::string caption{};  ///< in our own words, what to look for
  Drawing draw{};
};

/// A table, a figure, a section, an equation of the publication.
struct Part {
  std::string id{};     ///< "Table 2", "Fig. 4", "Section 6", "Eq. 14"
  std::string title{};  ///< in our own words
  std::string text{};   ///< what is computed, under which law, and what it is compared with
  std::vector<Table> tables{};
  std::vector<Statement> statements{};
  std::vector<Picture> pictures{};
};

struct Reproduction {
  std::vector<Part> parts{};  ///< in the order of the paper
  std::vector<Erratum> errata{};
};

/// How a long computation goes on.
struct Work {
  unsigned threads = 0;                     ///< 0: as many as there are cores
  std::function<void(double)> progress{};   ///< called now and then with the share done
  const std::atomic<bool>* stop = nullptr;  ///< set by others: throws Interrupted
};

struct Publication {
  std::string name{};  ///< "payr-glocker"
  std::string authors{};
  int year = 0;
  std::string title{};
  std::string where{};  ///< journal, volume, pages
  std::string link{};   ///< "https://doi.org/..."; may be empty
  std::string about{};  ///< what it does and how Carom names it, a few sentences
  std::function<Reproduction(const Work&)> reproduce{};
};

/// All of them, in the order in which they are listed.
[[nodiscard]] const std::vector<Publication>& publications();

/// Computations that are reported like publications, but take about a minute each: `--all` leaves
/// them out.
[[nodiscard]] const std::vector<Publication>& studies();

/// A publication or a study. Null: there is none of that name.
[[nodiscard]] const Publication* find_publication(std::string_view name);

}  // namespace carom::papers
