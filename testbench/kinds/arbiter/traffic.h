/// Traffic for an arbiter, constrained-random or of a recording. The former is realistic traffic of a controller, and anything
/// else that the ports allow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/dram/decisions.h"
#include "models/kernel/random.h"
#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_traffic.h"

namespace gputlm {

/// In per cent, unless the description says that it is a number.
#define ARBITER_KNOBS(K)                                                                           \
  K(applications, 1, size.applications, "Applications that send requests, a number")               \
  K(banks, 1, size.banks, "Banks that requests go to, a number")                                   \
  K(rows, 1, std::numeric_limits<unsigned>::max(), "Rows of a bank that requests go to, a number") \
  K(hit_ratio, 0, 100, "Requests to the open row of their bank")                                   \
  K(burstiness, 0, 100, "Requests from the application and to the bank of the previous one")       \
  K(fill, 1, 100, "Cycles with a request offered")                                                 \
  K(asks, 1, 100, "Cycles with a decision requested")                                              \
  K(back_pressure, 0, 99, "Grants that could be taken and are not")                                \
  K(misses_taken, 0, 100, "Grants without a row hit that are still taken")                         \
  K(row_commands, 1, 100, "Cycles with a row command, if one is due")                              \
  K(stray_rows, 0, 99, "Cycles with a row command that no request asks for")                       \
  K(resets, 0, 1000, "Resets in 10,000 cycles, a number")                                          \
  K(hit_cap, 0, kHighestHitCap, "Row-hit cap, a number; 0 for none")
GPUTLM_KNOBS(Arbiter, ARBITER_KNOBS);

class ArbiterTraffic : public RandomTraffic<ArbiterSize, ArbiterKnobs> {
 public:
  ArbiterTraffic(const ArbiterSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : RandomTraffic(size, mix(seed), fixed), free_ids_(size.entries) {
    std::iota(free_ids_.begin(), free_ids_.end(), 0);
  }

  /// With the cap, if a user has set it.
  ArbiterInputs reset() const {
    ArbiterInputs inputs;
    const auto hit_cap = fixed_.find("hit-cap");
    if (hit_cap != fixed_.end()) inputs.hit_cap = hit_cap->second;
    return inputs;
  }
  ArbiterInputs next(const ArbiterReference& state, const ArbiterExpected&) {
    if (episode_left_-- == 0) new_episode();
    // An offer that has not been accepted usually stays.
    if (!offering_ || random_.chance(10)) new_offer(state);
    ArbiterInputs inputs = offer_;
    inputs.rst_n = !draw_reset();
    if (size_.has_cap) {
      inputs.hit_cap = inputs.rst_n ? state.hit_cap() : knobs_.hit_cap;
    } else {
      inputs.hit_cap = random_.below(kHighestHitCap + 1);  // ignored
    }
    inputs.req_valid = random_.chance(knobs_.fill);
    // With a full queue every id is in use: any will do for a request that must be refused.
    offered_id_ = random_.below(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(free_ids_.size())));
    inputs.req_id = free_ids_.empty() ? random_.below(size_.entries) : free_ids_[offered_id_];
    row_command(state, inputs);
    inputs.ask_valid = random_.chance(knobs_.asks);
    inputs.ask_bank = random_.chance(95) ? busy_bank() : random_.below(size_.banks);
    return inputs;
  }
  /// The controller takes the grant or not.
  bool answer(ArbiterInputs& inputs, const ArbiterExpected& grant) {
    if (!grant.grant_valid) {
      inputs.grant_ready = random_.chance(50);  // independent of valid
      return false;
    }
    inputs.grant_ready =
        (grant.grant_hit || random_.chance(knobs_.misses_taken)) && !random_.chance(knobs_.back_pressure);
    return inputs.grant_ready;
  }
  void done(const ArbiterInputs& inputs, const ArbiterExpected& expected) {
    if (!inputs.rst_n) {
      free_ids_.resize(size_.entries);
      std::iota(free_ids_.begin(), free_ids_.end(), 0);
      wish_ = false;
      return;
    }
    if (expected.grant_valid && !expected.grant_hit && !inputs.grant_ready) {
      wish_ = true;
      wish_bank_ = inputs.ask_bank;
      wish_row_ = static_cast<std::uint32_t>(expected.request.row);
    }
    if (inputs.req_valid && expected.req_ready) {
      free_ids_[offered_id_] = free_ids_.back();
      free_ids_.pop_back();
      offering_ = false;
    }
    if (expected.grant_valid && inputs.grant_ready) free_ids_.push_back(expected.request.slot);
  }

 private:
  /// A new episode. The extremes are frequent: they fill the queue, drain it, and keep rows open for long.
  void new_episode() {
    const unsigned applications = size_.applications;
    const unsigned banks = size_.banks;
    episode_left_ = random_.one_of({500u, 1000u, 2000u, 5000u});
    rows_key_ = random_.below(1u << 31);
    first_bank_ = random_.below(banks);
    knobs_.applications = random_.one_of({1u, 2u, applications, applications});
    knobs_.banks = random_.one_of({1u, 2u, banks, banks});
    knobs_.rows = random_.one_of({1u, 2u, 4u, 64u});
    knobs_.hit_ratio = random_.one_of({0u, 20u, 50u, 80u, 100u});
    knobs_.burstiness = random_.one_of({0u, 50u, 90u});
    knobs_.fill = random_.one_of({5u, 30u, 60u, 100u});
    knobs_.asks = random_.one_of({50u, 95u, 100u});
    knobs_.back_pressure = random_.one_of({0u, 0u, 10u, 50u, 90u});
    knobs_.misses_taken = random_.one_of({0u, 0u, 50u, 100u});
    knobs_.row_commands = random_.one_of({10u, 50u, 100u});
    knobs_.stray_rows = random_.one_of({0u, 0u, 1u, 10u, 50u});
    knobs_.resets = random_.one_of({0u, 2u, 20u, 100u});
    knobs_.hit_cap = random_.one_of({0u, 1u, 2u, 4u, 16u, 255u});
    reset_due_ = false;
    if (random_.chance(15)) long_streak();
    fix(knobs_, ArbiterKnobs::all(size_), fixed_);
    knobs_.applications = std::min(knobs_.applications, size_.applications);  // drawn as 2 even if there is only 1
    knobs_.banks = std::min(knobs_.banks, size_.banks);
  }
  /// Row hits at one bank with few row commands, so that the count of served requests passes its maximum while hits and other
  /// requests are waiting.
  void long_streak() {
    knobs_.banks = 1;
    knobs_.rows = 4;
    knobs_.hit_ratio = 97;
    knobs_.fill = knobs_.asks = 100;
    knobs_.misses_taken = 20;
    knobs_.row_commands = 1;
    knobs_.back_pressure = knobs_.stray_rows = knobs_.resets = 0;
    knobs_.hit_cap = kHighestHitCap;
    reset_due_ = true;
  }
  void new_offer(const ArbiterReference& state) {
    if (!random_.chance(knobs_.burstiness)) {
      offer_.req_bank = busy_bank();
      offer_.req_app = random_.below(knobs_.applications);
    }
    const Row open = state.bank(offer_.req_bank).open_row;
    offer_.req_row = open != kNoRow && random_.chance(knobs_.hit_ratio) ? static_cast<std::uint32_t>(open)
                                                                        : row_number(random_.below(knobs_.rows));
    offering_ = true;
  }
  /// One of the banks that get requests in this episode.
  std::uint32_t busy_bank() { return (first_bank_ + random_.below(knobs_.banks)) % size_.banks; }
  /// Row `index` of those in use, with arbitrary bits.
  std::uint32_t row_number(std::uint32_t index) const {
    const std::uint64_t bits = derive(rows_key_, index);
    return static_cast<std::uint32_t>(bits >> (64 - size_.row_bits));
  }
  void row_command(const ArbiterReference& state, ArbiterInputs& inputs) {
    if (random_.chance(knobs_.stray_rows)) {
      inputs.row_valid = true;
      inputs.row_open = random_.chance(50);
      inputs.row_bank = random_.below(size_.banks);
      inputs.row_row = row_number(random_.below(knobs_.rows));
      if (random_.chance(50)) {  // for the bank of the offered request: they meet in the same cycle
        inputs.row_bank = offer_.req_bank;
        if (random_.chance(50)) inputs.row_row = offer_.req_row;
      }
    } else if (wish_ && random_.chance(knobs_.row_commands)) {
      inputs.row_valid = true;
      inputs.row_open = state.bank(wish_bank_).open_row == kNoRow;
      inputs.row_bank = wish_bank_;
      inputs.row_row = wish_row_;
      wish_ = false;
    }
  }

  std::uint64_t rows_key_ = 0;
  std::uint32_t first_bank_ = 0;
  std::vector<std::uint32_t> free_ids_;
  std::size_t offered_id_ = 0;  ///< index into free_ids_
  ArbiterInputs offer_;         ///< the request that waits to be accepted
  bool offering_ = false;
  bool wish_ = false;  ///< the row of the last grant was closed: its row command is due
  std::uint32_t wish_bank_ = 0, wish_row_ = 0;
};

struct ArbiterRecording {
  std::vector<ArbiterEvent> events;  ///< events of one queue
  unsigned hit_cap = 0;
};

/// Renumbers rows with small numbers, as in a memory of realistic size. A GPU of the model has addresses of all sizes, so row
/// numbers have many bits that distinguish nothing. The 64 rows with the same upper bits get the next free number, as a page
/// of memory does when it is first touched. Equal rows stay equal, and neighbours stay neighbours.
inline std::vector<ArbiterEvent> with_short_rows(std::vector<ArbiterEvent> events) {
  constexpr unsigned kPageBits = 6;
  std::unordered_map<Row, Row> pages;
  for (ArbiterEvent& event : events) {
    const Row page = pages.emplace(event.row >> kPageBits, pages.size()).first->second;
    event.row = page << kPageBits | (event.row & ((Row{1} << kPageBits) - 1));
  }
  return events;
}

/// The traffic that the arbiter of a queue had in a run: at most one request, one row command and one decision per cycle.
///
/// An event waits for the next cycle if its port is taken, and a decision for a bank also if another event of the cycle
/// concerns the bank. So each burst of an access enters in a cycle of its own, and each decision is taken in the same state
/// as in the run.
///
/// The arbiter decides when a command of its answer is issued, as in a controller with one decision per cycle: for a column
/// command, which takes the request, and for a row command, which does not.
class PlayedArbiter : public Playback<ArbiterEvent> {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedArbiter(const ArbiterSize& size, const ArbiterRecording& recording)
      : Playback(recording.events), recording_(&recording) {
    unsigned waiting = 0, most = 0;
    for (const ArbiterEvent& event : recording.events) {
      played_at_most("bank", event.bank, size.banks - 1);
      played_at_most("application", event.application, size.applications - 1);
      played_at_most("row", event.row, largest_of(size.row_bits));
      if (event.kind == ArbiterEvent::Kind::kArrives) most = std::max(most, ++waiting);
      if (event.kind == ArbiterEvent::Kind::kServes) --waiting;
    }
    played_at_most("number of requests that wait", most, size.entries);
    played_at_most("cap on row hits", recording.hit_cap, size.has_cap ? kHighestHitCap : 0);
    for (unsigned id = size.entries; id-- > 0;) free_ids_.push_back(id);
  }

  ArbiterInputs reset() const {
    ArbiterInputs inputs;
    inputs.hit_cap = recording_->hit_cap;
    return inputs;
  }
  ArbiterInputs next(const ArbiterReference& state, const ArbiterExpected&) {
    asked_ = nullptr;
    inputs_.req_valid = inputs_.row_valid = inputs_.ask_valid = inputs_.grant_ready = false;
    inputs_.hit_cap = recording_->hit_cap;
    inputs_.rst_n = step([&](const ArbiterEvent& event) { return add(event, state); });
    return inputs_;
  }
  bool answer(ArbiterInputs& inputs, const ArbiterExpected& expected) const {
    inputs.grant_ready = asked_ && asked_->kind == ArbiterEvent::Kind::kServes;
    return expected.grant_valid && inputs.grant_ready;
  }
  void done(const ArbiterInputs& inputs, const ArbiterExpected& expected) {
    if (inputs.req_valid) free_ids_.pop_back();
    if (!asked_) return;
    const bool answered = expected.grant_valid;
    if (answered) ++counts_.answers;
    if (!answered || expected.request.row != asked_->row || expected.request.application != asked_->application)
      ++counts_.others;
    if (answered && inputs.grant_ready) free_ids_.push_back(expected.request.slot);
  }

 private:
  /// False if it must wait for the next cycle.
  bool add(const ArbiterEvent& event, const ArbiterReference& state) {
    using Of = ArbiterEvent::Kind;
    if (event.kind == Of::kArrives) {
      if (inputs_.req_valid || state.waiting() == state.size().entries) return false;
      inputs_.req_valid = true;
      inputs_.req_bank = event.bank;
      inputs_.req_row = static_cast<std::uint32_t>(event.row);
      inputs_.req_app = event.application;
      inputs_.req_id = free_ids_.back();
      return true;
    }
    const bool asks = event.kind != Of::kOpens && event.kind != Of::kCloses;
    const bool commands_row = event.kind != Of::kServes;
    const bool concerned =
        (inputs_.req_valid && inputs_.req_bank == event.bank) || (inputs_.row_valid && inputs_.row_bank == event.bank);
    if (asks && (inputs_.ask_valid || concerned)) return false;
    if (commands_row && inputs_.row_valid) return false;
    if (asks) {
      inputs_.ask_valid = true;
      inputs_.ask_bank = event.bank;
      asked_ = &event;
    }
    if (commands_row) {
      inputs_.row_valid = true;
      inputs_.row_open = event.kind == Of::kActivates || event.kind == Of::kOpens;
      inputs_.row_bank = event.bank;
      if (inputs_.row_open) inputs_.row_row = static_cast<std::uint32_t>(event.row);
    }
    return true;
  }

  const ArbiterRecording* recording_;
  ArbiterInputs inputs_;
  const ArbiterEvent* asked_ = nullptr;  ///< event of this cycle, with the answer in the run
  std::vector<std::uint32_t> free_ids_;
};

}  // namespace gputlm
