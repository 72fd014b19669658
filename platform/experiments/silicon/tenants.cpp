/// A language model that decodes beside a memory hog, by MPS and by MIG, compared with measurements on a real GPU
/// (measured/tenants.yaml): on SMs that run warps, and on SMs that run blocks with the demands of these kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "models/kernel/program_kernel.h"
#include "platform/experiments/silicon/benchmark_kernels.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/demand_run.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "platform/programs/measured_kernels.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr Bytes kTenantMib = Bytes{1} << 20;
constexpr unsigned kTokens = 2;           // the first one does not count
constexpr unsigned kLaunchesOfToken = 2;  // one without memory accesses, and one for the weights
/// Its 250 kernels are a CUDA graph, in which each begins about a microsecond after the previous one: 4 % of a token. Two
/// launches in a stream, a spin and the weights, are 6 % of a hundredth of a token.
constexpr Femtoseconds kWithoutMemory = 4 * kMicrosecond;  // in a hundredth of a token, besides launches
constexpr Bytes kHundredth = 164'000'000;                  // hundredth of the bytes of the weights
constexpr std::uint32_t kBlocksAnSm = 8, kThreadsOfToken = 256, kLoadsTogether = 4;

/// A row: one way to share relative to another one.
struct TenantRow {
  std::string name;
  std::string title;
  const char *way, *over;
};
const std::vector<TenantRow>& tenant_rows() {
  static const std::vector<TenantRow> rows{
      {"mig_3g_beside_over_3g", "3g beside the hog over 3g alone", "mig_hog", "mig"},
      {"mig_3g_over_undivided", "3g over the undivided GPU", "mig", "alone"},
      {"mps_50_50_over_alone", "MPS, 50 % each, beside the hog over alone", "mps_hog", "alone"},
  };
  return rows;
}

struct TenantPoint {
  std::string gpu;
  const TenantRow* row;
  std::string key() const { return gpu + "." + row->name; }
  std::string title() const { return gpu + ": " + row->title; }
  std::string demand_title() const { return title() + ", by demands"; }
};

/// "h100_sxm.mig_3g_over_undivided"
std::vector<TenantPoint> points_of_tenants(const std::vector<std::string>& keys) {
  std::vector<TenantPoint> points;
  for (const std::string& key : keys) {
    const std::size_t name = key.find('.') + 1;
    const auto& rows = tenant_rows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const TenantRow& r) { return r.name == key.substr(name); });
    if (row == rows.end()) throw InputError(fmt::format("{}: no experiment has '{}'", measured_file("tenants"), key));
    points.push_back({key.substr(0, name - 1), &*row});
  }
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  return points;
}

std::shared_ptr<Kernel> weights(unsigned sms, Address base, Bytes bytes) {
  const GridReader reader{"weights", kBlocksAnSm * sms, kThreadsOfToken, kLoadsTogether, 64};
  return grid_reader(reader, base, std::max<Bytes>(1, bytes / reader.bytes_of_pass()));
}

/// out = x + 2 y, four floats per thread.
std::shared_ptr<Kernel> triad(Bytes bytes) {
  constexpr std::uint8_t kX = 20, kY = 24, kOut = 28, kWidth = 16;
  constexpr std::uint32_t kBlock = 128;
  constexpr Address kAt = 0x90'0000'0000, kApart = 0x1'0000'0000;
  ProgramSpec spec;
  spec.name = "triad";
  spec.grid = {static_cast<std::uint32_t>(bytes / 3 / kBlock / kWidth)};
  spec.block = {kBlock};
  spec.patterns = {{"x", kAt, CoalescedPattern{}},
                   {"y", kAt + kApart, CoalescedPattern{}},
                   {"out", kAt + 2 * kApart, CoalescedPattern{}}};
  spec.body = {instructions(Pipe::kInt, 3),  load("x", kWidth, kX),
               load("y", kWidth, kY),        instruction(Pipe::kFp32, kOut, {kX, kY}),
               instructions(Pipe::kFp32, 3), store("out", kWidth, {kOut})};
  return std::make_shared<ProgramKernel>(spec, 0);
}

/// The launches of the model and the hog.
struct TenantKernels {
  std::array<std::shared_ptr<Kernel>, kTokens> weights;  ///< weights, indexed by token
  std::shared_ptr<Kernel> triad;
};

TenantKernels tenant_kernels(unsigned sms, Bytes token, Bytes hog) {
  constexpr Address kWeights = 0x10'0000'0000;
  TenantKernels kernels;
  for (unsigned t = 0; t < kTokens; ++t) kernels.weights[t] = weights(sms, kWeights + t * token, token);
  kernels.triad = triad(hog);
  return kernels;
}

Run run_of_tenants(const std::string& preset, const std::string& way, Bytes token, const TenantKernels& kernels) {
  constexpr unsigned kPercent = 50;
  const bool mig = way != "alone" && way != "mps_hog", has_hog = way == "mig_hog" || way == "mps_hog";
  ParameterSettings settings;
  if (way == "mps_hog") settings.emplace_back("work_distributor.application", "partitioned");
  Run run{experiment_gpu(preset, settings), {}};
  run.keep_blocks = false;
  Workload& workload = run.workload;
  const auto add = [&](const char* name) {
    ApplicationSpec application{name};
    if (mig) {
      application.instance = name;
      InstanceSpec instance{name};
      instance.profile = "3g";
      workload.instances.push_back(instance);
    } else if (way == "mps_hog") {
      application.share.active_thread_percentage = kPercent;
    }
    const auto id = static_cast<ApplicationId>(workload.applications.size());
    workload.applications.push_back(application);
    workload.streams.push_back({name, id});
  };
  add("model");
  const auto alone = spin_kernel(run.config.sms, 128, kWithoutMemory * token / kHundredth);
  for (unsigned t = 0; t < kTokens; ++t) {
    launch(workload, 0, alone);
    launch(workload, 0, kernels.weights[t]);
  }
  if (has_hog) {
    add("hog");
    workload.applications.back().relaunch = true;
    for (unsigned k = 0; k < 2; ++k) launch(workload, 1, kernels.triad);
  } else if (mig) {
    add("nothing");
  }
  return run;
}

/// From the end of the first token to that of the second.
double us_of_token(const Run& run, const RunResult& result) {
  std::vector<Cycle> ends(kTokens);
  for (const KernelRecord& kernel : result.kernels) {
    if (kernel.command >= kTokens * kLaunchesOfToken) continue;
    Cycle& end = ends[kernel.command / kLaunchesOfToken];
    end = std::max(end, kernel.end);
  }
  return static_cast<double>(ends[1] - ends[0]) / run.config.core_mhz;
}

std::vector<Measurement> measurements_of_tenants() {
  const Reference silicon = measured_values("tenants");
  std::vector<Measurement> all;
  for (const TenantPoint& p : points_of_tenants(silicon.keys())) {
    for (const std::string& title : {p.title(), p.demand_title()})
      all.push_back({p.gpu, title, silicon.at(p.key()), silicon.place(p.key())});
  }
  return all;
}

ExperimentReport tenants(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_values("tenants");
  const auto points = points_of_tenants(chosen_points(all, silicon));
  std::set<std::pair<std::string, std::string>> ways;
  for (const TenantPoint& p : points) ways.insert({{p.gpu, p.row->way}, {p.gpu, p.row->over}});
  const Bytes token = all.number("mib") * kTenantMib, hog = all.number("hog_mib") * kTenantMib;
  using Way = std::pair<std::string, std::string>;  // GPU and way
  RunSet<Way> warps, blocks;
  RunSet<Way, DemandRun> measured;  // measurements by GPU and kernel
  std::map<std::string, TenantKernels> kernels;
  const bool with_demands = all.number("demands") > 0;
  const auto count_demands = [&](const std::string& gpu, const GpuConfig& config, const TenantKernels& its) {
    for (const auto& kernel : {its.weights.front(), its.triad}) {
      LaunchCommand once;
      once.kernel = kernel;
      measured.add({gpu, kernel->name}, {config, once});
    }
  };
  for (const auto& [gpu, way] : ways) {
    const GpuConfig config = experiment_gpu(gpu);
    if (kernels.count(gpu) == 0) {
      kernels[gpu] = tenant_kernels(config.sms, token, hog);
      if (with_demands) count_demands(gpu, config, kernels[gpu]);
    }
    warps.add({gpu, way}, run_of_tenants(gpu, way, token, kernels.at(gpu)));
  }
  warps.run(options.jobs());
  measured.run(options.jobs());
  for (const auto& [gpu, way] : ways) {
    if (!with_demands) continue;
    const GpuConfig config = experiment_gpu(gpu);
    const auto asking = [&, &name = gpu](const std::shared_ptr<Kernel>& kernel) {
      return asking_kernel(*kernel, measured.result({name, kernel->name}), config);
    };
    TenantKernels its{{}, asking(kernels.at(gpu).triad)};
    its.weights.fill(asking(kernels.at(gpu).weights.front()));
    Run run = run_of_tenants(gpu, way, token, its);
    run.config.sm.model = "blocks";
    blocks.add({gpu, way}, std::move(run));
  }
  blocks.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"gpu"}, {"way"}, {"token_us", "us", "A token, or the part of it that is run", "us", 1}});
  const auto us = [](const RunSet<Way>& runs, const Way& way) {
    return us_of_token(runs.request(way), runs.result(way));
  };
  for (const Way& way : warps.keys()) table.add({way.first, way.second, us(warps, way)});
  const auto add = [&](const TenantPoint& p, const RunSet<Way>& runs, const std::string& title) {
    const double ours = ratio(us(runs, {p.gpu, p.row->way}), us(runs, {p.gpu, p.row->over}));
    report.figures.push_back({title, silicon.at(p.key()), Quantity::number(ours, 3), silicon_band(), ""});
  };
  for (const TenantPoint& p : points) {
    add(p, warps, p.title());
    if (with_demands) add(p, blocks, p.demand_title());
  }
  report.tables = {{"", table}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/tenants", tenants, {"points", "mib", "hog_mib", "demands"});
  measurements().add({{"silicon/tenants"}, measurements_of_tenants});
}

}  // namespace
}  // namespace gputlm
