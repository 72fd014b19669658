/// One DRAM channel: the memory controller and the banks behind it, in cycles of the command clock.
///
/// An access is split into bursts of DramConfig::burst_bytes, which enter the scheduler's queue together once all of them
/// fit. Each bank works for the request that its RequestScheduler picks: a column command if the request's row is open,
/// otherwise a precharge or an activate. The command bus carries one command per cycle, chosen by CommandChoice
/// (command_choice.h) from the banks' next commands. So reads and writes form batches: a turn of the bus waits until no
/// bank has a command in the current direction that is legal earlier. With DramConfig::command_buses of two, a row command
/// (activate, precharge, refresh) and a column command can be issued in the same cycle.
///
/// With DramConfig::write_queue, writes have a separate queue and schedulers, and the channel works for one queue at a
/// time: for the writes once write_high of them are pending, until at most write_low are; and whenever there are no reads.
/// An access does not enter while the other queue holds one to the same bursts. So accesses to the same address keep their
/// order, with one queue (all requests of a row have one order) and with two.
///
/// Refresh (tREFI, tRFC) is for all banks, due every tREFI cycles and never postponed: from then on, only precharges are
/// issued until all banks are closed, then the refresh. It is late by at most the time to close the banks.
///
/// Closed page (page_policy.h): banks without requests are precharged when nothing else can go out.
///
/// Commands that serve no request do not keep the controller awake: while nothing is pending, refreshes and precharges are
/// computed later, at the cycles that they would have had, when the next access arrives or statistics() is called.
///
/// The response leaves when the data of the last burst has been moved, in the order in which accesses end. At most twice as
/// many accesses as the queues have entries are between intake and response: completed accesses that cannot leave
/// eventually stop the intake.
///
/// Several links (one per L2 slice) share the channel: accesses enter the queue in order of arrival, the lower link first
/// in the same cycle, and none overtakes an access that does not fit yet. Responses of one link do not wait for those of
/// another. With DramConfig::applications of two or more, applications take turns to enter, and accesses of other links
/// overtake one that does not fit (admission.h). With DramConfig::virtual_channels there is a link for each slice and
/// application, so that no application waits behind another. Applications share no memory: only accesses of one
/// application, which keep their order, reach an address.
///
/// Addresses are channel-local. Not modelled: refresh of single banks, column commands with auto-precharge, the command
/// buses shared by two pseudo channels of HBM (here each has its own, at half the rate), activates that take two bus
/// cycles, ECC, power-down.
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/dram/address_map.h"
#include "models/dram/admission.h"
#include "models/dram/command_choice.h"
#include "models/dram/config.h"
#include "models/dram/cycle_account.h"
#include "models/dram/decisions.h"
#include "models/dram/page_policy.h"
#include "models/dram/queue_view.h"
#include "models/dram/request_queue.h"
#include "models/dram/scheduler.h"
#include "models/dram/statistics.h"
#include "models/dram/timing.h"
#include "models/policy/tally.h"
#include "tlm/access.h"
#include "tlm/link.h"
#include "tlm/tap.h"

namespace gputlm {

struct IssuedCommand {
  Cycle at = 0;
  Command command{};
  unsigned bank = 0;  ///< 0 for a refresh, which is for all banks
  Row row = kNoRow;   ///< row of the command's request; kNoRow if it has none
};

class DramControllerCore {
 public:
  /// `response_credits`: slots of the queue that takes a link's responses. Throws InputError for an invalid configuration:
  /// see AddressMap, contradiction(), make_request_schedulers(); a constraint may have at most kMaxCycles.
  DramControllerCore(const DramConfig& config, unsigned links, unsigned response_credits);

  Inbox<Access>& requests(unsigned link) { return links_[link].requests; }  ///< holds input_queue_of() accesses
  Outbox<Access>& responses(unsigned link) { return links_[link].responses; }

  Tap<IssuedCommand> commands;
  Tap<ArbiterEvent> arbiter;      ///< events of both queues
  Tap<AdmissionEvent> admission;  ///< no events unless applications are admitted separately
  std::size_t banks() const { return queues_[0].size(); }
  /// Duration for which a refresh occupies all banks.
  Cycle refresh_cycles() const { return refresh_cycles_; }

  /// Does everything strictly before `until`. Returns the next cycle with work if nothing else arrives; kNever if
  /// there is none. Throws InputError for an access with more bursts than the queue holds.
  Cycle advance(Cycle until);

  /// Statistics up to `until`, or to the last event if later. Every access that arrives before `until` must have been given
  /// to requests(), and advance(until) must have been called.
  DramStatistics statistics(Cycle until = 0);
  /// The counters of its policies.
  PolicyTally policies() const;
  /// Accesses between intake and response.
  std::size_t in_flight() const { return slots_.size() - free_slots_.size(); }

 private:
  static constexpr std::size_t kQueues = 2;  ///< number of queues: one for reads (or all requests), one for writes

  /// A bank's requests in one of the queues, and what both queues know about the bank. In a cache line.
  struct alignas(64) BankQueue {
    RequestQueue pending;
    std::unique_ptr<RequestScheduler> scheduler;
    Row open_row = kNoRow;
    const Request* picked = nullptr;       ///< request at `pick`; both valid if the bank is not stale
    std::uint32_t pick = 0;                ///< and the channel works for this queue
    DramWait waited_for = DramWait::kRow;  ///< constraint for which the activate of the open row waited
  };
  struct Ended {
    Cycle at;
    std::uint32_t slot;
  };
  struct Link {
    Link(const DramConfig& config, unsigned credits, std::size_t slots)
        : requests(input_queue_of(config)), responses(1, credits), ended(slots) {}
    Inbox<Access> requests;
    Outbox<Access> responses;
    /// Accesses whose last data is in flight or waits to leave. The data bus moves bursts in the order of their column
    /// commands (the table separates them), so this is a queue.
    Ring<Ended> ended;
  };
  struct Response {
    Cycle at = kNever;
    Link* link = nullptr;
  };
  /// An access between intake and response.
  struct Slot {
    Access* access = nullptr;
    Cycle entered = 0;
    Link* link = nullptr;
    unsigned bursts = 0;                 ///< bursts whose data has not been requested yet
    RowOutcome row = RowOutcome::kNone;  ///< state in which its first burst found the bank
  };
  /// The access that enters next, when there is room for it.
  struct Waiting {
    Cycle arrival = kNever;
    Link* link = nullptr;
    unsigned bursts = 0;
    std::size_t queue = 0;
  };

  class ControllerView;  // models/dram/controller_view.h
  const QueueView& view_of(std::size_t queue);
  unsigned bursts_of(const Access& access) const;
  std::size_t queue_of(const Access& access) const { return access.write && queues_in_use_ > 1 ? 1 : 0; }
  unsigned queued() const { return queued_[0] + queued_[1]; }
  void find_waiting();
  void find_waiting_in_turn();
  Cycle next_intake();
  /// An entry or slot becomes free at `at`; calls are in order of `at`.
  void room_from(Cycle at) {
    assert(at >= space_since_);
    space_since_ = at;
  }
  [[noreturn]] static void fail_too_large(unsigned bursts, const char* allowed, unsigned most);
  Response next_response();
  void ended(Cycle at, std::uint32_t slot, Link& link);
  bool must_wait(const Access& access, unsigned bursts) const;
  static bool may_change_pick(const Request& request, const BankQueue& bank);
  void take_in(Cycle now);
  void respond(Cycle now);

  void choose();
  void choose_refresh();
  void choose_queue();
  bool pick(unsigned bank);
  template <class Change>
  void change_row(unsigned bank, Change change) {
    change(queues_[0][bank]);
    if (queues_in_use_ > 1) change(queues_[1][bank]);
  }
  void issue();
  void note_command();
  void activate(Cycle now, unsigned bank);
  void precharge(Cycle now, unsigned bank);
  template <Command command>
  void move_data(Cycle now, unsigned bank);
  void skip_refreshes(Cycle end);
  void refresh(Cycle now);
  DramWait wait_of_activate(unsigned bank, const Slot& slot) const;
  DramWait wait_of_column(Command command, unsigned bank, const Slot& slot) const;
  void found(const Request& request, RowOutcome outcome);

  std::array<std::unique_ptr<QueueView>, kQueues> views_;  ///< views requested by policies, which they outlive
  AddressMap map_;
  TimingState timing_;
  CommandChoice choice_;
  CycleAccount account_;
  Bytes burst_bytes_;
  unsigned burst_bits_;
  std::array<unsigned, kQueues> capacity_;
  std::size_t queues_in_use_;
  unsigned write_high_, write_low_;
  unsigned read_latency_, write_latency_, burst_cycles_;
  unsigned refresh_interval_, refresh_cycles_;
  Cycle next_command_;  ///< cycles from a command to the next one if that does not need the same bus
  PagePolicy page_;
  std::string scheduler_name_, page_name_, admission_name_;  ///< names of the policies

  std::optional<Admission> admission_;  ///< present if applications are admitted separately
  AdmissionHeads heads_;                ///< heads from which the access in waiting_ was chosen, if the tap is watched

  std::vector<Link> links_;
  Waiting waiting_;        ///< access that enters next, as of the last advance()
  Cycle advanced_to_ = 0;  ///< end of the last advance(); later arrivals are no earlier
  // The next events, as far as known; valid within advance().
  Cycle intake_ = kNever;
  Response response_;
  std::array<std::vector<BankQueue>, kQueues> queues_;  ///< indexed by queue and bank
  std::uint64_t open_ = 0;                              ///< set of banks with an open row
  /// Set of banks whose requests or row have changed since their last pick, which may thus change; if it is not empty, the
  /// next command has to be chosen. Initially not empty, for the first choice.
  std::uint64_t stale_ = 1;
  std::array<unsigned, kQueues> queued_{};  ///< bursts pending in all banks
  std::uint64_t arrivals_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;

  Cycle command_from_ = 0;                  ///< first cycle for any next command,
  Cycle rows_from_ = 0, columns_from_ = 0;  ///< and first free cycles of the row and column command buses
  Cycle space_since_ = 0;                   ///< cycle from which the current room can be used
  Cycle refresh_due_ = kNever;
  Cycle refreshed_ = 0;           ///< cycle from which rows can be opened after the last refresh
  std::size_t working_for_ = 0;   ///< queue of the last command
  std::size_t choosing_for_ = 0;  ///< queue of the chosen command, and of the picks,
  BankQueue* working_ = nullptr;  ///< that queue, indexed by bank
  CommandChoice::Choice next_;    ///< the next command

  DramStatistics statistics_;     ///< counters, except those of the account and sums
  bool command_issued_ = true;    ///< the chosen command has been issued; initially true
  bool next_is_refresh_ = false;  ///< the next command is a refresh, or a precharge for one
  bool writing_ = false;          ///< direction of the last column command
};

}  // namespace gputlm
