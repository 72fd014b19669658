#include "models/work_distributor/kernel_order.h"

namespace gputlm {

ObjectDecision<KernelOrder, KernelOrderSetup>& kernel_orders() {
  static ObjectDecision<KernelOrder, KernelOrderSetup> all("kernel order", 1, "work_distributor.kernel_order");
  return all;
}

std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name, const KernelOrderSetup& setup) {
  return kernel_orders().at(name).make(setup);
}

}  // namespace gputlm
