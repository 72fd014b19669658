/// How fast blocks get on that share SMs and a memory: each of them waits for its share of what is asked for more than
/// there is, and for a memory whose latency grows with its load.
///
/// Warps spend their time waiting for loads, which grows with the latency of requests; at the pipelines of their sub-core,
/// which grows with what other warps have for these (mean value analysis of a closed queueing network; Lazowska et al.,
/// Quantitative System Performance, 1984, chapter 6); and for what nobody changes. Waits are what pipelines leave of the
/// time alone, and not more than warps take if each waits for one load after the other.
///
/// A warp may go on until it has to wait for a load, if the order of warps is a greedy one: then others wait at a pipeline
/// for whole runs of instructions, and kernels that never wait have most of a pipeline that is full. How greedy the order is,
/// the model with warps says (MemoryCapacities::turns).
///
/// All requests meet the same latencies, those at which the memory moves as much as blocks
/// then ask for: another such network, of L2 and DRAM, whose blocks are the customers, with the curves of latency over load
/// that the model with warps has. What the controllers of a full DRAM have no room for waits in front of the L2, and requests
/// that hit wait behind it.
///
/// Lines of the L2 that are read again live for as long as it takes to replace the whole L2 (Che et al., IEEE JSAC 2002):
/// more misses of one kernel shorten that for all.
///
/// What an SM has is divided between kernels by warps, where they want more than there is: who wants less than such a share
/// has what it wants, the others have the rest.
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

  /// `alone`: of the GPU on which it was measured, which may be an instance of this one, or have it as an instance.
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
  /// Of a resident: cycles alone that its blocks do in a cycle, and what the rest is lost to; they add up to 1.
  struct Rate {
    double pace = 1;
    std::array<double, kSharedResources> lost{};
  };
  /// Of all residents of all mixes, in their order.
  const std::vector<Rate>& solve(const std::vector<Mix>& mixes);

 private:
  struct Member {
    const KernelAlone* of = nullptr;
    double warps = 0, blocks = 0;  ///< of the mix on an SM
    double all_blocks = 0;         ///< on the SMs of the mix
    double extra_misses = 0, misses = 0;
    double port = 0;                ///< latency of the SM's port
    double customers = 1, run = 1;  ///< of the pipelines of a sub-core; what one of them issues until it waits
    PerPipe queued{};               ///< what a warp spends at pipelines, as a part of its time alone
    double time = 1;                ///< with these, over that alone
    double memory = 1;              ///< pace that the memory and these leave it
    double share = 1;               ///< of that, what its SM leaves it
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
  double greedy_ = 0;  ///< how far a warp goes on where others are ready: 0, one instruction; 1, until it waits
  double l2_ = 0, front_ = 0, dram_ = 0;  ///< latencies now; front_: of what DRAM has no room for
};

}  // namespace gputlm
