/// Kernels that spin: for a time, or for a number of iterations.
#pragma once

#include "platform/examiner/plugin.h"

namespace gputlm {

/// Blocks that last `time` from their start.
PluginKernel timer_spin(const std::string& name, Dim3 grid, Dim3 block, Femtoseconds time);
/// Blocks that increment a counter this many times.
PluginKernel counter_spin(const std::string& name, Dim3 grid, Dim3 block, std::uint64_t iterations);
/// Adds shared memory to the kernel, which fills it before it spins.
void add_shared_memory(PluginKernel& kernel, std::uint64_t words);
/// Reads a number of 32-bit words from `entry`, which must be a size for which the tool has kernels; 0 is also allowed if
/// `least` is 0.
std::uint64_t read_shared_words(const YamlNode& entry, const FormatField& field, std::uint64_t least);

}  // namespace gputlm
