/// Admissions to the queues of DRAM controllers.
#include <algorithm>

#include "testbench/kinds/admission/bench.h"
#include "testbench/kinds/admission/traffic.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned applications = ports.at("head_valid_i");
  return {{"Entries", (1u << ports.at("reserved_i")) - 1},
          {"Apps", applications},
          {"LengthW", ports.at("head_length_i") / applications},
          {"HasShared", 1}};
}

RtlParameters widths(const RtlParameters& size) {
  const unsigned count = bits_to_name(size.at("Entries") + 1), applications = size.at("Apps");
  const unsigned application = bits_to_name(applications);
  return {{"reserved_i", count},          {"shared_i", count},
          {"head_valid_i", applications}, {"head_length_i", applications * size.at("LengthW")},
          {"admit_o", applications},      {"admit_app_o", application},
          {"leave_app_i", application}};
}

Design make(const BuiltDesign& built, const std::string& policy) { return admission_design(built, policy); }

RecordedDecisions recorded(const Recording& run) {
  RecordedDecisions decisions;
  decisions.policy = model_of(run.name("dram.admission"));
  decisions.clock_mhz = run.number("dram.command_mhz");
  const auto entries = static_cast<unsigned>(run.number("dram.queue"));
  const auto applications = static_cast<unsigned>(run.number("dram.applications"));
  AdmissionRecording recording;
  recording.events = run.events<AdmissionEvent>();
  recording.reserved = static_cast<unsigned>(run.number("dram.reserved"));
  recording.shared = entries - applications * recording.reserved;
  decisions.size = {{"Entries", std::max(8u, entries)}, {"Apps", applications}, {"HasShared", recording.shared > 0}};
  decisions.make = [recording = std::make_shared<const AdmissionRecording>(std::move(recording))](
                       const BuiltDesign& built, const std::string& policy) {
    return admission_design(built, policy, recording);
  };
  return decisions;
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Ordered"] = policy == "reserved";
  return all;
}

constexpr const char* kProtocol =
    R"(A valid-ready handshake: the access of the granted application enters at each rising edge at which
admit_valid_o and admit_ready_i are both 1. A decision is combinational: head_valid_i is answered by
admit_* in the same cycle, and may change until it is taken. A head stays until its access enters.
A burst that leaves (leave_valid_i) makes room from the next cycle on.
)";

GPUTLM_REGISTER {
  DesignKind kind;
  kind.name = "admission";
  kind.rank = 3;
  kind.decision = []() -> const DecisionInfo& { return admission_policies(); };
  kind.size = {{"Entries", 32, 8, 128}, {"Apps", 2, 2, 8}, {"LengthW", 3, 1, 8}, {"HasShared", 1, 0, 1}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(admission_knobs(admission_size(size))); };
  kind.make = make;
  kind.contract = {"admission_proof", {{"Entries", 8}, {"Apps", 3}, {"LengthW", 2}, {"HasShared", 1}}, contract_of};
  kind.recorded = recorded;
  kind.protocol = kProtocol;
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
