/// What the kernel order of a context was told and asked, as lines of kernel_order.csv (docs/rtl.md).
#include <algorithm>
#include <optional>

#include "models/work_distributor/work_distributor.h"
#include "platform/probes/recordings.h"
#include "platform/probes/row_file.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

constexpr const char* kKernelOrderFile = "kernel_order.csv";
constexpr std::uint64_t kMostInFlight = 65536;  ///< work_distributor.kernels_in_flight

using OrderKind = KernelOrderEvent::Kind;

const EventNames& kernel_order_events() {
  static const EventNames names{"comes", "sends", "sends_last", "ends"};
  return names;
}

struct KernelOrderRow {
  const KernelOrderEvent& event;  ///< with kernels by their numbers

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const KernelOrderRow& r) { return r.event.at; }, "cycle", Value{"core cycles"}, "It happened");
    v.field([](const KernelOrderRow& r) { return name_of(kernel_order_events(), r.event.kind); }, "event", Value{},
            "`comes`: the kernel is in flight from now on; `sends`: the answer was this kernel, and a block of it is "
            "sent; `sends_last`: likewise, the last one that it has; `ends`: all its blocks have");
    v.field([](const KernelOrderRow& r) { return r.event.kernel; }, "kernel", Value{},
            "Its number among those in flight: the lowest one that was free");
    v.field([](const KernelOrderRow& r) { return r.event.priority; }, "priority", Value{},
            "Of one that `comes`, lower is more urgent; else 0");
    v.field([](const KernelOrderRow& r) { return fmt::format("{}", fmt::join(r.event.pending, " ")); }, "pending",
            Value{},
            "Kernels from which the one that `sends` was chosen, separated by blanks: they have blocks left, and SMs "
            "that no "
            "kernel ahead of them waits for");
  }
};

/// "0 3".
std::vector<KernelId> kernels_of(const CsvReader& csv, std::string_view text) {
  std::vector<KernelId> kernels;
  while (!text.empty()) {
    const auto kernel = take_number<KernelId>(text);
    if (!kernel || *kernel >= kMostInFlight || (!text.empty() && text.front() != ' '))
      csv.fail("pending: allowed are numbers of kernels, separated by blanks");
    kernels.push_back(*kernel);
    if (!text.empty()) text.remove_prefix(1);
  }
  return kernels;
}

class RecordsKernelOrder final : public Probe {
 public:
  explicit RecordsKernelOrder(const std::string& value) : value_("kernel_order", value, "CONTEXT") {}

  void attach(ProbeSite& site) override {
    // Contexts are numbered through all work distributors.
    const auto distributors = site.units<WorkDistributor>("work distributor");
    std::size_t contexts = 0;
    for (const WorkDistributor* const one : distributors) contexts += one->core().contexts();
    value_.check(contexts);
    csv_.open(site, kKernelOrderFile);
    std::size_t context = value_.unit;
    auto one = distributors.begin();
    for (; context >= (*one)->core().contexts(); ++one) context -= (*one)->core().contexts();
    site.watch(**one, (*one)->core().record_order(context), [this](const KernelOrderEvent& event) { note(event); });
  }

 private:
  void note(KernelOrderEvent event) {
    if (sent_ == value_.decisions) return;
    if (event.kind == OrderKind::kSends || event.kind == OrderKind::kSendsLast) ++sent_;
    const KernelId kernel = event.kernel;
    if (event.kind == OrderKind::kComes) {
      auto free = std::find(kernels_.begin(), kernels_.end(), std::nullopt);
      if (free == kernels_.end()) free = kernels_.insert(free, std::nullopt);
      *free = kernel;
    }
    event.kernel = number_of(kernel);
    for (KernelId& pending : event.pending) pending = number_of(pending);
    csv_.write({event});
    if (event.kind == OrderKind::kEnds) kernels_[event.kernel].reset();
  }
  KernelId number_of(KernelId kernel) const {
    return static_cast<KernelId>(std::find(kernels_.begin(), kernels_.end(), kernel) - kernels_.begin());
  }

  RecordingValue value_;
  std::uint64_t sent_ = 0;
  std::vector<std::optional<KernelId>> kernels_;  ///< in flight, by number
  RowFile<KernelOrderRow> csv_;
};

std::vector<KernelOrderEvent> read_kernel_order_recording(const RecordedRun& run) {
  std::vector<bool> in_flight(kMostInFlight);
  return read_recording<KernelOrderEvent>(
      run, kKernelOrderFile, "kernel_order", kernel_order_events(), [&](CsvReader& csv, KernelOrderEvent& event) {
        const std::uint64_t kernel = csv.number(csv.column("kernel"));
        if (kernel >= kMostInFlight) csv.fail(fmt::format("kernel: allowed is 0 to {}", kMostInFlight - 1));
        const bool comes = event.kind == OrderKind::kComes;
        if (in_flight[kernel] == comes)
          csv.fail(fmt::format("kernel {} is {}", kernel, comes ? "in flight already" : "not in flight"));
        if (comes || event.kind == OrderKind::kEnds) in_flight[kernel] = comes;
        event.kernel = static_cast<KernelId>(kernel);
        const std::int64_t priority = csv.integer(csv.column("priority"));
        if (priority < kMinPriority || priority > kMaxPriority)
          csv.fail(fmt::format("priority: allowed is {} to {}", kMinPriority, kMaxPriority));
        event.priority = static_cast<int>(priority);
        event.pending = kernels_of(csv, csv.field(csv.column("pending")));
      });
}

GPUTLM_REGISTER {
  add_probe<RecordsKernelOrder>("kernel_order",
                                "kernel_order.csv: which kernel's block is sent next, to be played on hardware", 36);
  add_row_table<KernelOrderRow>(kKernelOrderFile, "What a kernel order was told and asked; `--probe kernel_order`");
  add_recording("kernel_order", read_kernel_order_recording);
}

}  // namespace
}  // namespace gputlm
