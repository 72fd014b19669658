#include "models/dram/scheduler.h"

namespace gputlm {
namespace {

class GuardedRequestScheduler final : public RequestScheduler {
 public:
  GuardedRequestScheduler(std::unique_ptr<RequestScheduler> policy, PolicySeam seam)
      : RequestScheduler(policy->needs()), policy_(std::move(policy)), seam_(std::move(seam)) {}
  void check(const Request& request) const override {
    seam_.call("check()", [&] { policy_->check(request); });
  }
  void arrived(const Request& request) override {
    seam_.call("arrived()", [&] { policy_->arrived(request); });
  }
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    const std::size_t index = seam_.call("pick()", [&] { return policy_->pick(candidates, open_row); });
    if (index < candidates.size()) return index;
    seam_.refuse("pick()", "index " + std::to_string(index),
                 numbers_below(candidates.size()) + ", the bank's pending requests");
  }
  void activated(Row row) override {
    seam_.call("activated()", [&] { policy_->activated(row); });
  }
  void precharged() override {
    seam_.call("precharged()", [&] { policy_->precharged(); });
  }
  void served(const Request& request) override {
    seam_.call("served()", [&] { policy_->served(request); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<RequestScheduler> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<RequestScheduler> RequestScheduler::guarded(std::unique_ptr<RequestScheduler> policy,
                                                            const PolicySeam& seam) {
  return std::make_unique<GuardedRequestScheduler>(std::move(policy), seam);
}

RequestSchedulerDecision& request_schedulers() {
  static RequestSchedulerDecision all("memory request", 5, "dram.scheduler");
  return all;
}

void RequestSchedulerDecision::add(PolicyInfo info, std::function<RequestSchedulers(const SchedulerSetup&)> make) {
  if (const std::string& plugin = Registration::plugin(); !plugin.empty()) {
    make = [make = std::move(make), seam = PolicySeam(parameter(), info.name, plugin)](const SchedulerSetup& setup) {
      RequestSchedulers schedulers = seam.call("its constructor", [&] { return make(setup); });
      for (std::unique_ptr<RequestScheduler>& one : schedulers) one = RequestScheduler::guarded(std::move(one), seam);
      return schedulers;
    };
  }
  Decision::add(std::move(info), std::move(make));
}

RequestSchedulers make_request_schedulers(const std::string& name, const SchedulerSetup& setup) {
  return request_schedulers().at(name).make(setup);
}

}  // namespace gputlm
