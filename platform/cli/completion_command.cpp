#include <fmt/format.h>

#include "platform/cli/commands.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

// Words are those of the line up to the cursor, parted at spaces: bash parts its own at = and : too, which stand in ours,
// and wants only what comes behind the last of these.
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
      return 0;
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
