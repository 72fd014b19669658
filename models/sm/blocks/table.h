/// Durations of the blocks of kernels on a GPU, measured with an SM that runs warps (`gputlm calibrate`), by number of
/// blocks on an SM, alone and with other kernels. platform/input/durations_file.h reads and writes them.
///
/// With a closed-form memory, all SMs are in the same state during the measurement. The durations thus include the shared
/// memory system at the load that the whole GPU causes; nothing else is known about it.
///
/// For SMs that send requests (`delay` is not 0), one SM is measured while the others are idle, once unchanged and once
/// with each L2 reply `delay` cycles later. The two give the dependence of a block's time on the latency of its requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/contention/capacities.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr unsigned kPerMille = 1000;

struct KernelDurations {
  /// Mean cycles of a block with `blocks` blocks on each SM and nothing else, without the launch's fetch and spins.
  struct Alone {
    unsigned blocks = 1;
    Cycle first = 0;  ///< mean of blocks that start on an empty SM: cold caches, all at the same place in the code
    Cycle later = 0;  ///< mean of blocks that replace one that has ended
  };
  std::string name;
  std::string id;                     ///< kernel_id() (platform/input/durations_file.h)
  std::uint64_t instructions = 0;     ///< warp instructions of a block, on average
  unsigned sensitivity = 0;           ///< dependence of cycles on instructions, per mille; 1000: in proportion
  std::vector<unsigned> spread = {};  ///< quantiles of the other variation, per mille of the mean, ascending
  std::vector<Alone> alone = {};      ///< measurements, at least one, ascending in `blocks`
  // For SMs that send requests:
  std::uint64_t requests = 0;  ///< mean number of requests of a block to the L2
  std::vector<Alone> delayed =
      {};  ///< cycles of a block with replies `delay` cycles later; same `blocks` as in `alone`
  std::vector<Alone> latency = {};  ///< mean cycles from request to undelayed reply; same `blocks` as in `alone`

  bool cut = false;  ///< its blocks were too long to measure; two shorter ones were measured instead
};

/// Durations when two kernels share an SM.
struct PairDurations {
  struct Beside {
    unsigned blocks[2] = {1, 1};                    ///< blocks of each kernel on an SM
    unsigned slowdown[2] = {kPerMille, kPerMille};  ///< cycles, per mille of those of as many blocks alone
    // For SMs that send requests: the same for the members of that name in KernelDurations:
    unsigned delayed[2] = {kPerMille, kPerMille};
    unsigned latency[2] = {kPerMille, kPerMille};
  };
  std::size_t kernels[2] = {0, 0};  ///< indices in DurationTable::kernels, ascending
  std::vector<Beside> beside = {};  ///< measurements, ascending in blocks[0], then in blocks[1]
};

struct DurationTable {
  std::uint64_t seed = 1;  ///< seed of the variation between blocks
  Cycle delay = 0;         ///< delay of L2 replies in cycles; 0: closed-form memory
  std::vector<std::pair<std::string, std::string>> gpu =
      {};  ///< parameters that decide the durations, and their values
  std::vector<KernelDurations> kernels = {};
  std::vector<PairDurations> pairs = {};
  std::optional<MemoryCapacities> memory = std::nullopt;  ///< capacities of the memory, for kernels with a demand
  /// Tables of the differently shaped instances of a divided GPU; these have no `others`.
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
