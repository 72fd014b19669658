// Names of files in tables.
#include "platform/files/short_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gputlm {
namespace {

using testing::ElementsAre;

TEST(ShortPaths, AreTheShortestEndingsThatTellPathsApart) {
  EXPECT_THAT(short_paths({"/data/mixed.yaml"}), ElementsAre("mixed.yaml"));
  EXPECT_THAT(short_paths({"/data/a/mixed.yaml", "/data/b/mixed.yaml", "gups.yaml#x"}),
              ElementsAre("a/mixed.yaml", "b/mixed.yaml", "gups.yaml#x"));
  EXPECT_THAT(short_paths({"/data/trace/", "/other/trace2/"}), ElementsAre("trace/", "trace2/"));
}

TEST(ShortPaths, StayWholeWhereAnotherHasThemAsItsEnding) {
  EXPECT_THAT(short_paths({"a/mixed.yaml", "/data/a/mixed.yaml"}), ElementsAre("a/mixed.yaml", "data/a/mixed.yaml"));
  EXPECT_THAT(short_paths({"/a", "/a", ""}), ElementsAre("/a", "/a", ""));
}

TEST(ShortPaths, OfAbsolutePathsOnlyLeaveOthersAsTheyAre) {
  EXPECT_THAT(without_folders_of_absolute({"/data/b/mixed.yaml", "traces/gups.yaml", "xavier"}),
              ElementsAre("mixed.yaml", "traces/gups.yaml", "xavier"));
  EXPECT_THAT(without_folders_of_absolute({"/data/xavier", "xavier"}), ElementsAre("data/xavier", "xavier"));
}

}  // namespace
}  // namespace gputlm
