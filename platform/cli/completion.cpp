/// Completes a command line.
#include <fmt/format.h>

#include <algorithm>

#include "models/policy/policy.h"
#include "platform/cli/catalogue.h"
#include "platform/cli/commands.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "platform/input/parameters.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// The candidates that continue the current word.
class Candidates {
 public:
  /// `before`: the part of the word that is complete.
  explicit Candidates(std::string word, std::string before = "") : word_(std::move(word)), before_(std::move(before)) {}

  void add(const std::string& name, const std::string& description) {
    if (name.compare(0, word_.size(), word_) != 0) return;
    const std::string line = before_ + name + '\t';
    if (text_.find(line) == std::string::npos)
      text_ += line + description + '\n';  // offered by several kinds, but listed
                                           // once
  }
  void directive(const std::string& what) { text_ += what + '\n'; }
  const std::string& word() const { return word_; }
  const std::string& text() const { return text_; }

 private:
  std::string word_, before_, text_;
};

/// key=value: keys, and after the = the names and switches that the parameter takes.
std::string settings(const std::string& word, const std::string& before) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) {
    Candidates keys(word, before);
    for (const Parameter& parameter : parameters()) keys.add(parameter.name + "=", parameter.meaning);
    return keys.text();
  }
  Candidates values(word.substr(equals + 1), before + word.substr(0, equals + 1));
  for (const Parameter& parameter : parameters()) {
    if (parameter.name != word.substr(0, equals)) continue;
    if (parameter.type() == "boolean") {
      values.add("true", parameter.meaning);
      values.add("false", "");
    }
    if (parameter.decision.empty()) continue;
    for (const PolicyInfo* const policy : decision(parameter.decision).policies())
      values.add(policy->name, policy->description);
  }
  return values.text();
}

std::string values_of(const Values& values, const std::string& word, const std::string& before = "") {
  if (values.setting) return settings(word, before);
  Candidates candidates(word, before);
  for (const std::string& name : values.words) candidates.add(name, "");
  for (const std::string& name : values.catalogues) {
    for (const Item& item : catalogues().at(name).listing({}).items) candidates.add(item.name, item.description);
  }
  if (values.files) candidates.directive(":files");
  if (values.folders) candidates.directive(":folders");
  return candidates.text();
}

std::string options_of(const Declaration& command, const std::vector<std::string>& given, const std::string& word) {
  Candidates candidates(word);
  for (const ArgumentInfo& argument : command.arguments) {
    if (!argument.is_option()) continue;
    const auto is_it = [&](const std::string& one) { return command.option(one) == &argument; };
    if (argument.repeated || std::none_of(given.begin(), given.end(), is_it))
      candidates.add(argument.long_name(), argument.meaning);
  }
  candidates.add("--help", "Options of the command");
  return candidates.text();
}

/// The next positional argument; null: there is no other.
const ArgumentInfo* next_positional(const Declaration& command, const std::vector<std::string>& given) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const ArgumentInfo* const option = command.option(given[i]);
    if (option && !option->flag) ++i;  // including its value
    if (!option && given[i].rfind("--", 0) != 0) ++count;
  }
  for (const ArgumentInfo& argument : command.arguments) {
    if (argument.is_option()) continue;
    if (argument.repeated || count == 0) return &argument;
    --count;
  }
  return nullptr;
}

}  // namespace

std::string completions(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::string& word = words.back();
  if (words.size() == 1) {
    Candidates candidates(word);
    for (const CommandInfo& command : commands()) candidates.add(command.name, command.description);
    candidates.add("--help", "All commands");
    candidates.add("--version", "The program's version");
    return candidates.text();
  }
  const CommandInfo* const info = commands().find(words.front());
  if (!info) return "";
  const Declaration command = declaration_of(*info);
  const std::vector<std::string> given(words.begin() + 1, words.end() - 1);
  if (!given.empty()) {
    const ArgumentInfo* const option = command.option(given.back());
    if (option && !option->flag) return values_of(option->values, word);
  }
  if (const std::size_t equals = word.find('='); word[0] == '-' && equals != std::string::npos) {
    const ArgumentInfo* const option = command.option(word.substr(0, equals));
    return option ? values_of(option->values, word.substr(equals + 1), word.substr(0, equals + 1)) : "";
  }
  if (!word.empty() && word[0] == '-') return options_of(command, given, word);
  const ArgumentInfo* const positional = next_positional(command, given);
  return positional ? values_of(positional->values, word) : options_of(command, given, word);
}

namespace {

// The words are those of the line up to the cursor, split at spaces. Bash also splits at = and :, which occur in our words,
// and expects only the part after the last of them.
constexpr const char* kBash = R"shell(# Completion of gputlm for bash: the program itself says what may come next.
_gputlm() {
  local line=${COMP_LINE:0:COMP_POINT} words=() word settled="" candidate text more
  read -ra words <<<"$line"
  [[ $line != *[[:space:]] ]] || words+=("")
  word=${words[-1]}
  if [[ $COMP_WORDBREAKS == *=* && $word == *=* ]]; then settled=${word%"${word##*=}"}; fi
  if [[ $COMP_WORDBREAKS == *:* && ${word#"$settled"} == *:* ]]; then settled=${word%"${word##*:}"}; fi
  COMPREPLY=()
  while IFS=$'\t' read -r candidate text; do
    case $candidate in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        mapfile -t more < <(compgen "$([[ $candidate = :files ]] && echo -f || echo -d)" -- "${word#"$settled"}")
        COMPREPLY+=("${more[@]}")
        ;;
      *)
        [[ $candidate != *= ]] || compopt -o nospace 2>/dev/null
        COMPREPLY+=("${candidate#"$settled"}")
        ;;
    esac
  done < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null)
}
complete -F _gputlm gputlm
)shell";

constexpr const char* kZsh = R"shell(#compdef gputlm
# Completion of gputlm for zsh: the program itself says what may come next.
_gputlm() {
  local candidate text
  local -a names texts keys key_texts
  local -i files=0 folders=0
  while IFS=$'\t' read -r candidate text; do
    case $candidate in
      (:files) files=1 ;;
      (:folders) folders=1 ;;
      (*=) keys+=("$candidate") key_texts+=("$candidate  $text") ;;
      (*) names+=("$candidate") texts+=("$candidate  $text") ;;
    esac
  done < <("${(Q)words[1]/#\~/$HOME}" __complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  (( $#names )) && compadd -l -d texts -a names
  (( $#keys )) && compadd -l -S '' -d key_texts -a keys
  compset -P '--*='
  (( files )) && _files
  (( folders )) && _files -/
  return 0
}
if [[ $funcstack[1] == _gputlm ]]; then _gputlm "$@"; else compdef _gputlm gputlm; fi
)shell";

constexpr const char* kFish = R"shell(# Completion of gputlm for fish: the program itself says what may come next.
function __gputlm_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] "$word" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$word"
            case ':folders'
                __fish_complete_directories "$word"
            case '*'
                echo $line
        end
    end
end
complete -c gputlm -f -a '(__gputlm_complete)'
)shell";

class CompletionCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("shell", shell_, "bash, zsh or fish", Values::one_of("SHELL", names()));
    arguments.example("completion bash > ~/.local/share/bash-completion/completions/gputlm", "for bash");
    arguments.example("completion zsh > ~/.zfunc/_gputlm", "for zsh, with fpath+=~/.zfunc before compinit in ~/.zshrc");
    arguments.example("completion fish > ~/.config/fish/completions/gputlm.fish", "for fish");
  }
  int execute() override {
    for (const Script& script : kScripts) {
      if (shell_ != script.shell) continue;
      print(script.text);
      return kDone;
    }
    throw InputError(fmt::format("there is no completion for '{}'{}", shortened(shell_), suggestion(shell_, names())));
  }

 private:
  struct Script {
    const char* shell;
    const char* text;
  };
  static constexpr Script kScripts[] = {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Script& script : kScripts) names.emplace_back(script.shell);
    return names;
  }

  std::string shell_;
};

GPUTLM_REGISTER {
  add_command<CompletionCommand>("completion", "Print a script that completes command lines in a shell",
                                 CommandGroup::kAsk);
}

}  // namespace

}  // namespace gputlm
