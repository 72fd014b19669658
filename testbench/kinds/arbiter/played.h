/// The traffic that the arbiter of a queue had in a run: at most one request, one row command and one decision per cycle.
///
/// An event waits for the next cycle if its port is taken, and a decision for a bank also if another event of the cycle
/// concerns the bank. So each burst of an access enters in a cycle of its own, and each decision is taken in the same state
/// as in the run.
///
/// The arbiter decides when a command of its answer is issued, as in a controller with one decision per cycle: for a column
/// command, which takes the request, and for a row command, which does not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/dram/decisions.h"
#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/played_limit.h"

namespace gputlm {

struct ArbiterRecording {
  std::vector<ArbiterEvent> events;  ///< of one queue
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

class PlayedArbiter {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedArbiter(const ArbiterSize& size, const ArbiterRecording& recording)
      : recording_(&recording), playback_(recording.events) {
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
    inputs_.rst_n = playback_.step([&](const ArbiterEvent& event) { return add(event, state); });
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
    if (answered) ++playback_.counts.answers;
    if (!answered || expected.request.row != asked_->row || expected.request.application != asked_->application)
      ++playback_.counts.others;
    if (answered && inputs.grant_ready) free_ids_.push_back(expected.request.slot);
  }

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

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
  Playback<ArbiterEvent> playback_;
  ArbiterInputs inputs_;
  const ArbiterEvent* asked_ = nullptr;  ///< in this cycle: the answer in the run
  std::vector<std::uint32_t> free_ids_;
};

}  // namespace gputlm
