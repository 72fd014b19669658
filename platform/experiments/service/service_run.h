/// A day of an inference service under one policy, as a run of a sweep: what comes back is response times, so that a
/// million launches stay in the process that made them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/experiments/service/networks.h"
#include "platform/experiments/service/requests.h"
#include "platform/lab/runs.h"

namespace gputlm {

/// Response times of a network's requests, in core cycles.
struct Served {
  std::uint64_t requests = 0;
  Cycle p50 = 0, p99 = 0;  ///< by nearest rank
  double mean = 0;
  std::vector<Cycle> p99_by_section;  ///< of the day; 0 where no request was released
};

struct ServiceResult {
  Cycle cycles = 0;  ///< until the last request had been answered
  std::vector<Served> networks;
};

/// How one network is served.
struct Service {
  Network network;
  std::vector<Femtoseconds> requests;  ///< releases, in order
  int priority = 0;                    ///< of its stream
  EngineShare share = {};
};

/// The parts that a day is told by.
struct DaySections {
  std::size_t count = 1;
  Femtoseconds length = kNever;  ///< of each
};

/// Each network is an application with a stream and a thread, which waits for the next request and launches its layers. A
/// request is a job of the task of its network and section: task = network * sections.count + section.
Workload service_workload(const std::vector<Service>& services, const DaySections& sections = {});

struct ServiceRun {
  GpuConfig config;
  std::vector<Service> services;
  DaySections sections = {};
  std::shared_ptr<const DurationTable> durations = nullptr;  ///< for an SM model that needs them

  using Result = ServiceResult;
  GpuRun gpu_run();
  Job job() const;
  static ServiceResult result(std::string_view bytes);
};

}  // namespace gputlm
