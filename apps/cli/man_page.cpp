// SPDX-License-Identifier: Apache-2.0
// The manual page, made by walking the command itself, so that it cannot fall behind it.
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command_line.hpp"

namespace carom::cli {
namespace {

/// Text that troff prints as it stands.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool at_line_start = out.empty() || out.back() == '\n';
    if (at_line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
  }
  return out;
}

std::string indented(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(term), plain(text));
}

std::string options(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    std::string term = option->get_name(option->get_positional(), true);
    if (!option->get_type_name().empty()) term += " " + option->get_type_name();
    out += indented(term, option->get_description());
  }
  return out;
}

/// As it stands, lines and all.
std::string footer(const CLI::App& command) {
  const std::string text = command.get_footer();
  return text.empty() ? "" : ".PP\n.nf\n" + plain(text) + "\n.fi\n";
}

std::string subcommand(const CLI::App& command) {
  std::string arguments = " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const bool required = option->get_required();
    arguments += fmt::format(" {}\\fI{}\\fR{}", required ? "" : "[", option->get_name(true),
                             required ? "" : "]");
  }
  return fmt::format(".SS carom {}\n\\fBcarom {}\\fR{}\n.PP\n{}.\n", command.get_name(),
                     command.get_name(), arguments, plain(command.get_description())) +
         options(command) + footer(command);
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string page = ".TH CAROM 1 \"\" \"carom " CAROM_VERSION "\" \"User Commands\"\n";
  page += ".SH NAME\ncarom \\- rigid\\-body impact with friction\n";
  page += ".SH SYNOPSIS\n\\fBcarom\\fR [\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]]\n";
  page += ".SH DESCRIPTION\n" + plain(app.get_description()) +
          "\nWithout arguments it shows an example.\n";
  page += ".SH OPTIONS\n" + options(app) + ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) page += subcommand(*command);
  page += ".SH EXIT STATUS\n" + indented("0", "Done.") +
          indented("1", "It could not be done: a picture not drawn, a motion not followed.") +
          indented("2", "Wrong usage or input; one line on standard error says what is wrong.") +
          indented("130", "Interrupted.");
  page += ".SH ENVIRONMENT\n" +
          indented("CAROM_EXAMPLES", "The directory of examples, in place of the installed one.") +
          indented("CAROM_PYTHON", "The Python interpreter that draws pictures.") +
          indented("CAROM_STUDY", "The program that 'carom map', 'simulate' and 'check' run.") +
          indented("CAROM_FIT", "The program that 'carom fit' runs.") +
          indented("CAROM_PAPERS", "The program that 'carom papers' runs.") +
          indented("CAROM_SWEEP", "The program that 'carom sweep' and 'carom merge' run.") +
          indented("NO_COLOR", "No colours, unless asked for by --color.");
  return page;
}

}  // namespace carom::cli
