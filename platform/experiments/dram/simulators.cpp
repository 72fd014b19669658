/// The DRAM controller against three known cycle-level DRAM simulators: one channel of GDDR5, a million accesses played
/// as fast as they are accepted. Only what the simulators agree on is judged: the band is the range of their results.
///
/// - Random reads: activates are tRRD = 6 cycles apart, the floor. What is above it is lost where an activate and a
///   read for an earlier activate are legal in the same cycle: the command bus carries one, and the read goes first.
///   As tRCD = 12 is twice tRRD, that happens to every second activate.
/// - Stream: 256 accesses in a row fill four rows, one a bank group, of 64 bursts each. A million accesses are 3,906
///   such rounds and 64 accesses that begin another: 3,907 x 4 activates, so no row is opened twice.
/// - Mix: as random, each access a write with probability 1/2.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "platform/experiments/experiments.h"
#include "platform/lab/isolated.h"
#include "platform/run/memory_report.h"
#include "platform/run/memory_run.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kAccesses = 1'000'000;

struct Measured {
  double cycles, gigabytes_per_second;
  std::uint64_t activates;
};

std::string measure(const MemorySystem& system, const std::string& kind, std::uint64_t seed) {
  const auto trace = open_address_trace(fmt::format("{}:{}", kind, kAccesses), system.player.bytes, seed);
  const MemoryFigures figures(play(system, *trace, {}), system.dram);
  return nlohmann::json({{"cycles", figures.cycles_per_burst},
                         {"gigabytes_per_second", figures.gigabytes_per_second},
                         {"activates", figures.total.activates}})
      .dump();
}

/// Rounded as it is printed, so that what is judged is what is seen.
Figure range_figure(std::string name, double ours, double least, double most) {
  const auto rounded = [](double value) { return static_cast<double>(std::llround(100 * value)) / 100; };
  Band band = Band::range(least, most, 2);
  std::string paper = band.name();
  return {std::move(name), std::move(paper), Quantity::number(rounded(ours), 2), std::move(band), ""};
}

}  // namespace

MemorySystem dram_simulators_system() {
  MemorySystem system;
  DramConfig& dram = system.dram;
  dram.channels = 1;
  dram.command_mhz = 1000 / 1.082;
  dram.burst_bytes = 64;
  dram.bus_bits = 64;
  dram.banks = 16;
  dram.bank_groups = 4;
  dram.row_bytes = 4096;
  dram.queue = 64;
  dram.scheduler = "fr_fcfs";
  dram.bank_hash = false;
  dram.address_map = "rrrrrrrrrrrrr_bb_cccccc_gg_oooooo";
  DramTiming& t = dram.timing;
  t.tCL = 12, t.tWL = 4, t.tRCDRD = 12, t.tRCDWR = 12, t.tRP = 12, t.tRAS = 28, t.tRC = 40;
  t.tRRDS = 6, t.tRRDL = 6, t.tFAW = 0;
  t.tCCDS = 2, t.tCCDL = 3, t.tWTRS = 5, t.tWTRL = 5, t.tRTW = 2, t.tWR = 12, t.tRTP = 2;
  t.tREFI = 0, t.tRFC = 0;
  system.player.bytes = dram.burst_bytes;
  return system;
}

ExperimentReport dram_simulators(const ExperimentOptions& options, const MemorySystem& system) {
  std::vector<std::function<std::string()>> jobs;
  for (const char* kind : {"random", "stream", "mix"}) {
    jobs.emplace_back([kind, &system, &options] { return measure(system, kind, options.seed); });
  }
  std::vector<Measured> measured;
  for (const std::string& text : run_isolated(jobs, options.parallel)) {
    const auto json = nlohmann::json::parse(text);
    measured.push_back({json.at("cycles"), json.at("gigabytes_per_second"), json.at("activates")});
  }
  const Measured &random = measured[0], &stream = measured[1], &mix = measured[2];
  ExperimentReport report;
  report.text =
      fmt::format("{} accesses of 64 bytes to one channel; 'paper' is the range of three simulators.\n", kAccesses);
  report.figures = {
      range_figure("random reads: cycles a request", random.cycles, 6.32, 6.50),
      range_figure("random reads: GB/s", random.gigabytes_per_second, 9.10, 9.37),
      exact_figure("stream of reads: cycles a request", "2.00", fmt::format("{:.2f}", stream.cycles)),
      exact_figure("stream of reads: activates", "15628", std::to_string(stream.activates), "3907 rounds of 4 rows"),
      range_figure("random reads and writes: cycles a request", mix.cycles, 6.26, 6.49),
  };
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"dram/simulators", 601},
                     "The DRAM controller alone against three known simulators",
                     [](const ExperimentOptions& options) { return dram_simulators(options); }});
}

}  // namespace gputlm
