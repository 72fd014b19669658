/// Requests to one bank of a DRAM controller, without a GPU around it: what figure 5 of fr-rr-fcfs draws. Cycles are
/// those of the command clock.
#pragma once

#include <vector>

#include "models/dram/config.h"
#include "models/dram/scheduler.h"

namespace gputlm {

struct BankRequest {
  ApplicationId application = 0;
  Row row = 0;
};

/// The order, as positions in `requests`, in which a scheduler alone serves requests that are all there.
std::vector<std::size_t> order_of_policy(const DramConfig& config, const std::vector<BankRequest>& requests);

/// Order and time in which a whole controller ends requests that all arrive in cycle 0.
struct ServedRequest {
  std::size_t request;
  Cycle end;
};
std::vector<ServedRequest> serve(const DramConfig& config, const std::vector<BankRequest>& requests);

/// An application that reads one row of the bank, burst by burst and over again, with never more than `outstanding`
/// requests between arrival and response.
struct RowStream {
  Row row = 0;
  unsigned requests = 1;
  unsigned outstanding = 1;
  Cycle start = 0;  ///< of the first request
};

struct RowStreamOutcome {
  Cycle end = 0;           ///< of the last request
  Cycle longest_wait = 0;  ///< from a request's arrival to its response
};

/// Stream i is application i. All together may have as many requests outstanding as the controller's input holds.
std::vector<RowStreamOutcome> serve(const DramConfig& config, const std::vector<RowStream>& streams);

}  // namespace gputlm
