// Which SMs go to the kernel that will end first, kept from one decision to the next: the same as if all were decided again.

#include "models/work_distributor/shortest_first.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

namespace gputlm {
namespace {

/// Kernels, as indices, and the SMs that each is offered.
using Offered = std::vector<std::pair<std::size_t, std::string>>;

/// Kernels that come, send and end blocks at random, as the work distributor would tell of it.
class RandomKernels {
 public:
  static constexpr unsigned kSms = 12;

  explicit RandomKernels(std::uint64_t seed) : random_(seed) {
    for (unsigned gpc = 0; gpc < 3; ++gpc) gpcs_.push_back((all_sms(4)) << (4 * gpc));
  }

  /// Returns the SM on which a block has ended, if one has.
  std::optional<SmId> step() {
    ++now_;
    const unsigned what = draw(12);
    if (kernels_.empty() || (what == 0 && kernels_.size() < 5)) {
      launch();
      return std::nullopt;
    }
    const std::size_t which = draw(static_cast<unsigned>(kernels_.size()));
    KernelState& kernel = kernels_[which];
    const KernelId id = kernel.launch->identity.kernel;
    const auto sm = static_cast<SmId>(draw(kSms));
    if (what == 1) {
      std::vector<std::uint64_t> ended(kSms);
      std::vector<Cycle> active(kSms);
      for (unsigned i = 0; i < kSms; ++i) ended[i] = draw(3);
      predictor_.repeat(id, 2, 5, ended, active);
    } else if (!kernel.all_dispatched() && kernel.sms.test(sm) && what < 7) {
      ++kernel.dispatched;
      ++kernel.resident[sm];
      predictor_.block_sent(id, sm, now_);
    } else if (kernel.resident[sm] > 0) {
      --kernel.resident[sm];
      predictor_.block_ended(id, sm, 50 + draw(100), now_);
      if (++kernel.ended == kernel.blocks) {
        predictor_.ended(id);
        kernels_.erase(kernels_.begin() + static_cast<std::ptrdiff_t>(which));
      }
      return sm;
    }
    return std::nullopt;
  }

  Offered offers(ShortestFirst& shortest) const {
    const auto remaining = [&](const KernelState& k, SmId sm) {
      return predictor_.remaining(k.launch->identity.kernel, sm);
    };
    std::vector<Offer> offers;
    shortest.offer(kernels_, all_sms(kSms - (now_ / 300) % 2), gpcs_, predictor_.epoch(), remaining, offers);
    Offered all;
    for (const Offer& offer : offers) all.emplace_back(offer.kernel, offer.sms.to_string());
    return all;
  }

 private:
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  void launch() {
    KernelLaunch& launch = launches_.emplace_back();
    launch.identity.kernel = static_cast<KernelId>(launches_.size());
    KernelState kernel;
    kernel.launch = &launch;
    kernel.blocks = 20 + draw(200);
    kernel.cluster = draw(6) == 0 ? 2 : 1;
    kernel.resident.resize(kSms);
    if (draw(3) == 0) kernel.sms = all_sms(6);
    predictor_.launched(launch.identity.kernel, kernel.blocks, 1 + draw(4), kSms);
    kernels_.push_back(std::move(kernel));
  }

  std::mt19937_64 random_;
  Cycle now_ = 0;
  SlicingPredictor predictor_{kSms};
  std::deque<KernelLaunch> launches_;
  std::vector<KernelState> kernels_;
  std::vector<SmSet> gpcs_;
};

TEST(ShortestFirst, DecidesOnSmsOfWhichNothingHasChangedAsBefore) {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomKernels kernels(seed);
    ShortestFirst kept;
    for (unsigned step = 0; step < 3000; ++step) {
      if (const std::optional<SmId> sm = kernels.step()) kept.block_ended(*sm);
      if (step % 2 == 1) continue;  // several events between two questions
      ShortestFirst once;
      const Offered offers = kernels.offers(kept);
      ASSERT_EQ(offers, kernels.offers(once)) << "seed " << seed << ", step " << step;
      several += offers.size() > 1;
    }
  }
  EXPECT_GT(several, 1000u) << "SMs are divided among kernels often";
}

}  // namespace
}  // namespace gputlm
