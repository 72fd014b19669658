/// Rows of measured/slices.yaml: processes that shared a GPU by time slices, and their slowdowns relative to alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

struct SliceRow {
  enum class Preemption : std::uint8_t { kBlock, kInstruction };

  std::string name;
  std::string gpu;    ///< a preset
  std::string place;  ///< source of the measurement
  unsigned processes = 1;
  unsigned kernels = 1;
  std::uint32_t blocks = 0;
  std::uint32_t threads = 1;
  Femtoseconds time = 0;
  Femtoseconds block = 0;
  Femtoseconds pause = 0;
  unsigned rounds = 1;
  std::uint32_t hog_threads = 0;
  Femtoseconds hog_block = 0;
  Preemption preemption = Preemption::kBlock;
  double over_alone = 0;

  bool has_hog() const { return hog_threads > 0; }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SliceRow;
    v.structure(&S::name, "name");
    v.required(&S::gpu, "gpu", Text{}, "Preset");
    v.required(&S::place, "place", Text{}, "Where it was measured");
    v.field(&S::processes, "processes", Whole{1, 64, "processes"}, "That do the same at the same time");
    v.field(&S::kernels, "kernels", Whole{1, 100000, "kernels"},
            "Kernels of a round, one after the other, all submitted at once");
    v.field(&S::blocks, "blocks", Whole{1, 1u << 20, "blocks"},
            "Blocks of a kernel, all at once; default: waves that fill the GPU");
    v.field(&S::threads, "threads", Whole{1, 1024, "threads"}, "Threads of a block");
    v.required(&S::time, "us", Microseconds{0.001, 1e9}, "That the kernels of a round take alone, all together");
    v.field(&S::block, "block_us", Microseconds{0.001, 1e9}, "That a block of a wave takes, about");
    v.field(&S::pause, "pause_us", Microseconds{0, 1e9}, "Pause of the host from the end of a round to the next");
    v.field(&S::rounds, "rounds", Whole{1, 1000, "rounds"},
            "Rounds of each process; the first of several is not counted");
    v.field(&S::hog_threads, "hog_threads", Whole{1, 1024, "threads"},
            "Time of a block of another process, which has kernels that fill the GPU without a pause; default: none");
    v.field(&S::hog_block, "hog_block_us", Microseconds{0.001, 1e9}, "That its blocks take");
    v.field(&S::preemption, "preemption", OneOf{"block", "instruction"}, "Where slices end");
    v.required(&S::over_alone, "over_alone", Real{0, 1e6, ""}, "A round beside the others over one alone");
  }
};

/// Throws InputError, with file and line, for YAML of another form than measured/slices.yaml.
std::vector<SliceRow> slice_rows(const std::string& yaml, const std::string& file);

}  // namespace gputlm
