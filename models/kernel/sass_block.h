/// One thread block of a SASS trace in memory: the instructions of its warps, and their addresses in a compact form.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "models/kernel/kernel.h"

namespace gputlm {

/// Addresses of the memory instructions of a block: 20 bytes for a stride; otherwise 4 bytes per lane if lanes are within 2
/// GiB of their neighbours, else 8 bytes per lane. An instruction's operand is the offset of its record.
class SassAddressPool {
 public:
  void clear();
  /// Whether there is room for another record: false if the offset would not fit an operand (16 GiB of addresses in one
  /// block).
  bool has_room() const;
  /// The first active lane is at `base`, a lane n further at base + n * stride.
  std::uint32_t add_stride(Address base, std::int64_t stride);
  /// The first active lane is at `base`, each further active lane at its predecessor's address plus a delta.
  std::uint32_t add_deltas(Address base, const std::int64_t* deltas, unsigned count);
  /// Writes the active lanes of `mask`; leaves the others unchanged.
  void expand(std::uint32_t offset, std::uint32_t mask, LaneAddresses& out) const;

 private:
  enum Kind : std::uint32_t { kStride, kShortDeltas, kLongDeltas };
  std::uint64_t wide(std::size_t at) const { return words_[at] | std::uint64_t{words_[at + 1]} << 32; }
  std::uint32_t* append(std::size_t words);

  std::vector<std::uint32_t> words_;
};

/// A block's data; reused between blocks, so that parsing allocates nothing in steady state.
struct SassBlockBuffers {
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t length = 0;  ///< 0: the trace has not shown this warp yet (a warp has at least an EXIT)
  };
  std::vector<Instruction> instructions;
  std::vector<Range> warps;
  SassAddressPool addresses;
  std::vector<MbarrierUse> mbarriers;  ///< an instruction's operand is the index of its first one
  std::vector<BulkCopy> bulk;          ///< an instruction's operand is the index of its only one
  std::vector<Address> rows;           ///< addresses of the rows of the bulk copies
  std::uint32_t rank = 0;              ///< rank of the block in its cluster
};

/// Buffers that no block uses now. Blocks may end on a different thread than the parser's.
class SassBufferPool {
 public:
  std::unique_ptr<SassBlockBuffers> take();
  void give_back(std::unique_ptr<SassBlockBuffers> buffers);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<SassBlockBuffers>> free_;
};

class SassBlock final : public BlockCode {
 public:
  explicit SassBlock(std::shared_ptr<SassBufferPool> pool) : pool_(std::move(pool)), buffers_(pool_->take()) {}
  ~SassBlock() override { pool_->give_back(std::move(buffers_)); }
  SassBlock(const SassBlock&) = delete;
  SassBlock& operator=(const SassBlock&) = delete;

  SassBlockBuffers& buffers() { return *buffers_; }
  WarpCode warp(std::uint32_t warp) const override;
  LoopInfo loop(std::uint32_t) const override { return {}; }           // traces are unrolled
  Femtoseconds spin(std::uint32_t, SmId) const override { return 0; }  // and never spin
  void addresses(const Instruction& instruction, const WarpPosition& position, LaneAddresses& out) const override;
  MbarrierUse mbarrier(const Instruction& instruction, const WarpPosition&, std::uint32_t number) const override {
    return buffers_->mbarriers[instruction.operand + number];
  }
  BulkCopy bulk_copy(const Instruction& instruction, const WarpPosition&, bool) const override {
    return buffers_->bulk[instruction.operand];
  }
  Address bulk_row(const Instruction&, const WarpPosition&, std::uint32_t row) const override {
    return buffers_->rows[row];
  }

 private:
  std::shared_ptr<SassBufferPool> pool_;
  std::unique_ptr<SassBlockBuffers> buffers_;
};

}  // namespace gputlm
