// `-o -`: a command writes its file to standard output.

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

/// Runs in a folder of its own, where no file called "-" may be left.
class StandardOutput : public testing::Test {
 protected:
  Outcome run(const Words& words) {
    Outcome outcome = run_program(words, folder_.path(""));
    EXPECT_FALSE(std::filesystem::exists(folder_.path("-")));
    return outcome;
  }
  std::string tasks() const {
    return folder_.write("tasks.yaml",
                         "kernels: {k: {grid: 1, block: 32, program: [spin: {us: 5}]}}\n"
                         "applications:\n"
                         "  - {name: a, streams: [{name: s, launches: [{kernel: k, repeat: 3, period_us: 20, "
                         "deadline_us: 20}]}]}\n");
  }

  TestFolder folder_;
};

TEST_F(StandardOutput, OfConvertIsTheWorkloadFile) {
  const std::string file = folder_.write("w.yaml", busy_workload(4, 2));
  const Outcome piped = run({"convert", file, "-o", "-"});
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_THAT(piped.out, HasSubstr("kernels:"));
  EXPECT_EQ(piped.out, run({"convert", file}).out);
  ASSERT_EQ(run({"convert", file, "-o", "./-.yaml"}).code, 0);
  EXPECT_EQ(read_file(folder_.path("-.yaml")), piped.out);
}

TEST_F(StandardOutput, HoldsNothingBesideTheFile) {
  const Outcome bound = run({"bound", tasks(), "--phases", "2", "--csv", "-"});
  EXPECT_EQ(bound.code, 0) << bound.err;
  EXPECT_THAT(bound.out, StartsWith("task,"));
  EXPECT_EQ(std::count(bound.out.begin(), bound.out.end(), '\n'), 2) << bound.out;
  EXPECT_THAT(bound.err, HasSubstr("A bound holds if"));

  const Outcome durations =
      run({"calibrate", folder_.write("w.yaml", busy_workload(4, 2)), "--gpu", "gtx480", "-o", "-"});
  EXPECT_EQ(durations.code, 0) << durations.err;
  EXPECT_THAT(durations.out, AllOf(StartsWith("# Durations of blocks on gtx480"), testing::Not(HasSubstr(" pairs\n"))));
  EXPECT_THAT(durations.err, HasSubstr("1 kernels, "));

  ASSERT_EQ(run({"run", folder_.path("w.yaml"), "--out", folder_.path("out")}).code, 0);
  const Outcome page = run({"report", folder_.path("out"), "-o", "-"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_THAT(page.out, AllOf(StartsWith("<!doctype html>"), EndsWith("</html>\n")));
}

TEST_F(StandardOutput, OfAChartIsThePictureOrSaysWhatIsMissing) {
  const Words words{"chart", folder_.write("t.csv", "a,b\n1,2\n2,3\n"), "-x", "a", "-y", "b", "-o", "-"};
  if (std::system("command -v gnuplot >/dev/null") == 0) {
    const Outcome drawn = run(words);
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_THAT(drawn.out, AllOf(StartsWith("<?xml"), HasSubstr("<svg")));
  }
  const Outcome missing = run_program(words, folder_.path(""), [] { setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.out, "");
  EXPECT_THAT(missing.err, HasSubstr("gnuplot"));
}

TEST_F(StandardOutput, IsForOneFile) {
  const Outcome two = run({"bound", tasks(), "--csv", "-", "--json", "-"});
  EXPECT_EQ(two.code, 2);
  EXPECT_THAT(two.err, HasSubstr("two files that go to standard output (-), allowed: one"));
}

}  // namespace
}  // namespace gputlm
