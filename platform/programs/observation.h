/// When commands ran on a GPU, and where their blocks were: from a run of the model, or measured. The common form of what
/// `gputlm compare` compares.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/input/kernel_names.h"
#include "platform/programs/scheduling_rules.h"
#include "tlm/base/registry.h"

namespace gputlm {

struct ObservedBlock {
  std::uint64_t block = 0;
  unsigned sm = 0;
  double start_ns = 0, end_ns = 0;
};

/// A kernel launch or a copy.
struct ObservedCommand {
  std::string label;   ///< unique
  std::string name;    ///< name of the kernel, which its launches have in common
  std::string stream;  ///< name of the stream, prefixed by its application if there are several
  double start_ns = 0, end_ns = 0;
  std::vector<ObservedBlock> blocks = {};

  double duration_ns() const { return end_ns - start_ns; }
};

struct Observation {
  std::string path;
  std::string gpu;                               ///< name of the GPU; may be empty
  std::vector<ObservedCommand> kernels, copies;  ///< in the order of their launches or starts
  bool names_kernels = true;                     ///< false: kernels can be identified only by their order
  std::vector<std::string> warnings = {};
  double cycle_ns = 0;     ///< for a run: period of its core clock; for a measurement: not 0 if its times are in cycles
  bool durations = false;  ///< only the durations of kernels are known; their starts are 0
  /// For a run: the part of a profiler's kernel time before the first block and after the last, which kernel times here
  /// include. A measurement with `blocks_only` excludes it.
  double launch_ns = 0, completion_ns = 0;
  bool blocks_only = false;
  std::optional<SmCapacity> capacity = std::nullopt;  ///< capacity of the GPU of a run
  std::vector<BrokenRule> broken_rules = {};          ///< rules that a measurement breaks
};

/// A folder that `gputlm run --out` wrote. Throws InputError.
Observation observe_run(const std::string& folder);

// Measurements that a run of the model is compared with. A format of measurements is a file that registers itself; no list
// names it.

/// What the user says about a measurement besides its path.
struct MeasurementOptions {
  std::optional<std::uint64_t> device;
  std::string configuration;  ///< name of the configuration; empty: not given
};

struct MeasurementFormat : Registered {
  std::string description;          ///< "a capture (...)"
  bool has_devices = false;         ///< accepts --device
  bool has_configurations = false;  ///< accepts --config
  bool has_parts = false;           ///< several files may form one measurement
  /// Decides by the name or the beginning of the file; must not throw. A path belongs to the first format, by rank, that
  /// takes it.
  std::function<bool(const std::string& path)> takes;
  /// `paths`: one or more; `model`: the run that it is compared with. Throws InputError.
  std::function<Observation(const std::vector<std::string>& paths, const MeasurementOptions& options,
                            const Observation& model)>
      read;
};

Registry<MeasurementFormat>& measurement_formats();

/// Throws InputError if the file does not exist, is no measurement or does not have the option, or as the format's `read`
/// does.
Observation observe(const std::vector<std::string>& paths, const MeasurementOptions& options, const Observation& model);

// The common key of the launches of a kernel, however its name is written.

inline std::string base_name(const std::string& kernel) { return short_names({demangled(kernel)}).front(); }

}  // namespace gputlm
