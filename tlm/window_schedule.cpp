#include "tlm/window_schedule.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <typeindex>
#include <utility>

#include "tlm/assembly.h"
#include "tlm/unit.h"

namespace gputlm {
namespace {

/// With fewer units due, one thread has computed a window before others have been told of it.
constexpr unsigned kWorthwhile = 6;

using Moment = std::chrono::steady_clock::time_point;

WindowPace::Nanoseconds nanoseconds_between(Moment begin, Moment end) {
  return static_cast<WindowPace::Nanoseconds>(std::chrono::nanoseconds(end - begin).count());
}

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
  std::map<std::type_index, std::size_t> kinds;
  for (const auto& unit : assembly_.units()) {
    if (!unit->looks_ahead_) continue;
    const Unit& its = *unit;
    const std::size_t kind = kinds.emplace(typeid(its), kinds.size()).first->second;
    kinds_.resize(kinds.size());
    kinds_[kind].push_back(entries_.size());
    entries_.push_back({unit.get(), 1, 0, 0, {}, {}});
  }
  if (entries_.empty()) return;
  windows_ = Clock(assembly_.window());
  for (Entry& entry : entries_) {
    for (Flushable* flushable : entry.unit->flushables_) {
      // A checker is called in both directions of a link.
      auto* const port = assembly_.checks_protocol() ? nullptr : dynamic_cast<Port*>(flushable);
      const auto peer = std::find_if(entries_.begin(), entries_.end(),
                                     [&](const Entry& e) { return port && e.unit == port->peer(); });
      if (peer == entries_.end()) {
        entry.others.push_back(flushable);
      } else {
        entry.ports.emplace_back(port, &*peer);
      }
    }
  }
  members_ = std::vector<Member>(std::min<std::size_t>(assembly_.threads(), entries_.size()));
  assign();
  distribute();
  if (members_.size() == 1) return;
  crew_ = std::make_unique<Crew>(static_cast<unsigned>(members_.size()), [this](unsigned member) { work(member); });
}

/// To which member each unit belongs. Kinds of fewer units than there are members come first, each unit to the member
/// with the least to do; the others are divided so that all have the same in the end.
void WindowSchedule::assign() {
  std::vector<std::uint64_t> load(members_.size(), 0);
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) sum += entry.cost;
  for (const auto& kind : kinds_) {
    if (kind.size() >= members_.size()) continue;
    for (const std::size_t i : kind) {
      entries_[i].member = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
      load[entries_[i].member] += entries_[i].cost;
    }
  }
  std::vector<double> until;  // by member: up to which part of each other kind is its own
  double room = 0;
  for (const std::uint64_t has : load) {
    room += std::max(0.0, static_cast<double>(sum) / static_cast<double>(load.size()) - static_cast<double>(has));
    until.push_back(room);
  }
  for (const auto& kind : kinds_) {
    if (kind.size() < members_.size()) continue;
    double total = 0, before = 0;
    for (const std::size_t i : kind) total += static_cast<double>(entries_[i].cost);
    std::size_t member = 0;
    for (const std::size_t i : kind) {
      const auto cost = static_cast<double>(entries_[i].cost);
      while (member + 1 < until.size() && (before + cost / 2) * room > until[member] * total) ++member;
      entries_[i].member = member;
      before += cost;
    }
  }
}

/// Gives the members their units, with what these want.
void WindowSchedule::distribute() {
  std::vector<Femtoseconds> wanted;
  for (Entry& entry : entries_) wanted.push_back(entry.unit->leave());
  for (Member& member : members_) {
    member.units.clear();
    member.wanted.clear();
    for (Deliveries& sent : member.sent) sent.resize(members_.size());
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Member& member = members_[entries_[i].member];
    entries_[i].place = member.units.size();
    member.units.push_back(&entries_[i]);
    member.wanted.push_back(wanted[i]);
  }
  for (Entry& entry : entries_) entry.unit->join(*this, members_[entry.member].wanted[entry.place]);
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
  if (crew_) {
    run_with_others();
  } else {
    compute_alone();
  }
  running_ = false;
  if (const Femtoseconds at = stop_at_.exchange(kNever); at != kNever) assembly_.stop_at(at);
  Femtoseconds next = unsettled_ ? until_ : kNever;
  for (const Member& member : members_) {
    for (const Femtoseconds wanted : member.wanted) next = std::min(next, wanted);
  }
  begin_at(std::max(next, until_));  // what a unit wants before that lies behind its end
}

void WindowSchedule::run_with_others() {
  std::size_t due = 0;  // as many as in the last window, it is guessed
  for (Member& member : members_) due += std::exchange(member.was_due, 0);
  const Moment begin = std::chrono::steady_clock::now();
  if (due >= kWorthwhile && pace_.together()) {
    crew_->run();
    tell();
  } else {
    settle();
    if (due < kWorthwhile) return compute_alone();
    if (pace_.begins_trial()) {
      assign();
      distribute();
      for (Entry& entry : entries_) entry.cost = 1;
    }
    pace_.measures() ? measure() : compute_alone();
  }
  pace_.took(nanoseconds_between(begin, std::chrono::steady_clock::now()), due);
}

/// Units that are due and have not computed the window yet, one after the other.
void WindowSchedule::compute_alone() {
  const Femtoseconds until = until_;
  for (Member& member : members_) {
    const Femtoseconds* wanted = member.wanted.data();
    for (const Entry* entry : member.units) {
      if (*wanted++ >= until) continue;
      ++member.was_due;
      entry->unit->compute_window(until);
    }
  }
}

/// The same, and what it costs each unit: to compute, and what is delivered to it.
void WindowSchedule::measure() {
  auto before = std::chrono::steady_clock::now();
  const auto charge = [&](Entry& entry) {
    const auto now = std::chrono::steady_clock::now();
    entry.cost += nanoseconds_between(before, now);
    before = now;
  };
  for (Entry& entry : entries_) {
    if (!due(entry)) continue;
    ++members_[entry.member].was_due;
    try {
      if (!entry.unit->compute_until(until_)) continue;
      charge(entry);
      for (const auto& [port, peer] : entry.ports) {
        const unsigned list = port->hand_over();
        if (!port->has(list)) continue;
        port->deliver(list);
        charge(*peer);
      }
      entry.unit->flush(entry.others);
    } catch (...) {
      entry.unit->fail(std::current_exception());
    }
  }
}

/// What each thread does in a window.
void WindowSchedule::work(std::size_t number) {
  Member& self = members_[number];
  for (auto& sent : self.sent[turn_]) sent.clear();
  self.computed.clear();
  deliver(number, turn_ ^ 1);
  offer(self);
  for (std::size_t i = 0; i < members_.size(); ++i) compute(members_[(number + i) % members_.size()], self);
}

/// What units of all members have sent to this one's.
void WindowSchedule::deliver(std::size_t number, unsigned turn) {
  for (const Member& member : members_) {
    for (const auto& [port, list] : member.sent[turn][number]) {
      try {
        port->deliver(list);
      } catch (...) {
        members_[number].failures.emplace_back(&port->owner(), std::current_exception());
      }
    }
  }
}

/// Those of its units that are due. Not those whose samples are taken in the window: what a sampler asks of other units
/// too it asks alone.
void WindowSchedule::offer(Member& member) {
  member.due.clear();
  for (std::size_t place = 0; place < member.units.size(); ++place) {
    if (member.wanted[place] < until_ && member.units[place]->unit->sample_at_ >= until_)
      member.due.push_back(member.units[place]);
  }
  member.was_due = member.due.size();
  member.taken.store(0, std::memory_order_relaxed);
  member.offered.store(member.due.size(), std::memory_order_release);
}

/// What a member has offered and nobody has taken yet.
void WindowSchedule::compute(Member& from, Member& by) {
  const std::size_t offered = from.offered.load(std::memory_order_acquire);
  while (from.taken.load(std::memory_order_relaxed) < offered) {
    const std::size_t i = from.taken.fetch_add(1, std::memory_order_relaxed);
    if (i >= offered) return;
    Entry& entry = *from.due[i];
    try {
      if (!entry.unit->compute_until(until_)) continue;
    } catch (...) {
      by.failures.emplace_back(entry.unit, std::current_exception());
      continue;
    }
    by.computed.push_back(&entry);
    for (const auto& [port, peer] : entry.ports) {
      const unsigned list = port->hand_over();
      if (port->has(list)) by.sent[turn_][peer->member].push_back({port, list});
    }
  }
}

/// What one thread does when all have done with the window.
void WindowSchedule::tell() {
  turn_ ^= 1;
  unsettled_ = true;
  for (Member& member : members_) {
    member.offered.store(0, std::memory_order_relaxed);
    for (auto& [unit, failure] : std::exchange(member.failures, {})) unit->fail(failure);
    for (const Entry* entry : member.computed) entry->unit->flush(entry->others);
  }
  if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return due(entry); })) {
    settle();
    compute_alone();
  }
}

void WindowSchedule::settle() {
  if (!std::exchange(unsettled_, false)) return;
  for (std::size_t number = 0; number < members_.size(); ++number) deliver(number, turn_ ^ 1);
  for (Member& member : members_) {
    for (auto& sent : member.sent[turn_ ^ 1]) sent.clear();
    for (auto& [unit, failure] : std::exchange(member.failures, {})) unit->fail(failure);
  }
}

}  // namespace gputlm
