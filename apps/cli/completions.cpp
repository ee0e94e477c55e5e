// SPDX-License-Identifier: Apache-2.0
// Shell completions, made by walking the command itself, so that they cannot fall behind it.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/laws/table.hpp>

#include "command_line.hpp"
#include "examples.hpp"

namespace carom::cli {
namespace {

struct Command {
  std::string name;
  std::string help;
  std::vector<std::pair<std::string, std::string>> options;  ///< "--json", what it does
};

std::vector<Command> commands(const CLI::App& app) {
  std::vector<Command> all;
  for (const CLI::App* sub : app.get_subcommands({})) {
    Command c{.name = sub->get_name(), .help = sub->get_description(), .options = {}};
    for (const CLI::Option* option : sub->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        c.options.emplace_back("--" + name, option->get_description());
      }
    }
    all.push_back(std::move(c));
  }
  return all;
}

std::string law_names() {
  std::string names;
  for (const Law& law : laws()) names += (names.empty() ? "" : " ") + std::string(law.name);
  return names;
}

/// Which of the examples a command completes, by name; none where they are not installed.
std::string example_names(const std::string& command) {
  std::string names;
  try {
    for (const Example& e : examples()) {
      const bool any = command == "check" || command == "examples";
      if (any || command == command_for(e)) names += (names.empty() ? "" : " ") + e.name;
    }
  } catch (const InputError&) {
  }
  return names;
}

/// The laws for zsh's _arguments, to which a colon means something.
std::string zsh_law_names() {
  std::string names = law_names();
  for (std::size_t at = 0; (at = names.find(':', at)) != std::string::npos; at += 2) {
    names.replace(at, 1, "\\:");
  }
  return names;
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
  std::string cases;
  for (const Command& c : all) {
    names += c.name + " ";
    std::string options;
    for (const auto& [option, help] : c.options) options += option + " ";
    cases += fmt::format("    {}) words=\"{}\" examples=\"{}\" ;;\n", c.name, options,
                         example_names(c.name));
  }
  return fmt::format(
      R"(# bash completion for carom: source this, or put it in bash_completion.d/carom
_carom() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local words="" examples=""
  COMP_WORDBREAKS="${{COMP_WORDBREAKS//:/}}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}--help --version" -- "$current"))
    return
  fi
  case "$previous" in
    --law|-l) COMPREPLY=($(compgen -W "{}" -- "$current")); return ;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    laws) COMPREPLY=($(compgen -W "{} --help" -- "$current")); return ;;
    completions) COMPREPLY=($(compgen -W "bash zsh fish man --help" -- "$current")); return ;;
  esac
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current") $(compgen -W "$examples" -- "$current"))
  fi
}}
complete -o filenames -F _carom carom
)",
      names, law_names(), law_names(), cases);
}

std::string zsh(const std::vector<Command>& all) {
  std::string names;
  std::string cases;
  for (const Command& c : all) {
    names += "    " + quoted(c.name + ":" + c.help) + "\n";
    std::string options;
    for (const auto& [option, help] : c.options) {
      std::string text = help;
      for (char& ch : text) {
        if (ch == '[' || ch == ']' || ch == ':') ch = ' ';
      }
      const std::string value = option == "--law"    ? ":law:(" + zsh_law_names() + ")"
                                : option == "--plot" ? ":picture:_files"
                                                     : "";
      options += " " + quoted(option + "[" + text + "]" + value);
    }
    const std::string examples = example_names(c.name);
    const std::string argument = c.name == "laws"          ? ":law:(" + zsh_law_names() + ")"
                                 : c.name == "completions" ? ":shell:(bash zsh fish man)"
                                 : examples.empty()
                                     ? "*:file:_files"
                                     : "*:file or example:{_files; compadd -- " + examples + "}";
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
    for (const auto& [option, help] : c.options) {
      out += fmt::format("complete -c carom -n '__fish_seen_subcommand_from {}' -l {} -d {}{}\n",
                         c.name, option.substr(2), quoted(help),
                         option == "--law" ? " -x -a " + quoted(law_names()) : "");
    }
    if (const std::string examples = example_names(c.name); !examples.empty()) {
      out += fmt::format("complete -c carom -n '__fish_seen_subcommand_from {}' -a {}\n", c.name,
                         quoted(examples));
    }
  }
  out += fmt::format("complete -c carom -n '__fish_seen_subcommand_from laws' -f -a {}\n",
                     quoted(law_names()));
  out +=
      "complete -c carom -n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish man'\n";
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
