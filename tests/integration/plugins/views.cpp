// A plugin whose policies look at all that they may, and refuse what cannot be.
#include <stdexcept>

#include "models/dram/queue_view.h"
#include "models/dram/scheduler.h"
#include "models/sm/warp_scheduler.h"

namespace {

using namespace gputlm;

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// The candidate with most outstanding loads; counts what it has seen of the others.
class LoadsFirst final : public WarpScheduler {
 public:
  struct Counters {
    std::uint64_t loads = 0, next_loads = 0, memory = 0, execution = 0, barrier = 0, ready = 0, first_application = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::loads, "loads", "loads", "outstanding, of warps that were there at an issue");
      v.counter(&Counters::next_loads, "next_loads", "warps", "whose next instruction was a load");
      v.counter(&Counters::memory, "memory", "warps", "that waited for memory");
      v.counter(&Counters::execution, "execution", "warps", "that waited for a result");
      v.counter(&Counters::barrier, "barrier", "warps", "that waited at a barrier");
      v.counter(&Counters::ready, "ready", "warps", "that waited for nothing");
      v.counter(&Counters::first_application, "first_application", "warps", "of application 0");
    }
  };
  explicit LoadsFirst(const WarpSchedulerSetup& setup) : warps_(warps_of(setup)) {}
  unsigned pick(std::uint64_t candidates) const override {
    unsigned best = kNoWarp;
    for (std::uint64_t left = candidates; left != 0; left &= left - 1) {
      const auto slot = static_cast<unsigned>(__builtin_ctzll(left));
      require(there_ >> slot & 1, "a candidate is not there");
      require(warps_.waits_for(slot) == Stall::kNotSelected, "a candidate waits for something");
      const bool more = best != kNoWarp && warps_.outstanding_loads(slot) > warps_.outstanding_loads(best);
      if (best == kNoWarp || more) best = slot;
    }
    return best;
  }
  void issued(unsigned) override {
    for (std::uint64_t left = there_; left != 0; left &= left - 1) {
      const auto slot = static_cast<unsigned>(__builtin_ctzll(left));
      const unsigned loads = warps_.outstanding_loads(slot);
      const Stall wait = warps_.waits_for(slot);
      counters_.loads += loads;
      counters_.next_loads += wait != Stall::kDrain && warps_.next_instruction(slot).op == Op::kLoad;
      counters_.memory += wait == Stall::kMemory;
      counters_.execution += wait == Stall::kExecution;
      counters_.barrier += wait == Stall::kBarrier;
      counters_.ready += wait == Stall::kNotSelected;
      counters_.first_application += warps_.identity(slot).application == 0;
      for (std::uint64_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
        require(warps_.age(slot) != warps_.age(static_cast<unsigned>(__builtin_ctzll(rest))), "two warps of one age");
    }
  }
  void assigned(unsigned slot, unsigned) override { there_ |= std::uint64_t{1} << slot; }
  void released(unsigned slot) override { there_ &= ~(std::uint64_t{1} << slot); }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  const WarpView& warps_;
  std::uint64_t there_ = 0;
  Counters counters_;
};

/// First come, first served, with all that the queue says looked at.
class Looking final : public RequestScheduler {
 public:
  struct Counters {
    std::uint64_t served = 0, waited = 0, queued = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::served, "served", "bursts", "of the bank");
      v.counter(&Counters::waited, "waited", "cycles", "in the queue, all together");
      v.counter(&Counters::queued, "queued", "requests", "of the application that was served, summed");
    }
  };
  explicit Looking(const SchedulerSetup& setup) : queue_(queue_of(setup)), bank_(setup.bank) {}
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    require(queue_.open_row(bank_) == open_row, "another bank's row");
    require(queue_.pending(bank_) == candidates.size(), "another bank's queue");
    return 0;
  }
  void served(const Request& request) override {
    ++counters_.served;
    counters_.queued += queue_.queued(request.application);
    require(queue_.identity(request).application == request.application, "another's request");
    require(queue_.entered(request) <= queue_.now(), "a request from the future");
    counters_.waited += queue_.now() - queue_.entered(request);
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  const QueueView& queue_;
  unsigned bank_;
  Counters counters_;
};

GPUTLM_REGISTER {
  warp_schedulers().add<LoadsFirst>({{"loads_first"}, "Most loads first", "a test"});
  request_schedulers().add<Looking>({{"looking"}, "As fcfs", "a test"});
}

}  // namespace
