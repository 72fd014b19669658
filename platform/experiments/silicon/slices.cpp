/// Processes that share a GPU by time slices: their slowdowns relative to alone, compared with measurements on real GPUs
/// (measured/slices.yaml).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/sm_limits.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/input/map_form.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"
#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {
namespace {

/// A row of measured/slices.yaml: processes that shared a GPU by time slices, and their slowdown relative to alone.
struct SliceRow {
  enum class Preemption : std::uint8_t { kBlock, kInstruction };

  std::string name;
  std::string gpu;    ///< a preset
  std::string place;  ///< source of the measurement
  unsigned processes = 1;
  unsigned kernels = 1;
  std::uint32_t blocks = 0;
  std::uint32_t threads = 1;
  Femtoseconds time = 0;
  Femtoseconds block = 0;
  Femtoseconds pause = 0;
  unsigned rounds = 1;
  std::uint32_t hog_threads = 0;
  Femtoseconds hog_block = 0;
  Preemption preemption = Preemption::kBlock;
  double over_alone = 0;

  bool has_hog() const { return hog_threads > 0; }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SliceRow;
    v.structure(&S::name, "name");
    v.required(&S::gpu, "gpu", Text{}, "Preset");
    v.required(&S::place, "place", Text{}, "Where it was measured");
    v.field(&S::processes, "processes", Whole{1, 64, "processes"}, "Processes that do the same at the same time");
    v.field(&S::kernels, "kernels", Whole{1, 100000, "kernels"},
            "Kernels of a round, one after the other, all submitted at once");
    v.field(&S::blocks, "blocks", Whole{1, 1u << 20, "blocks"},
            "Blocks of a kernel, all at once; default: waves that fill the GPU");
    v.field(&S::threads, "threads", Whole{1, 1024, "threads"}, "Threads of a block");
    v.required(&S::time, "us", Microseconds{0.001, 1e9}, "Time of all kernels of a round alone");
    v.field(&S::block, "block_us", Microseconds{0.001, 1e9}, "Time of a block of a wave, about");
    v.field(&S::pause, "pause_us", Microseconds{0, 1e9}, "Pause of the host from the end of a round to the next");
    v.field(&S::rounds, "rounds", Whole{1, 1000, "rounds"},
            "Rounds of each process; the first of several is not counted");
    v.field(
        &S::hog_threads, "hog_threads", Whole{1, 1024, "threads"},
        "Threads of a block of another process, which has kernels that fill the GPU without a pause; default: none");
    v.field(&S::hog_block, "hog_block_us", Microseconds{0.001, 1e9}, "Time of a block of that process");
    v.field(&S::preemption, "preemption", OneOf{"block", "instruction"}, "Where slices end");
    v.required(&S::over_alone, "over_alone", Real{0, 1e6, ""}, "A round beside the others over one alone");
  }
};

/// Throws InputError, with file and line, if the file has another form.
std::vector<SliceRow> slice_rows() {
  static const MapForm form = MapForm("row").fields<SliceRow>();
  std::vector<SliceRow> all;
  const YamlMap map(YamlNode::load_text(measured("slices"), measured_file("slices")), {"rows"});
  for (const auto& [name, node] : map.at("rows").entries()) {
    SliceRow& row = all.emplace_back();
    row.name = name;
    read_fields(form.read(node), row);
    if ((row.blocks == 0) == (row.block == 0)) node.fail("has to have a number of blocks, or a time that one takes");
    if (row.has_hog() != (row.hog_block > 0)) node.fail("has a hog without threads, or without a time for its blocks");
  }
  return all;
}

constexpr unsigned kHogWaves = 250, kHogLaunches = 4;  // per kernel, and per pass of its application

using SliceKey = std::pair<std::size_t, bool>;  // row, and whether beside the others

/// Number of blocks of this many threads that fit on the GPU at once.
std::uint32_t blocks_at_once(const GpuConfig& gpu, std::uint32_t threads) {
  const std::uint32_t warps = (threads + kWarpSize - 1) / kWarpSize;
  return gpu.sms * std::min({gpu.sm.threads / threads, gpu.sm.warps / warps, gpu.sm.blocks});
}

/// The kernel of a process; `percent`: part of the row's time, if a round is not one of many.
std::shared_ptr<Kernel> kernel_of(const GpuConfig& gpu, const SliceRow& row, unsigned percent) {
  const Femtoseconds time = row.time / row.kernels * percent / 100;
  if (row.blocks > 0) return spin_kernel(row.blocks, row.threads, time);
  const auto waves = std::max<Femtoseconds>(1, (time + row.block / 2) / row.block);
  return spin_kernel(static_cast<std::uint32_t>(waves) * blocks_at_once(gpu, row.threads), row.threads, time / waves);
}

/// A process's rounds: it submits all kernels and waits for them.
void add_process(Workload& workload, const SliceRow& row, const std::shared_ptr<Kernel>& kernel) {
  const auto application = static_cast<ApplicationId>(workload.applications.size());
  const auto stream = static_cast<StreamId>(workload.streams.size());
  const std::string name = fmt::format("p{}", application);
  workload.applications.push_back({name});
  workload.streams.push_back({name, application});
  ThreadSpec thread{name, application};
  using Kind = HostCall::Kind;
  for (unsigned round = 0; round < row.rounds; ++round) {
    for (unsigned k = 0; k < row.kernels; ++k) {
      const auto id = static_cast<std::uint32_t>(launch(workload, stream, kernel));
      thread.calls.push_back({Kind::kLaunch, stream, id});
    }
    thread.calls.push_back({Kind::kSynchronizeStream, stream});
    if (row.pause > 0) thread.calls.push_back({Kind::kHostFunction, 0, 0, row.pause});
  }
  workload.threads.push_back(std::move(thread));
}

void add_hog(Workload& workload, const SliceRow& row, const GpuConfig& gpu) {
  const auto application = static_cast<ApplicationId>(workload.applications.size());
  workload.applications.push_back({"hog"});
  workload.applications.back().relaunch = true;
  workload.streams.push_back({"hog", application});
  const auto kernel = spin_kernel(kHogWaves * blocks_at_once(gpu, row.hog_threads), row.hog_threads, row.hog_block);
  for (unsigned k = 0; k < kHogLaunches; ++k)
    launch(workload, static_cast<StreamId>(workload.streams.size() - 1), kernel);
}

Run slices_run(const Study& plan, const SliceRow& row, bool beside) {
  ParameterSettings settings = plan.settings();
  if (row.preemption == SliceRow::Preemption::kInstruction)
    settings.emplace_back("work_distributor.time_sliced.instruction_preemption", "true");
  const GpuConfig gpu = experiment_gpu(row.gpu, settings);
  Run run{gpu, {}};
  run.keep_blocks = false;
  const auto kernel = kernel_of(gpu, row, row.pause > 0 ? 100 : plan.number("percent"));
  for (unsigned p = 0; p < (beside ? row.processes : 1); ++p) add_process(run.workload, row, kernel);
  if (beside && row.has_hog()) add_hog(run.workload, row, gpu);
  return run;
}

/// Mean time of a round over all processes but the hog, in ms: from the end of one round to that of the next, or of the
/// first.
double ms_of_round(const Run& run, const RunResult& result, const SliceRow& row) {
  const std::size_t processes = run.workload.threads.size();
  std::vector<std::vector<Cycle>> ends(processes, std::vector<Cycle>(row.rounds));
  for (const KernelRecord& kernel : result.kernels) {
    const ApplicationId process = run.workload.streams[run.workload.launches[kernel.command].stream].application;
    if (process >= processes) continue;
    const std::size_t launch = kernel.command - process * row.rounds * row.kernels;
    Cycle& end = ends[process][launch / row.kernels];
    end = std::max(end, kernel.notified);
  }
  double sum = 0;
  const unsigned first = row.rounds > 1 ? 1 : 0;
  for (const std::vector<Cycle>& of : ends) {
    for (unsigned r = first; r < row.rounds; ++r)
      sum += static_cast<double>(of[r]) - (r > 0 ? static_cast<double>(of[r - 1]) : 0);
  }
  return sum / static_cast<double>(processes * (row.rounds - first)) / run.config.core_mhz / 1000;
}

std::string title_of(const SliceRow& row) { return row.name + ": over alone"; }

std::vector<Measurement> measurements_of_slices() {
  std::vector<Measurement> all;
  for (const SliceRow& row : slice_rows())
    all.push_back({row.gpu, title_of(row), Quantity::number(row.over_alone, 2), row.place});
  return all;
}

ExperimentReport slices(const Study& all, const ExperimentOptions& options) {
  std::vector<SliceRow> rows = slice_rows();
  if (const auto names = all.values("rows"); names != std::vector<std::string>{"all"}) {
    const auto other = [&](const SliceRow& r) { return std::find(names.begin(), names.end(), r.name) == names.end(); };
    rows.erase(std::remove_if(rows.begin(), rows.end(), other), rows.end());
  }
  RunSet<SliceKey> runs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const bool beside : {false, true}) runs.add({i, beside}, slices_run(all, rows[i], beside));
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"row"},
               {"alone_ms", "ms", "A round alone", "ms", 2},
               {"beside_ms", "ms", "A round beside the others", "ms", 2},
               {"over_alone", "", "", "", 2},
               {"measured", "", "", "", 2},
               {"slices", "", "Slices of all applications, beside the others"},
               {"switch_us", "us", "From a slice's end to the next's start, mean", "us", 1}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto ms = [&](bool beside) {
      return ms_of_round(runs.request({i, beside}), runs.result({i, beside}), rows[i]);
    };
    const std::vector<SliceEnded>& slices = runs.result({i, true}).engine_slices;
    double switching = 0;
    for (const SliceEnded& s : slices) switching += static_cast<double>(s.start - s.come + s.off - s.end);
    const double over = ratio(ms(true), ms(false)), mhz = runs.request({i, true}).config.core_mhz;
    table.add({rows[i].name, ms(false), ms(true), over, rows[i].over_alone, slices.size(),
               ratio(switching, static_cast<double>(slices.size())) / mhz});
    report.figures.push_back(
        {title_of(rows[i]), Quantity::number(rows[i].over_alone, 2), Quantity::number(over, 2), silicon_band(), ""});
  }
  report.tables = {{"Processes that share a GPU by time slices", table}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/slices", slices, {"rows", "percent"});
  measurements().add({{"silicon/slices"}, measurements_of_slices});
}

}  // namespace
}  // namespace gputlm
