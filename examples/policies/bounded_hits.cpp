#include "models/dram/scheduler.h"

namespace {

using namespace gputlm;

/// Row hits first, but only a limited number of them in a row pass the oldest request of the bank.
class BoundedHits final : public RequestScheduler {
 public:
  struct Options {
    unsigned passes = 4;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::passes, "passes", "requests", 1, 1000, "That may pass the oldest one of a bank", "chosen");
    }
  };
  struct Counters {
    std::uint64_t forced = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::forced, "forced", "requests",
                "Requests served because the limit of passing hits was reached");
    }
  };

  explicit BoundedHits(const Options& options) : options_(options) {}

  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    if (passed_ >= options_.passes) return 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].row == open_row) return i;
    }
    return 0;
  }
  void arrived(const Request& request) override { ages_.push_back(request.age); }
  void served(const Request& request) override {
    const bool oldest = request.age == ages_.front();
    counters_.forced += oldest && passed_ >= options_.passes;
    passed_ = oldest ? 0 : passed_ + 1;
    for (auto age = ages_.begin();; ++age) {
      if (*age != request.age) continue;
      ages_.erase(age);
      return;
    }
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  Options options_;
  std::vector<std::uint64_t> ages_;  ///< of the pending requests, oldest first
  unsigned passed_ = 0;              ///< the oldest one, so far
  Counters counters_;
};

GPUTLM_REGISTER {
  request_schedulers().add<BoundedHits>(
      {{"bounded_hits"}, "Row hits first, but only a limited number pass the oldest request", "an example"});
}

}  // namespace
