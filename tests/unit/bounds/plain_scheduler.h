/// A simple execution engine, event by event, as a reference for bounds: places for blocks, streams with levels, and contexts
/// that are all on the engine or take turns, by the slots of a runlist or until they have no work. A context has work from one
/// kernel of a stream to the next if the host has submitted the next by the end of the first, or does so before it knows of
/// that end. It shares no code with the analysis nor with the model (models/work_distributor).
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm::plain {

struct Kernel {
  std::vector<Cycle> blocks;  ///< duration of each block
  unsigned size = 1;          ///< places of an SM that a block takes
};

struct Stream {
  std::size_t context = 0;
  int level = 0;  ///< lower is more urgent
  std::vector<Kernel> job;
  std::vector<Cycle> releases;
  std::uint64_t sms = ~std::uint64_t{0};  ///< SMs that its blocks may be on, a bit each
  // Mixed criticality, only if Engine::host is 0: jobs end after this number of kernels unless they overrun. Then the mode is
  // hi until no job is under way.
  std::size_t within_budget = ~std::size_t{0};
  std::vector<bool> overruns = {};  ///< whether each job overruns
  bool dropped = false;             ///< whether no job begins in mode hi
};

struct Slots {
  Cycle slice = 1;
  unsigned count = 1;  ///< number of slots in a round
};

struct Engine {
  unsigned sms = 1, places = 1;     ///< places of each SM
  Cycle host = 0;                   ///< latency from the host to the engine, and back
  std::vector<Slots> runlist = {};  ///< slots of each context; none: all are on the engine
  bool exclusive = false;           ///< as many contexts as the runlist has, in the order in which they got work
  Cycle exchange = 0;               ///< time to exchange one context for another
};

/// The outcome of a job, and of its kernels: time from their arrival at the engine until their last blocks ended.
struct Job {
  Cycle response = 0;
  bool dropped = false;
  bool in_hi_mode = false;  ///< whether it was in mode hi at some time from its release to its end
  std::vector<Cycle> kernels;
};

/// The jobs of each stream in the order of their releases.
std::vector<std::vector<Job>> schedule(const Engine& engine, const std::vector<Stream>& streams);

}  // namespace gputlm::plain
