/// A kernel as a program: the contents of a workload file's `kernels` section as plain values. C++ code can fill in the
/// same values, with the functions at the end of this file:
///
///   ProgramSpec spec;
///   spec.name = "stream";
///   spec.grid = {480};
///   spec.block = {256};
///   spec.patterns = {{"in", 0x10000000, CoalescedPattern{}}, {"out", 0x20000000, CoalescedPattern{}}};
///   spec.body = {loop(16, {load("in", 4, 4), instruction(Pipe::kFp32, 5, {4, 6}), store("out", 4, {5})})};
///   auto kernel = std::make_shared<ProgramKernel>(spec, seed);  // models/kernel/program_kernel.h
///
/// Every warp runs the body from start to end, except parts that are for other warps, and exits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/kernel/address_pattern.h"
#include "models/kernel/demand.h"
#include "models/kernel/instruction.h"
#include "models/kernel/kernel.h"
#include "tlm/base/record.h"

namespace gputlm {

inline constexpr std::uint32_t kMaxDistance = 16;              ///< maximum distance (see Registers)
inline constexpr std::uint32_t kBarriers = 16;                 ///< barriers of a block (CUDA's limit)
inline constexpr std::uint32_t kMbarriers = 64;                ///< mbarriers of a block's program
inline constexpr std::uint32_t kMaxArrivals = (1u << 20) - 1;  ///< arrivals of a phase (PTX ISA, mbarrier.init)
inline constexpr Bytes kMaxBulkBytes = Bytes{1} << 24;         ///< bytes that an mbarrier waits for, or a copy moves
inline constexpr std::uint32_t kMaxRank = 63;                  ///< rank of a block in its cluster; GPUs allow less
inline constexpr std::size_t kMaxCodeLength = 1000000;         ///< instructions of the flat code; loops keep it short
inline constexpr std::uint32_t kMaxThreadsPerBlock = 1024;
inline constexpr std::uint64_t kMaxIterations = 0xffffffff;  ///< iterations of a loop; also the total blocks of a grid
inline constexpr Bytes kMaxSharedMemory = Bytes{1} << 30;    ///< bytes per block
inline constexpr double kMaxSpinUs = 3.6e9;                  ///< an hour: 2^64 fs are five
inline constexpr double kMaxSpinPerSmUs = 1e7;
// Maximum sizes by dimension, as for every compute capability from 3.0 on.
inline constexpr Dimensions kGridShape{{(std::uint64_t{1} << 31) - 1, 65535, 65535}, "blocks"};
inline constexpr Dimensions kBlockShape{{kMaxThreadsPerBlock, kMaxThreadsPerBlock, 64}, "threads"};
inline constexpr Dimensions kClusterShape{{64, 64, 64}, "blocks"};  // GPUs allow less

/// The registers that an instruction writes and reads, either named or given by a distance.
///
/// Distance n > 0: the instruction needs the result of the n-th instruction before it, counting the instructions of its
/// class that have a distance and are directly in the same body, wrapping around the loop. n is at most kMaxDistance and at
/// most their number. 0: no dependence. Registers from 63 on are allocated for this, 32 per class; a program that mixes
/// both forms may name any register up to 254.
struct Registers {
  std::optional<std::uint8_t> destination;
  std::vector<std::uint8_t> sources;
  std::uint32_t distance = 0;
  bool named() const { return destination.has_value() || !sources.empty(); }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = Registers;
    v.field(&S::destination, "dst", Whole{0, kNoRegister - 1, kPlain}, "Register that it writes");
    v.field(&S::sources, "src", WholeList{0, kNoRegister - 1, kMaxSources}, "Registers that it reads");
    v.field(&S::distance, "distance", Whole{0, kMaxDistance, "instructions"},
            "Needs the result of the instruction this many before it");
  }
};

struct ProgramElement;

/// `count` instructions that execute in a pipeline other than load/store.
struct ArithmeticElement {
  Pipe pipe = Pipe::kFp32;
  bool branches = false;  ///< whether it takes a branch, as does a control instruction that ends the body of a loop
  Registers registers = {};
  std::uint32_t count = 1;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ArithmeticElement;
    v.structure(&S::pipe, "pipe");
    v.structure(&S::branches, "branches");
    v.part(&S::registers);
    v.field(&S::count, "count", Whole{1, kMaxCodeLength, "instructions"}, "Number of these instructions");
  }
};

/// A block of the cluster, by its rank or relative to the block's own; neither: the block itself.
struct ClusterMember {
  std::optional<std::uint32_t> rank, peer;
  bool given() const { return rank || peer; }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ClusterMember;
    v.field(&S::rank, "rank", Whole{0, kMaxRank, kPlain}, "Rank of the block in the cluster",
            "PTX ISA, %cluster_ctarank");
    v.field(&S::peer, "peer", Whole{0, kMaxRank, kPlain},
            "The same, relative to the block's own rank, modulo the cluster size");
  }
};

/// A load, store or atomic. A wide access names the first of its registers. A load that names no
/// destination is allocated one; an atomic that names none returns nothing (CUDA's reductions).
struct MemoryElement {
  Op op = Op::kLoad;
  std::string pattern;
  Space space = Space::kGlobal;
  std::uint8_t width = 4;   ///< bytes per lane: 1, 2, 4, 8 or 16
  std::int64_t offset = 0;  ///< bytes added to the pattern's addresses
  Registers registers;
  ClusterMember member = {};  ///< for Space::kCluster: the block whose shared memory it accesses

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = MemoryElement;
    v.structure(&S::op, "op");
    v.required(&S::pattern, "pattern", Text{}, "Name of an address pattern of the kernel");
    v.field(&S::space, "space", OneOf{"global", "local", "shared", "constant", "cluster"},
            "Memory that it accesses; cluster: shared memory of a block of the same cluster, by rank or peer");
    v.field(&S::width, "width", PowerOfTwo{1, 16, "bytes"}, "Size of a thread's access");
    v.field(&S::offset, "offset", kStride, "Offset from the addresses of the pattern");
    v.part(&S::registers);
    v.part(&S::member);
  }
};

struct BarrierElement {
  std::uint32_t number = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.structure(&BarrierElement::number, "barrier");
  }
};

/// Waits until `time` + SM id * `per_sm` after the block's start (most-room, section 3.1: blocks spin on
/// `globaltimer` for a time proportional to the id of their SM).
struct SpinElement {
  Femtoseconds time = 0;
  Femtoseconds per_sm = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SpinElement;
    v.field(&S::time, "us", Microseconds{0, kMaxSpinUs}, "Time since the block's start");
    v.field(&S::per_sm, "us_per_sm", Microseconds{0, kMaxSpinPerSmUs}, "Additional time per number of the SM");
  }
};

/// Programmatic dependent launch (PTX ISA, griddepcontrol).
struct GridElement {
  enum class Kind : std::uint8_t {
    kLaunchDependents,    ///< its block lets dependent kernels begin when its first warp reaches this
    kGridDependencyWait,  ///< the warp waits until the kernel that this one depends on has ended
  };
  Kind kind = Kind::kLaunchDependents;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.structure(&GridElement::kind, "kind");
  }
};

/// The warp waits until its accesses so far have been performed with respect to the whole GPU (PTX ISA, fence of scope
/// cluster or gpu).
struct FenceElement {
  template <class Visitor>
  static constexpr void describe(Visitor& /*v*/) {}
};

/// Barriers of a cluster (PTX ISA, barrier.cluster): all warps of its blocks arrive, and wait until all have. An arriving
/// warp has passed a fence (.release, the default), or not (.relaxed).
struct ClusterElement {
  enum class Kind : std::uint8_t { kArrive, kArriveRelaxed, kWait, kBarrier };
  Kind kind = Kind::kBarrier;  ///< kBarrier: arrive, then wait

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.structure(&ClusterElement::kind, "kind");
  }
};

/// Barriers in shared memory (PTX ISA, mbarrier). A phase ends, and the next begins, when its last arrival and all bytes
/// that it waits for have come. One thread of the warp executes it.
struct MbarrierInit {
  std::uint32_t number = 0;
  std::uint32_t arrivals = 1;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = MbarrierInit;
    v.required(&S::number, "number", Whole{0, kMbarriers - 1, kPlain}, "Number of the mbarrier",
               "PTX ISA, mbarrier.init");
    v.field(&S::arrivals, "arrivals", Whole{1, kMaxArrivals, "arrivals"}, "Number of arrivals that complete a phase");
  }
};
struct MbarrierArrive {
  std::uint32_t number = 0;
  std::uint32_t arrivals = 1;
  Bytes bytes = 0;
  ClusterMember member;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = MbarrierArrive;
    v.required(&S::number, "number", Whole{0, kMbarriers - 1, kPlain}, "Number of the mbarrier",
               "PTX ISA, mbarrier.arrive");
    v.field(&S::arrivals, "arrivals", Whole{0, kMaxArrivals, "arrivals"}, "Number of arrivals that it counts as");
    v.field(&S::bytes, "bytes", Size{0, kMaxBulkBytes}, "Bytes that the phase also waits for",
            "PTX ISA, mbarrier.expect_tx");
    v.part(&S::member);
  }
};
/// Waits until the current phase has the other parity; the first phase has parity 0.
struct MbarrierWait {
  std::uint32_t number = 0;
  std::uint32_t parity = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = MbarrierWait;
    v.required(&S::number, "number", Whole{0, kMbarriers - 1, kPlain}, "Number of the mbarrier",
               "PTX ISA, mbarrier.try_wait");
    v.field(&S::parity, "parity", Whole{0, 1, kPlain},
            "Parity of the phase that the warp's first wait is for; it alternates with every wait");
  }
};

/// A copy by TMA into shared memory (PTX ISA, cp.async.bulk): rows of a tile, whose bytes count at an mbarrier when they
/// arrive. With `multicast`, blocks of the cluster fetch equal parts of the rows, and each receives all of them.
struct BulkLoad {
  enum class Multicast : std::uint8_t { kNone, kX, kY, kZ, kCluster };
  std::string pattern;
  Bytes bytes = 128;
  std::uint32_t rows = 1;
  std::optional<std::int64_t> pitch;
  std::uint32_t mbarrier = 0;
  Multicast multicast = Multicast::kNone;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = BulkLoad;
    v.required(&S::pattern, "pattern", Text{},
               "Name of an address pattern: its first lane gives the address of the first row");
    v.required(&S::bytes, "bytes", Size{16, kMaxBulkBytes}, "Bytes per row");
    v.field(&S::rows, "rows", Whole{1, kMaxBulkBytes / 16, "rows"}, "Rows of the tile");
    v.field(&S::pitch, "pitch", kStride, "Distance of consecutive rows; default: `bytes`");
    v.required(&S::mbarrier, "mbarrier", Whole{0, kMbarriers - 1, kPlain}, "Number of the mbarrier");
    v.field(&S::multicast, "multicast", OneOf{"none", "x", "y", "z", "cluster"},
            "Blocks of the cluster that receive the tile: those beside it in this dimension, or all",
            "PTX ISA, cp.async.bulk.tensor, .multicast::cluster");
  }
};

struct LoopElement {
  std::uint32_t count = 1;
  std::vector<ProgramElement> body;
  bool varies = false;  ///< whether its count varies between blocks (see Variation)

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = LoopElement;
    v.required(&S::count, "count", Whole{1, kMaxIterations, "iterations"}, "Number of iterations");
    v.structure(&S::body, "body");
    v.field(&S::varies, "varies", Flag{}, "The kernel's variation changes the count");
  }
};

/// A part that only warps `first` to `last` of a block run; the others skip it (warp specialization). It contains no
/// barrier, since a barrier waits for all warps.
struct WarpsElement {
  std::uint32_t first = 0;
  std::optional<std::uint32_t> last;  ///< number of the last warp; none: the last warp of the block
  std::vector<ProgramElement> body;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = WarpsElement;
    v.field(&S::first, "first", Whole{0, kMaxThreadsPerBlock / kWarpSize - 1, kPlain}, "Number of the first warp");
    v.field(&S::last, "last", Whole{0, kMaxThreadsPerBlock / kWarpSize - 1, kPlain},
            "Number of the last warp; default: the block's last");
    v.structure(&S::body, "body");
  }
};

/// Work that the blocks of a launch divide among themselves; the body runs once for each unit of it: persistent threads
/// (Gupta, Stuart and Owens, "A Study of Persistent Threads Style GPU Programming for GPGPU Workloads", InPar 2012). In the
/// body, unit and units stand for block and grid in the formulas of address patterns, and its loops count from 0 in each
/// unit. There are at least as many units as blocks. At most one per program, not within a loop or a WarpsElement.
struct WorkElement {
  enum class Schedule : std::uint8_t {
    kDynamic,  ///< blocks of an SM share the units that kStatic would give them, and take them as they go
    kStatic,   ///< block b does units b, b + blocks, b + 2 * blocks ...
  };
  Dim3 units;
  Schedule schedule = Schedule::kDynamic;
  std::vector<ProgramElement> body;
  /// Dynamic: blocks that share an SM share a counter in global memory, kBytesOfACounter from that of the next block (a
  /// queue per SM: Wu et al., "Enabling and Exploiting Flexible Task Assignment on GPU through SM-Centric Program
  /// Transformations", ICS 2015). After each unit the first thread of a block adds one to it, and passes the old value on
  /// through a word of shared memory, after those of the program, and barrier 0.
  Address counters = 0;

  static constexpr Bytes kBytesOfACounter = 128;
  static constexpr Bytes kSharedMemory = 8;  ///< bytes: a word for this unit, and one for the next

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = WorkElement;
    v.required(&S::units, "units", kGridShape, "Units of work: a number or [x, y, z]; at least as many as blocks");
    v.field(&S::schedule, "schedule", OneOf{"dynamic", "static"}, "How units are assigned to blocks");
    v.structure(&S::body, "body");
    v.field(&S::counters, "counters", Size{0, kMaxAddress}, "Address of the counters; default: a fresh one");
  }
};

struct ProgramElement {
  std::variant<ArithmeticElement, MemoryElement, BarrierElement, SpinElement, LoopElement, WarpsElement, WorkElement,
               GridElement, FenceElement, ClusterElement, MbarrierInit, MbarrierArrive, MbarrierWait, BulkLoad>
      what;
  std::size_t line = 0;  ///< line in ProgramSpec::file, for messages

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.structure(&ProgramElement::what, "what");
    v.origin(&ProgramElement::line);
  }
};

/// Variation of the work between blocks: a factor of mean 1 and relative standard deviation `spread`, a pure function of
/// (seed, kernel, block), scales the spin times and the iteration counts of the loops with `varies` (if no loop has it: of
/// all outermost loops). At least one iteration remains.
struct Variation {
  enum class Distribution : std::uint8_t {
    kUniform,      ///< 1 +- sqrt(3) * spread; spread up to 0.57
    kNormal,       ///< sum of twelve uniform values, cut off at 0; spread up to 0.5
    kExponential,  ///< 1 - spread + spread * (exponential of mean 1): a long tail; spread up to 1
    kFewLong,      ///< one block in sixteen has 1 + sqrt(15) * spread, the others 1 - spread / sqrt(15); spread up to 1
  };
  double spread = 0;
  Distribution distribution = Distribution::kUniform;
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = Variation;
    v.required(&S::spread, "spread", Real{0, 1, kPlain}, "Relative standard deviation");
    v.field(&S::distribution, "distribution", OneOf{"uniform", "normal", "exponential", "few_long"},
            "Distribution of the factors");
    v.origin(&S::line);
  }
};

struct ProgramSpec {
  std::string name;
  Dim3 grid;
  Dim3 block;
  std::uint32_t registers_per_thread = 32;
  Bytes shared_memory = 0;
  Dim3 cluster;                       ///< shape of a cluster in blocks; 1 x 1 x 1: no clusters
  bool non_portable_cluster = false;  ///< whether a cluster may be larger than every GPU with clusters can hold
  std::vector<ProgramElement> body;
  std::vector<AddressPattern> patterns;
  Variation variation;
  std::optional<KernelDemand> demand;

  std::string file;  ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ProgramSpec;
    v.structure(&S::name, "name");
    v.required(&S::grid, "grid", kGridShape, "Blocks of the grid: a number or [x, y, z]");
    v.required(&S::block, "block", kBlockShape, "Threads of a block: a number or [x, y, z]; at most 1024");
    v.field(&S::registers_per_thread, "registers", Whole{0, kNoRegister, "registers"}, "Registers per thread");
    v.field(&S::shared_memory, "shared_memory", Size{0, kMaxSharedMemory}, "Shared memory per block");
    v.field(&S::cluster, "cluster", kClusterShape,
            "Blocks of a cluster, which are on one GPC at the same time: a number or [x, y, z] that divides the grid",
            "CUDA C++ Programming Guide, Thread Block Clusters");
    v.field(&S::non_portable_cluster, "non_portable_cluster", Flag{},
            "Its clusters may be larger than work_distributor.cluster_blocks",
            "CUDA Runtime API, attribute NonPortableClusterSizeAllowed");
    v.structure(&S::body, "program");
    v.structure(&S::patterns, "patterns");
    v.record(&S::variation, "variation", "Variation of the blocks' runtimes");
    v.record(&S::demand, "demand", "Demand of a launch on the hardware");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

inline ProgramElement loop(std::uint32_t count, std::vector<ProgramElement> body, bool varies = false) {
  return {LoopElement{count, std::move(body), varies}};
}
/// `count` instructions, each needing the result of the one `distance` before it; 0: independent.
inline ProgramElement instructions(Pipe pipe, std::uint32_t count, std::uint32_t distance = 0) {
  return {ArithmeticElement{pipe, false, Registers{std::nullopt, {}, distance}, count}};
}
inline ProgramElement instruction(Pipe pipe, std::optional<std::uint8_t> destination,
                                  std::vector<std::uint8_t> sources = {}) {
  return {ArithmeticElement{pipe, false, Registers{destination, std::move(sources), 0}}};
}
/// A branch that is taken.
inline ProgramElement branch(std::optional<std::uint8_t> destination, std::vector<std::uint8_t> sources) {
  return {ArithmeticElement{Pipe::kControl, true, Registers{destination, std::move(sources), 0}}};
}
inline ProgramElement load(std::string pattern, std::uint8_t width = 4,
                           std::optional<std::uint8_t> destination = std::nullopt,
                           std::vector<std::uint8_t> sources = {}, Space space = Space::kGlobal) {
  return {MemoryElement{Op::kLoad, std::move(pattern), space, width, 0, {destination, std::move(sources), 0}}};
}
inline ProgramElement store(std::string pattern, std::uint8_t width = 4, std::vector<std::uint8_t> sources = {},
                            Space space = Space::kGlobal) {
  return {MemoryElement{Op::kStore, std::move(pattern), space, width, 0, {std::nullopt, std::move(sources), 0}}};
}
inline ProgramElement atomic(std::string pattern, std::uint8_t width = 4,
                             std::optional<std::uint8_t> destination = std::nullopt,
                             std::vector<std::uint8_t> sources = {}, Space space = Space::kGlobal) {
  return {MemoryElement{Op::kAtomic, std::move(pattern), space, width, 0, {destination, std::move(sources), 0}}};
}
inline ProgramElement work(Dim3 units, std::vector<ProgramElement> body, Address counters) {
  return {WorkElement{units, WorkElement::Schedule::kDynamic, std::move(body), counters}};
}
inline ProgramElement static_work(Dim3 units, std::vector<ProgramElement> body) {
  return {WorkElement{units, WorkElement::Schedule::kStatic, std::move(body)}};
}
inline ProgramElement barrier(std::uint32_t number = 0) { return {BarrierElement{number}}; }
inline ProgramElement warps(std::uint32_t first, std::optional<std::uint32_t> last, std::vector<ProgramElement> body) {
  return {WarpsElement{first, last, std::move(body)}};
}
inline ProgramElement launch_dependents() { return {GridElement{GridElement::Kind::kLaunchDependents}}; }
inline ProgramElement grid_dependency_wait() { return {GridElement{GridElement::Kind::kGridDependencyWait}}; }
inline ProgramElement fence() { return {FenceElement{}}; }
inline ProgramElement cluster_barrier() { return {ClusterElement{}}; }
inline ProgramElement spin(Femtoseconds time, Femtoseconds per_sm = 0) { return {SpinElement{time, per_sm}}; }

}  // namespace gputlm
