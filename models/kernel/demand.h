/// A kernel's demand on the hardware, as a profiler's counters: sums over one launch, alone on a GPU. A counter that was
/// not measured is unknown, not 0.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "models/kernel/instruction.h"
#include "tlm/base/record.h"

namespace gputlm {

/// Warp instructions by Pipe.
struct PipeInstructions {
  using Count = std::optional<double>;

  Count fp32, integer, fp64, sfu, tensor, load_store, control;

  const Count& operator[](std::size_t pipe) const { return this->*of(pipe); }
  Count& operator[](std::size_t pipe) { return this->*of(pipe); }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = PipeInstructions;
    constexpr Real kInstructions{0, 1e18, "instructions"};
    v.field(&S::fp32, "fp32_instructions", kInstructions, "Warp instructions in the FP32 and FP16 pipes");
    v.field(&S::integer, "int_instructions", kInstructions, "Warp instructions in the integer pipe");
    v.field(&S::fp64, "fp64_instructions", kInstructions, "Warp instructions in the FP64 pipe");
    v.field(&S::sfu, "sfu_instructions", kInstructions, "Warp instructions in the special function unit");
    v.field(&S::tensor, "tensor_instructions", kInstructions, "Warp instructions in the tensor core");
    v.field(&S::load_store, "load_store_instructions", kInstructions, "Warp instructions in the load/store unit");
    v.field(&S::control, "control_instructions", kInstructions, "Warp instructions such as branches and barriers");
  }

 private:
  static Count PipeInstructions::*of(std::size_t pipe) {
    using S = PipeInstructions;
    constexpr std::array<Count S::*, kPipes> kAll{&S::fp32,   &S::integer,    &S::fp64,   &S::sfu,
                                                  &S::tensor, &S::load_store, &S::control};
    return kAll[pipe];
  }
};

struct KernelDemand {
  using Count = std::optional<double>;  ///< empty: not measured; never below 0

  Count duration_us;         ///< duration of the launch while it was profiled, in us
  Count sm_mhz;              ///< clock of the SMs during the measurement, in MHz
  Count instructions;        ///< warp instructions executed
  PipeInstructions of_pipe;  ///< instructions that each Pipe executed
  Count shared_wavefronts;   ///< cycles of an SM's shared memory, bank conflicts included
  Count l1_sectors;          ///< sectors of 32 bytes requested from the L1 by global and local accesses
  Count l1_hit_rate;         ///< share of these sectors that hit, 0 to 1
  Count l2_read_sectors, l2_write_sectors;
  Count l2_hit_rate;  ///< share of L2 reads and writes that hit, 0 to 1
  /// Distinct L2 sectors that are read again while present, on which hits depend. No profiler has it; `gputlm demand` does.
  Count l2_reused_sectors;
  /// Mean time from an access of a line to the next read that finds it in the L2, weighted by sectors: how long it has to
  /// stay there, in us. No profiler has it; `gputlm demand` does.
  Count l2_reuse_us;
  Count dram_read_bytes, dram_write_bytes;
  Count warps_active;  ///< share of an SM's warp slots, averaged over the cycles in which it has a warp, 0 to 1
  /// Sectors of a block in flight between SM and L2, averaged over its time: how well its warps hide latency. No profiler
  /// has it; `gputlm demand` does.
  Count sectors_in_flight;

  std::string source;  ///< source of the counts: "decode.csv, line 12"; empty: written by hand

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = KernelDemand;
    constexpr Real kSectors{0, 1e18, "sectors"}, kBytes{0, 1e18, "bytes"}, kShare{0, 1, kPlain};
    v.field(&S::duration_us, "duration_us", Real{0, 1e12, "us"}, "Duration of the measured launch, alone");
    v.field(&S::sm_mhz, "sm_mhz", Real{1, 1e5, "MHz"}, "Clock of the SMs during the measurement");
    v.field(&S::instructions, "instructions", Real{0, 1e18, "instructions"}, "Warp instructions executed");
    v.part(&S::of_pipe);
    v.field(&S::shared_wavefronts, "shared_wavefronts", Real{0, 1e18, "wavefronts"},
            "Cycles of shared memory, including bank conflicts");
    v.field(&S::l1_sectors, "l1_sectors", kSectors, "Sectors that global and local accesses request from the L1");
    v.field(&S::l1_hit_rate, "l1_hit_rate", kShare, "Share of these that hit in the L1");
    v.field(&S::l2_read_sectors, "l2_read_sectors", kSectors, "Sectors read from the L2");
    v.field(&S::l2_write_sectors, "l2_write_sectors", kSectors, "Sectors written to the L2, including atomics");
    v.field(&S::l2_hit_rate, "l2_hit_rate", kShare, "Share of both that hit in the L2");
    v.field(&S::l2_reused_sectors, "l2_reused_sectors", kSectors,
            "Distinct sectors that are read repeatedly from the L2");
    v.field(&S::l2_reuse_us, "l2_reuse_us", Real{0, 1e12, "us"},
            "Mean time from an access of a line to the next read that hits it in the L2");
    v.field(&S::dram_read_bytes, "dram_read_bytes", kBytes, "Bytes read from DRAM");
    v.field(&S::dram_write_bytes, "dram_write_bytes", kBytes, "Bytes written to DRAM");
    v.field(&S::warps_active, "warps_active", kShare, "Share of an SM's warp slots that are occupied, while any is");
    v.field(&S::sectors_in_flight, "sectors_in_flight", kSectors,
            "Mean number of a block's sectors in flight to the L2 and back");
    v.origin(&S::source);
  }
};

/// One of the counts, of any demand: of(demand).
template <class R>
struct CountOf {
  KernelDemand::Count R::*member;
  bool share;  ///< the count is a share, 0 to 1; otherwise an amount

  template <class Demand>
  auto& operator()(Demand& demand) const {
    if constexpr (std::is_same_v<R, KernelDemand>)
      return demand.*member;
    else
      return demand.of_pipe.*member;
  }
};

namespace demand_detail {

template <class Function>
struct Counts {
  Function& function;
  template <class R, class... Rest>
  void field(KernelDemand::Count R::*member, const char* name, const Real& range, const Rest&...) {
    function(name, CountOf<R>{member, range.most <= 1});
  }
  void part(PipeInstructions KernelDemand::*) { PipeInstructions::describe(*this); }
  template <class... T>
  void origin(T&&...) {}
};

}  // namespace demand_detail

/// Whether profilers have this count; the others need a run of the model.
constexpr bool profilers_have(std::string_view count) {
  return count != "l2_reused_sectors" && count != "l2_reuse_us" && count != "sectors_in_flight";
}

/// Calls `function` for each count, with its name in files and its CountOf: function(name, of).
template <class Function>
void for_each_count(Function function) {
  demand_detail::Counts<Function> counts{function};
  KernelDemand::describe(counts);
}

}  // namespace gputlm
