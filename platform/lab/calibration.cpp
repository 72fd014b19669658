#include "platform/lab/calibration.h"

#include <algorithm>

#include "models/sm/sm_model.h"
#include "models/work_distributor/resources.h"
#include "platform/input/durations_file.h"
#include "platform/input/parameters.h"
#include "platform/lab/block_measurements.h"
#include "platform/lab/memory_measurement.h"
#include "platform/run/contention_setup.h"
#include "platform/run/instances.h"

namespace gputlm {
namespace {

constexpr unsigned kCalibratedWaves = 2, kWavesOfSpread = 4;
/// Increase of latencies in a loaded memory: about twice that of an idle one.
constexpr Cycle kDelay = 400;

/// 1, 2, 3, 4, 6, 8, 12, 16 ... up to `most`, and `most`.
std::vector<unsigned> residencies(unsigned most) {
  std::vector<unsigned> all;
  for (unsigned n = 1; n < most; n = n < 4 ? n + 1 : n % 3 == 0 ? n / 3 * 4 : n / 2 * 3) all.push_back(n);
  all.push_back(most);
  return all;
}

/// The first, middle and last of 1 to `most`.
std::set<unsigned> three_of(unsigned most) { return {1, (most + 1) / 2, most}; }

unsigned per_mille(Cycle shared, double alone) {
  return std::max(1u, static_cast<unsigned>(static_cast<double>(shared) * kPerMille / alone + 0.5));
}

/// Cycles of a block alone, first or later, by residency.
double alone_at(const std::vector<KernelDurations::Alone>& points, unsigned blocks, Cycle KernelDurations::Alone::*of) {
  const auto above = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.blocks >= blocks; });
  if (above == points.end()) return static_cast<double>(points.back().*of);
  const auto value = static_cast<double>((*above).*of);
  if (above->blocks == blocks || above == points.begin()) return value;
  const auto below = static_cast<double>((*(above - 1)).*of);
  return below + (value - below) * (blocks - (above - 1)->blocks) / (above->blocks - (above - 1)->blocks);
}

}  // namespace

Calibration::Calibration(const GpuConfig& config, std::uint64_t cut_above)
    : config_(config), cut_above_(cut_above), requests_(sm_models().at(config.sm.model).has(Property::kSendsRequests)) {
}

void Calibration::meet(Measured& known, std::vector<std::shared_ptr<Kernel>> kernels) {
  std::string source;
  for (const auto& kernel : kernels) source += kernel->source() + '\n';
  if (!known.kernels.empty() && known.source <= source) return;
  known = {std::move(kernels), std::move(source)};
}

void Calibration::add(const Workload& workload) {
  std::map<const Kernel*, std::string> ids;  // ids of kernels; empty: it only spins
  struct Use {
    std::string id;
    std::shared_ptr<Kernel> kernel;
    StreamId stream;
  };
  std::vector<Use> uses;
  std::set<std::pair<std::string, StreamId>> met;
  for (const LaunchCommand& launch : workload.launches) {
    const auto [known, is_new] = ids.try_emplace(launch.kernel.get());
    if (is_new && !only_spins(*launch.kernel)) {
      known->second = kernel_id(*launch.kernel, config_);
      meet(kernels_[known->second], {launch.kernel});
    }
    const std::string& id = known->second;
    if (!id.empty() && met.emplace(id, launch.stream).second) uses.push_back({id, launch.kernel, launch.stream});
  }
  for (const Use& a : uses) {
    for (const Use& b : uses) {
      if (a.id < b.id && a.stream != b.stream) meet(pairs_[{a.id, b.id}], {a.kernel, b.kernel});
    }
  }
}

unsigned Calibration::most_blocks(const Kernel& kernel) const {
  const unsigned fit = residency(block_demand(kernel, config_.sm, config_.work_distributor), capacity(config_.sm));
  return static_cast<unsigned>(std::min<std::uint64_t>(fit, kernel.blocks()));
}

DurationTable Calibration::measure(const JobOptions& options) const {
  using Key = BlockMeasurements::Key;
  BlockMeasurements measurements(config_, requests_, kDelay, cut_above_);
  const auto add = [&](Key key, const Measured& measured, unsigned waves) {
    measurements.add(key, measured.kernels, waves);
    if (!requests_) return;
    key.delayed = true;
    measurements.add(key, measured.kernels, kCalibratedWaves);
  };
  std::vector<std::vector<unsigned>> alone;
  std::map<std::string, std::size_t> places;
  for (const auto& [id, measured] : kernels_) {
    const std::size_t k = places.size();
    places[id] = k;
    const unsigned most = most_blocks(*measured.kernels.front());
    measurements.add_kernel(*measured.kernels.front(), most);
    alone.push_back(residencies(most));
    for (const unsigned n : alone[k])
      add({k, k, n, 0, false}, measured, n == alone[k].back() ? kWavesOfSpread : kCalibratedWaves);
  }
  for (const auto& [ids, measured] : pairs_) {
    const Kernel &a = *measured.kernels[0], &b = *measured.kernels[1];
    const BlockDemand of_a = block_demand(a, config_.sm, config_.work_distributor),
                      of_b = block_demand(b, config_.sm, config_.work_distributor);
    Resources room = capacity(config_.sm);
    room -= of_b.takes;
    const unsigned most_a = std::min(residency(of_a, room), most_blocks(a));
    if (most_a == 0) continue;
    for (const unsigned n : three_of(most_a)) {
      Resources left = capacity(config_.sm);
      left -= of_a.takes * n;
      for (const unsigned m : three_of(std::min(residency(of_b, left), most_blocks(b))))
        add({places.at(ids.first), places.at(ids.second), n, m, false}, measured, kCalibratedWaves);
    }
  }
  measurements.run(options);

  DurationTable table;
  table.gpu = deciding_parameters(config_);
  if (requests_) table.delay = kDelay;
  const auto alone_of = [](const MeasuredBlocks& measured, unsigned n) {
    return KernelDurations::Alone{n, measured.first, measured.later == 0 ? measured.first : measured.later};
  };
  for (const auto& [id, which] : kernels_) {
    const std::size_t k = table.kernels.size();
    KernelDurations& kernel = table.kernels.emplace_back();
    kernel.name = which.kernels.front()->name;
    kernel.id = id;
    kernel.cut = measurements.is_cut(k);
    for (const unsigned n : alone[k]) {
      const MeasuredBlocks measured = measurements.result({k, k, n, 0, false}).front();
      kernel.alone.push_back(alone_of(measured, n));
      kernel.instructions = measured.instructions;  // the last one counts: with the maximum number of blocks
      kernel.sensitivity = measured.sensitivity;
      kernel.spread = measured.spread;
      if (!requests_) continue;
      kernel.requests = measured.requests;
      kernel.delayed.push_back(alone_of(measurements.result({k, k, n, 0, true}).front(), n));
      const bool none_later = measured.later == 0;
      kernel.latency.push_back(
          {n, measured.latency_of_first, none_later ? measured.latency_of_first : measured.latency_of_later});
    }
  }
  for (const Key& key : measurements.keys()) {
    if (key.blocks_of_b == 0 || key.delayed) continue;
    if (table.pairs.empty() || table.pairs.back().kernels[0] != key.a || table.pairs.back().kernels[1] != key.b)
      table.pairs.push_back({{key.a, key.b}, {}});
    PairDurations::Beside& at = table.pairs.back().beside.emplace_back();
    at.blocks[0] = key.blocks_of_a;
    at.blocks[1] = key.blocks_of_b;
    const std::vector<MeasuredBlocks> of_both = measurements.result(key);
    for (std::size_t k = 0; k < 2; ++k) {
      const KernelDurations& kernel = table.kernels[table.pairs.back().kernels[k]];
      const auto of_those_alone = [&](const MeasuredBlocks& measured,
                                      const std::vector<KernelDurations::Alone>& points) {
        const bool first = measured.later == 0;
        return per_mille(
            first ? measured.first : measured.later,
            alone_at(points, at.blocks[k], first ? &KernelDurations::Alone::first : &KernelDurations::Alone::later));
      };
      const MeasuredBlocks& measured = of_both[k];
      at.slowdown[k] = of_those_alone(measured, kernel.alone);
      if (!requests_) continue;
      Key delayed = key;
      delayed.delayed = true;
      at.delayed[k] = of_those_alone(measurements.result(delayed)[k], kernel.delayed);
      const bool first = measured.later == 0;
      const double latency = alone_at(kernel.latency, at.blocks[k],
                                      first ? &KernelDurations::Alone::first : &KernelDurations::Alone::later);
      if (latency > 0)
        at.latency[k] = per_mille(first ? measured.latency_of_first : measured.latency_of_later, latency);
    }
  }
  if (memory_) table.memory = measure_memory(config_, options);
  return table;
}

std::size_t CalibrationOfRuns::add(const GpuConfig& config, const Workload& workload) {
  const GpuParts parts(config, workload);
  std::vector<Shape>& shapes = runs_.emplace_back();
  bool with_demands = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const GpuConfig& gpu = parts[i].config;
    Shape shape{sm_models().at(gpu.sm.model).has(Property::kSendsRequests), deciding_parameters(gpu)};
    Workload own;
    own.launches = parts.launches(i, workload);
    Calibration& calibration = calibrations_.try_emplace(shape, gpu, cut_above_).first->second;
    calibration.add(own);
    if (has_demands(gpu, own)) {
      calibration.add_memory();
      with_demands = true;
    }
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(std::move(shape));
  }
  if (with_demands && parts.size() > 1) {  // these are those of kernels alone on the whole GPU
    Shape shape{false, deciding_parameters(config)};
    calibrations_.try_emplace(shape, config, cut_above_).first->second.add_memory();
    shapes.push_back(std::move(shape));
  }
  return runs_.size() - 1;
}

void CalibrationOfRuns::measure(const JobOptions& options) {
  for (const auto& [shape, calibration] : calibrations_)
    tables_[shape] = std::make_shared<const DurationTable>(calibration.measure(options));
}

std::shared_ptr<const DurationTable> CalibrationOfRuns::table(std::size_t run) const {
  const std::vector<Shape>& shapes = runs_[run];
  if (shapes.size() == 1) return tables_.at(shapes.front());
  const auto all = std::make_shared<DurationTable>(*tables_.at(shapes.front()));
  for (auto shape = shapes.begin() + 1; shape != shapes.end(); ++shape) all->others.push_back(*tables_.at(*shape));
  return all;
}

void prepare(const std::vector<GpuRun>& runs, const JobOptions& options) {
  for (const GpuRun& run : runs) {
    for (const std::string& setting : options.settings) set_assignment(run.config, setting);
    if (!options.settings.empty()) validate(run.config, {"--set", 0});
  }
  CalibrationOfRuns calibration;
  std::vector<std::pair<const GpuRun*, std::size_t>> measured;
  for (const GpuRun& run : runs) {
    const PolicyInfo& model = sm_models().at(run.config.sm.model);
    if (!model.has(Property::kNeedsDurations) || run.config.sm.durations != "none" || run.durations) continue;
    if (run.config.mmu.enabled) {
      run.config.sm.model = SmConfig().model;
    } else {
      measured.emplace_back(&run, calibration.add(run.config, run.workload()));
    }
  }
  JobOptions of_measurements = options;
  of_measurements.settings.clear();  // the runs already have them
  calibration.measure(of_measurements);
  for (const auto& [run, number] : measured) run->durations = calibration.table(number);
}

}  // namespace gputlm
