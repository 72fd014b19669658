/// Figure 6 of cuda-hierarchy (section IV): one block of 512 threads, 16 warps, that calculate with floating point; then 8 of
/// them calculate with integers instead. If both share a pipeline the block takes the same time, otherwise half.
///
/// The text says "double precision", but the figure's numbers fit single precision: a Pascal GPU has few FP64 units, which by
/// themselves limit the block, so that integer warps halve its time there too. Both are run.
#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/program_kernel.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kAluThreads = 512, kAluWarps = 16;

/// The pipes of the first and the second half of the warps; none: they end immediately.
struct Halves {
  std::optional<Pipe> first, second;
  bool operator<(const Halves& other) const { return std::tie(first, second) < std::tie(other.first, other.second); }
};

/// A chain of operations in one pipe: with 8 or more warps the pipe is still full.
std::vector<ProgramElement> chain(Pipe pipe, std::uint32_t length) {
  constexpr std::uint32_t kUnrolled = 16;
  return {loop(length / kUnrolled, {instructions(pipe, kUnrolled, 1)})};
}

Run block_of(const std::string& gpu, const Halves& halves, std::uint32_t length) {
  ProgramSpec spec;
  spec.name = "alu";
  spec.block = {kAluThreads};
  if (halves.first) spec.body.push_back(warps(0, kAluWarps / 2 - 1, chain(*halves.first, length)));
  if (halves.second) spec.body.push_back(warps(kAluWarps / 2, std::nullopt, chain(*halves.second, length)));
  Run run{experiment_gpu(gpu), workload_of_streams(1)};
  launch(run.workload, 0, std::make_shared<ProgramKernel>(spec, 0));
  return run;
}

ExperimentReport alu(const Study& all, const ExperimentOptions& options) {
  const std::uint32_t length = all.number("instructions");
  const std::vector<Halves> cases{
      {Pipe::kFp32, Pipe::kFp32},  {Pipe::kFp32, Pipe::kInt},    {Pipe::kFp64, Pipe::kFp64},
      {Pipe::kFp64, Pipe::kInt},   {Pipe::kFp32, Pipe::kTensor}, {Pipe::kInt, Pipe::kTensor},
      {Pipe::kFp32, std::nullopt}, {Pipe::kInt, std::nullopt},   {std::nullopt, Pipe::kTensor},
  };
  RunSet<std::pair<std::string, Halves>> runs;
  for (const std::string& gpu : all.gpus()) {
    for (const Halves& halves : cases) runs.add({gpu, halves}, block_of(gpu, halves, length));
  }
  runs.run(options.jobs());
  const auto cycles = [&](const std::string& gpu, const Halves& halves) {
    return static_cast<double>(launch_outcomes(runs.result({gpu, halves})).at(0).time());
  };

  ExperimentReport report{"cuda-hierarchy"};
  Table table({{"gpu"},
               {"fp32_cycles", "cycles", "All warps FP32", "FP32", 0},
               {"fp32_int_cycles", "cycles", "Half of them INT", "FP32/INT", 0},
               {"fp", "", "", "FP"},
               {"fp32_int", "", "Over all FP32", "FP/I", 2},
               {"fp64_cycles", "cycles", "All warps FP64", "FP64", 0},
               {"fp64_int_cycles", "cycles", "Half of them INT", "FP64/INT", 0},
               {"fp64_int", "", "Over all FP64", "over FP64", 2}});
  for (const std::string& gpu : all.gpus()) {
    const double fp32 = cycles(gpu, {Pipe::kFp32, Pipe::kFp32}), fp32_int = cycles(gpu, {Pipe::kFp32, Pipe::kInt});
    const double fp64 = cycles(gpu, {Pipe::kFp64, Pipe::kFp64}), fp64_int = cycles(gpu, {Pipe::kFp64, Pipe::kInt});
    const double single = ratio(fp32_int, fp32), twice = ratio(fp64_int, fp64);
    table.add({gpu, fp32, fp32_int, 1, single, fp64, fp64_int, twice});
    report.number(gpu + ": FP32/INT over FP32", "alu." + gpu, single, 2, Band::peak());
    report.number(gpu + ": FP64/INT over FP64", "alu." + gpu, twice, 2, Band::peak(), "the text's double precision");
    if (gpu == "tx2") continue;  // no tensor core
    for (const auto& [name, pipe] : {std::pair{"FP32", Pipe::kFp32}, std::pair{"INT", Pipe::kInt}}) {
      const double alone = std::max(cycles(gpu, {pipe, std::nullopt}), cycles(gpu, {std::nullopt, Pipe::kTensor}));
      report.number(fmt::format("{}: tensor beside {} over the longer of both alone", gpu, name), "alu.tensor",
                    ratio(cycles(gpu, {pipe, Pipe::kTensor}), alone), 2, Band::near_one(0.05));
    }
  }
  report.tables = {{fmt::format("One block of {} warps, {} instructions each", kAluWarps, length), table}};
  report.charts = {{bar_chart(table, "time of the block over FP", {"gpu"}, {"fp", "fp32_int"})}};
  return report;
}

GPUTLM_REGISTER { add_experiment("cuda-hierarchy/alu", alu, {"instructions"}); }

}  // namespace
}  // namespace gputlm
