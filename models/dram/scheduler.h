/// The memory-request decision: which of a bank's pending requests the bank works for next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/dram/address_map.h"
#include "models/policy.h"
#include "tlm/access.h"

namespace gputlm {

/// One burst waiting in the controller's queue.
struct Request {
  Row row;
  std::uint64_t age;   ///< position in the order of arrival; smaller is older
  std::uint32_t slot;  ///< the controller's bookkeeping of the access it belongs to
  ApplicationId application;
  bool write;
};

/// A bank's pending requests, oldest first.
class RequestView {
 public:
  RequestView(const Request* first, std::size_t count) : first_(first), count_(count) {}
  const Request* begin() const { return first_; }
  const Request* end() const { return first_ + count_; }
  std::size_t size() const { return count_; }
  const Request& operator[](std::size_t i) const { return first_[i]; }

 private:
  const Request* first_;
  std::size_t count_;
};

/// One object a bank: what a scheduler remembers is the bank's own.
class RequestScheduler {
 public:
  virtual ~RequestScheduler() = default;
  /// Index of the request that the bank works for. `candidates` is never empty; `open_row` is kNoRow when the bank is
  /// precharged. Asked again whenever the bank's requests or its row have changed, so a pick may be revised until its
  /// column command has been issued; state changes in served() only.
  virtual std::size_t pick(const RequestView& candidates, Row open_row) const = 0;
  /// The column command of `request` has been issued.
  virtual void served(const Request& request) = 0;
};

/// All policies.
const std::vector<Policy<std::unique_ptr<RequestScheduler> (*)()>>& request_schedulers();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<RequestScheduler> make_request_scheduler(const std::string& name);

// One file each; registered in scheduler.cpp.
std::unique_ptr<RequestScheduler> make_fcfs();
std::unique_ptr<RequestScheduler> make_fr_fcfs();

}  // namespace gputlm
