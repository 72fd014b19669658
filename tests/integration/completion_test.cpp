// Completion as the shells do it, and manual pages as man(1) reads them. A shell that is not installed is skipped;
// scripts/test installs all.

#include <cstdlib>
#include <map>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

/// What a shell prints that runs `script`, line by line, sorted. The folder has the program under its name, and is where
/// the shell is.
class Shell {
 public:
  explicit Shell(const std::string& shell) : shell_(shell) {
    std::filesystem::create_symlink(GPUTLM_PROGRAM, folder_.path("gputlm"));
    folder_.write("completion", run_program({"completion", shell}).out);
    folder_.write("my workloads/w.yaml", "");
  }
  bool installed() const { return std::system(("command -v " + shell_ + " >/dev/null 2>&1").c_str()) == 0; }
  /// `line`: up to the cursor.
  Strings completed(const std::string& line) const {
    const std::string script = folder_.write("script", kScripts.at(shell_));
    const std::string command = "cd '" + folder_.path("") +
                                "' && PATH=\"$PWD:$PATH\" HOME=\"$PWD\" XDG_CONFIG_HOME=\"$PWD\" " +
                                (shell_ == "bash"  ? "bash --norc"
                                 : shell_ == "zsh" ? "zsh -f"
                                                   : "fish --no-config") +
                                " script '" + line + "' >out 2>err";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder_.path("err"));
    EXPECT_EQ(read_file(folder_.path("err")), "");
    std::istringstream lines(read_file(folder_.path("out")));
    Strings words;
    for (std::string word; std::getline(lines, word);) words.push_back(word);
    std::sort(words.begin(), words.end());
    return words;
  }

 private:
  inline static const std::map<std::string, std::string> kScripts{
      {"bash", R"sh(source ./completion
complete -p gputlm >/dev/null || exit 1
COMP_LINE=$1 COMP_POINT=${#1}
_gputlm
printf '%s\n' "${COMPREPLY[@]}"
)sh"},
      // What zsh's line editor gives to a completion, and what it takes of it.
      {"zsh", R"sh(compdef() { : }
compset() { : }
_files() { print -l -- ${1:+folders} ${1:-files} }
compadd() { print -l -- ${(P)@[-1]} }
source ./completion
words=(${(z)1}) PREFIX=
[[ $1 == *' ' ]] && words+=('') || PREFIX=$words[-1]
CURRENT=$#words
_gputlm
)sh"},
      {"fish", R"sh(source ./completion
complete -C $argv[1] | string replace -r '\t.*' ''
true
)sh"}};
  std::string shell_;
  TestFolder folder_;
};

class Completion : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!shell.installed()) GTEST_SKIP() << GetParam() << " is not installed";
  }
  Shell shell{GetParam()};
};

TEST_P(Completion, OfCommands) { EXPECT_EQ(shell.completed("gputlm re"), (Strings{"report", "reproduce"})); }

TEST_P(Completion, OfOptions) {
  EXPECT_EQ(shell.completed("gputlm run w.yaml --check-p"), Strings{"--check-protocol"});
  const Strings none = shell.completed("gputlm run --nothing-like-it");
  EXPECT_EQ(shell.completed("gputlm run --check-protocol --check-p"), none) << "once is enough";
}

TEST_P(Completion, OfNames) {
  EXPECT_EQ(shell.completed("gputlm reproduce qaws/ho"), Strings{"qaws/homogeneous"});
  EXPECT_EQ(shell.completed("gputlm list policy"), Strings{"policy-counters"});
  EXPECT_EQ(shell.completed("gputlm mem random:9 --probe comm"), Strings{"commands"});
}

TEST_P(Completion, OfParametersAndTheirValues) {
  EXPECT_EQ(shell.completed("gputlm run w --set sm.warp_sch"), Strings{"sm.warp_scheduler="});
  // bash takes what stands before the = for a word of its own.
  const std::string key = GetParam() == std::string("bash") ? "" : "sm.warp_scheduler=";
  EXPECT_EQ(shell.completed("gputlm run w --set sm.warp_scheduler=two"), Strings{key + "two_level"});
}

INSTANTIATE_TEST_SUITE_P(All, Completion, testing::Values("bash", "zsh", "fish"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(CompletionFiles, AreThoseOfTheFolder) {
  for (const char* name : {"bash", "fish"}) {
    const Shell shell(name);
    if (!shell.installed()) continue;
    EXPECT_EQ(shell.completed("gputlm sweep my").size(), 1u) << name;
    EXPECT_EQ(shell.completed("gputlm sweep my").front().rfind("my", 0), 0u) << name;
  }
}

TEST(CompletionRequest, KnowsWhatComesNext) {
  const auto next = [](const Strings& words) {
    Strings arguments{"__complete"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return run_program(arguments).out;
  };
  EXPECT_EQ(next({"run", "--gpu", "xa"}).rfind("xavier\tintegrated GPU", 0), 0u);
  EXPECT_NE(next({"run", "--gpu", ""}).find("\n:files\n"), std::string::npos) << "a GPU may be a file";
  EXPECT_EQ(next({"run", "w", "--out", ""}), ":folders\n");
  EXPECT_EQ(next({"run", "w", "--seed", ""}), "");
  EXPECT_EQ(next({"run", "--gpu=xa"}).rfind("--gpu=xavier\t", 0), 0u);
  EXPECT_EQ(next({"completion", "fish", "--plugin", "x", ""}).rfind("--", 0), 0u) << "only options are left";
  EXPECT_EQ(next({"no-command", ""}), "");
  EXPECT_EQ(next({}), "");
}

/// The pages, written by `gputlm man --out`.
TEST(ManPages, AreThereForEachCommandAndRoffHasNothingToSay) {
  const TestFolder folder;
  ASSERT_EQ(run_program({"man", "--out", folder.path("man")}).code, 0);
  const Strings pages = folder.files("man");
  const auto root = nlohmann::json::parse(run_program({"list", "commands", "--json"}).out);
  EXPECT_EQ(pages.size(), root.at("commands").size() + 1);
  for (const auto& command : root.at("commands")) {
    const std::string page = read_file(folder.path("man/gputlm-" + command.at("name").get<std::string>() + ".1"));
    EXPECT_EQ(page, run_program({"man", command.at("name")}).out);
    for (const char* section : {".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH EXAMPLES", ".SH EXIT STATUS"})
      EXPECT_NE(page.find(section), std::string::npos) << command << section;
  }
  if (std::system("command -v groff >/dev/null 2>&1") != 0) GTEST_SKIP() << "groff is not installed";
  for (const std::string& page : pages) {
    const std::string command = "groff -man -ww -Tutf8 '" + folder.path("man/" + page) + "' >'" + folder.path("text") +
                                "' 2>'" + folder.path("said") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << page;
    EXPECT_EQ(read_file(folder.path("said")), "") << page;
  }
}

}  // namespace
}  // namespace gputlm
