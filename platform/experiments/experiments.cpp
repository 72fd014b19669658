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
  };
  return all;
}

}  // namespace gputlm
