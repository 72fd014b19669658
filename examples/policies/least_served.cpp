#include "models/dram/queue_view.h"
#include "models/dram/scheduler.h"

namespace {

using namespace gputlm;

/// Of the applications that wait for the bank, the one that the channel has served least so far; of its requests a row hit,
/// then the oldest. One that has waited for `longest` cycles goes before all.
class LeastServed final : public RequestScheduler {
 public:
  struct Options {
    unsigned longest = 2000;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::longest, "longest", "cycles", 1, 1000000, "That a request waits before it goes first",
               "chosen");
    }
  };

  LeastServed(const SchedulerSetup& setup, const Options& options) : queue_(queue_of(setup)), options_(options) {}

  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    if (queue_.entered(candidates[0]) + options_.longest <= queue_.now()) return 0;
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      const Request &one = candidates[i], &other = candidates[best];
      const std::uint64_t served = queue_.served(one.application), least = queue_.served(other.application);
      if (served < least || (served == least && one.row == open_row && other.row != open_row)) best = i;
    }
    return best;
  }

 private:
  const QueueView& queue_;
  Options options_;
};

GPUTLM_REGISTER {
  request_schedulers().add<LeastServed>(
      {{"least_served"}, "The application that the channel has served least, then row hits", "an example"});
}

}  // namespace
