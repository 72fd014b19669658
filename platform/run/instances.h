/// The instances that a GPU is divided into (models/instances.h), as the GPUs that they are: each has units of its own, as
/// many as its share allows, and meets the others nowhere but at the host, at the link to it, and at a last-level TLB where
/// it says so. That is what isolates them.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"

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

/// Of each application, the place of its instance; 0 if there are none. Throws InputError for an instance that there is
/// not, and for an application without one.
std::vector<unsigned> instances_of_applications(const std::vector<InstanceSpec>& specs,
                                                const std::vector<ApplicationSpec>& applications);

/// What of a workload its launches are that run on an instance, by the place of each application's.
std::vector<LaunchCommand> launches_on(std::size_t instance, const std::vector<unsigned>& of_applications,
                                       const Workload& workload);

/// What the work distributor of an instance is told: the shares of all applications, empty where they are on another.
std::vector<EngineShare> shares_on(std::size_t instance, const std::vector<unsigned>& of_applications,
                                   const std::vector<ApplicationSpec>& applications);

/// The GPU of each application of a workload: the whole, or an instance.
class GpusOfApplications {
 public:
  GpusOfApplications(const GpuConfig& config, const Workload& workload)
      : instances_(instances(config, instances_of(config, workload))),
        of_(instances_of_applications(instances_of(config, workload), workload.applications)) {}
  const GpuConfig& of(std::size_t application) const { return instances_[of_[application]].config; }
  /// There are so many: the whole is one.
  std::size_t size() const { return instances_.size(); }
  const GpuConfig& gpu(std::size_t instance) const { return instances_[instance].config; }
  std::size_t place_of(std::size_t application) const { return of_[application]; }
  std::vector<EngineShare> shares_on(std::size_t instance, const Workload& workload) const {
    return gputlm::shares_on(instance, of_, workload.applications);
  }

 private:
  std::vector<Instance> instances_;
  std::vector<unsigned> of_;
};

}  // namespace gputlm
