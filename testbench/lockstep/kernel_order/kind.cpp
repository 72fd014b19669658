/// Kernel orders of the work distributor.
#include "platform/cli/check/checked_kind.h"
#include "testbench/lockstep/kernel_order/bench.h"
#include "testbench/lockstep/kernel_order/traffic.h"

namespace gputlm {
namespace {

constexpr const char* kDevice = R"(
#include "Vdesign.h"
#include "models/work_distributor/rtl_kernel_order_verilated.h"
#include "testbench/lockstep/observed_verilated.h"
extern "C" __attribute__((visibility("default")))
gputlm::ObservedDevice<gputlm::RtlKernelOrder>* gputlm_make(std::uint64_t seed) {
  return new gputlm::ObservedVerilated<gputlm::RtlKernelOrder, gputlm::VerilatedKernelOrder<Vdesign>>(seed);
}
)";

RtlParameters size_of(const std::map<std::string, RtlDesign::Port>& ports) {
  return {{"Kernels", ports.at("grant_o").bits}, {"LevelW", ports.at("event_level_i").bits}};
}

std::map<std::string, unsigned> widths(const RtlParameters& size) {
  const unsigned kernels = size.at("Kernels"), number = bits_to_name(kernels);
  return {{"event_kernel_i", number},
          {"event_level_i", size.at("LevelW")},
          {"pending_i", kernels},
          {"grant_o", kernels},
          {"grant_kernel_o", number}};
}

KernelOrderSize kernel_order_size(const RtlParameters& size) { return {size.at("Kernels"), size.at("LevelW")}; }

std::shared_ptr<const Design> make(const SizedDesign& sized, const std::string& policy, void* device) {
  return std::make_shared<KernelOrderDesign>(sized.design.top(), policy, kernel_order_size(sized.size),
                                             made_by<RtlKernelOrder>(device));
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Ordered"] = policy == "leftover";
  return all;
}

GPUTLM_REGISTER {
  CheckedKind kind;
  kind.name = "kernel_order";
  kind.rank = 5;
  kind.decision = []() -> const DecisionInfo& { return kernel_orders(); };
  kind.size = {{"Kernels", 32, 2, KernelOrderSize::kMaxKernels}, {"LevelW", 3, 1, KernelOrderSize::kMaxLevelBits}};
  kind.in_size = 2;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(kernel_order_knobs(kernel_order_size(size))); };
  kind.device = kDevice;
  kind.make = make;
  kind.contract = {"kernel_order_proof", {{"Kernels", 4}, {"LevelW", 2}}, contract_of};
  checked_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
