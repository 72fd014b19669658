/// What a workload file says of a task's criticality beside the fields of TaskSpec: `wcet_us: {lo: 60, hi: 120}`, and which of
/// its jobs overrun: `overruns: {probability: 0.01}` or `overruns: {jobs: [3, 7]}`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>

#include "models/host/workload.h"
#include "platform/input/map_form.h"

namespace gputlm {

const MapForm& wcet_form();
const MapForm& overruns_form();
/// The keys of both and their rules, for MapForm::with().
const MapForm& criticality_form();

/// None where the mapping has none.
std::optional<Wcet> read_wcet(const YamlMap& map);

/// Which jobs overrun, by number from 1 on: drawn for each by itself, or listed.
class Overruns {
 public:
  /// Those of the mapping; none where it has none. `seed`: of the draws, where it names none.
  Overruns(const YamlMap& map, std::uint64_t seed);
  bool given() const { return given_; }
  bool of(std::uint64_t number) const;

 private:
  bool given_ = false;
  double probability_ = 0;
  std::set<std::uint64_t> jobs_;
  std::uint64_t seed_;
};

/// The probability, a share of 2^64 by the upper 53 bits of a draw.
inline bool happens(std::uint64_t bits, double probability) {
  return static_cast<double>(bits >> 11) * 0x1p-53 < probability;
}

/// What a job of the kernel does beyond its budget: the same blocks, for as long as level hi has more than level lo. Fails at
/// `node` for a kernel that does more than spin.
std::shared_ptr<Kernel> beyond_budget(const Kernel& kernel, const Wcet& wcet, const YamlNode& node);

}  // namespace gputlm
