/// A warp on an SM: where it is in its code, what its next instruction waits for, and its scoreboard.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "models/kernel/kernel.h"
#include "models/kernel/launch.h"

namespace gputlm {

/// A cycle and why a warp may wait for it, in one number: the later of two is the larger. kNever: an outstanding load
/// will tell.
using Stamp = std::uint64_t;

/// What a stamp is of. Of waits that end in the same cycle, the last one here is the one that counts.
enum class WaitKind : std::uint8_t {
  kHeldBySpin,
  kHeldByMemory,  ///< copies, or the fetch of the kernel
  kExecution,
  kLoad,
};
inline constexpr std::array<Stall, 4> kStallOfWait{Stall::kSpin, Stall::kMemory, Stall::kExecution, Stall::kMemory};

constexpr Stamp stamp(Cycle at, WaitKind kind) { return at << 2 | static_cast<unsigned>(kind); }
constexpr Cycle cycle_of(Stamp stamp) { return stamp >> 2; }
constexpr Stall stall_of(Stamp stamp) { return kStallOfWait[stamp & 3]; }

/// The asynchronous copies of a warp and the groups that they are in. They count as ended in their order, whichever ends.
class AsyncCopies {
 public:
  void issue() { ++issued_; }
  void commit() { last_[groups_++ % kGroups] = issued_; }
  /// The warp waits until at most `left` groups are under way; the cycle from which it need not, kNever if that is not
  /// known yet.
  Cycle await(std::uint32_t left) {
    if (left >= groups_) return 0;
    // Of groups that are no longer told apart, nothing is known but that the oldest that is came after them.
    awaited_ = last_[(groups_ - 1 - std::min(left, kGroups - 1)) % kGroups];
    return awaits() ? kNever : ready_;
  }
  /// The data of one are there at `at`; true if the warp has waited for it, and goes on at ready().
  bool end(Cycle at) {
    const bool awaited = awaits();
    ready_ = std::max(ready_, at);
    ++ended_;
    return awaited && !awaits();
  }
  Cycle ready() const { return ready_; }
  std::uint32_t issued() const { return issued_; }
  std::uint32_t ended() const { return ended_; }
  bool awaits() const { return ended_ < awaited_; }

 private:
  static constexpr std::uint32_t kGroups = 8;  ///< more than programs keep under way
  std::uint32_t issued_ = 0, ended_ = 0;
  std::uint32_t awaited_ = 0;  ///< so many are to end before the warp goes on
  std::uint32_t groups_ = 0;
  Cycle ready_ = 0;                            ///< of those that have ended, the last data
  std::array<std::uint32_t, kGroups> last_{};  ///< issued when the latest groups were committed
};

/// In the order in which an issue wants it: what it always does lies in one line of the host's cache, the first registers in
/// the next one.
struct alignas(64) Warp {
  const Instruction* next = nullptr;  ///< instruction
  const Instruction* code = nullptr;
  const LoopInfo* loops = nullptr;
  BlockLaunch* launch = nullptr;
  Cycle last_issue = 0;
  Stamp ready = 0;  ///< when what the next instruction waits for is there; kNever: a load or copies, not known yet
  Stamp held = 0;   ///< end of the slot's last wait for a time: past, unless it is this warp's
  std::uint16_t block = 0;  ///< block slot of the SM
  bool at_barrier = false;
  bool shares_work = false;  ///< its block does, with others of the SM

  /// The scoreboard: from when on a register can be read. That of kNoRegister is 0, always.
  std::array<Stamp, kRegisters> registers{};
  WarpPosition position;
  std::uint8_t barrier = 0;  ///< the barrier it waits at
  AsyncCopies copies;

  bool waits_for_load() const { return ready == kNever; }
  /// The next instruction does not issue before `until`.
  void hold(Cycle until, WaitKind kind) { held = stamp(until, kind); }
  /// It has been off the SM from cycle `since` on, for `away` cycles, in which no spin goes on.
  void pause(Cycle since, Cycle away) {
    if (stamp(cycle_of(held), WaitKind::kHeldBySpin) == held && cycle_of(held) >= since) held += away << 2;
  }
  void write(const Instruction& in, Stamp result) {
    if (in.destinations == 0) return;
    assert(in.destination + in.destinations <= kNoRegister);
    registers[in.destination] = result;
    for (unsigned d = 1; d < in.destinations; ++d) registers[in.destination + d] = result;
  }

  /// When the dependences of `in` are met (in-order issue: read after write, and write after write), after cycle `now`.
  Stamp met(const Instruction& in, Cycle now) const {
    // Most have up to three sources and one destination; what there is less of is no other register (fill_places()).
    Stamp latest = std::max(stamp(now + 1, WaitKind::kExecution), held);
    for (unsigned s = 0; s < 3; ++s) latest = std::max(latest, registers[in.source[s]]);
    latest = std::max(latest, registers[in.destination]);
    for (unsigned s = 3; s < in.sources; ++s) latest = std::max(latest, registers[in.source[s]]);
    for (unsigned d = 1; d < in.destinations; ++d) latest = std::max(latest, registers[in.destination + d]);
    return latest;
  }
  /// To the next instruction, which after the end of a loop is its start or stands behind it.
  void advance() {
    if ((++next)->op != Op::kLoopEnd) return;
    const LoopInfo& loop = loops[next->operand];
    if (++position.loop[loop.depth] < loop.iterations) {
      next = code + loop.start;
    } else {
      leave_loop();
    }
  }

 private:
  /// At the end of a loop of which all iterations may have ended, or which the block decides on.
  void leave_loop();
};

static_assert(offsetof(Warp, registers) == 64, "what an issue wants goes beyond one line of the host's cache");

/// Adds what a warp that has not exited has waited for since it last issued, before cycle `until`.
void add_wait(const Warp& warp, Cycle until, BlockCounters& counters);

}  // namespace gputlm
