/// Constrained-random traffic for an arbiter: realistic traffic of a controller, and anything else that the ports allow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "models/kernel/random.h"
#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

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

class ArbiterTraffic : public EndlessTraffic {
 public:
  ArbiterTraffic(const ArbiterSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : size_(size), fixed_(fixed), random_(mix(seed)), free_ids_(size.entries) {
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
    inputs.rst_n = !reset_due_ && random_.below(10000) >= knobs_.resets;
    reset_due_ = false;
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
      if (random_.chance(50)) {  // for the offered request: they meet in the same cycle
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

  ArbiterSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  ArbiterKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  std::uint64_t rows_key_ = 0;
  std::uint32_t first_bank_ = 0;
  bool reset_due_ = false;  ///< at the start of the episode
  std::vector<std::uint32_t> free_ids_;
  std::size_t offered_id_ = 0;  ///< index into free_ids_
  ArbiterInputs offer_;         ///< the request that waits to be accepted
  bool offering_ = false;
  bool wish_ = false;  ///< the row of the last grant was closed: its row command is due
  std::uint32_t wish_bank_ = 0, wish_row_ = 0;
};

}  // namespace gputlm
