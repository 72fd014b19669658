/// A trace by the name of what its user has: a launch list under any name, a folder, or a kernel trace alone; each plain
/// or compressed, whichever is there.
///
///  - A folder is its kernelslist.g, or else its only list (*.g), or else its kernel traces in the order of their numbers
///    (kernel-2.traceg before kernel-10.traceg).
///  - A kernel trace alone is a list of one launch.
///  - Where a file is missing that is there compressed, or uncompressed, that one is taken, and a warning says so.
#pragma once

#include <string>

#include "platform/input/kernels_list.h"

namespace gputlm {

/// Whether it looks like one: by its name, or else by what a file begins with. Does not throw.
bool is_trace(const std::string& path);

/// Throws InputError: there is nothing of that name, a folder has no trace or several lists, or as read_kernels_list().
KernelsList find_trace(const std::string& path);

/// What to call it: the name of its folder for a kernelslist.g, else its own without ending.
std::string trace_name(const std::string& path);

}  // namespace gputlm
