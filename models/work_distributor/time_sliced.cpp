#include <array>

#include "models/work_distributor/application.h"

namespace gputlm {
namespace {

constexpr Femtoseconds kMicrosecond = 1000000000;

/// The runlist (cuda-hierarchy, section III-A): work-conserving TDMA among channels, one per application. A round
/// has passes: all channels are in the first, in the order of the workload; those with a second slot in the second, and so
/// on. A channel without work is skipped; one that runs out of work gives up the rest of its slot. The time of a context
/// switch is not part of a slot (NVIDIA, open-gpu-doc, dev_ram.ref of GV100, "Runlist TSG Entry Type": "Time spent switching a
/// context into an engine is not part of the runlist timeslice").
class TimeSliced final : public ApplicationPolicy {
 public:
  struct Options {
    unsigned time_slice_us = 1024;
    bool instruction_preemption = false;
    bool learn = true;
    unsigned switch_us = 0;
    bool switch_when_waiting = true;
    unsigned slots_low = 1, slots_medium = 2, slots_high = 3;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(
          &Options::time_slice_us, "time_slice_us", "us", 1, 1000000,
          "Time slice of applications without a time_slice_us of their own",
          "NVIDIA's driver for Tegra (nvgpu): NVGPU_TSG_TIMESLICE_DEFAULT_US; 1049 us is what hardware begins with "
          "(open-gpu-doc, dev_ram.ref of GV100: NV_RAMRL_ENTRY_TSG_TIMESLICE)");
      v.flag(&Options::instruction_preemption, "instruction_preemption",
             "Blocks are preempted at an instruction boundary at the end of a slice; else they run to completion",
             "cuda-hierarchy, section III-A: CTA boundary, instruction boundary");
      v.flag(&Options::learn, "learn",
             "If no kernel of a run uses memory, the state of preempted blocks moves at the pace of earlier switches, "
             "without packets",
             "sampled simulation: docs/blocks.md");
      v.number(&Options::switch_us, "switch_us", "us", 0, 100000,
               "Time to switch between the contexts of two applications, excluding their blocks",
               "none: docs/contexts.md has what was measured");
      v.flag(
          &Options::switch_when_waiting, "switch_when_waiting",
          "An application whose launches all wait for something other than its kernels gives up the rest of its slot",
          "NVIDIA, open-gpu-doc, dev_pbdma.ref of GV100: NV_UDMA_SEM_EXECUTE_ACQUIRE_SWITCH_TSG");
      const char* const slots = "NVIDIA DRIVE OS 5.1, Tegra GPU scheduling: runlist interleave frequency";
      v.number(&Options::slots_low, "slots_low", "slots", 1, 64, "Slots per round with timeslice_priority low or none",
               slots);
      v.number(&Options::slots_medium, "slots_medium", "slots", 1, 64, "Slots per round with timeslice_priority medium",
               slots);
      v.number(&Options::slots_high, "slots_high", "slots", 1, 64, "Slots per round with timeslice_priority high",
               slots);
    }
  };

  TimeSliced(const ApplicationSetup& setup, const Options& options)
      : preempts_instructions_(options.instruction_preemption), learns_switches_(options.learn),
        waits_are_work_(!options.switch_when_waiting),
        switch_cycles_(setup.clock.at_or_after(options.switch_us * kMicrosecond)) {
    const std::array<unsigned, 3> slots{options.slots_low, options.slots_medium, options.slots_high};
    for (const EngineShare& share : setup.shares) {
      const auto priority = share.timeslice_priority.value_or(TimeslicePriority::kLow);
      const Femtoseconds slice = share.time_slice.value_or(options.time_slice_us * kMicrosecond);
      channels_.push_back({setup.clock.at_or_after(slice), slots.at(static_cast<std::size_t>(priority))});
    }
  }

  bool preempts_instructions() const override { return preempts_instructions_; }
  bool learns_switches() const override { return learns_switches_; }
  Cycle switch_cycles() const override { return switch_cycles_; }
  bool waits_are_work() const override { return waits_are_work_; }
  Turn next(const std::vector<Channel>& channels) override {
    do {
      advance();
    } while (!channels[place_].has_work || pass_ >= channels_[place_].slots);
    return {static_cast<ApplicationId>(place_), channels_[place_].slice};
  }

 private:
  struct OfChannel {
    Cycle slice;
    unsigned slots;
  };
  void advance() {
    if (++place_ < channels_.size()) return;
    place_ = 0;
    ++pass_;
    for (const OfChannel& channel : channels_) {
      if (pass_ < channel.slots) return;
    }
    pass_ = 0;
  }

  bool preempts_instructions_, learns_switches_, waits_are_work_;
  Cycle switch_cycles_;
  std::vector<OfChannel> channels_;
  // The slot given last; initially, the slot before a round.
  std::size_t place_ = ~std::size_t{0};
  unsigned pass_ = 0;
};

}  // namespace

GPUTLM_REGISTER {
  application_policies().add<TimeSliced>({{"time_sliced", 3},
                                          "One application at a time, by the slots of a runlist (work-conserving TDMA)",
                                          "cuda-hierarchy, section III-A",
                                          {Property::kHeedsTimeSlices}});
}

}  // namespace gputlm
