#include "platform/input/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "platform/input/parameters.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::HasSubstr;

std::string error_of_parsing(const std::string& yaml) {
  try {
    parse_gpu(yaml, "my.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Presets, LoadAndFitTogether) {
  std::set<std::string> names;
  for (const PresetInfo& preset : presets()) {
    names.insert(preset.name);
    EXPECT_NO_THROW(validate(preset.config, {preset.name})) << preset.name;
    EXPECT_EQ(preset.config.name, preset.name);
    EXPECT_EQ(load_gpu(preset.name).name, preset.name);
    EXPECT_FALSE(preset.description.empty()) << preset.name;
  }
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("pascal5", "tx2", "xavier", "volta80", "turing68", "pegasus44", "gtx480",
                                            "baseline60", "titan_v", "rtx2060", "a100", "h100_pcie", "h100_sxm", "h200",
                                            "rtx3070", "rtx4090", "orin", "rtx_a6000", "a10g", "l4", "t4", "rtx5090"));
}

/// Facts that the papers state of their GPUs, and NVIDIA of its own.
struct Fact {
  std::string preset;
  std::string source;
  std::vector<std::pair<std::string, std::string>> values;
};

const std::vector<Fact>& facts() {
  static const std::vector<Fact> all = {
      {"pascal5",
       "most-room, table 2 and section 3",
       {{"sms", "5"},
        {"sm.threads", "2048"},
        {"sm.max_threads_per_block", "1024"},
        {"sm.blocks", "32"},
        {"sm.warps", "64"},
        {"work_distributor.sm_order", "ascending"},
        {"work_distributor.placement", "most_room"}}},
      {"volta80",
       "most-room, table 2",
       {{"sms", "80"},
        {"sm.threads", "2048"},
        {"sm.max_threads_per_block", "1024"},
        {"sm.blocks", "32"},
        {"sm.warps", "64"},
        {"work_distributor.placement", "most_room"}}},
      {"turing68",
       "most-room, table 2 and section 3",
       {{"sms", "68"},
        {"sm.threads", "1024"},
        {"sm.max_threads_per_block", "1024"},
        {"sm.blocks", "16"},
        {"sm.warps", "32"},
        {"work_distributor.sm_order", "evens_then_odds"},
        {"work_distributor.placement", "most_room"}}},
      {"tx2",
       "cuda-hierarchy, table I and section V",
       {{"sms", "2"},
        {"sm.threads", "2048"},
        {"sm.registers", "65536"},
        {"l2.bytes", "524288"},
        {"sm.sub_cores", "2"},
        {"sm.fp_int_shared", "true"}}},
      {"xavier",
       "cuda-hierarchy, table I and sections II, III",
       {{"sms", "8"},
        {"sm.threads", "2048"},
        {"sm.warps", "64"},
        {"sm.registers", "65536"},
        {"l2.bytes", "524288"},
        {"sm.sub_cores", "4"},
        {"sm.fp_int_shared", "false"},
        {"sms_per_gpc", "2"},
        {"work_distributor.sm_order", "evens_then_odds"},
        {"work_distributor.placement", "most_room"}}},
      {"pegasus44",
       "cuda-hierarchy, table I",
       {{"sms", "44"},
        {"sm.threads", "1024"},
        {"sm.registers", "65536"},
        {"l2.bytes", "4194304"},
        {"sm.fp_int_shared", "false"}}},
      {"baseline60",
       "fr-rr-fcfs, table 1",
       {{"sms", "60"},
        {"dram.channels", "6"},
        {"core_mhz", "1400"},
        {"sm.threads", "1536"},
        {"sm.warps", "48"},
        {"sm.shared_memory", "49152"},
        {"sm.registers", "32684"},
        {"sm.l1.bytes", "16384"},
        {"sm.l1.ways", "4"},
        {"sm.warp_scheduler", "gto"},
        {"dram.banks", "16"},
        {"dram.command_mhz", "924"},
        {"dram.scheduler", "fr_fcfs"},
        {"dram.timing.tCL", "12"},
        {"dram.timing.tRP", "12"},
        {"dram.timing.tRC", "40"},
        {"dram.timing.tRAS", "28"},
        {"dram.timing.tCCDS", "2"},
        {"dram.timing.tRCDRD", "12"},
        {"dram.timing.tRCDWR", "12"},
        {"dram.timing.tRRDS", "6"}}},
      {"gtx480",
       "srtf, table 4",
       {{"sms", "15"},
        {"sm.threads", "1536"},
        {"sm.registers", "32768"},
        {"sm.shared_memory", "49152"},
        {"sm.blocks", "8"},
        {"sm.warps", "48"},
        {"sm.warp_scheduler", "lrr"}}},
      // What the papers that simulate it used; GPGPU-Sim 4 has 64 and 256 MSHRs, sectors, queues of 64 and flits of 40.
      {"gtx480",
       "GPGPU-Sim 3.2, configs/GTX480",
       {{"sm.l1.fill_bytes", "128"},
        {"sm.l1.mshrs", "32"},
        {"sm.l1.mshr_merges", "8"},
        {"l2.fill_bytes", "128"},
        {"l2.mshrs", "32"},
        {"l2.mshr_merges", "4"},
        {"noc.flit_bytes", "32"},
        {"dram.row_bytes", "4096"},
        {"dram.queue", "32"}}},
      {"baseline60",
       "MAFIA, pthread_benchmark/gpgpusim.config",
       {{"sm.l1.mshrs", "128"},
        {"l2.bytes", "1572864"},
        {"l2.ways", "32"},
        {"l2.write_through", "true"},
        {"l2.slices_per_channel", "1"},
        {"l2.mshrs", "128"},
        {"l2.mshr_merges", "4"},
        {"noc.flit_bytes", "32"},
        {"dram.burst_bytes", "32"},
        {"dram.bus_bits", "32"},
        {"dram.row_bytes", "4096"},
        {"dram.queue", "1024"}}},
      {"titan_v",
       "qaws, table Ia",
       {{"sms", "80"}, {"sms_per_gpc", "2"}, {"sm.sub_cores", "4"}, {"l2.bytes", "4718592"}}},
      {"rtx2060",
       "Accel-Sim, SM75_RTX2060",
       {{"sms", "30"},
        {"sms_per_gpc", "10"},
        {"core_mhz", "1365"},
        {"dram.channels", "12"},
        {"dram.command_mhz", "3500.5"},
        {"l2.bytes", "3145728"},
        {"sm.warps", "32"},
        {"sm.threads", "1024"}}},
      {"a100",
       "NVIDIA A100 whitepaper; CUDA C++ Programming Guide, 8.0",
       {{"sms", "108"},
        {"core_mhz", "1410"},
        {"sm.warps", "64"},
        {"sm.blocks", "32"},
        {"sm.shared_memory", "167936"},
        {"l2.bytes", "41943040"}}},
      {"h100_pcie",
       "NVIDIA H100 whitepaper; CUDA C++ Programming Guide, 9.0",
       {{"sms", "114"},
        {"core_mhz", "1755"},
        {"sm.warps", "64"},
        {"sm.blocks", "32"},
        {"sm.shared_memory", "233472"},
        {"l2.bytes", "52428800"}}},
      {"h100_sxm", "NVIDIA H100 whitepaper", {{"sms", "132"}, {"core_mhz", "1980"}, {"l2.bytes", "52428800"}}},
      {"h200", "NVIDIA H200 data sheet", {{"sms", "132"}, {"dram.channels", "96"}}},
      {"rtx3070",
       "NVIDIA Ampere GA102 whitepaper; CUDA C++ Programming Guide, 8.6",
       {{"sms", "46"},
        {"core_mhz", "1725"},
        {"sm.warps", "48"},
        {"sm.threads", "1536"},
        {"sm.blocks", "16"},
        {"sm.shared_memory", "102400"},
        {"l2.bytes", "4194304"}}},
      {"rtx4090",
       "NVIDIA Ada whitepaper; CUDA C++ Programming Guide, 8.9",
       {{"sms", "128"},
        {"core_mhz", "2520"},
        {"sm.warps", "48"},
        {"sm.threads", "1536"},
        {"sm.blocks", "24"},
        {"sm.shared_memory", "102400"},
        {"l2.bytes", "75497472"}}},
      {"orin",
       "NVIDIA Jetson AGX Orin technical brief; CUDA C++ Programming Guide, 8.7",
       {{"sms", "16"},
        {"sms_per_gpc", "8"},
        {"core_mhz", "1300"},
        {"sm.warps", "48"},
        {"sm.blocks", "16"},
        {"sm.shared_memory", "167936"},
        {"l2.bytes", "4194304"},
        {"host_link.lanes", "0"}}},
      {"rtx_a6000",
       "NVIDIA RTX A6000 data sheet",
       {{"sms", "84"}, {"sm.warps", "48"}, {"l2.bytes", "6291456"}, {"noc.mhz", "1312"}}},
      {"l4",
       "NVIDIA L4 data sheet",
       {{"sms", "58"}, {"core_mhz", "2040"}, {"sm.blocks", "24"}, {"l2.bytes", "50331648"}}},
      {"t4",
       "Jia et al., T4",
       {{"sms", "40"}, {"core_mhz", "1590"}, {"sm.warps", "32"}, {"sm.threads", "1024"}, {"l2.bytes", "4194304"}}},
      {"rtx5090", "NVIDIA RTX Blackwell white paper", {{"sms", "170"}, {"sm.warps", "48"}, {"l2.bytes", "100663296"}}},
  };
  return all;
}

TEST(Presets, HoldTheFactsOfThePapers) {
  for (const Fact& fact : facts()) {
    const GpuConfig gpu = load_gpu(fact.preset);
    for (const auto& [key, value] : fact.values) {
      EXPECT_EQ(parameter_text(find_parameter(key, {"test"}), gpu), value)
          << fact.preset << "." << key << " (" << fact.source << ")";
    }
  }
}

TEST(Presets, HoldTheDerivedFactsOfThePapers) {
  EXPECT_EQ(load_gpu("turing68").gpcs(), 6u);
  EXPECT_EQ(load_gpu("xavier").gpcs(), 4u);
  EXPECT_EQ(load_gpu("titan_v").gpcs(), 40u);
  EXPECT_EQ(load_gpu("rtx2060").gpcs(), 3u);
  const GpuConfig titan_v = load_gpu("titan_v");
  EXPECT_EQ(titan_v.sm.l1.bytes + titan_v.sm.shared_memory, 131072u);
  for (const char* name : {"tx2", "xavier", "pegasus44"}) EXPECT_GE(load_gpu(name).sm.shared_memory, 49152u) << name;
}

TEST(Presets, HaveTheMemoryBandwidthOfTheirData) {
  const std::vector<std::pair<std::string, double>> gb_per_s = {
      {"rtx2060", 336},   {"turing68", 616},   {"volta80", 898},   {"titan_v", 653},  {"xavier", 136.5},
      {"pegasus44", 448}, {"pascal5", 112},    {"tx2", 59.7},      {"gtx480", 177.4}, {"baseline60", 88.7},
      {"a100", 2039},     {"h100_pcie", 2039}, {"h100_sxm", 3352}, {"h200", 4800},    {"rtx3070", 448},
      {"rtx4090", 1008},  {"orin", 204.8},     {"rtx_a6000", 768}, {"a10g", 600},     {"l4", 300},
      {"t4", 320},        {"rtx5090", 1792}};
  for (const auto& [name, expected] : gb_per_s) {
    const DramConfig dram = load_gpu(name).dram;
    const double bandwidth = dram.channels * dram.burst_bytes * dram.command_mhz / dram.timing.tCCDS / 1000;
    EXPECT_NEAR(bandwidth, expected, expected * 0.002) << name;
  }
}

// A preset and its base set every value, on a line that names its source.
TEST(Presets, SetEveryParameterOnALineThatNamesItsSource) {
  for (const PresetSource& preset : preset_sources()) {
    std::istringstream lines(preset.yaml);
    std::string line;
    while (std::getline(lines, line)) {
      const auto colon = line.find(": ");
      const bool sets_a_value = !line.empty() && line[0] != '#' && colon != std::string::npos &&
                                line.find_first_not_of(' ', colon + 1) != line.find('#');
      const std::string key = line.substr(0, colon);
      if (!sets_a_value || key == "name" || key == "description" || key == "extends") continue;
      EXPECT_NE(line.find('#'), std::string::npos) << preset.name << ": " << line;
    }
    if (preset.yaml.find("\nextends:") != std::string::npos) continue;
    for (const Parameter& parameter : parameters()) {
      if (!parameter.source.empty()) continue;  // an option: its default stands in the policy, with its source
      if (parameter.may_be_unknown) continue;
      // What the file sets, it refuses to set a second time.
      const std::string again = "\n" + parameter.name + ": 1\n";
      try {
        parse_gpu(preset.yaml + again, "twice");
        ADD_FAILURE() << preset.name << " does not set " << parameter.name;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::AnyOf(HasSubstr("second"), HasSubstr("twice"))) << parameter.name;
      }
    }
  }
}

TEST(GpuFile, ExtendsAPresetWithNestedAndDottedKeys) {
  const GpuConfig gpu =
      parse_gpu("extends: turing68\nsm: {warps: 16, l1: {bytes: 32KiB}}\ndram.timing.tRRDS: 7\n", "my.yaml");
  EXPECT_EQ(gpu.sms, 68u);
  EXPECT_EQ(gpu.sm.warps, 16u);
  EXPECT_EQ(gpu.sm.l1.bytes, 32768u);
  EXPECT_EQ(gpu.dram.timing.tRRDS, 7u);
}

TEST(GpuFile, TakesTheExtendedPresetWhereverItIsWritten) {
  EXPECT_EQ(parse_gpu("sms: 3\nsms_per_gpc: 1\nextends: turing68\n", "my.yaml").sms, 3u);
}

TEST(GpuFile, NamesFileLineAndNearestNameOfAnError) {
  const std::vector<std::pair<std::string, std::string>> errors = {
      {"extends: turing86\n", "my.yaml:1: extends: no preset 'turing86'; did you mean 'turing68'"},
      {"sms: 3\nsm:\n  wraps: 3\n", "my.yaml:3: no parameter 'sm.wraps'; did you mean 'sm.warps'"},
      {"sms: 3\nsn: {warps: 3}\n", "my.yaml:2: sn: no such group of parameters; did you mean 'sm'"},
      {"\nsm: {warps: 0}\n", "my.yaml:2: sm.warps: found '0', allowed: 1 to 128 warps"},
      {"sms: ~\n", "my.yaml:1: sms: found nothing, allowed: 1 to 256"},
      {"sms: [1]\n", "my.yaml:1: sms: found a list, allowed: 1 to 256"},
      {"sm: 3\n", "my.yaml:1: no parameter 'sm'"},
      {"sm: {warps: 3}\nsm.warps: 4\n", "my.yaml:2: sm.warps: found a second value"},
      {"- 1\n", "my.yaml:1: found no mapping"},
      {"sms: {\n", "my.yaml:"},
  };
  for (const auto& [yaml, message] : errors) EXPECT_THAT(error_of_parsing(yaml), HasSubstr(message));
}

TEST(GpuFile, IsTakenFromDiskByAPath) {
  const std::string path = testing::TempDir() + "gputlm_preset_test_gpu.yaml";
  std::ofstream(path) << "extends: tx2\ncore_mhz: 850.5\n";
  const GpuConfig gpu = load_gpu(path);
  std::remove(path.c_str());
  EXPECT_EQ(gpu.core_mhz, 850.5);
  EXPECT_EQ(gpu.sms, 2u);
  EXPECT_THROW(load_gpu("does/not/exist.yaml"), InputError);
  try {
    load_gpu("turing");
    FAIL() << "an unknown preset was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--gpu turing: no preset 'turing'; did you mean 'turing68'"));
  }
}

}  // namespace
}  // namespace gputlm
