#include "platform/experiments/experiments.h"

namespace gputlm {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all{
      {"most-room/placement", "Which SM gets each block of a second kernel (sections 4.1, 4.2 and 5.1)",
       [](const ExperimentOptions& options) { return most_room_placement(options); }},
      {"most-room/demonstration", "What that does to the times of two kernels on a Turing GPU (section 5, table 1)",
       [](const ExperimentOptions& options) { return most_room_demonstration(options); }},
      {"cuda-hierarchy/block-to-sm", "When two blocks share an SM (section III-C: tables II to IV, equations 2 to 4)",
       [](const ExperimentOptions& options) { return block_to_sm(options); }},
      {"cuda-hierarchy/misprediction", "How often round-robin predicts another mapping than most-room (figure 3)",
       [](const ExperimentOptions& options) { return misprediction(options); }},
      {"fr-rr-fcfs/example", "In which order seven requests of two applications to a bank are served (figure 5)",
       [](const ExperimentOptions& options) { return fr_rr_fcfs_example(options); }},
      {"fr-rr-fcfs/starvation", "Row hits that keep another application from its bank, and a cap on them (section 4.1)",
       fr_rr_fcfs_starvation},
      {"fr-rr-fcfs/alone", "Bandwidth that six applications use alone (table 2)", fr_rr_fcfs_alone},
      {"fr-rr-fcfs/workloads", "14 workloads of two applications under two memory schedulers (figures 2 to 4, 6 to 10)",
       [](const ExperimentOptions& options) { return fr_rr_fcfs_workloads(options); }},
      {"fr-rr-fcfs/depth", "What FR-RR-FCFS buys the 14 workloads by the depth of the controllers' queues",
       [](const ExperimentOptions& options) { return fr_rr_fcfs_depth(options); }},
      {"qaws/figure3", "Which warp issues in each cycle of two kernels of nine instructions (figure 3)", qaws_figure3},
      {"qaws/homogeneous", "Two instances of each of nine programs under three warp schedulers (figure 4a)",
       [](const ExperimentOptions& options) { return qaws_homogeneous(options); }},
      {"qaws/heterogeneous", "Five pairs of different programs under three warp schedulers (figure 4b)",
       [](const ExperimentOptions& options) { return qaws_heterogeneous(options); }},
      {"qaws/budget", "The response time of the second of two kernels by its budget",
       [](const ExperimentOptions& options) { return qaws_budget(options); }},
      {"qaws/kernels", "Three and four kernels under four warp schedulers",
       [](const ExperimentOptions& options) { return qaws_kernels(options); }},
      {"qaws/deadlines", "How many random sets of periodic kernels meet their deadlines under four warp schedulers",
       [](const ExperimentOptions& options) { return qaws_deadlines(options); }},
      {"srtf/residency", "Duration of a block by residency and beside co-runners (figures 7 to 10)",
       [](const ExperimentOptions& options) { return srtf_residency(options); }},
      {"srtf/predictor", "Runtimes predicted from a block's duration, and what they were (figures 4 and 11)",
       srtf_predictor},
      {"srtf/timeline", "How SRTF samples a newcomer and hands the SMs over (figure 12)",
       [](const ExperimentOptions& options) { return srtf_timeline(options); }},
      {"srtf/workloads", "56 workloads of two kernels under six kernel orders (table 5, figures 1 and 14 to 16)",
       [](const ExperimentOptions& options) { return srtf_workloads(options); }},
      {"srtf/arrival", "The same when the second kernel arrives late (section 6.2.5)",
       [](const ExperimentOptions& options) { return srtf_arrival(options); }},
      {"dram/simulators", "The DRAM controller alone against three known simulators",
       [](const ExperimentOptions& options) { return dram_simulators(options); }},
  };
  return all;
}

}  // namespace gputlm
