#include "models/dram/controller_core.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

TimingCycles checked_cycles(const DramConfig& config) {
  if (const std::string what = contradiction(config); !what.empty()) throw InputError(what);
  const TimingCycles cycles = timing_cycles(config);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (cycles[i] <= kMaxCycles) continue;
    throw InputError("dram.timing: found " + std::to_string(cycles[i]) + " cycles for " + kTimingRules[i].name +
                     ", allowed are at most " + std::to_string(kMaxCycles));
  }
  return cycles;
}

constexpr std::uint64_t bit(unsigned bank) { return std::uint64_t{1} << bank; }

}  // namespace

DramControllerCore::DramControllerCore(const DramConfig& config, unsigned links, unsigned response_credits)
    : map_(config), timing_(checked_cycles(config), config.banks, config.bank_groups), choice_(config.banks),
      account_(config.banks, burst_cycles(config),
               std::max(config.timing.tCL, config.timing.tWL) + burst_cycles(config)),
      burst_bytes_(config.burst_bytes),
      burst_bits_(static_cast<unsigned>(__builtin_ctz(config.burst_bytes))), capacity_{config.queue,
                                                                                       config.write_queue},
      queues_in_use_(config.write_queue > 0 ? 2 : 1), write_high_(config.write_high), write_low_(config.write_low),
      read_latency_(config.timing.tCL), write_latency_(config.timing.tWL), burst_cycles_(burst_cycles(config)),
      refresh_interval_(config.timing.tREFI), refresh_cycles_(config.timing.tRFC),
      next_command_(config.command_buses > 1 ? 0 : 1), page_(page_policies().at(config.page).make),
      scheduler_name_(config.scheduler), page_name_(config.page), admission_name_(config.admission),
      slots_(2 * (std::size_t{config.queue} + config.write_queue)) {
  links_.reserve(links);
  for (unsigned i = 0; i < links; ++i) links_.emplace_back(config, response_credits, slots_.size());
  for (std::size_t q = 0; q < queues_in_use_; ++q) {
    auto schedulers =
        make_request_schedulers(config.scheduler, {config.banks, capacity_[q], config.row_hit_cap, config.options, 0,
                                                   [this, q]() -> const QueueView& { return view_of(q); }});
    queues_[q] = std::vector<BankQueue>(config.banks);
    for (unsigned b = 0; b < config.banks; ++b) queues_[q][b].scheduler = std::move(schedulers[b]);
  }
  working_ = queues_[0].data();
  free_slots_.reserve(slots_.size());
  for (std::size_t i = slots_.size(); i-- > 0;) free_slots_.push_back(static_cast<std::uint32_t>(i));
  if (refresh_interval_ > 0) refresh_due_ = refresh_interval_;
  if (config.applications > 1) {
    const unsigned longest = kLineBytes / config.burst_bytes + 1;  // bursts of an access that begins within a burst
    admission_.emplace(config.admission,
                       AdmissionSetup{config.queue, config.applications, config.reserved, longest, config.options});
  }
  statistics_.banks.resize(config.banks);
}

PolicyTally DramControllerCore::policies() const {
  PolicyTally tally;
  tally.of(page_policies(), page_name_);
  if (admission_) admission_->count(tally.of(admission_policies(), admission_name_));
  PolicyCounts& counts = tally.of(request_schedulers(), scheduler_name_);
  for (std::size_t b = 0; b < banks(); ++b) {
    for (std::size_t q = 0; q < queues_in_use_; ++q) queues_[q][b].scheduler->count(counts);
  }
  return tally;
}

// Code that each command or access passes once is inlined here: calls would cost a tenth more.
Cycle DramControllerCore::advance(Cycle until) {
  response_ = next_response();
  // An access that was waiting before the end of the last window arrived before all later ones.
  if (admission_ || waiting_.arrival >= advanced_to_) find_waiting();
  advanced_to_ = until;
  intake_ = next_intake();
  for (;;) {
    const Cycle first = std::min(response_.at, intake_);
    // Arrivals of a cycle may be chosen in the same cycle, so commands come after them.
    if (first > command_from_ && (first < until || queued() > 0)) {
      if (stale_ != 0) choose();
      if (next_.at < first) {
        if (next_.at >= until) return next_.at;
        if (next_is_refresh_) skip_refreshes(std::min(first, until));
        issue();
        continue;
      }
    }
    if (first >= until) return first;
    if (response_.at == first) {
      const bool slots_were_free = !free_slots_.empty();
      respond(first);
      response_ = next_response();
      // Other reasons for which an access waits have not changed.
      if (!admission_ && slots_were_free) {
        if (intake_ != kNever) intake_ = std::max(intake_, space_since_);
        continue;
      }
      if (admission_) find_waiting();
    } else {
      take_in(first);
      find_waiting();
    }
    intake_ = next_intake();
  }
}

DramStatistics DramControllerCore::statistics(Cycle until) {
  find_waiting();
  const Cycle end = std::min(std::max(until, account_.last_event()), next_intake());
  while (queued() == 0) {
    if (stale_ != 0) choose();
    if (next_.at >= end) break;
    if (next_is_refresh_) skip_refreshes(end);
    issue();
  }
  DramStatistics closed = statistics_;
  for (const DramBankStatistics& bank : closed.banks) {
    closed.activates += bank.activates;
    closed.reads += bank.reads;
    closed.writes += bank.writes;
  }
  for (const DramApplicationStatistics& application : closed.applications) {
    closed.row_hits += application.rows.hits;
    closed.row_misses += application.rows.misses;
    closed.row_conflicts += application.rows.conflicts;
  }
  closed.data_cycles = (closed.reads + closed.writes) * burst_cycles_;
  account_.close(until, closed);
  return closed;
}

/// When the waiting access enters; kNever while there is no room for it.
[[gnu::always_inline]] inline Cycle DramControllerCore::next_intake() {
  if (waiting_.arrival == kNever || free_slots_.empty()) return kNever;
  if (queued_[waiting_.queue] + waiting_.bursts > capacity_[waiting_.queue]) return kNever;
  if (queues_in_use_ > 1 && must_wait(waiting_.link->requests.front(), waiting_.bursts)) return kNever;
  return std::max(waiting_.arrival, space_since_);
}

[[gnu::always_inline]] inline DramControllerCore::Response DramControllerCore::next_response() {
  Response next;
  for (Link& link : links_) {
    if (link.ended.empty()) continue;
    const Cycle at = std::max(link.ended.front().at, link.responses.ready_at());
    if (at < next.at) next = {at, &link};
  }
  return next;
}

/// `request` has arrived at the bank; the pick may change, or its index.
[[gnu::always_inline]] inline bool DramControllerCore::may_change_pick(const Request& request, const BankQueue& bank) {
  return bank.scheduler->needs().all_picks || request.row == bank.open_row || bank.pending.size() == 1 ||
         bank.picked != &bank.pending[bank.pick];
}

[[gnu::always_inline]] inline void DramControllerCore::take_in(Cycle now) {
  Access& access = waiting_.link->requests.pop(now);
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot] = {&access, now, waiting_.link, waiting_.bursts, RowOutcome::kNone};
  queued_[waiting_.queue] += waiting_.bursts;
  const ApplicationId application = access.identity.application;
  if (admission_) {
    const unsigned number = admission_->number(application);
    if (admission.watched())
      admission.note({now, AdmissionEvent::Kind::kEnters, static_cast<std::uint8_t>(number), heads_});
    admission_->entered(number, waiting_.bursts);
  }
  account_.taken_in(now);
  Address address = access.address & ~Address{burst_bytes_ - 1};
  Location location = map_.locate_row(address);
  for (unsigned left = waiting_.bursts;;) {
    BankQueue& bank = queues_[waiting_.queue][location.bank];
    const Request& request = bank.pending.push_back({location.row, arrivals_++, slot, application, access.write});
    if (bank.scheduler->needs().events) bank.scheduler->arrived(request);
    if (arbiter.watched()) {
      arbiter.note({now, ArbiterEvent::Kind::kArrives, static_cast<std::uint8_t>(waiting_.queue), application,
                    location.bank, location.row});
    }
    if (may_change_pick(request, bank)) stale_ |= bit(location.bank);
    if (--left == 0) break;
    address += burst_bytes_;
    if ((address & (map_.same_row_bytes() - 1)) == 0) location = map_.locate_row(address);
  }
  if (queues_in_use_ > 1) choose_queue();
  command_from_ = std::max(command_from_, now);
}

[[gnu::always_inline]] inline void DramControllerCore::respond(Cycle now) {
  Link& link = *response_.link;
  const std::uint32_t slot = link.ended.pop().slot;
  Access& access = *slots_[slot].access;
  access.flits = 1;
  access.row = slots_[slot].row;
  link.responses.send(now, access);
  free_slots_.push_back(slot);
  room_from(now + 1);
  account_.responded(now);
}

/// Updates the next command after changes since the last call.
[[gnu::always_inline]] inline void DramControllerCore::choose() {
  bool other = command_issued_;
  std::uint64_t left = stale_;
  for (stale_ = 0; left != 0; left &= left - 1) {
    if (pick(static_cast<unsigned>(__builtin_ctzll(left)))) other = true;
  }
  if (!other) return;
  command_issued_ = false;
  next_ = choice_.best(timing_, std::max(command_from_, rows_from_), std::max(command_from_, columns_from_), writing_);
  next_is_refresh_ = next_.at >= refresh_due_;
  if (next_is_refresh_) choose_refresh();
}

/// Chooses the queue to work for, from the queue of the last command and the pending requests. The next command fixes it, so
/// the number of calls does not matter.
void DramControllerCore::choose_queue() {
  const unsigned reads = queued_[0], writes = queued_[1];
  std::size_t queue = 0;
  if (reads == 0 || writes == 0) {
    queue = writes > 0 ? 1 : 0;
  } else {
    queue = writes > (working_for_ == 1 ? write_low_ : write_high_ - 1) ? 1 : 0;
  }
  if (queue != choosing_for_) stale_ = ~std::uint64_t{0} >> (64 - banks());
  choosing_for_ = queue;
  working_ = queues_[queue].data();
}

/// Chooses the refresh, or the first precharge before it.
void DramControllerCore::choose_refresh() {
  const Cycle from = std::max({command_from_, rows_from_, refresh_due_});
  next_ = {kNever, 0, Command::kPrecharge};
  if (open_ == 0) next_ = {std::max(from, timing_.earliest(Command::kRefresh, 0)), 0, Command::kRefresh};
  for (std::uint64_t left = open_; left != 0; left &= left - 1) {
    const auto b = static_cast<unsigned>(__builtin_ctzll(left));
    const Cycle at = std::max(from, timing_.earliest(Command::kPrecharge, b));
    if (at < next_.at) next_ = {at, b, Command::kPrecharge};
  }
}

/// Determines the bank's next command. False if unchanged.
[[gnu::always_inline]] inline bool DramControllerCore::pick(unsigned b) {
  BankQueue& queue = working_[b];
  Command command = Command::kPrecharge;
  std::uint64_t age = CommandChoice::kYoungest;
  if (queue.pending.size() == 0) {
    const bool unused = queues_in_use_ == 1 || queues_[1 - choosing_for_][b].pending.size() == 0;
    if (page_ != PagePolicy::kClosed || queue.open_row == kNoRow || !unused) return choice_.forget(b);
  } else {
    queue.pick = static_cast<std::uint32_t>(queue.scheduler->pick(queue.pending, queue.open_row));
    queue.picked = &queue.pending[queue.pick];
    const Request& request = *queue.picked;
    age = request.age;
    if (queue.open_row == request.row) {
      command = request.write ? Command::kWrite : Command::kRead;
    } else if (queue.open_row == kNoRow) {
      command = Command::kActivate;
    }
  }
  return choice_.want(timing_, b, command, age, command_from_);
}

[[gnu::always_inline]] inline void DramControllerCore::issue() {
  const auto [now, b, command] = next_;
  if (commands.watched()) {
    const BankQueue& queue = working_[b];
    const bool for_none = next_is_refresh_ || queue.pending.size() == 0;
    commands.note({now, command, b, for_none ? kNoRow : queue.picked->row});
  }
  if (arbiter.watched()) note_command();
  command_from_ = now + next_command_;
  command_issued_ = true;
  stale_ |= bit(b);
  switch (command) {
    case Command::kRefresh: refresh(now); break;
    case Command::kPrecharge: precharge(now, b); break;
    case Command::kActivate: activate(now, b); break;
    case Command::kRead: move_data<Command::kRead>(now, b); break;
    case Command::kWrite: move_data<Command::kWrite>(now, b); break;
  }
  if (queues_in_use_ > 1) {
    working_for_ = choosing_for_;
    choose_queue();
  }
}

/// Records an event for the arbiter that picked; for the arbiter of the other queue it records only changes of the row.
void DramControllerCore::note_command() {
  using Kind = ArbiterEvent::Kind;
  const auto [now, b, command] = next_;
  if (command == Command::kRefresh) return;
  const BankQueue& bank = working_[b];
  const bool for_none = next_is_refresh_ || bank.pending.size() == 0;
  for (std::size_t i = 0; i < queues_in_use_; ++i) {
    const auto q = static_cast<std::uint8_t>(i);
    if (for_none || q != choosing_for_) {
      if (command == Command::kPrecharge) arbiter.note({now, Kind::kCloses, q, 0, b, 0});
      if (command == Command::kActivate) arbiter.note({now, Kind::kOpens, q, 0, b, bank.picked->row});
      continue;
    }
    const Request& request = *bank.picked;
    const Kind kind = command == Command::kActivate    ? Kind::kActivates
                      : command == Command::kPrecharge ? Kind::kPrecharges
                                                       : Kind::kServes;
    arbiter.note({now, kind, q, request.application, b, request.row});
  }
}

/// While no request waits, refreshes are issued on time: counts those before `end` at once, except the last, which is still
/// to be issued.
void DramControllerCore::skip_refreshes(Cycle end) {
  const bool on_time = open_ == 0 && next_.at == refresh_due_ && refresh_cycles_ < refresh_interval_;
  if (queued() > 0 || !on_time || commands.watched()) return;
  const std::uint64_t skipped = (end - 1 - refresh_due_) / refresh_interval_;
  statistics_.refreshes += skipped;
  refresh_due_ += skipped * refresh_interval_;
  next_.at = refresh_due_;
}

void DramControllerCore::refresh(Cycle now) {
  ++statistics_.refreshes;
  refresh_due_ += refresh_interval_;
  refreshed_ = now + refresh_cycles_;
  rows_from_ = now + 1;
  timing_.issue<Command::kRefresh>(0, now);
  choice_.issued<Command::kRefresh>();
}

[[gnu::always_inline]] inline void DramControllerCore::precharge(Cycle now, unsigned b) {
  const BankQueue& queue = working_[b];
  if (!next_is_refresh_ && queue.pending.size() > 0) {
    account_.row_command(now, b);
    found(*queue.picked, RowOutcome::kConflict);
  }
  ++statistics_.precharges;
  rows_from_ = now + 1;
  open_ &= ~bit(b);
  change_row(b, [](BankQueue& of_bank) {
    of_bank.open_row = kNoRow;
    if (of_bank.scheduler->needs().events) of_bank.scheduler->precharged();
  });
  timing_.issue<Command::kPrecharge>(b, now);
  choice_.issued<Command::kPrecharge>();
}

[[gnu::always_inline]] inline void DramControllerCore::activate(Cycle now, unsigned b) {
  const BankQueue& queue = working_[b];
  const Request& request = *queue.picked;
  ++statistics_.banks[b].activates;
  rows_from_ = now + 1;
  account_.row_command(now, b);
  found(request, RowOutcome::kMiss);
  open_ |= bit(b);
  change_row(b, [row = request.row, wait = wait_of_activate(b, slots_[request.slot])](BankQueue& of_bank) {
    of_bank.open_row = row;
    of_bank.waited_for = wait;
    if (of_bank.scheduler->needs().events) of_bank.scheduler->activated(row);
  });
  timing_.issue<Command::kActivate>(b, now);
  choice_.issued<Command::kActivate>();
}

/// Issues a column command.
template <Command command>
[[gnu::always_inline]] inline void DramControllerCore::move_data(Cycle now, unsigned b) {
  constexpr bool write = command == Command::kWrite;
  BankQueue& queue = working_[b];
  const Request& request = *queue.picked;
  Slot& slot = slots_[request.slot];
  found(request, RowOutcome::kHit);
  const Cycle data = now + (write ? write_latency_ : read_latency_);
  columns_from_ = now + 1;
  account_.column_command(now, b, data, request.application, [&] { return wait_of_column(command, b, slot); });
  if (--slot.bursts == 0) ended(data + burst_cycles_, request.slot, *slot.link);
  if (queue.scheduler->needs().events) queue.scheduler->served(request);
  timing_.issue<command>(b, now);
  choice_.issued<command>();

  if (write != writing_) {
    writing_ = write;
    ++statistics_.turns;
  }
  DramApplicationStatistics& application = statistics_.applications[request.application];
  DramBankStatistics& bank = statistics_.banks[b];
  ++(write ? application.writes : application.reads);
  ++(write ? bank.writes : bank.reads);

  // There is room in the queue.
  if (admission_) {
    const unsigned number = admission_->number(request.application);
    if (admission.watched())
      admission.note({now, AdmissionEvent::Kind::kLeaves, static_cast<std::uint8_t>(number), {}});
    admission_->left(number);
  }
  queue.pending.erase(queue.pick);
  --queued_[choosing_for_];
  room_from(now + 1);
  if (admission_) find_waiting();
  if (admission_ || intake_ == kNever) intake_ = next_intake();
}

/// The last data of an access ends at `at`.
[[gnu::always_inline]] inline void DramControllerCore::ended(Cycle at, std::uint32_t slot, Link& link) {
  if (link.ended.empty()) {
    const Cycle leaves = std::max(at, link.responses.ready_at());
    if (leaves < response_.at || (leaves == response_.at && &link < response_.link)) response_ = {leaves, &link};
  }
  link.ended.push({at, slot});
}

/// The last cause for which the activate issued now for the access in `slot` waited.
[[gnu::always_inline]] inline DramWait DramControllerCore::wait_of_activate(unsigned b, const Slot& slot) const {
  const Cycle in_bank = timing_.earliest_in_bank(Command::kActivate, b);
  const Cycle shared = timing_.earliest_shared(Command::kActivate, b);
  if (in_bank >= shared || shared <= slot.entered) return DramWait::kRow;
  return shared == refreshed_ ? DramWait::kRefresh : DramWait::kActivates;
}

/// The last cause for which the column command issued now for the access in `slot` waited.
[[gnu::always_inline]] inline DramWait DramControllerCore::wait_of_column(Command command, unsigned b,
                                                                          const Slot& slot) const {
  const Cycle in_bank = timing_.earliest_in_bank(command, b), shared = timing_.earliest_shared(command, b);
  if (std::max(in_bank, shared) <= slot.entered) return DramWait::kLatency;
  if (in_bank > shared) return working_[b].waited_for;
  return (command == Command::kWrite) != writing_ ? DramWait::kTurn : DramWait::kColumn;
}

/// Records, with the access's first command, how it found the bank.
[[gnu::always_inline]] inline void DramControllerCore::found(const Request& request, RowOutcome outcome) {
  Slot& slot = slots_[request.slot];
  if (slot.row != RowOutcome::kNone) return;
  slot.row = outcome;
  if (request.application >= statistics_.applications.size()) statistics_.applications.resize(request.application + 1);
  DramRowOutcomes& rows = statistics_.applications[request.application].rows;
  ++(outcome == RowOutcome::kHit ? rows.hits : outcome == RowOutcome::kMiss ? rows.misses : rows.conflicts);
}

}  // namespace gputlm
