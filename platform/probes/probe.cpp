#include "platform/probes/probe.h"

namespace gputlm {

Registry<ProbeInfo>& probes() {
  static Registry<ProbeInfo> registry("--probe");
  return registry;
}

bool has_few_blocks(const Workload& workload) {
  std::uint64_t blocks = 0;
  for (const LaunchCommand& launch : workload.launches) blocks += launch.kernel->blocks();
  return blocks <= kMostBlocksUnasked;
}

const Workload& ProbeSite::workload() const {
  if (!workload_) none("workload");
  return *workload_;
}

AtomicFile& ProbeSite::file(const std::string& name) {
  if (!folder_) throw InputError("--probe " + probe_ + ": writes " + name + ", allowed with --out");
  const auto [at, added] = files_.try_emplace(name);
  if (!added) throw InputError("--probe " + probe_ + ": another probe writes " + name + ", too");
  at->second = &folder_->file(name);
  return *at->second;
}

void ProbeSite::none(const std::string& what) const {
  throw InputError("--probe " + probe_ + ": there is no " + what + " to watch here");
}

}  // namespace gputlm
