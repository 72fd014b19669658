/// The launch list of an Accel-Sim trace (kernelslist.g): one entry a line, in launch order, either a copy
/// `MemcpyHtoD,0xADDRESS,BYTES` or the path of a kernel trace, relative to the list.
///
/// Throws InputError with file and line: list or trace missing, malformed copy, no kernel in the list.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/sass_kernel.h"

namespace gputlm {

struct TraceMemcpy {  ///< host to device
  Address address = 0;
  Bytes bytes = 0;
};
struct TraceLaunch {
  std::string path;
};
struct KernelsListEntry {
  std::size_t line = 0;
  std::variant<TraceMemcpy, TraceLaunch> command;
};
struct KernelsList {
  std::vector<KernelsListEntry> entries;
  std::vector<std::string> warnings;  ///< lines that are neither copy nor kernel
};

KernelsList read_kernels_list(const std::string& path);

/// A workload of one application, with a stream for each CUDA stream id (in order of first use; 0 is the default stream
/// where there are others) and a thread that makes the launches, and the copies in stream 0, in the order of the list. A
/// kernel's label is its name; a repeated name gets its launch number: `name#3`.
struct TraceWorkload {
  Workload workload;
  std::vector<std::shared_ptr<const SassKernel>> kernels;  ///< of the launches, in order
  std::vector<std::string> list_warnings;                  ///< about the list

  /// What was assumed so far: the list's warnings, then each kernel's. More may come as blocks are read.
  std::vector<std::string> warnings() const;
};

TraceWorkload load_kernels_list(const std::string& path);

}  // namespace gputlm
