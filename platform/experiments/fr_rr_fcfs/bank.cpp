#include "platform/experiments/fr_rr_fcfs/bank.h"

#include <algorithm>
#include <deque>

#include "models/dram/controller_core.h"

namespace gputlm {
namespace {

/// A controller with a link that always accepts its responses, driven cycle by cycle.
class Bank {
 public:
  explicit Bank(const DramConfig& config)
      : core_(config, 1, config.input_queue), map_(config),
        columns_(static_cast<unsigned>(config.row_bytes / config.burst_bytes)), burst_bytes_(config.burst_bytes) {}

  /// A read of a burst of `row`; `tag` comes back with the response.
  void arrive(Cycle at, ApplicationId application, Row row, std::size_t tag) {
    Access& access = accesses_.emplace_back();
    access.address = map_.address({0, row, next_column_++ % columns_});
    access.bytes = static_cast<std::uint16_t>(burst_bytes_);
    access.identity.application = application;
    access.tag = static_cast<std::uint32_t>(tag);
    access.issued = at;
    core_.requests(0).push(at, access);
  }
  /// Computes cycle `now` and calls `ended(access, cycle)` for each response that leaves in it.
  template <class F>
  void step(Cycle now, F ended) {
    core_.advance(now + 1);
    core_.requests(0).freed_slots().clear();
    auto& responses = core_.responses(0);
    for (const auto& departure : responses.departures()) {
      ended(*departure.item, departure.slot);
      responses.credit(now + 1, 1);
    }
    responses.departures().clear();
  }

 private:
  DramControllerCore core_;
  AddressMap map_;
  unsigned columns_, next_column_ = 0;
  unsigned burst_bytes_;
  std::deque<Access> accesses_;
};

}  // namespace

std::vector<std::size_t> order_of_policy(const DramConfig& config, const std::vector<BankRequest>& requests) {
  const auto count = static_cast<unsigned>(requests.size());
  const auto schedulers = make_request_schedulers(config.scheduler, {1, count, config.row_hit_cap});
  RequestScheduler& scheduler = *schedulers.front();
  std::vector<Request> pending;
  for (unsigned i = 0; i < count; ++i) {
    pending.push_back({requests[i].row, i, i, requests[i].application, false});
    scheduler.arrived(pending.back());
  }
  std::vector<std::size_t> order;
  for (Row open = kNoRow; !pending.empty();) {
    const std::size_t pick = scheduler.pick({pending.data(), pending.size()}, open);
    const Request request = pending[pick];
    if (request.row == open) {
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(pick));
      scheduler.served(request);
      order.push_back(request.slot);
    } else if (open == kNoRow) {
      open = request.row;
      scheduler.activated(open);
    } else {
      open = kNoRow;
      scheduler.precharged();
    }
  }
  return order;
}

std::vector<ServedRequest> serve(const DramConfig& config, const std::vector<BankRequest>& requests) {
  Bank bank(config);
  for (std::size_t i = 0; i < requests.size(); ++i) bank.arrive(0, requests[i].application, requests[i].row, i);
  std::vector<ServedRequest> served;
  for (Cycle now = 0; served.size() < requests.size(); ++now) {
    bank.step(now, [&](const Access& access, Cycle end) { served.push_back({access.tag, end}); });
  }
  return served;
}

std::vector<RowStreamOutcome> serve(const DramConfig& config, const std::vector<RowStream>& streams) {
  struct State {
    unsigned arrived = 0, ended = 0;
  };
  Bank bank(config);
  std::vector<State> states(streams.size());
  std::vector<RowStreamOutcome> outcomes(streams.size());
  const auto done = [&] {
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (states[i].ended < streams[i].requests) return false;
    }
    return true;
  };
  for (Cycle now = 0; !done(); ++now) {
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const RowStream& stream = streams[i];
      State& state = states[i];
      if (now < stream.start) continue;
      while (state.arrived < stream.requests && state.arrived - state.ended < stream.outstanding) {
        bank.arrive(now, static_cast<ApplicationId>(i), stream.row, i);
        ++state.arrived;
      }
    }
    bank.step(now, [&](const Access& access, Cycle end) {
      ++states[access.tag].ended;
      RowStreamOutcome& outcome = outcomes[access.tag];
      outcome.end = end;
      outcome.longest_wait = std::max(outcome.longest_wait, end - access.issued);
    });
  }
  return outcomes;
}

}  // namespace gputlm
