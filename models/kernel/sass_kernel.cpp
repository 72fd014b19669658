#include "models/kernel/sass_kernel.h"

#include <cassert>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tlm/digest.h"
#include "tlm/error.h"

namespace gputlm {

SassKernel::SassKernel(std::string path, Address offset) : path_(std::move(path)) {
  // The header is read now, the blocks when they are launched: a pipe would have no more by then.
  if (std::error_code ignored;
      std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored))
    throw InputError(path_, 0, "is no regular file, but a trace is read more than once");
  constexpr std::size_t kHeaderChunk = 4096;
  LineReader lines(path_, ReadAhead::kNo, kHeaderChunk);
  header_ = read_sass_header(lines, warnings_);
  header_.address_offset = offset;
  name = header_.name;
  grid = header_.grid;
  block = header_.block;
  registers_per_thread = header_.registers;
  shared_memory = header_.shared_memory;
}

std::unique_ptr<BlockCode> SassKernel::code(std::uint64_t index) {
  if (index == 0) reader_ = std::make_unique<SassReader>(path_, header_, warnings_);
  assert(reader_);
  auto block_code = std::make_unique<SassBlock>(buffers_);
  reader_->read_block(index, block_code->buffers());
  if (index + 1 == blocks()) {
    reader_->expect_end();
    reader_.reset();
  }
  return block_code;
}

void SassKernel::rewind() { reader_.reset(); }

std::string SassKernel::source() const {
  const Address offset = header_.address_offset;
  return file_digest(path_) + (offset ? " at " + std::to_string(offset) : "");
}

}  // namespace gputlm
