/// Host time of the DRAM controller core for a burst, with its queue kept full.
#include <benchmark/benchmark.h>

#include <vector>

#include "models/dram/controller_core.h"

namespace gputlm {
namespace {

/// Keeps the input queue full with accesses of `bytes` at the addresses that `next()` gives.
template <class Next>
void run(benchmark::State& state, std::uint16_t bytes, Next next) {
  constexpr Cycle kWindow = 40;
  const DramConfig config;
  DramControllerCore core(config, 1, config.input_queue);
  std::vector<Access> pool(4 * config.input_queue);
  std::vector<Access*> free;
  free.reserve(pool.size());
  for (Access& access : pool) free.push_back(&access);
  unsigned room = config.input_queue;
  Cycle now = 0;
  for (auto unused : state) {
    for (; room > 0; --room) {
      Access& access = *free.back();
      free.pop_back();
      next(access);
      access.bytes = bytes;
      core.requests(0).push(now, access);
    }
    now += kWindow;
    benchmark::DoNotOptimize(core.advance(now));
    room += static_cast<unsigned>(core.requests(0).freed_slots().size());
    core.requests(0).freed_slots().clear();
    for (const auto& departure : core.responses(0).departures()) {
      free.push_back(departure.item);
      core.responses(0).credit(now, 1);
    }
    core.responses(0).departures().clear();
  }
  const DramStatistics& s = core.statistics();
  const auto bursts = static_cast<double>(s.reads + s.writes);
  state.counters["time/burst"] = benchmark::Counter(bursts, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["cycles/burst"] = static_cast<double>(s.last_data) / bursts;
}

std::uint64_t random_number(std::uint64_t& state) {  // xorshift64 (Marsaglia, 2003)
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

void RandomReads(benchmark::State& state) {
  std::uint64_t random = 1;
  run(state, 32, [&](Access& access) { access.address = random_number(random) % (Address{1} << 33) / 32 * 32; });
}
BENCHMARK(RandomReads);

void RandomReadsAndWrites(benchmark::State& state) {
  std::uint64_t random = 1;
  run(state, 32, [&](Access& access) {
    access.address = random_number(random) % (Address{1} << 33) / 32 * 32;
    access.write = random % 3 == 0;
  });
}
BENCHMARK(RandomReadsAndWrites);

void StreamOfLines(benchmark::State& state) {
  Address at = 0;
  run(state, 128, [&](Access& access) { access.address = at += 128; });
}
BENCHMARK(StreamOfLines);

void StreamOfSectors(benchmark::State& state) {
  Address at = 0;
  run(state, 32, [&](Access& access) { access.address = at += 32; });
}
BENCHMARK(StreamOfSectors);

}  // namespace
}  // namespace gputlm

BENCHMARK_MAIN();
