
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "tests/unit/dram/random_config.h"
#include "tests/unit/error_of.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::HasSubstr;

nlohmann::ordered_json json_of(const DramConfig& dram) {
  GpuConfig config;
  config.dram = dram;
  return to_json(config).at("dram");
}

TEST(DramPresets, AreDevicesWithoutContradictions) {
  std::vector<std::string> names;
  for (const DramPresetInfo& preset : dram_presets()) {
    names.push_back(preset.name);
    EXPECT_FALSE(preset.description.empty()) << preset.name;
    EXPECT_EQ(contradiction(preset.config), "") << preset.name;
    EXPECT_EQ(json_of(load_dram(preset.name)), json_of(preset.config));
  }
  EXPECT_THAT(names, testing::ElementsAre("gddr5", "hbm2"));
}

TEST(DramPresets, HoldTheTablesOfTheirSources) {
  EXPECT_EQ(json_of(load_dram("hbm2")).at("timing"), json_of(hbm2()).at("timing"));
  // baseline60 is the GPU of the same paper: the same timing, without refresh and without bank groups.
  DramConfig gddr5 = load_dram("gddr5");
  EXPECT_EQ(gddr5.timing.tREFI, 3603u);  // 3.9 us at 924 MHz
  gddr5.timing.tREFI = gddr5.timing.tRFC = gddr5.timing.tCCDL = 0;
  EXPECT_EQ(json_of(gddr5).at("timing"), json_of(load_gpu("baseline60").dram).at("timing"));
}

TEST(DramPresets, SetEveryParameterOnALineThatNamesItsSource) {
  for (const PresetSource& preset : dram_preset_sources()) {
    for (const Parameter& parameter : parameters()) {
      if (parameter.name.rfind("dram.", 0) != 0 || parameter.may_be_unknown) continue;
      EXPECT_THAT(error_of([&] { parse_dram(preset.yaml + "\n" + parameter.name + ": 1\n", "twice"); }),
                  HasSubstr("second"))
          << preset.name << " does not set " << parameter.name;
    }
    std::istringstream lines(preset.yaml);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] != ' ' || line.back() == ':') continue;
      EXPECT_NE(line.find('#'), std::string::npos) << preset.name << ": " << line;
    }
  }
}

TEST(DramFile, ExtendsADramPreset) {
  const DramConfig dram = parse_dram("extends: hbm2\ndram: {channels: 8}\ndram.timing.tRFC: 350\n", "my.yaml");
  EXPECT_EQ(dram.channels, 8u);
  EXPECT_EQ(dram.timing.tRFC, 350u);
  EXPECT_EQ(dram.timing.tCL, 17u);
}

TEST(DramFile, NamesFileLineAndNearestNameOfAnError) {
  const std::vector<std::pair<std::string, std::string>> errors = {
      {"extends: gddr6\n", "my.yaml:1: extends: no preset 'gddr6'; did you mean 'gddr5'"},
      {"dram:\n  bank: 8\n", "my.yaml:2: no parameter 'dram.bank'; did you mean 'dram.banks'"},
      {"sm: {warps: 8}\n", "my.yaml:1: sm: found 'sm', allowed: parameters of dram, extends, description"},
      {"dram: {banks: 12}\n", "my.yaml:1: dram.banks: found '12', allowed: 1 to 64 banks, a power of two"},
      {"dram: {banks: 0}\n", "my.yaml:1: dram.banks: found '0', allowed: 1 to 64 banks, a power of two"},
      {"- 1\n", "found no mapping"},
  };
  for (const auto& [yaml, message] : errors) {
    EXPECT_THAT(error_of([&, text = yaml] { parse_dram(text, "my.yaml"); }), HasSubstr(message));
  }
  EXPECT_THAT(error_of([] { load_dram("hbm"); }), HasSubstr("--dram hbm: no preset 'hbm'; did you mean 'hbm2'"));
  EXPECT_THAT(error_of([] { load_dram("no/such.yaml"); }), HasSubstr("no/such.yaml"));
}

}  // namespace
}  // namespace gputlm
