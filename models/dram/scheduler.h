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
  std::uint64_t age;   ///< arrival number; smaller is older
  std::uint32_t slot;  ///< number of the controller's record of its access
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

/// Which calls a scheduler needs; default: all.
struct SchedulerNeeds {
  bool events = true;  ///< arrived(), activated(), precharged(), served()
  /// False: it picks the oldest request, or one to the open row. So no new pick is needed when a request to another row
  /// arrives at a bank with requests.
  bool all_picks = true;
};

/// Decides among one bank's pending requests. A scheduler's state belongs to its bank: banks share no deciding state
/// (fr-rr-fcfs, section 4.2). The controller reports all events of the bank, in order.
class RequestScheduler : public PolicyObject {
 public:
  RequestScheduler() = default;
  explicit RequestScheduler(const SchedulerNeeds& needs) : needs_(needs) {}
  const SchedulerNeeds& needs() const { return needs_; }
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<RequestScheduler> guarded(std::unique_ptr<RequestScheduler> policy, const PolicySeam& seam);
  /// Throws InputError for a request that it cannot represent: hardware has limited bits for a row and an application.
  virtual void check(const Request& /*request*/) const {}
  /// `request` has joined the bank's pending requests, as the youngest.
  virtual void arrived(const Request& /*request*/) {}
  /// Index of the request that the bank works for. `candidates` is never empty; `open_row` is kNoRow when the bank is
  /// precharged. Called again whenever the bank's requests or its row have changed (but see SchedulerNeeds), so a pick may
  /// change until its column command has been issued.
  virtual std::size_t pick(const RequestView& candidates, Row open_row) const = 0;
  virtual void activated(Row /*row*/) {}
  virtual void precharged() {}
  /// The column command of `request`, the last pick, has been issued; it is no longer pending.
  virtual void served(const Request& /*request*/) {}

 private:
  SchedulerNeeds needs_;
};

/// The schedulers of a queue's banks, indexed by bank.
using RequestSchedulers = std::vector<std::unique_ptr<RequestScheduler>>;

/// The parameters of a queue's schedulers.
struct SchedulerSetup {
  unsigned banks = 1;
  unsigned entries = 64;       ///< entries of the queue: maximum requests pending in all banks
  unsigned row_hit_cap = 0;    ///< DramConfig::row_hit_cap
  PolicyOptions options = {};  ///< DramConfig::options
  unsigned bank = 0;           ///< bank of the scheduler, if each has its own
  /// For queue_of(): the view of the controller; empty without a controller.
  std::function<const QueueView&()> queue = {};
};

/// A view for a policy that inspects more than its bank (queue_view.h); outlives the policy. Throws InputError without a
/// controller, when requests are played to a scheduler alone.
const QueueView& queue_of(const SchedulerSetup& setup);

/// The decision: each policy has a scheduler per bank, or one shared by the banks of a queue.
class RequestSchedulerDecision final : public Decision<std::function<RequestSchedulers(const SchedulerSetup&)>> {
 public:
  using Decision::Decision;
  /// Policies of plugins are guarded (models/policy/seam.h).
  void add(PolicyInfo info, std::function<RequestSchedulers(const SchedulerSetup&)> make);
  /// Adds the policy of class `P`, which describes itself: one object per bank.
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
