/// What has been measured of the blocks of kernels on a GPU, with an SM that runs warps (`gputlm calibrate`): how long they
/// take by how many there are on an SM, and beside those of others. Plain values: platform/input/durations_file.h reads and
/// writes them.
///
/// Of a closed-form memory: while it is measured, all SMs are in the same state. So the memory that they share is in the
/// durations, as loaded as it is when the whole GPU does this, and nothing else is known of it.
///
/// For SMs that send requests (`delay` is not 0): one SM is measured and the others are idle, once as it is, and once with
/// each reply of the L2 `delay` cycles later. The two tell how a block's time follows the latency of its requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/contention/capacities.h"
#include "tlm/time.h"

namespace gputlm {

inline constexpr unsigned kPerMille = 1000;

struct KernelDurations {
  /// So many blocks on each SM, and nothing else: mean cycles of a block, without the launch's fetch and what it spins.
  struct Alone {
    unsigned blocks = 1;
    Cycle first = 0;  ///< of those that come to an empty SM: caches are cold, all are at the same place of their code
    Cycle later = 0;  ///< of those that take the place of one that has ended
  };
  std::string name;
  std::string id;                     ///< kernel_id() (platform/input/durations_file.h)
  std::uint64_t instructions = 0;     ///< warp instructions of a block, on average
  unsigned sensitivity = 0;           ///< per mille: how a block's cycles follow its instructions; 1000: in proportion
  std::vector<unsigned> spread = {};  ///< per mille of the mean, ascending: what else differs between blocks, quantiles
  std::vector<Alone> alone = {};      ///< ascending in `blocks`; at least one
  // For SMs that send requests:
  std::uint64_t requests = 0;  ///< of a block to the L2, on average
  std::vector<Alone> delayed =
      {};  ///< cycles of a block with replies `delay` cycles later; same `blocks` as in `alone`
  std::vector<Alone> latency = {};  ///< likewise, but mean cycles from sending a request to its reply, not delayed

  bool cut = false;  ///< its blocks were too long to be measured: two shorter ones were
};

/// What becomes of the durations when two kernels share an SM.
struct PairDurations {
  struct Beside {
    unsigned blocks[2] = {1, 1};                    ///< of each on an SM
    unsigned slowdown[2] = {kPerMille, kPerMille};  ///< per mille of the cycles that so many take alone
    // For SMs that send requests, likewise, of what KernelDurations has of that name:
    unsigned delayed[2] = {kPerMille, kPerMille};
    unsigned latency[2] = {kPerMille, kPerMille};
  };
  std::size_t kernels[2] = {0, 0};  ///< places in DurationTable::kernels, ascending
  std::vector<Beside> beside = {};  ///< ascending in blocks[0], then in blocks[1]
};

struct DurationTable {
  std::uint64_t seed = 1;  ///< of what differs between blocks
  Cycle delay = 0;         ///< 0: a closed-form memory
  std::vector<std::pair<std::string, std::string>> gpu =
      {};  ///< parameters that decide the durations, and their values
  std::vector<KernelDurations> kernels = {};
  std::vector<PairDurations> pairs = {};
  std::optional<MemoryCapacities> memory = std::nullopt;  ///< for kernels with a demand
  /// Of the other instances of a GPU that is divided, those of another shape, which have no others themselves.
  std::vector<DurationTable> others = {};

  std::size_t all_kernels() const {
    std::size_t all = kernels.size();
    for (const DurationTable& other : others) all += other.kernels.size();
    return all;
  }
  std::size_t all_pairs() const {
    std::size_t all = pairs.size();
    for (const DurationTable& other : others) all += other.pairs.size();
    return all;
  }
};

}  // namespace gputlm
