#include "models/mmu/fault_handler.h"

#include <algorithm>

namespace gputlm {
namespace {

Cycle cycles(const Clock& clock, unsigned ns) { return clock.at_or_after(Femtoseconds{ns} * 1'000'000); }

}  // namespace

FaultHandler::FaultHandler(const MmuConfig& config, const std::vector<AddressRange>& managed, const Clock& clock,
                           unsigned copies_in_flight, ItemSource<Copy>& copies)
    : config_(config), batch_cycles_(cycles(clock, config.batch_ns)), fault_cycles_(cycles(clock, config.fault_ns)),
      memory_(config, managed), source_(copies), copies_(1, copies_in_flight), copy_ends_(copies_in_flight),
      buffer_(config.fault_buffer) {}

void FaultHandler::fault(std::uint64_t page, const Identity& identity) {
  if (buffer_.full()) {
    ++statistics_.lost;
  } else {
    buffer_.push({page, identity});
  }
}

void FaultHandler::interrupt(Cycle now) {
  if (state_ != State::kIdle || buffer_.empty()) return;
  state_ = State::kInterrupted;
  current_ = {statistics_.batches, now};
  at_ = now + batch_cycles_;
}

Cycle FaultHandler::next() const {
  switch (state_) {
    case State::kInterrupted:
    case State::kServing: return at_;
    case State::kWriteBack:
    case State::kFetch:
      return moved_ < runs().size() ? std::min(copy_ends_.next(), copies_.ready_at()) : copy_ends_.next();
    case State::kIdle:
    case State::kEvict: break;
  }
  return kNever;
}

void FaultHandler::step(Cycle now) {
  if (next() > now) return;
  if (state_ == State::kInterrupted) {
    read_batch(now);
  } else if (state_ == State::kServing) {
    plan_ = memory_.plan(batch_);
    current_.planned = now;
    statistics_.evicted += current_.evicted = plan_.evicted.size();
    statistics_.prefetched += current_.prefetched = plan_.prefetched;
    moved_ = 0;
    state_ = State::kEvict;
    if (plan_.evicted.empty()) move(State::kWriteBack, now);
  } else {
    while (copy_ends_.ready(now)) {
      source_.release(copy_ends_.pop(now));
      ++ended_;
    }
    move(state_, now);
  }
}

void FaultHandler::read_batch(Cycle now) {
  batch_.clear();
  on_behalf_of_ = buffer_.front().identity;
  while (batch_.size() < config_.batch_faults && !buffer_.empty()) {
    const Entry entry = buffer_.pop();
    batch_.push_back(entry.page);
    if (faults.watched()) faults.note({now, statistics_.batches, entry.page * config_.page_bytes, entry.identity});
  }
  current_.read = now;
  statistics_.handled += current_.faults = batch_.size();
  ++statistics_.batches;
  state_ = State::kServing;
  at_ = now + batch_.size() * fault_cycles_;
}

void FaultHandler::left(Cycle now) {
  if (++moved_ == plan_.evicted.size()) move(State::kWriteBack, now);
}

/// Continues in one of the copying states, and moves to the next state when all its copies have ended. A state begins with
/// no run moved.
void FaultHandler::move(State state, Cycle now) {
  if (state != state_) moved_ = ended_ = 0;
  state_ = state;
  while (moved_ < runs().size() && copies_.ready_at() <= now) copy(runs()[moved_++], now);
  if (ended_ < runs().size()) return;
  if (state_ == State::kWriteBack) {
    move(State::kFetch, now);
  } else {
    end_batch(now);
  }
}

void FaultHandler::copy(const PageRun& run, Cycle now) {
  const bool out = state_ == State::kWriteBack;
  Copy& copy = source_.allocate();
  copy.identity = on_behalf_of_;
  copy.kind = out ? CopyKind::kDeviceToHost : CopyKind::kHostToDevice;
  copy.from = copy.to = run.first * config_.page_bytes;
  copy.bytes = run.pages * config_.page_bytes;
  copy.submitted = now;
  (out ? statistics_.migrated_out : statistics_.migrated_in) += copy.bytes;
  (out ? current_.moved_out : current_.moved_in) += copy.bytes;
  copies_.send(now, copy);
}

void FaultHandler::end_batch(Cycle now) {
  memory_.arrived();
  statistics_.dropped += buffer_.size();
  while (!buffer_.empty()) buffer_.pop();
  current_.end = now;
  statistics_.busy += now - current_.interrupted;
  if (batches.watched()) batches.note(current_);
  state_ = State::kIdle;
  replay_ = true;
}

bool FaultHandler::take_replay() {
  const bool replay = replay_;
  replay_ = false;
  return replay;
}

FaultStatistics FaultHandler::statistics(Cycle now) const {
  FaultStatistics result = statistics_;
  if (state_ != State::kIdle && now > current_.interrupted) result.busy += now - current_.interrupted;
  return result;
}

std::string FaultHandler::waiting() const {
  switch (state_) {
    case State::kIdle: return buffer_.empty() ? "" : std::to_string(buffer_.size()) + " far faults in the buffer";
    case State::kInterrupted:
    case State::kServing: return "the host handles far faults";
    case State::kEvict: return "a block waits for the SMs to forget its pages";
    case State::kWriteBack:
    case State::kFetch:
      return std::to_string(runs().size() - ended_) + " copies of pages " +
             (state_ == State::kWriteBack ? "to the host" : "to the GPU") + " under way";
  }
  return "";
}

}  // namespace gputlm
