/// One DRAM channel: the memory controller and the banks behind it, in cycles of the command clock.
///
/// An access is split into bursts of DramConfig::burst_bytes, which enter the scheduler's queue together once all of
/// them fit. Each bank works for the request that its RequestScheduler picks: a column command if the request's row is
/// open, else a precharge or an activate. The command bus carries one command a cycle, the one that CommandChoice
/// (command_choice.h) finds among the banks' next commands; so reads and writes go in batches: a turn waits until no
/// bank has a command in the current direction that is legal earlier. With DramConfig::command_buses of two, a row command
/// (activate, precharge, refresh) and a column command can go out in the same cycle.
///
/// With DramConfig::write_queue, writes have a queue and schedulers of their own, and the channel works for one queue
/// at a time: for the writes once write_high of them are pending, until no more than write_low are; and whenever there
/// are no reads. An access to bursts that an access in the other queue is still to read or write does not enter before
/// that has been served. So accesses to the same address keep their order, with one queue (there is one order for all
/// requests of a row) and with two.
///
/// Refresh (tREFI, tRFC): of all banks, due every tREFI cycles, never postponed: from then on, only precharges are
/// issued until all banks are closed, then the refresh. It is late by no more than closing the banks takes.
///
/// Closed page (page_policy.h): banks without requests are precharged when nothing else can go out.
///
/// Commands that no request waits for do not keep the controller awake: while nothing is pending, refreshes and
/// precharges are made up for, with the cycles they would have had, when the next access arrives or statistics() asks.
///
/// The response leaves when the data of the last burst has been moved, in whichever order accesses end. No more than
/// twice as many accesses as the queues have entries are between intake and response: those that have ended but cannot
/// leave stop the intake in the end.
///
/// Several links (one an L2 slice) share the channel: accesses enter the queue in the order of their arrival, the
/// lower link first in the same cycle, and an access that does not fit yet is not passed. Responses of one link do not
/// wait for those of another. With DramConfig::applications of two or more, applications take turns to enter, and one
/// that does not fit is passed by those of the other links (admission.h); with DramConfig::virtual_channels there is a
/// link for each slice and application, so that no application waits behind another. Applications share no memory: those
/// of one, which keep their order, are all that reach an address.
///
/// Addresses are channel-local. Not modelled: refresh of single banks, column commands with auto-precharge, the command
/// buses that two pseudo channels of HBM share (each has its own here, at half the rate that they carry), activates that
/// take two cycles of their bus, ECC, power-down.
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
  unsigned bank = 0;  ///< of a refresh, which is of all banks, 0
  Row row = kNoRow;   ///< of the request that the command is for; kNoRow if it is for none
};

class DramControllerCore {
 public:
  /// `response_credits`: slots of the queue that takes a link's responses.
  /// Throws InputError for a configuration that cannot be: see AddressMap, contradiction(), make_request_schedulers();
  /// a constraint may have kMaxCycles at most.
  DramControllerCore(const DramConfig& config, unsigned links, unsigned response_credits);

  Inbox<Access>& requests(unsigned link) { return links_[link].requests; }  ///< holds input_queue_of()
  Outbox<Access>& responses(unsigned link) { return links_[link].responses; }

  Tap<IssuedCommand> commands;
  Tap<ArbiterEvent> arbiter;      ///< both queues
  Tap<AdmissionEvent> admission;  ///< nothing passes it unless applications are admitted apart
  std::size_t banks() const { return queues_[0].size(); }
  /// For which a refresh keeps all banks.
  Cycle refresh_cycles() const { return refresh_cycles_; }

  /// Does everything strictly before `until`. Returns the next cycle with work if nothing else arrives; kNever if
  /// there is none. Throws InputError for an access with more bursts than the queue holds.
  Cycle advance(Cycle until);

  /// Counts up to `until`, or to the last event if that was later. Every access that arrives before `until` must have
  /// been given to requests(), and advance(until) been called.
  DramStatistics statistics(Cycle until = 0);
  /// What its policies have counted.
  PolicyTally policies() const;
  /// Accesses between intake and response.
  std::size_t in_flight() const { return slots_.size() - free_slots_.size(); }

 private:
  static constexpr std::size_t kQueues = 2;  ///< of reads (or of all requests), and of writes

  /// A bank's requests in one of the queues, and what both queues know about the bank. In a cache line.
  struct alignas(64) BankQueue {
    RequestQueue pending;
    std::unique_ptr<RequestScheduler> scheduler;
    Row open_row = kNoRow;
    const Request* picked = nullptr;       ///< at `pick`; both of a bank that is not stale,
    std::uint32_t pick = 0;                ///< if the channel works for this queue
    DramWait waited_for = DramWait::kRow;  ///< by the activate of the open row
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
    /// Accesses whose last data is under way or waits to leave. The data bus moves bursts in the order of their column
    /// commands (the table keeps them apart), so this is a queue.
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
    unsigned bursts = 0;                 ///< whose data has not been asked for yet
    RowOutcome row = RowOutcome::kNone;  ///< how its first burst found the bank
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
  /// An entry or a slot is free from `at` on; calls are in order of `at`.
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

  std::array<std::unique_ptr<QueueView>, kQueues> views_;  ///< that policies have asked for; they live no longer
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
  Cycle next_command_;  ///< comes so many cycles after a command, if it does not need the same bus
  PagePolicy page_;
  std::string scheduler_name_, page_name_, admission_name_;  ///< of the policies

  std::optional<Admission> admission_;  ///< if applications are admitted apart
  AdmissionHeads heads_;                ///< that the access in waiting_ was chosen from, if the tap is watched

  std::vector<Link> links_;
  Waiting waiting_;        ///< as of the last advance()
  Cycle advanced_to_ = 0;  ///< end of that; what has come since is no earlier
  // The next ones, as far as is known; valid within advance().
  Cycle intake_ = kNever;
  Response response_;
  std::array<std::vector<BankQueue>, kQueues> queues_;  ///< [queue][bank]
  std::uint64_t open_ = 0;                              ///< set of banks with an open row
  /// Set of banks whose requests or row have changed since their last pick, so that it may be another one; with one in
  /// it, the next command is to be chosen. The first choice is made for want of any.
  std::uint64_t stale_ = 1;
  std::array<unsigned, kQueues> queued_{};  ///< bursts pending in all banks
  std::uint64_t arrivals_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;

  Cycle command_from_ = 0;                  ///< first cycle for the next command, whichever it is,
  Cycle rows_from_ = 0, columns_from_ = 0;  ///< and in which the bus of row and of column commands is free again
  Cycle space_since_ = 0;                   ///< cycle from which on the room there is now can be used
  Cycle refresh_due_ = kNever;
  Cycle refreshed_ = 0;           ///< cycle from which on rows can be opened after the last refresh
  std::size_t working_for_ = 0;   ///< queue of the last command
  std::size_t choosing_for_ = 0;  ///< queue of the chosen command, and of the picks,
  BankQueue* working_ = nullptr;  ///< by bank
  CommandChoice::Choice next_;    ///< the next command

  DramStatistics statistics_;     ///< but for what the account adds, and for sums
  bool command_issued_ = true;    ///< since it was chosen, which is how it begins
  bool next_is_refresh_ = false;  ///< it is a refresh, or a precharge for one
  bool writing_ = false;          ///< direction of the last column command
};

}  // namespace gputlm
