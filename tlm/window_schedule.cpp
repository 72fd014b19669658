#include "tlm/window_schedule.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <typeindex>
#include <utility>

#include "tlm/assembly.h"
#include "tlm/unit.h"
#include "tlm/window_turns.h"

namespace gputlm {
namespace {

/// With fewer units due, one thread finishes a window before the others have been notified.
constexpr unsigned kWorthwhile = 6;

using Moment = std::chrono::steady_clock::time_point;

WindowPace::Nanoseconds nanoseconds_between(Moment begin, Moment end) {
  return static_cast<WindowPace::Nanoseconds>(std::chrono::nanoseconds(end - begin).count());
}

}  // namespace

WindowSchedule::WindowSchedule(Assembly& assembly)
    : sc_module(sc_core::sc_module_name(sc_core::sc_gen_unique_name("window_schedule"))), assembly_(assembly) {
  SC_HAS_PROCESS(WindowSchedule);
  SC_METHOD(run_step);
  sensitive << begin_;
  dont_initialize();
}

WindowSchedule::~WindowSchedule() = default;

void WindowSchedule::end_of_elaboration() {
  for (const auto& unit : assembly_.units()) {
    if (unit->looks_ahead_) entries_.push_back({unit.get(), 0, 1, 0, 0, {}});
  }
  if (entries_.empty()) return;
  steps_ = Clock(assembly_.step());
  turns_ = take_turns() ? 2 : 1;
  std::map<std::pair<unsigned, std::type_index>, std::size_t> kinds;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const Unit& its = *entry.unit;
    auto& of_turn = kinds_[entry.turn];
    const std::size_t kind =
        kinds.emplace(std::pair(entry.turn, std::type_index(typeid(its))), of_turn.size()).first->second;
    of_turn.resize(std::max(of_turn.size(), kind + 1));
    of_turn[kind].push_back(i);
    FlushList& flushes = entry.unit->flushes_;
    for (std::size_t number = 0; number < flushes.size(); ++number) {
      // A checker is called in both directions of a link.
      auto* const port = assembly_.checks_protocol() ? nullptr : dynamic_cast<Port*>(&flushes[number]);
      const auto peer = std::find_if(entries_.begin(), entries_.end(),
                                     [&](const Entry& e) { return port && e.unit == port->peer(); });
      entry.ports.emplace_back(port, peer == entries_.end() ? nullptr : &*peer);
    }
  }
  const std::size_t threads = told_ahead(steps_.period()) ? assembly_.threads() : 1;
  members_ = std::vector<Member>(std::min(threads, entries_.size()));
  for (unsigned turn = 0; turn < turns_; ++turn) assign(turn);
  distribute();
  if (members_.size() == 1) return;
  crew_ = std::make_unique<Crew>(static_cast<unsigned>(members_.size()), [this](unsigned member) { work(member); });
}

/// Whether a unit that announces the end of the run does so before any unit with windows of this length reaches the end.
/// With several threads, deliveries reach a unit one step later.
bool WindowSchedule::told_ahead(Femtoseconds window) const {
  const Femtoseconds late = assembly_.threads() > 1 ? steps_.period() : 0;
  return std::all_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.unit->end_notice_ >= window + late; });
}

/// Gives units their turns; false if they cannot take turns.
bool WindowSchedule::take_turns() {
  if (entries_.size() < assembly_.units().size()) return false;
  const Femtoseconds window = 2 * steps_.period();
  if (!told_ahead(window)) return false;
  std::map<const Unit*, std::size_t> numbers;
  for (const Entry& entry : entries_) numbers.emplace(entry.unit, numbers.size());
  std::vector<std::pair<std::size_t, std::size_t>> neighbours;
  for (const Entry& entry : entries_) {
    for (const Port* port : entry.unit->ports_) {
      if (port->link().latency < window) neighbours.emplace_back(numbers.at(entry.unit), numbers.at(port->peer()));
    }
  }
  const std::vector<unsigned> turns = turns_of(entries_.size(), neighbours);
  for (std::size_t i = 0; i < turns.size(); ++i) entries_[i].turn = turns[i];
  return !turns.empty();
}

/// Assigns the units with this turn to members. Kinds with fewer units than members come first, each unit to the member
/// with the least load; the others are divided so that all loads are equal in the end.
void WindowSchedule::assign(unsigned turn) {
  std::vector<std::uint64_t> load(members_.size(), 0);
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) sum += entry.turn == turn ? entry.cost : 0;
  for (const auto& kind : kinds_[turn]) {
    if (kind.size() >= members_.size()) continue;
    for (const std::size_t i : kind) {
      entries_[i].member = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
      load[entries_[i].member] += entries_[i].cost;
    }
  }
  std::vector<double> until;  // end of each member's part of every other kind
  double room = 0;
  for (const std::uint64_t has : load) {
    room += std::max(0.0, static_cast<double>(sum) / static_cast<double>(load.size()) - static_cast<double>(has));
    until.push_back(room);
  }
  for (const auto& kind : kinds_[turn]) {
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

/// Gives the members their units, with the times that the units have requested.
void WindowSchedule::distribute() {
  std::vector<Femtoseconds> wanted;
  for (Entry& entry : entries_) wanted.push_back(entry.unit->leave());
  for (Member& member : members_) {
    for (Half& half : member.halves) {
      half.units.clear();
      half.wanted.clear();
      half.first.clear();
    }
    for (Deliveries& sent : member.sent) sent.resize(members_.size());
  }
  const auto half_of = [&](const Entry& entry) -> Half& { return members_[entry.member].halves[entry.turn]; };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Half& half = half_of(entries_[i]);
    entries_[i].place = half.units.size();
    half.units.push_back(&entries_[i]);
    half.wanted.push_back(wanted[i]);
    half.first.resize(entries_[i].place / kGroup + 1);
  }
  for (Entry& entry : entries_) {
    Half& half = half_of(entry);
    entry.unit->join(*this, entry.turn, half.first[entry.place / kGroup], half.wanted[entry.place]);
  }
  find_first();
}

/// The odd turn's first window is only one step long: the first step.
Femtoseconds WindowSchedule::begin_of(Femtoseconds at, unsigned turn) const {
  if (at == kNever) return kNever;
  const Cycle step = steps_.at_or_before(at);
  return steps_.edge(step > 0 && step % turns_ != turn ? step - 1 : step);
}

void WindowSchedule::begin_at(Femtoseconds begin) {
  next_ = begin;
  if (begin == kNever) return;
  const Femtoseconds now = this->now();
  begin_.notify(to_sc_time(std::max(begin, now) - now));
}

void WindowSchedule::stop_at(Femtoseconds at) {
  if (!running_) return assembly_.stop_at(at);
  Femtoseconds earliest = stop_at_.load();
  while (at < earliest && !stop_at_.compare_exchange_weak(earliest, at)) {
  }
}

void WindowSchedule::run_step() {
  const Cycle step = steps_.at_or_before(now());
  running_ = true;
  if (step == 0 && turns_ > 1) {  // units of the first step need the deliveries by then
    turn_ = 1;
    until_ = steps_.edge(1);
    compute_alone();
  }
  turn_ = static_cast<unsigned>(step % turns_);
  until_ = steps_.edge(step + turns_);
  if (crew_) {
    run_with_others();
  } else {
    compute_alone();
  }
  running_ = false;
  if (const Femtoseconds at = stop_at_.exchange(kNever); at != kNever) assembly_.stop_at(at);
  const Femtoseconds next_step = steps_.edge(step + 1);
  Femtoseconds next = unsettled_ ? next_step : kNever;
  for (unsigned turn = 0; turn < turns_; ++turn) {
    Femtoseconds first = kNever;
    for (const Member& member : members_) {
      for (const Femtoseconds of_group : member.halves[turn].first) first = std::min(first, of_group);
    }
    next = std::min(next, begin_of(first, turn));
  }
  begin_at(std::max(next, next_step));  // a request before that is past the unit's end
}

/// Determines Half::first of all groups.
void WindowSchedule::find_first() {
  for (Member& member : members_) {
    for (Half& half : member.halves) {
      std::fill(half.first.begin(), half.first.end(), kNever);
      for (std::size_t place = 0; place < half.wanted.size(); ++place) {
        Femtoseconds& first = half.first[place / kGroup];
        first = std::min(first, half.wanted[place]);
      }
    }
  }
}

void WindowSchedule::run_with_others() {
  std::size_t due = 0;  // estimate: the number of due units of last time
  for (Member& member : members_) due += std::exchange(member.halves[turn_].was_due, 0);
  const Moment begin = std::chrono::steady_clock::now();
  ++windows_.all;
  if (due >= kWorthwhile && pace_.together()) {
    ++windows_.together;
    together_ = true;
    crew_->run();
    together_ = false;
    find_first();
    tell();
  } else {
    settle();
    if (due < kWorthwhile) return compute_alone();
    if (untold_.steps == 0 && pace_.begins_trial()) {
      for (unsigned turn = 0; turn < turns_; ++turn) assign(turn);
      distribute();
      for (Entry& entry : entries_) entry.cost = 1;
    }
    pace_.measures() ? measure() : compute_alone();
  }
  untold_.time += nanoseconds_between(begin, std::chrono::steady_clock::now());
  untold_.due += due;
  if (++untold_.steps < turns_) return;
  pace_.took(untold_.time, untold_.due);
  untold_ = {};
}

/// Computes the due units that have not computed the window yet, one after the other.
void WindowSchedule::compute_alone() {
  const Femtoseconds until = until_;
  for (Member& member : members_) {
    Half& half = member.halves[turn_];
    for (std::size_t group = 0; group < half.first.size(); ++group) {
      if (half.first[group] >= until) continue;
      half.first[group] = kNever;  // units request their next time when they compute
      Femtoseconds first = kNever;
      const std::size_t end = std::min((group + 1) * kGroup, half.units.size());
      for (std::size_t place = group * kGroup; place < end; ++place) {
        const Femtoseconds at = half.wanted[place];
        if (at >= until) {
          first = std::min(first, at);
          continue;
        }
        ++half.was_due;
        half.units[place]->unit->compute_window(until);
      }
      half.first[group] = std::min(half.first[group], first);
    }
  }
}

/// Computes the due units, and measures each unit's cost: its computation and the deliveries to it.
void WindowSchedule::measure() {
  auto before = std::chrono::steady_clock::now();
  const auto charge = [&](Entry& entry) {
    const auto now = std::chrono::steady_clock::now();
    entry.cost += nanoseconds_between(before, now);
    before = now;
  };
  for (Entry& entry : entries_) {
    if (!due(entry)) continue;
    ++members_[entry.member].halves[turn_].was_due;
    try {
      if (!entry.unit->compute_until(until_)) continue;
      charge(entry);
      entry.unit->flushes_.take([&](std::size_t number) {
        entry.unit->flushes_[number].flush();
        if (Entry* const peer = entry.peer(number)) charge(*peer);
        return true;
      });
    } catch (...) {
      entry.unit->fail(std::current_exception());
    }
  }
  find_first();
}

/// The work of each thread in a step.
void WindowSchedule::work(std::size_t number) {
  Member& self = members_[number];
  for (auto& sent : self.sent[filling_]) sent.clear();
  self.computed.clear();
  deliver(number, filling_ ^ 1);
  offer(self);
  for (std::size_t i = 0; i < members_.size(); ++i) compute(members_[(number + i) % members_.size()], self);
}

/// Delivers to this member's units what the units of all members have sent.
void WindowSchedule::deliver(std::size_t number, unsigned filled) {
  for (const Member& member : members_) {
    for (const auto& [port, list] : member.sent[filled][number]) {
      try {
        port->deliver(list);
      } catch (...) {
        members_[number].failures.emplace_back(&port->owner(), std::current_exception());
      }
    }
  }
}

/// Offers the member's due units, except those sampled in the window: a sampler also reads other units, so it runs on one
/// thread alone.
void WindowSchedule::offer(Member& member) {
  Half& half = member.halves[turn_];
  member.due.clear();
  for (std::size_t place = 0; place < half.units.size(); ++place) {
    if (half.wanted[place] < until_ && half.units[place]->unit->sample_at_ >= until_)
      member.due.push_back(half.units[place]);
  }
  half.was_due = member.due.size();
  member.taken.store(0, std::memory_order_relaxed);
  member.offered.store(member.due.size(), std::memory_order_release);
}

/// Computes units that a member has offered and no thread has taken yet.
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
    entry.unit->flushes_.take([&](std::size_t number) {
      const Entry* const peer = entry.peer(number);
      if (!peer) return false;
      Port* const port = entry.ports[number].first;
      by.sent[filling_][peer->member].push_back({port, port->hand_over()});
      return true;
    });
  }
}

/// The work that one thread does when all threads have finished the step.
void WindowSchedule::tell() {
  filling_ ^= 1;
  unsettled_ = true;
  for (Member& member : members_) {
    member.offered.store(0, std::memory_order_relaxed);
    for (auto& [unit, failure] : std::exchange(member.failures, {})) unit->fail(failure);
    for (const Entry* entry : member.computed) entry->unit->flushes_.flush();
  }
  if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return due(entry); })) {
    settle();
    compute_alone();
  }
}

void WindowSchedule::settle() {
  if (!std::exchange(unsettled_, false)) return;
  for (std::size_t number = 0; number < members_.size(); ++number) deliver(number, filling_ ^ 1);
  for (Member& member : members_) {
    for (auto& sent : member.sent[filling_ ^ 1]) sent.clear();
    for (auto& [unit, failure] : std::exchange(member.failures, {})) unit->fail(failure);
  }
}

}  // namespace gputlm
