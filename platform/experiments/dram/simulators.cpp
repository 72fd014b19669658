/// The DRAM controller against three known cycle-level DRAM simulators: one channel of GDDR5, a million accesses played as
/// fast as they are accepted. Only results on which the simulators agree are judged: the band is the range of their results.
///
/// - Random reads: activates are at least tRRD = 6 cycles apart. The excess is lost when an activate and a read for an
///   earlier activate are legal in the same cycle: the command bus carries only one, and the read goes first. As tRCD = 12 is
///   twice tRRD, this happens to every second activate.
/// - Stream: 256 consecutive accesses fill four rows, one per bank group, of 64 bursts each. A million accesses are 3,906
///   such rounds and 64 accesses of another: 3,907 x 4 activates, so no row is opened twice.
/// - Mix: as random, each access being a write with probability 1/2.
#include "platform/experiments/dram/simulators.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "platform/files/json_text.h"
#include "platform/input/address_trace.h"
#include "platform/input/parameters.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/jobs.h"
#include "platform/run/memory_run.h"
#include "tlm/base/digest.h"

namespace gputlm {
namespace {

/// An address trace on DRAM controllers alone, as a run of a set (run_set.h).
struct PlayRun {
  MemorySystem system;
  std::string trace;  ///< a file, or what is generated (platform/input/address_trace.h)
  std::uint64_t seed = 1;

  using Result = MemoryResult;
  Job job() const;
  static MemoryResult result(std::string_view bytes);
};

Job PlayRun::job() const {
  GpuConfig config;  // a memory run has only this part of it
  config.dram = system.dram;
  config.address_map = system.address_map;
  const PlayerConfig& player = system.player;
  const std::string content = std::filesystem::is_regular_file(trace) ? file_digest(trace) : trace;
  return {digest(fmt::format("play {} {} {} {} {} {}\n{}", program_digest(), player.bytes, player.outstanding,
                             player.interval, seed, content, json_text(to_json(config)))),
          [this](const Execution&) {
            const auto accesses = open_address_trace(trace, system.player.bytes, seed);
            return to_bytes(play(system, *accesses, {}));
          }};
}

MemoryResult PlayRun::result(std::string_view bytes) { return memory_result_from_bytes(bytes); }

constexpr std::uint64_t kAccesses = 1'000'000;

/// Rounded as printed, so that the displayed value is judged. `key`: that of the range in reference.yaml.
Figure range_figure(std::string name, double ours, const std::string& key) {
  const Reference& paper = reference("dram");
  Band band = Band::range(paper.number(key + ".least"), paper.number(key + ".most"), 2);
  std::string range = band.name();
  const double rounded = static_cast<double>(std::llround(100 * ours)) / 100;
  return {std::move(name), std::move(range), Quantity::number(rounded, 2), std::move(band), ""};
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
  RunSet<std::string, PlayRun> runs;
  for (const std::string kind : {"random", "stream", "mix"})
    runs.add(kind, {system, fmt::format("{}:{}", kind, kAccesses), options.seed});
  runs.run(options.jobs());
  const auto measured = [&](const std::string& kind) { return MemoryFigures(runs.result(kind), system.dram); };
  const MemoryFigures random = measured("random"), stream = measured("stream"), mix = measured("mix");
  ExperimentReport report{"dram"};
  report.text =
      fmt::format("{} accesses of 64 bytes to one channel; 'paper' is the range of three simulators.\n", kAccesses);
  report.figures = {
      range_figure("random reads: cycles a request", random.cycles_per_burst, "random_reads.cycles_a_request"),
      range_figure("random reads: GB/s", random.gigabytes_per_second, "random_reads.gigabytes_per_second")};
  report.equal("stream of reads: cycles a request", "stream_of_reads.cycles_a_request",
               Quantity::number(stream.cycles_per_burst, 2));
  report.equal("stream of reads: activates", "stream_of_reads.activates", std::to_string(stream.total.activates),
               "3907 rounds of 4 rows");
  report.figures.push_back(range_figure("random reads and writes: cycles a request", mix.cycles_per_burst,
                                        "random_reads_and_writes.cycles_a_request"));
  return report;
}

GPUTLM_REGISTER {
  add_experiment("dram/simulators",
                 [](const ExperimentOptions& options) { return dram_simulators(options, dram_simulators_system()); });
}

}  // namespace gputlm
