#include "platform/lab/duration_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/kernel/program_kernel.h"
#include "models/sm/blocks/table.h"
#include "models/sm/blocks/work.h"
#include "platform/files/json_text.h"
#include "platform/input/id_set.h"
#include "platform/input/parameters.h"
#include "platform/lab/experiment_runs.h"
#include "platform/run/check_fits.h"
#include "platform/run/gpu.h"
#include "tlm/base/bytes.h"
#include "tlm/base/digest.h"

namespace gputlm {
namespace {

constexpr const char* kBytes = "gputlm durations";
/// Blocks of at least this many cycles are not measured twice: cold caches soon become warm.
constexpr Cycle kLong = 100'000;
constexpr std::size_t kQuantiles = 16;

/// The number of SMs, starting with the first, that hold the kernel's grid at a number of blocks per SM.
unsigned sms_for(const Kernel& kernel, unsigned blocks, unsigned sms) {
  return static_cast<unsigned>(std::min<std::uint64_t>((kernel.blocks() + blocks - 1) / blocks, sms));
}

/// A kernel with an endless supply of blocks.
class EndlessKernel final : public Kernel {
 public:
  explicit EndlessKernel(std::shared_ptr<Kernel> kernel) : kernel_(std::move(kernel)) {
    name = kernel_->name;
    grid = {std::numeric_limits<std::uint32_t>::max()};
    block = kernel_->block;
    registers_per_thread = kernel_->registers_per_thread;
    shared_memory = kernel_->shared_memory;
  }
  std::unique_ptr<BlockCode> code(std::uint64_t index) override {
    const std::uint64_t number = index % kernel_->blocks();
    if (number == 0) kernel_->rewind();
    return kernel_->code(number);
  }

 private:
  std::shared_ptr<Kernel> kernel_;
};

struct Sample {
  bool ended = false, first = false;
  SmId sm = 0;
  Cycle cycles = 0;
  std::uint64_t instructions = 0;
  std::uint64_t requests = 0, latency = 0;  ///< latency: sum over the requests
};

/// The blocks of one kernel in a measurement.
class Samples {
 public:
  /// `sms`: number of SMs it runs on; `shared`: number of those, starting with the first, that all kernels of the measurement
  /// run on.
  Samples(const DurationRun& run, std::size_t kernel, unsigned sms, unsigned shared)
      : kernel_(run.kernels[kernel]), clock_(Clock::from_mhz(run.config.core_mhz)),
        fetch_(run.config.sm.launch_fetch_latency), wave_(std::uint64_t{sms} * run.blocks[kernel]),
        warm_(wave_ * run.warm), wanted_(wave_ * run.waves), shared_(shared), first_end_(run.config.sms, kNever) {
    // Only programs spin, and they may be asked for any block's code at any time.
    spins_ = dynamic_cast<ProgramKernel*>(kernel_.get()) &&
             reader_.read(*kernel_->code(0), kernel_->warps_per_block(), 0).spin > 0;
  }
  void add(const BlockEnded& block) {
    const std::size_t number = block.identity.block;
    if (samples_.size() <= number) samples_.resize(number + 1);
    Cycle& first_end = first_end_[block.identity.sm];
    first_end = std::min(first_end, block.end);
    Sample& sample = samples_[number];
    sample.ended = true;
    sample.sm = block.identity.sm;
    sample.first = block.start <= first_end;
    sample.cycles = block.end - begins(block, sample.first);
    sample.instructions = block.counters.instructions;
    sample.requests = block.counters.memory_requests;
    sample.latency = block.counters.memory_latency;
    for (; known_ < samples_.size() && samples_[known_].ended; ++known_) {
      sum_ += samples_[known_].cycles;
      if (known_ >= warm_ && samples_[known_].sm < shared_) ++counted_;
    }
  }
  /// A crowded SM may end no block while the others end waves of them.
  bool enough() const {
    return counted_ > 0 && (known_ >= wanted_ || (known_ >= warm_ + wave_ && sum_ / known_ >= kLong));
  }

  MeasuredBlocks result() const {
    MeasuredBlocks measured;
    Mean first, later;
    for (std::size_t i = warm_; i < known_; ++i) {
      if (samples_[i].sm < shared_) (samples_[i].first ? first : later).add(samples_[i]);
    }
    measured.later = later.count == 0 ? 0 : std::max<Cycle>(1, later.cycles());
    measured.first = first.count == 0 ? measured.later : std::max<Cycle>(1, first.cycles());
    const bool of_later = later.count >= first.count;
    const Mean& of = of_later ? later : first;
    measured.instructions = of.instructions();
    measured.requests = of.requests();
    measured.latency_of_later = later.latency();
    measured.latency_of_first = first.count == 0 ? measured.latency_of_later : first.latency();
    spread(of, !of_later, measured);
    return measured;
  }

 private:
  struct Mean {
    std::uint64_t count = 0, all_cycles = 0, all_instructions = 0, all_requests = 0, all_latencies = 0;
    void add(const Sample& sample) {
      ++count;
      all_cycles += sample.cycles;
      all_instructions += sample.instructions;
      all_requests += sample.requests;
      all_latencies += sample.latency;
    }
    Cycle cycles() const { return (all_cycles + count / 2) / count; }
    std::uint64_t instructions() const { return (all_instructions + count / 2) / count; }
    std::uint64_t requests() const { return (all_requests + count / 2) / count; }
    Cycle latency() const { return all_requests == 0 ? 0 : (all_latencies + all_requests / 2) / all_requests; }
  };

  /// Time at which its warps begin the measured part.
  Cycle begins(const BlockEnded& block, bool first) {
    const Cycle fetched = block.start + (first ? fetch_ : 0);
    if (!spins_) return std::min(fetched, block.end - 1);
    const auto code = kernel_->code(block.identity.block % kernel_->blocks());
    const Femtoseconds spin = reader_.read(*code, kernel_->warps_per_block(), block.identity.sm).spin;
    return std::min(std::max(fetched, clock_.at_or_after(later(clock_.edge(block.start), spin))), block.end - 1);
  }

  /// The dependence of cycles on instructions (least squares), and the remaining differences.
  void spread(const Mean& mean, bool first, MeasuredBlocks& measured) const {
    const double cycles = static_cast<double>(mean.all_cycles) / static_cast<double>(mean.count),
                 instructions = static_cast<double>(mean.all_instructions) / static_cast<double>(mean.count);
    double both = 0, square = 0;
    for (std::size_t i = warm_; i < known_; ++i) {
      const Sample& s = samples_[i];
      if (s.first != first || s.sm >= shared_) continue;
      const double di = static_cast<double>(s.instructions) - instructions;
      both += di * (static_cast<double>(s.cycles) - cycles);
      square += di * di;
    }
    const double slope = square > 0 ? std::clamp(both / square * instructions / cycles, 0.0, 3.0) : 0;
    measured.sensitivity = static_cast<unsigned>(std::lround(slope * kPerMille));
    std::vector<double> rest;
    for (std::size_t i = warm_; i < known_; ++i) {
      const Sample& s = samples_[i];
      if (s.first != first || s.sm >= shared_) continue;
      const double expected = cycles * (1 + slope * (static_cast<double>(s.instructions) / instructions - 1));
      rest.push_back(static_cast<double>(s.cycles) / std::max(expected, 1.0));
    }
    std::sort(rest.begin(), rest.end());
    const std::size_t quantiles = std::min(kQuantiles, rest.size());
    for (std::size_t q = 0; q < quantiles; ++q) {  // means of parts of the samples: their mean is that of all
      const std::size_t from = rest.size() * q / quantiles, to = rest.size() * (q + 1) / quantiles;
      double sum = 0;
      for (std::size_t i = from; i < to; ++i) sum += rest[i];
      const double value = sum / static_cast<double>(to - from) * kPerMille;
      measured.spread.push_back(std::max(1u, static_cast<unsigned>(std::lround(value))));
    }
  }

  std::shared_ptr<Kernel> kernel_;
  Clock clock_;
  Cycle fetch_;
  std::uint64_t wave_, warm_, wanted_;
  unsigned shared_;
  bool spins_ = false;
  BlockWorkReader reader_;
  std::vector<Cycle> first_end_;  ///< first end of a block, by SM
  std::vector<Sample> samples_;   ///< samples, indexed by block
  std::size_t known_ = 0;         ///< number of first samples whose blocks have all ended
  std::size_t counted_ = 0;       ///< number of these after the warm waves and on the SMs that all kernels run on
  Cycle sum_ = 0;                 ///< sum of the cycles of the first known_
};

std::string measure(const DurationRun& run, const Execution& execution) {
  std::vector<Samples> samples;
  Workload workload = workload_of_streams(static_cast<unsigned>(run.kernels.size()));
  std::vector<unsigned> sms;
  for (std::size_t k = 0; k < run.kernels.size(); ++k)
    sms.push_back(run.one_sm ? 1 : sms_for(*run.kernels[k], run.blocks[k], run.config.sms));
  const unsigned shared = *std::min_element(sms.begin(), sms.end());
  for (std::size_t k = 0; k < run.kernels.size(); ++k) {
    samples.emplace_back(run, k, sms[k], shared);
    const std::size_t id = launch(workload, static_cast<StreamId>(k), std::make_shared<EndlessKernel>(run.kernels[k]));
    workload.launches[id].sms = sm_range(0, sms[k] - 1);
  }
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Gpu gpu(run.config, workload, execution.window, false);
  gpu.assembly().set_threads(execution.threads);
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  WorkDistributor& distributor = *gpu.work_distributors().front();
  bool enough = false;
  distributor.watch(distributor.core().blocks_ended, [&](const BlockEnded& block) {
    if (enough) return;
    samples[block.identity.kernel].add(block);
    enough = std::all_of(samples.begin(), samples.end(), [](const Samples& s) { return s.enough(); });
    if (enough) gpu.assembly().stop_at(clock.edge(block.heard) + 4 * gpu.assembly().shortest_hop());
  });
  gpu.assembly().run();
  if (!enough) throw std::runtime_error("a measurement of " + run.kernels.front()->name + " did not end");
  std::vector<MeasuredBlocks> measured;
  for (const Samples& s : samples) measured.push_back(s.result());
  return bytes_of(kBytes, measured);
}

}  // namespace

Job DurationRun::job() const {
  std::string text = fmt::format("durations {} {} {} {} {}", program_digest(), waves, warm, one_sm,
                                 digest(json_text(to_json(config))));
  if (config.l2.partitions > 1 && config.gpcs_of_first_half > 0)
    text += fmt::format(" {} GPCs in the first half", config.gpcs_of_first_half);
  bool known = true;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const Kernel& kernel = *kernels[k];
    const std::string source = kernel.source();
    known = known && !source.empty();
    text += fmt::format("\n{} of {} {} {} {} {} {} {}\n{}", blocks[k], kernel.name, kernel.blocks(), kernel.block.x,
                        kernel.block.y, kernel.block.z, kernel.registers_per_thread, kernel.shared_memory, source);
  }
  return {known ? digest(text) : "", [this](const Execution& execution) { return measure(*this, execution); },
          estimated_memory(config, {})};
}

DurationRun::Result DurationRun::result(std::string_view bytes) { return from_bytes<Result>(kBytes, bytes); }

}  // namespace gputlm
