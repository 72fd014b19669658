// Initiators of somebody else's platform on gputlm's DRAM controller: phase by phase, by threads that block, and as the
// memory that holds the platform's data. They know TLM-2.0's base protocol and nothing of gputlm.
#define SC_INCLUDE_DYNAMIC_PROCESSES  // for sc_spawn
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/dram/controller.h"
#include "models/dram/links.h"

namespace {

/// Address of the next access.
using Addresses = std::function<std::uint64_t()>;

constexpr unsigned kReads = 20000;

/// What the initiators have in common: kReads reads of `bytes`, and how long they have taken.
class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket;

  unsigned answered() const { return answered_; }
  double gigabytes_per_second() const { return answered_ * data_.size() / last_.to_seconds() / 1e9; }

 protected:
  Initiator(const sc_core::sc_module_name& name, unsigned bytes, Addresses addresses)
      : sc_module(name), socket("socket"), data_(bytes), addresses_(std::move(addresses)) {
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
  }
  virtual tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    return tlm::TLM_ACCEPTED;
  }

  /// Makes the next read; false if there is none.
  bool next(tlm::tlm_generic_payload& payload) {
    if (sent_ == kReads) return false;
    ++sent_;
    payload.set_read();
    payload.set_address(addresses_());
    payload.set_data_ptr(data_.data());
    payload.set_data_length(data_.size());
    payload.set_streaming_width(data_.size());
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return true;
  }
  void answer(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
    if (payload.is_response_ok()) ++answered_;
    if (at > last_) last_ = at;
  }

 private:
  std::vector<unsigned char> data_;
  Addresses addresses_;
  unsigned sent_ = 0, answered_ = 0;
  sc_core::sc_time last_;
};

/// nb_transport in four phases: as many reads under way as the controller takes.
class FourPhases final : public Initiator, public tlm::tlm_mm_interface {
 public:
  FourPhases(const sc_core::sc_module_name& name, unsigned bytes, Addresses addresses)
      : Initiator(name, bytes, std::move(addresses)) {
    SC_HAS_PROCESS(FourPhases);
    SC_THREAD(send);
    SC_THREAD(end_responses);
  }

 private:
  void send() {
    for (;;) {
      auto* read = new tlm::tlm_generic_payload(this);
      read->acquire();
      if (!next(*read)) return read->release();
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      // A controller that is full withholds END_REQ until it has room.
      if (socket->nb_transport_fw(*read, phase, delay) == tlm::TLM_ACCEPTED) {
        wait(end_request_);
      } else {
        wait(delay);
      }
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_REQ) end_request_.notify(delay);
    if (phase == tlm::BEGIN_RESP) {
      response_ = &payload;  // the next one comes after END_RESP
      begin_response_.notify(delay);
    }
    return tlm::TLM_ACCEPTED;
  }
  void end_responses() {
    for (;;) {
      wait(begin_response_);
      tlm::tlm_generic_payload& payload = *response_;
      answer(payload, sc_core::sc_time_stamp());
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time delay;
      socket->nb_transport_fw(payload, phase, delay);
      payload.release();
    }
  }
  void free(tlm::tlm_generic_payload* payload) override { delete payload; }

  tlm::tlm_generic_payload* response_ = nullptr;
  sc_core::sc_event end_request_, begin_response_;
};

/// b_transport in many threads: one that blocks has one read under way.
class Threads final : public Initiator {
 public:
  Threads(const sc_core::sc_module_name& name, unsigned bytes, Addresses addresses)
      : Initiator(name, bytes, std::move(addresses)) {
    for (unsigned i = 0; i < kThreads; ++i) sc_core::sc_spawn([this] { read(); });
  }
  static constexpr unsigned kThreads = 160;

 private:
  void read() {
    tlm::tlm_generic_payload payload;
    while (next(payload)) {
      sc_core::sc_time delay;
      socket->b_transport(payload, delay);
      wait(delay);
      answer(payload, sc_core::sc_time_stamp());
    }
  }
};

/// Uses the controller as a memory: data is put there before time begins, copied, and looked at.
class Copier final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Copier> socket;
  bool right = false;  ///< the copy is what was to be copied
  sc_core::sc_time took;

  explicit Copier(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Copier);
    SC_THREAD(copy);
  }
  static constexpr unsigned kBytes = 100'000;  // the controller cuts it into accesses

 private:
  void copy() {
    std::vector<char> image(kBytes), buffer(kBytes), read(kBytes);
    for (unsigned i = 0; i < kBytes; ++i) image[i] = static_cast<char>(i * 7 + i / 256);
    tlm::tlm_generic_payload payload;
    ask(payload, tlm::TLM_WRITE_COMMAND, 0, image);
    socket->transport_dbg(payload);  // takes no time
    call(payload, tlm::TLM_READ_COMMAND, 0, buffer);
    call(payload, tlm::TLM_WRITE_COMMAND, 0x100000, buffer);
    took = sc_core::sc_time_stamp();
    ask(payload, tlm::TLM_READ_COMMAND, 0x100000, read);
    right = socket->transport_dbg(payload) == kBytes && read == image;
    // Beyond the end there is an error, and the simulation goes on.
    call(payload, tlm::TLM_READ_COMMAND, ~std::uint64_t{0} - kBytes, buffer);
    right = right && payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  void ask(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
           std::vector<char>& data) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(data.data()));
    payload.set_data_length(data.size());
    payload.set_streaming_width(data.size());
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void call(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
            std::vector<char>& data) {
    ask(payload, command, address, data);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    wait(delay);
  }
};

/// The channel that `gputlm mem` plays on unless told otherwise: gddr5.
gputlm::DramConfig gddr5() {
  gputlm::DramConfig config;
  config.burst_bytes = 64;
  config.bus_bits = 64;
  config.row_bytes = 4096;
  config.timing.tREFI = 3603;
  config.timing.tRFC = 61;
  return config;
}

/// A controller, and an initiator of its own.
template <class Initiator>
struct Channel {
  Channel(const std::string& name, const gputlm::DramConfig& config, const Addresses& addresses)
      : dram((name + "_dram").c_str(), gputlm::dram_link(gputlm::Clock::from_mhz(config.command_mhz), config, 1),
             config),
        initiator(name.c_str(), config.burst_bytes, addresses) {
    initiator.socket.bind(dram.ports[0].socket);
  }
  void print(const char* reads, const char* way, double peak) const {
    const double bandwidth = initiator.gigabytes_per_second();
    std::printf("%-8s %-16s %6.2f GB/s %4.0f %%\n", reads, way, bandwidth, 100 * bandwidth / peak);
  }
  gputlm::DramController dram;
  Initiator initiator;
};

Addresses stream(unsigned bytes) {
  return [next = std::uint64_t{0}, bytes]() mutable { return bytes * next++; };
}
Addresses random(unsigned bytes) {
  return [engine = std::mt19937_64(), bytes]() mutable { return engine() % (512 << 20) / bytes * bytes; };
}

}  // namespace

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);  // gputlm's clocks are whole numbers of femtoseconds
  const gputlm::DramConfig config = gddr5();
  const unsigned bytes = config.burst_bytes;
  Channel<FourPhases> stream_phases("stream_phases", config, stream(bytes));
  Channel<Threads> stream_threads("stream_threads", config, stream(bytes));
  Channel<FourPhases> random_phases("random_phases", config, random(bytes));
  Channel<Threads> random_threads("random_threads", config, random(bytes));

  gputlm::BackingStore store(1 << 21);  // makes the controller a memory of 2 MiB
  gputlm::DramController memory("memory", gputlm::dram_link(gputlm::Clock::from_mhz(config.command_mhz), config, 1),
                                config, 1, {store.capacity(), &store});
  Copier copier("copier");
  copier.socket.bind(memory.ports[0].socket);
  sc_core::sc_start();

  const double peak = bytes * config.command_mhz * 1e6 / config.timing.tCCDS / 1e9;
  stream_phases.print("stream", "four phases", peak);
  stream_threads.print("stream", "blocking threads", peak);
  random_phases.print("random", "four phases", peak);
  random_threads.print("random", "blocking threads", peak);
  std::printf("copied   %u bytes there and back in %.3f us, %s\n", Copier::kBytes, copier.took.to_seconds() * 1e6,
              copier.right ? "right" : "WRONG");
  const bool all = stream_phases.initiator.answered() == kReads && stream_threads.initiator.answered() == kReads &&
                   random_phases.initiator.answered() == kReads && random_threads.initiator.answered() == kReads;
  return all && copier.right ? 0 : 1;
}
