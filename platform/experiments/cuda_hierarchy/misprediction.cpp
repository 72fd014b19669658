/// Figure 3 of cuda-hierarchy: random kernels in several streams, mapped to SMs by round-robin and by the real policy; how
/// often the two mappings differ.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/kernel/random.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

// Footnote 1: [2-8] streams, [1-4] blocks a kernel, [1-1024] threads a block; 7000 configurations.
constexpr unsigned kFewestStreams = 2, kMaxStreams = 8, kMaxBlocks = 4, kMaxThreads = 1024;
constexpr unsigned kConfigurations = 1000, kQuickConfigurations = 100;  // number for each number of streams

constexpr double kThreeErrors = 0.02;  // 3 * sqrt(0.96 * 0.04 / 1000)

constexpr Femtoseconds kStagger = kMicrosecond / 2;  // kernels are launched one after another
constexpr Femtoseconds kSpin = 10 * kMicrosecond;    // and run long enough to be resident together

/// All configurations with this number of streams, in sequence: the GPU is idle between them.
Run configurations(const std::string& placement, unsigned streams, unsigned count, std::uint64_t seed) {
  Run run{experiment_gpu("xavier", {{"work_distributor.placement", placement},
                                    {"work_distributor.sm_order", "evens_then_odds"},
                                    {"work_distributor.kernels_in_flight", "16"}}),
          workload_of_streams(streams)};
  std::map<std::pair<unsigned, unsigned>, std::shared_ptr<Kernel>> kernels;
  const std::uint64_t name = hash_name("misprediction");
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned s = 0; s < streams; ++s) {
      const auto draw = [&](unsigned position, unsigned most) {
        return 1 + static_cast<unsigned>(uniform_below(random_bits(seed, derive(name, streams), i, s, position), most));
      };
      const unsigned blocks = draw(0, kMaxBlocks), threads = draw(1, kMaxThreads);
      std::shared_ptr<Kernel>& kernel = kernels[{blocks, threads}];
      if (!kernel) kernel = spin_kernel(blocks, threads, kSpin);
      launch(run.workload, static_cast<StreamId>(s), kernel, s * kStagger, i);
    }
  }
  return run;
}

struct StreamShare {
  unsigned streams = 0;
  unsigned differ = 0;
  unsigned together = 0;  ///< configurations whose blocks were all resident at the same time
  double share = 0;
};

StreamShare compare(unsigned streams, unsigned count, const std::vector<LaunchOutcome>& a,
                    const std::vector<LaunchOutcome>& b) {
  StreamShare row;
  row.streams = streams;
  for (std::size_t i = 0; i < count; ++i) {
    bool differs = false;
    Cycle last_start = 0, first_end = kNever;
    for (std::size_t k = i * streams; k < (i + 1) * streams; ++k) {
      differs = differs || a[k].sms() != b[k].sms();
      for (const BlockRecord& block : a[k].blocks) {
        last_start = std::max(last_start, block.start);
        first_end = std::min(first_end, block.end);
      }
    }
    row.differ += differs ? 1 : 0;
    row.together += last_start < first_end ? 1 : 0;
  }
  row.share = static_cast<double>(row.differ) / count;
  return row;
}

ExperimentReport misprediction(const ExperimentOptions& options) {
  const std::string placement = options.policy("most_room");
  const unsigned count = options.quick ? kQuickConfigurations : kConfigurations;
  RunSet<std::pair<std::string, unsigned>> runs;  // runs by placement and number of streams
  const std::string round_robin = "round_robin";
  for (unsigned streams = kFewestStreams; streams <= kMaxStreams; ++streams) {
    runs.add({placement, streams}, configurations(placement, streams, count, options.seed));
    if (placement == round_robin) continue;
    runs.add({round_robin, streams}, configurations(round_robin, streams, count, options.seed));
  }
  runs.run(options.jobs());

  Table table({{"streams"},
               {"configurations"},
               {"differ", "", "Configurations with two mappings"},
               {"share", "", "Their share", "", 3},
               {"together", "", "Configurations with all blocks resident together", "all blocks resident together"}});
  std::vector<double> shares;
  for (unsigned streams = kFewestStreams; streams <= kMaxStreams; ++streams) {
    const StreamShare row = compare(streams, count, launch_outcomes(runs.result({placement, streams})),
                                    launch_outcomes(runs.result({round_robin, streams})));
    table.add({row.streams, count, row.differ, row.share, row.together});
    shares.push_back(row.share);
  }
  ExperimentReport report{"cuda-hierarchy"};
  report.tables = {
      {fmt::format("{} configurations on xavier; one kernel a stream", count * (kMaxStreams - kFewestStreams + 1)),
       table}};
  const bool rises = std::is_sorted(shares.begin(), shares.end()) && shares.front() < shares.back();
  report.trend("share that differs, by number of streams", "misprediction.by_streams",
               rises ? "rises" : "does not rise", "rises", rises);
  // The share of a few configurations in a short form says little.
  if (!options.quick) {
    report.number("share that differs, highest", "misprediction.up_to", *std::max_element(shares.begin(), shares.end()),
                  3, Band::within(kThreeErrors), "three standard errors of a share of 1000");
  }
  return report;
}

GPUTLM_REGISTER { add_experiment("cuda-hierarchy/misprediction", misprediction); }

}  // namespace
}  // namespace gputlm
