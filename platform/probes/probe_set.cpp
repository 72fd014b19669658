#include "platform/probes/probe_set.h"

#include <algorithm>

#include "platform/input/nearest.h"

namespace gputlm {

ProbeSet::ProbeSet(const std::vector<std::string>& names, OutputFolder* folder) : folder_(folder) {
  for (const std::string& name : names) {
    const ProbeInfo* const info = probes().find(name);
    if (!info) throw InputError("--probe: there is no probe '" + name + "'" + suggestion(name, probes().names()));
    const auto same = [&](const Attached& attached) { return attached.name == name; };
    if (std::none_of(probes_.begin(), probes_.end(), same)) probes_.push_back({name, info->make()});
  }
}

void ProbeSet::attach(Assembly& assembly, const Workload* workload, const Clock& clock) {
  site_.emplace(assembly, workload, clock, folder_);
  for (const Attached& attached : probes_) {
    site_->probe_ = attached.name;
    attached.probe->attach(*site_);
  }
}

void ProbeSet::finish() {
  for (Flushable* tap : site_->taps_) tap->flush();
  for (const Attached& attached : probes_) attached.probe->finish();
}

std::map<std::string, std::string> ProbeSet::digests() const {
  std::map<std::string, std::string> digests;
  for (const auto& [name, file] : site_->files_) digests.emplace(name, file->digest());
  return digests;
}

}  // namespace gputlm
