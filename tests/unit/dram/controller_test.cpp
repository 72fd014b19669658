#include "models/dram/controller.h"

#include <gtest/gtest.h>

#include <tlm_utils/simple_initiator_socket.h>
#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "models/dram/links.h"
#include "tlm/assembly.h"

namespace gputlm {
namespace {

constexpr unsigned kQueue = 16;  // of the slices, for responses

DramConfig small_queues() {
  DramConfig config;
  config.queue = 16;
  config.input_queue = 8;
  return config;
}

/// Stands for an L2 slice: sends a fixed sequence of accesses as fast as its credits allow, and notes the responses.
class Requester final : public Unit {
 public:
  Requester(const sc_core::sc_module_name& module_name, const Clock& core, const Link& link, unsigned seed)
      : Unit(module_name, core), requests_(1, link.request.queue), responses_(link.response.queue), random_(seed),
        port("port", *this, link, requests_, responses_) {
    wake(0);
  }
  std::vector<std::pair<Cycle, std::uint32_t>> log;  ///< cycle and tag of the responses
  static constexpr std::uint32_t kAccesses = 3000;

 private:
  Cycle compute(Cycle end) override {
    while (responses_.next() < end) {
      const Cycle at = responses_.next();
      Access& access = responses_.pop(at);
      log.emplace_back(at, access.tag);
      pool_.release(access);
    }
    while (sent_ < kAccesses && requests_.ready_at() < end) {
      Access& access = pool_.allocate();
      access.write = random_() % 4 == 0;
      access.bytes = static_cast<std::uint16_t>(32 * (1 + random_() % 4));
      access.address = random_() % (1 << 12) * 128;
      access.tag = sent_++;
      access.flits = access.write ? access.bytes / 32 : 1;
      requests_.send(requests_.ready_at(), access);
    }
    return std::min(responses_.next(), sent_ < kAccesses ? requests_.ready_at() : kNever);
  }

  Outbox<Access> requests_;
  Inbox<Access> responses_;
  PayloadPool<Access> pool_;
  std::mt19937 random_;
  std::uint32_t sent_ = 0;

 public:
  InitiatorPort<Access> port;
};

/// Two slices on a channel.
struct Channel {
  Channel(const std::string& name, Femtoseconds window, const Clock& core)
      : link(dram_link(core, small_queues(), kQueue)), first(assembly.add<Requester>(name + "_first", core, link, 1)),
        second(assembly.add<Requester>(name + "_second", core, link, 2)),
        dram(assembly.add<DramController>(name + "_dram", link, small_queues(), 2)) {
    assembly.bind(first.port, dram.ports[0]);
    assembly.bind(second.port, dram.ports[1]);
    assembly.set_step(window);
  }
  Assembly assembly;
  Link link;
  Requester &first, &second;
  DramController& dram;
};

/// A base-protocol initiator that knows nothing of this model: no memory manager's pool, no extension, no credits.
class ForeignInitiator final : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<ForeignInitiator> socket;
  explicit ForeignInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(ForeignInitiator);
    SC_THREAD(send);
    socket.register_nb_transport_bw(this, &ForeignInitiator::nb_transport_bw);
  }
  static constexpr unsigned kAccesses = 200;
  unsigned responses = 0;
  unsigned withheld = 0;  ///< requests whose END_REQ did not come back in the call
  bool overlapped = false;

 private:
  void send() {
    for (unsigned i = 0; i < kAccesses; ++i) {
      payloads_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      auto& payload = *payloads_.back();
      payload.acquire();
      payload.set_command(i % 3 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(i * 4096);
      payload.set_data_ptr(data_);
      payload.set_data_length(64);
      payload.set_streaming_width(64);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      end_req_ = false;
      const auto status = socket->nb_transport_fw(payload, phase, delay);
      if (status == tlm::TLM_ACCEPTED) {
        ++withheld;
        if (!end_req_) wait(end_req_event_);
      } else {
        wait(delay);
      }
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) {
      end_req_ = true;
      end_req_event_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    EXPECT_TRUE(payload.is_response_ok());
    overlapped = overlapped || sc_core::sc_time_stamp() + delay < response_ends_;
    ++responses;
    delay += sc_core::sc_time(20, sc_core::SC_NS);  // a slow receiver
    response_ends_ = sc_core::sc_time_stamp() + delay;
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void free(tlm::tlm_generic_payload* payload) override { payload->reset(); }

  unsigned char data_[64] = {};
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> payloads_;
  bool end_req_ = false;
  sc_core::sc_event end_req_event_;
  sc_core::sc_time response_ends_;
};

class BlockingInitiator final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<BlockingInitiator> socket;
  explicit BlockingInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(BlockingInitiator);
    SC_THREAD(send);
  }
  std::vector<double> nanoseconds;

 private:
  void send() {
    for (unsigned i = 0; i < 3; ++i) {
      tlm::tlm_generic_payload payload;
      payload.set_command(tlm::TLM_READ_COMMAND);
      payload.set_address(i * 32);
      payload.set_data_ptr(data_);
      payload.set_data_length(32);
      payload.set_streaming_width(32);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      const Femtoseconds start = now_fs();
      socket->b_transport(payload, delay);
      EXPECT_TRUE(payload.is_response_ok());
      nanoseconds.push_back(static_cast<double>(now_fs() + delay.value() - start) * 1e-6);
    }
  }
  unsigned char data_[32] = {};
};

// SystemC elaborates once a process, so everything runs side by side in one simulation.
class DramControllerModule : public testing::Test {
 protected:
  struct Bench {
    Clock core = Clock::from_mhz(1000);
    Femtoseconds hop = DramConfig{}.latency * core.period();
    Channel narrow{"narrow", core.period(), core};
    Channel middle{"middle", 7 * core.period(), core};
    Channel wide{"wide", hop, core};
    ForeignInitiator foreign{"foreign"};
    DramController foreign_dram{"foreign_dram", dram_link(core, small_queues(), 1), small_queues()};
    BlockingInitiator blocking{"blocking"};
    DramController blocking_dram{"blocking_dram", dram_link(core, small_queues(), 1), small_queues()};
  };
  static void SetUpTestSuite() {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    bench = new Bench;
    bench->foreign.socket.bind(bench->foreign_dram.ports[0].socket);
    bench->blocking.socket.bind(bench->blocking_dram.ports[0].socket);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  }
  static void TearDownTestSuite() {
    delete bench;
    bench = nullptr;
  }
  static Bench* bench;
};
DramControllerModule::Bench* DramControllerModule::bench = nullptr;

TEST_F(DramControllerModule, AnswersEveryAccessOnce) {
  for (const Requester* requester : {&bench->narrow.first, &bench->narrow.second}) {
    std::set<std::uint32_t> tags;
    for (const auto& response : requester->log) tags.insert(response.second);
    EXPECT_EQ(requester->log.size(), Requester::kAccesses);
    EXPECT_EQ(tags.size(), Requester::kAccesses);
  }
  EXPECT_EQ(bench->narrow.dram.core().in_flight(), 0u);
}

TEST_F(DramControllerModule, TheWindowChangesNothing) {
  for (Channel* other : {&bench->middle, &bench->wide}) {
    EXPECT_EQ(other->first.log, bench->narrow.first.log);
    EXPECT_EQ(other->second.log, bench->narrow.second.log);
    EXPECT_EQ(other->dram.core().statistics().last_data, bench->narrow.dram.core().statistics().last_data);
    EXPECT_EQ(other->dram.core().statistics().row_hits, bench->narrow.dram.core().statistics().row_hits);
  }
}

TEST_F(DramControllerModule, ServesAForeignInitiatorAndWithholdsEndReqWhenFull) {
  EXPECT_EQ(bench->foreign.responses, ForeignInitiator::kAccesses);
  EXPECT_GT(bench->foreign.withheld, 0u);
  EXPECT_FALSE(bench->foreign.overlapped) << "one response at a time";
}

TEST_F(DramControllerModule, BlockingTransportTakesTheLatencyOfTheAccess) {
  ASSERT_EQ(bench->blocking.nanoseconds.size(), 3u);
  // A flit in, tRCD + tCL + burst at 924 MHz, the hop back and a flit out, within the rounding to clock edges.
  EXPECT_NEAR(bench->blocking.nanoseconds[0], 1 + 26 * 1.0823 + 20 + 1.0823, 3.2);
  EXPECT_NEAR(bench->blocking.nanoseconds[1], 1 + 14 * 1.0823 + 20 + 1.0823, 3.2);  // the row is open now
}

}  // namespace
}  // namespace gputlm
