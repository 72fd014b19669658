/// Bounds of what a workload file may say: those who read it heed them, its JSON schema tells of them.
#pragma once

#include <array>
#include <cstdint>

#include "models/kernel/program.h"
#include "tlm/time.h"

namespace gputlm {

inline constexpr Address kLargestAddress = (Address{1} << 47) - 1;
inline constexpr Bytes kMostAllocated = Bytes{1} << 40;  ///< or copied by one command

// By dimension; those of every compute capability from 3.0 on.
inline constexpr std::array<std::uint64_t, 3> kMostBlocks{(std::uint64_t{1} << 31) - 1, 65535, 65535};  ///< of a grid
inline constexpr std::array<std::uint64_t, 3> kMostThreads{kMaxThreadsPerBlock, kMaxThreadsPerBlock,
                                                           64};  ///< of a block

inline constexpr Bytes kMostSharedMemory = Bytes{1} << 30;    ///< of a block
inline constexpr std::uint64_t kMostIterations = 0xffffffff;  ///< of a loop; also blocks of a grid, all together
inline constexpr double kLongestSpinUs = 3.6e9;               ///< an hour: 2^64 fs are five
inline constexpr double kLongestSpinPerSmUs = 1e7;

inline constexpr double kLatestReleaseUs = 3.6e9;  ///< an hour
inline constexpr double kMostSporadicUs = 1e8;     ///< a draw may be 45 times the mean
inline constexpr std::uint64_t kMostRepeats = 1000000;
inline constexpr unsigned kMostPhases = 1000000;
inline constexpr unsigned kMostBudget = 255;
inline constexpr Cycle kMostAloneCycles = 1000000000000000;  ///< days of any GPU

inline constexpr double kLeastSliceUs = 0.001;
inline constexpr int kLeastPriority = -128, kMostPriority = 127;  ///< of a stream

}  // namespace gputlm
