/// The instances that a GPU is divided into (models/instances.h), as the GPUs that they are: each has units of its own, as
/// many as its share allows, and meets the others nowhere but at the host, at the link to it, and at a last-level TLB where
/// it says so. That is what isolates them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "tlm/error.h"

namespace gputlm {

struct Instance {
  InstanceSpec spec;
  GpuConfig config;       ///< of the GPU that it is
  unsigned first_sm = 0;  ///< among the SMs of all instances, in their order
};

/// Those of the workload; where it has none, those of the GPU.
const std::vector<InstanceSpec>& instances_of(const GpuConfig& gpu, const Workload& workload);

/// In the order of `specs`; one, which is the whole GPU, if there are none. Throws InputError for what the GPU does not
/// have.
std::vector<Instance> instances(const GpuConfig& gpu, const std::vector<InstanceSpec>& specs);

/// A GPU as the parts that a workload runs on: its instances, or the whole as the only one.
class GpuParts {
 public:
  /// Throws InputError as instances() does, for an instance that there is not, and for an application without one.
  GpuParts(const GpuConfig& gpu, const Workload& workload);

  bool is_divided() const { return divided_; }
  std::size_t size() const { return parts_.size(); }
  const Instance& operator[](std::size_t part) const { return parts_[part]; }
  const std::vector<Instance>& all() const { return parts_; }
  /// Which one an application runs on.
  std::size_t of(std::size_t application) const { return of_[application]; }
  const std::vector<unsigned>& of_applications() const { return of_; }
  const GpuConfig& gpu_of(std::size_t application) const { return parts_[of_[application]].config; }

  /// What of a workload its launches are that run on a part.
  std::vector<LaunchCommand> launches(std::size_t part, const Workload& workload) const;
  /// What the work distributor of a part is told: the shares of all applications, empty where they are on another.
  std::vector<EngineShare> engine_shares(std::size_t part, const std::vector<ApplicationSpec>& applications) const;

 private:
  bool divided_;
  std::vector<Instance> parts_;
  std::vector<unsigned> of_;  ///< by application
};

/// Refuses what has a file, a line and a name: "application a: found ...".
inline std::string called(const ApplicationSpec& application) { return "application " + application.name; }
inline std::string called(const LaunchCommand& launch) { return "launch " + launch.label; }
inline std::string called(const InstanceSpec& instance) { return "instance " + instance.name; }
inline std::string called(const StreamSpec& stream) { return "stream " + stream.name; }
template <class Spec, class... Values>
[[noreturn]] void refuse(const Spec& spec, fmt::format_string<Values...> format, Values&&... values) {
  throw InputError(spec.file, spec.line, called(spec) + ": " + fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace gputlm
