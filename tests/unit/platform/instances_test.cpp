#include "platform/run/instances.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "platform/input/preset.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

using testing::ElementsAre;

/// SMs and GPCs of each, "14 in 1", and of them all that the GPU has.
std::vector<std::string> sizes(const std::string& gpu, const std::vector<std::string>& profiles) {
  std::vector<InstanceSpec> specs;
  for (const std::string& profile : profiles) {
    specs.push_back({"i" + std::to_string(specs.size())});
    specs.back().profile = profile;
  }
  std::vector<std::string> all;
  unsigned sms = 0;
  for (const Instance& instance : instances(load_gpu(gpu), specs)) {
    EXPECT_EQ(instance.first_sm, sms);
    sms += instance.config.sms;
    all.push_back(std::to_string(instance.config.sms) + " in " + std::to_string(instance.config.gpcs()));
  }
  return all;
}

/// As `nvidia-smi mig -lgip` lists them: sources are in the presets. Each list is one that MIG allows.
TEST(Instances, HaveTheSmsOfTheirProfileAndTheFewestGpcsForThem) {
  EXPECT_THAT(sizes("a100", {"1g", "1g", "1g", "1g", "1g", "1g", "1g"}), testing::Each("14 in 1"));
  EXPECT_THAT(sizes("a100", {"4g", "2g", "1g"}), ElementsAre("56 in 4", "28 in 2", "14 in 1"));
  EXPECT_THAT(sizes("a100", {"3g", "4g"}), ElementsAre("42 in 3", "56 in 4"));
  EXPECT_THAT(sizes("a100", {"1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"}), testing::Each("14 in 1"));
  EXPECT_THAT(sizes("a100", {"7g"}), ElementsAre("98 in 7"));
  EXPECT_THAT(sizes("h100_pcie", {"4g", "3g"}), ElementsAre("62 in 4", "46 in 3"));
  EXPECT_THAT(sizes("h100_pcie", {"2g", "2g", "2g", "1g"}), ElementsAre("30 in 2", "30 in 2", "30 in 2", "14 in 1"));
  EXPECT_THAT(sizes("h100_pcie", {"7g"}), ElementsAre("114 in 7"));
  for (const char* gpu : {"h100_sxm", "h200"}) {
    EXPECT_THAT(sizes(gpu, {"4g", "3g"}), ElementsAre("64 in 4", "60 in 4"));
    EXPECT_THAT(sizes(gpu, {"3g", "3g"}), testing::Each("60 in 4"));
    EXPECT_THAT(sizes(gpu, {"1g", "1g", "1g", "1g", "1g", "1g", "1g"}), testing::Each("16 in 1"));
    EXPECT_THAT(sizes(gpu, {"2g", "2g", "2g"}), testing::Each("32 in 2"));
    EXPECT_THAT(sizes(gpu, {"7g"}), ElementsAre("132 in 8"));
  }
  EXPECT_THAT(sizes("h100_sxm", {"1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"}), testing::Each("26 in 2"));
  EXPECT_THAT(sizes("xavier", {"2g", "1g", "1g"}), ElementsAre("4 in 2", "2 in 1", "2 in 1"))
      << "no profiles are known";
}

TEST(Instances, HaveTheirOwnCopyEnginesWhateverTheirGpcs) {
  InstanceSpec spec{"i"};
  spec.profile = "3g";
  const auto all = instances(load_gpu("h100_sxm"), {spec});
  EXPECT_EQ(all.front().config.copy_engine.engines, 3u);
}

TEST(Instances, SpreadSmsThatAreGivenOverTheirGpcs) {
  InstanceSpec spec{"i"};  // in the second half, whose last GPC has 12 SMs
  spec.gpcs = 3;
  spec.channels = 8;
  for (unsigned sms = 1; sms <= 50; ++sms) {
    spec.sms = sms;
    const unsigned of_each = (sms + 2) / 3;
    if (sms > 44 || sms <= 2 * of_each) {
      EXPECT_THROW(instances(load_gpu("a100"), {spec}), InputError) << sms;
      continue;
    }
    const GpuConfig gpu = instances(load_gpu("a100"), {spec}).front().config;
    EXPECT_EQ(gpu.sms, sms);
    EXPECT_EQ(gpu.gpcs(), 3u) << sms;
    EXPECT_EQ(gpu.sms_per_gpc, of_each) << sms;
  }
}

}  // namespace
}  // namespace gputlm
