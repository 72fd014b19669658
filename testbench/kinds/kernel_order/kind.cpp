/// Kernel orders of the work distributor.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "models/bit_words.h"
#include "models/work_distributor/work_distributor.h"
#include "testbench/kind/bench_of.h"
#include "testbench/kinds/kernel_order/coverage.h"
#include "testbench/kinds/kernel_order/in_hardware.h"
#include "testbench/kinds/kernel_order/traffic.h"
#include "testbench/lockstep/granted.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kMostInFlight = 65536;  ///< work_distributor.kernels_in_flight

RtlParameters size_of(const RtlParameters& ports) {
  return {{"Kernels", ports.at("grant_o")}, {"LevelW", ports.at("event_level_i")}};
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Ordered"] = policy == "leftover";
  return all;
}

/// "0 3".
void parse_pending(const CsvReader& csv, KernelOrderEvent& event, std::string_view text) {
  while (!text.empty()) {
    const auto kernel = take_number<KernelId>(text);
    if (!kernel || *kernel >= kMostInFlight || (!text.empty() && text.front() != ' '))
      csv.fail("pending: allowed are numbers of kernels, separated by blanks");
    event.pending.push_back(*kernel);
    if (!text.empty()) text.remove_prefix(1);
  }
}

class KernelOrderRecords : public Recorded<KernelOrderEvent> {
 public:
  static constexpr const char *kKind = "kernel_order", *kUnit = "CONTEXT", *kClock = "core cycles";
  static constexpr const char* kDecides = "which kernel's block is sent next";
  static constexpr const char* kWho = "a kernel order";
  static constexpr const char* kEvents =
      "`comes`: the kernel is in flight from now on; `sends`: the answer was this kernel, and a block of it is "
      "sent; `sends_last`: the same with its last block; `ends`: all its blocks have ended";
  static std::vector<const char*> events() { return {"comes", "sends", "sends_last", "ends"}; }
  static bool is_decision(Event::Kind kind) { return kind == Event::Kind::kSends || kind == Event::Kind::kSendsLast; }

  template <class Visitor>
  static void columns(Visitor& v) {
    v.number([](auto& e) -> auto& { return e.kernel; }, "kernel", Value{},
             "Number among the kernels in flight: the lowest free one on arrival", {0, kMostInFlight - 1});
    v.number([](auto& e) -> auto& { return e.priority; }, "priority", Value{},
             "Priority of a kernel that `comes`, lower is more urgent; else 0", {kMinPriority, kMaxPriority});
    v.text([](const Event& e) { return fmt::format("{}", fmt::join(e.pending, " ")); }, parse_pending, "pending",
           "Kernels from which the one that `sends` was chosen, separated by blanks: they have blocks left, and SMs "
           "that no "
           "kernel ahead of them waits for");
  }
  struct Rules {
    std::vector<bool> in_flight = std::vector<bool>(kMostInFlight);
    void check(const CsvReader& csv, const Event& event) {
      const bool comes = event.kind == Event::Kind::kComes;
      if (in_flight[event.kernel] == comes)
        csv.fail(fmt::format("kernel {} is {}", event.kernel, comes ? "in flight already" : "not in flight"));
      if (comes || event.kind == Event::Kind::kEnds) in_flight[event.kernel] = comes;
    }
  };

  /// Contexts are numbered across all work distributors.
  RecordedPlace<Event> place(ProbeSite& site, const RecordingValue& value) {
    const auto distributors = site.units<WorkDistributor>("work distributor");
    std::size_t contexts = 0;
    for (const WorkDistributor* const one : distributors) contexts += one->core().contexts();
    value.check(contexts);
    std::size_t context = value.unit;
    auto one = distributors.begin();
    for (; context >= (*one)->core().contexts(); ++one) context -= (*one)->core().contexts();
    return {**one, (*one)->core().record_order(context)};
  }
  /// Assigns numbers to kernels.
  bool adopt(Event& event) {
    if (event.kind == Event::Kind::kComes) {
      auto free = std::find(kernels_.begin(), kernels_.end(), std::nullopt);
      if (free == kernels_.end()) free = kernels_.insert(free, std::nullopt);
      *free = event.kernel;
    }
    event.kernel = number_of(event.kernel);
    for (KernelId& pending : event.pending) pending = number_of(pending);
    if (event.kind == Event::Kind::kEnds) kernels_[event.kernel].reset();
    return true;
  }

 private:
  KernelId number_of(KernelId kernel) const {
    return static_cast<KernelId>(std::find(kernels_.begin(), kernels_.end(), kernel) - kernels_.begin());
  }
  std::vector<std::optional<KernelId>> kernels_;  ///< kernels in flight, by number
};

struct KernelOrderKind : OnBench {
  using Hardware = KernelOrderHardware;
  using Records = KernelOrderRecords;
  using Recording = std::vector<KernelOrderEvent>;
  using Expected = std::optional<unsigned>;
  using Reference = KernelOrderReference;
  using Random = KernelOrderTraffic;
  using Knobs = KernelOrderKnobs;
  using Played = PlayedKernelOrder;
  using Coverage = KernelOrderCoverage;

  static bool agrees(const Reference&, std::optional<unsigned> expected, const KernelOrderOutputs& found) {
    return found.grant_valid == expected.has_value() && found.grant == one_bit<KernelNumbers().size()>(expected) &&
           found.grant_kernel == expected.value_or(0);
  }
  static std::string describe(const KernelOrderInputs& inputs, std::optional<unsigned> expected,
                              const KernelOrderOutputs& found, const Reference& reference) {
    std::string text = granted_text("kernel", expected, numbers_of(found.grant));
    text += fmt::format("  outputs: grant_valid_o {:d}, grant_kernel_o {}\n", found.grant_valid, found.grant_kernel);
    text += fmt::format("  inputs: reset {}, event {} (enter {}, kernel {}, level {})\n  in flight, the first first:\n",
                        !inputs.rst_n, inputs.event_valid, inputs.event_enter, inputs.event_kernel, inputs.event_level);
    for (const auto& kernel : reference.kernels()) {
      text += fmt::format("    kernel {:<2} level {}{}\n", kernel.number, kernel.level,
                          has_bit(inputs.pending, kernel.number) ? ", has blocks left" : "");
    }
    return text;
  }

  /// The number of kernels is that of the run's GPU. Levels have the standard width if it is sufficient.
  static Recording recorded(const RecordedRun& run, std::vector<KernelOrderEvent> events,
                            RecordedDecisions& decisions) {
    using Size = KernelOrderSize;
    decisions.policy = model_of(run.name("work_distributor.kernel_order"));
    decisions.clock_mhz = run.number("core_mhz");
    unsigned level_bits = Size::Default::level_bits;
    for (const KernelOrderEvent& event : events) {
      const int least = std::min(event.priority, -event.priority - 1);
      while (least < -(1 << (level_bits - 1))) ++level_bits;
    }
    const double in_flight = run.number("work_distributor.kernels_in_flight");
    decisions.size = {{"Kernels", static_cast<unsigned>(std::clamp<double>(in_flight, 2, Size::Most::kernels))},
                      {"LevelW", level_bits}};
    return events;
  }
};

constexpr const char* kProtocol =
    R"(There is no handshake: grant_* says combinationally which kernel is next, of those in pending_i, and
the environment sends blocks of it as long as it likes. An event (event_valid_i), a kernel that comes
or has ended, acts at the rising edge. A number is given to one kernel at a time.
)";

GPUTLM_REGISTER {
  Kind kind;
  kind.name = "kernel_order";
  kind.rank = 5;
  kind.like = "rtl/leftover_kernel_order.sv";
  kind.modules = {
      {"leftover_kernel_order", "Work distributor: the most urgent kernel with blocks left, the first of these"}};
  kind.in_size = 2;
  kind.size_of = size_of;
  kind.contract = {"kernel_order_proof", {{"Kernels", 4}, {"LevelW", 2}}, contract_of};
  kind.protocol = kProtocol;
  add_kind<KernelOrderKind>(std::move(kind));
}

}  // namespace
}  // namespace gputlm
