#include "models/noc/recorded_flit_arbiter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/bit_words.h"

namespace gputlm {
namespace {

class RecordedFlitArbiter final : public FlitArbiter {
 public:
  RecordedFlitArbiter(std::unique_ptr<FlitArbiter> policy, unsigned inputs, Tap<FlitArbiterEvent>& tap)
      : policy_(std::move(policy)), tap_(tap), free_since_(inputs) {}

  unsigned next(const FlitHeads& heads) const override {
    tell_arrivals(heads);
    return policy_->next(heads);
  }
  void served(unsigned input, const FlitHead& head) override {
    policy_->served(input, head);
    tap_.note(event(now_, FlitArbiterEvent::Kind::kLeaves, input, head));
    clear_bit(told_, input);
    free_since_[input] = now_;
  }
  void count(PolicyCounts& counts) const override { policy_->count(counts); }

 private:
  void tell_arrivals(const FlitHeads& heads) const {
    now_ = heads.now;
    arrivals_.clear();
    heads.for_each([&](unsigned input, const FlitHead& head) {
      if (has_bit(told_, input)) return;
      const Cycle waited = static_cast<std::uint32_t>(now_) - head.arrival;
      arrivals_.push_back(
          event(std::max(now_ - waited, free_since_[input]), FlitArbiterEvent::Kind::kArrives, input, head));
      set_bit(told_, input);
    });
    std::stable_sort(arrivals_.begin(), arrivals_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    for (const FlitArbiterEvent& arrival : arrivals_) tap_.note(arrival);
  }

  FlitArbiterEvent event(Cycle at, FlitArbiterEvent::Kind kind, unsigned input, const FlitHead& head) const {
    return {at, kind, static_cast<std::uint16_t>(input), static_cast<std::uint16_t>(free_since_.size()), head};
  }

  std::unique_ptr<FlitArbiter> policy_;
  Tap<FlitArbiterEvent>& tap_;
  std::vector<Cycle> free_since_;  ///< cycle in which the last packet of each input left
  // next() reports the arrivals since the last call, which does not change the policy.
  mutable InputSet told_{};  ///< inputs whose first packet has been reported
  mutable Cycle now_ = 0;
  mutable std::vector<FlitArbiterEvent> arrivals_;
};

}  // namespace

std::unique_ptr<FlitArbiter> recorded(std::unique_ptr<FlitArbiter> policy, unsigned inputs,
                                      Tap<FlitArbiterEvent>& tap) {
  return std::make_unique<RecordedFlitArbiter>(std::move(policy), inputs, tap);
}

}  // namespace gputlm
