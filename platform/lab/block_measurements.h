/// The measurements of a calibration: blocks of one kernel or of two on an SM, so many of each. Of kernels that would take
/// minutes, the loops are cut to two lengths (shortened()), and what the whole block takes follows from both: as
/// much more as the longer one takes more than the shorter one, by instruction.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/config.h"
#include "models/kernel/kernel.h"
#include "platform/lab/duration_run.h"
#include "platform/lab/run_set.h"

namespace gputlm {

/// The GPU with SMs that run warps, on each of which there are so many blocks of the first kernel and of the others.
GpuConfig measuring(GpuConfig config, unsigned first, unsigned others);

class BlockMeasurements {
 public:
  /// Kernels and their blocks on an SM (alone: k, k, n, 0), with replies that are `delay` later or not.
  struct Key {
    std::size_t a, b;
    unsigned blocks_of_a, blocks_of_b;
    bool delayed;
  };

  /// `one_sm`: only the first SM is used. `delay`: of replies of the L2, core cycles. `cut_above`: the cost of a
  /// measurement (shortened()) above which its kernel is cut.
  BlockMeasurements(const GpuConfig& config, bool one_sm, Cycle delay, std::uint64_t cut_above)
      : config_(config), one_sm_(one_sm), delay_(delay), cut_above_(cut_above) {}

  /// The next kernel, whose place is its number; at most `most` of its blocks are on an SM.
  void add_kernel(Kernel& kernel, unsigned most);
  /// `kernels`: one or two, as those of the key. `waves`: full GPUs of blocks.
  void add(const Key& key, const std::vector<std::shared_ptr<Kernel>>& kernels, unsigned waves);
  void run(const JobOptions& options) { runs_.run(options); }

  /// The blocks of the kernel are not measured themselves.
  bool is_cut(std::size_t kernel) const { return lengths_[kernel].cut > 0; }
  /// In the order in which they were added.
  const std::vector<Key>& keys() const { return keys_; }
  /// Of each kernel of a measurement that has been run.
  std::vector<MeasuredBlocks> result(const Key& key) const;

 private:
  /// Warp instructions of a kernel's first block, and of those that are measured in its place; 0: it is measured itself.
  struct Lengths {
    std::uint64_t whole = 0, cut = 0, half = 0;
  };
  struct Part {
    Key key;
    bool half;
  };
  DurationRun measurement(const Key& key, std::vector<std::shared_ptr<Kernel>> kernels, unsigned waves) const;
  bool is_cut(const Key& key) const { return is_cut(key.a) || is_cut(key.b); }

  GpuConfig config_;
  bool one_sm_;
  Cycle delay_;
  std::uint64_t cut_above_;
  std::vector<Lengths> lengths_;  ///< by kernel
  std::vector<Key> keys_;
  RunSet<Part, DurationRun> runs_;
};

// Kernels whose loops go round less often, for measurements that would take too long: what a block takes beyond that is
// in proportion to its instructions.

/// Of a block; all 0 if its blocks do not say, as those of traces.
struct BlockSize {
  std::uint64_t instructions = 0;  ///< of its warps, loops included
  std::uint64_t cost = 0;          ///< of their simulation, as many instructions: memory costs more
};
BlockSize block_size(Kernel& kernel);

/// The same kernel, but with loops that are cut down from the outside in until a block has about `instructions`, or nothing
/// is left to cut; null if that is nearly what it has, and for kernels without loops to cut.
std::shared_ptr<Kernel> shortened(Kernel& kernel, std::uint64_t instructions);

}  // namespace gputlm
