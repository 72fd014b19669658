/// A checker of the TLM-2.0 base protocol for one socket-to-socket binding. It sits between the two sockets
/// (`initiator.bind(checker.target); checker.initiator.bind(target)`), passes every call on unchanged, and records
/// violations of IEEE 1666-2011, clauses 11, 14 and 15. A binding without a checker costs nothing.
///
/// Times are annotated times: simulated time plus the delay of the call, in and out. Units that compute ahead of simulated
/// time say there when something happens, so the exclusion rules must hold for annotated times.
///
/// Phases outside the base protocol are ignorable (15.2.5): they are passed on, and only their times are checked. CREDIT
/// (tlm/port.h) is also counted, and its times must not decrease on either path.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

namespace gputlm {

class ProtocolChecker final : public sc_core::sc_module,
                              private tlm::tlm_fw_transport_if<>,
                              private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<> target;        ///< faces the initiator
  tlm::tlm_initiator_socket<> initiator;  ///< faces the target

  explicit ProtocolChecker(const sc_core::sc_module_name& name);

  /// The first kRecorded violations: annotated time, name of the checker, what happened, clause.
  const std::vector<std::string>& violations() const { return violations_; }
  /// The number of all violations.
  std::uint64_t violation_count() const { return violation_count_; }
  /// Transactions begun, by nb_transport or b_transport.
  std::uint64_t transactions() const { return transactions_; }
  /// Queue slots returned by CREDIT, on both paths together.
  std::uint64_t credits() const { return credits_; }
  /// Transactions begun but not ended.
  std::size_t unfinished() const { return live_.size(); }

  static constexpr std::size_t kRecorded = 20;

 private:
  enum Path : std::uint8_t { kForward, kBackward };
  enum class State : std::uint8_t { kRequest, kRequestEnded, kResponse, kBlocking };

  /// Attributes that must not change before the response (14.7); an interconnect may change the address.
  struct Attributes {
    explicit Attributes(const tlm::tlm_generic_payload& payload);
    bool operator==(const Attributes& other) const;
    tlm::tlm_command command;
    const unsigned char* data;
    unsigned length;
    const unsigned char* byte_enables;
    unsigned byte_enable_length;
    unsigned streaming_width;
  };
  struct Transaction {
    State state;
    sc_core::sc_time last;  ///< annotated time of its latest phase
    Attributes attributes;
  };
  /// One of the two exclusion rules (15.2.6): requests and responses each have the socket to themselves.
  struct Exclusion {
    const tlm::tlm_generic_payload* open = nullptr;
    sc_core::sc_time ended;
    void end(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;

  /// Checks a call, passes it on by `forward`, and checks what it returns.
  template <class Forward>
  tlm::tlm_sync_enum pass(Path path, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay,
                          Forward forward);
  void check_return(Path path, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& called,
                    const sc_core::sc_time& called_delay, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                    const sc_core::sc_time& delay);
  /// A phase that travels along `path`, as the argument of a call or of the return of the opposite call.
  void transition(Path path, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                  const sc_core::sc_time& delay);
  void begin_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void ignorable(Path path, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& at);
  /// TLM_COMPLETED in answer to `called`.
  void complete(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& called, const sc_core::sc_time& at);

  /// Checks the attributes of a new transaction and records it.
  void open(tlm::tlm_generic_payload& payload, State state, const sc_core::sc_time& at);
  void check_attributes(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void check_response(const Transaction& transaction, const tlm::tlm_generic_payload& payload,
                      const sc_core::sc_time& at);
  /// The transaction of `payload`, its time advanced to `at`; null, with a violation, if none has begun.
  Transaction* find(const tlm::tlm_generic_payload& payload, const char* phase, const sc_core::sc_time& at);
  void advance_time(Transaction& transaction, const sc_core::sc_time& at);
  void violation(const sc_core::sc_time& at, const std::string& what, const char* clause);

  std::unordered_map<const tlm::tlm_generic_payload*, Transaction> live_;
  Exclusion request_, response_;
  std::array<sc_core::sc_time, 2> last_credit_;  ///< time of the last credit on each path
  std::vector<std::string> violations_;
  std::uint64_t violation_count_ = 0;
  std::uint64_t transactions_ = 0;
  std::uint64_t credits_ = 0;
};

}  // namespace gputlm
