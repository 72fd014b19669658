/// A warp on an SM: its position in the code, the dependences of its next instruction, and its scoreboard.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "models/kernel/kernel.h"
#include "models/kernel/launch.h"

namespace gputlm {

/// A cycle and the reason why a warp may wait for it, in one number, ordered by cycle. kNever: unknown until an outstanding
/// load returns.
using Stamp = std::uint64_t;

/// The reason of a stamp. Of waits that end in the same cycle, the one listed last here counts.
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

/// The asynchronous copies of a warp and their groups. Copies count as ended in order, whichever ends.
class AsyncCopies {
 public:
  void issue() { ++issued_; }
  void commit() { last_[groups_++ % kGroups] = issued_; }
  /// Makes the warp wait until at most `left` groups are in flight; returns the cycle of the wait's end, kNever if unknown.
  Cycle await(std::uint32_t left) {
    if (left >= groups_) return 0;
    // Older groups are not distinguished; they end no later than the oldest that is.
    awaited_ = last_[(groups_ - 1 - std::min(left, kGroups - 1)) % kGroups];
    return awaits() ? kNever : ready_;
  }
  /// The data of a copy arrives at `at`; true if the warp was waiting for it, and continues at ready().
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
  static constexpr std::uint32_t kGroups = 8;  ///< more than programs keep in flight
  std::uint32_t issued_ = 0, ended_ = 0;
  std::uint32_t awaited_ = 0;  ///< number of copies that must have ended before the warp continues
  std::uint32_t groups_ = 0;
  Cycle ready_ = 0;                            ///< arrival of the last data of the copies that have ended
  std::array<std::uint32_t, kGroups> last_{};  ///< copies issued when the latest groups were committed
};

/// Members are in the order of their use at issue: those always used are in one cache line of the host, the first registers
/// in the next.
struct alignas(64) Warp {
  const Instruction* next = nullptr;  ///< next instruction
  const Instruction* code = nullptr;
  const LoopInfo* loops = nullptr;
  BlockLaunch* launch = nullptr;
  Cycle last_issue = 0;
  Stamp ready = 0;  ///< when the next instruction's dependences are met; kNever: unknown, it waits for a load or copies
  Stamp held = 0;   ///< end of the slot's last timed wait; in the past, unless it is this warp's
  std::uint16_t block = 0;  ///< block slot of the SM
  bool at_barrier = false;
  bool shares_work = false;  ///< its block shares work with others of the SM

  /// The scoreboard: when each register can be read. kNoRegister's is always 0.
  std::array<Stamp, kRegisters> registers{};
  WarpPosition position;
  std::uint8_t barrier = 0;  ///< number of the barrier at which it waits
  AsyncCopies copies;

  bool waits_for_load() const { return ready == kNever; }
  /// The next instruction does not issue before `until`.
  void hold(Cycle until, WaitKind kind) { held = stamp(until, kind); }
  /// The warp was off the SM from cycle `since` on, for `away` cycles, in which spins do not progress.
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
    // Most have up to three sources and one destination; unused places add no other register (fill_places()).
    Stamp latest = std::max(stamp(now + 1, WaitKind::kExecution), held);
    for (unsigned s = 0; s < 3; ++s) latest = std::max(latest, registers[in.source[s]]);
    latest = std::max(latest, registers[in.destination]);
    for (unsigned s = 3; s < in.sources; ++s) latest = std::max(latest, registers[in.source[s]]);
    for (unsigned d = 1; d < in.destinations; ++d) latest = std::max(latest, registers[in.destination + d]);
    return latest;
  }
  /// Moves to the next instruction; at the end of a loop, that is its start or the instruction after it.
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
  /// Handles the end of a loop whose iterations may all have ended, or on which the block decides.
  void leave_loop();
};

static_assert(offsetof(Warp, registers) == 64, "what an issue wants goes beyond one line of the host's cache");

/// Adds the waits of a warp that has not exited, from its last issue to cycle `until`.
void add_wait(const Warp& warp, Cycle until, BlockCounters& counters);

}  // namespace gputlm
