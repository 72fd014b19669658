#include "testbench/kinds/kernel_order/in_hardware.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/bit_words.h"
#include "models/work_distributor/in_turn.h"
#include "testbench/kind/at_most.h"

namespace gputlm {
namespace {

constexpr const char* kOrderSeam = "work_distributor.kernel_order";

/// The order of a context's kernels in hardware: one clock cycle for each kernel that arrives or ends. The granted kernel is
/// offered first, then the one granted among the others, and so on.
class KernelOrderInHardware final : public KernelOrder {
 public:
  KernelOrderInHardware(const HardwareModel<KernelOrderPorts>& model, std::string policy)
      : size_(model.size), policy_(std::move(policy)), design_(model.make()), kernels_(size_.kernels) {
    inputs_.rst_n = false;
    clock();
    inputs_.rst_n = true;
  }

  void launched(const KernelState& kernel, Cycle) override {
    const auto free = std::find(kernels_.begin(), kernels_.end(), std::nullopt);
    if (free == kernels_.end()) at_most("kernels in flight", kernels_.size() + 1, kernels_.size(), kOrderSeam, policy_);
    *free = kernel.launch->identity.kernel;
    happens(static_cast<std::uint32_t>(free - kernels_.begin()));
    inputs_.event_enter = true;
    inputs_.event_level = level_of(kernel.priority);
  }
  void ended(const KernelState& kernel, Cycle) override {
    const std::uint32_t number = number_of(kernel);
    happens(number);
    inputs_.event_enter = false;
    kernels_[number].reset();
  }

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    if (inputs_.event_valid) clock();
    InTurn turns(kernels, offers);
    inputs_.pending = {};
    for (const KernelState& kernel : kernels) {
      if (!kernel.all_dispatched()) set_bit(inputs_.pending, number_of(kernel));
    }
    while (inputs_.pending != KernelNumbers{}) {
      const std::uint32_t number = ask();
      clear_bit(inputs_.pending, number);
      const auto is_it = [&](const KernelState& kernel) { return kernel.launch->identity.kernel == kernels_[number]; };
      const auto kernel = std::find_if(kernels.begin(), kernels.end(), is_it);
      if (!turns.offer(static_cast<std::size_t>(kernel - kernels.begin()))) break;
    }
  }

 private:
  std::uint32_t ask() const {
    design_->settle(inputs_);
    const KernelOrderOutputs granted = design_->outputs();
    if (!granted.grant_valid) throw InputError(policy_ + ": grant_valid_o is 0, but pending_i has kernels with blocks");
    if (granted.grant_kernel >= size_.kernels || !has_bit(inputs_.pending, granted.grant_kernel)) {
      throw InputError(policy_ + ": grant_kernel_o is " + std::to_string(granted.grant_kernel) +
                       ", a kernel without a block to be sent");
    }
    return granted.grant_kernel;
  }
  /// An event of the kernel of this number occurs at the next edge.
  void happens(std::uint32_t number) {
    if (inputs_.event_valid) clock();
    inputs_.event_valid = true;
    inputs_.event_kernel = number;
  }
  void clock() const {
    design_->settle(inputs_);
    design_->rise(inputs_);
    inputs_.event_valid = false;
  }
  std::uint32_t number_of(const KernelState& kernel) const {
    const auto found = std::find(kernels_.begin(), kernels_.end(), kernel.launch->identity.kernel);
    return static_cast<std::uint32_t>(found - kernels_.begin());
  }
  /// Lower is more urgent on both sides; the middle level is priority 0.
  std::uint32_t level_of(int priority) const {
    const int most_urgent = -(1 << (size_.level_bits - 1));
    const int level = priority - most_urgent, levels = 1 << size_.level_bits;
    if (level < 0 || level >= levels) {
      throw InputError("priority of a kernel: found " + std::to_string(priority) + ", allowed with " + kOrderSeam +
                       '=' + policy_ + ": " + std::to_string(most_urgent) + " to " + std::to_string(-most_urgent - 1));
    }
    return static_cast<std::uint32_t>(level);
  }

  KernelOrderSize size_;
  std::string policy_;
  std::unique_ptr<Device<KernelOrderPorts>> design_;
  std::vector<std::optional<KernelId>> kernels_;  ///< kernels in flight, numbered as at the ports
  // A decision brings the hardware up to date with reported events, which does not count as a change.
  mutable KernelOrderInputs inputs_;  ///< inputs of the next cycle
};

}  // namespace

std::unique_ptr<KernelOrder> KernelOrderHardware::make(const HardwareModel<Ports>& model, const Setup&,
                                                       const PolicyInfo& info) {
  return std::make_unique<KernelOrderInHardware>(model, info.name);
}

RtlParameters KernelOrderHardware::wanted(const Setup&) {
  return {{"Kernels", KernelOrderSize::Most::kernels}, {"LevelW", KernelOrderSize::Most::level_bits}};
}

std::vector<PolicyInfo> KernelOrderHardware::of_rtl() {
  return {of_rtl_module("leftover", 100, "kernel_order", "most-room, section 6; cuda-hierarchy, section III",
                        {Property::kHeedsPriorities, Property::kRepeats})};
}

PolicyInfo KernelOrderHardware::own() { return {{}, {}, {}, {Property::kHeedsPriorities}}; }

}  // namespace gputlm
