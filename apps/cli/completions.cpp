// SPDX-License-Identifier: Apache-2.0
// Shell completions, made by walking the command itself, so that they cannot fall behind it.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/laws/table.hpp>
#include <carom/study/quantity.hpp>

#include "command_line.hpp"
#include "examples.hpp"

namespace carom::cli {
namespace {

struct Choice {
  std::vector<std::string> names;  ///< "--law", "-l"
  std::string help;
  bool takes_value = false;
  std::string values;  ///< words to choose from; none: a file, or anything
};

struct Command {
  std::string name;
  std::string help;
  std::vector<Choice> options;
  bool takes_files = false;
  std::string arguments;  ///< words to choose from, besides files
};

void add(std::string& words, std::string_view word) {
  words += (words.empty() ? "" : " ") + std::string(word);
}

std::string law_names() {
  std::string names;
  for (const Law& law : laws()) add(names, law.name);
  return names;
}

/// What an option can be set to, where that is one of a few words.
std::string values_of(const std::string& command, const std::string& option) {
  std::string names;
  if (option == "--law") return law_names();
  if (option == "--against") {
    add(names, "exact");
    for (const Law& law : laws_for(in_space)) add(names, law.name);
  }
  if (option == "--show" && (command == "map" || command == "sweep")) {
    for (const study::Quantity& q : study::quantities()) {
      if (q.get != nullptr) add(names, q.name);
    }
  }
  if (option == "--show" && command == "simulate") {
    return "scene path top positions contacts energy";
  }
  if (option == "--method" && command == "sweep") return "grid sobol random";
  if (option == "--loss") return "mean-error least-squares huber";
  if (option == "--method") return "events stepping auto";
  if (option == "--keep") return "rows statistics";
  if (option == "--style") return "map surface";
  if (option == "--compare") return "difference ratio";
  if (option == "--over") return "time impulse";
  if (option == "--simd") return "best plain avx2 avx512";
  if (option == "--color") return "auto always never";
  return names;
}

bool takes_scenarios(const std::string& command) {
  return command == "solve" || command == "map" || command == "simulate" || command == "sweep" ||
         command == "fit" || command == "check";
}

/// Which of the examples a command completes, by name; none where they are not installed.
std::string example_names(const std::string& command) {
  std::string names;
  try {
    for (const Example& e : examples()) {
      const bool any = command == "check" || command == "examples";
      if (any || command == command_for(e)) add(names, e.name);
    }
  } catch (const InputError&) {
  }
  return names;
}

std::string arguments_of(const std::string& command) {
  if (command == "laws") return law_names();
  if (command == "papers") return CAROM_PUBLICATIONS;
  if (command == "completions") return "bash zsh fish man";
  return example_names(command);
}

std::vector<Command> commands(const CLI::App& app) {
  std::vector<Command> all;
  for (const CLI::App* sub : app.get_subcommands({})) {
    const std::string name = sub->get_name();
    Command c{.name = name,
              .help = sub->get_description(),
              .options = {},
              .takes_files = takes_scenarios(name),
              .arguments = arguments_of(name)};
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_lnames().empty()) continue;
      Choice choice{.names = {},
                    .help = option->get_description(),
                    .takes_value = option->get_items_expected_max() > 0,
                    .values = values_of(name, "--" + option->get_lnames().front())};
      for (const std::string& l : option->get_lnames()) choice.names.push_back("--" + l);
      for (const std::string& s : option->get_snames()) choice.names.push_back("-" + s);
      c.options.push_back(std::move(choice));
    }
    all.push_back(std::move(c));
  }
  return all;
}

/// Words for zsh's _arguments, to which a colon means something.
std::string zsh_words(std::string names) {
  for (std::size_t at = 0; (at = names.find(':', at)) != std::string::npos; at += 2) {
    names.replace(at, 1, "\\:");
  }
  return "(" + names + ")";
}

/// Inside single quotes of any of the three shells.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) {
    text.replace(at, 1, "'\\''");
  }
  return "'" + text + "'";
}

std::string bash(const std::vector<Command>& all) {
  std::string names;
  std::string values;
  std::string cases;
  for (const Command& c : all) {
    names += c.name + " ";
    std::string options;
    for (const Choice& o : c.options) {
      options += o.names.front() + " ";
      if (o.values.empty()) continue;
      std::string pattern;
      for (const std::string& name : o.names) {
        pattern += fmt::format("{}\"{} {}\"", pattern.empty() ? "" : "|", c.name, name);
      }
      values += fmt::format("    {}) values=\"{}\" ;;\n", pattern, o.values);
    }
    cases += fmt::format("    {}) options=\"{}\" arguments=\"{}\" files={} ;;\n", c.name, options,
                         c.arguments, c.takes_files ? "yes" : "");
  }
  return fmt::format(
      R"(# bash completion for carom: source this, or put it in bash_completion.d/carom
_carom() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local options="" arguments="" files="yes" values="" before=""
  COMP_WORDBREAKS="${{COMP_WORDBREAKS//:/}}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}--help --version" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}} $previous" in
{}  esac
  if [ -n "$values" ]; then
    [[ "$current" != *,* ]] || before="${{current%,*}},"
    COMPREPLY=($(compgen -P "$before" -W "$values" -- "${{current##*,}}"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$arguments" -- "$current"))
  if [ -n "$files" ] || [[ "$previous" == -* ]]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _carom carom
)",
      names, values, cases);
}

std::string zsh(const std::vector<Command>& all) {
  std::string names;
  std::string cases;
  for (const Command& c : all) {
    names += "    " + quoted(c.name + ":" + c.help) + "\n";
    std::string options;
    for (const Choice& o : c.options) {
      std::string text = o.help;
      for (char& ch : text) {
        if (ch == '[' || ch == ']' || ch == ':') ch = ' ';
      }
      const std::string value = !o.takes_value     ? ""
                                : o.values.empty() ? ":value:_files"
                                                   : ":value:" + zsh_words(o.values);
      for (const std::string& name : o.names)
        options += " " + quoted(name + "[" + text + "]" + value);
    }
    const std::string argument = !c.takes_files ? "*:name:" + zsh_words(c.arguments)
                                 : c.arguments.empty()
                                     ? "*:file:_files"
                                     : "*:file or example:{_files; compadd -- " + c.arguments + "}";
    cases += fmt::format("    {}) _arguments{} {} ;;\n", c.name, options, quoted(argument));
  }
  return fmt::format(R"(#compdef carom
# zsh completion for carom: put this as _carom in a folder of $fpath
_carom() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
{}  esac
}}
_carom "$@"
)",
                     names, cases);
}

std::string fish(const std::vector<Command>& all) {
  std::string out = "# fish completion for carom: put this in completions/carom.fish\n";
  for (const Command& c : all) {
    out += fmt::format("complete -c carom -n __fish_use_subcommand -f -a {} -d {}\n", c.name,
                       quoted(c.help));
    const std::string begin =
        fmt::format("complete -c carom -n '__fish_seen_subcommand_from {}'", c.name);
    for (const Choice& o : c.options) {
      out += begin;
      for (const std::string& name : o.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      out += fmt::format(" -d {}{}\n", quoted(o.help),
                         !o.values.empty() ? " -x -a " + quoted(o.values)
                         : o.takes_value   ? " -r"
                                           : "");
    }
    if (!c.arguments.empty()) {
      out += fmt::format("{}{} -a {}\n", begin, c.takes_files ? "" : " -f", quoted(c.arguments));
    }
  }
  return out;
}

}  // namespace

void add_completions(CLI::App& app, int& exit_code) {
  auto* cmd =
      app.add_subcommand("completions", "Print completions for a shell, or the manual page");
  auto shell = std::make_shared<std::string>();
  cmd->add_option("SHELL", *shell, "bash, zsh or fish; man for the manual page")
      ->required()
      ->type_name("");
  cmd->footer("Example: source <(carom completions bash)");
  cmd->callback([shell, &app, &exit_code] {
    const auto all = commands(app);
    if (*shell == "bash") {
      print(bash(all));
    } else if (*shell == "zsh") {
      print(zsh(all));
    } else if (*shell == "fish") {
      print(fish(all));
    } else if (*shell == "man") {
      print(man_page(app));
    } else {
      throw InputError("SHELL", "must be bash, zsh, fish or man, got '" + *shell + "'");
    }
    exit_code = done;
  });
}

}  // namespace carom::cli
