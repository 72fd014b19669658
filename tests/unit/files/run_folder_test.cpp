#include "platform/files/run_folder.h"

#include <gmock/gmock.h>

#include "tests/support/test_folder.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::HasSubstr;

class ARunFolder : public testing::Test {
 protected:
  /// A run with blocks.csv and the other files in `result`.
  std::string run(nlohmann::ordered_json result = {{"schema", kResultSchema}}) {
    files_.write(run_files::kBlocks, "b\n1\n");
    files_.write("stray.csv", "c\n");
    result["files"] = {{run_files::kBlocks, sha1("b\n1\n")}};
    files_.write(run_files::kResult, result.dump());
    return folder();
  }
  std::string folder() const { return files_.path(); }
  static std::string refusal(const std::string& path) {
    try {
      RunFolder given(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TestFolder files_;
};

TEST_F(ARunFolder, IsGivenByItsNameOrItsResult) {
  EXPECT_EQ(RunFolder(run()).result().at("schema"), kResultSchema);
  EXPECT_EQ(RunFolder(run() + "/result.json").result().at("schema"), kResultSchema);
}

TEST_F(ARunFolder, HasTheFilesThatTheRunHasWrittenAndNoOthers) {
  const RunFolder given(run());
  EXPECT_EQ(given.read(run_files::kBlocks), "b\n1\n");
  EXPECT_EQ(given.read("stray.csv"), std::nullopt);
  EXPECT_EQ(given.read("none.csv"), std::nullopt);
}

TEST_F(ARunFolder, RefusesAFileThatIsNotTheRuns) {
  run();
  files_.write(run_files::kBlocks, "b\n2\n");
  EXPECT_THAT([&] { RunFolder(folder()).read(run_files::kBlocks); },
              testing::ThrowsMessage<InputError>(HasSubstr("blocks.csv: is not the file that result.json lists")));
}

TEST_F(ARunFolder, OfAnotherVersionOrOfNothingIsRefusedWithItsName) {
  EXPECT_THAT(
      refusal(run({{"schema", "gputlm-result-2"}})),
      HasSubstr("result.json: is of another version of the program: found the schema gputlm-result-2, allowed"));
  EXPECT_THAT(refusal(run({{"schema", "other"}})), HasSubstr("result.json: is no result of gputlm run"));
  EXPECT_THAT(refusal(run({{"schema", 1}})), HasSubstr("is no result of gputlm run"));
  EXPECT_THAT(refusal(folder() + "/stray.csv"), HasSubstr("is no JSON object"));
  EXPECT_THAT(refusal(folder() + "/none"), HasSubstr("none: has no result.json, allowed: a folder that"));
}

TEST_F(ARunFolder, KnowsThePerformanceOfItsOwnRun) {
  run();
  EXPECT_TRUE(RunFolder(folder()).performance().is_null());
  files_.write(run_files::kPerformance, R"({"result": "of another"})");
  EXPECT_TRUE(RunFolder(folder()).performance().is_null());
  const std::string digest =
      sha1(nlohmann::ordered_json{{"schema", kResultSchema}, {"files", {{run_files::kBlocks, sha1("b\n1\n")}}}}.dump());
  files_.write(run_files::kPerformance, nlohmann::ordered_json{{"result", digest}}.dump());
  EXPECT_FALSE(RunFolder(folder()).performance().is_null());
}

TEST(BlockLines, AreReadAsTheyWereWritten) {
  fmt::memory_buffer line;
  const BlockLine written{"k, the \"first\"", 7, 3, 100, 250, {1234}, {5678}, 2, 64, "s", "app"};
  write_csv_row(line, written);
  const std::string text = csv_header<BlockLine>() + fmt::to_string(line);
  EXPECT_THAT(text, HasSubstr(",1.234,5.678,"));
  std::size_t lines = 0;
  for_each_row<BlockLine>("blocks.csv", text, [&](const BlockLine& read) {
    ++lines;
    EXPECT_EQ(read.kernel, written.kernel);
    EXPECT_EQ(read.block, 7u);
    EXPECT_EQ(read.sm, 3u);
    EXPECT_EQ(read.start, 100u);
    EXPECT_EQ(read.end, 250u);
    EXPECT_EQ(read.slot, 2u);
    EXPECT_EQ(read.threads, 64u);
    EXPECT_EQ(read.stream, "s");
    EXPECT_EQ(read.application, "app");
  });
  EXPECT_EQ(lines, 1u);
  EXPECT_THROW(for_each_row<BlockLine>("blocks.csv", "kernel\nk\n", [](const BlockLine&) {}), InputError);
}

}  // namespace
}  // namespace gputlm
