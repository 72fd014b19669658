/// Requests to one bank of a DRAM controller, without a GPU: the setting of figure 5 of fr-rr-fcfs. Cycles are those of the
/// command clock.
#pragma once

#include <vector>

#include "models/dram/config.h"
#include "models/dram/scheduler.h"

namespace gputlm {

struct BankRequest {
  ApplicationId application = 0;
  Row row = 0;
};

/// The order, as indices into `requests`, in which a scheduler by itself serves requests that are all present from the start.
std::vector<std::size_t> order_of_policy(const DramConfig& config, const std::vector<BankRequest>& requests);

/// Order and time in which a complete controller ends requests that all arrive in cycle 0.
struct ServedRequest {
  std::size_t request;
  Cycle end;
};
std::vector<ServedRequest> serve(const DramConfig& config, const std::vector<BankRequest>& requests);

/// An application that reads one row of the bank repeatedly, burst by burst, with at most `outstanding` requests between
/// arrival and response.
struct RowStream {
  Row row = 0;
  unsigned requests = 1;
  unsigned outstanding = 1;
  Cycle start = 0;  ///< cycle of the first request
};

struct RowStreamOutcome {
  Cycle end = 0;           ///< end of the last request
  Cycle longest_wait = 0;  ///< longest time from a request's arrival to its response
};

/// Stream i is application i. All streams together may have as many requests outstanding as the controller's input holds.
std::vector<RowStreamOutcome> serve(const DramConfig& config, const std::vector<RowStream>& streams);

}  // namespace gputlm
