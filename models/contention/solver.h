/// The pace of blocks that share SMs and a memory: each block waits for its share of resources in excess demand, and for a
/// memory whose latency grows with its load.
///
/// Warps spend their time waiting for loads, which grows with the latency of requests; at the pipelines of their sub-core,
/// which grows with the work of other warps there (mean value analysis of a closed queueing network; Lazowska et al.,
/// Quantitative System Performance, 1984, chapter 6); and on what other kernels do not change. Waits for loads are what
/// pipelines leave of the time alone, and at most what warps take if each waits for one load after the other.
///
/// With a greedy warp order, a warp may continue until it has to wait for a load: then others wait at a pipeline
/// for whole runs of instructions, and kernels that never wait get most of a saturated pipeline. How greedy the order is
/// is measured in the model with warps (MemoryCapacities::turns).
///
/// All requests see the same latencies, those at which the memory moves as much as blocks
/// then request: another such network, of L2 and DRAM, whose customers are the blocks, with the curves of latency over load
/// of the model with warps. Requests for which the controllers of a full DRAM have no room wait in front of the L2, and hits
/// wait behind them.
///
/// Lines of the L2 that are read again live for as long as it takes to replace the whole L2 (Che et al., IEEE JSAC 2002):
/// more misses of one kernel shorten that for all.
///
/// If kernels want more of a resource of an SM than there is, it is divided between them by warps: a kernel that wants less
/// than its share gets what it wants, and the others get the rest.
#pragma once

#include <cstddef>
#include <vector>

#include "models/contention/kernel_alone.h"
#include "tlm/block_rates.h"

namespace gputlm {

class ContentionSolver {
 public:
  /// A kernel that has been added.
  using Profile = std::uint32_t;
  using Memory = SharedMemorySystem;
  ContentionSolver(Memory memory, SmCapacities sm);

  /// `alone`: memory of the GPU on which it was measured; either of the two GPUs may be an instance of the other.
  Profile add(const BlockNeeds& needs, const Memory& alone);

  struct Resident {
    Profile profile;
    unsigned blocks;
  };
  /// SMs that have the same blocks.
  struct Mix {
    double sms = 0;
    std::vector<Resident> residents;
  };
  /// Pace of a resident's blocks, in cycles alone per cycle, and the loss to each shared resource; they add up to 1.
  struct Rate {
    double pace = 1;
    std::array<double, kSharedResources> lost{};
  };
  /// Rates of all residents of all mixes, in their order.
  const std::vector<Rate>& solve(const std::vector<Mix>& mixes);

 private:
  struct Member {
    const KernelAlone* of = nullptr;
    double warps = 0, blocks = 0;  ///< its warps and blocks on an SM of the mix
    double all_blocks = 0;         ///< its blocks on all SMs of the mix
    double extra_misses = 0, misses = 0;
    double port = 0;                ///< latency of the SM's port
    double customers = 1, run = 1;  ///< customers of a sub-core's pipelines; instructions that one issues in a turn
    PerPipe queued{};               ///< time that a warp spends at each pipeline, as a part of its time alone
    double time = 1;                ///< its time with these waits, relative to its time alone
    double memory = 1;              ///< pace that the memory and these waits allow it
    double share = 1;               ///< part of this pace that its SM allows it, 0 to 1
    Shared limit = Shared::kIssue;
  };
  static double time_with(const Member& member, double port, double l2, double dram);
  double time_now(const Member& member) const { return time_with(member, member.port, l2_ + front_, dram_); }
  double run_of(const KernelAlone& kernel) const;
  static double pace(const Member& member);
  static double period(const Member& member);
  static double life(const std::vector<Member>& members, double l2_sectors);
  void step_memory(std::vector<Member>& members);
  void step_port(Member* first, Member* last) const;
  void step_cache(std::vector<Member>& members);
  void step_sm(Member* first, Member* last) const;
  double wait_at(std::size_t pipe, const Member& member, const Member* first, const Member* last) const;
  void step_queues(Member* first, Member* last) const;
  Rate rate_of(const Member& member) const;

  Memory memory_;
  SmCapacities sm_;
  std::vector<KernelAlone> kernels_;
  std::vector<Member> members_;
  std::vector<Rate> rates_;
  double greedy_ = 0;  ///< how long a warp continues while others are ready: 0, one instruction; 1, until it waits
  double l2_ = 0, front_ = 0, dram_ = 0;  ///< current latencies; front_: in front of the L2, if DRAM has no room
};

}  // namespace gputlm
