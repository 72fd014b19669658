// A module that knows TLM-2.0 and no more of this model than what travels, in the place of the host.

#include <tlm_utils/simple_initiator_socket.h>

#include <memory>

#include "models/kernel/program_kernel.h"
#include "platform/input/preset.h"
#include "platform/run/gpu.h"
#include "tests/unit/tlm/simulation.h"

namespace gputlm {
namespace {

std::shared_ptr<ProgramKernel> kernel_of(std::uint32_t blocks) {
  ProgramSpec spec;
  spec.name = "k";
  spec.grid = {blocks};
  spec.block = {64};
  ArithmeticElement add;
  add.count = 100;
  spec.body.push_back({add});
  return std::make_shared<ProgramKernel>(spec, 0);
}

/// A host program in two threads, each call of which blocks it: one launches a kernel; one copies and then launches.
class Cpu final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Cpu> launches, copies;
  explicit Cpu(const sc_core::sc_module_name& name) : sc_module(name), launches("launches"), copies("copies") {
    SC_HAS_PROCESS(Cpu);
    SC_THREAD(first);
    SC_THREAD(second);
  }
  KernelLaunch alone, behind;
  Copy copied;

 private:
  template <class Item>
  static Item call(tlm_utils::simple_initiator_socket<Cpu>& socket, const Item& item) {
    tlm::tlm_generic_payload payload;
    Carried<Item> carried;
    carried.item = item;
    payload.set_extension(&carried);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    sc_core::wait(delay);
    EXPECT_TRUE(payload.is_response_ok());
    payload.clear_extension(&carried);
    return carried.item;
  }
  KernelLaunch launch(KernelId id, ProgramKernel& kernel) {
    KernelLaunch launch;
    launch.identity.kernel = id;
    launch.kernel = &kernel;
    return call(launches, launch);
  }
  void first() { alone = launch(0, *small_); }
  void second() {
    Copy copy;
    copy.to = 0x10000;
    copy.bytes = 4096;
    copied = call(copies, copy);
    behind = launch(1, *large_);
  }
  std::shared_ptr<ProgramKernel> small_ = kernel_of(3), large_ = kernel_of(100);
};

class ForeignHosts : public Simulation {};

TEST_F(ForeignHosts, LaunchKernelsAndCopy) {
  const GpuConfig config = load_gpu("volta80");
  Workload workload;
  workload.applications = {{"a"}};
  Cpu cpu("cpu");
  Gpu gpu(config, workload, ForeignHost{cpu.launches, &cpu.copies}, true);
  sc_core::sc_start();
  EXPECT_EQ(cpu.alone.blocks_ended, 3u);
  EXPECT_EQ(cpu.alone.counters.instructions, 3u * 2 * 101);  // with the exit of each warp
  EXPECT_EQ(cpu.behind.counters.instructions, 100u * 2 * 101);
  EXPECT_LT(cpu.alone.end, cpu.copied.ended) << "beside the copy";
  EXPECT_GT(cpu.behind.first_block, cpu.copied.ended + config.work_distributor.host_latency)
      << "the thread heard of the copy first";
  RunResult result;
  gpu.collect(result, cpu.behind.end);
  EXPECT_EQ(result.copying.link.to_device, 4096u);
  for (const auto& checker : gpu.assembly().checkers()) EXPECT_EQ(checker->violation_count(), 0u);
}

}  // namespace
}  // namespace gputlm
