/// A trace by the name of what its user has: a launch list under any name, a folder, or a kernel trace alone; each plain
/// or compressed, whichever is there.
///
///  - A folder is its kernelslist.g, or else its only list (*.g), or else its kernel traces in the order of their numbers
///    (kernel-2.traceg before kernel-10.traceg).
///  - A kernel trace alone is a list of one launch.
///  - Where a file is missing that is there compressed, or uncompressed, that one is taken, and a warning says so.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

// The launch list of an Accel-Sim trace (kernelslist.g): one entry a line, in launch order, either a copy
// `MemcpyHtoD,dstDevice,ByteCount` or the path of a kernel trace, relative to the list.
//
// Throws InputError with file and line: the list is missing, is no text, or has a malformed copy.

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

/// Whether it looks like one: by its name, or else by what a file begins with. Does not throw.
bool is_trace(const std::string& path);

/// Throws InputError: there is nothing of that name, a folder has no trace or several lists, or as read_kernels_list().
KernelsList find_trace(const std::string& path);

/// What to call it: the name of its folder for a kernelslist.g, else its own without ending.
std::string trace_name(const std::string& path);

// What the files of an Accel-Sim trace are called. Only names are looked at; what a file holds is told by its content.

/// The name without the ending of a compression: `kernel-1.traceg` of `kernel-1.traceg.xz`.
std::string unpacked_name(const std::string& path);

/// `*.g`, compressed or not.
bool is_launch_list_name(const std::string& path);
/// `*.traceg` or `*.tracez`, compressed or not.
bool is_kernel_trace_name(const std::string& path);

/// All names that the file may have instead, itself among them: plain first, then compressed; of a kernel's trace those of
/// the text before those of the tracer's own compressed form.
std::vector<std::string> names_of_the_same(const std::string& path);

}  // namespace gputlm
