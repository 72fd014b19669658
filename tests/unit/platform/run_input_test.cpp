#include "platform/input/run_input.h"

#include <gmock/gmock.h>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refused_paths(const std::vector<std::string>& paths) {
  try {
    load_run_input(paths, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RunInput, IsOfTheFormatThatTakesTheFile) {
  const RunInput input = load_run_input({GPUTLM_SOURCE_DIR "/workloads/stream.yaml"}, {});
  EXPECT_EQ(input.format, "workload file");
  EXPECT_FALSE(input.workload.launches.empty());
}

TEST(RunInput, WhatNoOtherFormatTakesIsAWorkloadFile) {
  EXPECT_EQ(input_formats().all().back().name, "workload file");
  EXPECT_TRUE(input_formats().all().back().takes("/nonexistent"));
}

TEST(RunInput, FilesOfDifferentFormatsAreRefused) {
  EXPECT_THAT(refused_paths({"/nonexistent/a.yaml", "/nonexistent/kernelslist.g"}),
              AllOf(HasSubstr("kernelslist.g: is a SASS trace"), HasSubstr("a.yaml is a workload file")));
}

}  // namespace
}  // namespace gputlm
