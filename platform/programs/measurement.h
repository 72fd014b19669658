/// Measurements that a run of the model is compared with. A format of measurements is a file that registers itself; nothing
/// else has to name it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/programs/observation.h"
#include "tlm/registry.h"

namespace gputlm {

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

}  // namespace gputlm
