#include "tests/fuzz/use.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "models/copy_engine/core.h"
#include "models/dram/controller_core.h"
#include "models/host/core.h"
#include "models/host_link/core.h"
#include "models/host_memory/core.h"
#include "models/l2/slice_core.h"
#include "models/memory_map/memory_map.h"
#include "models/mmu/core.h"
#include "models/noc/links.h"
#include "models/noc/switch_core.h"
#include "models/sm/coalescer.h"
#include "models/sm/sm_core.h"
#include "models/work_distributor/core.h"
#include "tests/fuzz/target.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::fuzz {
namespace {

template <class Item>
using Items = test::PlainItems<Item>;

constexpr unsigned kQueue = 64;        // of neighbours that are not there
constexpr unsigned kSteps = 400;       // of a warp
constexpr unsigned kHostSteps = 2000;  // windows of a host

/// Lets a DRAM channel serve a few accesses, all over its addresses.
void serve(const DramConfig& config) {
  DramControllerCore dram(config, 1, kQueue);
  std::vector<Access> accesses(std::min(config.input_queue, 16u));
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    accesses[i].address = kSectorBytes * (i % 2 == 0 ? i : 0x9e3779b97f4a7c15u % (i * 12345678901));
    accesses[i].bytes = kSectorBytes;
    accesses[i].write = i % 3 == 0;
    dram.requests(0).push(i, accesses[i]);
  }
  std::size_t answered = 0;
  Cycle next = 0;
  for (unsigned step = 0; step < 10000 && answered < accesses.size() && next != kNever; ++step) {
    next = dram.advance(next + 1);
    dram.commands.flush();
    answered += dram.responses(0).departures().size();
    dram.responses(0).departures().clear();
  }
  require(answered == accesses.size() || next != kNever, "a DRAM controller sleeps while accesses wait");
}

/// How a warp looks at one of its instructions.
class Looks {
 public:
  void at(const BlockCode& code, const Instruction& instruction, const WarpPosition& position) {
    if (instruction.op != Op::kLoad && instruction.op != Op::kStore && instruction.op != Op::kAtomic) return;
    addresses_.fill(0);
    code.addresses(instruction, position, addresses_);
    coalescer_.coalesce(addresses_, instruction.mask, instruction.width);
    const unsigned cycles = bank_cycles(addresses_, instruction.mask, instruction.width, 32);
    if (instruction.mask != 0xffffffffu) return;
    const auto shape = code.lane_shape(instruction, position);
    if (!shape) return;
    const LaneAddresses distances = shape->distances();
    for (std::size_t lane = 1; lane < kWarpSize; ++lane) {
      const Address distance = addresses_[lane] - addresses_[0];
      require(distance == distances[lane] - distances[0], "lanes do not lie as they say");
      require(!shape->is_run(instruction.width) || distance == lane * instruction.width, "a run that is none");
    }
    if ((shape->x | shape->y) % 4 == 0)
      require(cycles == conflicts_.cycles(*shape, instruction.mask, instruction.width), "conflicts of a shape differ");
  }

 private:
  Coalescer coalescer_;
  BankConflicts conflicts_{32};
  LaneAddresses addresses_{};
};

/// Each loop is gone through twice at most; where it is left, its last iteration is looked at.
void walk_warp(const BlockCode& code, std::uint32_t block, std::uint32_t warp, Looks& looks) {
  const WarpCode warp_code = code.warp(warp);
  require(warp_code.length > 0 && warp_code.code[warp_code.length - 1].op == Op::kExit, "a warp without an end");
  WarpPosition position;
  position.block = block;
  position.warp = warp;
  std::uint32_t pc = 0;
  for (unsigned step = 0; step < kSteps; ++step) {
    require(pc < warp_code.length, "a warp goes beyond its end");
    const Instruction& instruction = warp_code.code[pc];
    looks.at(code, instruction, position);
    ++pc;
    if (instruction.op == Op::kExit) return;
    if (instruction.op == Op::kSpin) code.spin(instruction.operand, 7);
    if (instruction.op != Op::kLoopEnd) continue;
    const LoopInfo loop = code.loop(instruction.operand);
    require(loop.iterations > 0 && loop.start < pc && loop.depth < kMaxLoopDepth, "a loop that is none");
    std::uint32_t& iteration = position.loop[loop.depth];
    if (iteration + 1 < loop.iterations) {
      iteration = iteration == 0 ? loop.iterations - 1 : iteration + 1;
      pc = loop.start;
    } else {
      iteration = 0;
    }
  }
}

/// As results are written: throws for what is no UTF-8.
void expect_json(const std::string& name) {
  try {
    static_cast<void>(nlohmann::json(name).dump());
  } catch (const nlohmann::json::exception& error) {
    throw Finding(std::string("a name that no result can hold: ") + error.what());
  }
}

}  // namespace

void build_cores(const GpuConfig& config) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  const MemoryMap map(config.address_map, config.slices(), config.l2.slices_per_channel);
  const NetworkInterface network{0, config.noc.flits(), sm_link(clock, config.noc), map};
  Items<Access> accesses;
  Items<BlockLaunch> blocks;
  Items<ContextSwitch> switches;
  Items<Translation> translations;
  Items<Shootdown> shootdowns;
  serve(config.dram);
  L2SliceCore(config.l2, {}, config.slices() - 1, map, accesses);
  SwitchCore(std::min(config.sms, config.sms_per_gpc), config.noc.queue, config.slices(), config.noc.slice_flits,
             config.l2.queue, [](const Access&) { return 0u; });
  const bool translates = config.mmu.enabled;
  const SmCore sm(config.sm, 0, clock, network, accesses,
                  translates ? std::make_unique<SmTlb>(config.sm.tlb, config.mmu.page_bytes, translations) : nullptr);
  const WorkDistributorCore distributor(config.work_distributor, config.sm, config.sms, blocks, switches,
                                        {{EngineShare{}}, clock});
  const CopyEngineCore copies(config.copy_engine, {1, network, kQueue, 1, {{network, config.sms_of_gpc(0)}}}, accesses);
  if (config.host_link.lanes > 0) {
    const HostLinkCore link(config.host_link, clock);
    const HostMemoryCore memory(config.host_memory, clock, config.host_link.queue);
  }
  if (translates) {
    const MmuCore mmu(config.mmu, {config.sm.tlb.misses, {{config.sms, network}}}, nullptr, accesses, shootdowns);
  }
}

void walk(Kernel& kernel, std::uint64_t blocks) {
  Looks looks;
  const std::uint64_t last = std::min(kernel.blocks(), blocks);
  for (std::uint64_t block = 0; block < last; ++block) {
    const std::unique_ptr<BlockCode> code = kernel.code(block);
    for (const std::uint32_t warp : {0u, 1u, kernel.warps_per_block() - 1}) {
      if (warp < kernel.warps_per_block()) walk_warp(*code, static_cast<std::uint32_t>(block), warp, looks);
    }
  }
}

void use(const Workload& workload) {
  std::set<const Kernel*> walked;
  for (const auto& application : workload.applications) expect_json(application.name);
  for (const auto& stream : workload.streams) expect_json(stream.name);
  for (const auto& task : workload.tasks) expect_json(task.name);
  for (const auto& copy : workload.copies) expect_json(copy.label);
  for (const LaunchCommand& launch : workload.launches) {
    expect_json(launch.label);
    expect_json(launch.kernel->name);
    if (walked.insert(launch.kernel.get()).second && walked.size() <= 8) walk(*launch.kernel, 4);
  }
  Items<KernelLaunch> launches;
  Items<Copy> copies;
  Items<PendingWork> words;
  const unsigned in_flight = 64;
  HostCore host({}, workload, Clock::from_mhz(1000), in_flight, in_flight, launches, copies, words);
  Cycle now = 0;
  for (unsigned step = 0; step < kHostSteps && !host.done() && now < kNever - kQueue; ++step) {
    const Cycle next = host.advance(now + 1);
    host.kernels_ended.flush();
    host.copies_ended.flush();
    host.jobs_ended.flush();
    bool sent = false;
    const auto answer = [&](auto& outbox, auto& ends) {
      for (const auto& departure : outbox.departures()) {
        ends.push(std::max(now + 1, departure.slot + 1), *departure.item);
        outbox.credit(now + 1, 1);
        sent = true;
      }
      outbox.departures().clear();
      ends.freed_slots().clear();
    };
    answer(host.launches(), host.completions());
    answer(host.copies(), host.copy_ends());
    if (!sent && next == kNever) break;  // a deadlock, of which waiting() tells
    now = sent ? now + 1 : std::max(now + 1, next);
  }
  static_cast<void>(host.waiting());
}

}  // namespace gputlm::fuzz
