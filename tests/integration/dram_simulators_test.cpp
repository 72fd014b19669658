// The DRAM controller alone against known simulators; and that the comparison can fail.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiment_report.h"
#include "platform/experiments/dram/simulators.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"

namespace gputlm {
namespace {

/// The figures that differ, a line each.
std::string differing(const ExperimentReport& report) {
  std::string names;
  for (const Figure& f : report.figures) {
    if (!f.agrees()) names += f.name + ": " + f.ours.text() + "\n";
  }
  return names;
}

TEST(DramSimulators, TheDeviceFileOfTheBenchmarkIsTheDevice) {
  GpuConfig file, experiment;
  file.dram = load_dram(std::string(GPUTLM_SOURCE_DIR) + "/benchmarks/dram_simulators.yaml");
  experiment.dram = dram_simulators_system().dram;
  EXPECT_EQ(to_json(file).at("dram").dump(2), to_json(experiment).at("dram").dump(2));
}

TEST(DramSimulators, EveryFigureLiesInTheirRange) {
  const ExperimentReport report = reproduce("dram/simulators");
  EXPECT_EQ(report.figures.size(), 5u);
  EXPECT_EQ(differing(report), "");
}

TEST(DramSimulators, AnotherDeviceIsRefuted) {
  MemorySystem slow_rows = dram_simulators_system();
  slow_rows.dram.timing.tRRDS = slow_rows.dram.timing.tRRDL = 7;
  const std::string random = differing(dram_simulators({}, slow_rows));
  for (const char* figure : {"random reads: cycles", "random reads: GB/s", "random reads and writes"}) {
    EXPECT_NE(random.find(figure), std::string::npos) << figure << " is not among:\n" << random;
  }
  EXPECT_EQ(random.find("stream"), std::string::npos) << random;

  MemorySystem half_rows = dram_simulators_system();
  half_rows.dram.row_bytes /= 2;
  half_rows.dram.address_map = "rrrrrrrrrrrrr_bb_ccccc_gg_oooooo";
  half_rows.dram.timing.tCCDL = 12;
  const std::string stream = differing(dram_simulators({}, half_rows));
  for (const char* figure : {"stream of reads: cycles", "stream of reads: activates"}) {
    EXPECT_NE(stream.find(figure), std::string::npos) << figure << " is not among:\n" << stream;
  }
}

}  // namespace
}  // namespace gputlm
