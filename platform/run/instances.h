/// The instances that a GPU is divided into (models/instances.h), each as a GPU of its own. An instance has units of its
/// own, their number given by its share. It shares only the host, the link to the host and, if configured, a last-level TLB;
/// this is what isolates it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "tlm/base/error.h"

namespace gputlm {

struct Instance {
  InstanceSpec spec;
  GpuConfig config;       ///< configuration of the GPU that it amounts to
  unsigned first_sm = 0;  ///< index of its first SM among the SMs of all instances, in their order
};

/// The workload's instances, or else the GPU's.
const std::vector<InstanceSpec>& instances_of(const GpuConfig& gpu, const Workload& workload);

/// The instances in the order of `specs`; a single one, the whole GPU, if `specs` is empty. Throws InputError for resources
/// that the GPU does not have.
std::vector<Instance> instances(const GpuConfig& gpu, const std::vector<InstanceSpec>& specs);

/// The parts of a GPU that a workload runs on: its instances, or the whole GPU as the only one.
class GpuParts {
 public:
  /// Throws InputError as instances() does, for an instance that does not exist, and for an application without one.
  GpuParts(const GpuConfig& gpu, const Workload& workload);

  bool is_divided() const { return divided_; }
  std::size_t size() const { return parts_.size(); }
  const Instance& operator[](std::size_t part) const { return parts_[part]; }
  const std::vector<Instance>& all() const { return parts_; }
  /// The part that an application runs on.
  std::size_t of(std::size_t application) const { return of_[application]; }
  const std::vector<unsigned>& of_applications() const { return of_; }
  const GpuConfig& gpu_of(std::size_t application) const { return parts_[of_[application]].config; }

  /// The workload's launches that run on a part.
  std::vector<LaunchCommand> launches(std::size_t part, const Workload& workload) const;
  /// Engine shares for the work distributor of a part: one entry per application, empty for those on another part.
  std::vector<EngineShare> engine_shares(std::size_t part, const std::vector<ApplicationSpec>& applications) const;

 private:
  bool divided_;
  std::vector<Instance> parts_;
  std::vector<unsigned> of_;  ///< part that each application runs on
};

/// Prefix of an error about an application: "application a: found ...".
inline std::string called(const ApplicationSpec& application) { return "application " + application.name; }
inline std::string called(const LaunchCommand& launch) { return "launch " + launch.label; }
inline std::string called(const InstanceSpec& instance) { return "instance " + instance.name; }
inline std::string called(const StreamSpec& stream) { return "stream " + stream.name; }
template <class Spec, class... Values>
[[noreturn]] void refuse(const Spec& spec, fmt::format_string<Values...> format, Values&&... values) {
  throw InputError(spec.file, spec.line, called(spec) + ": " + fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace gputlm
