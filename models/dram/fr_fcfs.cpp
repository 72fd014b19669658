#include "models/dram/row_hits.h"

namespace gputlm {
namespace {

/// The oldest request that finds its row open, else the oldest (Rixner et al., "Memory access scheduling",
/// ISCA 2000).
class FrFcfs final : public RequestScheduler {
 public:
  explicit FrFcfs(unsigned row_hit_cap) : hits_(row_hit_cap) {}
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

RequestSchedulers make_fr_fcfs(const SchedulerSetup& setup) { return one_a_bank<FrFcfs>(setup, setup.row_hit_cap); }

}  // namespace gputlm
