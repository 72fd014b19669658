#include "models/dram/scheduler.h"

namespace gputlm {
namespace {

/// The oldest request that finds its row open, else the oldest (Rixner et al., "Memory access scheduling",
/// ISCA 2000). Nothing limits how long hits may pass an older request to another row.
class FrFcfs final : public RequestScheduler {
 public:
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].row == open_row) return i;
    }
    return 0;
  }
  void served(const Request&) override {}
};

}  // namespace

std::unique_ptr<RequestScheduler> make_fr_fcfs() { return std::make_unique<FrFcfs>(); }

}  // namespace gputlm
