/// What the files of an Accel-Sim trace are called. Only names are looked at; what a file holds is told by its content.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

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
