#include <gtest/gtest.h>

#include <array>
#include <random>

#include "models/kernel/random.h"
#include "models/sm/warp_scheduler.h"
#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

using Random = std::mt19937_64;

/// What it picks depends on all candidates, those included that it does not pick.
class ByParity final : public WarpScheduler {
 public:
  unsigned pick(std::uint64_t candidates) const override {
    return static_cast<unsigned>(__builtin_parityll(candidates) ? __builtin_ctzll(candidates)
                                                                : 63 - __builtin_clzll(candidates));
  }
  void issued(unsigned) override {}
  void assigned(unsigned, unsigned) override {}
  void released(unsigned) override {}
};
GPUTLM_REGISTER { warp_schedulers().add<ByParity>({{"by_parity", 100}, "The first candidate, or the last", "tests"}); }

/// Code for one warp, with barriers where all warps of the block have them.
class RandomWarp {
 public:
  RandomWarp(HandKernel& kernel, Random& random) : kernel_(kernel), random_(random) {}

  void segment(unsigned length) {
    const bool looped = random_() % 2;
    const auto start = static_cast<std::uint32_t>(code.size());
    for (unsigned i = 0; i < length; ++i) code.push_back(instruction());
    if (!looped) return;
    const auto iterations = static_cast<std::uint32_t>(random_() % 5);
    static_assert(LoopInfo::kAsk == 0);
    kernel_.loops.push_back({start, iterations, 0});
    code.push_back(control(Op::kLoopEnd, static_cast<std::uint32_t>(kernel_.loops.size() - 1)));
  }
  std::vector<Instruction> code;

 private:
  std::uint8_t reg() { return static_cast<std::uint8_t>(random_() % 12); }
  Instruction instruction() {
    const auto address = static_cast<std::uint32_t>(random_() % 8 * 4096);
    Instruction in;
    switch (random_() % 13) {
      case 0:
      case 1: in = load_from(address, reg(), Space::kGlobal, static_cast<std::uint8_t>(1u << random_() % 5)); break;
      case 2: in = store_to(address); break;
      case 3: in = atomic_on(address, reg()); break;
      case 4: in = load_from(address, reg(), Space::kShared); break;
      case 5: in = store_to(address, Space::kShared); break;
      case 6: in = load_from(address, reg(), Space::kConstant); break;
      case 7: in = control(Op::kSpin, static_cast<std::uint32_t>(random_() % 400000)); break;
      case 8: in = control(Op::kFence); break;
      default: in = arithmetic(static_cast<Pipe>(random_() % 5), reg(), {reg(), reg()});
    }
    if (in.op == Op::kStore) in.source[in.sources++] = reg();
    if (random_() % 3 == 0 && in.pipe != Pipe::kControl) in.mask = static_cast<std::uint32_t>(random_() & random_());
    return in;
  }
  HandKernel& kernel_;
  Random& random_;
};

std::unique_ptr<HandKernel> random_kernel(Random& random) {
  const auto warps = static_cast<unsigned>(1 + random() % 6);
  auto kernel = std::make_unique<HandKernel>(1 + random() % 6, warps, std::vector<std::vector<Instruction>>{});
  const unsigned segments = static_cast<unsigned>(1 + random() % 4);
  for (unsigned w = 0; w < warps; ++w) {
    RandomWarp warp(*kernel, random);
    const unsigned own = random() % 4 ? segments : static_cast<unsigned>(random() % segments);  // some exit early
    for (unsigned s = 0; s < own; ++s) {
      warp.segment(static_cast<unsigned>(1 + random() % 8));
      warp.code.push_back(control(Op::kBarrier, s % 3));
    }
    warp.code.push_back(control(Op::kExit));
    kernel->codes.push_back(warp.code);
  }
  const unsigned spread = random() % 2 ? 7 : 200;
  kernel->address = [spread](const Instruction& in, const WarpPosition& position, unsigned lane) {
    const std::uint64_t bits = random_bits(in.operand, position.block, position.warp, position.loop[0], lane);
    return in.operand + bits % (spread * 32) / in.width * in.width;
  };
  return kernel;
}

struct WindowOutcome {
  std::vector<Ended> ended;
  std::vector<Left> left;
  std::vector<std::uint64_t> totals;
};

/// A random SM with random kernels; the seed alone decides which. It is stopped at cycle `end` if it takes longer.
/// `look` is shown its statistics before each window.
WindowOutcome simulate(std::uint64_t seed, const std::function<Cycle()>& window, Cycle end = kNever,
                       const std::function<void(const SmStatistics&)>& look = nullptr) {
  Random random(seed);
  SmConfig config = one_sub_core();
  config.sub_cores = random() % 2 ? 4 : 1;
  config.warps = 16;
  config.blocks = 4;
  config.warp_scheduler = std::array{"lrr", "gto", "two_level", "by_parity"}[random() % 4];
  config.options = {{"two_level.active_warps", 2u}};
  config.fp_int_shared = random() % 2;
  config.fp32.interval = config.integer.interval = static_cast<unsigned>(1 + random() % 3);
  config.load_store.interval = static_cast<unsigned>(1 + random() % 4);
  config.sfu = {static_cast<unsigned>(1 + random() % 16), static_cast<unsigned>(1 + random() % 100)};
  config.lsu_queue = static_cast<unsigned>(1 + random() % 4);
  config.fence_latency = static_cast<unsigned>(seed % 5 * 40);
  config.l1.bytes = 4096;
  config.l1.mshrs = static_cast<unsigned>(1 + random() % 8);
  config.l1.mshr_merges = static_cast<unsigned>(1 + random() % 3);
  config.l1.queue = static_cast<unsigned>(2 + random() % 6);
  config.l1.tag_lines = std::array{1u, 4u, 2u, 32u}[seed % 4];
  config.l1.banked = seed % 3 > 0;
  NocConfig noc;
  noc.queue = static_cast<unsigned>(2 + random() % 30);
  Surroundings surroundings;
  surroundings.service = 1 + random() % 12;
  surroundings.latency = [](const Access& access) { return 20 + mix(access.address) % 200; };
  std::vector<std::unique_ptr<HandKernel>> kernels;
  SmHarness sm(config, noc, surroundings);
  for (KernelId id = 0; id < 3; ++id) {
    kernels.push_back(random_kernel(random));
    sm.launch(*kernels.back(), id, random() % 500);
  }
  Cycle now = 0;
  const auto step = [&] {
    if (look) look(sm.core.statistics(now));
    const Cycle length = std::min(window(), end - now);
    now += length;
    return length;
  };
  if (end == kNever) {
    EXPECT_TRUE(sm.run(step)) << "seed " << seed;
    EXPECT_EQ(sm.accesses_in_use(), 0u) << "seed " << seed;
  } else {
    sm.run(step, end);
  }
  const SmStatistics s = sm.core.statistics(now);
  const LoadStoreStatistics& l = s.load_store;
  std::vector<std::uint64_t> totals = {s.instructions,      s.blocks,
                                       s.active_cycles,     l.busy_cycles,
                                       l.mshr_full_cycles,  l.queue_full_cycles,
                                       l.l1.l1_sector_hits, l.l1.l1_sector_misses,
                                       l.l1.mshr_merges};
  totals.insert(totals.end(), s.issued.begin(), s.issued.end());
  return {sm.ended, sm.left, totals};
}

TEST(SmCore, DoesTheSameForEveryWindow) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const WindowOutcome widest = simulate(seed, [] { return Cycle{20}; });
    ASSERT_GT(widest.ended.size(), 0u);
    Random cuts(seed);
    const std::vector<std::pair<const char*, std::function<Cycle()>>> windows = {
        {"1", [] { return Cycle{1}; }},
        {"4", [] { return Cycle{4}; }},
        {"random", [&cuts] { return Cycle{1 + cuts() % 20}; }},
    };
    for (const auto& [name, window] : windows) {
      const WindowOutcome other = simulate(seed, window);
      ASSERT_TRUE(other.ended == widest.ended) << "blocks differ for window " << name << ", seed " << seed;
      ASSERT_TRUE(other.left == widest.left) << "accesses differ for window " << name << ", seed " << seed;
      ASSERT_EQ(other.totals, widest.totals) << "window " << name << ", seed " << seed;
    }
  }
}

TEST(SmCore, HasDoneTheSameAtAnyCycleForEveryWindow) {
  unsigned cut_while_waiting = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Cycle length = simulate(seed, [] { return Cycle{1}; }).ended.back().end;
    for (unsigned i = 0; i < 2; ++i) {
      const Cycle end = 1 + random_bits(seed, i, 0, 0, 0) % length;
      const WindowOutcome widest = simulate(
          seed, [] { return Cycle{20}; }, end);
      ASSERT_EQ(simulate(
                    seed, [] { return Cycle{1}; }, end)
                    .totals,
                widest.totals)
          << "seed " << seed << " at " << end;
      ASSERT_EQ(simulate(
                    seed, [] { return Cycle{7}; }, end)
                    .totals,
                widest.totals)
          << "seed " << seed << " at " << end;
      ASSERT_LE(widest.totals[2], end);
      cut_while_waiting += widest.totals[4] + widest.totals[5] > 0;
    }
  }
  EXPECT_GT(cut_while_waiting, 100u);
}

TEST(SmCore, CountsTheTimeItIsBusyOrWaitsUpToTheCycleAtWhichItIsAsked) {
  const auto waits = [](const LoadStoreStatistics& l) { return l.mshr_full_cycles + l.queue_full_cycles; };
  unsigned long_waits = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SmStatistics last;
    Cycle waited = 0;
    simulate(
        seed, [] { return Cycle{1}; }, kNever,
        [&](const SmStatistics& s) {
          ASSERT_LE(s.active_cycles - last.active_cycles, 1u);
          const std::uint64_t more = waits(s.load_store) - waits(last.load_store);
          ASSERT_LE(more, 1u) << "seed " << seed;
          waited = more ? waited + 1 : 0;
          long_waits += waited > 5;
          last = s;
        });
  }
  EXPECT_GT(long_waits, 0u);
}

TEST(SmCore, AccountsForEveryCycleOfRandomWarps) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    for (const Ended& block : simulate(seed, [] { return Cycle{20}; }).ended) {
      // No warp outlives its block, and one of them lives as long.
      ASSERT_GE(block.accounted(), block.end - block.start - 1) << "seed " << seed;
      ASSERT_LE(block.accounted(), 6 * (block.end - block.start - 1)) << "seed " << seed;
    }
  }
}

/// Alone in its block, a warp's cycles are the block's.
TEST(SmCore, IssuesAndStallsOfASingleWarpAreItsBlocksCycles) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    HandKernel kernel(12, 1, std::vector<std::vector<Instruction>>{});
    RandomWarp warp(kernel, random);
    for (unsigned s = 0; s < 5; ++s) {
      warp.segment(static_cast<unsigned>(1 + random() % 8));
      warp.code.push_back(control(Op::kBarrier, s % 3));
    }
    warp.code.push_back(control(Op::kExit));
    kernel.codes.push_back(warp.code);
    kernel.address = [](const Instruction& in, const WarpPosition& position, unsigned lane) {
      return in.operand + random_bits(1, position.block, position.loop[0], lane, 0) % 2048 / in.width * in.width;
    };
    SmConfig config = one_sub_core();
    config.sub_cores = 2;
    SmHarness sm(config, {});
    sm.launch(kernel);
    ASSERT_TRUE(sm.run()) << "seed " << seed;
    for (const Ended& block : sm.ended) ASSERT_EQ(block.accounted(), block.end - block.start - 1) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gputlm::test
