/// Surroundings for one SM, without SystemC: a work distributor that sends a list of blocks as warps and block slots
/// become free, and a memory that answers each access after a latency, at most one reply a cycle. Their actions are a
/// function of the cycles at which the SM acted, at least `hop` cycles later, and thus do not depend on how time is cut into
/// calls of advance().
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/kernel/shared_work.h"
#include "models/noc/config.h"
#include "models/noc/links.h"
#include "models/sm/sm_model.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {

/// A kernel with code written by hand, one list of instructions per warp (the last list for all further warps).
class HandKernel final : public Kernel {
 public:
  using AddressRule = std::function<Address(const Instruction&, const WarpPosition&, unsigned lane)>;

  HandKernel(std::uint64_t blocks, unsigned warps, std::vector<std::vector<Instruction>> code_of_warps)
      : codes(std::move(code_of_warps)) {
    name = "hand";
    grid = {static_cast<std::uint32_t>(blocks)};
    block = {warps * 32};
    for (auto& code : codes) {
      Instruction exit;
      exit.op = Op::kExit;
      exit.pipe = Pipe::kControl;
      code.push_back(exit);
    }
  }
  std::unique_ptr<BlockCode> code(std::uint64_t) override {
    const auto asks = [](const LoopInfo& loop) { return loop.iterations == LoopInfo::kAsk; };
    if (std::any_of(loops.begin(), loops.end(), asks)) return std::make_unique<SharingCode>(*this);
    return std::make_unique<Code>(*this);
  }

  std::vector<std::vector<Instruction>> codes;
  std::vector<LoopInfo> loops;
  /// A loop of LoopInfo::kAsk ends at every third question, in the order in which blocks and warps ask.
  mutable std::uint64_t asked = 0;
  AddressRule address = [](const Instruction& in, const WarpPosition&, unsigned lane) {
    return Address{in.operand} + Address{lane} * in.width;
  };
  std::vector<MbarrierUse> mbarriers;  ///< an instruction's operand is the number of its first one
  std::vector<BulkCopy> bulk;          ///< an instruction's operand is the number of its only one
  /// The address of a row of a copy.
  std::function<Address(std::uint32_t row)> row = [](std::uint32_t number) { return Address{number} * 4096; };
  // For its blocks, each in a cluster of its own:
  std::shared_ptr<const PlacedCluster> placed;
  std::uint32_t rank = 0;

 private:
  class Code : public BlockCode {
   public:
    explicit Code(const HandKernel& kernel) : kernel_(kernel) {}
    WarpCode warp(std::uint32_t warp) const override {
      const auto& code = kernel_.codes[std::min<std::size_t>(warp, kernel_.codes.size() - 1)];
      return {code.data(), static_cast<std::uint32_t>(code.size()), kernel_.loops.data()};
    }
    LoopInfo loop(std::uint32_t operand) const override {
      LoopInfo loop = kernel_.loops[operand];
      if (loop.iterations == LoopInfo::kAsk && ++kernel_.asked % 3 != 0) loop.iterations = ~std::uint32_t{0};
      return loop;
    }
    Femtoseconds spin(std::uint32_t operand, SmId) const override { return operand; }
    void addresses(const Instruction& in, const WarpPosition& position, LaneAddresses& out) const override {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (in.mask >> lane & 1) out[lane] = kernel_.address(in, position, lane);
      }
    }
    MbarrierUse mbarrier(const Instruction& in, const WarpPosition&, std::uint32_t number) const override {
      return kernel_.mbarriers[in.operand + number];
    }
    BulkCopy bulk_copy(const Instruction& in, const WarpPosition&, bool) const override {
      return kernel_.bulk[in.operand];
    }
    Address bulk_row(const Instruction&, const WarpPosition&, std::uint32_t row) const override {
      return kernel_.row(row);
    }

   private:
    const HandKernel& kernel_;
  };
  /// Code with loops of LoopInfo::kAsk.
  class SharingCode final : public Code, public SharedWork {
   public:
    using Code::Code;
    void share_with(const BlockCode&) override {}
  };
};

inline Instruction arithmetic(Pipe pipe, std::uint8_t destination, const std::vector<std::uint8_t>& sources = {}) {
  Instruction in;
  in.pipe = pipe;
  in.destination = destination;
  in.destinations = 1;
  for (const std::uint8_t source : sources) in.source[in.sources++] = source;
  return in;
}
inline Instruction load_from(std::uint32_t address, std::uint8_t destination, Space space = Space::kGlobal,
                             std::uint8_t width = 4) {
  Instruction in = arithmetic(Pipe::kLoadStore, destination);
  in.op = Op::kLoad;
  in.space = space;
  in.width = width;
  in.operand = address;
  return in;
}
inline Instruction store_to(std::uint32_t address, Space space = Space::kGlobal, std::uint8_t width = 4) {
  Instruction in;
  in.op = Op::kStore;
  in.pipe = Pipe::kLoadStore;
  in.space = space;
  in.width = width;
  in.operand = address;
  return in;
}
inline Instruction atomic_on(std::uint32_t address, std::uint8_t destination) {
  Instruction in = load_from(address, destination);
  in.op = Op::kAtomic;
  return in;
}
inline Instruction control(Op op, std::uint32_t operand = 0) {
  Instruction in;
  in.op = op;
  in.pipe = Pipe::kControl;
  in.operand = operand;
  return in;
}

inline std::vector<std::uint64_t> values(const BlockCounters& counters) {
  static_assert(sizeof(BlockCounters) % sizeof(std::uint64_t) == 0, "all counters are of one type");
  std::vector<std::uint64_t> result(sizeof(BlockCounters) / sizeof(std::uint64_t));
  std::memcpy(result.data(), &counters, sizeof counters);
  return result;
}

struct Ended {
  KernelId kernel = 0;
  std::uint32_t block = 0;
  Cycle start = 0, end = 0, sent = 0;
  BlockCounters counters;
  auto key() const { return std::make_tuple(kernel, block, start, end, sent, values(counters)); }
  bool operator==(const Ended& other) const { return key() == other.key(); }
  /// Cycles of all warps that some counter accounts for.
  std::uint64_t accounted() const {
    std::uint64_t sum = counters.instructions;
    for (const std::uint64_t cycles : counters.stall) sum += cycles;
    return sum;
  }
  std::uint64_t stall(Stall reason) const { return counters.stall[static_cast<unsigned>(reason)]; }
};

/// An access that left the SM.
struct Left {
  Cycle at = 0;
  Address address = 0;
  unsigned bytes = 0, flits = 0, block = 0, warp = 0;
  bool write = false, partial = false, atomic = false;
  auto key() const { return std::tie(at, address, bytes, flits, block, warp, write, partial, atomic); }
  bool operator==(const Left& other) const { return key() == other.key(); }
};

struct Wanted {
  Kernel* kernel;
  KernelId id;
  std::uint32_t block;
  Cycle at;
};

struct Surroundings {
  Cycle hop = 20;
  /// Cycles from an access's departure to its reply, at least a hop.
  std::function<Cycle(const Access&)> latency = [](const Access&) { return Cycle{100}; };
  Cycle service = 1;  ///< cycles between two accesses that the GPC port takes from its queue
  /// Cycles from a request for a page's translation to the answer, at least two hops; none: nothing is translated.
  std::function<Cycle(std::uint64_t page)> translation = nullptr;
};

inline constexpr Bytes kPageBytes = 4096;
inline constexpr Femtoseconds kPeriod = 1000;  ///< period of the core clock in these tests

class SmHarness {
 public:
  /// The SM is of the model that `config` names. `durations`: for a model that needs them; must outlive this.
  SmHarness(const SmConfig& config, const NocConfig& noc, Surroundings surroundings = {},
            const BlockDurations* durations = nullptr)
      : config_(config),
        model_(sm_models()
                   .at(config.model)
                   .make({config_,
                          0,
                          Clock(kPeriod),
                          {0, noc.flits(), sm_link(Clock(kPeriod), noc), map_},
                          accesses_,
                          surroundings.translation ? std::make_unique<SmTlb>(config.tlb, kPageBytes, translations_)
                                                   : nullptr,
                          durations})),
        core(*model_), surroundings_(std::move(surroundings)), reply_interval_(1 + surroundings_.hop / noc.queue),
        free_warps_(config.warps), free_blocks_(config.blocks) {}

  void launch(Kernel& kernel, KernelId id = 0, Cycle at = 0) {
    for (std::uint32_t b = 0; b < kernel.blocks(); ++b) wanted_.push_back({&kernel, id, b, at});
  }
  /// Takes blocks off at cycle `off` or as soon as possible, and brings them back at `back` or as soon as possible. Until they
  /// are back, none is launched. Calls are in order of time.
  void preempt(Cycle off, Cycle back) {
    if (plan_.empty() && switched.empty()) core.allow_preemption();
    plan_.push_back({off, false});
    plan_.push_back({back, true});
  }
  /// Runs until all blocks have ended, or to the cycle `limit`; `window` names the length of each call of advance(),
  /// 1 to a hop.
  bool run(const std::function<Cycle()>& window, Cycle limit = 1000000) {
    while (now_ < limit) {
      const Cycle until = now_ + window();
      deliver(until);
      core.advance(until);
      collect();
      now_ = until;
      if (wanted_.empty() && blocks_.in_use() == 0) return true;
    }
    return false;
  }
  bool run(Cycle limit = 1000000) {
    return run([this] { return surroundings_.hop; }, limit);
  }
  std::size_t accesses_in_use() const { return accesses_.in_use(); }
  /// The SM is told at cycle `at` to forget `pages` pages from `first` on.
  void shoot_down(Cycle at, std::uint64_t first, std::uint64_t pages) {
    shootdowns_.emplace_back(at, Shootdown{1, first, pages, nullptr});
  }

 private:
  SmConfig config_;  // the core refers to its configuration
  MemoryMap map_{{}, 1};
  PlainItems<Access> accesses_;
  PlainItems<BlockLaunch> blocks_;
  PlainItems<Translation> translations_;
  std::set<KernelId> visited_by_;
  std::unique_ptr<SmModel> model_;

 public:
  SmModel& core;
  std::vector<Ended> ended;
  std::vector<Left> left;
  struct Switched {
    Cycle at;  ///< cycle in which the SM said that it was done
    bool brought_back;
    unsigned blocks;
    Bytes bytes;
    auto key() const { return std::tie(at, brought_back, blocks, bytes); }
    bool operator==(const Switched& other) const { return key() == other.key(); }
  };
  std::vector<Switched> switched;
  std::vector<std::pair<Cycle, std::uint64_t>> asked;  ///< cycle and page of each request to the MMU
  std::vector<Cycle> shot_down;                        ///< cycles of acknowledgements

 private:
  struct Planned {
    Cycle at;
    bool brings_back;
  };
  Cycle next_switch() const { return plan_.empty() ? kNever : std::max(plan_.front().at, switch_since_); }

  struct Freed {
    Cycle at;
    unsigned warps;
  };

  void deliver(Cycle until) {
    for (; !request_credits_.empty() && request_credits_.front() < until; request_credits_.pop_front())
      core.requests().credit(request_credits_.front(), 1);
    for (; !completion_credits_.empty() && completion_credits_.front() < until; completion_credits_.pop_front())
      core.completions().credit(completion_credits_.front(), 1);
    while (!replies_.empty()) {
      const Cycle at = std::max(replies_.begin()->first.first, last_reply_ + reply_interval_);
      if (at >= until) break;
      last_reply_ = at;
      core.replies().push(at, *replies_.begin()->second);
      replies_.erase(replies_.begin());
    }
    while (!wanted_.empty() && deliver_block(until)) {
    }
    for (; !answers_.empty() && answers_.begin()->first < until; answers_.erase(answers_.begin()))
      core.tlb()->answers().push(answers_.begin()->first, *answers_.begin()->second);
    for (; !shootdowns_.empty() && shootdowns_.front().first < until; shootdowns_.pop_front())
      core.tlb()->shootdowns().push(shootdowns_.front().first, told_.emplace_back(shootdowns_.front().second));
    if (next_switch() >= until || switching_) return;
    switching_ = off_ = true;
    switch_ = {};
    switch_.brings_back = plan_.front().brings_back;
    core.switches().push(next_switch(), switch_);
    plan_.pop_front();
  }
  bool deliver_block(Cycle until) {
    const Wanted& next = wanted_.front();
    const unsigned warps = next.kernel->warps_per_block();
    while (warps > free_warps_ || free_blocks_ == 0) {
      if (freed_.empty() || freed_.front().at >= until) return false;
      free_warps_ += freed_.front().warps;
      ++free_blocks_;
      room_since_ = freed_.front().at;
      freed_.pop_front();
    }
    const Cycle at = std::max({next.at, next_launch_, room_since_});
    if (at >= until || off_ || at >= next_switch()) return false;
    next_launch_ = at + 1;
    free_warps_ -= warps;
    --free_blocks_;
    BlockLaunch& launch = blocks_.allocate();
    launch.identity.kernel = next.id;
    launch.kernel = next.kernel;
    launch.identity.block = next.block;
    launch.code = next.kernel->code(next.block);
    if (const auto* const hand = dynamic_cast<HandKernel*>(next.kernel)) {
      launch.cluster = hand->placed;
      launch.rank = hand->rank;
    }
    launch.first_on_sm = visited_by_.insert(next.id).second;
    core.launches().push(at, launch);
    wanted_.pop_front();
    return true;
  }

  void collect() {
    core.launches().freed_slots().clear();
    core.replies().freed_slots().clear();
    for (const auto& departure : core.completions().departures()) {
      const BlockLaunch& block = *departure.item;
      ended.push_back(
          {block.identity.kernel, block.identity.block, block.start, block.end, departure.slot, block.counters});
      completion_credits_.push_back(departure.slot + surroundings_.hop);
      freed_.push_back({departure.slot + 2 * surroundings_.hop, block.kernel->warps_per_block()});
      blocks_.release(*departure.item);
    }
    core.completions().departures().clear();
    for (const auto& departure : core.requests().departures()) {
      Access& access = *departure.item;
      const Cycle at = departure.slot;
      left.push_back({at, access.address, access.bytes, access.flits, access.identity.block, access.identity.warp,
                      access.write, access.partial, access.atomic});
      taken_ = std::max(at + surroundings_.hop, taken_ + surroundings_.service);
      request_credits_.push_back(taken_ + surroundings_.hop);
      replies_.emplace(std::make_pair(at + surroundings_.latency(access), left.size()), &access);
    }
    core.requests().departures().clear();
    if (switching_) collect_switched();
    if (core.tlb()) collect_translations();
  }
  void collect_switched() {
    core.switches().freed_slots().clear();
    for (const auto& departure : core.switched().departures()) {
      const Cycle at = departure.slot;
      switched.push_back({at, switch_.brings_back, switch_.blocks, switch_.bytes});
      core.switched().credit(at + surroundings_.hop, 1);
      switch_since_ = at + 2 * surroundings_.hop;
      switching_ = false;
      if (!switch_.brings_back && switch_.blocks == 0) plan_.pop_front();
      off_ = !switch_.brings_back && switch_.blocks > 0;
      if (!off_) room_since_ = std::max(room_since_, switch_since_);
    }
    core.switched().departures().clear();
  }
  void collect_translations() {
    for (const auto& departure : core.tlb()->requests().departures()) {
      asked.emplace_back(departure.slot, departure.item->page);
      core.tlb()->requests().credit(departure.slot + 2 * surroundings_.hop, 1);
      answers_.emplace(departure.slot + surroundings_.translation(departure.item->page), departure.item);
    }
    core.tlb()->requests().departures().clear();
    core.tlb()->answers().freed_slots().clear();
    for (const auto& departure : core.tlb()->shootdown_ends().departures()) {
      shot_down.push_back(departure.slot);
      core.tlb()->shootdown_ends().credit(departure.slot + 2 * surroundings_.hop, 1);
    }
    core.tlb()->shootdown_ends().departures().clear();
    core.tlb()->shootdowns().freed_slots().clear();
  }

  Surroundings surroundings_;
  Cycle reply_interval_;  ///< cycles between replies: no more in a window than the SM's queue holds
  std::deque<Wanted> wanted_;
  unsigned free_warps_, free_blocks_;
  Cycle now_ = 0, room_since_ = 0, next_launch_ = 0, last_reply_ = 0, taken_ = 0;
  std::deque<Freed> freed_;
  std::deque<Cycle> request_credits_, completion_credits_;
  std::map<std::pair<Cycle, std::size_t>, Access*> replies_;
  std::deque<Planned> plan_;
  ContextSwitch switch_;
  bool switching_ = false, off_ = false;
  Cycle switch_since_ = 0;
  std::multimap<Cycle, Translation*> answers_;
  std::deque<std::pair<Cycle, Shootdown>> shootdowns_;
  std::deque<Shootdown> told_;
};

/// One warp scheduler's worth of everything, with round numbers.
inline SmConfig one_sub_core() {
  SmConfig config;
  config.sub_cores = 1;
  config.warps = 16;
  config.fp32 = {2, 5};
  config.integer = {2, 6};
  config.fp64 = {16, 40};
  config.sfu = {8, 21};
  config.tensor = {4, 30};
  config.load_store = {1, 4};
  config.control = {1, 1};
  return config;
}

}  // namespace gputlm::test
