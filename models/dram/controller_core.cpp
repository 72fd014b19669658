#include "models/dram/controller_core.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "tlm/error.h"

namespace gputlm {
namespace {

std::vector<TimingRow> checked_rows(const DramConfig& config) {
  if (const std::string what = contradiction(config); !what.empty()) throw InputError(what);
  auto rows = timing_rows(config);
  for (const TimingRow& row : rows) {
    if (row.cycles <= kMostCycles) continue;
    throw InputError("dram.timing: found " + std::to_string(row.cycles) + " cycles for " + row.rule +
                     ", allowed are at most " + std::to_string(kMostCycles));
  }
  return rows;
}

constexpr std::uint64_t bit(unsigned bank) { return std::uint64_t{1} << bank; }

}  // namespace

DramControllerCore::DramControllerCore(const DramConfig& config, unsigned links, unsigned response_credits)
    : map_(config), timing_(checked_rows(config), config.banks, config.bank_groups),
      choice_(timing_rows(config), config.banks),
      account_(config.banks, burst_cycles(config),
               std::max(config.timing.tCL, config.timing.tWL) + burst_cycles(config)),
      burst_bytes_(config.burst_bytes),
      burst_bits_(static_cast<unsigned>(__builtin_ctz(config.burst_bytes))), capacity_{config.queue,
                                                                                       config.write_queue},
      queues_(config.write_queue > 0 ? 2 : 1), write_high_(config.write_high), write_low_(config.write_low),
      read_latency_(config.timing.tCL), write_latency_(config.timing.tWL), burst_cycles_(burst_cycles(config)),
      refresh_interval_(config.timing.tREFI), refresh_cycles_(config.timing.tRFC),
      page_(page_policies().at(config.page).make), scheduler_name_(config.scheduler), page_name_(config.page),
      banks_(config.banks), slots_(2 * (std::size_t{config.queue} + config.write_queue)) {
  links_.reserve(links);
  for (unsigned i = 0; i < links; ++i) links_.emplace_back(config, response_credits, slots_.size());
  for (std::size_t q = 0; q < queues_; ++q) {
    auto schedulers =
        make_request_schedulers(config.scheduler, {config.banks, capacity_[q], config.row_hit_cap, config.options});
    for (unsigned b = 0; b < config.banks; ++b) {
      banks_[b].queues[q].scheduler = std::move(schedulers[b]);
      banks_[b].queues[q].pending.reserve(capacity_[q]);
    }
  }
  free_slots_.reserve(slots_.size());
  for (std::size_t i = slots_.size(); i-- > 0;) free_slots_.push_back(static_cast<std::uint32_t>(i));
  if (refresh_interval_ > 0) refresh_due_ = refresh_interval_;
  if (config.applications > 1) admission_.emplace(config.queue, config.applications, config.reserved);
  statistics_.banks.resize(config.banks);
}

PolicyTally DramControllerCore::policies() const {
  PolicyTally tally;
  tally.of(page_policies(), page_name_);
  PolicyCounts& counts = tally.of(request_schedulers(), scheduler_name_);
  for (const Bank& bank : banks_) {
    for (std::size_t q = 0; q < queues_; ++q) bank.queues[q].scheduler->count(counts);
  }
  return tally;
}

Cycle DramControllerCore::advance(Cycle until) {
  response_ = next_response();
  intake_ = next_intake();
  for (;;) {
    const Cycle first = std::min(response_.at, intake_.at);
    // What arrives in a cycle may be chosen in the same cycle, so commands come after it.
    if (first > command_from_ && (queued() > 0 || first < until)) {
      if (!choice_is_good()) choose();
      if (next_.at < first) {
        if (next_.at >= until) return next_.at;
        issue();
        continue;
      }
    }
    if (first >= until) return first;
    if (response_.at == first) {
      const bool slots_were_free = !free_slots_.empty();
      respond(first, response_.link);
      response_ = next_response();
      // What else holds an access up is as before.
      if (!admission_ && slots_were_free) {
        if (intake_.at != kNever) intake_.at = std::max(intake_.at, space_since_);
        continue;
      }
    } else {
      take_in(first, intake_.link);
    }
    intake_ = next_intake();
  }
}

DramStatistics DramControllerCore::statistics(Cycle until) {
  const Cycle end = std::min(std::max(until, account_.last_event()), next_intake().at);
  while (queued() == 0) {
    if (!choice_is_good()) choose();
    if (next_.at >= end) break;
    issue();
  }
  DramStatistics closed = statistics_;
  account_.close(until, closed);
  return closed;
}

unsigned DramControllerCore::bursts_of(const Access& access) const {
  const Address last_byte = access.address + std::max<Bytes>(access.bytes, 1) - 1;
  return static_cast<unsigned>((last_byte >> burst_bits_) - (access.address >> burst_bits_) + 1);
}

DramControllerCore::Event DramControllerCore::next_intake() {
  room_needed_ = 0;
  if (admission_) return next_intake_in_turn();
  Event oldest;
  for (unsigned i = 0; i < links_.size(); ++i) {
    const Cycle arrival = links_[i].requests.next();
    if (arrival < oldest.at) oldest = {arrival, i};
  }
  if (oldest.at == kNever || free_slots_.empty()) return {};
  const Access& access = links_[oldest.link].requests.front();
  const unsigned bursts = bursts_of(access);
  const std::size_t queue = queue_of(access);
  if (queued_[queue] + bursts > capacity_[queue]) {
    full_queue_ = queue;
    room_needed_ = bursts;
    if (bursts <= capacity_[queue]) return {};
    fail_too_large(bursts, queue == 0 ? "dram.queue" : "dram.write_queue", capacity_[queue]);
  }
  if (queues_ > 1 && must_wait(access, bursts)) return {};
  return {std::max(oldest.at, space_since_), oldest.link};
}

/// An access that its queue will never have room for.
void DramControllerCore::fail_too_large(unsigned bursts, const char* allowed, unsigned most) {
  throw InputError("DRAM access: found " + std::to_string(bursts) + " bursts, allowed are " + allowed + " = " +
                   std::to_string(most));
}

/// The next access where applications are admitted apart: of those that can enter first, the one whose turn it is.
DramControllerCore::Event DramControllerCore::next_intake_in_turn() {
  if (free_slots_.empty()) return {};
  Cycle first = kNever;
  std::uint64_t waiting = 0;                   // set of applications with an access that can enter in cycle `first`,
  std::array<Event, Admission::kMost> oldest;  // and of each its oldest one, by arrival
  for (unsigned i = 0; i < links_.size(); ++i) {
    const Cycle arrival = links_[i].requests.next();
    if (arrival == kNever) continue;
    const Access& access = links_[i].requests.front();
    const unsigned application = admission_->number(access.identity.application), bursts = bursts_of(access);
    if (!admission_->fits(application, bursts)) {
      const unsigned most = admission_->most();
      if (bursts > most) fail_too_large(bursts, "dram.queue less dram.reserved of the other dram.applications", most);
      continue;
    }
    const Cycle at = std::max(arrival, space_since_);
    if (at > first) continue;
    if (at < first) waiting = 0;
    first = at;
    if ((waiting >> application & 1) == 0 || arrival < oldest[application].at) oldest[application] = {arrival, i};
    waiting |= bit(application);
  }
  if (waiting == 0) return {};
  return {first, oldest[admission_->next(waiting)].link};
}

/// True while an access in the other queue has pending bursts, some of which may be those of `access`.
bool DramControllerCore::must_wait(const Access& access, unsigned bursts) const {
  const std::size_t other = 1 - queue_of(access);
  if (queued_[other] == 0) return false;
  const std::uint64_t first = access.address >> burst_bits_, end = first + bursts;
  for (std::uint64_t burst = first; burst < end; ++burst) {
    for (const Request& request : banks_[map_.locate(burst << burst_bits_).bank].queues[other].pending) {
      const Access& before = *slots_[request.slot].access;
      const std::uint64_t begin = before.address >> burst_bits_;
      if (begin < end && first < begin + bursts_of(before)) return true;
    }
  }
  return false;
}

DramControllerCore::Event DramControllerCore::next_response() const {
  Event next;
  for (unsigned i = 0; i < links_.size(); ++i) {
    if (links_[i].ended.empty()) continue;
    const Cycle at = std::max(links_[i].ended.front().at, links_[i].responses.ready_at());
    if (at < next.at) next = {at, i};
  }
  return next;
}

void DramControllerCore::take_in(Cycle now, unsigned link) {
  Access& access = links_[link].requests.pop(now);
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  const unsigned bursts = bursts_of(access);
  slots_[slot] = {&access, now, link, bursts, RowOutcome::kNone};
  const std::size_t queue = queue_of(access);
  queued_[queue] += bursts;
  if (admission_) admission_->entered(admission_->number(access.identity.application), bursts);
  account_.taken_in(now);
  Address address = access.address & ~Address{burst_bytes_ - 1};
  Location location = map_.locate(address);
  for (unsigned i = 0; i < bursts; ++i, address += burst_bytes_) {
    if (i > 0 && address % map_.same_row_bytes() == 0) location = map_.locate(address);
    BankQueue& bank = banks_[location.bank].queues[queue];
    bank.pending.push_back({location.row, arrivals_++, slot, access.identity.application, access.write});
    bank.scheduler->arrived(bank.pending.back());
    stale_ |= bit(location.bank);
  }
  command_from_ = std::max(command_from_, now);
}

void DramControllerCore::respond(Cycle now, unsigned link) {
  const std::uint32_t slot = links_[link].ended.pop().slot;
  Access& access = *slots_[slot].access;
  access.flits = 1;
  access.row = slots_[slot].row;
  links_[link].responses.send(now, access);
  free_slots_.push_back(slot);
  space_since_ = std::max(space_since_, now + 1);
  account_.responded(now);
}

/// Takes note of what has come in. True if the command chosen before is still the next one.
bool DramControllerCore::choice_is_good() {
  if (queues_ > 1) {
    const std::size_t queue = next_queue();
    if (queue != choosing_for_) stale_ = ~std::uint64_t{0} >> (64 - banks_.size());
    choosing_for_ = queue;
  }
  for (; stale_ != 0; stale_ &= stale_ - 1) {
    if (pick(static_cast<unsigned>(__builtin_ctzll(stale_)))) chosen_ = false;
  }
  return chosen_;
}

void DramControllerCore::choose() {
  chosen_ = true;
  next_ = choice_.best(timing_, command_from_, writing_);
  next_is_refresh_ = next_.at >= refresh_due_ && refresh_due_ != kNever;
  if (next_is_refresh_) choose_refresh();
}

/// The queue to work for, from the one of the last command and what is pending now. Settled with the next command, so
/// that it does not matter when, or how often, the question is asked.
std::size_t DramControllerCore::next_queue() const {
  const unsigned reads = queued_[0], writes = queued_[1];
  if (reads == 0 || writes == 0) return writes > 0 ? 1 : 0;
  return writes > (working_for_ == 1 ? write_low_ : write_high_ - 1) ? 1 : 0;
}

/// The refresh, or the first precharge on the way to it.
void DramControllerCore::choose_refresh() {
  const Cycle from = std::max(command_from_, refresh_due_);
  next_ = {kNever, 0, Command::kPrecharge};
  if (open_ == 0) next_ = {std::max(from, timing_.earliest(Command::kRefresh, 0)), 0, Command::kRefresh};
  for (std::uint64_t left = open_; left != 0; left &= left - 1) {
    const auto b = static_cast<unsigned>(__builtin_ctzll(left));
    const Cycle at = std::max(from, timing_.earliest(Command::kPrecharge, b));
    if (at < next_.at) next_ = {at, b, Command::kPrecharge};
  }
}

/// Finds what the bank wants to do next. False if it is what it wanted before.
bool DramControllerCore::pick(unsigned b) {
  Bank& bank = banks_[b];
  const BankQueue& queue = bank.queues[choosing_for_];
  Command command = Command::kPrecharge;
  std::uint64_t age = CommandChoice::kYoungest;
  if (queue.pending.empty()) {
    const bool unused = bank.open_row != kNoRow && bank.queues[1 - choosing_for_].pending.empty();
    if (page_ != PagePolicy::kClosed || !unused) return choice_.forget(b);
  } else {
    bank.pick = queue.scheduler->pick({queue.pending.data(), queue.pending.size()}, bank.open_row);
    const Request& request = queue.pending[bank.pick];
    age = request.age;
    if (bank.open_row == request.row) {
      command = request.write ? Command::kWrite : Command::kRead;
    } else if (bank.open_row == kNoRow) {
      command = Command::kActivate;
    }
  }
  return choice_.want(timing_, b, command, age, command_from_);
}

void DramControllerCore::issue() {
  const auto [now, b, command] = next_;
  Bank& bank = banks_[b];
  const BankQueue& queue = bank.queues[choosing_for_];
  const Request* request = next_is_refresh_ || queue.pending.empty() ? nullptr : &queue.pending[bank.pick];
  if (commands.watched()) commands.note({now, command, b, request ? request->row : kNoRow});
  working_for_ = choosing_for_;
  chosen_ = false;
  choice_.forget(b);
  stale_ |= bit(b);
  switch (command) {
    case Command::kRefresh: issue_refresh(now); break;
    case Command::kPrecharge:
      if (request) {
        account_.row_command(now, b);
        found(*request, RowOutcome::kConflict);
      }
      close(b);
      break;
    case Command::kActivate: open(now, b, *request); break;
    case Command::kRead:
    case Command::kWrite: serve(now, b); break;
  }
  timing_.issue(command, b, now);
  choice_.issued(command);
  command_from_ = now + 1;
  // A column command makes room in the queue.
  if (is_column(command) &&
      (admission_ || (intake_.at == kNever && queued_[full_queue_] + room_needed_ <= capacity_[full_queue_]))) {
    intake_ = next_intake();
  }
}

void DramControllerCore::issue_refresh(Cycle now) {
  ++statistics_.refreshes;
  refresh_due_ += refresh_interval_;
  refreshed_ = now + refresh_cycles_;
}

void DramControllerCore::close(unsigned b) {
  ++statistics_.precharges;
  Bank& bank = banks_[b];
  bank.open_row = kNoRow;
  open_ &= ~bit(b);
  for (std::size_t q = 0; q < queues_; ++q) bank.queues[q].scheduler->precharged();
}

void DramControllerCore::open(Cycle now, unsigned b, const Request& request) {
  ++statistics_.activates;
  ++statistics_.banks[b].activates;
  Bank& bank = banks_[b];
  bank.waited_for = wait_of_activate(b, request);
  bank.open_row = request.row;
  open_ |= bit(b);
  account_.row_command(now, b);
  found(request, RowOutcome::kMiss);
  for (std::size_t q = 0; q < queues_; ++q) bank.queues[q].scheduler->activated(request.row);
}

void DramControllerCore::serve(Cycle now, unsigned b) {
  Bank& bank = banks_[b];
  BankQueue& queue = bank.queues[choosing_for_];
  const Request request = queue.pending[bank.pick];
  found(request, RowOutcome::kHit);
  const Cycle data = now + (request.write ? write_latency_ : read_latency_);
  assert(data >= statistics_.last_data);
  account_.column_command(now, b, data, request.application, [&] { return wait_of_column(b, request); });

  queue.pending.erase(queue.pending.begin() + static_cast<std::ptrdiff_t>(bank.pick));
  queue.scheduler->served(request);
  --queued_[choosing_for_];
  if (admission_) admission_->left(admission_->number(request.application));
  space_since_ = std::max(space_since_, now + 1);
  Slot& slot = slots_[request.slot];
  if (--slot.bursts == 0) ended(data + burst_cycles_, request.slot);

  if (request.write != writing_) ++statistics_.turns;
  writing_ = request.write;
  statistics_.last_data = data + burst_cycles_;
  statistics_.data_cycles += burst_cycles_;
  DramApplicationStatistics& application = statistics_.applications[request.application];
  DramBankStatistics& of_bank = statistics_.banks[b];
  if (request.write) {
    ++statistics_.writes;
    ++application.writes;
    ++of_bank.writes;
  } else {
    ++statistics_.reads;
    ++application.reads;
    ++of_bank.reads;
  }
}

/// The last data of an access will have been moved at `at`.
void DramControllerCore::ended(Cycle at, std::uint32_t slot) {
  const unsigned i = slots_[slot].link;
  Link& link = links_[i];
  if (link.ended.empty()) {
    const Cycle leaves = std::max(at, link.responses.ready_at());
    if (leaves < response_.at || (leaves == response_.at && i < response_.link)) response_ = {leaves, i};
  }
  link.ended.push({at, slot});
}

/// What the activate issued now for `request` waited for last.
DramWait DramControllerCore::wait_of_activate(unsigned b, const Request& request) const {
  const Cycle in_bank = timing_.earliest_in_bank(Command::kActivate, b);
  const Cycle shared = timing_.earliest_shared(Command::kActivate, b);
  if (in_bank >= shared || shared <= slots_[request.slot].entered) return DramWait::kRow;
  return shared == refreshed_ ? DramWait::kRefresh : DramWait::kActivates;
}

/// What the column command issued now for `request` waited for last.
DramWait DramControllerCore::wait_of_column(unsigned b, const Request& request) const {
  const Command command = request.write ? Command::kWrite : Command::kRead;
  const Cycle in_bank = timing_.earliest_in_bank(command, b), shared = timing_.earliest_shared(command, b);
  if (std::max(in_bank, shared) <= slots_[request.slot].entered) return DramWait::kLatency;
  if (in_bank > shared) return banks_[b].waited_for;
  return request.write != writing_ ? DramWait::kTurn : DramWait::kColumn;
}

/// How the request's access found the bank, with its first command.
void DramControllerCore::found(const Request& request, RowOutcome outcome) {
  Slot& slot = slots_[request.slot];
  if (slot.row != RowOutcome::kNone) return;
  slot.row = outcome;
  if (request.application >= statistics_.applications.size()) statistics_.applications.resize(request.application + 1);
  DramRowOutcomes& rows = statistics_.applications[request.application].rows;
  switch (outcome) {
    case RowOutcome::kHit:
      ++statistics_.row_hits;
      ++rows.hits;
      break;
    case RowOutcome::kMiss:
      ++statistics_.row_misses;
      ++rows.misses;
      break;
    default:
      ++statistics_.row_conflicts;
      ++rows.conflicts;
      break;
  }
}

}  // namespace gputlm
