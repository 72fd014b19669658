// Charts of tables that runs have left.

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Options = std::vector<std::string>;

/// Without gnuplot the script stands there in the place of the picture.
class ChartOfATable : public testing::Test {
 protected:
  Outcome chart(const std::string& table, const Options& options) {
    Options all{"chart", folder_.write("t.csv", table), "-o", folder_.path("c.svg")};
    all.insert(all.end(), options.begin(), options.end());
    return run_program(all, "", [] { setenv("PATH", "/nowhere", 1); });
  }
  std::string script() const { return read_file(folder_.path("c.gnuplot")); }

  TestFolder folder_;
};

TEST_F(ChartOfATable, HasAPanelAndALineForEachValueAndEachColumn) {
  ASSERT_EQ(chart("scheme,load,analysis,simulation\nfifo,0.1,1,1\nfifo,0.2,0.5,0.75\nlevels,0.1,1,1\n",
                  {"-x", "load", "-y", "analysis", "-y", "simulation", "--panels", "scheme", "--y-axis", "share"})
                .code,
            0);
  EXPECT_THAT(script(),
              AllOf(HasSubstr("\n0.1 1\n0.2 0.5\nEND"), HasSubstr("\n0.1 1\n0.2 0.75\nEND"), HasSubstr("'load, fifo'"),
                    HasSubstr("'load, levels'"), HasSubstr("set ylabel 'share'"), HasSubstr("title 'simulation'")));
  ASSERT_EQ(
      chart("way,requests,us\na,few,1\nb,few,2\na,many,3\n", {"-x", "requests", "-y", "us", "--lines", "way"}).code, 0);
  EXPECT_THAT(script(),
              AllOf(HasSubstr("set xtics ('few' 0, 'many' 1)"), HasSubstr("title 'a'"), HasSubstr("title 'b'")));
}

TEST_F(ChartOfATable, HasNamesBesideItsPoints) {
  ASSERT_EQ(chart("way,kind,hogs,tail\na,free,50,2\nb,gates,50,2\nc,free,90,40\n",
                  {"-x", "hogs", "-y", "tail", "--lines", "kind", "--names", "way"})
                .code,
            0);
  EXPECT_THAT(script(), AllOf(HasSubstr("\n50 2\n90 40\nEND"), HasSubstr("set label 'a'"), HasSubstr("set label 'b'"),
                              HasSubstr("set logscale y"), HasSubstr("title 'gates'")));
}

TEST_F(ChartOfATable, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(chart("a,b\n1,2\n1,x\n", {"-x", "a", "-y", "b"}).err,
              HasSubstr("t.csv:3: b: found 'x', allowed: a number"));
  EXPECT_THAT(chart("a,b\n1,2\n", {"-x", "a", "-y", "c"}).err, HasSubstr("t.csv:1: has no column 'c', allowed: a, b"));
  EXPECT_THAT(chart("a,b\n0,2\n", {"-x", "a", "-y", "b", "--doubling"}).err,
              HasSubstr("t.csv:2: a: found '0', allowed with --doubling: a number above 0"));
  EXPECT_EQ(chart("a,b\n0,2\n", {"-x", "a"}).code, 2);
  EXPECT_THAT(run_program({"chart", folder_.path("t.csv"), "-x", "a", "-y", "b", "-o", "c.png"}).err,
              HasSubstr("found 'c.png', allowed: a file that ends in .svg"));
}

}  // namespace
}  // namespace gputlm
