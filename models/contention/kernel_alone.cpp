#include "models/contention/kernel_alone.h"

#include <algorithm>
#include <cmath>

#include "models/contention/curves.h"

namespace gputlm {
namespace {

/// Part of its capacity from which a stage is full: the amount of work that waits for it then determines its latency. Fitted,
/// like the root in customers(), on 92 kernels of blocks/demands on orin (mixes 0 to 39).
constexpr double kFull = 0.75;
constexpr double kSectorsOfLoad = 4;  ///< 32 lanes of 4 bytes

/// Part of its time that a customer spends at a pipeline that it occupies for `busy` of its time, shared with its own kind.
/// Approximate mean value analysis of a closed network (Schweitzer 1979): it meets the mean number of the others there.
double queue(double busy, double customers) {
  return std::min(1.0, busy / std::max(1e-9, 1 - std::min(1.0, busy * (customers - 1))));
}

/// Computes the latencies of the kernel's requests, and the loads that they cause.
void find_latencies(KernelAlone& alone, const SharedMemorySystem& gpu) {
  BlockNeeds& needs = alone.needs;
  const double blocks = needs.blocks_alone, time = needs.cycles, loads = loads_of(needs);
  const auto rate = [&](double each) { return each * blocks / time; };  // of the GPU
  // A measured launch has cold caches; a launch of a capture has warm caches and another clock. Traffic that cannot have
  // passed in its time has not passed.
  const double scale = part_left(gpu.has, needs.dram_reads, needs.dram_writes);
  const double most = capacity_of(gpu.has.dram) * scale, asked = rate(needs.dram_reads + needs.dram_writes);
  if (asked > most) {
    needs.hits += needs.dram_reads * (1 - most / asked);
    needs.dram_reads *= most / asked;
    needs.dram_writes *= most / asked;
  }
  const double most_of_l2 = std::min(capacity_of(gpu.has.l2), needs.sms_alone * capacity_of(gpu.has.port));
  const double asked_of_l2 = rate(needs.reads + needs.writes);
  if (asked_of_l2 > most_of_l2) {
    for (double* const each : {&needs.reads, &needs.writes, &needs.hits}) *each *= most_of_l2 / asked_of_l2;
  }
  alone.requests = needs.reads + needs.writes;
  const double all = rate(alone.requests), dram = rate(needs.dram_reads + needs.dram_writes);
  alone.misses = alone.requests > 0 ? (needs.dram_reads + needs.dram_writes) / alone.requests : 0;
  alone.port = latency_at(gpu.has.port, rate(needs.reads) / needs.sms_alone, 1);
  alone.l2 = latency_at(gpu.has.l2, all, 1);
  alone.dram = latency_at(gpu.has.dram, dram, scale);
  if (alone.requests > 0) {
    // Little's law. If the sectors in flight were not measured, each warp has at least one load in flight.
    const bool known = needs.in_flight > 0;
    const double each = loads > 0 ? std::min(16.0, std::max(1.0, alone.requests / loads)) : kSectorsOfLoad;
    const double waiting = (known ? needs.in_flight : each * needs.warps) * time / alone.requests;
    const double of_dram = dram / most, of_l2 = all / capacity_of(gpu.has.l2);
    alone.fills = std::max(of_dram, of_l2) >= kFull;
    const double by_load = alone.port + alone.l2 + alone.misses * alone.dram;
    if (waiting > by_load && (known || alone.fills)) {
      // A stage that the kernel fills makes it wait; at a stage that it uses little, it waits because of its own bursts.
      const double more = (waiting - by_load) * (alone.fills ? 1 : std::max(of_dram, of_l2));
      alone.own = waiting - by_load - more;
      if (of_dram > of_l2) {
        alone.dram += more / alone.misses;
        alone.weight_dram = std::max(1.0, load_at(gpu.has.dram, alone.dram, scale) / dram);
      } else {
        alone.l2 += more;
        alone.weight_l2 = std::max(1.0, load_at(gpu.has.l2, alone.l2, 1) / all);
      }
    }
  }
  if (dram * alone.dram > gpu.dram_sectors) {
    alone.front = alone.misses * (alone.dram - gpu.dram_sectors / dram);
    alone.dram = gpu.dram_sectors / dram;
  }
  alone.latency = alone.port + alone.l2 + alone.front + alone.misses * alone.dram + alone.own;
  alone.of_line = loads > 0 ? std::min(4.0, std::max(1.0, needs.reads / loads)) : kSectorsOfLoad;
}

/// Splits the kernel's time into its parts.
void find_parts(KernelAlone& alone, const SmCapacities& sm) {
  const BlockNeeds& needs = alone.needs;
  const double time = needs.cycles, loads = loads_of(needs), on_sm = needs.blocks_alone / needs.sms_alone;
  alone.customers = customers(on_sm * needs.warps / sm.sub_cores);
  const double of_customer = on_sm / sm.sub_cores / alone.customers / time;
  double& issue = alone.busy[kPipes] = needs.instructions * of_customer;
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
    const double interval = sm.sub_cores / sm.pipe[pipe], part = needs.of_pipe[pipe] * of_customer;
    if (interval <= 1) continue;  // the instruction takes only an issue slot
    alone.busy[pipe] = part * interval;
    issue = std::max(0.0, issue - part);
  }
  const auto queued = [&](double part) {
    double all = 0;
    for (const double busy : alone.busy) all += queue(busy * part, alone.customers);
    return all;
  };
  double part = 1;  // part of its instructions that fits into its time: pipelines overlap
  if (queued(1) > 1) {
    double low = 0, high = 1;
    for (int i = 0; i < kHalvings; ++i) (queued((low + high) / 2) < 1 ? low : high) = (low + high) / 2;
    part = low;
  }
  for (std::size_t i = 0; i < alone.busy.size(); ++i) {
    alone.busy[i] *= part;
    alone.at[i] = queue(alone.busy[i], alone.customers);
  }
  alone.queued = queued(1);
  alone.visits = loads / needs.warps + 1;
  const double left = std::max(0.0, 1 - alone.queued);
  alone.exposed = alone.requests > 0 ? left : 0;
  if (loads > 0) {
    // L1 hits do not wait for the memory; stores wait for it only if the kernel fills it.
    const double asked = alone.fills ? alone.requests : needs.reads;
    const double sectors = std::max(1.0, needs.l1_sectors / loads), missing = std::min(loads, asked / sectors);
    alone.exposed = std::min(alone.exposed, missing / needs.warps * alone.latency / time);
  }
  alone.fixed = left - alone.exposed;
}

}  // namespace

double customers(double warps_of_sub_core) { return std::sqrt(std::max(1.0, warps_of_sub_core)); }

double loads_of(const BlockNeeds& needs) { return needs.of_pipe[static_cast<std::size_t>(Pipe::kLoadStore)]; }

KernelAlone alone_of(const BlockNeeds& measured, const SharedMemorySystem& gpu, const SmCapacities& sm) {
  KernelAlone alone;
  alone.needs = measured;
  find_latencies(alone, gpu);
  find_parts(alone, sm);
  return alone;
}

}  // namespace gputlm
