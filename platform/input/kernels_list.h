/// The launch list of an Accel-Sim trace (kernelslist.g): one entry a line, in launch order, either a copy
/// `MemcpyHtoD,dstDevice,ByteCount` or the path of a kernel trace, relative to the list.
///
/// Throws InputError with file and line: the list is missing, is no text, or has a malformed copy.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "tlm/time.h"

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
  std::string path;  ///< of the list, or what stands for it in messages
  std::vector<KernelsListEntry> entries;
  std::vector<std::string> warnings;  ///< lines that are neither copy nor kernel
};

KernelsList read_kernels_list(const std::string& path);

}  // namespace gputlm
