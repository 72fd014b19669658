/// What ran on a GPU when, and where its blocks were: of a run of the model, or measured. The common ground of what
/// `gputlm compare` compares.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/input/kernel_names.h"
#include "platform/programs/scheduling_rules.h"
#include "tlm/registry.h"

namespace gputlm {

struct ObservedBlock {
  std::uint64_t block = 0;
  unsigned sm = 0;
  double start_ns = 0, end_ns = 0;
};

/// A kernel launch or a copy.
struct ObservedCommand {
  std::string label;   ///< unique
  std::string name;    ///< of the kernel; what it has in common with other launches of it
  std::string stream;  ///< with its application, where there is more than one
  double start_ns = 0, end_ns = 0;
  std::vector<ObservedBlock> blocks = {};

  double duration_ns() const { return end_ns - start_ns; }
};

struct Observation {
  std::string path;
  std::string gpu;                               ///< may be empty
  std::vector<ObservedCommand> kernels, copies;  ///< in the order of their launches, or of their starts
  bool names_kernels = true;                     ///< false: they can be told by their order only
  std::vector<std::string> warnings = {};
  double cycle_ns = 0;     ///< of a run: its core clock's; of a measurement: not 0 if it is in cycles
  bool durations = false;  ///< only how long kernels took is known, not when; their starts are 0
  /// Of a run: what a profiler's time of a kernel has before its first block and after its last, which is part of the
  /// kernels' times here. Of a measurement `blocks_only` says that its times are without.
  double launch_ns = 0, completion_ns = 0;
  bool blocks_only = false;
  std::optional<SmCapacity> capacity = std::nullopt;  ///< of a run: what its GPU holds
  std::vector<BrokenRule> broken_rules = {};          ///< of a measurement
};

/// The folder that `gputlm run --out` has written. Throws InputError.
Observation observe_run(const std::string& folder);

// Measurements that a run of the model is compared with. A format of measurements is a file that registers itself; nothing
// else has to name it.

/// What a user says of a measurement beside its path.
struct MeasurementOptions {
  std::optional<std::uint64_t> device;
  std::string configuration;  ///< empty: not said
};

struct MeasurementFormat : Registered {
  std::string description;          ///< what it is: "a capture (...)"
  bool has_devices = false;         ///< takes --device
  bool has_configurations = false;  ///< takes --config
  bool has_parts = false;           ///< several files may be one measurement
  /// By name, or by how the file begins; must not throw. A path is of the first format, by rank, that takes it.
  std::function<bool(const std::string& path)> takes;
  /// `paths`: one or more; `model`: the run that it is compared with. Throws InputError.
  std::function<Observation(const std::vector<std::string>& paths, const MeasurementOptions& options,
                            const Observation& model)>
      read;
};

Registry<MeasurementFormat>& measurement_formats();

/// Throws InputError: there is no such file, it is no measurement, or has no such option; or as the format's `read`.
Observation observe(const std::vector<std::string>& paths, const MeasurementOptions& options, const Observation& model);

// What launches of a kernel have in common, however its name is written.

inline std::string base_name(const std::string& kernel) { return short_names({demangled(kernel)}).front(); }

}  // namespace gputlm
