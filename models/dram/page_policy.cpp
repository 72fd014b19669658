#include "models/dram/page_policy.h"

namespace gputlm {

const std::vector<Policy<PagePolicy>>& page_policies() {
  static const std::vector<Policy<PagePolicy>> kTable{
      {"open", "A row stays open until another one of the bank is needed", "Rixner et al., ISCA 2000, section 3.2",
       PagePolicy::kOpen},
      {"closed", "A row is closed as soon as no request for its bank is pending",
       "Rixner et al., ISCA 2000, section 3.2", PagePolicy::kClosed},
  };
  return kTable;
}

}  // namespace gputlm
