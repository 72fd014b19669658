/// One DRAM channel: the memory controller and the banks behind it, in cycles of the command clock. Open page.
///
/// An access is split into bursts of DramConfig::burst_bytes, which enter the scheduler's queue together once all of
/// them fit. Each bank works for the request that its RequestScheduler picks: a column command if the request's row is
/// open, else a precharge or an activate. The command bus carries one command a cycle: of the banks' next commands the
/// one that is legal first (models/dram/timing.h); of those legal in the same cycle column commands before row
/// commands, then column commands in the direction of the last one (a turn of the data bus costs many cycles), then
/// the one for the oldest request. So reads and writes go in batches: a turn waits until no bank has a command in the
/// current direction that is legal earlier.
///
/// The response leaves when the data of the last burst has been moved, in whichever order accesses end. No more than
/// twice as many accesses as the queue has entries are between intake and response: those that have ended but cannot
/// leave stop the intake in the end.
///
/// Several links (one an L2 slice) share the channel: accesses enter the queue in the order of their arrival, the
/// lower link first in the same cycle, and an access that does not fit yet is not passed. Responses of one link do not
/// wait for those of another.
///
/// Addresses are channel-local. Not modelled: refresh, ECC, power-down.
#pragma once

#include <memory>
#include <vector>

#include "models/dram/address_map.h"
#include "models/dram/config.h"
#include "models/dram/scheduler.h"
#include "models/dram/timing.h"
#include "tlm/access.h"
#include "tlm/link.h"

namespace gputlm {

struct DramApplicationStatistics {
  std::uint64_t reads = 0, writes = 0;  ///< bursts
};

struct DramStatistics {
  std::uint64_t activates = 0, precharges = 0;
  std::uint64_t reads = 0, writes = 0;  ///< bursts
  /// Accesses, by how the first of their bursts found the bank: its row open; no row; another row.
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;
  std::uint64_t data_cycles = 0;                        ///< command cycles in which the data bus was busy
  std::uint64_t turns = 0;                              ///< changes of the data bus's direction
  Cycle last_data = 0;                                  ///< cycle in which the last data had been moved
  std::vector<DramApplicationStatistics> applications;  ///< by ApplicationId
};

/// Sees every command as it is issued.
class CommandObserver {
 public:
  virtual ~CommandObserver() = default;
  /// `row` is the row of the request that the command is for.
  virtual void command(Cycle at, Command command, unsigned bank, Row row) = 0;
};

class DramControllerCore {
 public:
  /// `response_credits`: slots of the queue that takes a link's responses.
  /// Throws InputError for a configuration that cannot be: see AddressMap and make_request_schedulers(); the queue
  /// must hold the bursts of a line; a constraint may have 16,383 cycles at most.
  DramControllerCore(const DramConfig& config, unsigned links, unsigned response_credits);

  Inbox<Access>& requests(unsigned link) { return links_[link].requests; }  ///< holds DramConfig::input_queue
  Outbox<Access>& responses(unsigned link) { return links_[link].responses; }

  /// Does everything strictly before `until`. Returns the next cycle with work if nothing else arrives; kNever if
  /// there is none. Throws InputError for an access with more bursts than the queue holds.
  Cycle advance(Cycle until);

  const DramStatistics& statistics() const { return statistics_; }
  /// Accesses between intake and response.
  std::size_t in_flight() const { return slots_.size() - free_slots_.size(); }
  void observe(CommandObserver* observer) { observer_ = observer; }

 private:
  /// An access between intake and response.
  struct Slot {
    Access* access = nullptr;
    unsigned link = 0;
    unsigned bursts = 0;                 ///< whose data has not been asked for yet
    RowOutcome row = RowOutcome::kNone;  ///< how its first burst found the bank
  };
  struct Bank {
    std::vector<Request> pending;  ///< oldest first
    std::unique_ptr<RequestScheduler> scheduler;
    Row open_row = kNoRow;
    std::size_t pick = 0;
  };
  /// What a bank wants to do next, in a form that choose() compares without a branch.
  struct Wish {
    std::uint64_t rank;  ///< kind of command, then age, then bank; smaller is better
    Cycle in_bank;       ///< earliest cycle, as far as the bank itself allows
    Command command;
  };
  struct Ended {
    Cycle at;
    std::uint32_t slot;
  };
  struct Link {
    Link(const DramConfig& config, unsigned credits)
        : requests(config.input_queue), responses(1, credits), ended(2 * std::size_t{config.queue}) {}
    Inbox<Access> requests;
    Outbox<Access> responses;
    /// Accesses whose last data is under way or waits to leave. The data bus moves bursts in the order of their column
    /// commands (the table keeps them apart), so this is a queue.
    Ring<Ended> ended;
  };
  struct Event {
    Cycle at = kNever;
    unsigned link = 0;
  };

  unsigned bursts_of(const Access& access) const;
  Event next_intake();
  Event next_response() const;
  void take_in(Cycle now, unsigned link);
  void respond(Cycle now, unsigned link);
  void pick(unsigned bank);
  void choose();
  void reconsider();
  Cycle legal_from(unsigned bank) const;
  std::uint64_t preference() const;
  bool issue(Cycle now, unsigned bank);
  void serve(Cycle now, Bank& bank, const Request& request);
  void found(Slot& slot, RowOutcome outcome, std::uint64_t& counter);

  AddressMap map_;
  TimingState timing_;
  Bytes burst_bytes_;
  unsigned burst_bits_;
  unsigned queue_;
  unsigned read_cycles_, write_cycles_, burst_cycles_;

  std::vector<Link> links_;
  std::vector<Bank> banks_;
  std::vector<Wish> wishes_;  ///< of each bank; valid for active banks that are not stale
  std::uint64_t active_ = 0;  ///< set of banks with pending requests
  std::uint64_t stale_ = 0;   ///< set of banks whose requests or row have changed since their last pick
  unsigned queued_ = 0;       ///< bursts pending in all banks
  std::uint64_t arrivals_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;

  Cycle command_from_ = 0;  ///< first cycle for the next command
  Cycle space_since_ = 0;   ///< cycle from which on the room there is now can be used
  bool writing_ = false;    ///< direction of the last column command
  bool chosen_ = false;     ///< the next command, as far as is known:
  Cycle chosen_at_ = kNever;
  unsigned chosen_bank_ = 0;

  DramStatistics statistics_;
  CommandObserver* observer_ = nullptr;
};

}  // namespace gputlm
