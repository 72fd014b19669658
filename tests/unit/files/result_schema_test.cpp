#include "platform/files/result_schema.h"

#include <gtest/gtest.h>

#include "tlm/error.h"

namespace gputlm {
namespace {

TEST(ResultSchema, NamesOfTheVersionBeforeBecomeThoseOfToday) {
  auto result = nlohmann::ordered_json::parse(R"({"schema": "gputlm-result-2",
    "kernels": [{"label": "k#1", "kernel": "k", "release_cycle": 1, "launch_cycle": 2, "end_cycle": 3}],
    "copies": [{"label": "c", "started_cycle": 4, "end_cycle": 5}]})");
  bring_up_to_date(result, "result.json");
  EXPECT_EQ(result["schema"], kResultSchema);
  EXPECT_EQ(result["kernels"][0].dump(),
            R"({"kernel":"k#1","name":"k","released_cycle":1,"submitted_cycle":2,"end_cycle":3})");
  EXPECT_EQ(result["copies"][0].dump(), R"({"copy":"c","start_cycle":4,"end_cycle":5})");
}

TEST(ResultSchema, OfTodayStaysAsItIs) {
  const auto result = nlohmann::ordered_json::parse(R"({"schema": "gputlm-result-3", "kernels": [{"kernel": "k"}]})");
  auto same = result;
  bring_up_to_date(same, "result.json");
  EXPECT_EQ(same, result);
}

TEST(ResultSchema, ThatIsTooOldOrNoneIsRefusedWithItsName) {
  const auto message = [](nlohmann::ordered_json result) -> std::string {
    try {
      bring_up_to_date(result, "x.json");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({{"schema", "gputlm-result-1"}}).find("found the schema gputlm-result-1, allowed are"),
            std::string::npos);
  EXPECT_NE(message({{"schema", "other"}}).find("is no result of gputlm run"), std::string::npos);
  EXPECT_NE(message({{"schema", 1}}).find("x.json"), std::string::npos);
}

TEST(ResultSchema, HeadersOfCsvFilesFollow) {
  EXPECT_EQ(with_current_header("copies", "copy,started_cycle,ended_cycle\nrelease_cycle,1,2\n"),
            "copy,start_cycle,end_cycle\nrelease_cycle,1,2\n");
  EXPECT_EQ(with_current_header("jobs", "job,release_cycle"), "job,released_cycle");
}

}  // namespace
}  // namespace gputlm
