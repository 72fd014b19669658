#include "models/dram/controller_core.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "tlm/error.h"

namespace gputlm {
namespace {

// Fields of the key that choose() minimises, from the top: cycles until the command is legal, kind of command, age of
// the request, bank. 42 bits of age last for 4e12 bursts, days of host time.
constexpr unsigned kBankBits = 6;
constexpr unsigned kAgeBits = 42;
constexpr unsigned kKindShift = kBankBits + kAgeBits;
constexpr unsigned kDelayShift = kKindShift + 2;
constexpr unsigned kDelayBits = 64 - kDelayShift;
// Kinds, while reads go on; with the lowest bit flipped, while writes do.
constexpr std::uint64_t kReadKind = 0, kWriteKind = 1, kRowKind = 2;

std::vector<TimingRow> checked_rows(const DramTiming& timing) {
  auto rows = timing_rows(timing);
  for (const TimingRow& row : rows) {
    if (row.cycles >> kDelayBits == 0) continue;
    throw InputError("dram.timing: found " + std::to_string(row.cycles) + " cycles for " + row.rule +
                     ", allowed are at most " + std::to_string((1u << kDelayBits) - 1));
  }
  return rows;
}

}  // namespace

DramControllerCore::DramControllerCore(const DramConfig& config, unsigned links, unsigned response_credits)
    : map_(config), timing_(checked_rows(config.timing), config.banks, config.bank_groups),
      burst_bytes_(config.burst_bytes), burst_bits_(static_cast<unsigned>(__builtin_ctz(config.burst_bytes))),
      queue_(config.queue), read_cycles_(config.timing.tCL + config.timing.tCCD),
      write_cycles_(config.timing.tWL + config.timing.tCCD), burst_cycles_(config.timing.tCCD), banks_(config.banks),
      wishes_(config.banks), slots_(2 * std::size_t{config.queue}) {
  if (queue_ < kLineBytes / burst_bytes_) {
    throw InputError("dram.queue: found " + std::to_string(queue_) + ", allowed is at least the bursts of a line, " +
                     std::to_string(kLineBytes / burst_bytes_));
  }
  links_.reserve(links);
  for (unsigned i = 0; i < links; ++i) links_.emplace_back(config, response_credits);
  auto schedulers = make_request_schedulers(config.scheduler, {config.banks, config.queue, config.row_hit_cap});
  for (unsigned b = 0; b < config.banks; ++b) {
    banks_[b].scheduler = std::move(schedulers[b]);
    banks_[b].pending.reserve(queue_);
  }
  free_slots_.reserve(slots_.size());
  for (std::size_t i = slots_.size(); i-- > 0;) free_slots_.push_back(static_cast<std::uint32_t>(i));
}

Cycle DramControllerCore::advance(Cycle until) {
  Event response = next_response();
  Event intake = next_intake();
  for (;;) {
    const Cycle first = std::min(response.at, intake.at);
    // What arrives in a cycle may be chosen in the same cycle, so commands come after it.
    if (first > command_from_) {
      if (!chosen_) choose();
      if (chosen_at_ < first) {
        if (chosen_at_ >= until) return chosen_at_;
        if (issue(chosen_at_, chosen_bank_)) {
          response = next_response();
          intake = next_intake();
        }
        continue;
      }
    }
    if (first >= until) return first;
    if (response.at == first) {
      respond(first, response.link);
      response = next_response();
    } else {
      take_in(first, intake.link);
    }
    intake = next_intake();
  }
}

unsigned DramControllerCore::bursts_of(const Access& access) const {
  const Address last_byte = access.address + std::max<Bytes>(access.bytes, 1) - 1;
  return static_cast<unsigned>((last_byte >> burst_bits_) - (access.address >> burst_bits_) + 1);
}

DramControllerCore::Event DramControllerCore::next_intake() {
  Event oldest;
  for (unsigned i = 0; i < links_.size(); ++i) {
    const Cycle arrival = links_[i].requests.next();
    if (arrival < oldest.at) oldest = {arrival, i};
  }
  if (oldest.at == kNever || free_slots_.empty()) return {};
  const unsigned bursts = bursts_of(links_[oldest.link].requests.front());
  if (queued_ + bursts > queue_) {
    if (bursts <= queue_) return {};
    throw InputError("DRAM access: found " + std::to_string(bursts) +
                     " bursts, allowed are dram.queue = " + std::to_string(queue_));
  }
  return {std::max(oldest.at, space_since_), oldest.link};
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
  slots_[slot] = {&access, link, bursts, RowOutcome::kNone};
  queued_ += bursts;
  Address address = access.address & ~Address{burst_bytes_ - 1};
  Location location = map_.locate(address);
  for (unsigned i = 0; i < bursts; ++i, address += burst_bytes_) {
    if (i > 0 && address % kLineBytes == 0) location = map_.locate(address);
    Bank& bank = banks_[location.bank];
    bank.pending.push_back({location.row, arrivals_++, slot, access.application, access.write});
    bank.scheduler->arrived(bank.pending.back());
    active_ |= std::uint64_t{1} << location.bank;
    stale_ |= std::uint64_t{1} << location.bank;
  }
  command_from_ = std::max(command_from_, now);
  if (chosen_) reconsider();
}

/// Requests have come in since the choice: only their banks can have a better command now. If the chosen bank is one
/// of them, its wish may have become worse, and all have to be looked at.
void DramControllerCore::reconsider() {
  if (stale_ >> chosen_bank_ & 1) {
    chosen_ = false;
    return;
  }
  for (; stale_ != 0; stale_ &= stale_ - 1) {
    const auto b = static_cast<unsigned>(__builtin_ctzll(stale_));
    pick(b);
    const Cycle at = legal_from(b);
    const std::uint64_t rank = wishes_[b].rank ^ preference();
    if (at < chosen_at_ || (at == chosen_at_ && rank < (wishes_[chosen_bank_].rank ^ preference()))) {
      chosen_at_ = at;
      chosen_bank_ = b;
    }
  }
}

void DramControllerCore::respond(Cycle now, unsigned link) {
  const std::uint32_t slot = links_[link].ended.pop().slot;
  Access& access = *slots_[slot].access;
  access.flits = 1;
  access.row = slots_[slot].row;
  links_[link].responses.send(now, access);
  free_slots_.push_back(slot);
  space_since_ = std::max(space_since_, now + 1);
}

void DramControllerCore::pick(unsigned b) {
  Bank& bank = banks_[b];
  bank.pick = bank.scheduler->pick({bank.pending.data(), bank.pending.size()}, bank.open_row);
  const Request& request = bank.pending[bank.pick];
  Command command = request.write ? Command::kWrite : Command::kRead;
  std::uint64_t kind = request.write ? kWriteKind : kReadKind;
  if (bank.open_row != request.row) {
    command = bank.open_row == kNoRow ? Command::kActivate : Command::kPrecharge;
    kind = kRowKind;
  }
  wishes_[b] = {kind << kKindShift | request.age << kBankBits | b, timing_.earliest_in_bank(command, b), command};
}

/// First cycle from command_from_ on in which the bank's wish is legal.
inline Cycle DramControllerCore::legal_from(unsigned b) const {
  const Wish& wish = wishes_[b];
  return std::max(std::max(wish.in_bank, timing_.earliest_shared(wish.command, b)), command_from_);
}

/// What to flip in a rank so that column commands in the current direction come first.
inline std::uint64_t DramControllerCore::preference() const { return std::uint64_t{writing_} << kKindShift; }

void DramControllerCore::choose() {
  chosen_ = true;
  for (stale_ &= active_; stale_ != 0; stale_ &= stale_ - 1) pick(static_cast<unsigned>(__builtin_ctzll(stale_)));
  const std::uint64_t flip = preference();
  std::uint64_t best = kNever;
  for (std::uint64_t left = active_; left != 0; left &= left - 1) {
    const auto b = static_cast<unsigned>(__builtin_ctzll(left));
    // No constraint reaches further than its length, counted from an earlier command: the difference fits its field.
    const Cycle delay = legal_from(b) - command_from_;
    best = std::min(best, (delay << kDelayShift | wishes_[b].rank) ^ flip);
  }
  chosen_bank_ = best & ((1u << kBankBits) - 1);
  chosen_at_ = active_ == 0 ? kNever : command_from_ + (best >> kDelayShift);
}

/// True if it was a column command: then room in the queue, and a response, may have come of it.
bool DramControllerCore::issue(Cycle now, unsigned b) {
  Bank& bank = banks_[b];
  const Request request = bank.pending[bank.pick];
  const Command command = wishes_[b].command;
  timing_.issue(command, b, now);
  command_from_ = now + 1;
  chosen_ = false;
  stale_ |= std::uint64_t{1} << b;
  if (observer_) observer_->command(now, command, b, request.row);

  Slot& slot = slots_[request.slot];
  if (command == Command::kPrecharge) {
    ++statistics_.precharges;
    bank.open_row = kNoRow;
    bank.scheduler->precharged();
    found(slot, RowOutcome::kConflict, statistics_.row_conflicts);
  } else if (command == Command::kActivate) {
    ++statistics_.activates;
    bank.open_row = request.row;
    bank.scheduler->activated(request.row);
    found(slot, RowOutcome::kMiss, statistics_.row_misses);
  } else {
    found(slot, RowOutcome::kHit, statistics_.row_hits);
    bank.pending.erase(bank.pending.begin() + static_cast<std::ptrdiff_t>(bank.pick));
    if (bank.pending.empty()) active_ &= ~(std::uint64_t{1} << b);
    serve(now, bank, request);
  }
  return is_column(command);
}

void DramControllerCore::serve(Cycle now, Bank& bank, const Request& request) {
  bank.scheduler->served(request);
  --queued_;
  space_since_ = std::max(space_since_, now + 1);
  const Cycle end = now + (request.write ? write_cycles_ : read_cycles_);
  assert(end >= statistics_.last_data + burst_cycles_);

  if (request.write != writing_) ++statistics_.turns;
  writing_ = request.write;
  statistics_.last_data = end;
  statistics_.data_cycles += burst_cycles_;
  if (request.application >= statistics_.applications.size()) statistics_.applications.resize(request.application + 1);
  DramApplicationStatistics& application = statistics_.applications[request.application];
  if (request.write) {
    ++statistics_.writes;
    ++application.writes;
  } else {
    ++statistics_.reads;
    ++application.reads;
  }
  Slot& slot = slots_[request.slot];
  if (--slot.bursts == 0) links_[slot.link].ended.push({end, request.slot});
}

void DramControllerCore::found(Slot& slot, RowOutcome outcome, std::uint64_t& counter) {
  if (slot.row != RowOutcome::kNone) return;
  slot.row = outcome;
  ++counter;
}

}  // namespace gputlm
