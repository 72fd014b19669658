#include "models/work_distributor/sm_share.h"

#include <algorithm>

namespace gputlm {
namespace {

unsigned rounded_up(unsigned value, unsigned step) { return (value + step - 1) / step * step; }

}  // namespace

std::optional<SmShare> sm_share(const EngineShare& share, unsigned sms, const SmGranularity& granularity) {
  if (const auto percent = share.sm_percent) {
    const unsigned given = sms * *percent / 100;
    return SmShare{100 * given, given};
  }
  if (const auto percent = share.active_thread_percentage) {
    const unsigned asked = sms * *percent;
    return SmShare{asked, std::min(sms, rounded_up(rounded_up(asked, 100) / 100, granularity.tpc_sms))};
  }
  if (const auto count = share.green_context_sms) {
    return SmShare{100 * *count, std::max(granularity.green_least, rounded_up(*count, granularity.green_step)), true};
  }
  return std::nullopt;
}

}  // namespace gputlm
