/// A kernel program compiled to flat code, once per kernel; all blocks and warps share it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/address_pattern.h"
#include "models/kernel/instruction.h"
#include "models/kernel/kernel.h"
#include "models/kernel/program.h"

namespace gputlm {

struct ProgramCode {
  struct Loop {
    std::uint32_t start = 0;
    std::uint32_t iterations = 1;  ///< number of iterations without variation
    std::uint8_t depth = 0;
    bool varies = false;
    bool over_work = false;  ///< its iterations are units of work; their number depends on the block
  };
  /// The source of a memory instruction's addresses; Instruction::operand is the index of one of these.
  struct AccessSite {
    AddressGenerator generator;
    std::uint8_t depth = 0;                           ///< number of loops around the access
    std::array<std::uint32_t, kMaxLoopDepth> loop{};  ///< numbers of these loops, outermost first
    /// What replaces the block in the pattern: the block, its unit of work, or the founder of the queue from which it takes
    /// work.
    enum class Of : std::uint8_t { kBlock, kUnit, kQueue } of = Of::kBlock;
    ClusterMember member = {};  ///< for Space::kCluster: the block whose shared memory it accesses
  };
  /// An instruction at an mbarrier; its operand is the index of one of these.
  struct MbarrierSite {
    MbarrierUse use;  ///< operands; the rank follows from `member`
    ClusterMember member;
  };
  /// A TMA copy; its operand is the index of one of these.
  struct BulkSite {
    std::uint32_t first = 0;  ///< index in sites of the first row
    BulkLoad load;
  };

  /// One code for all warps, unless parts are for some warps only, or the last warp of a block has fewer active lanes.
  std::vector<std::vector<Instruction>> codes;
  std::vector<std::uint8_t> code_of_warp;  ///< index in codes of each warp of a block
  std::vector<Loop> loops;
  std::vector<AccessSite> sites;
  std::vector<SpinElement> spins;
  std::vector<MbarrierSite> mbarriers;
  std::vector<BulkSite> bulk;
  bool asynchronous = false;  ///< Kernel::is_asynchronous()
  std::uint32_t units = 0;    ///< units of work; 0: none
  WorkElement::Schedule schedule = WorkElement::Schedule::kDynamic;
  std::vector<std::string> warnings;  ///< "file:line: text": elements without effect, or that no GPU would execute
};

/// Throws InputError, with the file and line of the element, for a program that cannot run.
ProgramCode compile(const ProgramSpec& spec, std::uint64_t seed);

/// The factor of Variation for one block, in units of 2^-32. Integers only: the same on every machine.
std::uint64_t variation_factor(const Variation& variation, std::uint64_t seed, std::uint64_t kernel,
                               std::uint64_t block);
inline constexpr std::uint64_t kFactorOne = std::uint64_t{1} << 32;

/// Blocks of a cluster among which a multicast divides its rows.
std::uint64_t blocks_that_share(BulkLoad::Multicast multicast, const Dim3& cluster);

/// "file:line: kernel 'name'", for messages; line 0: the spec's.
std::string place(const ProgramSpec& spec, std::size_t line);

/// Throws InputError with the line of the spec's file, or the kernel's name if it has no file.
[[noreturn]] void fail(const ProgramSpec& spec, std::size_t line, const std::string& message);

}  // namespace gputlm
