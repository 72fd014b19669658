#include "platform/programs/observation.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

/// Each kernel has blocks, which are within its times; rules that are broken are named.
void attack_examiner_results(const std::string& text) {
  const FileInMemory file(text);
  const Observation observed =
      measurement_formats().at("results of cuda_scheduling_examiner").read({file.path()}, {}, {});
  for (const ObservedCommand& kernel : observed.kernels) {
    require(!kernel.blocks.empty(), "a kernel without blocks");
    for (const ObservedBlock& block : kernel.blocks)
      require(kernel.start_ns <= block.start_ns && block.end_ns <= kernel.end_ns, "a block outside its kernel's times");
  }
  for (const BrokenRule& broken : observed.broken_rules)
    require(!broken.rule.empty() && !broken.what.empty(), "a broken rule without a name");
}

const Registration of_examiner_results{{"examiner_results", Grammar::kYaml, attack_examiner_results}};

}  // namespace
}  // namespace gputlm::fuzz
