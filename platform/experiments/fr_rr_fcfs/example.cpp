/// Figure 5 of fr-rr-fcfs: seven requests to one bank, through the policy alone and through the whole controller.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/bank.h"
#include "platform/lab/runs.h"

namespace gputlm {
namespace {

// Figure 5: three requests of application 1 to row 1, three more to row 2, one of application 2 to row 3.
const std::vector<BankRequest> kRequests{{0, 1}, {0, 1}, {0, 1}, {0, 2}, {0, 2}, {0, 2}, {1, 3}};
constexpr std::size_t kSecondApplication = 6;

struct Policy5 {
  const char* name;
  std::vector<std::size_t> paper;
};

std::string text(const std::vector<std::size_t>& order) { return fmt::format("{}", fmt::join(order, " ")); }

}  // namespace

ExperimentReport fr_rr_fcfs_example(const ExperimentOptions& /*options*/, const std::string& second_scheduler) {
  const std::vector<Policy5> policies{{"fr_fcfs", {0, 1, 2, 3, 4, 5, 6}}, {"fr_rr_fcfs", {0, 1, 2, 6, 3, 4, 5}}};
  ExperimentReport report;
  report.text =
      "Requests, in order of arrival: 0 1 2 of application 1 to row 1, 3 4 5 of application 1 to row 2,\n"
      "6 of application 2 to row 3. All are pending; the bank is closed.\n\n";
  std::vector<Cycle> waits;
  for (const Policy5& policy : policies) {
    const std::string scheduler = policy.name == std::string("fr_rr_fcfs") ? second_scheduler : policy.name;
    const GpuConfig gpu = experiment_gpu("baseline60", {{"dram.scheduler", scheduler}});
    report.figures.push_back(exact_figure(std::string(policy.name) + ", the policy", text(policy.paper),
                                          text(order_of_policy(gpu.dram, kRequests))));
    std::vector<std::size_t> order;
    report.text += fmt::format("{:<12} data moved until command cycle:", scheduler);
    for (const ServedRequest& served : serve(gpu.dram, kRequests)) {
      order.push_back(served.request);
      report.text += fmt::format("  {}:{}", served.request, served.end);
      if (served.request == kSecondApplication) waits.push_back(served.end);
    }
    report.text += '\n';
    report.figures.push_back(
        exact_figure(std::string(policy.name) + ", the controller", text(policy.paper), text(order)));
  }
  report.figures.push_back({"wait of application 2, fr_rr_fcfs over fr_fcfs", "substantially shorter",
                            fmt::format("{:.2f}", static_cast<double>(waits[1]) / static_cast<double>(waits[0])),
                            "below 1", waits[1] < waits[0], ""});
  return report;
}

}  // namespace gputlm
