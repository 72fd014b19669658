// `gputlm run -`: a workload file from standard input.

#include <gmock/gmock.h>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

/// The program with `text` as its standard input.
Outcome run_with_input(const TestFolder& folder, const std::string& text, const std::vector<std::string>& arguments) {
  const std::string file = folder.write("input", text);
  return run_program(arguments, "", [&] {
    const int input = ::open(file.c_str(), O_RDONLY);
    if (input < 0 || ::dup2(input, STDIN_FILENO) < 0) ::_exit(127);
  });
}

TEST(StandardInput, IsAWorkloadLikeAFile) {
  const TestFolder folder;
  const std::string text = busy_workload(40, 20);
  ASSERT_EQ(run_program({"run", folder.write("w.yaml", text), "--out", folder.path("file")}).code, 0);
  const Outcome outcome = run_with_input(folder, text, {"run", "-", "--out", folder.path("input_out")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_file(folder.path("input_out/blocks.csv")), read_file(folder.path("file/blocks.csv")));
}

TEST(StandardInput, IsCalledSoInMessages) {
  const TestFolder folder;
  const auto message = [&](const std::string& text, const std::vector<std::string>& arguments) {
    const Outcome outcome = run_with_input(folder, text, arguments);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_EQ(message("kernels: {}\napplicatoins: []\n", {"run", "-"}),
            "gputlm: <stdin>:2: unknown key 'applicatoins'; did you mean 'applications'? allowed: settings, variants, "
            "instances, managed, kernels, applications, tasks\n");
  EXPECT_EQ(message("", {"run", "-"}), "gputlm: <stdin>: the file is empty\n");
  EXPECT_EQ(message("", {"run", "-", "-"}), "gputlm: <stdin>: is given twice; allowed: once\n");
  EXPECT_EQ(message(std::string(17 << 20, ' '), {"run", "-"}), "gputlm: <stdin>: the file has more than 16 MiB\n");
}

TEST(StandardInput, ThatIsClosedIsAnError) {
  const Outcome outcome = run_program({"run", "-"}, "", [] { ::close(STDIN_FILENO); });
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "gputlm: <stdin>: cannot be read\n");
}

}  // namespace
}  // namespace gputlm
