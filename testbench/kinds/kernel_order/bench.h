/// The kernel orders of rtl/ in lockstep with those of the work distributor.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/work_distributor/decisions.h"
#include "models/work_distributor/rtl_kernel_order.h"
#include "testbench/lockstep/bench.h"

namespace gputlm {

class KernelOrderDesign final : public Design {
 public:
  KernelOrderDesign(const std::string& name, const std::string& policy, const KernelOrderSize& size,
                    MakeObserved<RtlKernelOrder> make)
      : Design(name, policy), size_(size), make_(std::move(make)) {}
  /// The same design, under what was recorded in place of random traffic.
  KernelOrderDesign playing(std::vector<KernelOrderEvent> events) const;

  std::vector<Knob> knobs() const override;
  std::unique_ptr<Bench> make_bench(std::uint64_t seed, const FixedKnobs& fixed) const override;

 private:
  KernelOrderSize size_;
  MakeObserved<RtlKernelOrder> make_;
  std::shared_ptr<const std::vector<KernelOrderEvent>> recording_;  ///< null: random traffic
};

}  // namespace gputlm
