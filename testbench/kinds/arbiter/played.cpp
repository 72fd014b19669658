#include "testbench/kinds/arbiter/played.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "testbench/lockstep/played_limit.h"

namespace gputlm {

std::vector<ArbiterEvent> with_short_rows(std::vector<ArbiterEvent> events) {
  constexpr unsigned kPageBits = 6;
  std::unordered_map<Row, Row> pages;
  for (ArbiterEvent& event : events) {
    const Row page = pages.emplace(event.row >> kPageBits, pages.size()).first->second;
    event.row = page << kPageBits | (event.row & ((Row{1} << kPageBits) - 1));
  }
  return events;
}

PlayedArbiter::PlayedArbiter(const ArbiterSize& size, const ArbiterRecording& recording)
    : recording_(&recording), playback_(recording.events) {
  unsigned waiting = 0, most = 0;
  for (const ArbiterEvent& event : recording.events) {
    played_at_most("bank", event.bank, size.banks - 1);
    played_at_most("application", event.application, size.applications - 1);
    played_at_most("row", event.row, (std::uint64_t{1} << size.row_bits) - 1);
    if (event.kind == ArbiterEvent::Kind::kArrives) most = std::max(most, ++waiting);
    if (event.kind == ArbiterEvent::Kind::kServes) --waiting;
  }
  played_at_most("number of requests that wait", most, size.entries);
  played_at_most("cap on row hits", recording.hit_cap, size.has_cap ? 255 : 0);
  for (unsigned id = size.entries; id-- > 0;) free_ids_.push_back(id);
}

ArbiterInputs PlayedArbiter::next(const ArbiterReference& state) {
  asked_ = nullptr;
  inputs_.req_valid = inputs_.row_valid = inputs_.ask_valid = inputs_.grant_ready = false;
  inputs_.hit_cap = recording_->hit_cap;
  inputs_.rst_n = playback_.step([&](const ArbiterEvent& event) { return add(event, state); });
  return inputs_;
}

/// False if it has to wait for the next cycle.
bool PlayedArbiter::add(const ArbiterEvent& event, const ArbiterReference& state) {
  using Kind = ArbiterEvent::Kind;
  if (event.kind == Kind::kArrives) {
    if (inputs_.req_valid || state.waiting() == state.size().entries) return false;
    inputs_.req_valid = true;
    inputs_.req_bank = event.bank;
    inputs_.req_row = static_cast<std::uint32_t>(event.row);
    inputs_.req_app = event.application;
    inputs_.req_id = free_ids_.back();
    return true;
  }
  const bool asks = event.kind != Kind::kOpens && event.kind != Kind::kCloses;
  const bool commands_row = event.kind != Kind::kServes;
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
    inputs_.row_open = event.kind == Kind::kActivates || event.kind == Kind::kOpens;
    inputs_.row_bank = event.bank;
    if (inputs_.row_open) inputs_.row_row = static_cast<std::uint32_t>(event.row);
  }
  return true;
}

void PlayedArbiter::done(const ArbiterInputs& inputs, const ArbiterExpected& expected) {
  if (inputs.req_valid) free_ids_.pop_back();
  if (!asked_) return;
  const bool answered = expected.grant_valid;
  if (answered) ++playback_.counts.answers;
  if (!answered || expected.request.row != asked_->row || expected.request.application != asked_->application)
    ++playback_.counts.others;
  if (answered && inputs.grant_ready) free_ids_.push_back(expected.request.slot);
}

}  // namespace gputlm
