/// A kernel launch from a SASS trace of Accel-Sim's NVBit tracer (.traceg, plain or compressed). Blocks are read when they
/// are launched and forgotten when they end, so a trace may be larger than memory.
///
/// The constructor reads the header only; the file is open from the first block to the last. Throws InputError (from
/// the constructor and from code()) with file and line: file missing, no header, empty grid, missing, truncated or
/// malformed block. What had to be assumed is in warnings(). The rules of reading are in sass_header.h and
/// sass_reader.h.
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
  /// `offset` is added to all its addresses but those of shared memory: programs that know nothing of each other use the
  /// same ones.
  explicit SassKernel(std::string path, Address offset = 0);

  std::unique_ptr<BlockCode> code(std::uint64_t index) override;
  /// As far as the header says: Hopper's instructions and later ones.
  bool is_asynchronous() const override { return header_.binary >= 90 || header_.has_values; }
  void rewind() override;
  /// The content of the file, and where its addresses are.
  std::string source() const override;

  const std::string& path() const { return path_; }
  std::uint64_t cuda_stream() const { return header_.stream; }
  /// Grows while blocks are read.
  const std::vector<SassWarning>& warnings() const { return warnings_.all(); }

 private:
  std::string path_;
  SassHeader header_;
  SassWarnings warnings_;
  std::shared_ptr<SassBufferPool> buffers_ = std::make_shared<SassBufferPool>();
  std::unique_ptr<SassReader> reader_;  ///< while some blocks are read and some are not
  std::uint64_t read_ = 0;              ///< blocks, by it
  /// Blocks that were read and have not been asked for: those of a cluster do not stand together in the file.
  std::map<std::uint64_t, std::unique_ptr<BlockCode>> ahead_;
};

}  // namespace gputlm
