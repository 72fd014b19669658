#include "models/work_distributor/kernel_order.h"

namespace gputlm {

const std::vector<Policy<MakeKernelOrder>>& kernel_orders() {
  static const std::vector<Policy<MakeKernelOrder>> kTable{
      {"leftover", "First launched first, on each SM: the next when all blocks of the head are placed",
       "most-room, section 6; cuda-hierarchy, section III", make_leftover},
      {"mpmax", "First launched first, but each leaves room for a block of every other", "srtf, section 5.2.2",
       make_mpmax},
      {"srtf", "Shortest remaining time first on each SM, by predictions; newcomers are sampled on one SM",
       "srtf, section 5.1.1", make_srtf},
  };
  return kTable;
}

std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name, const KernelOrderSetup& setup) {
  return find_policy(kernel_orders(), "work_distributor.kernel_order", name).make(setup);
}

}  // namespace gputlm
