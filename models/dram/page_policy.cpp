#include "models/dram/page_policy.h"

namespace gputlm {

Decision<PagePolicy>& page_policies() {
  static Decision<PagePolicy> all("page", 6, "dram.page");
  return all;
}

GPUTLM_REGISTER {
  page_policies().add({{"open", 1},
                       "A row stays open until another one of the bank is needed",
                       "Rixner et al., ISCA 2000, section 3.2"},
                      PagePolicy::kOpen);
  page_policies().add({{"closed", 2},
                       "A row is closed as soon as no request for its bank is pending",
                       "Rixner et al., ISCA 2000, section 3.2"},
                      PagePolicy::kClosed);
}

}  // namespace gputlm
