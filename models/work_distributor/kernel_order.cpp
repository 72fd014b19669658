#include "models/work_distributor/kernel_order.h"

namespace gputlm {

const std::vector<Policy<std::unique_ptr<KernelOrder> (*)()>>& kernel_orders() {
  static const std::vector<Policy<std::unique_ptr<KernelOrder> (*)()>> kTable{
      {"leftover", "First launched first, on each SM: the next when all blocks of the head are placed",
       "most-room, section 6; cuda-hierarchy, section III", make_leftover},
  };
  return kTable;
}

std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name) {
  return find_policy(kernel_orders(), "work_distributor.kernel_order", name).make();
}

}  // namespace gputlm
