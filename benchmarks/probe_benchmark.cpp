/// What probes cost: a DRAM controller core with its queue kept full, a command every other cycle, whose tap nobody
/// watches, and with somebody who is told of every command.
#include <benchmark/benchmark.h>

#include <vector>

#include "models/dram/controller_core.h"

namespace gputlm {
namespace {

void commands(benchmark::State& state) {
  constexpr Cycle kWindow = 40;
  const DramConfig config;
  DramControllerCore core(config, 1, config.input_queue);
  std::uint64_t told = 0, random = 1;
  if (state.range(0)) core.commands.watch([&](const IssuedCommand& command) { told += command.bank + 1; });
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
      random = random * 6364136223846793005 + 1442695040888963407;
      access.address = (random >> 33) * 32;
      access.bytes = 32;
      core.requests(0).push(now, access);
    }
    now += kWindow;
    benchmark::DoNotOptimize(core.advance(now));
    core.commands.flush();
    room += static_cast<unsigned>(core.requests(0).freed_slots().size());
    core.requests(0).freed_slots().clear();
    for (const auto& departure : core.responses(0).departures()) {
      free.push_back(departure.item);
      core.responses(0).credit(now, 1);
    }
    core.responses(0).departures().clear();
  }
  const DramStatistics s = core.statistics();
  state.counters["time/command"] =
      benchmark::Counter(static_cast<double>(s.activates + s.precharges + s.reads + s.writes),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  benchmark::DoNotOptimize(told);
}
BENCHMARK(commands)->ArgName("watched")->Arg(0)->Arg(1);

}  // namespace
}  // namespace gputlm

BENCHMARK_MAIN();
