/// Figure 5 of fr-rr-fcfs: seven requests to one bank, through the policy alone and through the whole controller; and the
/// same with all seven of one application, for which section 4.1 says that taking turns is first come, first served.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/bank.h"
#include "platform/lab/reference.h"
#include "platform/lab/runs.h"

namespace gputlm {
namespace {

// Figure 5: three requests of application 1 to row 1, three more to row 2, one of application 2 to row 3.
const std::vector<BankRequest> kRequests{{0, 1}, {0, 1}, {0, 1}, {0, 2}, {0, 2}, {0, 2}, {1, 3}};
constexpr std::size_t kSecondApplication = 6;

std::string text(const std::vector<std::size_t>& order) { return fmt::format("{}", fmt::join(order, " ")); }

}  // namespace

ExperimentReport fr_rr_fcfs_example(const ExperimentOptions& /*options*/, const std::string& second_scheduler) {
  const Reference& paper = reference("fr-rr-fcfs");
  ExperimentReport report;
  report.text =
      "Requests, in order of arrival: 0 1 2 of application 1 to row 1, 3 4 5 of application 1 to row 2,\n"
      "6 of application 2 to row 3. All are pending; the bank is closed.\n\n";
  std::vector<Cycle> waits;
  for (const std::string policy : {"fr_fcfs", "fr_rr_fcfs"}) {
    const std::string scheduler = policy == "fr_rr_fcfs" ? second_scheduler : policy;
    const Quantity& order_in_paper = paper.at("example." + policy);
    const GpuConfig gpu = experiment_gpu("baseline60", {{"dram.scheduler", scheduler}});
    report.figures.push_back(
        exact_figure(policy + ", the policy", order_in_paper, text(order_of_policy(gpu.dram, kRequests))));
    std::vector<std::size_t> order;
    report.text += fmt::format("{:<12} data moved until command cycle:", scheduler);
    for (const ServedRequest& served : serve(gpu.dram, kRequests)) {
      order.push_back(served.request);
      report.text += fmt::format("  {}:{}", served.request, served.end);
      if (served.request == kSecondApplication) waits.push_back(served.end);
    }
    report.text += '\n';
    report.figures.push_back(exact_figure(policy + ", the controller", order_in_paper, text(order)));
  }
  report.figures.push_back({"wait of application 2, fr_rr_fcfs over fr_fcfs", paper.at("example.wait"),
                            Quantity::number(static_cast<double>(waits[1]) / static_cast<double>(waits[0]), 2),
                            Band::below(1), ""});
  std::vector<BankRequest> of_one = kRequests;
  for (BankRequest& request : of_one) request.application = 0;
  const auto order = [&](const std::string& scheduler) {
    return text(order_of_policy(experiment_gpu("baseline60", {{"dram.scheduler", scheduler}}).dram, of_one));
  };
  const std::string of_fr_fcfs = order("fr_fcfs"), of_second = order(second_scheduler);
  report.figures.push_back({"requests of one application alone", paper.at("example.one_application"), of_second,
                            Band::trend("as fr_fcfs", of_second == of_fr_fcfs), ""});
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"fr-rr-fcfs/example", 301},
                     "In which order seven requests of two applications to a bank are served (figure 5)",
                     [](const ExperimentOptions& options) { return fr_rr_fcfs_example(options); }});
}

}  // namespace gputlm
