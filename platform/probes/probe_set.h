/// The probes of one run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/probes/probe.h"

namespace gputlm {

class ProbeSet {
 public:
  /// `asked`: `NAME` or `NAME=VALUE` of probes; one that is named twice is one. `folder`: where their files go; null if
  /// there is none. Throws InputError for a name that no probe has, a value that is not allowed, and two of them.
  ProbeSet(const std::vector<std::string>& asked, OutputFolder* folder);

  /// The platform calls these: before the run, and when statistics have been taken, which may note what came last. `end`
  /// is the first time that is no part of the run.
  void attach(Assembly& assembly, const Workload* workload, const Clock& clock);
  void finish(Femtoseconds end);
  /// SHA-1 of the probes' files, by name; to be called after finish().
  std::map<std::string, std::string> digests() const;

 private:
  struct Attached {
    std::string name, value;
    std::unique_ptr<Probe> probe;
  };
  OutputFolder* folder_;
  std::vector<Attached> probes_;
  std::optional<ProbeSite> site_;
};

}  // namespace gputlm
