/// The memory-request decision: which of a bank's pending requests the bank works for next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/dram/address_map.h"
#include "models/policy/policy.h"
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

class QueueView;

/// A bank's pending requests, oldest first.
class RequestView {
 public:
  RequestView(const Request* first, std::size_t count) : first_(first), count_(count) {}
  const Request* begin() const { return first_; }
  const Request* end() const { return first_ + count_; }
  std::size_t size() const { return count_; }
  const Request& operator[](std::size_t i) const { return first_[i]; }

 protected:
  const Request* first_;
  std::size_t count_;
};

/// How much a scheduler has to hear of the bank: everything, unless it says so.
struct SchedulerNeeds {
  bool events = true;  ///< arrived(), activated(), precharged(), served()
  /// False: it picks the oldest request, or one to the open row. So it need not be asked again when one to another row
  /// comes to a bank with requests.
  bool all_picks = true;
};

/// What one bank's pending requests are decided by. What a scheduler remembers is the bank's own: banks share nothing
/// that decides (fr-rr-fcfs, section 4.2). The controller tells it of everything that happens to the bank, in order.
class RequestScheduler : public PolicyObject {
 public:
  RequestScheduler() = default;
  explicit RequestScheduler(const SchedulerNeeds& needs) : needs_(needs) {}
  const SchedulerNeeds& needs() const { return needs_; }
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<RequestScheduler> guarded(std::unique_ptr<RequestScheduler> policy, const PolicySeam& seam);
  /// Throws InputError for a request that it cannot hold: hardware has limited bits for a row and an application.
  virtual void check(const Request& /*request*/) const {}
  /// `request` has joined the bank's pending requests, as the youngest.
  virtual void arrived(const Request& /*request*/) {}
  /// Index of the request that the bank works for. `candidates` is never empty; `open_row` is kNoRow when the bank is
  /// precharged. Asked again whenever the bank's requests or its row have changed (but see SchedulerNeeds), so a pick
  /// may be revised until its column command has been issued.
  virtual std::size_t pick(const RequestView& candidates, Row open_row) const = 0;
  virtual void activated(Row /*row*/) {}
  virtual void precharged() {}
  /// The column command of `request`, the last pick, has been issued; it is pending no more.
  virtual void served(const Request& /*request*/) {}

 private:
  SchedulerNeeds needs_;
};

/// The schedulers of a queue's banks, by bank.
using RequestSchedulers = std::vector<std::unique_ptr<RequestScheduler>>;

/// What the schedulers of a queue are made for.
struct SchedulerSetup {
  unsigned banks = 1;
  unsigned entries = 64;       ///< of the queue: requests pending at most, over all banks
  unsigned row_hit_cap = 0;    ///< DramConfig::row_hit_cap
  PolicyOptions options = {};  ///< DramConfig::options
  unsigned bank = 0;           ///< whose scheduler is made, where each has its own
  /// For queue_of(): what can be seen of the controller. Empty where there is none.
  std::function<const QueueView&()> queue = {};
};

/// For a policy that looks at more than its bank (queue_view.h); outlives the policy. Throws InputError where there is no
/// controller: where requests are played to a scheduler alone.
const QueueView& queue_of(const SchedulerSetup& setup);

/// The decision: of each policy, a scheduler a bank, or one that the banks of a queue share.
class RequestSchedulerDecision final : public Decision<std::function<RequestSchedulers(const SchedulerSetup&)>> {
 public:
  using Decision::Decision;
  /// Those that a plugin brings have their guards (models/policy/seam.h).
  void add(PolicyInfo info, std::function<RequestSchedulers(const SchedulerSetup&)> make);
  /// The policy of class `P`, which says the rest of itself: one for each bank.
  template <class P>
  void add(const PolicyInfo& info) {
    add(described_by<P>(info), [name = info.name](const SchedulerSetup& setup) {
      RequestSchedulers schedulers;
      SchedulerSetup of_bank = setup;
      for (of_bank.bank = 0; of_bank.bank < setup.banks; ++of_bank.bank)
        schedulers.push_back(make_policy<P>(of_bank, name));
      return schedulers;
    });
  }
};

/// All policies.
RequestSchedulerDecision& request_schedulers();
/// Makes the policy called `name`. Throws InputError if there is none.
RequestSchedulers make_request_schedulers(const std::string& name, const SchedulerSetup& setup);

}  // namespace gputlm
