/// Peers that do at random everything that the base protocol of TLM-2.0 allows: initiators for every target socket of the
/// model, a target for every initiator socket. They know nothing of the model.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <deque>
#include <list>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "tests/unit/tlm/random_traffic.h"

namespace gputlm {

DECLARE_EXTENDED_PHASE(NOISE);  ///< a phase that peers must ignore

/// What both kinds of initiator have in common.
class TortureInitiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<TortureInitiator> socket;
  unsigned answered = 0;
  sc_core::sc_time last;  ///< time of the last answer

 protected:
  TortureInitiator(const sc_core::sc_module_name& name, const TrafficSetup& setup, unsigned seed)
      : sc_module(name), socket("socket"), traffic_(setup, seed) {
    socket.register_nb_transport_bw(this, &TortureInitiator::nb_transport_bw);
  }
  virtual tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    return tlm::TLM_ACCEPTED;
  }
  sc_core::sc_time some_time(unsigned most_ns) {
    return {static_cast<double>(traffic_.draw(most_ns + 1)), sc_core::SC_NS};
  }
  void note_answer() {
    ++answered;
    last = std::max(last, sc_core::sc_time_stamp());
  }
  RandomTraffic traffic_;
};

/// Blocks in several threads, each with delays of its own (temporal decoupling) and payloads on its stack, which it
/// reuses. Each thread has a part of the addresses.
class BlockingTorture final : public TortureInitiator {
 public:
  BlockingTorture(const sc_core::sc_module_name& module_name, TrafficSetup setup, unsigned seed)
      : TortureInitiator(module_name, setup, seed) {
    setup.transactions /= kThreads;
    setup.bytes = setup.bytes / kThreads / 128 * 128;
    for (unsigned i = 0; i < kThreads; ++i, setup.base += setup.bytes) {
      threads_.emplace_back(setup, seed * 100 + i);
      sc_core::sc_spawn([this, i] { send(threads_[i]); }, sc_core::sc_gen_unique_name("thread"));
    }
  }
  static constexpr unsigned kThreads = 4;

 private:
  void send(RandomTraffic& traffic) {
    RandomTraffic::Order order;
    tlm::tlm_generic_payload payload;
    sc_core::sc_time ahead;
    for (unsigned i = 0; i < traffic.setup().transactions; ++i) {
      traffic.make(payload, order);
      ahead += sc_core::sc_time(traffic.draw(50), sc_core::SC_NS);
      const sc_core::sc_time begin = sc_core::sc_time_stamp() + ahead;
      socket->b_transport(payload, ahead);
      EXPECT_GE(sc_core::sc_time_stamp() + ahead, begin);
      traffic.check(payload, order);
      note_answer();
      if (traffic.one_in(3)) {
        sc_core::wait(ahead);
        ahead = sc_core::SC_ZERO_TIME;
      }
    }
  }
  std::deque<RandomTraffic> threads_;
};

/// Sends by nb_transport: delays on every phase, END_RESP in the return, in the call, later or much later, or
/// TLM_COMPLETED; phases that mean nothing; payloads that are used again at once, from inside the call that ends them.
class NonBlockingTorture final : public TortureInitiator, public tlm::tlm_mm_interface {
 public:
  NonBlockingTorture(const sc_core::sc_module_name& module_name, const TrafficSetup& setup, unsigned seed)
      : TortureInitiator(module_name, setup, seed), most_under_way_(1 + traffic_.draw(traffic_.one_in(3) ? 3 : 40)),
        slow_(traffic_.one_in(3)), forgets_(traffic_.one_in(3)) {
    SC_HAS_PROCESS(NonBlockingTorture);
    if (traffic_.one_in(2)) {
      SC_METHOD(send_what_can_be_sent);
      sensitive << can_send_;
    } else {
      SC_THREAD(send_for_ever);
    }
    SC_METHOD(end_response);
    sensitive << end_resp_due_;
    dont_initialize();
  }

 private:
  struct Transaction : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    RandomTraffic::Order order;
    bool under_way = false;
  };

  void send_for_ever() {
    for (;;) {
      send_what_can_be_sent();
      sc_core::wait(can_send_);
    }
  }
  void send_what_can_be_sent() {
    while (sent_ < traffic_.setup().transactions && !request_open_ && under_way_ < most_under_way_) {
      if (slow_ && traffic_.one_in(3) && idle_until_ < sc_core::sc_time_stamp()) {
        idle_until_ = sc_core::sc_time_stamp() + some_time(300);
      }
      if (idle_until_ > sc_core::sc_time_stamp()) return can_send_.notify(idle_until_ - sc_core::sc_time_stamp());
      send();
    }
  }
  void send() {
    Transaction& transaction = allocate();
    transaction.acquire();
    traffic_.make(transaction, transaction.order);
    transaction.under_way = true;
    ++sent_;
    ++under_way_;
    sc_core::sc_time delay = std::max(request_link_free_, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
    if (traffic_.one_in(4)) delay += some_time(traffic_.one_in(10) ? 1000 : 20);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    request_open_ = &transaction;
    transaction.acquire();  // it may end inside the call
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(transaction, phase, delay);
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
      end_request(transaction, sc_core::sc_time_stamp() + delay);
    } else if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
      tlm::tlm_phase response = phase;
      const tlm::tlm_sync_enum taken = nb_transport_bw(transaction, response, delay);
      if (taken != tlm::TLM_ACCEPTED) {
        response = tlm::END_RESP;
        socket->nb_transport_fw(transaction, response, delay);
      }
    } else if (status == tlm::TLM_COMPLETED) {
      end_request(transaction, sc_core::sc_time_stamp() + delay);
      finish(transaction);
    }
    transaction.release();
    if (forgets_) transaction.release();
    if (traffic_.one_in(5)) make_noise();
  }
  /// An ignorable phase, on a payload of its own, which is nobody's transaction.
  void make_noise() {
    tlm::tlm_generic_payload& noise = allocate();
    noise.acquire();
    tlm::tlm_phase phase = NOISE;
    sc_core::sc_time delay = some_time(5);
    EXPECT_EQ(socket->nb_transport_fw(noise, phase, delay), tlm::TLM_ACCEPTED);
    noise.release();
  }
  void end_request(Transaction& transaction, const sc_core::sc_time& at) {
    if (request_open_ != &transaction) return;
    request_open_ = nullptr;
    request_link_free_ = at;
    // The next request may be in time or, with an annotated delay, ahead of it.
    can_send_.notify(traffic_.one_in(2) ? at - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    auto& transaction = static_cast<Transaction&>(payload);
    if (phase == tlm::END_REQ) end_request(transaction, sc_core::sc_time_stamp() + delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    EXPECT_TRUE(transaction.under_way) << "answered once";
    end_request(transaction, sc_core::sc_time_stamp() + delay);
    switch (traffic_.draw(slow_ ? 5 : 3)) {
      case 0: finish(transaction); return tlm::TLM_COMPLETED;
      case 1: {
        finish(transaction);
        phase = tlm::END_RESP;
        delay += some_time(3);
        return tlm::TLM_UPDATED;
      }
      case 2: {  // END_RESP in the call
        tlm::tlm_phase end = tlm::END_RESP;
        sc_core::sc_time later = delay + some_time(3);
        socket->nb_transport_fw(transaction, end, later);
        finish(transaction);
        if (traffic_.one_in(3)) return tlm::TLM_COMPLETED;  // says nothing new
        send_what_can_be_sent();                            // perhaps the same payload
        return tlm::TLM_ACCEPTED;
      }
      case 3:
        delay += some_time(100);
        finish(transaction);
        return tlm::TLM_COMPLETED;
      default:
        responding_ = &transaction;
        end_resp_due_.notify(delay + some_time(traffic_.one_in(10) ? 3000 : 50));
        return tlm::TLM_ACCEPTED;
    }
  }
  void end_response() {
    Transaction& transaction = *responding_;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = some_time(5);
    socket->nb_transport_fw(transaction, phase, delay);
    finish(transaction);
  }
  void finish(Transaction& transaction) {
    traffic_.check(transaction, transaction.order);
    transaction.under_way = false;
    --under_way_;
    note_answer();
    if (!forgets_) transaction.release();
    can_send_.notify(sc_core::SC_ZERO_TIME);
  }

  Transaction& allocate() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Transaction>(this));
      free_.push_back(all_.back().get());
    }
    Transaction& transaction = *free_.back();  // the last one that was freed
    free_.pop_back();
    return transaction;
  }
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(static_cast<Transaction*>(payload));
  }

  unsigned most_under_way_;
  bool slow_;     ///< withholds END_RESP at times, and pauses
  bool forgets_;  ///< releases payloads once they are sent: the target must hold them
  unsigned sent_ = 0, under_way_ = 0;
  Transaction* request_open_ = nullptr;
  Transaction* responding_ = nullptr;
  sc_core::sc_time request_link_free_, idle_until_;
  sc_core::sc_event can_send_, end_resp_due_;
  std::vector<std::unique_ptr<Transaction>> all_;
  std::vector<Transaction*> free_;
};

/// Answers by nb_transport: END_REQ in the return, in the call, later, or implied; TLM_COMPLETED at once; BEGIN_RESP in
/// the return, or later, in any order; phases that mean nothing. It withholds END_REQ at times.
class TortureTarget final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TortureTarget> socket;
  unsigned answered = 0;

  TortureTarget(const sc_core::sc_module_name& module_name, unsigned seed)
      : sc_module(module_name), socket("socket"), traffic_({}, seed) {
    SC_HAS_PROCESS(TortureTarget);
    SC_METHOD(end_request);
    sensitive << end_req_due_;
    dont_initialize();
    SC_METHOD(respond);
    sensitive << can_respond_;
    dont_initialize();
    socket.register_nb_transport_fw(this, &TortureTarget::nb_transport_fw);
  }

 private:
  struct Pending {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time ready;
  };
  sc_core::sc_time some_time(unsigned most_ns) {
    return {static_cast<double>(traffic_.draw(most_ns + 1)), sc_core::SC_NS};
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    const sc_core::sc_time now = sc_core::sc_time_stamp(), at = now + delay;
    if (phase == tlm::END_RESP) {
      responding_ = false;
      response_link_free_ = at;
      can_respond_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    EXPECT_EQ(request_open_, nullptr);
    const unsigned way = traffic_.draw(6);
    if (way == 0) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      delay += some_time(60);
      ++answered;
      return tlm::TLM_COMPLETED;
    }
    if (way == 1 && !responding_) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      responding_ = true;
      ++answered;
      phase = tlm::BEGIN_RESP;
      delay = std::max(at + some_time(20), response_link_free_) - now;
      return tlm::TLM_UPDATED;
    }
    if (way <= 3) {
      phase = tlm::END_REQ;
      delay += some_time(way == 2 ? 0 : 30);
      wait_for(payload, now + delay + some_time(80));
      return tlm::TLM_UPDATED;
    }
    if (way == 4) {  // END_REQ in the call
      tlm::tlm_phase end = tlm::END_REQ;
      sc_core::sc_time later = delay + some_time(5);
      socket->nb_transport_bw(payload, end, later);
      wait_for(payload, now + later + some_time(80));
      return tlm::TLM_ACCEPTED;
    }
    request_open_ = &payload;
    end_req_due_.notify(delay + some_time(traffic_.one_in(20) ? 1000 : 40));
    return tlm::TLM_ACCEPTED;
  }
  void end_request() {
    tlm::tlm_generic_payload& payload = *request_open_;
    request_open_ = nullptr;
    sc_core::sc_time delay = some_time(10);
    wait_for(payload, sc_core::sc_time_stamp() + delay + some_time(50));
    if (traffic_.one_in(2)) return;  // END_REQ is implied by the response
    tlm::tlm_phase phase = tlm::END_REQ;
    socket->nb_transport_bw(payload, phase, delay);
  }
  void wait_for(tlm::tlm_generic_payload& payload, const sc_core::sc_time& ready) {
    pending_.push_back({&payload, ready});
    can_respond_.notify(ready - sc_core::sc_time_stamp());
  }
  void respond() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    while (!responding_ && !pending_.empty()) {
      const auto next = std::min_element(pending_.begin(), pending_.end(),
                                         [](const Pending& a, const Pending& b) { return a.ready < b.ready; });
      if (next->ready > now) return can_respond_.notify(next->ready - now);
      tlm::tlm_generic_payload& payload = *next->payload;
      pending_.erase(next);
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      responding_ = true;
      ++answered;
      tlm::tlm_phase phase = traffic_.one_in(8) ? NOISE : tlm::BEGIN_RESP;
      sc_core::sc_time delay = std::max(response_link_free_, now) - now;
      if (phase == NOISE) {
        EXPECT_EQ(socket->nb_transport_bw(payload, phase, delay), tlm::TLM_ACCEPTED);
        phase = tlm::BEGIN_RESP;
      }
      delay += some_time(10);
      if (socket->nb_transport_bw(payload, phase, delay) == tlm::TLM_ACCEPTED) continue;
      responding_ = false;
      response_link_free_ = now + delay;
    }
  }

  RandomTraffic traffic_;  ///< source of random numbers
  tlm::tlm_generic_payload* request_open_ = nullptr;
  std::vector<Pending> pending_;
  bool responding_ = false;
  sc_core::sc_time response_link_free_;
  sc_core::sc_event end_req_due_, can_respond_;
};

}  // namespace gputlm
