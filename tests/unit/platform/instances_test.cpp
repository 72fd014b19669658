#include "platform/run/instances.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "platform/input/preset.h"
#include "tests/unit/error_of.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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

/// What `nvidia-smi -L` and `mig -lgip` print, and users copy: names and SMs of the guide's tables for A100 and H100.
TEST(Instances, AreNamedAsNvidiaSmiPrintsThem) {
  EXPECT_THAT(sizes("a100", {"MIG 3g.40gb", "MIG 1g.10gb", "MIG 1g.10gb+me"}),
              ElementsAre("42 in 3", "14 in 1", "14 in 1"));
  EXPECT_THAT(sizes("a100", {"mig 3G.40GB", "MIG 4g"}), ElementsAre("42 in 3", "56 in 4"));
  EXPECT_THAT(sizes("h100_sxm", {"1g.10gb+gfx", "1g.10gb+me.all", "1g.10gb-me", "1g.20gb+me"}),
              ElementsAre("16 in 1", "16 in 1", "16 in 1", "26 in 2"));
}

std::string refused_profiles(const std::string& gpu, const std::vector<std::string>& profiles) {
  return error_of([&] { sizes(gpu, profiles); });
}

TEST(Instances, OfComputeAreRefusedWithWhatToDoInstead) {
  for (const char* const name : {"1c.3g.40gb", "MIG 1c.3g.40gb", "mig 1C.3G.40GB+me"}) {
    EXPECT_THAT(refused_profiles("a100", {name}),
                AllOf(HasSubstr(std::string("found profile '") + name + "', a compute instance: 1 of the 3 slices"),
                      HasSubstr("of the GPU instance 3g.40gb"), HasSubstr("`sms` of an application")));
  }
  for (const char* const name : {"MIG", "3g.40gb+", "3g.40gb+mee", "MIG-3g.40gb", "3g.40", "1c"})
    EXPECT_THAT(refused_profiles("a100", {name}), HasSubstr("allowed on a100")) << name;
}

TEST(Instances, OfAGpuWithoutProfilesSayWhichGpusHaveSome) {
  const auto names = HasSubstr("a100, h100_pcie, h100_sxm, h200 have");
  EXPECT_THAT(refused_profiles("orin", {"4g", "1g"}), AllOf(HasSubstr("needs GPC 4, allowed: 2 GPCs of orin together"),
                                                            HasSubstr("orin has no profiles of NVIDIA's"), names));
  EXPECT_THAT(sizes("orin", {"1g", "1g"}), ElementsAre("8 in 1", "8 in 1"));
  for (const char* const gpu : {"rtx3070", "rtx4090", "orin"}) EXPECT_EQ(load_gpu(gpu).mig.sms_7g, 0u) << gpu;
  EXPECT_THAT(refused_profiles("gtx480", {"1g"}), AllOf(HasSubstr("which has 6 DRAM channels"), names));
  EXPECT_THAT(refused_profiles("a100", {"4g", "4g"}), Not(HasSubstr("no profiles")));
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
