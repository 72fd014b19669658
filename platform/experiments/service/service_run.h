/// A day of an inference service under one policy, as a run of a set (run_set.h): what comes back is response times, so that a
/// million launches stay in the process that made them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/kernel.h"
#include "platform/input/preset.h"
#include "platform/lab/experiment_runs.h"
#include "tlm/base/time.h"

namespace gputlm {

// The arrivals of a service's requests: the number for each network follows from its share of the load.

/// The demand for one network.
struct Demand {
  Femtoseconds alone = 0;  ///< time of a request by itself
  unsigned layers = 1;     ///< kernels per request
  double share = 0;        ///< share of the load, 0 to 1; the shares of all networks add up to 1
};

struct Day {
  double load = 0;               ///< time that all requests would take alone, one after the other, relative to the day
  std::vector<double> sections;  ///< loads of sections of equal length, each relative to the mean
  std::uint64_t launches = 0;    ///< approximate number over all networks; it determines the length of the day
  unsigned burst = 1;            ///< simultaneous requests; bursts are a Poisson process
  std::uint64_t seed = 0;
};

struct Requests {
  std::vector<std::vector<Femtoseconds>> times;  ///< releases by network, in order; at least one per network
  Femtoseconds section = 0;                      ///< length of each section of the day
};

Requests request_times(const Day& day, const std::vector<Demand>& demands);

// The networks of an inference service (workloads/service): the launches of a request to each.

struct Network {
  std::string name;
  std::vector<std::shared_ptr<Kernel>> layers;  ///< launched one after the other; layers may share a kernel
};

/// The networks, by name. Generated from workloads/service/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& service_network_sources();

/// Throws InputError for an unknown name.
Network service_network(const std::string& name, std::uint64_t seed);

/// Response times of requests to a network, in core cycles.
struct Served {
  std::uint64_t requests = 0;
  Cycle p50 = 0, p99 = 0;  ///< percentiles by nearest rank
  double mean = 0;
  std::vector<Cycle> p99_by_section;  ///< 99th percentile by section of the day; 0 if no request was released in it
};

struct ServiceResult {
  Cycle cycles = 0;  ///< time until the last request was answered
  std::vector<Served> networks;
};

/// How a network is served.
struct Service {
  Network network;
  std::vector<Femtoseconds> requests;  ///< releases of its requests, in order
  int priority = 0;                    ///< priority of its stream
  EngineShare share = {};
};

/// The sections by which a day is reported.
struct DaySections {
  std::size_t count = 1;
  Femtoseconds length = kNever;  ///< length of each section
};

/// Each network is an application with a stream and a thread, which waits for the next request and launches its layers. A
/// request is a job of the task of its network and section: task = network * sections.count + section.
Workload service_workload(const std::vector<Service>& services, const DaySections& sections = {});

struct ServiceRun {
  GpuConfig config;
  std::vector<Service> services;
  DaySections sections = {};
  std::shared_ptr<const DurationTable> durations = nullptr;  ///< durations of blocks, if the SM model needs them

  using Result = ServiceResult;
  GpuRun gpu_run();
  Job job() const;
  static ServiceResult result(std::string_view bytes);
};

}  // namespace gputlm
