#include "models/work_distributor/slicing_predictor.h"

#include <algorithm>
#include <cassert>

namespace gputlm {
namespace {

/// (Total_Blocks - Done_Blocks) * t / Resident_Blocks of Equation 2. The even share is an estimate: more blocks than
/// that may have run.
Cycle to_go(const SliceState& state, Cycle t) {
  if (state.done_blocks >= state.total_blocks) return 0;
  return (state.total_blocks - state.done_blocks) * t / state.resident_blocks;
}

}  // namespace

void SlicingPredictor::launched(KernelId kernel, std::uint64_t blocks, unsigned residency, unsigned sms) {
  begin_slice();
  OfKernel state{kernel, std::nullopt, std::vector<OnSm>(sms_)};
  for (OnSm& on : state.sms) {
    on.state.total_blocks = (blocks + sms - 1) / sms;
    on.state.resident_blocks = residency;
  }
  kernels_.push_back(std::move(state));
}

void SlicingPredictor::block_sent(KernelId kernel, SmId sm, Cycle now) {
  OnSm& on = of(kernel).sms[sm];
  if (on.state.running_blocks++ == 0) on.active_since = now;
}

Prediction SlicingPredictor::block_ended(KernelId kernel, SmId sm, Cycle duration, Cycle now) {
  OfKernel& of_kernel = of(kernel);
  OnSm& on = of_kernel.sms[sm];
  SliceState& state = on.state;
  if (!stopped_) state.active_cycles += now - on.active_since;
  on.active_since = now;
  --state.running_blocks;
  ++state.done_blocks;
  const bool first_of_slice = state.reslice;
  if (first_of_slice) {
    state.t = of_kernel.latest_t = duration;
    ++epoch_;
  }
  state.reslice = false;
  state.predicted = state.active_cycles + to_go(state, *state.t);
  return {kernel, sm, first_of_slice, now, state.done_blocks, state.total_blocks, *state.t, *state.predicted};
}

void SlicingPredictor::repeat(KernelId kernel, std::uint64_t times, Cycle period,
                              const std::vector<std::uint64_t>& ended, const std::vector<Cycle>& active) {
  ++epoch_;
  std::vector<OnSm>& sms = of(kernel).sms;
  for (std::size_t sm = 0; sm < sms.size(); ++sm) {
    sms[sm].state.done_blocks += times * ended[sm];
    sms[sm].state.active_cycles += times * active[sm];
    sms[sm].active_since += times * period;
  }
}

void SlicingPredictor::ended(KernelId kernel) {
  kernels_.erase(kernels_.begin() + static_cast<std::ptrdiff_t>(place(kernel)));
  begin_slice();
}

void SlicingPredictor::stop(Cycle now) {
  for (OfKernel& kernel : kernels_) {
    for (OnSm& on : kernel.sms) {
      if (on.state.running_blocks > 0) on.state.active_cycles += now - on.active_since;
    }
  }
  stopped_ = true;
}

void SlicingPredictor::go_on(Cycle now) {
  for (OfKernel& kernel : kernels_) {
    for (OnSm& on : kernel.sms) on.active_since = now;
  }
  stopped_ = false;
}

void SlicingPredictor::begin_slice() {
  ++epoch_;
  for (OfKernel& kernel : kernels_) {
    for (OnSm& on : kernel.sms) on.state.reslice = true;
  }
}

std::optional<Cycle> SlicingPredictor::remaining(KernelId kernel, SmId sm) const {
  const OfKernel& of_kernel = of(kernel);
  const std::optional<Cycle>& t = of_kernel.t_on(sm);
  return t ? std::optional(to_go(of_kernel.sms[sm].state, *t)) : std::nullopt;
}

std::optional<Cycle> SlicingPredictor::block_duration(KernelId kernel, SmId sm) const { return of(kernel).t_on(sm); }

Cycle SlicingPredictor::active_cycles(KernelId kernel, SmId sm, Cycle now) const {
  const OnSm& on = of(kernel).sms[sm];
  return on.state.active_cycles + (on.state.running_blocks > 0 && !stopped_ ? now - on.active_since : 0);
}

std::size_t SlicingPredictor::place(KernelId kernel) const {
  const auto found =
      std::find_if(kernels_.begin(), kernels_.end(), [=](const OfKernel& state) { return state.id == kernel; });
  assert(found != kernels_.end());
  return static_cast<std::size_t>(found - kernels_.begin());
}

}  // namespace gputlm
