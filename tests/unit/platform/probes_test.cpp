#include <gmock/gmock.h>

#include "models/dram/controller.h"
#include "platform/probes/prediction_tracker.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Heard {
  unsigned attached = 0, finished = 0;
};
Heard heard;

class Listener final : public Probe {
 public:
  void attach(ProbeSite&) override { ++heard.attached; }
  void finish() override { ++heard.finished; }
};

class NeedsDram final : public Probe {
 public:
  void attach(ProbeSite& site) override { site.units<DramController>("DRAM controller"); }
};

class Writer final : public Probe {
 public:
  void attach(ProbeSite& site) override { site.file("written.csv"); }
};

std::vector<std::string> values_seen;

class Valued final : public Probe {
 public:
  explicit Valued(const std::string& value) { values_seen.push_back(value); }
  void attach(ProbeSite&) override {}
};

GPUTLM_REGISTER {
  add_probe<Valued>("test_valued", "Takes a value");
  add_probe<Listener>("test_listener", "Counts calls");
  add_probe<NeedsDram>("test_dram", "Wants what is not there");
  add_probe<Writer>("test_writer", "Writes a file");
}

template <class Call>
std::string message(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Probes, ThoseOfTheTreeAreListedFirst) {
  const std::vector<std::string> names = probes().names();
  const auto place = [&](const char* name) { return std::find(names.begin(), names.end(), name); };
  EXPECT_EQ(place("blocks"), names.begin());
  EXPECT_LT(place("commands"), place("test_listener"));
  EXPECT_NE(probes().find("test_listener"), nullptr) << "a file registers its own";
}

TEST(Probes, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_THAT(message([] { ProbeSet({"comands"}, nullptr); }),
              testing::AllOf(HasSubstr("--probe"), HasSubstr("'comands'"), HasSubstr("did you mean 'commands'")));
}

TEST(Probes, OneThatIsNamedTwiceIsAttachedOnce) {
  heard = {};
  ProbeSet set({"test_listener", "test_listener"}, nullptr);
  Assembly assembly;
  set.attach(assembly, nullptr, Clock(1));
  EXPECT_EQ(heard.attached, 1u);
  EXPECT_EQ(heard.finished, 0u);
  set.finish(0);
  EXPECT_EQ(heard.finished, 1u);
}

TEST(Probes, AreMadeFromTheirValue) {
  values_seen = {};
  ProbeSet set({"test_valued=1us:a=b", "test_valued", "test_valued=1us:a=b"}, nullptr);
  EXPECT_THAT(values_seen, ElementsAre("1us:a=b"));
}

TEST(Probes, ThatAreGivenTwoValuesAreRefused) {
  EXPECT_THAT(message([] {
                ProbeSet({"test_valued=1us", "test_valued=2us"}, nullptr);
              }),
              testing::AllOf(HasSubstr("test_valued"), HasSubstr("'1us'"), HasSubstr("'2us'")));
}

TEST(Probes, ThatTakeNoValueRefuseOne) {
  EXPECT_THAT(message([] { ProbeSet({"test_listener=5"}, nullptr); }),
              testing::AllOf(HasSubstr("test_listener"), HasSubstr("'5'")));
}

TEST(Probes, OneThatIsNotNamedIsNotAttached) {
  heard = {};
  ProbeSet set({}, nullptr);
  Assembly assembly;
  set.attach(assembly, nullptr, Clock(1));
  set.finish(0);
  EXPECT_EQ(heard.attached + heard.finished, 0u);
}

TEST(Probes, WhoseUnitsAreNotThereAreRefused) {
  Assembly assembly;
  ProbeSet set({"test_dram"}, nullptr);
  EXPECT_THAT(message([&] { set.attach(assembly, nullptr, Clock(1)); }),
              testing::AllOf(HasSubstr("test_dram"), HasSubstr("DRAM controller")));
}

TEST(Probes, ThatWriteNeedAFolder) {
  Assembly assembly;
  ProbeSet set({"test_writer"}, nullptr);
  EXPECT_THAT(message([&] { set.attach(assembly, nullptr, Clock(1)); }),
              testing::AllOf(HasSubstr("test_writer"), HasSubstr("written.csv"), HasSubstr("--out")));
}

BlockEnded block(KernelId kernel, SmId sm, Cycle predicted) {
  BlockEnded ended;
  ended.identity.kernel = kernel;
  ended.command = kernel;
  ended.prediction = Prediction();
  ended.prediction->kernel = kernel;
  ended.prediction->sm = sm;
  ended.prediction->predicted = predicted;
  return ended;
}

TEST(PredictionTracker, PredictionsWaitForTheEndOfTheirKernelAndThoseOfOthersComeLast) {
  std::vector<std::tuple<KernelId, Cycle, std::optional<Cycle>>> taken;
  PredictionTracker tracker([&](std::uint32_t, std::uint32_t, const std::vector<PredictionRecord>& records) {
    for (const PredictionRecord& r : records) taken.emplace_back(r.made.kernel, r.made.predicted, r.actual);
  });
  tracker.block_ended(block(2, 0, 100));
  tracker.block_ended(block(1, 0, 50));
  tracker.block_ended(block(2, 1, 110));
  EXPECT_TRUE(taken.empty());
  KernelExecuted end;
  end.identity.kernel = 2;
  end.active = {90, 120};
  tracker.kernel_ended(end);
  tracker.finish();
  EXPECT_THAT(taken, ElementsAre(std::make_tuple(2u, 100u, std::optional<Cycle>(90)),
                                 std::make_tuple(2u, 110u, std::optional<Cycle>(120)),
                                 std::make_tuple(1u, 50u, std::optional<Cycle>())));
}

TEST(PredictionTracker, BlocksWithoutAPredictionLeaveNone) {
  unsigned calls = 0;
  PredictionTracker tracker([&](std::uint32_t, std::uint32_t, const std::vector<PredictionRecord>&) { ++calls; });
  BlockEnded ended = block(0, 0, 1);
  ended.prediction.reset();
  tracker.block_ended(ended);
  tracker.kernel_ended({});
  tracker.finish();
  EXPECT_EQ(calls, 0u);
}

}  // namespace
}  // namespace gputlm
