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
#include "tlm/time.h"

namespace gputlm {

// When the requests of a service come: how many of each network follows from its share of the load.

/// What is asked of one network.
struct Demand {
  Femtoseconds alone = 0;  ///< that a request takes by itself
  unsigned layers = 1;     ///< kernels of a request
  double share = 0;        ///< of the load; those of all networks add up to 1
};

struct Day {
  double load = 0;               ///< share of the time that all requests would take alone, one after the other
  std::vector<double> sections;  ///< of equal length: load of each over the mean
  std::uint64_t launches = 0;    ///< about so many of all networks: the day is as long as that takes
  unsigned burst = 1;            ///< requests that come at once; bursts are a Poisson process
  std::uint64_t seed = 0;
};

struct Requests {
  std::vector<std::vector<Femtoseconds>> times;  ///< releases, by network, in order; each network has one at least
  Femtoseconds section = 0;                      ///< length of each of the day's
};

Requests request_times(const Day& day, const std::vector<Demand>& demands);

// The networks of an inference service (workloads/service): what a request of each launches.

struct Network {
  std::string name;
  std::vector<std::shared_ptr<Kernel>> layers;  ///< launched one after the other; layers may share a kernel
};

/// By name. Generated from workloads/service/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& service_network_sources();

/// Throws InputError if there is none of this name.
Network service_network(const std::string& name, std::uint64_t seed);

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
