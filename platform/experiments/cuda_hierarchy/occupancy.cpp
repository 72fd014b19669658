/// Section III-C2 of cuda-hierarchy: when shared memory and registers decide which SM a block goes to (Equation 1). A kernel
/// of one warp, S0, is on SM 0; by their warps alone a block of three, S1, goes there too (Equation 2: 96 threads after 32).
/// The experiment finds the request from which on S1 goes elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr Bytes kRequestStep = 64;  // step of requests of shared memory
constexpr Bytes kThresholdFrom = 2048, kThresholdTo = 4096;
constexpr Bytes kIncrement = 256, kThreshold = 3072;  // section III-C2
constexpr Bytes kHeldTo = 5120;
constexpr Bytes kMaxShared = 48 * 1024;  // table I: maximum of a block
constexpr unsigned kFewestRegisters = 16, kMaxRegisters = 64, kHeldRegisters = 255;
constexpr Femtoseconds kRun = 6 * kMicrosecond;

struct Needs {
  Bytes shared_memory = 0;
  unsigned registers = 16;
};

std::shared_ptr<Kernel> needing(std::uint32_t blocks, std::uint32_t threads, const Needs& needs) {
  auto kernel = spin_kernel(blocks, threads, kRun);
  kernel->shared_memory = needs.shared_memory;
  kernel->registers_per_thread = needs.registers;
  return kernel;
}

/// A row of pairs S0 and S1, each on an idle GPU.
class KernelPairs {
 public:
  explicit KernelPairs(const std::string& gpu) : run_{experiment_gpu(gpu), workload_of_streams(2)} {}
  void add(Bytes asked, const Needs& s0, const Needs& s1) {
    asked_.push_back(asked);
    launch(run_.workload, 0, needing(1, 32, s0), 0, phase_);
    launch(run_.workload, 1, needing(1, 96, s1), kMicrosecond, phase_++);
  }
  const Run& run() const { return run_; }
  /// The largest request with which S1 still goes to the SM of S0, provided that all larger ones go elsewhere.
  std::string most_together(const RunResult& result) const {
    const auto outcomes = launch_outcomes(result);
    Bytes most = 0;
    bool apart = false;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const bool together = outcomes[2 * i].sms() == outcomes[2 * i + 1].sms();
      if (together && apart) return "no threshold";
      if (together) most = asked_[i];
      apart = apart || !together;
    }
    return apart ? std::to_string(most) : "none";
  }

 private:
  Run run_;
  std::vector<Bytes> asked_;
  unsigned phase_ = 0;
};

/// For each request of shared memory, a kernel with far more one-warp blocks than fit: counts simultaneous blocks.
Run held_run(const std::string& gpu) {
  Run run{experiment_gpu(gpu), workload_of_streams(1)};
  unsigned phase = 0;
  for (Bytes bytes = kThreshold; bytes <= kHeldTo; bytes += kRequestStep) {
    launch(run.workload, 0, needing(run.config.sms * 33, 32, {bytes}), 0, phase++);
  }
  return run;
}

struct Held {
  unsigned changed = 0, increments = 0;  ///< increments of 256 bytes: those that change the number of resident blocks;
                                         ///< all
  unsigned between = 0;                  ///< changes at other sizes
};

Held held_of(const RunResult& result) {
  Held held;
  std::vector<std::size_t> at_once;
  for (const LaunchOutcome& outcome : launch_outcomes(result)) {
    Cycle first_end = kNever;
    for (const BlockRecord& block : outcome.blocks) first_end = std::min(first_end, block.end);
    at_once.push_back(
        static_cast<std::size_t>(std::count_if(outcome.blocks.begin(), outcome.blocks.end(),
                                               [&](const BlockRecord& block) { return block.start < first_end; })));
  }
  for (std::size_t i = 1; i < at_once.size(); ++i) {
    const bool increment = (i - 1) * kRequestStep % kIncrement == 0;  // just above a multiple
    held.increments += increment;
    (increment ? held.changed : held.between) += at_once[i] != at_once[i - 1];
  }
  return held;
}

/// Two kernels with configurations of L1 and shared memory; each has one block, which would fit beside the other's.
Run configurations_run(const std::string& gpu, CacheConfig second) {
  Run run{experiment_gpu(gpu), workload_of_streams(2)};
  launch(run.workload, 0, needing(1, 32, {}));
  launch(run.workload, 1, needing(1, 96, {}), kMicrosecond);
  run.workload.launches[0].cache_config = CacheConfig::kShared;
  run.workload.launches[1].cache_config = second;
  return run;
}

ExperimentReport occupancy(const ExperimentOptions& options) {
  const std::string gpu = "xavier";
  KernelPairs requested(gpu), of_the_first(gpu), registers(gpu);
  for (Bytes bytes = kThresholdFrom; bytes <= kThresholdTo; bytes += kRequestStep) {
    requested.add(bytes, {kMaxShared}, {bytes});
  }
  for (Bytes bytes = 0; bytes <= kMaxShared; bytes += kIncrement) of_the_first.add(bytes, {bytes}, {});
  for (unsigned n = kFewestRegisters; n <= kMaxRegisters; ++n) registers.add(n, {0, kHeldRegisters}, {0, n});

  RunSet<std::string> runs;
  runs.add("requested", requested.run());
  runs.add("of the first", of_the_first.run());
  runs.add("registers", registers.run());
  runs.add("held", held_run(gpu));
  runs.add("other", configurations_run(gpu, CacheConfig::kL1));
  runs.add("same", configurations_run(gpu, CacheConfig::kShared));
  runs.run(options.jobs());

  const auto most = [&](const KernelPairs& pairs, const char* key) { return pairs.most_together(runs.result(key)); };
  const Held held = held_of(runs.result("held"));
  const std::string of_second = most(requested, "requested"), first = most(of_the_first, "of the first"),
                    registers_most = most(registers, "registers");
  ExperimentReport report{"cuda-hierarchy"};
  Table table({{"request"}, {"up_to", "", "Largest with which S1 goes to the SM of S0", "up to"}});
  table.add({fmt::format("shared memory of S1, S0 with {} bytes", kMaxShared), of_second});
  table.add({"shared memory of S0, S1 without", first});
  table.add({fmt::format("registers of S1 a thread, S0 with {}", kHeldRegisters), registers_most});
  report.tables = {{gpu + ": S0, one warp, then S1, three warps. Up to which request S1 goes to the SM of S0", table}};
  report.equal("largest request of shared memory that does not count (bytes)",
               "resources.shared_memory_threshold_bytes", of_second);
  report.all("increments of 256 bytes that change how many blocks an SM holds", held.changed, held.increments,
             fmt::format("from {} to {} bytes, blocks of one warp", kThreshold, kHeldTo));
  report.figures.push_back(exact_figure("changes at other sizes", "0", std::to_string(held.between)));
  report.equal("most registers a thread that do not count", "resources.registers_threshold", registers_most);
  report.equal("S0 with shared memory, S1 without: S1 goes elsewhere", "resources.of_the_first_kernel",
               first == "none" ? "never" : "above " + first);
  const auto beside = [&](const char* key) {
    const auto outcomes = launch_outcomes(runs.result(key));
    return outcomes[1].first_block < outcomes[0].end ? "in parallel" : "one after the other";
  };
  report.equal("streams with different configurations of L1 and shared memory", "resources.different_configurations",
               beside("other"));
  report.equal("streams with the same configuration", "resources.same_configuration", beside("same"));
  return report;
}

GPUTLM_REGISTER { add_experiment("cuda-hierarchy/occupancy", occupancy); }

}  // namespace
}  // namespace gputlm
