/// Figure 5 of fr-rr-fcfs: seven requests to one bank, through the policy alone and through the complete controller; and the
/// same with all seven from one application, for which section 4.1 says that taking turns is first come, first served.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/experiments/fr_rr_fcfs/bank.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

// Figure 5: three requests of application 1 to row 1, three more to row 2, one of application 2 to row 3.
const std::vector<BankRequest> kRequests{{0, 1}, {0, 1}, {0, 1}, {0, 2}, {0, 2}, {0, 2}, {1, 3}};
constexpr std::size_t kSecondApplication = 6;

std::string text(const std::vector<std::size_t>& order) { return fmt::format("{}", fmt::join(order, " ")); }

ExperimentReport example(const ExperimentOptions& options) {
  ExperimentReport report{"fr-rr-fcfs"};
  report.text =
      "Requests, in order of arrival: 0 1 2 of application 1 to row 1, 3 4 5 of application 1 to row 2,\n"
      "6 of application 2 to row 3. All are pending; the bank is closed.\n";
  const auto dram = [&](const std::string& policy) {
    return experiment_gpu("baseline60", {{"dram.scheduler", options.policy(policy)}}).dram;
  };
  Table moved({{"scheduler"}, {"request"}, {"until", "command cycles", "Until when its data has moved"}});
  std::vector<Cycle> waits;
  for (const std::string policy : {"fr_fcfs", "fr_rr_fcfs"}) {
    report.equal(policy + ", the policy", "example." + policy, text(order_of_policy(dram(policy), kRequests)));
    std::vector<std::size_t> order;
    for (const ServedRequest& served : serve(dram(policy), kRequests)) {
      order.push_back(served.request);
      moved.add({options.policy(policy), served.request, served.end});
      if (served.request == kSecondApplication) waits.push_back(served.end);
    }
    report.equal(policy + ", the controller", "example." + policy, text(order));
  }
  report.number("wait of application 2, fr_rr_fcfs over fr_fcfs", "example.wait",
                static_cast<double>(waits[1]) / static_cast<double>(waits[0]), 2, Band::below(1));
  std::vector<BankRequest> of_one = kRequests;
  for (BankRequest& request : of_one) request.application = 0;
  const std::string second = text(order_of_policy(dram("fr_rr_fcfs"), of_one));
  report.trend("requests of one application alone", "example.one_application", second, "as fr_fcfs",
               second == text(order_of_policy(dram("fr_fcfs"), of_one)));
  report.tables = {{"The controller", moved}};
  return report;
}

GPUTLM_REGISTER { add_experiment("fr-rr-fcfs/example", example); }

}  // namespace
}  // namespace gputlm
