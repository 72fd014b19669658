#include "models/dram/scheduler.h"

namespace gputlm {
namespace {

/// The oldest request of the bank, regardless of the open row.
class Fcfs final : public RequestScheduler {
 public:
  Fcfs() : RequestScheduler({false, false}) {}
  std::size_t pick(const RequestView&, Row) const override { return 0; }
};

}  // namespace

GPUTLM_REGISTER {
  request_schedulers().add<Fcfs>(
      {{"fcfs", 1}, "First come, first served: the oldest request of the bank", "fr-rr-fcfs, section 2"});
}

}  // namespace gputlm
