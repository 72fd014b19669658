/// Admissions to the queues of DRAM controllers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/bit_words.h"
#include "models/dram/controller.h"
#include "testbench/kind/bench_of.h"
#include "testbench/kinds/admission/coverage.h"
#include "testbench/kinds/admission/in_hardware.h"
#include "testbench/kinds/admission/traffic.h"
#include "testbench/lockstep/granted.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned applications = ports.at("head_valid_i");
  return {{"Entries", static_cast<unsigned>(largest_of(ports.at("reserved_i")))},
          {"Apps", applications},
          {"LengthW", ports.at("head_length_i") / applications},
          {"HasShared", 1}};
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Ordered"] = policy == "reserved";
  return all;
}

/// "0:4 2:1".
std::string text_of(const AdmissionHeads& heads) {
  std::string text;
  for (unsigned a = 0; a < kMaxAdmitted; ++a) {
    if ((heads.waiting >> a & 1) != 0) text += fmt::format("{}{}:{}", text.empty() ? "" : " ", a, heads.bursts[a]);
  }
  return text;
}

AdmissionHeads heads_of(const CsvReader& csv, std::string_view text) {
  AdmissionHeads heads;
  while (!text.empty()) {
    const auto application = take_number<unsigned>(text);
    const bool colon = !text.empty() && text.front() == ':';
    if (colon) text.remove_prefix(1);
    const auto bursts = take_number<unsigned>(text);
    if (!application || *application >= kMaxAdmitted || !colon || !bursts) {
      csv.fail("heads: allowed is APPLICATION:BURSTS, several of them separated by blanks");
    }
    heads.waiting |= std::uint64_t{1} << *application;
    heads.bursts[*application] = *bursts;
    if (!text.empty()) text.remove_prefix(1);
  }
  return heads;
}

struct AdmissionRecords : Recorded<AdmissionEvent> {
  static constexpr const char *kKind = "admission", *kUnit = "CHANNEL", *kClock = "command cycles";
  static constexpr const char* kDecides = "whose access enters a DRAM channel's queue";
  static constexpr const char* kWho = "an admission";
  static constexpr const char* kEvents =
      "`enters`: the answer was this application, and its access enters the queue; `leaves`: a burst is served";
  static std::vector<const char*> events() { return {"enters", "leaves"}; }
  static bool is_decision(Event::Kind kind) { return kind == Event::Kind::kEnters; }

  template <class Visitor>
  static void columns(Visitor& v) {
    v.number([](auto& e) -> auto& { return e.application; }, "application", Value{},
             "Number of the application, as `dram.applications` counts", {0, kMaxAdmitted - 1});
    v.text([](const Event& e) { return text_of(e.heads); },
           [](const CsvReader& csv, Event& e, std::string_view text) { e.heads = heads_of(csv, text); }, "heads",
           "Waiting accesses that fit, as APPLICATION:BURSTS, separated by blanks; empty for `leaves`");
  }

  RecordedPlace<Event> place(ProbeSite& site, const RecordingValue& value) {
    const auto channels = site.units<DramController>("DRAM controller");
    value.check(channels.size());
    return {*channels[value.unit], channels[value.unit]->core().admission};
  }
};

struct AdmissionKind : OnBench {
  using Hardware = AdmissionHardware;
  using Records = AdmissionRecords;
  using Recording = AdmissionRecording;
  using Expected = std::optional<unsigned>;
  using Reference = AdmissionReference;
  using Random = AdmissionTraffic;
  using Knobs = AdmissionKnobs;
  using Played = PlayedAdmission;
  using Coverage = AdmissionCoverage;

  static bool agrees(const Reference&, std::optional<unsigned> expected, const AdmissionOutputs& found) {
    return found.admit_valid == expected.has_value() && found.admit == (expected ? 1u << *expected : 0) &&
           found.admit_app == expected.value_or(0);
  }
  static std::string describe(const AdmissionInputs& inputs, std::optional<unsigned> expected,
                              const AdmissionOutputs& found, const Reference& reference) {
    std::string text = granted_text("application", expected, numbers_of(std::array<std::uint64_t, 1>{found.admit}));
    text += fmt::format("  outputs: admit_valid_o {:d}, admit_app_o {}\n", found.admit_valid, found.admit_app);
    text += fmt::format("  inputs: reset {}, ready {}, leave {} (application {})\n", !inputs.rst_n, inputs.admit_ready,
                        inputs.leave_valid, inputs.leave_app);
    text += fmt::format("  {} entries reserved for each, {} of {} shared ones left; application {} was last\n",
                        reference.reserved(), reference.shared_left(), reference.shared(), reference.last());
    for (unsigned a = 0; a < reference.size().applications; ++a) {
      text += fmt::format("    application {}: {} in the queue, {} at the head\n", a, reference.used(a),
                          inputs.head_valid >> a & 1 ? reference.length(inputs, a) : 0);
    }
    return text;
  }

  static Recording recorded(const RecordedRun& run, std::vector<AdmissionEvent> events, RecordedDecisions& decisions) {
    decisions.policy = model_of(run.name("dram.admission"));
    decisions.clock_mhz = run.number("dram.command_mhz");
    const auto entries = static_cast<unsigned>(run.number("dram.queue"));
    const auto applications = static_cast<unsigned>(run.number("dram.applications"));
    const auto reserved = static_cast<unsigned>(run.number("dram.reserved"));
    const unsigned shared = entries - applications * reserved;
    decisions.size = {{"Entries", std::max(8u, entries)}, {"Apps", applications}, {"HasShared", shared > 0}};
    return {std::move(events), reserved, shared};
  }
};

constexpr const char* kProtocol =
    R"(A valid-ready handshake: the access of the granted application enters at each rising edge at which
admit_valid_o and admit_ready_i are both 1. A decision is combinational: head_valid_i is answered by
admit_* in the same cycle, and may change until it is taken. A head stays until its access enters.
A burst that leaves (leave_valid_i) makes room from the next cycle on.
)";

GPUTLM_REGISTER {
  Kind kind;
  kind.name = "admission";
  kind.rank = 2;
  kind.like = "rtl/reserved_admission.sv";
  kind.modules = {
      {"reserved_admission", "Admission to a memory controller's queue: applications in turn, entries kept for each"}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.contract = {"admission_proof", {{"Entries", 8}, {"Apps", 3}, {"LengthW", 2}, {"HasShared", 1}}, contract_of};
  kind.protocol = kProtocol;
  add_kind<AdmissionKind>(std::move(kind));
}

}  // namespace
}  // namespace gputlm
