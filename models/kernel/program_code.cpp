#include "models/kernel/program_code.h"

#include <algorithm>
#include <limits>

#include "models/kernel/address_range.h"
#include "models/kernel/random.h"
#include "models/kernel/unread_registers.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kWindow = 32;       // registers allocated to a class
constexpr std::uint32_t kFirstWindow = 63;  // six classes below R255
constexpr std::size_t kClasses = 6;         // kFp32 to kTensor, loads
constexpr std::size_t kLoadClass = 5;

std::size_t register_class(Pipe pipe) {
  switch (pipe) {
    case Pipe::kFp32: return 0;
    case Pipe::kInt: return 1;
    case Pipe::kFp64: return 2;
    case Pipe::kSfu: return 3;
    case Pipe::kTensor: return 4;
    case Pipe::kLoadStore: return kLoadClass;
    case Pipe::kControl: break;
  }
  return kClasses;  // no results
}

/// Register of the `place`-th of `total` results of a class in a loop body. More results than registers are divided into
/// runs of equal length, 16 or more, so that none of the next kMaxDistance results overwrites it, including around the
/// loop.
std::uint8_t window_register(std::size_t cls, std::uint32_t place, std::uint32_t total) {
  const std::uint32_t runs = (total + kWindow - 1) / kWindow;
  const std::uint32_t length = total / runs, longer = total % runs;
  const std::uint32_t in_longer = longer * (length + 1);
  const std::uint32_t slot = place < in_longer ? place % (length + 1) : (place - in_longer) % length;
  return static_cast<std::uint8_t>(kFirstWindow + cls * kWindow + slot);
}

/// The class whose window the element's result goes to; kClasses if it names its registers or has no result.
std::size_t window_class(const ProgramElement& element) {
  if (const auto* arithmetic = std::get_if<ArithmeticElement>(&element.what))
    return arithmetic->registers.named() ? kClasses : register_class(arithmetic->pipe);
  if (const auto* memory = std::get_if<MemoryElement>(&element.what))
    return memory->op == Op::kLoad && !memory->registers.destination ? kLoadClass : kClasses;
  return kClasses;
}

constexpr __int128 kAddresses = __int128{1} << 47;  // user addresses of a GPU have 47 bits

/// The maximum of variation_factor(), rounded up; -ln of 64 random bits is at most 44.4.
std::uint64_t largest_factor(const Variation& variation) {
  if (variation.spread == 0) return 1;
  switch (variation.distribution) {
    case Variation::Distribution::kUniform: return 2;
    case Variation::Distribution::kNormal: return 7;
    case Variation::Distribution::kExponential: return 46;
    case Variation::Distribution::kFewLong: return 5;
  }
  return 1;
}

class Compiler {
 public:
  Compiler(const ProgramSpec& spec, std::uint64_t seed) : spec_(spec), key_(derive(mix(seed), hash_name(spec.name))) {
    blocks_ = launch_.blocks = spec.grid.count();
    launch_.threads_per_block = static_cast<std::uint32_t>(spec.block.count());
    launch_.grid_x = spec.grid.x;
    launch_.block_x = spec.block.x;
    any_varies_ = marked(spec.body);
  }

  ProgramCode run() {
    const std::uint32_t warps = launch_.warps_per_block();
    starts_.assign(warps, false);
    starts_[0] = true;
    find_starts(spec_.body);
    for (warp_ = 0; warp_ < warps; ++warp_) {
      if (starts_[warp_]) code();
      result_.code_of_warp.push_back(static_cast<std::uint8_t>(result_.codes.size() - 1));
    }
    const std::uint32_t rest = launch_.threads_per_block % kWarpSize;
    if (rest != 0) {
      std::vector<Instruction> last = result_.codes.back();
      for (Instruction& instruction : last) instruction.mask &= (1u << rest) - 1;
      result_.code_of_warp.back() = static_cast<std::uint8_t>(result_.codes.size());
      result_.codes.push_back(std::move(last));
    }
    if (spec_.variation.spread != 0 && result_.loops.empty() && result_.spins.empty()) {
      line_ = spec_.variation.line;
      warn_here("its variation has no effect: the program has neither a loop nor a spin");
    }
    return std::move(result_);
  }

 private:
  using Site = ProgramCode::AccessSite;
  struct Window {
    std::array<std::uint32_t, kClasses> total{};
    std::array<std::uint32_t, kClasses> place{};
  };

  /// Records the warps at which the code changes.
  void find_starts(const std::vector<ProgramElement>& elements) {
    for (const ProgramElement& element : elements) {
      if (const auto* inner = std::get_if<LoopElement>(&element.what)) find_starts(inner->body);
      if (const auto* work = std::get_if<WorkElement>(&element.what)) {
        if (work->schedule == WorkElement::Schedule::kDynamic && starts_.size() > 1) starts_[1] = true;
        find_starts(work->body);
      }
      const auto* part = std::get_if<WarpsElement>(&element.what);
      if (!part) continue;
      line_ = element.line;
      const std::size_t warps = starts_.size(), last = part->last.value_or(warps - 1);
      if (part->first > last || last >= warps)
        fail_here("warps " + std::to_string(part->first) + " to " + std::to_string(last) +
                  " of a block, but its warps are 0 to " + std::to_string(warps - 1));
      starts_[part->first] = true;
      if (last + 1 < warps) starts_[last + 1] = true;
      find_starts(part->body);
    }
  }

  /// Compiles the code of warp_.
  void code() {
    result_.codes.emplace_back();
    passed_.clear();
    unread_.clear();
    has_work_ = false;
    body(spec_.body);
    control(Op::kExit, 0);
  }

  static bool marked(const std::vector<ProgramElement>& elements) {
    return std::any_of(elements.begin(), elements.end(), [](const ProgramElement& element) {
      if (const auto* part = std::get_if<WarpsElement>(&element.what)) return marked(part->body);
      if (const auto* work = std::get_if<WorkElement>(&element.what)) return marked(work->body);
      const auto* inner = std::get_if<LoopElement>(&element.what);
      return inner != nullptr && (inner->varies || marked(inner->body));
    });
  }

  void body(const std::vector<ProgramElement>& elements) {
    Window window;
    for (const ProgramElement& element : elements) {
      const std::size_t cls = window_class(element);
      if (cls == kClasses) continue;
      const auto* arithmetic = std::get_if<ArithmeticElement>(&element.what);
      window.total[cls] += arithmetic != nullptr ? std::min<std::uint32_t>(arithmetic->count, kMaxCodeLength) : 1;
    }
    for (const ProgramElement& element : elements) {
      line_ = element.line;
      std::visit([&](const auto& what) { emit(what, element, window); }, element.what);
    }
  }

  void emit(const ArithmeticElement& arithmetic, const ProgramElement& element, Window& window) {
    if (arithmetic.count == 0) fail_here("count is 0, but must be at least 1");
    Instruction instruction;
    instruction.pipe = arithmetic.pipe;
    instruction.operand = arithmetic.branches ? kBranchTaken : 0;
    if (arithmetic.pipe == Pipe::kLoadStore) fail_here("load/store instructions need an address pattern");
    check_registers(arithmetic.registers, 1);
    check_overlap(arithmetic.registers, 1);
    for (std::uint32_t i = 0; i < arithmetic.count; ++i) {
      set_registers(instruction, arithmetic.registers, window_class(element), window);
      append(instruction);
    }
  }

  void emit(const MemoryElement& memory, const ProgramElement& element, Window& window) {
    if (memory.space == Space::kConstant && memory.op != Op::kLoad) fail_here("constant memory can only be loaded");
    if (memory.op == Op::kAtomic && (memory.space == Space::kLocal || (memory.width != 4 && memory.width != 8)))
      fail_here("atomics exist on global and shared memory, 4 or 8 bytes wide");
    if (memory.op == Op::kStore && memory.registers.destination) fail_here("a store has no destination register");
    if (memory.width == 0 || memory.width > 16 || (memory.width & (memory.width - 1)) != 0)
      fail_here("width is " + std::to_string(memory.width) + ", but 1, 2, 4, 8 and 16 bytes are allowed");
    if ((memory.space == Space::kCluster) != memory.member.given())
      fail_here(memory.member.given() ? "rank and peer are of memory of the cluster: space: cluster"
                                      : "memory of the cluster is that of a block with a rank, or a peer");
    check_member(memory.member);
    Instruction instruction;
    instruction.op = memory.op;
    instruction.pipe = Pipe::kLoadStore;
    instruction.space = memory.space;
    instruction.width = memory.width;
    instruction.operand = site(memory);
    set_registers(instruction, memory.registers, window_class(element), window);
    // An automatic destination represents all registers of a wide load: nothing names the others.
    if (memory.registers.destination)
      instruction.destinations = static_cast<std::uint8_t>(std::max(1, memory.width / 4));
    if (instruction.destination + instruction.destinations > kNoRegister && instruction.destinations > 1)
      fail_here("the load writes past register 254");
    check_registers(memory.registers, instruction.destinations);
    check_overlap(memory.registers, instruction.destinations);
    append(instruction);
  }

  void emit(const BarrierElement& element, const ProgramElement&, Window&) {
    if (element.number >= kBarriers)
      fail_here("barrier " + std::to_string(element.number) + " does not exist: 0 to 15 are allowed");
    if (parts_ > 0) fail_here("a barrier that only some warps would reach, but it waits for all warps of the block");
    control(Op::kBarrier, element.number);
  }

  void emit(const SpinElement& element, const ProgramElement&, Window&) {
    control(Op::kSpin, static_cast<std::uint32_t>(result_.spins.size()));
    result_.spins.push_back(element);
    const bool passed = std::any_of(passed_.begin(), passed_.end(), [&](const SpinElement& earlier) {
      return earlier.time >= element.time && earlier.per_sm >= element.per_sm;
    });
    if (passed) warn_here("the spin takes no time: it counts from the block's start, as the one before it does");
    if (iterations() > 1 || of_ == Site::Of::kUnit)
      warn_here("the spin takes time in the first iteration only: it counts from the block's start");
    passed_.push_back(element);
  }

  void emit(const GridElement& element, const ProgramElement&, Window&) {
    const bool waits = element.kind == GridElement::Kind::kGridDependencyWait;
    control(waits ? Op::kGridDependencyWait : Op::kLaunchDependents, 0);
  }

  void emit(const FenceElement&, const ProgramElement&, Window&) { control(Op::kFence, 0); }

  void emit(const ClusterElement& element, const ProgramElement&, Window&) {
    if (parts_ > 0)
      fail_here("a cluster barrier that only some warps would reach, but it waits for all warps of the cluster");
    result_.asynchronous = true;
    using Kind = ClusterElement::Kind;
    if (element.kind == Kind::kArrive || element.kind == Kind::kBarrier) control(Op::kFence, 0);
    if (element.kind != Kind::kWait) control(Op::kClusterArrive, 0);
    if (element.kind == Kind::kWait || element.kind == Kind::kBarrier) control(Op::kClusterWait, 0);
  }

  void emit(const MbarrierInit& element, const ProgramElement&, Window&) {
    mbarrier(Op::kMbarrierInit, {element.number, kOwnRank, element.arrivals}, {});
  }
  void emit(const MbarrierArrive& element, const ProgramElement&, Window&) {
    mbarrier(Op::kMbarrierArrive, {element.number, kOwnRank, element.arrivals, element.bytes}, element.member);
  }
  void emit(const MbarrierWait& element, const ProgramElement&, Window&) {
    mbarrier(Op::kMbarrierWait, {element.number, kOwnRank, 1, 0, 0, element.parity, true}, {});
  }
  void mbarrier(Op op, const MbarrierUse& use, const ClusterMember& member) {
    check_number(use.barrier);
    check_member(member);
    result_.asynchronous = true;
    one_thread(op, static_cast<std::uint32_t>(result_.mbarriers.size()));
    result_.mbarriers.push_back({use, member});
  }

  void emit(const BulkLoad& element, const ProgramElement&, Window&) {
    check_number(element.mbarrier);
    const std::uint64_t blocks = blocks_that_share(element.multicast, spec_.cluster);
    if (element.bytes % 16 != 0 || element.bytes == 0)
      fail_here("a row of " + std::to_string(element.bytes) + " bytes, but multiples of 16 are allowed");
    if (element.rows == 0 || element.rows % blocks != 0)
      fail_here(std::to_string(element.rows) + " rows, of which the " + std::to_string(blocks) +
                " blocks that get all of them cannot fetch equal parts");
    result_.asynchronous = true;
    BulkLoad load = element;
    if (!load.pitch) load.pitch = static_cast<std::int64_t>(load.bytes);
    MemoryElement first;
    first.pattern = element.pattern;
    MemoryElement last = first;
    last.offset = static_cast<std::int64_t>(element.rows - 1) * *load.pitch + static_cast<std::int64_t>(load.bytes) - 4;
    check_range(*pattern_of(last), last);
    one_thread(Op::kBulkCopy, static_cast<std::uint32_t>(result_.bulk.size()));
    result_.bulk.push_back({site(first), std::move(load)});
  }

  void check_number(std::uint32_t number) {
    if (number >= kMbarriers)
      fail_here("mbarrier " + std::to_string(number) + " does not exist: 0 to " + std::to_string(kMbarriers - 1) +
                " are allowed");
  }
  void check_member(const ClusterMember& member) {
    if (member.rank && member.peer) fail_here("rank and peer together, but only one of them is allowed");
    const std::uint64_t blocks = spec_.cluster.count();
    if (member.given()) result_.asynchronous = true;
    if (const std::uint32_t other = member.rank.value_or(member.peer.value_or(0)); other >= blocks && member.given())
      fail_here("block " + std::to_string(other) + " of the cluster, but it has " + std::to_string(blocks) + ": 0 to " +
                std::to_string(blocks - 1) + " are allowed");
  }
  void one_thread(Op op, std::uint32_t operand) {
    Instruction instruction;
    instruction.op = op;
    instruction.pipe = Pipe::kLoadStore;
    instruction.space = Space::kShared;
    instruction.width = 1;
    instruction.mask = 1;
    instruction.operand = operand;
    append(instruction);
  }

  void emit(const LoopElement& element, const ProgramElement&, Window&) {
    if (element.count == 0) fail_here("the loop runs 0 times, but must run at least once");
    if (element.body.empty()) fail_here("the loop has no body");
    if (depth_ == kMaxLoopDepth) fail_here("loops are nested more than " + std::to_string(kMaxLoopDepth) + " deep");
    const auto number = static_cast<std::uint32_t>(result_.loops.size());
    ProgramCode::Loop record;
    record.start = static_cast<std::uint32_t>(result_.codes.back().size());
    record.iterations = element.count;
    record.depth = static_cast<std::uint8_t>(depth_);
    record.varies = any_varies_ ? element.varies : depth_ == first_depth();
    result_.loops.push_back(record);
    enclosing_[depth_++] = number;
    body(element.body);
    --depth_;
    if (result_.codes.back().size() == record.start) {  // the loop has no instructions for this warp
      result_.loops.resize(number);
      return;
    }
    control(Op::kLoopEnd, number);
  }

  void emit(const WarpsElement& element, const ProgramElement&, Window&) {
    if (element.body.empty()) fail_here("the part for some warps has no body");
    if (warp_ < element.first || warp_ > element.last.value_or(warp_)) return;
    ++parts_;
    body(element.body);
    --parts_;
  }

  void emit(const WorkElement& element, const ProgramElement&, Window&) {
    const std::uint64_t units = element.units.count();
    if (depth_ > 0 || parts_ > 0 || has_work_)
      fail_here("work for the blocks to divide stands once in a program, in no loop and no part for some warps");
    if (element.body.empty()) fail_here("the work has no body");
    if (units < blocks_ || units > std::numeric_limits<std::uint32_t>::max())
      fail_here("the work has " + std::to_string(units) + " units, but " + std::to_string(blocks_) +
                ", one for each block, to 2^32 - 1 are allowed");
    has_work_ = true;
    result_.units = static_cast<std::uint32_t>(units);
    result_.schedule = element.schedule;
    const auto number = static_cast<std::uint32_t>(result_.loops.size());
    ProgramCode::Loop record;
    record.start = static_cast<std::uint32_t>(result_.codes.back().size());
    record.over_work = true;
    result_.loops.push_back(record);
    const LaunchShape launch = launch_;
    launch_.blocks = units;
    launch_.grid_x = element.units.x;
    enclosing_[depth_++] = number;
    of_ = Site::Of::kUnit;
    body(element.body);
    of_ = Site::Of::kBlock;
    --depth_;
    launch_ = launch;
    if (element.schedule == WorkElement::Schedule::kDynamic) take_unit(element);
    control(Op::kLoopEnd, number);
  }

  /// The block's first thread takes the next unit from the queue's counter and tells the others; all compare it with the
  /// number of units.
  void take_unit(const WorkElement& work) {
    const auto access = [this](Op op, Space space, const AddressPattern& pattern, Site::Of of) {
      Instruction instruction;
      instruction.op = op;
      instruction.pipe = Pipe::kLoadStore;
      instruction.space = space;
      instruction.operand = static_cast<std::uint32_t>(result_.sites.size());
      result_.sites.push_back({AddressGenerator(pattern, instruction.width, 0, launch_, 0), 0, {}, of, {}});
      return instruction;
    };
    constexpr std::uint8_t kFound = kNoRegister - 1;
    const AddressPattern counter{"", work.counters, AffinePattern{0, 0, WorkElement::kBytesOfACounter, 0, 0}};
    const AddressPattern word{"", (spec_.shared_memory + 3) / 4 * 4, AffinePattern{}};
    if (warp_ == 0) {
      Instruction add = access(Op::kAtomic, Space::kGlobal, counter, Site::Of::kQueue);
      add.destination = kFound;
      add.destinations = 1;
      Instruction tell = access(Op::kStore, Space::kShared, word, Site::Of::kBlock);
      tell.source[tell.sources++] = kFound;
      add.mask = tell.mask = 1;
      append(add);
      append(tell);
    }
    control(Op::kBarrier, 0);
    Instruction hear = access(Op::kLoad, Space::kShared, word, Site::Of::kBlock);
    hear.destination = kFound;
    hear.destinations = 1;
    append(hear);
    Instruction compare;
    compare.pipe = Pipe::kInt;
    compare.source[compare.sources++] = kFound;
    append(compare);
    control(Op::kArithmetic, 0);  // branch
  }

  void control(Op op, std::uint32_t operand) {
    Instruction instruction;
    instruction.op = op;
    instruction.pipe = Pipe::kControl;
    instruction.operand = operand;
    append(instruction);
  }

  void append(const Instruction& instruction) {
    if (result_.codes.back().size() == kMaxCodeLength)
      fail_here("the program has more than " + std::to_string(kMaxCodeLength) + " instructions: use loops");
    result_.codes.back().push_back(instruction);
    result_.codes.back().back().fill_places();
  }

  void set_registers(Instruction& instruction, const Registers& registers, std::size_t cls, Window& window) {
    if (registers.sources.size() > kMaxSources)
      fail_here(std::to_string(registers.sources.size()) + " source registers, but at most " +
                std::to_string(kMaxSources) + " are allowed");
    instruction.sources = 0;
    instruction.source.fill(kNoRegister);
    for (const std::uint8_t source : registers.sources) instruction.source[instruction.sources++] = source;
    instruction.destination = registers.destination.value_or(kNoRegister);
    instruction.destinations = registers.destination ? 1 : 0;
    if (registers.distance > 0 && (registers.named() || cls == kClasses))
      fail_here("a distance is for instructions with a result whose registers are not named");
    if (cls == kClasses) return;
    const std::uint32_t total = window.total[cls], place = window.place[cls]++;
    if (registers.distance > std::min(total, kMaxDistance))
      fail_here("distance is " + std::to_string(registers.distance) + ", but at most " +
                std::to_string(std::min(total, kMaxDistance)) + " is allowed: there are " + std::to_string(total) +
                " such instructions in this loop body, and " + std::to_string(kMaxDistance) + " is the limit");
    instruction.destination = window_register(cls, place, total);
    instruction.destinations = 1;
    if (registers.distance > 0)
      instruction.source[instruction.sources++] =
          window_register(cls, (place + total - registers.distance) % total, total);
  }

  std::vector<AddressPattern>::const_iterator pattern_of(const MemoryElement& memory) const {
    const auto named = [&](const AddressPattern& pattern) { return pattern.name == memory.pattern; };
    const auto found = std::find_if(spec_.patterns.begin(), spec_.patterns.end(), named);
    if (found == spec_.patterns.end()) fail_here("no address pattern is named '" + memory.pattern + "'");
    return found;
  }

  std::uint32_t site(const MemoryElement& memory) {
    const auto found = pattern_of(memory);
    const std::string error = pattern_error(*found, memory.width, memory.offset);
    if (!error.empty()) fail_here("address pattern '" + memory.pattern + "': " + error);
    check_range(*found, memory);
    const auto index = static_cast<std::uint64_t>(found - spec_.patterns.begin());
    result_.sites.push_back({AddressGenerator(*found, memory.width, memory.offset, launch_, derive(key_, index)),
                             static_cast<std::uint8_t>(depth_), enclosing_, of_, memory.member});
    return static_cast<std::uint32_t>(result_.sites.size() - 1);
  }

  /// Depth of the outermost loop that counts iterations, not units of work.
  std::size_t first_depth() const { return of_ == Site::Of::kUnit ? 1 : 0; }

  /// Maximum total iterations of the loops around the element; within work, the iterations of one unit.
  std::uint64_t iterations() const {
    constexpr unsigned __int128 kMax = std::uint64_t{1} << 62;
    unsigned __int128 all = 1;
    for (std::size_t depth = first_depth(); depth < depth_; ++depth) {
      const ProgramCode::Loop& loop = result_.loops[enclosing_[depth]];
      all = std::min(kMax, all * loop.iterations * (loop.varies ? largest_factor(spec_.variation) : 1));
    }
    return static_cast<std::uint64_t>(all);
  }

  void check_range(const AddressPattern& pattern, const MemoryElement& memory) {
    const AddressRange range = address_range(pattern, memory.width, memory.offset, launch_, iterations());
    if (range.first < 0 || range.last >= kAddresses)
      fail_here("address pattern '" + pattern.name + "': its addresses go " +
                (range.first < 0 ? "below 0" : "beyond 2^47") +
                ", but those of a GPU are 0 to 2^47 - 1; a footprint bounds them");
    const bool shared = memory.space == Space::kShared || memory.space == Space::kCluster;
    if (!shared || range.last < static_cast<__int128>(spec_.shared_memory)) return;
    warn_here("its accesses to shared memory by '" + pattern.name + "' reach byte " +
              std::to_string(static_cast<std::uint64_t>(range.last)) + ", but shared_memory is " +
              std::to_string(spec_.shared_memory));
  }

  /// Warns of registers that a thread does not have; they still order instructions. `destinations`: consecutive ones.
  void check_registers(const Registers& registers, unsigned destinations) {
    unsigned highest = registers.destination ? *registers.destination + destinations - 1 : 0;
    for (const std::uint8_t source : registers.sources) highest = std::max<unsigned>(highest, source);
    if (!registers.named() || highest < spec_.registers_per_thread) return;
    warn_here("it names register " + std::to_string(highest) + ", but registers is " +
              std::to_string(spec_.registers_per_thread));
  }

  /// Warns of a destination of several registers that partly overlaps an earlier, unread one.
  void check_overlap(const Registers& registers, unsigned destinations) {
    for (const std::uint8_t source : registers.sources) {
      if (source < kNoRegister) unread_.read(source);
    }
    if (registers.destination.value_or(kNoRegister) == kNoRegister) return;
    const RegisterRun run{*registers.destination, static_cast<std::uint8_t>(destinations)};
    const auto text = [](const RegisterRun& r) {
      return (r.count == 1 ? "register " : "registers ") + std::to_string(r.first) +
             (r.count == 1 ? "" : " to " + std::to_string(r.first + r.count - 1));
    };
    const std::optional<RegisterRun> earlier = unread_.write(run);
    if (!earlier) return;
    warn_here("it writes " + text(run) + " and waits for what writes " + text(*earlier) +
              ", which nothing reads: a load of 8 or 16 bytes has two or four registers");
  }

  void warn_here(const std::string& message) {
    const std::string text = place(spec_, line_) + ": " + message;
    if (std::find(result_.warnings.begin(), result_.warnings.end(), text) == result_.warnings.end())
      result_.warnings.push_back(text);
  }

  [[noreturn]] void fail_here(const std::string& message) const { fail(spec_, line_, message); }

  const ProgramSpec& spec_;
  std::uint64_t key_;
  LaunchShape launch_;  ///< within work: units take the place of blocks
  std::uint64_t blocks_ = 0;
  ProgramCode result_;
  bool any_varies_ = false;
  std::vector<bool> starts_;  ///< by warp: whether its code differs from that of the previous warp
  std::uint32_t warp_ = 0;    ///< the warp being compiled
  std::size_t depth_ = 0;
  Site::Of of_ = Site::Of::kBlock;
  bool has_work_ = false;            ///< whether the code being compiled has work
  std::vector<SpinElement> passed_;  ///< spins so far in the code being compiled
  UnreadRegisters unread_;           ///< unread registers of the code being compiled
  std::size_t parts_ = 0;            ///< number of enclosing WarpsElements
  std::array<std::uint32_t, kMaxLoopDepth> enclosing_{};
  std::size_t line_ = 0;
};

}  // namespace

ProgramCode compile(const ProgramSpec& spec, std::uint64_t seed) { return Compiler(spec, seed).run(); }

std::uint64_t variation_factor(const Variation& variation, std::uint64_t seed, std::uint64_t kernel,
                               std::uint64_t block) {
  constexpr std::uint64_t kNoWarp = ~std::uint64_t{0};  // the draw is the block's, not a warp's
  const auto draw = [&](std::uint64_t n) { return random_bits(seed, kernel, block, kNoWarp, n); };
  const auto one = static_cast<std::int64_t>(kFactorOne);
  // A power of two: exact on every compiler.
  const auto spread = static_cast<std::int64_t>(variation.spread * 4294967296.0);
  std::int64_t deviation = 0;  // of mean 0 and standard deviation 1, in units of 2^-32
  switch (variation.distribution) {
    case Variation::Distribution::kUniform: {
      constexpr std::int64_t kSqrt12 = 14878203147;  // sqrt(12) * 2^32
      const auto uniform = static_cast<std::int64_t>(draw(0) >> 32) - one / 2;
      deviation = static_cast<std::int64_t>((static_cast<__int128>(uniform) * kSqrt12) >> 32);
      break;
    }
    case Variation::Distribution::kNormal:
      // Each uniform value has variance 1/12.
      for (std::uint64_t n = 0; n < 12; ++n) deviation += static_cast<std::int64_t>(draw(n) >> 32);
      deviation -= 6 * one;
      break;
    case Variation::Distribution::kExponential: deviation = static_cast<std::int64_t>(minus_ln(draw(0))) - one; break;
    case Variation::Distribution::kFewLong: {
      constexpr std::int64_t kSqrt15 = 16634336809;  // sqrt(15) * 2^32
      deviation = draw(0) >> 60 == 0 ? kSqrt15 : -kSqrt15 / 15;
      break;
    }
  }
  const auto factor = one + static_cast<std::int64_t>((static_cast<__int128>(deviation) * spread) >> 32);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(factor, 0));
}

std::uint64_t blocks_that_share(BulkLoad::Multicast multicast, const Dim3& cluster) {
  switch (multicast) {
    case BulkLoad::Multicast::kNone: return 1;
    case BulkLoad::Multicast::kX: return cluster.x;
    case BulkLoad::Multicast::kY: return cluster.y;
    case BulkLoad::Multicast::kZ: return cluster.z;
    case BulkLoad::Multicast::kCluster: break;
  }
  return cluster.count();
}

std::string place(const ProgramSpec& spec, std::size_t line) {
  const std::string kernel = "kernel '" + shortened(spec.name) + "'";
  return spec.file.empty() ? kernel : spec.file + ":" + std::to_string(line != 0 ? line : spec.line) + ": " + kernel;
}

void fail(const ProgramSpec& spec, std::size_t line, const std::string& message) {
  throw InputError(place(spec, line) + ": " + message);
}

}  // namespace gputlm
