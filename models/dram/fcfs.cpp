#include "models/dram/scheduler.h"

namespace gputlm {
namespace {

/// The oldest request of the bank, whatever row is open.
class Fcfs final : public RequestScheduler {
 public:
  std::size_t pick(const RequestView&, Row) const override { return 0; }
};

}  // namespace

RequestSchedulers make_fcfs(const SchedulerSetup& setup) { return one_a_bank<Fcfs>(setup); }

}  // namespace gputlm
