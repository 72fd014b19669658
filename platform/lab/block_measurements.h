/// The measurements of a calibration: given numbers of blocks of one kernel or of two on an SM. If a kernel would take
/// minutes, its loops are cut to two lengths (shortened()), and the duration of the whole block is extrapolated linearly from
/// both, by instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/config.h"
#include "models/kernel/kernel.h"
#include "platform/lab/duration_run.h"
#include "platform/lab/run_set.h"

namespace gputlm {

/// The GPU with SMs that run warps; each SM holds these numbers of blocks of the first kernel and of the others.
GpuConfig measuring(GpuConfig config, unsigned first, unsigned others);

class BlockMeasurements {
 public:
  /// Kernels and their numbers of blocks per SM (alone: k, k, n, 0), with replies delayed by `delay` or not.
  struct Key {
    std::size_t a, b;
    unsigned blocks_of_a, blocks_of_b;
    bool delayed;
  };

  /// `one_sm`: only the first SM is used. `delay`: that of the L2's replies, core cycles. `cut_above`: cost of a measurement
  /// (shortened()) above which its kernel is cut.
  BlockMeasurements(const GpuConfig& config, bool one_sm, Cycle delay, std::uint64_t cut_above)
      : config_(config), one_sm_(one_sm), delay_(delay), cut_above_(cut_above) {}

  /// Adds a kernel; kernels are numbered in this order. An SM holds at most `most` of its blocks.
  void add_kernel(Kernel& kernel, unsigned most);
  /// `kernels`: one or two, as in the key. `waves`: number of full waves of blocks on the GPU.
  void add(const Key& key, const std::vector<std::shared_ptr<Kernel>>& kernels, unsigned waves);
  void run(const JobOptions& options) { runs_.run(options); }

  /// Whether shortened blocks are measured instead of the kernel's own.
  bool is_cut(std::size_t kernel) const { return lengths_[kernel].cut > 0; }
  /// In the order of add().
  const std::vector<Key>& keys() const { return keys_; }
  /// One per kernel of a measurement that has run.
  std::vector<MeasuredBlocks> result(const Key& key) const;

 private:
  /// Warp instructions of a kernel's first block, and of the blocks that are measured instead; 0: it is measured itself.
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
  std::vector<Lengths> lengths_;  ///< lengths, indexed by kernel
  std::vector<Key> keys_;
  RunSet<Part, DurationRun> runs_;
};

// Kernels with shortened loops, for measurements that would take too long: the remaining duration of a block is proportional
// to its instructions.

/// The size of a block; all 0 if its kernel does not know it, as for traces.
struct BlockSize {
  std::uint64_t instructions = 0;  ///< instructions of its warps, including loops
  std::uint64_t cost = 0;          ///< cost of their simulation, in instructions: memory costs more
};
BlockSize block_size(Kernel& kernel);

/// The same kernel with loops cut down, outermost first, until a block has about `instructions` or nothing is left to cut;
/// null if it has nearly that many anyway, and for kernels without such loops.
std::shared_ptr<Kernel> shortened(Kernel& kernel, std::uint64_t instructions);

}  // namespace gputlm
