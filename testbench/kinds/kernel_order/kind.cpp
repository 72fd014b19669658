/// Kernel orders of the work distributor.
#include <algorithm>

#include "testbench/kinds/kernel_order/bench.h"
#include "testbench/kinds/kernel_order/traffic.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {
namespace {

constexpr unsigned kLevelBits = 3;  ///< of a priority, unless told

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

Design make(const BuiltDesign& built, const std::string& policy) { return kernel_order_design(built, policy); }

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Ordered"] = policy == "leftover";
  return all;
}

/// As many kernels as the run's GPU takes. Levels have the standard width where that suffices.
RecordedDecisions recorded(const Recording& run) {
  RecordedDecisions decisions;
  decisions.policy = model_of(run.name("work_distributor.kernel_order"));
  decisions.clock_mhz = run.number("core_mhz");
  const auto& events = run.events<KernelOrderEvent>();
  unsigned level_bits = kLevelBits;
  for (const KernelOrderEvent& event : events) {
    const int least = std::min(event.priority, -event.priority - 1);
    while (least < -(1 << (level_bits - 1))) ++level_bits;
  }
  const double in_flight = run.number("work_distributor.kernels_in_flight");
  decisions.size = {{"Kernels", static_cast<unsigned>(std::clamp<double>(in_flight, 2, KernelOrderSize::kMaxKernels))},
                    {"LevelW", level_bits}};
  decisions.make = [recording = std::make_shared<const std::vector<KernelOrderEvent>>(std::move(events))](
                       const BuiltDesign& built, const std::string& against) {
    return kernel_order_design(built, against, recording);
  };
  return decisions;
}

constexpr const char* kProtocol =
    R"(There is no handshake: grant_* says combinationally which kernel is next, of those in pending_i, and
the environment sends blocks of it as long as it likes. An event (event_valid_i), a kernel that comes
or has ended, acts at the rising edge. A number is given to one kernel at a time.
)";

GPUTLM_REGISTER {
  DesignKind kind;
  kind.name = "kernel_order";
  kind.rank = 5;
  kind.decision = []() -> const DecisionInfo& { return kernel_orders(); };
  kind.size = {{"Kernels", 32, 2, KernelOrderSize::kMaxKernels},
               {"LevelW", kLevelBits, 1, KernelOrderSize::kMaxLevelBits}};
  kind.in_size = 2;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(kernel_order_knobs(kernel_order_size(size))); };
  kind.make = make;
  kind.contract = {"kernel_order_proof", {{"Kernels", 4}, {"LevelW", 2}}, contract_of};
  kind.recorded = recorded;
  kind.protocol = kProtocol;
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
