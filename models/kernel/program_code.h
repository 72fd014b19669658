/// A kernel program turned into flat code, once a kernel; all blocks and warps share it.
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
    std::uint32_t iterations = 1;  ///< without variation
    std::uint8_t depth = 0;
    bool varies = false;
    bool over_work = false;  ///< its iterations are units of work: how many there are is the block's
  };
  /// Where a memory instruction gets its addresses from; Instruction::operand is the index of one of these.
  struct AccessSite {
    AddressGenerator generator;
    std::uint8_t depth = 0;                           ///< loops around the access
    std::array<std::uint32_t, kMaxLoopDepth> loop{};  ///< these loops, outermost first
    /// What stands for the block in the pattern: the block, its unit of work, or who founded the queue it takes work from.
    enum class Of : std::uint8_t { kBlock, kUnit, kQueue } of = Of::kBlock;
    ClusterMember member = {};  ///< of Space::kCluster
  };
  /// Of an instruction at an mbarrier; its operand is the index of one.
  struct MbarrierSite {
    MbarrierUse use;  ///< whose rank follows from the member
    ClusterMember member;
  };
  /// Of a copy by TMA, likewise.
  struct BulkSite {
    std::uint32_t first = 0;  ///< in sites: the first row's
    BulkLoad load;
  };

  /// One for all warps, unless parts are for some of them, or the last warp of a block has fewer active lanes.
  std::vector<std::vector<Instruction>> codes;
  std::vector<std::uint8_t> code_of_warp;  ///< of a block; index into codes
  std::vector<Loop> loops;
  std::vector<AccessSite> sites;
  std::vector<SpinElement> spins;
  std::vector<MbarrierSite> mbarriers;
  std::vector<BulkSite> bulk;
  bool asynchronous = false;  ///< as Kernel::is_asynchronous()
  std::uint32_t units = 0;    ///< of work; 0: the program has none
  WorkElement::Schedule schedule = WorkElement::Schedule::kDynamic;
  std::vector<std::string> warnings;  ///< "file:line: what has no effect, or no GPU would do"
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

/// Throws InputError for the spec's line, or the kernel's name where there is no file.
[[noreturn]] void fail(const ProgramSpec& spec, std::size_t line, const std::string& message);

}  // namespace gputlm
