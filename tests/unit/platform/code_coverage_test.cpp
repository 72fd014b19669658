#include "testbench/lockstep/code_coverage.h"

#include <gmock/gmock.h>

#include "tests/unit/error_of.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A point as Verilator writes it: a line of the module `m`.
std::string point(const std::string& page, const std::string& signal, unsigned count) {
  return "C '\1f\2/rtl/m.sv\1l\2" + std::string("7\1page\2v_") + page + "/m__A1\1o\2" + signal + "' " +
         std::to_string(count) + "\n";
}

class CodeCoverageOfRuns : public testing::Test {
 protected:
  std::string data(const std::string& name, const std::string& points) const {
    return folder_.write(name, "# SystemC::Coverage-3\n" + points);
  }
  const TestFolder folder_;
};

TEST_F(CodeCoverageOfRuns, HaveReachedWhatOneOfThemHas) {
  const std::string first =
      data("1.dat", point("line", "if", 0) + point("toggle", "a[0]", 4) + point("toggle", "a[1]", 0));
  const std::string second =
      data("2.dat", point("line", "if", 2) + point("toggle", "a[0]", 0) + point("toggle", "a[1]", 0));
  const std::string none = folder_.write("none", "");
  const CodeCoverage coverage = read_code_coverage({first, second}, none);
  EXPECT_EQ(coverage.kinds.at("line").points, 1u);
  EXPECT_EQ(coverage.kinds.at("line").reached, 1u);
  EXPECT_EQ(coverage.kinds.at("toggle").points, 2u);
  EXPECT_EQ(coverage.kinds.at("toggle").reached, 1u);
  EXPECT_THAT(coverage.missing, ElementsAre("m.sv:7 a[1]"));
  EXPECT_THAT(read_code_coverage({first}, none).missing, ElementsAre("m.sv:7 if", "m.sv:7 a[1]"));
}

TEST_F(CodeCoverageOfRuns, MissNothingThatIsExcused) {
  const std::string runs =
      data("1.dat", point("toggle", "a[0]", 0) + point("toggle", "b[2]", 0) + point("toggle", "c[1]", 0));
  const std::string waivers = folder_.write("waivers", "# why\nm.a: is tied\nm.b[2]: never\nm.c[j=i of 4]: itself\n");
  const CodeCoverage coverage = read_code_coverage({runs}, waivers);
  EXPECT_THAT(coverage.missing, ElementsAre("m.sv:7 c[1]"));
  EXPECT_THAT(coverage.excused, ElementsAre("m.a: is tied", "m.b[2]: never"));
}

TEST_F(CodeCoverageOfRuns, OfADesignWithoutPointsIsAnError) {
  const std::string waivers = folder_.write("waivers", "");
  EXPECT_THAT(error_of([&] { read_code_coverage({data("1.dat", "")}, waivers); }), HasSubstr("built without"));
}

}  // namespace
}  // namespace gputlm
