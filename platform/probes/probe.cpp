#include "platform/probes/probe.h"

#include <algorithm>

#include "platform/input/nearest.h"

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

ProbeSet::ProbeSet(const std::vector<std::string>& asked, OutputFolder* folder) : folder_(folder) {
  for (const std::string& one : asked) {
    const std::size_t equals = std::min(one.find('='), one.size());
    const std::string name = one.substr(0, equals);
    const std::string value = equals < one.size() ? one.substr(equals + 1) : "";
    const ProbeInfo* const info = probes().find(name);
    if (!info)
      throw InputError("--probe: there is no probe '" + shortened(name) + "'" + suggestion(name, probes().names()));
    const auto same = std::find_if(probes_.begin(), probes_.end(), [&](const Attached& a) { return a.name == name; });
    if (same == probes_.end()) {
      probes_.push_back({name, value, info->make(value)});
    } else if (!value.empty() && value != same->value) {
      throw InputError("--probe " + name + ": found two values, '" + shortened(same->value) + "' and '" +
                       shortened(value) + "'; allowed is one");
    }
  }
}

void ProbeSet::attach(Assembly& assembly, const Workload* workload, const Clock& clock) {
  site_.emplace(assembly, workload, clock, folder_);
  for (const Attached& attached : probes_) {
    site_->probe_ = attached.name;
    attached.probe->attach(*site_);
  }
}

void ProbeSet::finish(Femtoseconds end) {
  for (Flushable* tap : site_->taps_) tap->flush();
  for (const auto& sampler : site_->samplers_) sampler->finish(end);
  for (const Attached& attached : probes_) attached.probe->finish();
}

std::map<std::string, std::string> ProbeSet::digests() const {
  std::map<std::string, std::string> digests;
  for (const auto& [name, file] : site_->files_) digests.emplace(name, file->digest());
  return digests;
}

}  // namespace gputlm
