#include <limits>

#include "models/dram/row_hits.h"

namespace gputlm {
namespace {

/// First-ready round-robin FCFS (fr-rr-fcfs, section 4.1): the oldest row hit of any application; otherwise the oldest
/// request of the next application in round-robin order that has one for the bank. With requests of only one application it
/// is FR-FCFS.
///
/// The order is cyclic by application id, and continues from the application that the bank served last: "our scheme first
/// services all the memory requests to the same page, and then moves to the next application". Hits count as service; as
/// applications do not share rows, all hits of a row belong to the application that opened it, so this counts turns.
class FrRrFcfs final : public RequestScheduler {
 public:
  struct Counters {
    std::uint64_t turns = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::turns, "turns", "requests", "Requests of another application than the bank served last");
    }
  };

  explicit FrRrFcfs(const SchedulerSetup& setup) : hits_(setup.row_hit_cap) {}

  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    const std::size_t hit = hits_.oldest(candidates, open_row);
    return hit < candidates.size() ? hit : next_turn(candidates);
  }
  void activated(Row) override { hits_.activated(); }
  void served(const Request& request) override {
    hits_.served();
    counters_.turns += request.application != last_;
    last_ = request.application;
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  std::size_t next_turn(const RequestView& candidates) const {
    std::size_t best = 0;
    ApplicationId best_distance = std::numeric_limits<ApplicationId>::max();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      // Ids wrap around as the order does: the next application is at distance 0, the last one farthest.
      const auto distance = static_cast<ApplicationId>(candidates[i].application - last_ - 1);
      if (distance < best_distance) {
        best_distance = distance;
        best = i;
      }
    }
    return best;
  }

  RowHits hits_;
  Counters counters_;
  ApplicationId last_ = std::numeric_limits<ApplicationId>::max();  ///< so that application 0 is first
};

}  // namespace

GPUTLM_REGISTER {
  request_schedulers().add<FrRrFcfs>(
      {{"fr_rr_fcfs", 3},
       "First ready, else the applications take turns at the bank, each with its oldest request",
       "fr-rr-fcfs, section 4.1"});
}

}  // namespace gputlm
