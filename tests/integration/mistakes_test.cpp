// Typical mistakes and the exact message of the program to each: mistakes.txt. If a message there ends in "...", a list that
// grows with the program follows.

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

/// A workload that runs, and copies of it with one mistake each.
void write_files(const TestFolder& folder) {
  const std::string good = R"(kernels:
  k:
    grid: 4
    block: 64
    shared_memory: 0
    patterns: {p: {kind: coalesced}}
    program:
      - int
      - load: {pattern: p, dst: 4}
applications:
  - name: a
    streams:
      - name: s
        launches:
          - k
)";
  folder.write("w.yaml", good);
  const auto edited = [&](const std::string& name, const std::string& what, const std::string& by) {
    std::string text = good;
    folder.write(name, text.replace(text.find(what), what.size(), by));
  };
  edited("key.yaml", "block: 64", "blok: 64");
  edited("instruction.yaml", "- int", "- itn");
  edited("bytes.yaml", "shared_memory: 0", "shared_memory: 48kB");
  edited("kernel.yaml", "          - k", "          - K1");
  edited("pattern.yaml", "coalesced", "coalesed");
  edited("threads.yaml", "block: 64", "block: 2048");
  edited("shared.yaml", "shared_memory: 0", "shared_memory: 1MiB");
  edited("missing.yaml", "    block: 64\n", "");
  edited("noyaml.yaml", "block: 64", "block: [64");
  folder.write("gpu.yaml", "extends: V100\nsms: 4\n");
  folder.write("sweep.yaml", "gups: [xavier]\nworkloads: [w.yaml]\n");
}

struct Mistake {
  Strings command;
  std::string message;
};

std::vector<Mistake> mistakes() {
  std::vector<Mistake> all;
  std::istringstream lines(read_file(std::string(GPUTLM_SOURCE_DIR) + "/tests/integration/mistakes.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("$ gputlm", 0) != 0) {
      all.back().message += line + "\n";
      continue;
    }
    std::istringstream words(line.substr(8));
    all.emplace_back();
    for (std::string word; words >> word;) all.back().command.push_back(word);
  }
  return all;
}

TEST(Mistakes, AreAnsweredWordByWord) {
  const TestFolder folder;
  write_files(folder);
  ASSERT_GE(mistakes().size(), 20u);
  for (const Mistake& mistake : mistakes()) {
    const Outcome outcome = run_program(mistake.command, folder.path(""));
    std::string shown = "gputlm", expected = mistake.message, said = outcome.err;
    for (const std::string& word : mistake.command) shown += " " + word;
    if (const std::size_t list = expected.find("...\n"); list != std::string::npos) {
      const std::size_t end = said.find('\n', list);
      if (end != std::string::npos) said.replace(list, end - list, "...");
    }
    EXPECT_EQ(outcome.code, 2) << shown;
    EXPECT_EQ(outcome.out, "") << shown;
    EXPECT_EQ(said, expected) << shown;
  }
}

/// Colours are for terminals: what is read from a pipe has none, unless it is asked for.
TEST(Colours, AreForTerminalsAndWhoAsksForThem) {
  const auto said = [](const char* name, const char* value) {
    return run_program({"rnu"}, "",
                       [=] {
                         ::unsetenv("NO_COLOR");
                         ::setenv(name, value, 1);
                       })
        .err;
  };
  const std::string plain = "gputlm: there is no command", coloured = "\033[31mgputlm:\033[0m there is no command";
  EXPECT_EQ(said("CLICOLOR_FORCE", "").rfind(plain, 0), 0u);
  EXPECT_EQ(said("CLICOLOR_FORCE", "0").rfind(plain, 0), 0u);
  EXPECT_EQ(said("CLICOLOR_FORCE", "1").rfind(coloured, 0), 0u);
  const Outcome both = run_program({"rnu"}, "", [] {
    ::setenv("CLICOLOR_FORCE", "1", 1);
    ::setenv("NO_COLOR", "1", 1);
  });
  EXPECT_EQ(both.err.rfind(plain, 0), 0u) << "NO_COLOR is the stronger one";
}

}  // namespace
}  // namespace gputlm
