/// Kernel orders of the work distributor.
#include "testbench/lockstep/kind.h"
#include "testbench/kinds/kernel_order/bench.h"
#include "testbench/kinds/kernel_order/traffic.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  return {{"Kernels", ports.at("grant_o")}, {"LevelW", ports.at("event_level_i")}};
}

RtlParameters widths(const RtlParameters& size) {
  const unsigned kernels = size.at("Kernels"), number = bits_to_name(kernels);
  return {{"event_kernel_i", number},
          {"event_level_i", size.at("LevelW")},
          {"pending_i", kernels},
          {"grant_o", kernels},
          {"grant_kernel_o", number}};
}

KernelOrderSize kernel_order_size(const RtlParameters& size) { return {size.at("Kernels"), size.at("LevelW")}; }

std::shared_ptr<const Design> make(const BuiltDesign& built, const std::string& policy) {
  return std::make_shared<KernelOrderDesign>(built.name, policy, kernel_order_size(built.size),
                                             made_by<RtlKernelOrder>(built));
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Ordered"] = policy == "leftover";
  return all;
}

GPUTLM_REGISTER {
  DesignKind kind;
  kind.name = "kernel_order";
  kind.rank = 5;
  kind.decision = []() -> const DecisionInfo& { return kernel_orders(); };
  kind.size = {{"Kernels", 32, 2, KernelOrderSize::kMaxKernels}, {"LevelW", 3, 1, KernelOrderSize::kMaxLevelBits}};
  kind.in_size = 2;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(kernel_order_knobs(kernel_order_size(size))); };
  kind.make = make;
  kind.contract = {"kernel_order_proof", {{"Kernels", 4}, {"LevelW", 2}}, contract_of};
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
