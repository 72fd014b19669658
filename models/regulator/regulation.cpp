#include "models/regulator/regulation.h"

#include <algorithm>
#include <cassert>

#include "tlm/base/ring.h"
#include "tlm/counter_table.h"

namespace gputlm {
namespace {

constexpr std::uint8_t kUnregulated = 0xff;

}  // namespace

class RegulatedPlace::Input final : public Receiver<Access> {
 public:
  explicit Input(Receiver<Access>& behind) : Receiver(behind.depth()), behind_(behind), arrivals_(behind.depth() + 1) {}
  void push(Cycle at, Access& access) override { arrivals_.push({at, &access}); }
  Cycle next() const { return arrivals_.empty() ? kNever : arrivals_.front().at; }
  Access& pop() { return *arrivals_.pop().access; }
  void pass(Cycle now, Access& access) { behind_.push(now, access); }
  void hand_back() {
    for (const Cycle at : behind_.freed_slots()) freed(at);
    behind_.freed_slots().clear();
  }

 private:
  struct Arrival {
    Cycle at;
    Access* access;
  };
  Receiver<Access>& behind_;
  Ring<Arrival> arrivals_;
};

struct RegulatedPlace::Timer {
  Cycle period;
  Cycle next;
  std::uint64_t numbers;  ///< set of the users with this period
};

struct RegulatedPlace::User {
  struct Held {
    Cycle since;
    Access* access;
    Input* input;
  };
  RegulatedApplication of;
  Bytes budget;  ///< 0: the application is not regulated
  Ring<Held> held;
  BudgetStatistics statistics = {};
  Cycle throttled_since = 0;
  bool exhausted = false;  ///< whether the budget of this period is exhausted
};

RegulatedPlace::RegulatedPlace(const Regulation& regulation, std::size_t place,
                               const std::vector<Receiver<Access>*>& behind)
    : policy_(regulation.policy),
      regulator_(bandwidth_regulators().at(regulation.policy).make({regulation.budgets[place]})), next_(kNever) {
  std::size_t depth = 0;
  for (Receiver<Access>* const one : behind) {
    inputs_.push_back(std::make_unique<Input>(*one));
    depth = std::max<std::size_t>(depth, one->depth());
  }
  for (std::size_t number = 0; number < regulation.applications.size(); ++number) {
    const RegulatedApplication& of = regulation.applications[number];
    users_.push_back({of, regulation.budgets[place][number], Ring<User::Held>(depth)});
    if (users_.back().budget == 0) continue;
    if (of.application >= numbers_.size()) numbers_.resize(of.application + 1u, kUnregulated);
    numbers_[of.application] = static_cast<std::uint8_t>(number);
    auto timer = std::find_if(timers_.begin(), timers_.end(), [&](const Timer& t) { return t.period == of.period; });
    if (timer == timers_.end()) timer = timers_.insert(timers_.end(), {of.period, of.period, 0});
    timer->numbers |= std::uint64_t{1} << number;
    next_ = std::min(next_, of.period);
  }
}

RegulatedPlace::~RegulatedPlace() = default;

Receiver<Access>& RegulatedPlace::input(std::size_t i) { return *inputs_[i]; }

Cycle RegulatedPlace::advance(Cycle until) {
  for (;;) {
    Input* first = nullptr;
    Cycle at = kNever;
    for (const auto& input : inputs_) {
      if (input->next() >= at) continue;
      first = input.get();
      at = first->next();
    }
    const bool arrives = at < until;
    begin_periods(arrives ? at + 1 : until, arrives);
    if (!arrives) return std::min(at, waiting_ != 0 ? next_ : kNever);
    arrive(at, first->pop(), *first);
  }
}

void RegulatedPlace::arrive(Cycle at, Access& access, Input& input) {
  const ApplicationId application = access.identity.application;
  const std::uint8_t number = application < numbers_.size() ? numbers_[application] : kUnregulated;
  if (number == kUnregulated) return input.pass(at, access);
  User& user = users_[number];
  const bool counts =
      (user.of.reads && (!access.write || access.atomic)) || (user.of.writes && (access.write || access.atomic));
  if (!counts) return input.pass(at, access);
  user.held.push({at, &access, &input});
  if (user.held.size() == 1 && regulator_->fits(number, access.bytes)) return pass(at, number);
  if (user.held.size() == 1) {
    waiting_ |= std::uint64_t{1} << number;
    user.throttled_since = at;
    note(at, RegulatorEvent::Kind::kWaits, number, access.bytes);
  }
  ++user.statistics.delayed;
  user.statistics.exhausted += !user.exhausted;
  user.exhausted = true;
}

/// Begins the periods before `until` that matter to waiting requests, or to a request that arrives right before `until`.
void RegulatedPlace::begin_periods(Cycle until, bool arrives) {
  while (next_ < until && (arrives || waiting_ != 0)) {
    const Cycle now = next_;
    std::uint64_t begins = 0;
    next_ = kNever;
    for (Timer& timer : timers_) {
      if (timer.next == now) {
        begins |= timer.numbers;
        timer.next += timer.period;
        // In successive periods in which nothing passes or waits, the second and the last leave the same state.
        if (waiting_ == 0 && timer.next < until) timer.next += (until - 1 - timer.next) / timer.period * timer.period;
      }
      next_ = std::min(next_, timer.next);
    }
    regulator_->begin_period(begins, waiting_);
    for (std::uint64_t rest = begins; rest != 0; rest &= rest - 1) {
      const auto number = static_cast<unsigned>(__builtin_ctzll(rest));
      users_[number].exhausted = false;
      note(now, RegulatorEvent::Kind::kBegins, number, users_[number].budget);
    }
    if (waiting_ != 0) release(now);
  }
}

/// Applications take turns, one request each.
void RegulatedPlace::release(Cycle now) {
  const auto count = static_cast<unsigned>(users_.size());
  for (bool some = true; some;) {
    some = false;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned number = (turn_ + i) % count;
      User& user = users_[number];
      if (user.held.empty() || !regulator_->fits(number, user.held.front().access->bytes)) continue;
      pass(now, number);
      some = true;
      if (!user.held.empty()) continue;
      waiting_ &= ~(std::uint64_t{1} << number);
      user.statistics.throttled += now - user.throttled_since;
    }
  }
  turn_ = (turn_ + 1) % count;
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<unsigned>(__builtin_ctzll(rest));
    User& user = users_[number];
    user.statistics.exhausted += !user.exhausted;
    user.exhausted = true;
    note(now, RegulatorEvent::Kind::kWaits, number, user.held.front().access->bytes);
  }
}

void RegulatedPlace::pass(Cycle now, unsigned number) {
  User& user = users_[number];
  const User::Held held = user.held.pop();
  note(now, RegulatorEvent::Kind::kPasses, number, held.access->bytes);
  regulator_->passed(number, held.access->bytes);
  user.statistics.bytes += held.access->bytes;
  user.statistics.wait += now - held.since;
  held.input->pass(now, *held.access);
}

void RegulatedPlace::hand_back() {
  for (const auto& input : inputs_) input->hand_back();
}

std::vector<BudgetStatistics> RegulatedPlace::statistics(Cycle now) const {
  std::vector<BudgetStatistics> all(numbers_.size());
  for (const User& user : users_) {
    if (user.of.application >= all.size()) continue;
    BudgetStatistics& of = all[user.of.application] = user.statistics;
    if (!user.held.empty()) of.throttled += now - user.throttled_since;
  }
  return all;
}

void RegulatedPlace::count(PolicyTally& tally) const { regulator_->count(tally.of(bandwidth_regulators(), policy_)); }

std::size_t RegulatedPlace::held() const {
  std::size_t size = 0;
  for (const User& user : users_) size += user.held.size();
  return size;
}

std::vector<Bytes> RegulatedPlace::budgets() const {
  std::vector<Bytes> all;
  for (const User& user : users_) all.push_back(user.budget);
  return all;
}

void RegulatedPlaces::report(Report& report, Cycle now) const {
  for (const auto& place : places_) {
    report.add(by_application(place->statistics(now)));
    PolicyTally tally;
    place->count(tally);
    report.add(tally);
  }
}

void RegulatedPlaces::tell_waiting(const std::string& unit, std::vector<std::string>& lines) const {
  std::size_t held = 0;
  for (const auto& place : places_) held += place->held();
  if (held > 0)
    lines.push_back(unit + ": " + std::to_string(held) + " requests wait for the budget of their application");
}

GPUTLM_REGISTER { add_counter_table<BudgetStatistics>("memory budget", {"", "", "memory_budget"}); }

}  // namespace gputlm
