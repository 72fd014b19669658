/// A kernel launch from a SASS trace of Accel-Sim's NVBit tracer (.traceg, plain or compressed). Blocks are read when they
/// are launched and freed when they end, so a trace may be larger than memory.
///
/// The constructor reads the header only; the file is open from the first block to the last. Throws InputError (from the
/// constructor and from code()) with file and line: file missing, no header, empty grid, missing, truncated or malformed
/// block. Assumptions are in warnings(). The rules for reading are in sass_header.h and sass_reader.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/sass_reader.h"

namespace gputlm {

class SassKernel final : public Kernel {
 public:
  /// `offset` is added to all its addresses except those of shared memory: independent programs use the same addresses.
  explicit SassKernel(std::string path, Address offset = 0);

  std::unique_ptr<BlockCode> code(std::uint64_t index) override;
  /// From the header: instructions of Hopper or later.
  bool is_asynchronous() const override { return header_.binary >= 90 || header_.has_values; }
  void rewind() override;
  /// The content of the file, and the offset of its addresses.
  std::string source() const override;

  const std::string& path() const { return path_; }
  std::uint64_t cuda_stream() const { return header_.stream; }
  /// The warnings so far; more are added while blocks are read.
  const std::vector<SassWarning>& warnings() const { return warnings_.all(); }

 private:
  std::string path_;
  SassHeader header_;
  SassWarnings warnings_;
  std::shared_ptr<SassBufferPool> buffers_ = std::make_shared<SassBufferPool>();
  std::unique_ptr<SassReader> reader_;  ///< present while some but not all blocks have been read
  std::uint64_t read_ = 0;              ///< number of blocks that it has read
  /// Blocks that were read but not requested yet: those of a cluster are not consecutive in the file.
  std::map<std::uint64_t, std::unique_ptr<BlockCode>> ahead_;
};

}  // namespace gputlm
