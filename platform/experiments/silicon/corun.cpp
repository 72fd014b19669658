/// Two kernels side by side, as on a V100 and an RTX 5090: their times alone, one after the other and together. The
/// measurements are rows of measured/corun.yaml.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "platform/experiments/silicon/corun_kernels.h"
#include "platform/experiments/silicon/corun_rows.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr Bytes kEndlessMib = Bytes{1} << 20;
constexpr unsigned kWarm = 0, kMeasured = 1;  // phases

bool streams(const CorunKernel& kernel, const GpuConfig& gpu) { return bytes_of_sweep(kernel) > gpu.l2.bytes; }

CorunPart part_of(const Study& plan, const GpuConfig& gpu, const CorunKernel& kernel, unsigned times) {
  const Bytes bytes = plan.number(streams(kernel, gpu) ? "beside_dram_mib" : "beside_mib") * kEndlessMib;
  CorunPart part;
  if (!kernel.moves()) {
    const PipeConfig& pipe = kernel.kind == CorunKernel::Kind::kFp64 ? gpu.sm.fp64 : gpu.sm.fp32;
    part.iterations = Bytes{times} * std::max(1u, plan.number("beside_iterations") / pipe.interval);
  } else if (streams(kernel, gpu)) {
    out_of_step(part);
    part.steps = times * std::max<Bytes>(1, bytes / bytes_of_step(kernel));
  } else {
    part.sweeps = times * std::max<Bytes>(1, bytes / bytes_of_sweep(kernel));
  }
  return part;
}

/// The first kernel of the row, alone or beside the second, which goes on longer than it. Both find in the L2 what it keeps
/// from sweep to sweep. The plan's `beside_mib` says how much a kernel moves, `beside_dram_mib` how much one whose sweeps are
/// larger than the L2, `beside_iterations` how many operations a chain has in a pipe that takes one a cycle, `beside_longer`
/// how many times as much the second does. `memory`: address of the first one's memory, which that of the second follows.
Run corun_endless(const Study& plan, const GpuConfig& gpu, const CorunRow& row, Address memory, bool beside) {
  Run run{gpu, workload_of_streams(2)};
  run.keep_blocks = false;
  const auto add = [&](StreamId stream, const CorunKernel& kernel, Address base, unsigned times) {
    if (kernel.moves() && !streams(kernel, gpu))
      launch(run.workload, stream, corun_kernel(kernel, CorunPart{}, base), 0, kWarm);
    launch(run.workload, stream, corun_kernel(kernel, part_of(plan, gpu, kernel, times), base), 0, kMeasured);
  };
  add(0, row.first, memory, 1);
  if (beside) add(1, row.second, memory + corun_memory(row.first), plan.number("beside_longer"));
  return run;
}

/// Cycles of the first kernel. Throws std::runtime_error if the second ended before it.
double endless_time(const std::string& row, const Run& run, const RunResult& result) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const LaunchOutcome* first = nullptr;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (run.workload.launches[i].phase != kMeasured) continue;
    if (!first) {
      first = &outcomes[i];
    } else if (outcomes[i].end < first->end) {
      throw std::runtime_error(row + ": the kernel that is to run without end ended first; beside_longer is too small");
    }
  }
  return static_cast<double>(first->time());
}

constexpr Address kCorunMemory = 0x1'0000'0000;

enum class Who : std::uint8_t { kFirst, kSecond, kBoth };
using Key = std::pair<std::size_t, Who>;  // row and configuration

constexpr Bytes kCorunMib = Bytes{1} << 20;
constexpr Bytes kOfL2 = 8;  // a sweep of this multiple of the L2's capacity finds no data of the previous one

/// The fraction of a row's work that its runs do, relative to all work of its kernels on the GPU. Each run starts when the
/// previous one has ended, with the L2 as it left it. The fractions are determined by the kernel that needs the larger one.
class Amounts {
 public:
  Amounts(const Study& plan, const CorunRow& row, const GpuConfig& gpu) : l2_(gpu.l2.bytes) {
    if (row.measured.slowdown) return;  // corun_endless()
    if (row.first.sleeps() && row.second.sleeps()) {
      shares_ = {1};
      return;
    }
    for (const CorunKernel* const kernel : {&row.first, &row.second}) {
      if (kernel->sleeps()) continue;
      const std::vector<double> needed = shares_of(plan, *kernel);
      shares_.resize(needed.size());
      for (std::size_t i = 0; i < needed.size(); ++i) shares_[i] = std::max(shares_[i], needed[i]);
    }
  }

  const std::vector<double>& shares() const { return shares_; }
  /// The work of the longer run in excess of the shorter one.
  double counted() const { return shares_.size() < 2 ? 1 : shares_.back() - shares_[shares_.size() - 2]; }

  /// A kernel's part in a run.
  CorunPart part(const CorunKernel& kernel, std::size_t run) const {
    CorunPart part;
    const auto of_all = [&](double all, std::size_t which) {
      return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(shares_[which] * all)));
    };
    if (kernel.sleeps()) {
      part.sleep = static_cast<Femtoseconds>(shares_[run] * static_cast<double>(kernel.sleep));
    } else if (!kernel.moves()) {
      part.iterations = of_all(static_cast<double>(kernel.iterations), run);
    } else if (streams(kernel)) {
      const double steps = static_cast<double>(kernel.sweeps) * static_cast<double>(bytes_of_sweep(kernel)) /
                           static_cast<double>(bytes_of_step(kernel));
      out_of_step(part);
      part.steps = of_all(steps, run);
      for (std::size_t before = 0; before < run; ++before) part.from += of_all(steps, before);
    } else {
      part.sweeps = of_all(static_cast<double>(kernel.sweeps), run);
    }
    return part;
  }

 private:
  bool streams(const CorunKernel& kernel) const { return bytes_of_sweep(kernel) > kOfL2 * l2_; }

  std::vector<double> shares_of(const Study& plan, const CorunKernel& kernel) const {
    const std::vector<unsigned> mib = plan.numbers("mib");
    std::vector<double> shares;
    for (std::size_t i = 0; i < mib.size(); ++i) {
      double units = plan.numbers(kernel.moves() ? "sweeps" : "iterations").at(i);
      if (kernel.moves()) {
        const double sweeps = static_cast<double>(mib[i] * kCorunMib) / static_cast<double>(bytes_of_sweep(kernel));
        const double least = static_cast<double>(i + 1);  // in whole units; the longer run has more than the shorter
        units = streams(kernel) ? sweeps : std::min(units, std::max(least, std::round(sweeps)));
      }
      shares.push_back(units / static_cast<double>(kernel.units()));
    }
    return shares;
  }

  Bytes l2_;
  std::vector<double> shares_;
};

Run corun_run(const GpuConfig& gpu, const CorunRow& row, const Amounts& amounts, Who who) {
  Run run{gpu, workload_of_streams(2)};
  run.keep_blocks = false;
  for (unsigned phase = 0; phase < amounts.shares().size(); ++phase) {
    for (const Who one : {Who::kFirst, Who::kSecond}) {
      if (who != Who::kBoth && who != one) continue;
      const bool first = one == Who::kFirst;
      const CorunKernel& kernel = first ? row.first : row.second;
      const Address base = first ? kCorunMemory : kCorunMemory + corun_memory(row.first);
      const std::size_t id =
          launch(run.workload, first ? 0 : 1, corun_kernel(kernel, amounts.part(kernel, phase), base), 0, phase);
      if (row.sms == CorunRow::Sms::kHalves) run.workload.launches[id].sms = half_of_sms(gpu.sms, first ? 0 : 1);
    }
  }
  return run;
}

/// Time of all work of the kernels on the GPU, in ms.
double time_of(const Run& run, const RunResult& result, const Amounts& amounts) {
  const std::vector<Cycle> phases = times_of_phases(run.workload, result);
  double cycles = static_cast<double>(phases.back());
  if (phases.size() > 1) cycles -= static_cast<double>(phases[phases.size() - 2]);
  return cycles / amounts.counted() / run.config.core_mhz / 1000;
}

/// The unit of a kernel's time, and the factor from ms of the total.
struct Unit {
  const char* name;
  double of_ms;
  int digits;
};

Unit unit_of(const CorunKernel& kernel) {
  const auto units = static_cast<double>(kernel.units());
  if (kernel.sleeps()) return {"ms", 1, 2};
  return kernel.moves() ? Unit{"us a sweep", 1e3 / units, 3} : Unit{"ns an iteration", 1e6 / units, 3};
}

struct Times {
  double first = 0, second = 0, both = 0;  // total ms; for a slowdown the first kernel's, alone and beside the second
};

double rate_of(const CorunKernel& kernel, double ms) {
  return static_cast<double>(bytes_of_sweep(kernel) * kernel.sweeps) / ms / 1e6;
}

std::vector<Figure> figures_of(const CorunRow& row, const Times& ours) {
  std::vector<Figure> figures;
  const CorunMeasured& silicon = row.measured;
  const auto figure = [&](const std::string& what, double theirs, double model, int digits) {
    figures.push_back({row.title() + ": " + what, Quantity::number(theirs, digits), Quantity::number(model, digits),
                       silicon_band(), ""});
  };
  const auto time = [&](const std::string& what, const std::optional<double>& theirs, double model,
                        const CorunKernel& kernel) {
    const Unit unit = unit_of(kernel);
    if (theirs) figure(what + " (" + unit.name + ")", *theirs * unit.of_ms, model * unit.of_ms, unit.digits);
  };
  time("alone", silicon.alone_ms, ours.first, row.first);
  time("the other alone", silicon.beside_alone_ms, ours.second, row.second);
  time("sequential", silicon.sequential_ms, ours.first + ours.second, row.first);
  time("together", silicon.together_ms, ours.both, row.first);
  const auto rate = [&](const CorunKernel& kernel, double ms) { return rate_of(kernel, ms); };
  const double both = rate(row.first, ours.both) + (row.second.moves() ? rate(row.second, ours.both) : 0);
  if (silicon.slowdown) figure("slowdown", *silicon.slowdown / silicon.undisturbed, ours.both / ours.first, 3);
  if (silicon.alone_gb_per_s) figure("alone (GB/s)", *silicon.alone_gb_per_s, rate(row.first, ours.first), 1);
  if (silicon.together_gb_per_s) figure("together (GB/s)", *silicon.together_gb_per_s, both, 1);
  if (silicon.together_ms && silicon.sequential_ms) {
    figure("together over sequential", *silicon.together_ms / *silicon.sequential_ms,
           ours.both / (ours.first + ours.second), 3);
  } else if (silicon.together_ms && silicon.alone_ms) {
    figure("together over alone", *silicon.together_ms / *silicon.alone_ms, ours.both / ours.first, 3);
  } else if (silicon.together_gb_per_s && silicon.alone_gb_per_s) {
    figure("together over alone, rates", *silicon.together_gb_per_s / *silicon.alone_gb_per_s,
           both / rate(row.first, ours.first), 3);
  }
  return figures;
}

std::vector<CorunRow> rows_of_corun() { return corun_rows(measured("corun"), measured_file("corun")); }

std::vector<Measurement> measurements_of_corun() {
  std::vector<Measurement> all;
  for (const CorunRow& row : rows_of_corun()) {
    for (const Figure& figure : figures_of(row, {1, 1, 1}))
      all.push_back({row.gpu, figure.name, figure.paper, row.place});
  }
  return all;
}

ExperimentReport corun(const Study& all, const ExperimentOptions& options) {
  std::vector<CorunRow> rows = rows_of_corun();
  if (const auto names = all.values("rows"); names != std::vector<std::string>{"all"}) {
    const auto other = [&](const CorunRow& r) {
      return std::none_of(names.begin(), names.end(),
                          [&](const auto& name) { return name == r.title() || name == r.gpu; });
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), other), rows.end());
  }
  std::vector<Amounts> amounts;
  RunSet<Key> runs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CorunRow& row = rows[i];
    const GpuConfig gpu = experiment_gpu(row.gpu);
    amounts.emplace_back(all, row, gpu);
    for (const Who who : {Who::kFirst, Who::kSecond, Who::kBoth}) {
      if (who == Who::kSecond && (row.same || row.measured.slowdown)) continue;
      runs.add({i, who}, row.measured.slowdown ? corun_endless(all, gpu, row, kCorunMemory, who == Who::kBoth)
                                               : corun_run(gpu, row, amounts[i], who));
    }
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool endless = rows[i].measured.slowdown.has_value();
    const auto time = [&](Who who) {
      const Run& run = runs.request({i, who});
      return endless ? endless_time(rows[i].title(), run, runs.result({i, who}))
                     : time_of(run, runs.result({i, who}), amounts[i]);
    };
    Times times{time(Who::kFirst), 0, time(Who::kBoth)};
    times.second = rows[i].same || endless ? times.first : time(Who::kSecond);
    for (Figure& figure : figures_of(rows[i], times)) report.figures.push_back(std::move(figure));
  }
  return report;
}

GPUTLM_REGISTER {
  add_experiment(
      "silicon/corun", corun,
      {"rows", "sweeps", "mib", "iterations", "beside_mib", "beside_dram_mib", "beside_iterations", "beside_longer"});
  measurements().add({{"silicon/corun"}, measurements_of_corun});
}

}  // namespace
}  // namespace gputlm
