/// Arbiters of DRAM controllers.
#include <fmt/format.h>

#include <algorithm>

#include "models/dram/controller.h"
#include "testbench/kind/bench_of.h"
#include "testbench/kinds/arbiter/bench.h"
#include "testbench/kinds/arbiter/coverage.h"
#include "testbench/kinds/arbiter/in_hardware.h"
#include "testbench/kinds/arbiter/traffic.h"
#include "testbench/lockstep/granted.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  return {{"Entries", ports.at("grant_o")},
          {"Banks", 1u << ports.at("ask_bank_i")},
          {"Apps", 1u << ports.at("req_app_i")},
          {"RowW", ports.at("req_row_i")},
          {"HasCap", 1}};
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["RoundRobin"] = policy == "fr_rr_fcfs";
  all["Ordered"] = policy == "fr_rr_fcfs" || policy == "fr_fcfs";
  return all;
}

struct ArbiterRecords : Recorded<ArbiterEvent> {
  static constexpr const char *kKind = "arbiter", *kUnit = "CHANNEL", *kClock = "command cycles";
  static constexpr const char* kDecides = "what the scheduler of a DRAM channel decides";
  static constexpr const char* kWho = "a memory arbiter";
  static constexpr const char* kEvents =
      "`arrives`: a burst enters the queue; `activates`, `precharges`, `serves`: the answer for its bank was this "
      "request, and the command for it is issued; `opens`, `closes`: a row command for no request of this queue";
  static std::vector<const char*> events() {
    return {"arrives", "activates", "precharges", "opens", "closes", "serves"};
  }
  static bool is_decision(Event::Kind kind) { return kind == Event::Kind::kServes; }

  template <class Visitor>
  static void columns(Visitor& v) {
    v.number(
        [](auto& e) -> auto& { return e.bank; }, "bank", Value{}, "Bank of the channel");
    v.number(
        [](auto& e) -> auto& { return e.row; }, "row", Value{}, "Row of the request; 0 for `closes`");
    v.number(
        [](auto& e) -> auto& { return e.application; }, "application", Value{}, "Number of the request's application");
  }

  RecordedPlace<Event> place(ProbeSite& site, const RecordingValue& value) {
    const auto channels = site.units<DramController>("DRAM controller");
    value.check(channels.size());
    return {*channels[value.unit], channels[value.unit]->core().arbiter};
  }
  bool adopt(const Event& event) const { return event.queue == 0; }
};

std::string row_text(Row row) { return row == kNoRow ? "none" : fmt::format("{:#x}", row); }

struct ArbiterKind : OnBench {
  using Hardware = ArbiterHardware;
  using Records = ArbiterRecords;
  using Recording = ArbiterRecording;
  using Expected = ArbiterExpected;
  using Reference = ArbiterReference;
  using Random = ArbiterTraffic;
  using Knobs = ArbiterKnobs;
  using Played = PlayedArbiter;
  using Coverage = ArbiterCoverage;

  static unsigned set_bits(const ArbiterOutputs& outputs) {
    unsigned bits = 0;
    for (const std::uint64_t word : outputs.grant) bits += static_cast<unsigned>(__builtin_popcountll(word));
    return bits;
  }
  static bool agrees(const Reference&, const ArbiterExpected& expected, const ArbiterOutputs& found) {
    if (found.req_ready != expected.req_ready || found.grant_valid != expected.grant_valid) return false;
    if (set_bits(found) != (expected.grant_valid ? 1u : 0u)) return false;
    if (!expected.grant_valid) return true;
    const Request& request = expected.request;
    return found.grant_id == request.slot && found.grant_row == request.row && found.grant_app == request.application &&
           found.grant_hit == expected.grant_hit;
  }
  static std::string describe(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterOutputs& found,
                              const Reference& state);

  /// Row numbers have the standard width if it is sufficient.
  static Recording recorded(const RecordedRun& run, std::vector<ArbiterEvent> events, RecordedDecisions& decisions) {
    decisions.policy = model_of(run.name("dram.scheduler"));
    decisions.clock_mhz = run.number("dram.command_mhz");
    Recording recording{with_short_rows(std::move(events)), static_cast<unsigned>(run.number("dram.row_hit_cap"))};
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
    if (highest > largest_of(ArbiterSize::Default::row_bits)) decisions.size["RowW"] = bits_of(highest);
    return recording;
  }
};

std::string ArbiterKind::describe(const ArbiterInputs& inputs, const ArbiterExpected& expected,
                                  const ArbiterOutputs& found, const Reference& state) {
  const auto asked = expected.grant_valid ? std::optional<unsigned>(expected.request.slot) : std::nullopt;
  std::string text = granted_text("request", asked,
                                  found.grant_valid ? std::vector<unsigned>{found.grant_id} : std::vector<unsigned>{});
  const auto line = [&](const char* port, std::uint64_t should, std::uint64_t is) {
    text += expected_line(port, should, is);
  };
  line("req_ready_o", expected.req_ready, found.req_ready);
  line("grant_valid_o", expected.grant_valid, found.grant_valid);
  line("bits of grant_o", expected.grant_valid, set_bits(found));
  if (expected.grant_valid) {
    line("grant_id_o", expected.request.slot, found.grant_id);
    line("grant_row_o", expected.request.row, found.grant_row);
    line("grant_app_o", expected.request.application, found.grant_app);
    line("grant_hit_o", expected.grant_hit, found.grant_hit);
  }
  text += fmt::format("  inputs: reset {}, hit_cap {}, request {} (bank {} row {:#x} application {} id {}), ",
                      !inputs.rst_n, inputs.hit_cap, inputs.req_valid, inputs.req_bank, inputs.req_row, inputs.req_app,
                      inputs.req_id);
  text += fmt::format("row command {} ({} bank {} row {:#x}), ask {} (bank {}), grant_ready {}\n", inputs.row_valid,
                      inputs.row_open ? "ACTIVATE" : "PRECHARGE", inputs.row_bank, inputs.row_row, inputs.ask_valid,
                      inputs.ask_bank, inputs.grant_ready);
  const ArbiterReference::Bank& bank = state.bank(inputs.ask_bank);
  text += fmt::format("  queue: {} of {}; bank {}: open row {}, {} served since ACTIVATE, application {} served last\n",
                      state.waiting(), state.size().entries, inputs.ask_bank, row_text(bank.open_row), bank.served,
                      bank.last_served);
  for (const Request& request : bank.pending) {
    text += fmt::format("    id {:<3} application {} row {:#x}{}\n", request.slot, request.application, request.row,
                        request.row == bank.open_row ? " hit" : "");
  }
  return text;
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
  Kind kind;
  kind.name = "arbiter";
  kind.rank = 1;
  kind.like = "rtl/fr_rr_fcfs_arbiter.sv";
  kind.modules = {{"fr_fcfs_arbiter", "FR-FCFS memory arbiter: oldest row hit, else oldest"},
                  {"fr_rr_fcfs_arbiter", "FR-RR-FCFS memory arbiter: oldest row hit, else applications in turn"}};
  kind.cost_order = {"Entries", "Apps", "Banks", "RowW", "HasCap"};
  kind.cost_size = {{"HasCap", 0}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.contract = {
      "arbiter_proof", {{"Entries", 8}, {"Banks", 2}, {"Apps", 3}, {"RowW", 2}, {"HasCap", 1}}, contract_of};
  kind.protocol = kProtocol;
  add_kind<ArbiterKind>(std::move(kind));
}

}  // namespace

Design arbiter_design(const BuiltDesign& built, const std::string& policy, SchedulerMaker make_schedulers) {
  const auto size = ArbiterSize::of(built.size);
  return design_of<ArbiterKind>(built, policy, nullptr, [size, make_schedulers = std::move(make_schedulers)] {
    return ArbiterReference(size, make_schedulers);
  });
}

}  // namespace gputlm
