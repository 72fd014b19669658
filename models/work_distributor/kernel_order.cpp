#include "models/work_distributor/kernel_order.h"

namespace gputlm {

const std::vector<Policy<MakeKernelOrder>>& kernel_orders() {
  static const std::vector<Policy<MakeKernelOrder>> kTable{
      {"leftover", "First launched first, on each SM: the next when all blocks of the head are placed",
       "most-room, section 6; cuda-hierarchy, section III", make_leftover},
      {"fifo", "The same as leftover, by the name that srtf has for it", "srtf, section 5.2.1", make_leftover},
      {"mpmax", "First launched first, but each leaves room for a block of every other", "srtf, section 5.2.2",
       make_mpmax},
      {"srtf", "Shortest remaining time first on each SM, by predictions; newcomers are sampled on one SM",
       "srtf, section 5.1.1", make_srtf},
      {"srtf_adaptive", "As srtf, but kernels share SMs while one after the other would slow them down too unequally",
       "srtf, section 5.1.2", make_srtf_adaptive},
      {"srtf_zero_sampling", "As srtf, but what is left of a kernel follows from its alone_cycles (oracle)",
       "srtf, section 6.2.2", make_srtf_zero_sampling},
      {"sjf", "As leftover, but of the kernels that have not begun the one with the least alone_cycles first (oracle)",
       "srtf, figure 1", make_shortest_job_first},
      {"ljf", "As leftover, but of the kernels that have not begun the one with the most alone_cycles first (oracle)",
       "srtf, figure 1", make_longest_job_first},
  };
  return kTable;
}

std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name, const KernelOrderSetup& setup) {
  return find_policy(kernel_orders(), "work_distributor.kernel_order", name).make(setup);
}

}  // namespace gputlm
