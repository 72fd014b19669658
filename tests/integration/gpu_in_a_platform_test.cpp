// The whole GPU in a foreign platform: initiators that know only TLM-2.0 drive it through its mailbox and memory port.
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "models/dram/controller.h"
#include "models/dram/links.h"
#include "models/host_link/core.h"
#include "models/kernel/program_kernel.h"
#include "models/l2/slice.h"
#include "models/noc/links.h"
#include "platform/input/preset.h"
#include "platform/run/gpu_module.h"
#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/torture.h"
#include "tlm/base/error.h"
#include "tlm/checker.h"

namespace gputlm {
namespace {

using namespace mailbox;

std::shared_ptr<Kernel> kernel_of(std::uint32_t blocks, std::uint32_t threads = 64) {
  ProgramSpec spec;
  spec.name = "k";
  spec.grid = {blocks};
  spec.block = {threads};
  ArithmeticElement add;
  add.count = 100;
  spec.body.push_back({add});
  return std::make_shared<ProgramKernel>(spec, 0);
}

GpuInterface interface_of(bool data) {
  GpuInterface interface;
  interface.mailbox.kernels = {kernel_of(3), kernel_of(1000)};
  interface.mailbox.streams = {{"a"}, {"b"}};
  interface.mailbox.copies = true;
  interface.memory_port.emplace();
  interface.memory_bytes = 1 << 20;
  interface.data = data;
  return interface;
}

/// A thread with a socket for registers.
class Cpu final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Cpu> socket;
  sc_core::sc_in<bool> interrupt;
  Cpu(const sc_core::sc_module_name& module_name, std::function<void(Cpu&)> program)
      : sc_module(module_name), socket("socket"), program_(std::move(program)) {
    SC_HAS_PROCESS(Cpu);
    SC_THREAD(run);
  }
  bool ended = false;

  tlm::tlm_response_status call(tlm::tlm_generic_payload& payload) {
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    sc_core::wait(delay);
    return payload.get_response_status();
  }
  std::uint64_t access(tlm::tlm_command command, Address offset, std::uint64_t value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    EXPECT_EQ(call(payload), tlm::TLM_OK_RESPONSE) << offset;
    return value;
  }
  std::uint64_t read(Address offset) { return access(tlm::TLM_READ_COMMAND, offset, 0); }
  void write(Address offset, std::uint64_t value) { access(tlm::TLM_WRITE_COMMAND, offset, value); }
  std::uint64_t read(StreamId stream, Address offset) { return read((stream + 1) * kPage + offset); }
  void write(StreamId stream, Address offset, std::uint64_t value) { write((stream + 1) * kPage + offset, value); }
  void launch(StreamId stream, std::uint64_t handle) {
    write(stream, kKernel, handle);
    write(stream, kDoorbell, kLaunch);
  }
  /// The next end, for which it waits.
  std::uint64_t next_end() {
    if (!interrupt.read()) sc_core::wait(interrupt.posedge_event());
    return read(kEnded);
  }

 private:
  void run() {
    program_(*this);
    ended = true;
  }
  std::function<void(Cpu&)> program_;
};

/// A GPU, a CPU with a program, and checkers between them and within.
struct Platform {
  explicit Platform(std::function<void(Cpu&)> program, bool data = true)
      : gpu("gpu", load_gpu("volta80"), interface_of(data), true), cpu("cpu", std::move(program)),
        registers("registers"), memory("memory") {
    cpu.socket.bind(registers.target);
    registers.initiator.bind(gpu.registers());
    gpu.interrupt().bind(line);
    cpu.interrupt.bind(line);
    memory.initiator.bind(gpu.memory());
  }
  void expect_clean() {
    EXPECT_TRUE(cpu.ended);
    for (const ProtocolChecker* checker : {&registers, &memory})
      EXPECT_EQ(checker->violation_count(), 0u) << checker->violations().front();
    for (const auto& checker : gpu.gpu().assembly().checkers()) EXPECT_EQ(checker->violation_count(), 0u);
    for (const auto& unit : gpu.gpu().assembly().units()) EXPECT_TRUE(unit->done()) << unit->name();
  }
  GpuModule gpu;
  Cpu cpu;
  sc_core::sc_signal<bool> line;
  ProtocolChecker registers, memory;
};

TrafficSetup traffic(unsigned transactions, bool data) {
  TrafficSetup setup;
  setup.transactions = transactions;
  setup.bytes = 1 << 16;
  setup.longest = 3000;
  setup.capacity = 1 << 20;
  setup.data = data;
  return setup;
}

class GpusInAPlatform : public Simulation {};

TEST_F(GpusInAPlatform, RunKernelsAndCopiesAndSayByInterruptWhatHasEnded) {
  std::vector<std::uint64_t> ends;
  Platform platform([&](Cpu& cpu) {
    EXPECT_EQ(cpu.read(kIdentity), kIdentityValue);
    cpu.write(kInterruptEnable, 1);
    cpu.launch(0, 1);
    cpu.launch(1, 0);
    cpu.write(1, kTo, 0x8000);
    cpu.write(1, kBytes, 4096);
    cpu.write(1, kDoorbell, kCopy);
    for (unsigned i = 0; i < 3; ++i) ends.push_back(cpu.next_end());
    EXPECT_EQ(cpu.read(kInFlight), 0u);
    EXPECT_EQ(cpu.read(0, kInstructions), 1000u * 2 * 101);  // with the exit of each warp
    EXPECT_EQ(cpu.read(1, kInstructions), 3u * 2 * 101);
    EXPECT_EQ(cpu.read(1, kCopied), 4096u);
  });
  BlockingTorture traffic_beside("dma", traffic(200, true), 1);
  traffic_beside.socket.bind(platform.memory.target);
  sc_core::sc_start();
  platform.expect_clean();
  const std::uint64_t b = std::uint64_t{1} << 32;
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{1, b | 1, b | 2})) << "blocks of the kernel that came first go first";
  EXPECT_EQ(traffic_beside.answered, 200u);
  RunResult result;
  platform.gpu.gpu().collect(result, platform.gpu.gpu().mailbox().clock().at_or_before(now_fs()));
  EXPECT_EQ(result.units.total<HostLinkStatistics>().to_device, 4096u);
}

TEST_F(GpusInAPlatform, AnswerEveryRegisterAccessAfterItsWayThereAndBack) {
  Platform platform([](Cpu& cpu) {
    const Femtoseconds begin = now_fs();
    cpu.read(kStreams);
    const Clock clock = Clock::from_mhz(load_gpu("volta80").core_mhz);
    EXPECT_EQ(now_fs() - begin, 2 * MailboxSetup{}.register_latency * clock.period());
  });
  BlockingTorture nobody("dma", traffic(4, true), 1);
  nobody.socket.bind(platform.memory.target);
  sc_core::sc_start();
  platform.expect_clean();
}

/// What an access to the registers must be answered with, from the documentation.
tlm::tlm_response_status expected(const tlm::tlm_generic_payload& payload) {
  if (payload.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = payload.get_data_length();
  if ((length != 4 && length != 8) || payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  const Address address = payload.get_address();
  const Address reg = address % kPage;
  if (address % 8 != 0 || address >= 3 * kPage || reg > (address < kPage ? Address{kEnded} : Address{kApplication}))
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const bool written = address < kPage ? reg == kInterruptEnable : reg <= kError;
  if (payload.is_write() && !written) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.is_read() && address >= kPage && reg == kDoorbell) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

TEST_F(GpusInAPlatform, AnswerRandomAccessesToRegistersByTheirStatusAndGoOn) {
  Platform platform([](Cpu& cpu) {
    std::mt19937 random(1);
    std::array<unsigned char, 16> data{}, enables{};
    for (unsigned i = 0; i < 3000; ++i) {
      for (unsigned char& byte : data) byte = static_cast<unsigned char>(random() % 4);
      tlm::tlm_generic_payload payload;
      payload.set_command(random() % 2 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
      payload.set_address(random() % 3 ? random() % (4 * kPage) / 8 * 8 : random() % (4 * kPage));
      payload.set_data_ptr(data.data());
      payload.set_data_length(random() % 3 ? 4 + random() % 2 * 4 : 1 + random() % 16);
      payload.set_streaming_width(random() % 5 ? payload.get_data_length() : 1 + random() % 16);
      if (random() % 10 == 0) {
        payload.set_byte_enable_ptr(enables.data());
        payload.set_byte_enable_length(16);
      }
      const auto status = expected(payload);
      ASSERT_EQ(cpu.call(payload), status) << payload.get_address() << ' ' << payload.is_write();
    }
    while (cpu.read(kInFlight) > 0) sc_core::wait(10, sc_core::SC_US);
    while (cpu.read(kEnded) != 0) {
    }
    const std::uint64_t before = cpu.read(0, kCompleted);
    cpu.write(kInterruptEnable, 1);
    cpu.write(0, kPriority, 0);
    cpu.launch(0, 0);
    EXPECT_EQ(cpu.next_end(), before + 1);
  });
  NonBlockingTorture beside("dma", traffic(200, true), 7);
  beside.socket.bind(platform.memory.target);
  sc_core::sc_start();
  platform.expect_clean();
}

TEST_F(GpusInAPlatform, ServeARandomInitiatorAtTheMemoryPortWithItsData) {
  Platform platform([](Cpu& cpu) { cpu.launch(0, 1); });
  NonBlockingTorture dma("dma", traffic(2000, true), 3);
  dma.socket.bind(platform.memory.target);
  sc_core::sc_start();
  platform.expect_clean();
  EXPECT_EQ(dma.answered, 2000u);
}

TEST_F(GpusInAPlatform, MoveAtTheMemoryPortWhatItsLinkCarries) {
  constexpr unsigned kPieces = 64, kBytes = 16384;
  Platform platform([](Cpu&) {}, false);
  Femtoseconds took = 0;
  Cpu dma("dma", [&](Cpu& self) {
    static std::array<unsigned char, kBytes> data;
    unsigned left = kPieces;
    sc_core::sc_event all;
    const Femtoseconds began = now_fs();
    for (unsigned i = 0; i < kPieces; ++i) {
      sc_core::sc_spawn([&, i] {
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_WRITE_COMMAND);
        payload.set_address(i % 32 * kBytes);
        payload.set_data_ptr(data.data());
        payload.set_data_length(kBytes);
        payload.set_streaming_width(kBytes);
        EXPECT_EQ(self.call(payload), tlm::TLM_OK_RESPONSE);
        if (--left == 0) all.notify();
      });
    }
    sc_core::wait(all);
    took = now_fs() - began;
  });
  dma.socket.bind(platform.memory.target);
  dma.interrupt.bind(platform.line);
  sc_core::sc_start();
  platform.expect_clean();
  const Femtoseconds cycle = Clock::from_mhz(load_gpu("volta80").core_mhz).period();
  EXPECT_LT(took, Femtoseconds{kPieces} * kBytes / MemoryPortConfig{}.bytes_per_cycle * cycle * 5 / 4);
}

TEST_F(GpusInAPlatform, AreNotMadeWithAKernelThatFitsNoSmNorWithAStreamOfNobody) {
  GpuInterface interface = interface_of(false);
  interface.mailbox.kernels.push_back(kernel_of(1, 1024));
  GpuConfig config = load_gpu("volta80");
  config.sm.max_threads_per_block = 512;
  EXPECT_THROW(Gpu(config, interface, false), InputError);
  interface = interface_of(false);
  interface.mailbox.streams.push_back({"c", 1});
  EXPECT_THROW(Gpu(load_gpu("volta80"), interface, false), InputError);
  interface.mailbox.streams.clear();
  EXPECT_THROW(Gpu(load_gpu("volta80"), interface, false), InputError);
}

/// An L2 slice with its DRAM, of two slices, which somebody else drives.
struct Slice {
  Slice()
      : config(load_gpu("volta80")), map(config.address_map, 2), link(slice_link(clock, config.noc, config.l2.queue)),
        memory(dram_link(clock, config.dram, config.l2.queue)),
        slice(assembly.add<L2Slice>("l2", clock, L2Slice::Links{link, memory, config.noc.flits()}, config.l2, 1u, map)),
        dram(assembly.add<DramController>("dram", memory, config.dram)), checker("checker") {
    assembly.bind(slice.memory.front(), dram.ports[0]);
    checker.initiator.bind(slice.crossbar.front().socket);
  }
  GpuConfig config;
  Clock clock = Clock::from_mhz(config.core_mhz);
  MemoryMap map;
  Link link, memory;
  Assembly assembly{true};
  L2Slice& slice;
  DramController& dram;
  ProtocolChecker checker;
};

TEST_F(GpusInAPlatform, HaveL2SlicesThatAnswerForTheirOwnAddressesOnly) {
  Slice l2;
  unsigned own = 0;
  Cpu cpu("cpu", [&](Cpu& self) {
    std::array<unsigned char, 32> data{};
    for (Address address = 0; address < 64 * kLineBytes; address += kLineBytes) {
      tlm::tlm_generic_payload payload;
      payload.set_read();
      payload.set_address(address);
      payload.set_data_ptr(data.data());
      payload.set_data_length(32);
      payload.set_streaming_width(32);
      const bool is_own = l2.map.slice(address) == 1;
      EXPECT_EQ(self.call(payload), is_own ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE) << address;
      own += is_own;
    }
  });
  cpu.socket.bind(l2.checker.target);
  sc_core::sc_signal<bool> line;
  cpu.interrupt.bind(line);
  sc_core::sc_start();
  EXPECT_TRUE(cpu.ended);
  EXPECT_EQ(own, 32u);
  EXPECT_EQ(l2.checker.violation_count(), 0u);
}

TEST_F(GpusInAPlatform, HaveL2SlicesThatServeARandomInitiatorWithItsData) {
  GpuConfig config = load_gpu("volta80");
  const Clock clock = Clock::from_mhz(config.core_mhz);
  const MemoryMap map(config.address_map, 1);
  const Link link = slice_link(clock, config.noc, config.l2.queue);
  const Link memory = dram_link(clock, config.dram, config.l2.queue);
  BackingStore store(1 << 20);
  Assembly assembly(true);
  auto& slice =
      assembly.add<L2Slice>("l2", clock, L2Slice::Links{link, memory, config.noc.flits()}, config.l2, 0u, map);
  auto& dram = assembly.add<DramController>("dram", memory, config.dram);
  assembly.bind(slice.memory.front(), dram.ports[0]);
  slice.serve({store.capacity(), &store});
  ProtocolChecker checker("checker");
  NonBlockingTorture initiator("initiator", traffic(2000, true), 5);
  initiator.socket.bind(checker.target);
  checker.initiator.bind(slice.crossbar.front().socket);
  sc_core::sc_start();
  EXPECT_EQ(initiator.answered, 2000u);
  EXPECT_EQ(checker.violation_count(), 0u) << checker.violations().front();
  EXPECT_EQ(checker.unfinished(), 0u);
}

}  // namespace
}  // namespace gputlm
