/// The expected behaviour of a kernel order of rtl/, cycle by cycle: the policy as a context calls it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/bit_words.h"
#include "models/work_distributor/kernel_order.h"
#include "testbench/kinds/kernel_order/ports.h"
#include "tlm/base/error.h"

namespace gputlm {

class KernelOrderReference {
 public:
  /// A kernel in flight.
  struct Kernel {
    unsigned number;
    unsigned level;
  };

  /// Starts in the reset state. Throws InputError for a policy that needs runtimes, which the bench does not have.
  KernelOrderReference(const KernelOrderSize& size, std::string policy) : size_(size), policy_(std::move(policy)) {
    const PolicyInfo& info = kernel_orders().policy(policy_);
    for (const Property property : {Property::kNeedsAloneCycles, Property::kNeedsPredictor}) {
      if (info.has(property)) {
        throw InputError("--against: found " + policy_ + ", which " + info_of(property).meaning +
                         "; allowed is one that decides by arrival and priority");
      }
    }
    reset();
  }

  /// The number of the next kernel.
  std::optional<unsigned> expect(const KernelOrderInputs& inputs) {
    for (std::size_t i = 0; i < kernels_.size(); ++i)
      states_[i].dispatched = has_bit(inputs.pending, kernels_[i].number) ? 0 : states_[i].blocks;
    offers_.clear();
    order_->reconsider(states_, 0);
    order_->offers(states_, offers_);
    if (offers_.empty()) return std::nullopt;
    return kernels_[offers_.front().kernel].number;
  }
  /// The rising edge.
  void rise(const KernelOrderInputs& inputs, std::optional<unsigned>) {
    if (!inputs.rst_n) return reset();
    if (!inputs.event_valid) return;
    if (inputs.event_enter) {
      enter(inputs.event_kernel, inputs.event_level);
    } else {
      end(inputs.event_kernel);
    }
  }
  const KernelOrderSize& size() const { return size_; }
  /// Kernels in flight, in the order of arrival.
  const std::vector<Kernel>& kernels() const { return kernels_; }
  bool in_flight(unsigned number) const {
    return std::any_of(kernels_.begin(), kernels_.end(), [=](const Kernel& k) { return k.number == number; });
  }

 private:
  static constexpr Resources kBlock{32, 1, 1, 1024, 1024};  ///< identical blocks: an SM holds one of each kernel

  void reset() {
    kernels_.clear();
    states_.clear();
    launches_.clear();
    order_ = make_kernel_order(policy_, {1, kBlock * size_.kernels});
  }
  void enter(unsigned number, unsigned level) {
    kernels_.push_back({number, level});
    KernelLaunch& launch = *launches_.emplace_back(std::make_unique<KernelLaunch>());
    launch.identity.kernel = static_cast<KernelId>(next_id_++);
    KernelState state;
    state.launch = &launch;
    state.priority = launch.priority = static_cast<int>(level) - (1 << (size_.level_bits - 1));
    state.sms = all_sms(1);
    state.demand.takes = kBlock;
    state.blocks = 1;
    state.resident.assign(1, 0);
    states_.push_back(std::move(state));
    order_->launched(states_.back(), 0);
  }
  void end(unsigned number) {
    const auto found =
        std::find_if(kernels_.begin(), kernels_.end(), [=](const Kernel& k) { return k.number == number; });
    const auto place = found - kernels_.begin();
    order_->ended(states_[static_cast<std::size_t>(place)], 0);
    kernels_.erase(found);
    states_.erase(states_.begin() + place);
    launches_.erase(launches_.begin() + place);
  }

  KernelOrderSize size_;
  std::string policy_;
  std::unique_ptr<KernelOrder> order_;
  std::vector<Kernel> kernels_;
  std::vector<KernelState> states_;  ///< states of these kernels
  std::vector<std::unique_ptr<KernelLaunch>> launches_;
  std::vector<Offer> offers_;
  unsigned next_id_ = 0;
};

}  // namespace gputlm
