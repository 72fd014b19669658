/// Bounds of what a workload file may say: those who read it heed them, its JSON schema tells of them.
#pragma once

#include <array>
#include <cstdint>

#include "models/kernel/program.h"
#include "tlm/time.h"

namespace gputlm {

inline constexpr Address kMaxAddress = (Address{1} << 47) - 1;
inline constexpr Bytes kMaxAllocated = Bytes{1} << 40;  ///< or copied by one command

// By dimension; those of every compute capability from 3.0 on.
inline constexpr std::array<std::uint64_t, 3> kMaxBlocks{(std::uint64_t{1} << 31) - 1, 65535, 65535};  ///< of a grid
inline constexpr std::array<std::uint64_t, 3> kMaxThreads{kMaxThreadsPerBlock, kMaxThreadsPerBlock,
                                                           64};  ///< of a block

inline constexpr Bytes kMaxSharedMemory = Bytes{1} << 30;    ///< of a block
inline constexpr std::uint64_t kMaxIterations = 0xffffffff;  ///< of a loop; also blocks of a grid, all together
inline constexpr double kMaxSpinUs = 3.6e9;               ///< an hour: 2^64 fs are five
inline constexpr double kMaxSpinPerSmUs = 1e7;

inline constexpr double kMaxReleaseUs = 3.6e9;  ///< an hour
inline constexpr double kMaxSporadicUs = 1e8;     ///< a draw may be 45 times the mean
inline constexpr std::uint64_t kMaxRepeats = 1000000;
inline constexpr unsigned kMaxPhases = 1000000;
inline constexpr unsigned kMaxBudget = 255;
inline constexpr Cycle kMaxAloneCycles = 1000000000000000;  ///< days of any GPU

inline constexpr double kMinSliceUs = 0.001;
inline constexpr int kMinPriority = -128, kMaxPriority = 127;  ///< of a stream

}  // namespace gputlm
