#include "models/dram/row_hits.h"

namespace gputlm {
namespace {

/// The oldest request whose row is open, otherwise the oldest (Rixner et al., "Memory access scheduling", ISCA 2000).
class FrFcfs final : public RequestScheduler {
 public:
  explicit FrFcfs(const SchedulerSetup& setup)
      : RequestScheduler({setup.row_hit_cap > 0, false}), hits_(setup.row_hit_cap) {}
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    const std::size_t hit = hits_.oldest(candidates, open_row);
    return hit < candidates.size() ? hit : 0;
  }
  void activated(Row) override { hits_.activated(); }
  void served(const Request&) override { hits_.served(); }

 private:
  RowHits hits_;
};

}  // namespace

GPUTLM_REGISTER {
  request_schedulers().add<FrFcfs>({{"fr_fcfs", 2},
                                    "First ready: the oldest request to the open row, else the oldest of the bank",
                                    "fr-rr-fcfs, section 2"});
}

}  // namespace gputlm
