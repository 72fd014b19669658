#include "models/work_distributor/sm_share.h"

#include <algorithm>

namespace gputlm {
namespace {

unsigned rounded_up(unsigned value, unsigned step) { return (value + step - 1) / step * step; }

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

void find_the_rest(std::vector<std::optional<SmShare>>& shares, unsigned sms) {
  unsigned given = 0;
  for (const auto& share : shares) given += share && share->alone ? share->given : 0;
  if (given <= sms) return;
  for (auto share = shares.rbegin(); share != shares.rend(); ++share) {
    if (!*share || !(*share)->alone) continue;
    const unsigned others = given - (*share)->given, asked = (*share)->asked / 100;
    if (others + asked != sms) continue;
    (*share)->given = asked;
    (*share)->rest = true;
    return;
  }
}

}  // namespace

std::vector<std::optional<SmShare>> sm_shares(const std::vector<EngineShare>& shares, unsigned sms,
                                              const SmGranularity& granularity) {
  std::vector<std::optional<SmShare>> all;
  all.reserve(shares.size());
  for (const EngineShare& share : shares) all.push_back(sm_share(share, sms, granularity));
  find_the_rest(all, sms);
  return all;
}

}  // namespace gputlm
