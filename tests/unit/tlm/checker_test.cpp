#include "tlm/checker.h"

#include <functional>
#include <string>

#include "tests/unit/tlm/simulation.h"
#include "tlm/payload.h"
#include "tlm/port.h"

namespace gputlm {
namespace {

sc_core::sc_time ns(double t) { return {t, sc_core::SC_NS}; }

/// What the called side does with a call.
struct Answer {
  tlm::tlm_sync_enum status = tlm::TLM_ACCEPTED;
  tlm::tlm_phase phase = tlm::UNINITIALIZED_PHASE;
  double delay = 0;  // ns
};

/// An initiator and a target that do what the test says, right or wrong, with a checker between them.
class Script final : public sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
 public:
  explicit Script(const sc_core::sc_module_name& name)
      : sc_module(name), initiator("initiator"), target("target"), checker("checker") {
    initiator.bind(*this);
    target.bind(*this);
    initiator.bind(checker.target);
    checker.initiator.bind(target);
  }
  tlm::tlm_initiator_socket<> initiator;
  tlm::tlm_target_socket<> target;
  ProtocolChecker checker;
  std::function<void(tlm::tlm_generic_payload&)> blocking = [](auto& payload) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };

  /// The initiator calls at `delay` ns and is answered with `answer`.
  void forward(Access& access, tlm::tlm_phase phase, double delay, const Answer& answer = {}) {
    answer_ = answer;
    sc_core::sc_time t = ns(delay);
    initiator->nb_transport_fw(*access.transaction, phase, t);
  }
  void backward(Access& access, tlm::tlm_phase phase, double delay, const Answer& answer = {}) {
    answer_ = answer;
    if (phase == tlm::BEGIN_RESP && respond_) access.transaction->set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time t = ns(delay);
    target->nb_transport_bw(*access.transaction, phase, t);
  }
  void call_blocking(Access& access) {
    sc_core::sc_time t;
    initiator->b_transport(*access.transaction, t);
  }
  void leave_response_status_alone() { respond_ = false; }

 private:
  tlm::tlm_sync_enum answer(tlm::tlm_phase& phase, sc_core::sc_time& delay) const {
    if (answer_.phase != tlm::UNINITIALIZED_PHASE) phase = answer_.phase;
    if (answer_.delay != 0) delay = ns(answer_.delay);
    return answer_.status;
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (answer_.status == tlm::TLM_COMPLETED || answer_.phase == tlm::BEGIN_RESP) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    return answer(phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return answer(phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override { blocking(payload); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return true; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 17; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  Answer answer_;
  bool respond_ = true;
};

class Checker : public Simulation {
 protected:
  void SetUp() override {
    Simulation::SetUp();
    if (IsSkipped()) return;
    script_ = std::make_unique<Script>("script");
    sc_core::sc_start(ns(1000));  // so that a delay can wrap to a time that is past
  }
  Access& read() {
    Access& access = pool_.allocate();
    access.bytes = 32;
    fill_payload(*access.transaction, access);
    return access;
  }
  /// A request whose END_REQ comes back in the call.
  void request(Access& access, double begin, double end) {
    script_->forward(access, tlm::BEGIN_REQ, begin, {tlm::TLM_UPDATED, tlm::END_REQ, end});
  }
  void response(Access& access, double begin, double end) {
    script_->backward(access, tlm::BEGIN_RESP, begin, {tlm::TLM_UPDATED, tlm::END_RESP, end});
  }
  void expect_clean() {
    EXPECT_EQ(checker().violation_count(), 0u) << checker().violations().front();
    EXPECT_EQ(checker().unfinished(), 0u);
  }
  /// Exactly one rule was broken, and this is it.
  void expect_violation(const std::string& what, const std::string& clause) {
    EXPECT_EQ(checker().violation_count(), 1u);
    ASSERT_FALSE(checker().violations().empty());
    EXPECT_NE(checker().violations().front().find(what), std::string::npos) << checker().violations().front();
    EXPECT_NE(checker().violations().front().find(clause + ")"), std::string::npos) << checker().violations().front();
    EXPECT_NE(checker().violations().front().find("script.checker"), std::string::npos);
  }
  ProtocolChecker& checker() { return script_->checker; }

  PayloadPool<Access> pool_;
  std::unique_ptr<Script> script_;
};

// What the protocol allows.

TEST_F(Checker, AcceptsFourPhasesInFourCalls) {
  Access& access = read();
  script_->forward(access, tlm::BEGIN_REQ, 0);
  script_->backward(access, tlm::END_REQ, 1);
  script_->backward(access, tlm::BEGIN_RESP, 2);
  EXPECT_EQ(checker().unfinished(), 1u);
  script_->forward(access, tlm::END_RESP, 3, {tlm::TLM_COMPLETED});
  expect_clean();
  EXPECT_EQ(checker().transactions(), 1u);
}

TEST_F(Checker, AcceptsPhasesInReturns) {
  Access& access = read();
  request(access, 0, 1);
  response(access, 2, 3);
  expect_clean();
}

TEST_F(Checker, AcceptsAResponseThatImpliesEndReq) {
  Access &first = read(), &second = read();
  script_->forward(first, tlm::BEGIN_REQ, 0);
  response(first, 2, 3);
  script_->forward(second, tlm::BEGIN_REQ, 4, {tlm::TLM_UPDATED, tlm::BEGIN_RESP, 5});
  script_->forward(second, tlm::END_RESP, 6);
  expect_clean();
}

TEST_F(Checker, AcceptsEarlyCompletion) {
  Access &first = read(), &second = read();
  script_->forward(first, tlm::BEGIN_REQ, 0, {tlm::TLM_COMPLETED});
  request(second, 0, 1);
  script_->backward(second, tlm::BEGIN_RESP, 2, {tlm::TLM_COMPLETED});
  expect_clean();
}

TEST_F(Checker, AcceptsManyTransactionsOnTheirWayAndResponsesInAnyOrder) {
  Access &first = read(), &second = read(), &third = read();
  request(first, 0, 1);
  request(second, 1, 2);
  request(third, 5, 6);
  response(third, 7, 8);
  response(first, 8, 9);
  response(second, 9, 9);
  expect_clean();
}

TEST_F(Checker, AcceptsAPayloadUsedAgainAfterItsEnd) {
  for (int i = 0; i < 3; ++i) {
    Access& access = read();
    request(access, 10 * i, 10 * i + 1);
    response(access, 10 * i + 2, 10 * i + 3);
    pool_.release(access);
  }
  expect_clean();
  EXPECT_EQ(checker().transactions(), 3u);
}

TEST_F(Checker, PassesOtherPhasesOnAndCountsCredits) {
  PayloadPool<CreditGrant> grants;
  CreditGrant& grant = grants.allocate();
  const std::vector<Cycle> freed = {7, 9, 9};
  grant.freed = &freed;
  grant.cycle = 1000;
  grant.each = 2;
  tlm::tlm_phase phase = CREDIT;
  sc_core::sc_time delay = ns(1);
  script_->initiator->nb_transport_fw(*grant.transaction, phase, delay);
  script_->target->nb_transport_bw(*grant.transaction, phase, delay);
  expect_clean();
  EXPECT_EQ(checker().credits(), 12u);
  EXPECT_EQ(checker().transactions(), 0u);
}

TEST_F(Checker, PassesBlockingDmiAndDebugCallsOn) {
  Access& access = read();
  script_->call_blocking(access);
  tlm::tlm_dmi dmi;
  EXPECT_TRUE(script_->initiator->get_direct_mem_ptr(*access.transaction, dmi));
  EXPECT_EQ(script_->initiator->transport_dbg(*access.transaction), 17u);
  script_->target->invalidate_direct_mem_ptr(0, 1);
  expect_clean();
  EXPECT_EQ(checker().transactions(), 1u);
}

// Each rule, broken.

TEST_F(Checker, CatchesARequestBeforeEndReqOfThePrevious) {
  script_->forward(read(), tlm::BEGIN_REQ, 0);
  script_->forward(read(), tlm::BEGIN_REQ, 5);
  expect_violation("BEGIN_REQ before END_REQ", "15.2.6");
}

TEST_F(Checker, CatchesARequestAnnotatedBeforeEndReqOfThePrevious) {
  request(read(), 0, 4);
  request(read(), 3, 5);
  expect_violation("BEGIN_REQ at an earlier time", "15.2.6");
}

TEST_F(Checker, CatchesAResponseBeforeEndRespOfThePrevious) {
  Access &first = read(), &second = read();
  request(first, 0, 1);
  request(second, 1, 2);
  script_->backward(first, tlm::BEGIN_RESP, 3);
  script_->backward(second, tlm::BEGIN_RESP, 8);
  expect_violation("BEGIN_RESP before END_RESP", "15.2.6");
}

TEST_F(Checker, CatchesAResponseAnnotatedBeforeEndRespOfThePrevious) {
  Access &first = read(), &second = read();
  request(first, 0, 1);
  request(second, 1, 2);
  response(first, 3, 6);
  response(second, 5, 7);
  expect_violation("BEGIN_RESP at an earlier time", "15.2.6");
}

TEST_F(Checker, CatchesPhasesOfATransactionThatHasNotBegun) {
  script_->backward(read(), tlm::END_REQ, 0);
  expect_violation("END_REQ of a transaction that has not begun", "15.2.4");
}

TEST_F(Checker, CatchesAResponseToNothing) {
  script_->backward(read(), tlm::BEGIN_RESP, 0);
  expect_violation("BEGIN_RESP of a transaction that has not begun", "15.2.4");
}

TEST_F(Checker, CatchesASecondEndReq) {
  Access& access = read();
  request(access, 0, 1);
  script_->backward(access, tlm::END_REQ, 2);
  expect_violation("END_REQ of a request that has ended", "15.2.4");
}

TEST_F(Checker, CatchesASecondBeginResp) {
  Access& access = read();
  request(access, 0, 1);
  script_->backward(access, tlm::BEGIN_RESP, 2);
  script_->backward(access, tlm::BEGIN_RESP, 3);
  expect_violation("awaits none", "15.2.4");
}

TEST_F(Checker, CatchesEndRespWithoutBeginResp) {
  Access& access = read();
  request(access, 0, 1);
  script_->forward(access, tlm::END_RESP, 2);
  expect_violation("END_RESP without BEGIN_RESP", "15.2.4");
}

TEST_F(Checker, CatchesASecondEndResp) {
  Access& access = read();
  request(access, 0, 1);
  response(access, 2, 3);
  script_->forward(access, tlm::END_RESP, 4);
  expect_violation("END_RESP of a transaction that has not begun or has ended", "15.2.4");
}

TEST_F(Checker, CatchesAPhaseOnTheWrongPath) {
  Access& access = read();
  request(access, 0, 1);
  script_->forward(access, tlm::BEGIN_RESP, 2);
  expect_violation("BEGIN_RESP on the forward path", "15.2.3");
}

TEST_F(Checker, CatchesAReturnThatAnswersWithAPhaseOfTheCaller) {
  script_->forward(read(), tlm::BEGIN_REQ, 0, {tlm::TLM_UPDATED, tlm::END_RESP, 1});
  expect_violation("END_RESP on the backward path", "15.2.3");
}

TEST_F(Checker, CatchesUpdatedWithoutANewPhase) {
  script_->forward(read(), tlm::BEGIN_REQ, 0, {tlm::TLM_UPDATED});
  expect_violation("BEGIN_REQ on the backward path", "15.2.3");
}

TEST_F(Checker, CatchesAcceptedWithAChangedPhase) {
  script_->forward(read(), tlm::BEGIN_REQ, 0, {tlm::TLM_ACCEPTED, tlm::END_REQ, 0});
  expect_violation("TLM_ACCEPTED with a changed phase", "11.1.2");
}

TEST_F(Checker, CatchesAcceptedWithAChangedDelay) {
  script_->forward(read(), tlm::BEGIN_REQ, 0, {tlm::TLM_ACCEPTED, tlm::UNINITIALIZED_PHASE, 1});
  expect_violation("TLM_ACCEPTED with a changed phase or delay", "11.1.2");
}

TEST_F(Checker, CatchesCompletionInAnswerToEndReq) {
  Access& access = read();
  script_->forward(access, tlm::BEGIN_REQ, 0);
  script_->backward(access, tlm::END_REQ, 1, {tlm::TLM_COMPLETED});
  expect_violation("TLM_COMPLETED in answer to END_REQ", "15.2.4");
}

TEST_F(Checker, CatchesTimeGoingBackInsideATransaction) {
  Access& access = read();
  request(access, 0, 5);
  response(access, 4, 6);
  expect_violation("earlier time than the one before", "15.2.7");
}

TEST_F(Checker, CatchesTimeGoingBackInAReturn) {
  request(read(), 5, 4);
  expect_violation("earlier time than the one before", "15.2.7");
}

TEST_F(Checker, CatchesATimeThatIsPast) {
  Access& access = read();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::sc_time::from_value(std::uint64_t{0} - 1'000'000);  // "then - now", 1 ns ago
  script_->initiator->nb_transport_fw(*access.transaction, phase, delay);
  expect_violation("time already past", "11.1.3");
}

TEST_F(Checker, CatchesCreditsGoingBackInTime) {
  PayloadPool<CreditGrant> grants;
  CreditGrant& grant = grants.allocate();
  tlm::tlm_phase phase = CREDIT;
  for (const double t : {5, 4}) {
    sc_core::sc_time delay = ns(t);
    script_->initiator->nb_transport_fw(*grant.transaction, phase, delay);
  }
  sc_core::sc_time delay = ns(1);
  script_->target->nb_transport_bw(*grant.transaction, phase, delay);  // the other path has a time of its own
  expect_violation("CREDIT at an earlier time", "15.2.7");
}

TEST_F(Checker, CatchesAPayloadUsedAgainBeforeItsEnd) {
  Access& access = read();
  request(access, 0, 1);
  request(access, 2, 3);
  expect_violation("payload used again", "14.5");
}

TEST_F(Checker, CatchesAPayloadReleasedBeforeItsEnd) {
  Access& access = read();
  request(access, 0, 1);
  pool_.release(access);
  response(access, 2, 3);
  expect_violation("payload that nobody holds", "14.5");
}

TEST_F(Checker, CatchesAPayloadWithoutAMemoryManager) {
  tlm::tlm_generic_payload payload;
  Access access;
  access.bytes = 32;
  access.transaction = &payload;
  unsigned char data[32] = {};
  payload.set_data_ptr(data);
  fill_payload(payload, access);
  request(access, 0, 1);
  expect_violation("without a memory manager", "14.5");
}

TEST_F(Checker, CatchesBlockingAndNonBlockingUseOfOnePayload) {
  Access& access = read();
  script_->blocking = [&](tlm::tlm_generic_payload& payload) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    script_->backward(access, tlm::BEGIN_RESP, 0);
  };
  script_->call_blocking(access);
  expect_violation("awaits none", "15.2.4");
}

struct Attribute {
  const char* what;
  const char* clause;
  void (*spoil)(tlm::tlm_generic_payload&);
};
unsigned char some_bytes[4];
const Attribute kAttributes[] = {
    {"request with response status", "14.17", [](auto& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); }},
    {"DMI hint", "14.16", [](auto& p) { p.set_dmi_allowed(true); }},
    {"without a data pointer", "14.11", [](auto& p) { p.set_data_ptr(nullptr); }},
    {"zero bytes", "14.12", [](auto& p) { p.set_data_length(0); }},
    {"byte enables of length zero", "14.14", [](auto& p) { p.set_byte_enable_ptr(some_bytes); }},
    {"streaming width of zero", "14.15", [](auto& p) { p.set_streaming_width(0); }},
};

class CheckerOfAttributes : public Checker, public testing::WithParamInterface<Attribute> {};

TEST_P(CheckerOfAttributes, CatchesARequestThatIsNotSane) {
  Access& access = read();
  GetParam().spoil(*access.transaction);
  request(access, 0, 1);
  expect_violation(GetParam().what, GetParam().clause);
}

INSTANTIATE_TEST_SUITE_P(Request, CheckerOfAttributes, testing::ValuesIn(kAttributes));

const Attribute kChanges[] = {
    {"changed by the response", "14.7", [](auto& p) { p.set_command(tlm::TLM_WRITE_COMMAND); }},
    {"changed by the response", "14.7", [](auto& p) { p.set_data_ptr(some_bytes); }},
    {"changed by the response", "14.7", [](auto& p) { p.set_data_length(64); }},
    {"changed by the response", "14.7", [](auto& p) { p.set_byte_enable_ptr(some_bytes); }},
    {"changed by the response", "14.7", [](auto& p) { p.set_byte_enable_length(4); }},
    {"changed by the response", "14.7", [](auto& p) { p.set_streaming_width(8); }},
};

class CheckerOfChanges : public Checker, public testing::WithParamInterface<Attribute> {};

TEST_P(CheckerOfChanges, CatchesAnAttributeChangedOnTheWay) {
  Access& access = read();
  request(access, 0, 1);
  GetParam().spoil(*access.transaction);
  response(access, 2, 3);
  expect_violation(GetParam().what, GetParam().clause);
}

INSTANTIATE_TEST_SUITE_P(Response, CheckerOfChanges, testing::ValuesIn(kChanges));

TEST_F(Checker, AllowsAnInterconnectToChangeTheAddress) {
  Access& access = read();
  request(access, 0, 1);
  access.transaction->set_address(4096);
  response(access, 2, 3);
  expect_clean();
}

TEST_F(Checker, CatchesAttributesChangedByEndReq) {
  Access& access = read();
  script_->forward(access, tlm::BEGIN_REQ, 0);
  access.transaction->set_data_length(8);
  script_->backward(access, tlm::END_REQ, 1);
  expect_violation("changed by END_REQ", "14.7");
}

TEST_F(Checker, CatchesAResponseWithoutAStatus) {
  Access& access = read();
  request(access, 0, 1);
  script_->leave_response_status_alone();
  response(access, 2, 3);
  expect_violation("response without a response status", "14.17");
}

TEST_F(Checker, CatchesABlockingCallWithoutAStatus) {
  script_->blocking = [](auto&) {};
  script_->call_blocking(read());
  expect_violation("response without a response status", "14.17");
}

TEST_F(Checker, CountsWhatIsUnfinished) {
  request(read(), 0, 1);
  request(read(), 1, 2);
  EXPECT_EQ(checker().unfinished(), 2u);
  EXPECT_EQ(checker().violation_count(), 0u);
}

TEST_F(Checker, RecordsTheFirstViolationsAndCountsAll) {
  for (int i = 0; i < 50; ++i) script_->backward(read(), tlm::END_REQ, 0);
  EXPECT_EQ(checker().violation_count(), 50u);
  EXPECT_EQ(checker().violations().size(), ProtocolChecker::kRecorded);
}

}  // namespace
}  // namespace gputlm
