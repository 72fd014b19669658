#include "models/work_distributor/kernel_order.h"

namespace gputlm {
namespace {

class GuardedKernelOrder final : public KernelOrder {
 public:
  GuardedKernelOrder(std::unique_ptr<KernelOrder> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  void launched(const KernelState& kernel, Cycle now) override {
    seam_.call("launched()", [&] { policy_->launched(kernel, now); });
  }
  void block_sent(const KernelState& kernel, SmId sm, Cycle now) override {
    seam_.call("block_sent()", [&] { policy_->block_sent(kernel, sm, now); });
  }
  void block_ended(const KernelState& kernel, const BlockLaunch& block, Cycle now) override {
    seam_.call("block_ended()", [&] { policy_->block_ended(kernel, block, now); });
  }
  void ended(const KernelState& kernel, Cycle now) override {
    seam_.call("ended()", [&] { policy_->ended(kernel, now); });
  }
  void reconsider(const std::vector<KernelState>& kernels, Cycle now) override {
    seam_.call("reconsider()", [&] { policy_->reconsider(kernels, now); });
  }
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    seam_.call("offers()", [&] { policy_->offers(kernels, offers); });
    for (const Offer& offer : offers) {
      if (offer.kernel >= kernels.size() || kernels[offer.kernel].all_dispatched()) refuse_kernel(offer, kernels);
      if ((offer.sms & ~kernels[offer.kernel].sms).any()) refuse_sms(offer, kernels[offer.kernel]);
    }
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  [[noreturn]] void refuse_kernel(const Offer& offer, const std::vector<KernelState>& kernels) const {
    std::vector<unsigned> candidates;
    for (unsigned k = 0; k < kernels.size(); ++k) {
      if (!kernels[k].all_dispatched()) candidates.push_back(k);
    }
    seam_.refuse("offers()", "kernel " + std::to_string(offer.kernel) + " in flight",
                 numbers_text(candidates) + ", which have blocks left to send");
  }
  [[noreturn]] void refuse_sms(const Offer& offer, const KernelState& kernel) const {
    const auto sm = static_cast<unsigned>((offer.sms & ~kernel.sms)._Find_first());
    seam_.refuse("offers()", "SM " + std::to_string(sm) + " for kernel " + std::to_string(offer.kernel) + " in flight",
                 "SMs of its partition (KernelState::sms)");
  }

  std::unique_ptr<KernelOrder> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<KernelOrder> KernelOrder::guarded(std::unique_ptr<KernelOrder> policy, const PolicySeam& seam) {
  return std::make_unique<GuardedKernelOrder>(std::move(policy), seam);
}

ObjectDecision<KernelOrder, KernelOrderSetup>& kernel_orders() {
  static ObjectDecision<KernelOrder, KernelOrderSetup> all("kernel order", 1, "work_distributor.kernel_order");
  return all;
}

std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name, const KernelOrderSetup& setup) {
  return kernel_orders().at(name).make(setup);
}

}  // namespace gputlm
