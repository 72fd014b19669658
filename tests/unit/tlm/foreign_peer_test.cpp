// Peers that know only the base protocol: no credits, no extension, no pool.
#include <gmock/gmock.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/assembly.h"
#include "tlm/checker.h"

namespace gputlm {
namespace {

const Clock kPeersClock(1'000'000);
Link link_of_depth(unsigned depth, unsigned reply_depth) {
  return toy_link(kPeersClock, kPeersClock, 1, depth, reply_depth, 1);
}
/// A function: an sc_time made before the tests would fix the time resolution.
sc_core::sc_time ten_ns() { return {10, sc_core::SC_NS}; }

void expect_clean(const ProtocolChecker& checker, unsigned transactions) {
  EXPECT_EQ(checker.violation_count(), 0u) << checker.violations().front();
  EXPECT_EQ(checker.transactions(), transactions);
  EXPECT_EQ(checker.unfinished(), 0u);
}

class ForeignInitiator final : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<ForeignInitiator> socket;
  /// `late_end_resp`: END_RESP in a call of its own, after a while, instead of in the return.
  ForeignInitiator(const sc_core::sc_module_name& name, unsigned accesses, bool late_end_resp)
      : sc_module(name), socket("socket"), accesses_(accesses), late_end_resp_(late_end_resp) {
    SC_HAS_PROCESS(ForeignInitiator);
    SC_THREAD(send);
    SC_THREAD(end_responses);
    socket.register_nb_transport_bw(this, &ForeignInitiator::nb_transport_bw);
  }
  unsigned responses = 0;
  unsigned withheld = 0;  ///< END_REQs that did not come in the call
  unsigned most_outstanding = 0;

 private:
  void send() {
    for (unsigned i = 0; i < accesses_; ++i) {
      payloads_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      auto& payload = *payloads_.back();
      payload.acquire();
      payload.set_command(tlm::TLM_READ_COMMAND);
      payload.set_data_ptr(data_);
      payload.set_data_length(32);
      payload.set_streaming_width(32);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      most_outstanding = std::max(most_outstanding, i + 1 - responses);
      if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED) {
        ++withheld;
        wait(end_req_);
      } else {
        wait(delay);
      }
    }
  }
  void end_responses() {
    for (;;) {
      wait(begin_resp_);
      wait(ten_ns());
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_fw(*responding_, phase, delay);
      responding_->release();
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) end_req_.notify(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++responses;
    if (late_end_resp_) {
      responding_ = &payload;
      begin_resp_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    delay += ten_ns();
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void free(tlm::tlm_generic_payload* payload) override { payload->reset(); }

  unsigned accesses_;
  bool late_end_resp_;
  unsigned char data_[32] = {};
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> payloads_;
  tlm::tlm_generic_payload* responding_ = nullptr;
  sc_core::sc_event end_req_, begin_resp_;
};

class ForeignInitiators : public Simulation, public testing::WithParamInterface<bool> {};

TEST_P(ForeignInitiators, AreHeldBackWhenTheQueueIsFullAndHoldBackResponses) {
  constexpr unsigned kAccesses = 200, kDepth = 3;
  ForeignInitiator initiator("initiator", kAccesses, GetParam());
  Consumer consumer("consumer", kPeersClock, link_of_depth(kDepth, 8), 50);
  ProtocolChecker checker("checker");
  initiator.socket.bind(checker.target);
  checker.initiator.bind(consumer.port.socket);
  sc_core::sc_start();
  expect_clean(checker, kAccesses);
  EXPECT_EQ(initiator.responses, kAccesses);
  EXPECT_GT(initiator.withheld, 0u);
  EXPECT_LE(consumer.most_held, kDepth);
  EXPECT_EQ(consumer.arrivals.size(), kAccesses);
}

INSTANTIATE_TEST_SUITE_P(EndResp, ForeignInitiators, testing::Bool());

class BlockingInitiator final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<BlockingInitiator> socket;
  explicit BlockingInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(BlockingInitiator);
    for (unsigned i = 0; i < kThreads; ++i) sc_core::sc_spawn([this] { send(); });
  }
  static constexpr unsigned kThreads = 5, kAccesses = 20;
  unsigned responses = 0;
  sc_core::sc_time shortest = sc_core::sc_max_time();

 private:
  void send() {
    for (unsigned i = 0; i < kAccesses; ++i) {
      tlm::tlm_generic_payload payload;
      unsigned char data[32] = {};
      payload.set_command(tlm::TLM_READ_COMMAND);
      payload.set_data_ptr(data);
      payload.set_data_length(32);
      payload.set_streaming_width(32);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      const Femtoseconds start = now_fs();
      socket->b_transport(payload, delay);
      shortest = std::min(shortest, to_sc_time(now_fs() + delay.value() - start));
      EXPECT_TRUE(payload.is_response_ok());
      ++responses;
    }
  }
};

class ForeignPeers : public Simulation {};

TEST_F(ForeignPeers, MayBlockFromSeveralThreads) {
  BlockingInitiator initiator("initiator");
  Consumer consumer("consumer", kPeersClock, link_of_depth(2, 8), 5);
  ProtocolChecker checker("checker");
  initiator.socket.bind(checker.target);
  checker.initiator.bind(consumer.port.socket);
  sc_core::sc_start();
  expect_clean(checker, BlockingInitiator::kThreads * BlockingInitiator::kAccesses);
  EXPECT_EQ(initiator.responses, BlockingInitiator::kThreads * BlockingInitiator::kAccesses);
  EXPECT_LE(consumer.most_held, 2u);
  EXPECT_GE(initiator.shortest, to_sc_time(kToyLatency * kPeersClock.period()));  // the hop back
}

/// How a foreign target answers: every way that the base protocol admits.
enum class Way {
  kEndReqInReturn,
  kEndReqInCallback,
  kEndReqImplied,
  kEndReqInsideTheCall,
  kResponseInReturn,
  kCompleted,
};

class ForeignTarget final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<ForeignTarget> socket;
  ForeignTarget(const sc_core::sc_module_name& name, Way way) : sc_module(name), socket("socket"), way_(way) {
    SC_HAS_PROCESS(ForeignTarget);
    SC_THREAD(respond);
    socket.register_nb_transport_fw(this, &ForeignTarget::nb_transport_fw);
  }
  unsigned withheld = 0;  ///< END_RESPs that did not come in the call

 private:
  struct Pending {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time ready;
    bool end_req;
  };
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
    if (phase == tlm::END_RESP) {
      responding_ = false;
      link_free_ = at;
      end_resp_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    if (way_ == Way::kCompleted) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      delay += ten_ns();
      return tlm::TLM_COMPLETED;
    }
    if (way_ == Way::kResponseInReturn && !responding_ && pending_.empty()) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      responding_ = true;
      phase = tlm::BEGIN_RESP;
      delay = std::max(at + ten_ns(), link_free_) - sc_core::sc_time_stamp();
      return tlm::TLM_UPDATED;
    }
    pending_.push_back({&payload, at, way_ == Way::kEndReqInCallback});
    arrived_.notify(sc_core::SC_ZERO_TIME);
    if (way_ == Way::kEndReqInReturn) {
      phase = tlm::END_REQ;
      delay += ten_ns();
      pending_.back().ready += ten_ns();
      return tlm::TLM_UPDATED;
    }
    if (way_ == Way::kEndReqInsideTheCall) call(payload, tlm::END_REQ, delay);
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum call(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, sc_core::sc_time delay) {
    const auto status = socket->nb_transport_bw(payload, phase, delay);
    if (status != tlm::TLM_ACCEPTED) link_free_ = sc_core::sc_time_stamp() + delay;
    return status;
  }
  void respond() {
    for (;;) {
      while (pending_.empty()) wait(arrived_);
      const Pending next = pending_.front();
      if (next.ready > sc_core::sc_time_stamp()) wait(next.ready - sc_core::sc_time_stamp());
      if (next.end_req) {
        call(*next.payload, tlm::END_REQ, sc_core::SC_ZERO_TIME);
        wait(ten_ns());
      }
      while (responding_) wait(end_resp_);
      if (link_free_ > sc_core::sc_time_stamp()) wait(link_free_ - sc_core::sc_time_stamp());
      next.payload->set_response_status(tlm::TLM_OK_RESPONSE);
      pending_.pop_front();
      responding_ = true;
      if (call(*next.payload, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME) == tlm::TLM_ACCEPTED) {
        ++withheld;
      } else {
        responding_ = false;
      }
    }
  }

  Way way_;
  std::deque<Pending> pending_;
  bool responding_ = false;  ///< END_RESP is still awaited
  sc_core::sc_time link_free_;
  sc_core::sc_event arrived_, end_resp_;
};

class ForeignTargets : public Simulation, public testing::WithParamInterface<Way> {};

TEST_P(ForeignTargets, AreServedAtTheirPaceAndHeldBackWhenTheQueueIsFull) {
  Producer::Setup setup;
  setup.accesses = 300;
  setup.read_interval = 80;  // slower than the target
  constexpr unsigned kReplies = 2;
  Producer producer("producer", kPeersClock, link_of_depth(8, kReplies), setup);
  ForeignTarget target("target", GetParam());
  ProtocolChecker checker("checker");
  producer.port.socket.bind(checker.target);
  checker.initiator.bind(target.socket);
  sc_core::sc_start();
  expect_clean(checker, setup.accesses);
  ASSERT_EQ(producer.responses.size(), setup.accesses);
  EXPECT_LE(producer.most_replies_held, kReplies);
  EXPECT_EQ(producer.in_use(), 0u);
  EXPECT_EQ(target.withheld > 0, GetParam() != Way::kCompleted);
  for (std::size_t i = 1; i < setup.accesses; ++i) {
    ASSERT_GE(producer.responses[i].first, producer.responses[i - 1].first + setup.read_interval);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, ForeignTargets,
                         testing::Values(Way::kEndReqInReturn, Way::kEndReqInCallback, Way::kEndReqImplied,
                                         Way::kEndReqInsideTheCall, Way::kResponseInReturn, Way::kCompleted));

/// Refuses everything, at once.
class RefusingTarget final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RefusingTarget> socket;
  explicit RefusingTarget(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &RefusingTarget::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
};

TEST_F(ForeignPeers, ThatRefuseAnAccessOfAUnitEndTheRunWithAMessage) {
  Assembly assembly;
  auto& producer = assembly.add<Producer>("producer", kPeersClock, link_of_depth(8, 2), Producer::Setup());
  RefusingTarget target("target");
  assembly.bind(producer.port, target.socket);
  try {
    assembly.run();
    FAIL() << "goes on";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("TLM_ADDRESS_ERROR_RESPONSE to a read of 32 bytes at address 0"));
  }
}

/// Withholds its first END_REQ for a microsecond, and then wants every request at once.
class HoldingTarget final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<HoldingTarget> socket;
  explicit HoldingTarget(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(HoldingTarget);
    SC_METHOD(end_request);
    sensitive << release_;
    dont_initialize();
    socket.register_nb_transport_fw(this, &HoldingTarget::nb_transport_fw);
  }
  std::vector<Femtoseconds> requests;  ///< when they began

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    requests.push_back(now_fs() + delay.value());
    if (requests.size() == 1) {
      first_ = &payload;
      release_.notify(1, sc_core::SC_US);
      return tlm::TLM_ACCEPTED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  void end_request() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    first_->set_response_status(tlm::TLM_OK_RESPONSE);
    socket->nb_transport_bw(*first_, phase, delay);
  }
  tlm::tlm_generic_payload* first_ = nullptr;
  sc_core::sc_event release_;
};

TEST_F(ForeignPeers, GetRequestsThatHaveWaitedAtThePaceOfTheLink) {
  Producer producer("producer", kPeersClock, link_of_depth(8, 8), {100, 1, 1});
  HoldingTarget target("target");
  producer.port.socket.bind(target.socket);
  sc_core::sc_start();
  EXPECT_EQ(producer.responses.size(), 100u);
  ASSERT_EQ(target.requests.size(), 100u);
  EXPECT_GE(target.requests[1], to_sc_time(1'000'000'000).value()) << "one request at a time";
  for (std::size_t i = 2; i < 100; ++i) {
    EXPECT_GE(target.requests[i], target.requests[i - 1] + kPeersClock.period()) << i;
  }
}

}  // namespace
}  // namespace gputlm
