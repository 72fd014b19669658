#include "models/work_distributor/switch_pace.h"

#include <algorithm>
#include <limits>

namespace gputlm {
namespace {

/// Step of a number on a scale of eighths of powers of two.
unsigned step_of(std::uint64_t number) {
  constexpr unsigned kFine = 3;
  if (number < (1u << kFine)) return static_cast<unsigned>(number);
  unsigned power = 0;
  for (std::uint64_t rest = number; rest >= (2u << kFine); rest >>= 1) ++power;
  return (power << kFine) + static_cast<unsigned>(number >> power);
}

}  // namespace

std::uint32_t SwitchPace::begin(bool brings_back, unsigned sms, Bytes bytes) {
  now_ = &situations_[{brings_back, step_of(sms), step_of(bytes)}];
  // The first switch of a situation is not a sample of its pace.
  if (now_->switches++ < kSample || now_->bytes == 0) return 0;
  const std::uint64_t pace = (now_->cycles << kSwitchPaceBits) / now_->bytes;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(pace, 1, std::numeric_limits<std::uint32_t>::max()));
}

void SwitchPace::done(const ContextSwitch& command) {
  if (command.pace > 0 || now_->switches == 1) return;
  now_->bytes += command.bytes;
  now_->cycles += command.took;
}

}  // namespace gputlm
