/// The experiments, each in a file of its own. What an experiment must be able to refute can be passed in, so that
/// tests see it refuted.
#pragma once

#include <optional>
#include <string>

#include "platform/lab/experiment.h"
#include "platform/lab/runs.h"
#include "platform/run/memory_run.h"

namespace gputlm {

ExperimentReport most_room_placement(const ExperimentOptions& options, const std::string& placement = "most_room");
/// `order`: of the kernels of an application.
ExperimentReport most_room_leftover(const ExperimentOptions& options, const std::string& order = "leftover");
/// `settings` are set on the GPU of these two.
ExperimentReport most_room_demonstration(const ExperimentOptions& options, const ParameterSettings& settings = {});
ExperimentReport most_room_turing(const ExperimentOptions& options, const ParameterSettings& settings = {});
ExperimentReport most_room_pascal(const ExperimentOptions& options);
ExperimentReport most_room_volta(const ExperimentOptions& options);
ExperimentReport block_to_sm(const ExperimentOptions& options, const std::string& placement = "most_room");
/// Compares `placement` with round-robin.
ExperimentReport misprediction(const ExperimentOptions& options, const std::string& placement = "most_room");
/// `settings` are set on the GPU, or on all GPUs, of these four.
ExperimentReport occupancy(const ExperimentOptions& options, const ParameterSettings& settings = {});
ExperimentReport alu(const ExperimentOptions& options, const ParameterSettings& settings = {});
ExperimentReport copy_engine(const ExperimentOptions& options, const ParameterSettings& settings = {});
ExperimentReport gpc(const ExperimentOptions& options, const ParameterSettings& settings = {});
/// `launch_us`: that a call of the host takes, in the place of the experiment's.
ExperimentReport footprint(const ExperimentOptions& options, const std::optional<unsigned>& launch_us = std::nullopt);
/// `settings` are set on the GPU.
ExperimentReport runlist(const ExperimentOptions& options, const ParameterSettings& settings = {});
/// `order`: of the kernels of an application.
ExperimentReport streams(const ExperimentOptions& options, const std::string& order = "leftover");
/// The channel on which three known simulators were compared, and ours against them.
MemorySystem dram_simulators_system();
ExperimentReport dram_simulators(const ExperimentOptions& options,
                                 const MemorySystem& system = dram_simulators_system());
/// `second_scheduler` stands for FR-RR-FCFS.
ExperimentReport fr_rr_fcfs_example(const ExperimentOptions& options,
                                    const std::string& second_scheduler = "fr_rr_fcfs");
ExperimentReport fr_rr_fcfs_starvation(const ExperimentOptions& options);
ExperimentReport fr_rr_fcfs_alone(const ExperimentOptions& options);
ExperimentReport fr_rr_fcfs_workloads(const ExperimentOptions& options,
                                      const std::string& second_scheduler = "fr_rr_fcfs");
ExperimentReport fr_rr_fcfs_depth(const ExperimentOptions& options, const std::string& second_scheduler = "fr_rr_fcfs");
/// `settings` are set on all GPUs of these two.
ExperimentReport silicon_microbenchmarks(const ExperimentOptions& options, const ParameterSettings& settings = {});
ExperimentReport silicon_occupancy(const ExperimentOptions& options, const ParameterSettings& settings = {});
/// `prioritised` stands for the policy that gives the urgent network a priority.
ExperimentReport service_day(const ExperimentOptions& options, const std::string& prioritised = "priorities");

}  // namespace gputlm
