#include <algorithm>

#include "models/work_distributor/shortest_first.h"
#include "models/work_distributor/slowdown.h"

namespace gputlm {
namespace {

/// SRTF/Adaptive (srtf, section 5.1.2): srtf as long as that is fair; otherwise kernels share their SMs, where blocks of
/// the fastest are limited to Options::fastest_residency and the rest of the room goes to the others, in the order in which
/// they would end. A newcomer is sampled as under srtf, in either mode.
///
/// What the paper leaves open, and how it is read here:
/// - A slowdown belongs to a whole kernel, so the decision is made for the GPU, not for each SM: a kernel has ended when its
///   last block has ended, on any SM, and one short block on one SM would make the mode there flap. A kernel's t is the mean
///   of the t of its SMs; its blocks left are those of the whole grid. Kernels are compared with kernels confined to the
///   same SMs, and share only where no other kernel may run. While kernels do not share, the shortest goes first, SM by SM,
///   as in srtf.
/// - Slowdowns follow from predicted turnarounds: the time since a kernel came, and the rest of it and of the kernels before
///   it. For kernels that have come together, this is the paper's (T1 + T2) / T2; for others, it does not count what happened
///   before they came. In sharing mode, they are TS1 / T1 and (TS1 + TS2) / T2 (slowdown.h); if the other kernel ends
///   before the limited one does, which these formulas leave out, the limited one runs alone afterwards.
/// - T, the runtime alone, is the latest prediction of the part of the run before the kernel shared its SMs for the first
///   time ("the prediction from the exclusive part of a run"); a kernel without one has its current prediction.
/// - Sharing begins when the slowdowns in turn, one kernel after the other, differ by more than Options::threshold, unless
///   sharing is predicted to be no fairer. "It continues to monitor slowdowns for each program": sharing ends when they differ
///   by more than was predicted in turn when sharing began (and no reason to start again has come up), or when the fastest
///   has no blocks left to send.
/// - The fastest kernel when sharing began counts as the fastest until sharing ends: otherwise the limit would pass to and
///   fro between two kernels that are about equal, and each time blocks would have to end first.
/// - Kernels without blocks left to send are not counted: no decision concerns them any more.
class SrtfAdaptive final : public KernelOrder {
 public:
  struct Options {
    unsigned threshold = 500;
    unsigned fastest_residency = 3;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::threshold, "threshold", "thousandths", 0, 1000000,
               "Difference of slowdowns in sequential execution at which kernels begin to share",
               "srtf, section 5.1.2: \"we use 0.5\"");
      v.number(&Options::fastest_residency, "fastest_residency", "blocks", 1, 128,
               "Maximum blocks per SM of the kernel that would end first, while kernels share",
               "srtf, section 5.1.2: \"a fixed residency limit of 3, one less than half of the resources, for the "
               "fastest kernel\"");
    }
  };
  struct Counters {
    std::uint64_t samples = 0, hand_overs = 0, sharings = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::samples, "samples", "launches", "Launches that were given an SM for sampling");
      v.counter(&Counters::hand_overs, "hand_overs", "blocks", "Blocks sent to an SM after a block of another launch");
      v.counter(&Counters::sharings, "sharings", "times", "Number of times that launches began to share their SMs");
    }
  };

  SrtfAdaptive(const KernelOrderSetup& setup, const Options& options)
      : options_(options), gpu_{setup.sm, setup.sms}, sampled_gpu_(setup), predictor_(*setup.predictor),
        owners_(setup.sms) {}

  void launched(const KernelState& kernel, Cycle) override { kernels_.push_back({kernel.launch->identity.kernel}); }
  void block_sent(const KernelState& kernel, SmId sm, Cycle) override {
    counters_.hand_overs += owners_.hands_over(kernel.launch->identity.kernel, sm);
  }
  void block_ended(const KernelState& kernel, const BlockLaunch& block, Cycle now) override {
    shortest_.block_ended(block.identity.sm);
    OfKernel& state = of(kernel);
    if (!state.has_shared) state.alone = predicted_alone(kernel, now);
  }
  void ended(const KernelState& kernel, Cycle) override {
    kernels_.erase(kernels_.begin() + static_cast<std::ptrdiff_t>(place(kernel)));
  }

  void reconsider(const std::vector<KernelState>& kernels, Cycle now) override {
    counters_.samples += sampling_.begins(kernels, predictor_);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const auto same = [&](const KernelState& other) { return other.sms == kernels[i].sms; };
      if (std::none_of(kernels.begin(), kernels.begin() + static_cast<std::ptrdiff_t>(i), same)) {
        reconsider_group(kernels, kernels[i].sms, now);
      }
    }
  }

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    SmSet left = offer_sample(kernels, predictor_, sampled_gpu_, offers);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (!of(kernels[i]).limited || kernels[i].all_dispatched()) continue;
      const SmSet shared = kernels[i].sms & left;
      if (shared.none()) continue;
      offers.push_back({i, shared, std::max(options_.fastest_residency, kernels[i].least_residency)});
      for (const std::size_t other : by_runtime(kernels, kernels[i].sms)) {
        if (other != i) offers.push_back({other, shared});
      }
      left &= ~shared;
    }
    const auto remaining = [&](const KernelState& k, SmId sm) {
      return predictor_.remaining(k.launch->identity.kernel, sm);
    };
    shortest_.offer(kernels, left, sampled_gpu_.gpcs, predictor_.epoch(), remaining, offers);
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  struct OfKernel {
    KernelId id;
    std::optional<Cycle> alone = std::nullopt;  ///< T of the part of the run before it shared
    bool has_shared = false;
    /// Of the limited kernel: the difference that slowdowns would have had one after the other, when sharing began; none
    /// for the others, and while kernels do not share.
    std::optional<std::uint64_t> limited = std::nullopt;
  };

  void reconsider_group(const std::vector<KernelState>& kernels, const SmSet& sms, Cycle now) {
    std::optional<std::uint64_t> bound;
    std::vector<std::size_t> order = by_runtime(kernels, sms);
    for (auto i = order.begin(); i != order.end(); ++i) {
      bound = of(kernels[*i]).limited;
      if (!bound) continue;
      std::rotate(order.begin(), i, i + 1);
      break;
    }
    const bool was_shared = bound.has_value();
    for (const KernelState& kernel : kernels) {
      if (kernel.sms == sms) of(kernel).limited.reset();
    }
    if (!may_share(kernels, order, sms)) return;
    const Forecast forecast = forecast_of(kernels, order, now);
    if (forecast.in_turn > options_.threshold && forecast.shared < forecast.in_turn) {
      bound = std::max(bound.value_or(0), forecast.in_turn);
    } else if (!bound || forecast.shared > *bound) {
      return;
    }
    counters_.sharings += !was_shared;
    of(kernels[order.front()]).limited = bound;
    for (const std::size_t i : order) of(kernels[i]).has_shared = true;
  }

  /// Known kernels that are confined to `sms` and have blocks left to send, in the order in which each would end if it ran
  /// alone from now on; ties in order of arrival.
  std::vector<std::size_t> by_runtime(const std::vector<KernelState>& kernels, const SmSet& sms) const {
    std::vector<std::pair<Cycle, std::size_t>> runtimes;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i].sms == sms && !kernels[i].all_dispatched() &&
          predictor_.sampled(kernels[i].launch->identity.kernel))
        runtimes.emplace_back(runtime(co_runner(kernels[i]), shared_sms(sms)), i);
    }
    std::sort(runtimes.begin(), runtimes.end());
    std::vector<std::size_t> order;
    order.reserve(runtimes.size());
    for (const auto& [cycles, kernel] : runtimes) order.push_back(kernel);
    return order;
  }

  /// Whether no other kernel may run there, and one has room beside the limited kernel, which would only wait otherwise.
  bool may_share(const std::vector<KernelState>& kernels, const std::vector<std::size_t>& order,
                 const SmSet& sms) const {
    if (order.size() < 2) return false;
    const auto intrudes = [&](const KernelState& kernel) {
      return !kernel.all_dispatched() && kernel.sms != sms && (kernel.sms & sms).any();
    };
    if (std::any_of(kernels.begin(), kernels.end(), intrudes)) return false;
    const BlockDemand& fastest = kernels[order.front()].demand;
    Resources room = gpu_.sm;
    room -= fastest.takes * std::min(options_.fastest_residency, residency(fastest, room));
    return std::any_of(order.begin() + 1, order.end(),
                       [&](std::size_t other) { return fits(kernels[other].demand, room); });
  }

  /// Predicted differences between slowdowns at the end, in turn and shared.
  struct Forecast {
    std::uint64_t in_turn, shared;
  };
  Forecast forecast_of(const std::vector<KernelState>& kernels, const std::vector<std::size_t>& order,
                       Cycle now) const {
    std::vector<CoRunner> runners;
    for (const std::size_t i : order) {
      CoRunner runner = co_runner(kernels[i]);
      runner.elapsed = now - kernels[i].launch->arrived;
      runner.alone = of(kernels[i]).alone ? *of(kernels[i]).alone : predicted_alone(kernels[i], now);
      runners.push_back(runner);
    }
    const SharedSms where = shared_sms(kernels[order.front()].sms);
    const std::uint64_t shared = spread(slowdowns_shared(runners, where, options_.fastest_residency));
    const auto ends_first = [&](const CoRunner& a, const CoRunner& b) { return runtime(a, where) < runtime(b, where); };
    std::stable_sort(runners.begin(), runners.end(), ends_first);
    return {spread(slowdowns_in_turn(runners, where)), shared};
  }

  CoRunner co_runner(const KernelState& kernel) const {
    CoRunner runner;
    runner.demand = kernel.demand;
    runner.blocks = kernel.blocks - kernel.ended;
    Cycle sum = 0;
    for (SmId sm = 0; sm < gpu_.count; ++sm) {
      if (kernel.sms.test(sm)) sum += *predictor_.block_duration(kernel.launch->identity.kernel, sm);
    }
    runner.t = std::max<Cycle>(1, sum / shared_sms(kernel.sms).count);
    return runner;
  }

  /// Equation 2 over the kernel's SMs.
  Cycle predicted_alone(const KernelState& kernel, Cycle now) const {
    const SharedSms sms = shared_sms(kernel.sms);
    Cycle active = 0;
    for (SmId sm = 0; sm < gpu_.count; ++sm) {
      if (kernel.sms.test(sm)) active += predictor_.active_cycles(kernel.launch->identity.kernel, sm, now);
    }
    return std::max<Cycle>(1, active / sms.count + runtime(co_runner(kernel), sms));
  }

  SharedSms shared_sms(const SmSet& sms) const {
    return {gpu_.sm, static_cast<unsigned>((sms & all_sms(gpu_.count)).count())};
  }
  std::size_t place(const KernelState& kernel) const {
    const auto is = [&](const OfKernel& state) { return state.id == kernel.launch->identity.kernel; };
    return static_cast<std::size_t>(std::find_if(kernels_.begin(), kernels_.end(), is) - kernels_.begin());
  }
  OfKernel& of(const KernelState& kernel) { return kernels_[place(kernel)]; }
  const OfKernel& of(const KernelState& kernel) const { return kernels_[place(kernel)]; }

  Options options_;
  SharedSms gpu_;
  SampledGpu sampled_gpu_;
  const SlicingPredictor& predictor_;
  SmOwners owners_;
  Sampling sampling_;
  mutable ShortestFirst shortest_;
  Counters counters_;
  std::vector<OfKernel> kernels_;  ///< kernels in flight, in order of arrival
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<SrtfAdaptive>(
      {{"srtf_adaptive", 5},
       "As srtf, but kernels share SMs while sequential execution would slow them down too unequally",
       "srtf, section 5.1.2",
       {Property::kNeedsPredictor}});
}

}  // namespace gputlm
