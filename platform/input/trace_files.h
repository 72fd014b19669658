/// Finds a trace by any of its paths: a launch list under any name, a folder, or a single kernel trace; each plain or
/// compressed.
///
/// - For a folder: its kernelslist.g, or else its only list (*.g), or else its kernel traces in the order of their numbers
///   (kernel-2.traceg before kernel-10.traceg).
/// - A single kernel trace is a list of one launch.
/// - If a file is missing but exists compressed, or uncompressed, that one is used with a warning.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

// The launch list of an Accel-Sim trace (kernelslist.g): one entry per line, in launch order. An entry is a copy
// `MemcpyHtoD,dstDevice,ByteCount` or the path of a kernel trace, relative to the list.
//
// Throws InputError with file and line: the list is missing, is not text, or has a malformed copy.

struct TraceMemcpy {  ///< a copy from host to device
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
  std::string path;  ///< path of the list, or its substitute in messages
  std::vector<KernelsListEntry> entries;
  std::vector<std::string> warnings;  ///< lines that are neither a copy nor a kernel
};

KernelsList read_kernels_list(const std::string& path);

/// Whether the path looks like a trace, by its name or the beginning of the file. Does not throw.
bool is_trace(const std::string& path);

/// Throws InputError if nothing has that name, if a folder has no trace or several lists, or as read_kernels_list() does.
KernelsList find_trace(const std::string& path);

/// The trace's name: the folder of a kernelslist.g, else the file's name without its ending.
std::string trace_name(const std::string& path);

// Names of the files of an Accel-Sim trace. Only names are examined here; the content decides what a file holds.

/// The name without a compression suffix: `kernel-1.traceg` for `kernel-1.traceg.xz`.
std::string unpacked_name(const std::string& path);

/// `*.g`, compressed or not.
bool is_launch_list_name(const std::string& path);
/// `*.traceg` or `*.tracez`, compressed or not.
bool is_kernel_trace_name(const std::string& path);

/// All names that the file may have instead, including its own: plain first, then compressed. For a kernel trace, names of
/// the text format come before those of the tracer's own compressed format.
std::vector<std::string> names_of_the_same(const std::string& path);

}  // namespace gputlm
