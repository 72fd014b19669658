/// The unit that computes the paces of blocks that share the memory of a GPU: SMs report their number of blocks of a kernel,
/// and hear the pace of these blocks. Plain C++; the SystemC module around it is contention.h.
///
/// An interval after a change, the unit computes all paces again, with all changes by then. A block that ends counts until the
/// second computation, because another mostly takes its place. An SM hears of a pace that has changed by more than 1/256.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/contention/solver.h"
#include "tlm/block_rates.h"
#include "tlm/item_source.h"
#include "tlm/link.h"

namespace gputlm {

/// The setup of the unit: the memory and the SMs that blocks share, and the needs of the kernels with demands.
struct ContentionSetup {
  ContentionSolver::Memory memory, alone;  ///< memory of this GPU or instance, and of that on which kernels ran alone
  SmCapacities sm;
  std::vector<std::pair<const Kernel*, BlockNeeds>> kernels;
};

struct ContentionStatistics {
  std::uint64_t solved = 0, told = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ContentionStatistics;
    v.counter(&S::solved, "solved", "times", "Number of times that paces were found");
    v.counter(&S::told, "told", "messages", "Messages to SMs");
  }
};

class ContentionCore {
 public:
  static constexpr Cycle kInterval = 256;  ///< core cycles; chosen: short compared with blocks, which last microseconds

  ContentionCore(const ContentionSetup& setup, unsigned sms, ItemSource<BlockRate>& source, const Link& link);

  // By SM:
  Inbox<BlockCount>& counts(std::size_t sm) { return sms_[sm].counts; }
  Outbox<BlockCount>& counts_heard(std::size_t sm) { return sms_[sm].counts_heard; }
  Outbox<BlockRate>& rates(std::size_t sm) { return sms_[sm].rates; }
  Inbox<BlockRate>& rates_heard(std::size_t sm) { return sms_[sm].rates_heard; }

  Cycle advance(Cycle until);
  const ContentionStatistics& statistics() const { return statistics_; }

 private:
  /// The blocks of a launch on an SM.
  struct Resident {
    KernelId kernel;
    ContentionSolver::Profile profile;
    unsigned now = 0, before = 0;  ///< blocks now, and when paces were last considered
    unsigned solved = 0;           ///< blocks that counted when paces were last computed
    BlockPace told = 0;            ///< pace last sent to the SM; 0: none yet
  };
  struct Sm {
    explicit Sm(const Link& link)
        : counts(link.request.queue), counts_heard(link.response.width, link.response.queue),
          rates(link.request.width, link.request.queue), rates_heard(link.response.queue) {}
    Inbox<BlockCount> counts;
    Outbox<BlockCount> counts_heard;
    Outbox<BlockRate> rates;
    Inbox<BlockRate> rates_heard;
    std::vector<Resident> residents;
    std::size_t mix = 0;  ///< index of its mix in mixes_
  };
  void take(Sm& sm, Cycle now);
  void solve(Cycle now);
  void gather();
  void tell(Sm& sm, Cycle now);

  std::deque<Sm> sms_;
  ItemSource<BlockRate>& source_;
  ContentionSolver solver_;
  std::map<const Kernel*, ContentionSolver::Profile> profiles_;
  std::vector<ContentionSolver::Mix> mixes_;
  std::vector<std::size_t> first_rate_;  ///< index in rates_ of each mix's first rate
  std::vector<ContentionSolver::Rate> rates_;
  Cycle due_ = kNever;  ///< cycle in which paces are computed next
  ContentionStatistics statistics_;
};

}  // namespace gputlm
