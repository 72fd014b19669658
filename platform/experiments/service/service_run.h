/// A day of an inference service under one policy, as a run of a sweep: what comes back is response times, so that a
/// million launches stay in the process that made them.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
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

  template <class Record>
  static auto members(Record& record) {
    auto& [requests, p50, p99, mean] = record;
    return std::tie(requests, p50, p99, mean);
  }
};

struct ServiceResult {
  Cycle cycles = 0;  ///< until the last request had been answered
  std::vector<Served> networks;

  template <class Record>
  static auto members(Record& record) {
    auto& [cycles, networks] = record;
    return std::tie(cycles, networks);
  }
};

/// How one network is served.
struct Service {
  Network network;
  std::vector<Femtoseconds> requests;  ///< releases, in order
  int priority = 0;                    ///< of its stream
  EngineShare share = {};
};

/// Each network is an application with a stream and a thread, which waits for the next request and launches its layers.
Workload service_workload(const std::vector<Service>& services);

struct ServiceRun {
  GpuConfig config;
  std::vector<Service> services;

  using Result = ServiceResult;
  Job job() const;
  static ServiceResult result(std::string_view bytes);
};

}  // namespace gputlm
