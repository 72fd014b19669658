/// The header of a SASS trace (.traceg): the launch parameters before its first thread block.
#pragma once

#include <cstdint>
#include <string>

#include "models/kernel/kernel.h"
#include "models/kernel/sass_warnings.h"
#include "models/kernel/text_source.h"

namespace gputlm {

struct SassHeader {
  std::string name;
  Dim3 grid;
  Dim3 block;
  Bytes shared_memory = 0;
  std::uint32_t registers = 0;   ///< registers per thread
  bool registers_known = false;  ///< the number of registers is from the file, not assumed
  std::uint64_t stream = 0;      ///< CUDA stream id
  Address shared_base = 0;       ///< generic address of the shared memory window; 0: unknown
  Address local_base = 0;        ///< generic address of the local memory window; 0: unknown
  std::uint64_t binary = 0;      ///< architecture of the code, 90 for Hopper; 0: unknown
  Dim3 cluster;                  ///< shape of a cluster, which is not in the header (sass_cluster.h)
  Address address_offset = 0;    ///< offset added to all addresses except those of shared memory; not in the file
  bool line_info = false;        ///< instructions start with a source line number
  bool block_prefix = false;     ///< instructions start with `tbx tby tbz warp` (tracer versions before 3)
  bool has_values = false;       ///< more may follow the immediate, and a group's end the sources (from version 6 on)
};

/// Reads the `-key = value` lines up to the first line that starts with `#`. Unknown keys are ignored. Impossible values
/// that do not affect the meaning of the trace (registers, shared memory, versions) are replaced, with a warning. Throws
/// InputError: no header, a malformed line, a duplicate key, a name that is not UTF-8, grid or block missing or out of
/// range (a block has 1 to 1024 threads, a grid 1 to 2^32-1 blocks).
SassHeader read_sass_header(LineReader& lines, SassWarnings& warnings);

}  // namespace gputlm
