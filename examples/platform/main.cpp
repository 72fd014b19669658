// A platform of somebody else's with a GPU in it: a CPU drives the GPU by its registers, a DMA engine moves data to its
// memory and back.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdio>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/host/mailbox_registers.h"
#include "models/kernel/program_kernel.h"
#include "platform/input/preset.h"
#include "platform/run/gpu_module.h"

namespace {

namespace mailbox = gputlm::mailbox;
using sc_core::sc_time;

constexpr std::uint64_t kBuffer = 0x10000;
constexpr unsigned kBytes = 1 << 20, kPiece = 1024;

/// Moves a buffer to memory, or back, in pieces of which several are under way.
class DmaEngine : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<DmaEngine> socket;
  explicit DmaEngine(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(DmaEngine);
    SC_THREAD(end_responses);
    socket.register_nb_transport_bw(this, &DmaEngine::nb_transport_bw);
  }

  /// To be called by a thread, which it holds until all is moved. Returns how long that took; zero after an error.
  sc_time move(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data) {
    const sc_time began = sc_core::sc_time_stamp();
    left_ = static_cast<unsigned>(data.size()) / kPiece;
    failed_ = false;
    for (std::size_t at = 0; at < data.size(); at += kPiece) {
      while (under_way_ == kUnderWay) wait(answered_);
      auto* piece = new tlm::tlm_generic_payload(this);
      piece->acquire();
      piece->set_command(command);
      piece->set_address(address + at);
      piece->set_data_ptr(&data[at]);
      piece->set_data_length(kPiece);
      piece->set_streaming_width(kPiece);
      ++under_way_;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay;
      if (socket->nb_transport_fw(*piece, phase, delay) == tlm::TLM_ACCEPTED) {
        wait(end_request_);
      } else {
        wait(delay);
      }
    }
    while (left_ > 0) wait(answered_);
    return failed_ ? sc_core::SC_ZERO_TIME : sc_core::sc_time_stamp() - began;
  }

 private:
  static constexpr unsigned kUnderWay = 64;

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& piece, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_REQ) end_request_.notify(delay);
    if (phase == tlm::BEGIN_RESP) {
      responses_.push_back(&piece);
      response_.notify(delay);
    }
    return tlm::TLM_ACCEPTED;
  }
  void end_responses() {
    for (;;) {
      wait(response_);
      wait(1, sc_core::SC_NS);
      tlm::tlm_generic_payload& piece = *responses_.front();
      responses_.pop_front();
      if (!piece.is_response_ok()) failed_ = true;
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_time delay;
      socket->nb_transport_fw(piece, phase, delay);
      piece.release();
      --under_way_;
      --left_;
      answered_.notify();
    }
  }
  void free(tlm::tlm_generic_payload* piece) override { delete piece; }

  unsigned under_way_ = 0, left_ = 0;
  bool failed_ = false;
  std::deque<tlm::tlm_generic_payload*> responses_;
  sc_core::sc_event end_request_, response_, answered_;
};

class Cpu : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Cpu> registers;
  sc_core::sc_in<bool> interrupt;
  bool passed = false;

  Cpu(const sc_core::sc_module_name& name, DmaEngine& dma)
      : sc_module(name), registers("registers"), interrupt("interrupt"), dma_(dma) {
    SC_HAS_PROCESS(Cpu);
    SC_THREAD(program);
  }

 private:
  void program() {
    tlm::tlm_global_quantum::instance().set(sc_time(1, sc_core::SC_US));
    time_.reset();
    std::vector<unsigned char> data(kBytes), back(kBytes);
    for (unsigned i = 0; i < kBytes; ++i) data[i] = static_cast<unsigned char>(i * 7 + i / 251);
    const bool is_gpu = read(mailbox::kIdentity) == mailbox::kIdentityValue;

    const sc_time written = dma_.move(tlm::TLM_WRITE_COMMAND, kBuffer, data);
    report("written", written);
    write(mailbox::kInterruptEnable, 1);
    for (unsigned stream = 0; stream < 2; ++stream) {
      write_stream(stream, mailbox::kKernel, stream);
      write_stream(stream, mailbox::kDoorbell, mailbox::kLaunch);
    }
    unsigned ended = 0;
    while (ended < 2) {
      time_.sync();
      if (!interrupt.read()) wait(interrupt.posedge_event());
      for (std::uint64_t end = read(mailbox::kEnded); end != 0; end = read(mailbox::kEnded)) {
        const auto stream = static_cast<unsigned>(end >> 32);
        std::printf("stream %u has ended at %.3f us: cycles %llu to %llu, %llu warp instructions\n", stream,
                    1e6 * time_.get_current_time().to_seconds(), read_stream(stream, mailbox::kStarted),
                    read_stream(stream, mailbox::kFinished), read_stream(stream, mailbox::kInstructions));
        ++ended;
      }
    }
    const sc_time read_back = dma_.move(tlm::TLM_READ_COMMAND, kBuffer, back);
    report("read back", read_back);
    passed = is_gpu && data == back && written > sc_core::SC_ZERO_TIME && read_back > sc_core::SC_ZERO_TIME;
    sc_core::sc_stop();
  }

  static void report(const char* what, const sc_time& took) {
    std::printf("%u bytes %s in %.3f us: %.1f GB/s\n", kBytes, what, 1e6 * took.to_seconds(),
                kBytes / took.to_seconds() / 1e9);
  }

  std::uint64_t access(tlm::tlm_command command, std::uint64_t address, std::uint64_t value) {
    unsigned char data[8];
    for (unsigned i = 0; i < 8; ++i) data[i] = static_cast<unsigned char>(value >> (8 * i));
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    sc_time delay = time_.get_local_time();
    registers->b_transport(payload, delay);
    time_.set(delay);
    if (time_.need_sync()) time_.sync();
    if (!payload.is_response_ok()) SC_REPORT_FATAL("cpu", payload.get_response_string().c_str());
    value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{data[i]} << (8 * i);
    return value;
  }
  unsigned long long read(std::uint64_t address) { return access(tlm::TLM_READ_COMMAND, address, 0); }
  void write(std::uint64_t address, std::uint64_t value) { access(tlm::TLM_WRITE_COMMAND, address, value); }
  static std::uint64_t of_stream(unsigned stream, std::uint64_t reg) { return (stream + 1) * mailbox::kPage + reg; }
  unsigned long long read_stream(unsigned stream, std::uint64_t reg) { return read(of_stream(stream, reg)); }
  void write_stream(unsigned stream, std::uint64_t reg, std::uint64_t value) { write(of_stream(stream, reg), value); }

  DmaEngine& dma_;
  tlm_utils::tlm_quantumkeeper time_;
};

/// Blocks whose threads read the buffer and then compute.
std::shared_ptr<gputlm::Kernel> kernel(const char* name, std::uint32_t blocks, std::uint32_t additions) {
  gputlm::ProgramSpec spec;
  spec.name = name;
  spec.grid = {blocks};
  spec.block = {256};
  gputlm::ArithmeticElement add;
  add.count = additions;
  spec.body.push_back({add});
  return std::make_shared<gputlm::ProgramKernel>(spec, 0);
}

}  // namespace

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);  // gputlm's clocks are whole numbers of femtoseconds
  gputlm::GpuInterface interface;
  interface.mailbox.kernels = {kernel("short", 160, 100), kernel("long", 320, 1000)};
  interface.mailbox.streams = {{"first"}, {"second"}};
  interface.memory_port.emplace();
  interface.data = true;

  gputlm::GpuModule gpu("gpu", gputlm::load_gpu("volta80"), interface);
  DmaEngine dma("dma");
  Cpu cpu("cpu", dma);
  sc_core::sc_signal<bool> interrupt;
  cpu.registers.bind(gpu.registers());
  dma.socket.bind(gpu.memory());
  gpu.interrupt().bind(interrupt);
  cpu.interrupt.bind(interrupt);
  sc_core::sc_start();
  std::printf(cpu.passed ? "passed\n" : "FAILED\n");
  return cpu.passed ? 0 : 1;
}
