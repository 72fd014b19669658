/// Kernel orders of the work distributor.
#include <algorithm>

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

constexpr unsigned kLevelBits = 3;  ///< of a priority, unless told

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

/// As many kernels as the run's GPU takes. Levels have the standard width where that suffices.
RecordedDecisions recorded(const RecordedRun& run) {
  RecordedDecisions decisions;
  decisions.policy = model_of(run.name("work_distributor.kernel_order"));
  decisions.clock_mhz = run.number("core_mhz");
  const std::vector<KernelOrderEvent> events = read_kernel_order_recording(run);
  unsigned level_bits = kLevelBits;
  for (const KernelOrderEvent& event : events) {
    const int least = std::min(event.priority, -event.priority - 1);
    while (least < -(1 << (level_bits - 1))) ++level_bits;
  }
  const double in_flight = run.number("work_distributor.kernels_in_flight");
  decisions.size = {{"Kernels", static_cast<unsigned>(std::clamp<double>(in_flight, 2, KernelOrderSize::kMaxKernels))},
                    {"LevelW", level_bits}};
  decisions.make = [events](const SizedDesign& sized, const std::string& against, void* device) {
    return std::make_shared<KernelOrderDesign>(
        KernelOrderDesign(sized.design.top(), against, kernel_order_size(sized.size), made_by<RtlKernelOrder>(device))
            .playing(events));
  };
  return decisions;
}

GPUTLM_REGISTER {
  CheckedKind kind;
  kind.name = "kernel_order";
  kind.rank = 5;
  kind.decision = []() -> const DecisionInfo& { return kernel_orders(); };
  kind.size = {{"Kernels", 32, 2, KernelOrderSize::kMaxKernels},
               {"LevelW", kLevelBits, 1, KernelOrderSize::kMaxLevelBits}};
  kind.in_size = 2;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(kernel_order_knobs(kernel_order_size(size))); };
  kind.device = kDevice;
  kind.make = make;
  kind.contract = {"kernel_order_proof", {{"Kernels", 4}, {"LevelW", 2}}, contract_of};
  kind.recorded = recorded;
  checked_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
