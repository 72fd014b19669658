// Limits of inputs: memory, addresses, repetitions; and messages about contradicting parameters.

#include <gmock/gmock.h>

#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/run/check_fits.h"
#include "tests/unit/platform/workload_texts.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

template <class Function>
std::string thrown_by(Function function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(MemoryEstimate, RefusesCachesThatTakeTooMuchAndSaysWhereTheirSizeWasSet) {
  Origins origins;
  GpuConfig config = load_gpu("rtx2060", &origins);
  const Workload workload = load_launches("k");
  const auto error = [&](Bytes limit) {
    return thrown_by([&] { check_memory(config, {"gpu"}, origins, workload, limit); });
  };
  EXPECT_EQ(error(Bytes{1} << 30), "none");
  set_assignment(config, "sm.l1.bytes=1GiB", &origins);
  EXPECT_THAT(error(Bytes{4} << 30), AllOf(StartsWith("--set sm.l1.bytes=1GiB: "), HasSubstr("allowed: 4096 MiB"),
                                           HasSubstr("sms set at platform/input/presets/rtx2060.yaml:")));
  EXPECT_EQ(error(Bytes{6} << 30), "none");
}

TEST(MemoryEstimate, RefusesLaunchesThatTakeTooMuchWithTheirLine) {
  const GpuConfig config = load_gpu("rtx2060");
  const Workload workload = load_launches("{kernel: k, repeat: 100000}");
  const auto error = [&](Bytes limit) {
    return thrown_by([&] { check_memory(config, {"gpu"}, {}, workload, limit); });
  };
  EXPECT_THAT(error(Bytes{1} << 27), AllOf(StartsWith("w.yaml:4: found 100000 launches"), HasSubstr("128 MiB")));
  EXPECT_EQ(error(Bytes{1} << 28), "none");
}

TEST(MemoryEstimate, TheDefaultLimitIsBelowTheMachinesMemory) { EXPECT_GT(default_memory_limit(), Bytes{1} << 20); }

TEST(Contradictions, AreSaidWhereTheLastOfTheirValuesWasSet) {
  Origins origins;
  GpuConfig config = load_gpu("rtx2060", &origins);
  const auto error = [&] { return thrown_by([&] { validate(config, {"gpu"}, origins); }); };
  EXPECT_EQ(error(), "none");
  set_parameter(config, "sm.warps", "30", {"g.yaml", 7}, &origins);
  EXPECT_THAT(error(), AllOf(StartsWith("g.yaml:7: sm.warps must be a multiple of sm.sub_cores"),
                             HasSubstr("(sm.warps set at g.yaml:7, sm.sub_cores set at platform/input/presets/")));
  set_assignment(config, "sm.sub_cores=4", &origins);
  EXPECT_THAT(error(), StartsWith("--set sm.sub_cores=4: sm.warps must"));
  set_assignment(config, "sms=20", &origins);
  EXPECT_THAT(error(), StartsWith("--set sm.sub_cores=4: sm.warps must")) << "sms has nothing to do with it";
}

TEST(Parameters, NamesAreShortTexts) {
  GpuConfig config;
  for (const std::string& name : {std::string(), std::string(201, 'x'), std::string("a\nb"), std::string("a\xff"),
                                  std::string("a\x1b[31m"), std::string("a\0b", 3)})
    EXPECT_THROW(set_assignment(config, "name=" + name), InputError) << name;
  EXPECT_NO_THROW(set_assignment(config, "name=gr\xc3\xbcn"));
}

std::string commands_error(const std::string& commands) {
  return workload_error(kKernels + ("applications: [{name: a, streams: [{name: s, commands: [" + commands + "]}]}]\n"));
}

TEST(WorkloadLimits, RepetitionsAreCountedBeforeTheyAreMade) {
  EXPECT_THAT(launches_error("[{kernel: k, repeat: 1000000}, {kernel: k, repeat: 1000000, label: x}, {kernel: k, "
                             "repeat: 1000000, label: y}]"),
              HasSubstr("w.yaml:4: applications[0].streams[0].launches: found more than 10000000 values"));
  EXPECT_THAT(commands_error("{job: j, repeat: 1000000, commands: [k, k, k, k, k, k, k, k]}"),
              HasSubstr("found more than 10000000 values, counting each repetition"));
  EXPECT_EQ(commands_error("{job: j, repeat: 1000, commands: [k, k, k, k, k, k, k, k]}"), "");
}

TEST(WorkloadLimits, AddressesStayWithin47Bits) {
  EXPECT_THAT(commands_error("{copy: host_to_device, to: 0x7ffffffffffe, bytes: 3}"),
              HasSubstr("3 bytes from 140737488355326 on, but addresses have 47 bits"));
  EXPECT_EQ(commands_error("{copy: host_to_device, to: 0x7ffffffffffd, bytes: 3}"), "");
  EXPECT_THAT(commands_error("{malloc: m, bytes: 2, address: 0x7fffffffffff}, k"), HasSubstr("47 bits"));
  EXPECT_THAT(workload_error("managed: {m: {bytes: 2, address: 0x7fffffffffff}}\n" + std::string(kKernels) +
                             "applications: [{name: a, streams: [{name: s, launches: [k]}]}]"),
              HasSubstr("47 bits"));
}

TEST(WorkloadLimits, FreedAddressesAreGivenAgainWhenNoOthersAreLeft) {
  EXPECT_THAT(commands_error("{malloc: a, bytes: 10240GiB}"), HasSubstr("from 1 to 1099511627776"));
  std::string all;  // 2^47 - 0x700000000000 bytes are 16 of these
  for (int i = 0; i < 16; ++i) all += "{malloc: m" + std::to_string(i) + ", bytes: 1024GiB}, ";
  EXPECT_EQ(commands_error(all + "k"), "");
  EXPECT_THAT(commands_error(all + "{malloc: more, bytes: 1}, k"), HasSubstr("no addresses are left"));
  EXPECT_EQ(commands_error(all + "{free: m3}, {malloc: more, bytes: 1024GiB}, k"), "");
  EXPECT_EQ(commands_error("{job: j, repeat: 10000, commands: [{malloc: m, bytes: 1}, k, {free: m}]}"), "");
}

TEST(WorkloadLimits, AnApplicationsNameMayBeOneOfMany) {
  std::string text = std::string(kKernels) + "applications:\n";
  for (int i = 0; i < 5000; ++i) text += "- {name: a" + std::to_string(i) + ", streams: [{name: s, launches: [k]}]}\n";
  EXPECT_EQ(load_text(text).applications.size(), 5000u);
  EXPECT_THAT(workload_error(text + "- {name: a7, streams: [{name: s, launches: [k]}]}\n"),
              HasSubstr("a second application is named 'a7'"));
}

}  // namespace
}  // namespace gputlm
