#include "models/dram/scheduler.h"

namespace gputlm {
namespace {

/// The oldest request of the bank, whatever row is open.
class Fcfs final : public RequestScheduler {
 public:
  std::size_t pick(const RequestView&, Row) const override { return 0; }
  void served(const Request&) override {}
};

}  // namespace

std::unique_ptr<RequestScheduler> make_fcfs() { return std::make_unique<Fcfs>(); }

}  // namespace gputlm
