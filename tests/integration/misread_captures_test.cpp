// Captures that are easily misread: runs by the commands of a user, and the right results.

#include "tests/support/misread_captures.h"
#include "tests/integration/program.h"

namespace gputlm {
namespace {

using captured::Memory;
using nlohmann::json;

constexpr double kMhz = 1410;  // of a100

/// A time of a launch, in microseconds of the run.
double time_of(const FinishedRun& run, const std::string& label, const char* field) {
  for (const json& one : run.result.at("kernels")) {
    if (one.at("kernel") == label) return one.at(field).get<double>() / kMhz;
  }
  throw std::logic_error("no kernel " + label);
}

class MisreadCapture : public testing::Test {
 protected:
  template <class Capture>
  FinishedRun run(const Capture& capture, std::vector<std::string> options = {},
                  const std::string& name = "t.sqlite") const {
    capture.write(folder.path(name));
    options.insert(options.end(), {"--gpu", "a100"});
    return run_workload(folder.path(name), options);
  }

  TestFolder folder;
};

TEST_F(MisreadCapture, ACopyFromPageableMemoryTakesLongerThanOneFromPinned) {
  const auto ms = [&](Memory memory) {
    const json copies = run(captured::copy_from(memory)).result.at("copies");
    EXPECT_EQ(copies.size(), 1u);
    return (copies.at(0).at("end_cycle").get<double>() - copies.at(0).at("start_cycle").get<double>()) / kMhz / 1e3;
  };
  EXPECT_NEAR(ms(Memory::kPageable), 4.83, 0.1);
  EXPECT_NEAR(ms(Memory::kPinned), 2.53, 0.1);
}

TEST_F(MisreadCapture, UrgentPassesBackgroundAtTheNextBlock) {
  const FinishedRun finished = run(captured::urgent_beside_background());
  const double called = 2'000 - 990;  // after the first call, with which time begins
  EXPECT_GE(time_of(finished, "urgent", "first_block_cycle"), called);
  EXPECT_LE(time_of(finished, "urgent", "first_block_cycle"), called + 200);
  EXPECT_GT(time_of(finished, "background", "end_cycle"), 8'000);
}

TEST_F(MisreadCapture, LayersOverlapAsMeasured) {
  const FinishedRun finished = run(captured::overlapping_layers(), {"--release", "start"});
  EXPECT_NEAR(time_of(finished, "layer#20", "end_cycle") - time_of(finished, "layer#1", "first_block_cycle"), 1'050, 5);
  EXPECT_NEAR(time_of(finished, "layer#2", "first_block_cycle") - time_of(finished, "layer#1", "first_block_cycle"), 50,
              1);
  ASSERT_EQ(
      run_program({"run", folder.path("t.sqlite"), "--gpu", "a100", "--release", "start", "--out", folder.path("run")})
          .code,
      0);
  const Outcome compared = run_program({"compare", folder.path("run"), folder.path("t.sqlite"), "--json"});
  ASSERT_EQ(compared.code, 0) << compared.err;
  const json errors = json::parse(compared.out).at("errors").at("kernels");
  EXPECT_EQ(errors.at("count"), 20);
  EXPECT_LT(errors.at("start_ns").at("max"), 2'000);
}

TEST_F(MisreadCapture, AConsumerDoesNotBeginBeforeItsProducerHasEnded) {
  for (const NsightVersion version : {NsightVersion::k2024_5, NsightVersion::k2025_5, NsightVersion::k2026_2}) {
    const FinishedRun finished = run(captured::producer_and_consumer(version));
    EXPECT_GE(time_of(finished, "consumer", "first_block_cycle"), time_of(finished, "producer", "end_cycle"));
  }
  const FinishedRun finished = run(captured::producer_and_consumer_of_pytorch(), {}, "t.json");
  EXPECT_GE(time_of(finished, "consumer", "first_block_cycle"), time_of(finished, "producer", "end_cycle"));
}

TEST_F(MisreadCapture, TheSizeOfAPartOfTheGpuIsAskedFor) {
  const FinishedRun unknown = run(captured::part_of_the_gpu());
  EXPECT_NE(unknown.result.at("warnings").dump().find("does not give; set it by --sms"), std::string::npos)
      << unknown.result.at("warnings");
  const FinishedRun known = run(captured::part_of_the_gpu(), {"--sms", "8"});
  EXPECT_NEAR(time_of(known, "small_share", "end_cycle") - time_of(known, "small_share", "first_block_cycle"), 700, 2);
  EXPECT_EQ(known.result.at("warnings").dump().find("--sms"), std::string::npos) << known.result.at("warnings");
  std::set<std::uint64_t> sms;
  for (const BlockRow& block : known.blocks) sms.insert(block.sm);
  EXPECT_EQ(sms.size(), 8u);
}

}  // namespace
}  // namespace gputlm
