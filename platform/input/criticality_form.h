/// The keys of a workload file for a task's criticality besides the fields of TaskSpec: its budgets, `wcet_us: {lo: 60, hi:
/// 120}`, and the jobs that overrun, `overruns: {probability: 0.01}` or `overruns: {jobs: [3, 7]}`.
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
/// Both keys and their rules, for MapForm::with().
const MapForm& criticality_form();

/// None if the mapping has no `wcet_us`.
std::optional<Wcet> read_wcet(const YamlMap& map);

/// The jobs that overrun, by number from 1 on: drawn independently, or listed.
class Overruns {
 public:
  /// The overruns of the mapping; none if it has no such key. `seed` is used for the draws if the mapping has none.
  Overruns(const YamlMap& map, std::uint64_t seed);
  bool given() const { return given_; }
  bool of(std::uint64_t number) const;

 private:
  bool given_ = false;
  double probability_ = 0;
  std::set<std::uint64_t> jobs_;
  std::uint64_t seed_;
};

/// Whether an event of this probability happens, from the upper 53 of 64 random bits.
inline bool happens(std::uint64_t bits, double probability) {
  return static_cast<double>(bits >> 11) * 0x1p-53 < probability;
}

/// The part of a job beyond its budget of level lo: the same blocks, for the time that level hi has in addition. Fails at
/// `node` for a kernel that does more than spin.
std::shared_ptr<Kernel> beyond_budget(const Kernel& kernel, const Wcet& wcet, const YamlNode& node);

}  // namespace gputlm
