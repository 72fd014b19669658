#include "models/kernel/sass_kernel.h"

#include <cassert>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/kernel/sass_cluster.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {

SassKernel::SassKernel(std::string path, Address offset) : path_(std::move(path)) {
  // The header is read now, the blocks when they are launched: a pipe could not be reopened for them.
  if (std::error_code ignored;
      std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored))
    throw InputError(path_, 0, "is no regular file, but a trace is read more than once");
  constexpr std::size_t kHeaderChunk = 4096;
  LineReader lines(path_, ReadAhead::kNo, kHeaderChunk);
  header_ = read_sass_header(lines, warnings_);
  if (header_.has_values) header_.cluster = read_sass_cluster(lines, header_);
  header_.address_offset = offset;
  name = header_.name;
  grid = header_.grid;
  block = header_.block;
  registers_per_thread = header_.registers;
  shared_memory = header_.shared_memory;
  cluster = header_.cluster;
  non_portable_cluster = true;  // its size was valid on the traced GPU
}

std::unique_ptr<BlockCode> SassKernel::code(std::uint64_t index) {
  if (index == 0) {
    reader_ = std::make_unique<SassReader>(path_, header_, warnings_);
    read_ = 0;
  }
  while (read_ <= index) {
    assert(reader_);
    auto block_code = std::make_unique<SassBlock>(buffers_);
    const std::uint64_t number = read_++;
    reader_->read_block(number, block_code->buffers());
    if (read_ == blocks()) {
      reader_->expect_end();
      reader_.reset();
    }
    if (number == index) return block_code;
    ahead_.emplace(number, std::move(block_code));
  }
  return std::move(ahead_.extract(index).mapped());
}

void SassKernel::rewind() {
  reader_.reset();
  ahead_.clear();
}

std::string SassKernel::source() const {
  const Address offset = header_.address_offset;
  return file_digest(path_) + (offset ? " at " + std::to_string(offset) : "");
}

}  // namespace gputlm
