/// Workloads with the same applications and streams, one after the other: each begins when that before has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

class Sequence {
 public:
  /// What of a workload is where.
  struct Part {
    std::uint32_t first_launch = 0, launches = 0, first_job = 0, jobs = 0;
  };
  /// Its threads release jobs and launch kernels only.
  void add(const Workload& workload);
  const Workload& workload() const { return all_; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  Workload all_;
  std::vector<Part> parts_;
  unsigned phases_ = 0;
};

}  // namespace gputlm
