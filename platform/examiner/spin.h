/// Kernels that spin: by the clock, or for a number of iterations.
#pragma once

#include "platform/examiner/plugin.h"

namespace gputlm {

/// Blocks that last `time` from their start.
PluginKernel timer_spin(const std::string& name, Dim3 grid, Dim3 block, Femtoseconds time);
/// Blocks that add up a number so many times.
PluginKernel counter_spin(const std::string& name, Dim3 grid, Dim3 block, std::uint64_t iterations);
/// Gives the kernel so much shared memory, which it fills before it spins.
void add_shared_memory(PluginKernel& kernel, std::uint64_t words);
/// Of `entry`, in words of 32 bits, for which the tool has kernels; `least` 0: none is allowed, too.
std::uint64_t read_shared_words(const YamlNode& entry, const FormatField& field, std::uint64_t least);

}  // namespace gputlm
