#include "tlm/window_schedule.h"

#include <algorithm>
#include <utility>

#include "tlm/assembly.h"
#include "tlm/unit.h"

namespace gputlm {
namespace {

/// With fewer units due, one thread has computed a window before others have been told of it.
constexpr unsigned kWorthwhile = 6;

}  // namespace

WindowSchedule::WindowSchedule(Assembly& assembly)
    : sc_module(sc_core::sc_module_name(sc_core::sc_gen_unique_name("window_schedule"))), assembly_(assembly) {
  SC_HAS_PROCESS(WindowSchedule);
  SC_METHOD(run_window);
  sensitive << begin_;
  dont_initialize();
}

WindowSchedule::~WindowSchedule() = default;

void WindowSchedule::end_of_elaboration() {
  for (const auto& unit : assembly_.units()) {
    if (unit->looks_ahead_) entries_.push_back({unit.get(), {}, {}});
  }
  if (entries_.empty()) return;
  windows_ = Clock(assembly_.window());
  distribute(std::min(assembly_.threads(), static_cast<unsigned>(entries_.size())));
}

/// In turn, as they were added: units of a kind follow one another, and have about as much to do.
void WindowSchedule::distribute(unsigned members) {
  members_.resize(members);
  for (std::size_t i = 0; i < entries_.size(); ++i) members_[i % members].units.push_back(entries_[i].unit);
  for (Member& member : members_) {
    const std::size_t count = member.units.size();
    member.wanted.assign(count, kNever);
    member.computed.assign(count, 0);
    member.failure.resize(count);
    for (std::size_t place = 0; place < count; ++place) member.units[place]->join(*this, member.wanted[place]);
  }
  // A checker is called in both directions of a link.
  const bool apart = members > 1 && !assembly_.checks_protocol();
  for (Entry& entry : entries_) {
    entry.deliveries.resize(members);
    for (Flushable* flushable : entry.unit->flushables_) {
      const auto* const port = apart ? dynamic_cast<Port*>(flushable) : nullptr;
      const auto peer =
          std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return port && e.unit == port->peer_; });
      const auto place = static_cast<std::size_t>(peer - entries_.begin());
      (peer == entries_.end() ? entry.others : entry.deliveries[place % members]).push_back(flushable);
    }
  }
  if (members == 1) return;
  crew_ = std::make_unique<Crew>(members, [this](unsigned member) {
    compute(members_[member]);
    crew_->meet();
    deliver(member);
  });
}

void WindowSchedule::begin_at(Femtoseconds at) {
  next_ = at;
  if (at == kNever) return;
  const Femtoseconds start = windows_.edge(windows_.at_or_before(at)), now = now_fs();
  begin_.notify(to_sc_time(std::max(start, now) - now));
}

void WindowSchedule::stop_at(Femtoseconds at) {
  if (!running_) return assembly_.stop_at(at);
  Femtoseconds earliest = stop_at_.load();
  while (at < earliest && !stop_at_.compare_exchange_weak(earliest, at)) {
  }
}

void WindowSchedule::run_window() {
  until_ = windows_.edge(windows_.at_or_before(now_fs()) + 1);
  running_ = true;
  unsigned due = 0;  // as many as in the last window, it is guessed
  for (Member& member : members_) due += std::exchange(member.due, 0);
  if (crew_ && due >= kWorthwhile) {
    crew_->run();
    tell();
  }
  compute_alone();
  running_ = false;
  if (const Femtoseconds at = stop_at_.exchange(kNever); at != kNever) assembly_.stop_at(at);
  Femtoseconds next = kNever;
  for (const Member& member : members_) {
    for (const Femtoseconds wanted : member.wanted) next = std::min(next, wanted);
  }
  begin_at(std::max(next, until_));  // what a unit wants before that lies behind its end
}

/// Units that are due and have not computed the window yet, one after the other.
void WindowSchedule::compute_alone() {
  const std::size_t members = members_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Member& member = members_[i % members];
    if (member.wanted[i / members] >= until_) continue;
    ++member.due;
    entries_[i].unit->compute_window(until_);
  }
}

/// Those of its units that are due. Not those whose samples are taken in the window: what a sampler asks of other units
/// too it asks alone.
void WindowSchedule::compute(Member& member) {
  for (std::size_t place = 0; place < member.units.size(); ++place) {
    if (member.wanted[place] >= until_ || member.units[place]->sample_at_ < until_) continue;
    ++member.due;
    try {
      member.computed[place] = member.units[place]->compute_until(until_);
    } catch (...) {
      member.failure[place] = std::current_exception();
    }
  }
}

/// What units of all members have sent to this one's.
void WindowSchedule::deliver(unsigned number) {
  std::size_t i = 0;
  try {
    for (; i < entries_.size(); ++i) {
      if (!members_[i % members_.size()].computed[i / members_.size()]) continue;
      for (Flushable* port : entries_[i].deliveries[number]) port->flush();
    }
  } catch (...) {
    members_[number].undelivered = i;
    members_[number].delivery_failure = std::current_exception();
  }
}

/// What has to be told by one thread alone.
void WindowSchedule::tell() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Member& member = members_[i % members_.size()];
    const std::size_t place = i / members_.size();
    const bool computed = std::exchange(member.computed[place], std::uint8_t{0});
    if (member.failure[place]) entries_[i].unit->fail(std::exchange(member.failure[place], nullptr));
    if (computed) entries_[i].unit->flush(entries_[i].others);
  }
  for (Member& member : members_) {
    if (!member.delivery_failure) continue;
    entries_[member.undelivered].unit->fail(std::exchange(member.delivery_failure, nullptr));
  }
}

}  // namespace gputlm
