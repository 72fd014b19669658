#include "tests/unit/bounds/plain_scheduler.h"

#include <algorithm>
#include <limits>

namespace gputlm::plain {
namespace {

struct Flying {
  Cycle end;
  std::size_t stream;
  unsigned sm, size;
};

struct State {
  std::size_t job = 0, kernel = 0;
  Cycle arrives = 0;  ///< the kernel, at the engine; kNever: the stream has nothing left
  bool arrived = false;
  Cycle pending = kNever;  ///< from then on the engine knows that it comes; kNever: not before it does
  std::size_t sent = 0, ended = 0;
};

class Schedule {
 public:
  Schedule(const Engine& engine, const std::vector<Stream>& streams)
      : engine_(engine), streams_(streams), states_(streams.size()), free_(engine.sms, engine.places),
        jobs_(streams.size()), since_(engine.runlist.size(), kNever) {
    for (std::size_t s = 0; s < streams.size(); ++s) submit(s, 0);
    for (unsigned pass = 0;; ++pass) {
      const std::size_t before = round_.size();
      for (std::size_t c = 0; c < engine.runlist.size(); ++c) {
        if (pass < engine.runlist[c].count) round_.push_back(c);
      }
      if (round_.size() == before) break;
    }
    slot_ = round_.empty() ? 0 : round_.size() - 1;
  }

  std::vector<std::vector<Job>> run() {
    while (true) {
      const Cycle next = next_event();
      if (next == kNever) return with_modes();
      now_ = next;
      end_blocks();
      arrive();
      take_turns();
      send();
    }
  }

 private:
  /// The kernel of the stream that is next, when its host is free from `from` on.
  void submit(std::size_t s, Cycle from) {
    State& state = states_[s];
    state.arrived = false;
    state.sent = state.ended = 0;
    state.pending = kNever;
    if (state.kernel > 0) state.pending = now_;
    if (state.kernel == 0) {
      if (state.job == streams_[s].releases.size()) {
        state.arrives = kNever;
        return;
      }
      const Cycle release = streams_[s].releases[state.job];
      if (state.job > 0 && release < from) state.pending = std::max(now_, release + engine_.host);
      from = std::max(from, release);
      jobs_[s].emplace_back();
    }
    state.arrives = from + engine_.host;
  }

  Cycle next_event() const {
    Cycle next = kNever;
    for (const Flying& block : flying_) next = std::min(next, block.end);
    for (const State& state : states_) {
      if (!state.arrived) next = std::min(next, state.arrives);
      if (!state.arrived && state.pending > now_) next = std::min(next, state.pending);
    }
    if (on_ && loading_until_ > now_) next = std::min(next, loading_until_);
    if (on_ && !leaving_ && others_wait()) next = std::min(next, std::max(until_, now_ + 1));
    return next;
  }

  void end_blocks() {
    for (std::size_t b = 0; b < flying_.size();) {
      if (flying_[b].end > now_) {
        ++b;
        continue;
      }
      const Flying block = flying_[b];
      flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(b));
      free_[block.sm] += block.size;
      State& state = states_[block.stream];
      if (++state.ended < kernel(block.stream).blocks.size()) continue;
      Job& job = jobs_[block.stream].back();
      job.kernels.push_back(now_ - state.arrives);
      if (++state.kernel == streams_[block.stream].job.size() || ends_within_budget(block.stream)) {
        job.response = now_ + engine_.host - streams_[block.stream].releases[state.job];
        state.kernel = 0;
        ++state.job;
        if (hi_ && is_idle()) change_mode();
      } else if (!hi_ && state.kernel == streams_[block.stream].within_budget) {
        change_mode();
      }
      submit(block.stream, now_ + engine_.host);
    }
  }

  void arrive() {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      while (hi_ && streams_[s].dropped && states_[s].kernel == 0 && states_[s].arrives == now_) {
        jobs_[s].back().dropped = true;
        ++states_[s].job;
        if (is_idle()) change_mode();
        submit(s, now_);
      }
      if (states_[s].arrived || states_[s].arrives != now_) continue;
      states_[s].arrived = true;
      queue_.push_back(s);
    }
  }

  bool ends_within_budget(std::size_t s) const {
    const State& state = states_[s];
    return state.kernel == streams_[s].within_budget && !streams_[s].overruns[state.job];
  }
  /// No job that has been released before is under way.
  bool is_idle() const {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (states_[s].job < streams_[s].releases.size() && streams_[s].releases[states_[s].job] < now_) return false;
    }
    return true;
  }
  void change_mode() {
    hi_ = !hi_;
    changes_.push_back(now_);
  }
  /// Jobs know whether they were under way in mode hi.
  std::vector<std::vector<Job>> with_modes() {
    if (changes_.size() % 2 != 0) changes_.push_back(now_);
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      for (std::size_t j = 0; j < jobs_[s].size(); ++j) {
        const Cycle begin = streams_[s].releases[j], end = begin + jobs_[s][j].response;
        for (std::size_t c = 0; c < changes_.size(); c += 2)
          jobs_[s][j].in_hi_mode = jobs_[s][j].in_hi_mode || (changes_[c] <= end && begin <= changes_[c + 1]);
      }
    }
    return jobs_;
  }

  bool has_work(std::size_t context) const {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const bool works = states_[s].arrived || states_[s].pending <= now_;
      if (works && streams_[s].context == context) return true;
    }
    return false;
  }
  bool others_wait() const {
    for (std::size_t c = 0; c < engine_.runlist.size(); ++c) {
      if (c != owner_ && has_work(c)) return true;
    }
    return false;
  }

  void take_turns() {
    if (engine_.runlist.empty()) return;
    for (std::size_t c = 0; c < engine_.runlist.size(); ++c) {
      if (!has_work(c)) {
        since_[c] = kNever;
      } else if (since_[c] == kNever) {
        since_[c] = now_;
      }
    }
    if (engine_.exclusive) return exclude();
    if (on_ && !leaving_) {
      // Slots that have passed while no other context had work.
      while (has_work(owner_) && loading_until_ <= now_ && until_ < now_) {
        do {
          slot_ = (slot_ + 1) % round_.size();
        } while (round_[slot_] != owner_);
        until_ += engine_.runlist[owner_].slice;
      }
      if (!has_work(owner_)) {
        on_ = false;
      } else if (now_ >= until_ && others_wait()) {
        const std::size_t before = owner_;
        next_slot();
        if (owner_ == before) {
          until_ = now_ + engine_.runlist[owner_].slice;
        } else {
          leaving_ = true;
        }
      }
    }
    if (leaving_ && flying_.empty()) {
      leaving_ = false;
      load();
    }
    bool any = false;
    for (std::size_t c = 0; c < engine_.runlist.size(); ++c) any = any || has_work(c);
    if (!on_ && any) {
      next_slot();
      on_ = true;
      load();
    }
  }
  /// The owner's context comes, and its slice begins.
  void load() {
    loading_until_ = now_ + (loaded_ == owner_ ? 0 : engine_.exchange);
    loaded_ = owner_;
    until_ = loading_until_ + engine_.runlist[owner_].slice;
  }
  void exclude() {
    if (on_ && has_work(owner_)) return;
    const auto first = std::min_element(since_.begin(), since_.end());
    on_ = *first != kNever;
    owner_ = static_cast<std::size_t>(first - since_.begin());
    until_ = kNever;
  }
  void next_slot() {
    do {
      slot_ = (slot_ + 1) % round_.size();
    } while (!has_work(round_[slot_]));
    owner_ = round_[slot_];
  }

  const Kernel& kernel(std::size_t s) const { return streams_[s].job[states_[s].kernel]; }

  /// Each SM has a block of the first kernel of the most urgent level with blocks left that may use it, and of no other.
  void send() {
    if (leaving_ || loading_until_ > now_) return;
    while (send_one()) {
    }
  }
  bool send_one() {
    std::vector<std::size_t> order;
    for (const std::size_t s : queue_) {
      if (engine_.runlist.empty() || (on_ && streams_[s].context == owner_)) order.push_back(s);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return streams_[a].level < streams_[b].level; });
    std::uint64_t left = ~std::uint64_t{0};
    for (const std::size_t s : order) {
      const Kernel& k = kernel(s);
      std::size_t best = free_.size();
      for (std::size_t sm = 0; sm < free_.size(); ++sm) {
        const bool may = (streams_[s].sms & left) >> sm & 1;
        if (may && free_[sm] >= k.size && (best == free_.size() || free_[sm] > free_[best])) best = sm;
      }
      left &= ~streams_[s].sms;
      if (best == free_.size()) continue;
      free_[best] -= k.size;
      flying_.push_back({now_ + k.blocks[states_[s].sent], s, static_cast<unsigned>(best), k.size});
      if (++states_[s].sent == k.blocks.size()) queue_.erase(std::find(queue_.begin(), queue_.end(), s));
      return true;
    }
    return false;
  }

  const Engine& engine_;
  const std::vector<Stream>& streams_;
  std::vector<State> states_;
  std::vector<unsigned> free_;
  std::vector<Flying> flying_;
  std::vector<std::size_t> queue_;  ///< streams whose kernels have blocks left, in the order of arrival
  std::vector<std::vector<Job>> jobs_;
  Cycle now_ = 0;
  std::vector<std::size_t> round_;
  std::size_t slot_ = 0, owner_ = std::numeric_limits<std::size_t>::max();
  bool on_ = false, leaving_ = false;
  Cycle until_ = 0, loading_until_ = 0;
  std::size_t loaded_ = std::numeric_limits<std::size_t>::max();
  std::vector<Cycle> since_;    ///< each context has had work
  bool hi_ = false;             ///< the mode
  std::vector<Cycle> changes_;  ///< of it, in turn to hi and to lo
};

}  // namespace

std::vector<std::vector<Job>> schedule(const Engine& engine, const std::vector<Stream>& streams) {
  return Schedule(engine, streams).run();
}

}  // namespace gputlm::plain
