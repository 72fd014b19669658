/// Functions that experiments share: GPUs with parameters set, kernels whose blocks spin, workloads made in C++, and the
/// outcomes of launches. Times are in core cycles.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/program.h"
#include "platform/input/preset.h"
#include "platform/lab/run_set.h"

namespace gputlm {

inline constexpr Femtoseconds kMicrosecond = 1'000'000'000;

/// Parameters and their values, as `--set` has them.
using ParameterSettings = std::vector<std::pair<std::string, std::string>>;

/// A preset with the parameters that the experiment sets. Throws InputError as platform/input/parameters.h does.
GpuConfig experiment_gpu(const std::string& preset, const ParameterSettings& settings = {});

/// A kernel whose blocks end `time` + SM id * `per_sm` after they started (most-room, section 3.1). Registers and
/// shared memory are too few to influence placement.
std::shared_ptr<Kernel> spin_kernel(std::uint32_t blocks, std::uint32_t threads, Femtoseconds time,
                                    Femtoseconds per_sm = 0);

/// One application with `streams` streams and nothing launched yet.
Workload workload_of_streams(unsigned streams);

/// Adds a launch; returns its place in Workload::launches.
std::size_t launch(Workload& workload, StreamId stream, std::shared_ptr<Kernel> kernel, Femtoseconds release = 0,
                   unsigned phase = 0);

/// The application of each launch.
std::vector<ApplicationId> applications_by_launch(const Workload& workload);

/// The outcome of one launch.
struct LaunchOutcome : KernelRecord {
  std::uint64_t l1_sector_hits = 0, l1_sector_misses = 0;
  std::vector<BlockRecord> blocks;            ///< blocks, indexed by block number
  std::vector<PredictionRecord> predictions;  ///< predictions in the order in which they were made; only if asked for
  Cycle time() const { return execution(); }
  std::vector<SmId> sms() const;  ///< SM of each block
};

/// The outcomes of all launches of a workload, which must not be relaunched.
std::vector<LaunchOutcome> launch_outcomes(const RunResult& result);

/// `[0, 2, 4]`
std::string list_text(const std::vector<SmId>& sms);

// Compiled-in programs of the experiments: workload files of one kernel each.

/// The source of this name. Throws InputError, with similar names, if there is none. `kind`: the noun in that message.
const PresetSource& source_named(const std::vector<PresetSource>& sources, const std::string& kind,
                                 const std::string& name);

/// The kernel of the file `name` among `sources`, which come from `folder` (for messages). Patterns without a base of
/// their own are placed from `base` on. Throws InputError if there is no such file.
ProgramSpec embedded_program(const std::vector<PresetSource>& sources, const std::string& folder,
                             const std::string& name, Address base);

}  // namespace gputlm
