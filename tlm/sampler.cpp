#include "tlm/sampler.h"

#include <algorithm>
#include <utility>

namespace gputlm {

Sampler::Sampler(const Units& units, Femtoseconds period, Take take)
    : units_(units), period_(std::min(period, kEndOfTime)), take_(std::move(take)), next_(after(0)) {
  for (std::size_t i = 0; i < units.size(); ++i) units[i]->sample(*this, i, next_);
}

Femtoseconds Sampler::reached(std::size_t unit, Femtoseconds at) {
  if (at < next_) return next_;  // it was sampled while it slept
  const std::size_t place = (at - next_) / period_;
  while (pending_.size() <= place) pending_.emplace_back(units_.size());
  Report& report = pending_[place][unit].emplace();
  units_[unit]->report(report, units_[unit]->clock().at_or_after(at));
  // Windows that contain a time before now have been computed: they began before now.
  take_before(units_[unit]->now());
  return after(at);
}

void Sampler::take_before(Femtoseconds time) {
  while (next_ < time) {
    Reports reports(units_.size());
    if (!pending_.empty()) {
      reports = std::move(pending_.front());
      pending_.pop_front();
    }
    const Femtoseconds at = std::exchange(next_, after(next_));
    take(at, std::move(reports));
  }
}

void Sampler::take(Femtoseconds at, Reports reports) {
  std::vector<Report> all;
  all.reserve(units_.size());
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (!reports[i]) units_[i]->report(reports[i].emplace(), units_[i]->clock().at_or_after(at));
    all.push_back(std::move(*reports[i]));
  }
  take_(at, all);
}

void Sampler::finish(Femtoseconds end) {
  take_before(end);
  pending_.clear();
  const bool taken = next_ == kNever || next_ - period_ >= end;
  if (!taken) take(end, Reports(units_.size()));
}

}  // namespace gputlm
