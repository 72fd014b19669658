// A foreign TLM-2.0 initiator on gputlm's DRAM controller: reads in a row, then at random; what arrives, and how late.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/dram/controller.h"
#include "models/dram/links.h"

namespace {

/// Reads `count` bursts, as many at once as the controller takes.
class Reader : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<Reader> socket;

  Reader(const sc_core::sc_module_name& name, unsigned count, unsigned bytes, std::function<std::uint64_t()> address)
      : sc_module(name), socket("socket"), count_(count), address_(std::move(address)), data_(bytes) {
    SC_HAS_PROCESS(Reader);
    SC_THREAD(send);
    socket.register_nb_transport_bw(this, &Reader::nb_transport_bw);
  }

  unsigned answered() const { return answered_; }
  double seconds() const { return last_.to_seconds(); }
  double gigabytes_per_second() const { return answered_ * data_.size() / seconds() / 1e9; }
  double mean_latency_ns() const { return latency_.to_seconds() / answered_ * 1e9; }

 private:
  struct Read : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    sc_core::sc_time sent;
  };

  void send() {
    for (unsigned i = 0; i < count_; ++i) {
      auto* read = new Read(this);
      read->acquire();
      read->set_read();
      read->set_address(address_());
      read->set_data_ptr(data_.data());
      read->set_data_length(data_.size());
      read->set_streaming_width(data_.size());
      read->sent = sc_core::sc_time_stamp();
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
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) end_request_.notify(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    last_ = sc_core::sc_time_stamp() + delay;
    latency_ += last_ - static_cast<Read&>(payload).sent;
    ++answered_;
    payload.release();
    return tlm::TLM_COMPLETED;
  }

  void free(tlm::tlm_generic_payload* payload) override { delete static_cast<Read*>(payload); }

  unsigned count_, answered_ = 0;
  std::function<std::uint64_t()> address_;
  std::vector<unsigned char> data_;
  sc_core::sc_time last_, latency_;
  sc_core::sc_event end_request_;
};

}  // namespace

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);  // gputlm's clocks are whole numbers of femtoseconds
  gputlm::DramConfig config;                           // a channel of GDDR5 unless told otherwise
  config.latency = 1;                                  // the initiator is next to the controller, in its clock domain
  const gputlm::Clock clock = gputlm::Clock::from_mhz(config.command_mhz);
  const gputlm::Link link = gputlm::dram_link(clock, config, 1);
  constexpr unsigned kReads = 20000;

  gputlm::DramController first("first", link, config), second("second", link, config);
  std::uint64_t next = 0;
  Reader stream("stream", kReads, config.burst_bytes, [&] { return next++ * config.burst_bytes; });
  std::mt19937_64 random;
  Reader scattered("scattered", kReads, config.burst_bytes, [&] { return (random() >> 34) * config.burst_bytes; });
  stream.socket.bind(first.ports[0].socket);
  scattered.socket.bind(second.ports[0].socket);
  sc_core::sc_start();

  const double peak = config.burst_bytes * config.command_mhz * 1e6 / config.timing.tCCDS / 1e9;
  std::printf("%-10s %8s %10s %12s\n", "reads", "GB/s", "of peak", "latency");
  for (const Reader* reader : {&stream, &scattered}) {
    std::printf("%-10s %8.2f %9.0f%% %9.0f ns\n", reader->basename(), reader->gigabytes_per_second(),
                100 * reader->gigabytes_per_second() / peak, reader->mean_latency_ns());
    if (reader->answered() != kReads || reader->gigabytes_per_second() > peak) return 1;
  }
  // Rows that stay open are what makes the difference.
  return stream.gigabytes_per_second() > scattered.gigabytes_per_second() ? 0 : 1;
}
