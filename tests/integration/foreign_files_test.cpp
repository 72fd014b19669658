// Files of other tools instead of an input: every command that takes an input names the kind of the file.

#include <gmock/gmock.h>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ForeignFiles, AreNamedByEveryCommandThatTakesAnInput) {
  const TestFolder folder;
  // ROCprofiler-SDK, source/docs/data/kernel_trace.csv
  const std::string trace = folder.write(
      "1_kernel_trace.csv",
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\","
      "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n");
  const std::string workload = folder.write("w.yaml", busy_workload(2, 2));
  ASSERT_EQ(run_program({"run", workload, "--out", folder.path("out")}).code, 0);
  const std::string sweep = folder.write("sweep.yaml", "workloads: [1_kernel_trace.csv]\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", trace},
                                                {"run", workload, trace},
                                                {"convert", trace},
                                                {"bound", trace},
                                                {"calibrate", trace, "-o", folder.path("d.yaml")},
                                                {"compare", folder.path("out"), trace},
                                                {"sweep", trace},
                                                {"sweep", sweep}}) {
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.code, 2) << words[0];
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("1_kernel_trace.csv: is a table of rocprof, which is not read; "),
                                   HasSubstr("docs/workload.md")))
        << words[0];
  }
  EXPECT_THAT(run_program({"list", "foreign-formats"}).out, HasSubstr("a table of rocprof"));
}

}  // namespace
}  // namespace gputlm
