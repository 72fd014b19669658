#include "models/work_distributor/slowdown.h"

#include <algorithm>
#include <numeric>

namespace gputlm {
namespace {

std::uint64_t thousandths(const CoRunner& kernel, Cycle ends_in) {
  return (kernel.elapsed + ends_in) * 1000 / kernel.alone;
}

/// Equation 1 for the kernel's blocks, with `resident` blocks at once on all SMs together.
Cycle time_of(const CoRunner& kernel, std::uint64_t resident) { return kernel.blocks * kernel.t / resident; }

}  // namespace

Cycle runtime(const CoRunner& kernel, const SharedSms& sms) {
  return time_of(kernel, std::uint64_t{residency(kernel.demand, sms.sm)} * sms.count);
}

Slowdowns slowdowns_in_turn(const std::vector<CoRunner>& kernels, const SharedSms& sms) {
  Slowdowns slowdowns;
  Cycle end = 0;
  for (const CoRunner& kernel : kernels) {
    end += runtime(kernel, sms);
    slowdowns.push_back(thousandths(kernel, end));
  }
  return slowdowns;
}

Slowdowns slowdowns_shared(const std::vector<CoRunner>& kernels, const SharedSms& sms, unsigned fastest_residency) {
  Slowdowns slowdowns(kernels.size());
  std::vector<CoRunner> left = kernels;
  std::vector<std::size_t> order(kernels.size());  // kernels that have not ended
  std::iota(order.begin(), order.end(), std::size_t{0});
  Cycle now = 0;
  std::vector<std::uint64_t> resident;
  while (!order.empty()) {
    Resources room = sms.sm;
    resident.clear();
    Cycle span = kNever;  // TS1: time until one ends
    for (const std::size_t i : order) {
      unsigned blocks = residency(left[i].demand, room);
      if (resident.empty() && order.size() > 1) blocks = std::min(blocks, fastest_residency);
      room -= left[i].demand.takes * blocks;
      resident.push_back(std::uint64_t{blocks} * sms.count);
      if (blocks > 0) span = std::min(span, time_of(left[i], resident.back()));
    }
    now += span;
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < order.size(); ++k) {
      CoRunner& kernel = left[order[k]];
      if (resident[k] > 0 && time_of(kernel, resident[k]) == span) {
        slowdowns[order[k]] = thousandths(kernel, now);
        continue;
      }
      kernel.blocks -= span * resident[k] / kernel.t;  // NB1 = TS1 * R / t; what is left is NB2
      rest.push_back(order[k]);
    }
    order = std::move(rest);
  }
  return slowdowns;
}

std::uint64_t spread(const Slowdowns& slowdowns) {
  if (slowdowns.empty()) return 0;
  const auto [least, most] = std::minmax_element(slowdowns.begin(), slowdowns.end());
  return *most - *least;
}

}  // namespace gputlm
