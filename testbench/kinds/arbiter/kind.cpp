/// Arbiters of DRAM controllers.
#include <algorithm>

#include "testbench/kinds/arbiter/bench.h"
#include "testbench/kinds/arbiter/traffic.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {
namespace {

constexpr unsigned kRowBits = 14;  ///< of a row number, unless told

RtlParameters size_of(const RtlParameters& ports) {
  return {{"Entries", ports.at("grant_o")},
          {"Banks", 1u << ports.at("ask_bank_i")},
          {"Apps", 1u << ports.at("req_app_i")},
          {"RowW", ports.at("req_row_i")},
          {"HasCap", 1}};
}

RtlParameters widths(const RtlParameters& size) {
  const unsigned bank = bits_to_name(size.at("Banks")), application = bits_to_name(size.at("Apps"));
  const unsigned id = bits_to_name(size.at("Entries")), row = size.at("RowW");
  return {{"req_bank_i", bank}, {"req_row_i", row},   {"req_app_i", application},   {"req_id_i", id},
          {"row_bank_i", bank}, {"row_row_i", row},   {"ask_bank_i", bank},         {"hit_cap_i", 8},
          {"grant_id_o", id},   {"grant_row_o", row}, {"grant_app_o", application}, {"grant_o", size.at("Entries")}};
}

Design make(const BuiltDesign& built, const std::string& policy) { return arbiter_design(built, policy); }

/// A row number has the standard width where that suffices.
RecordedDecisions recorded(const Recording& run) {
  RecordedDecisions decisions;
  decisions.policy = model_of(run.name("dram.scheduler"));
  decisions.clock_mhz = run.number("dram.command_mhz");
  ArbiterRecording recording;
  recording.events = with_short_rows(run.events<ArbiterEvent>());
  recording.hit_cap = static_cast<unsigned>(run.number("dram.row_hit_cap"));
  Row highest = 0;
  unsigned applications = 1;
  for (const ArbiterEvent& event : recording.events) {
    highest = std::max(highest, event.row);
    applications = std::max(applications, event.application + 1u);
  }
  decisions.size = {{"Entries", std::max(8u, static_cast<unsigned>(run.number("dram.queue")))},
                    {"Banks", static_cast<unsigned>(run.number("dram.banks"))},
                    {"Apps", applications},
                    {"HasCap", recording.hit_cap > 0}};
  if (highest >> kRowBits != 0) decisions.size["RowW"] = 64 - static_cast<unsigned>(__builtin_clzll(highest));
  decisions.make = [recording = std::make_shared<const ArbiterRecording>(std::move(recording))](
                       const BuiltDesign& built, const std::string& policy) {
    return arbiter_design(built, policy, recording);
  };
  return decisions;
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["RoundRobin"] = policy == "fr_rr_fcfs";
  all["Ordered"] = policy == "fr_rr_fcfs" || policy == "fr_fcfs";
  return all;
}

constexpr const char* kProtocol =
    R"(Requests enter by a handshake: one enters at each rising edge at which req_valid_i and req_ready_o
are both 1; req_ready_o comes from registers. A decision is combinational: ask_valid_i and ask_bank_i
are answered by grant_* in the same cycle. grant_ready_i without a grant means nothing; with one the
request leaves at the edge. A grant is no promise: until it is taken, a request that enters or a row
command may change it. The environment names each request that waits by another req_id_i, tells
every row command in the cycle in which it is issued, and lets nothing depend combinationally on
grant_* but grant_ready_i.
)";

GPUTLM_REGISTER {
  DesignKind kind;
  kind.name = "arbiter";
  kind.rank = 1;
  kind.decision = []() -> const DecisionInfo& { return request_schedulers(); };
  kind.size = {{"Entries", 32, 8, 128},
               {"Banks", 16, 1, 64, true},
               {"Apps", 4, 1, 8},
               {"RowW", kRowBits, 1, 32},
               {"HasCap", 1, 0, 1}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(arbiter_knobs(arbiter_size(size))); };
  kind.make = make;
  kind.contract = {
      "arbiter_proof", {{"Entries", 8}, {"Banks", 2}, {"Apps", 3}, {"RowW", 2}, {"HasCap", 1}}, contract_of};
  kind.recorded = recorded;
  kind.protocol = kProtocol;
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
