/// A day of an inference service: several networks on one GPU, requests that come at random, alone or in bursts, under
/// policies of every level. No paper has these numbers; what is judged is which way a policy has to move them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "platform/experiments/experiments.h"
#include "platform/experiments/service/service_run.h"
#include "platform/files/atomic_file.h"
#include "platform/files/text_table.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/sweep.h"

namespace gputlm {
namespace {

struct Policy {
  std::string name;
  ParameterSettings settings;
  bool urgent_first = false;  ///< the urgent network's stream has a priority
  bool shares = false;        ///< each network has an equal share of the SMs
};

const Policy& policy_of(const std::string& name) {
  const auto order = [](const char* kernel_order) {
    return ParameterSettings{{"work_distributor.kernel_order", kernel_order}};
  };
  const auto application = [](const char* policy) {
    return ParameterSettings{{"work_distributor.application", policy}};
  };
  static const std::array<Policy, 6> policies{Policy{"fifo", order("leftover")},
                                              {"priorities", order("leftover"), true},
                                              {"mpmax", order("mpmax")},
                                              {"srtf", order("srtf")},
                                              {"partitions", application("partitioned"), false, true},
                                              {"time_slices", application("time_sliced")}};
  const auto found = std::find_if(policies.begin(), policies.end(), [&](const Policy& p) { return p.name == name; });
  if (found == policies.end()) throw std::logic_error("service/day has no policy '" + name + "'");
  return *found;
}

using Case = std::pair<std::string, std::string>;  ///< policy, arrivals

/// What the day's networks get, by policy and arrivals.
class ServiceDay {
 public:
  explicit ServiceDay(const ExperimentOptions& options)
      : options_(options), matrix_(matrix("service/day", options.quick)) {
    const std::vector<std::string> names = matrix_.workloads().at(0);
    for (const std::string& name : names) networks_.push_back(service_network(name, options.seed));
    run_alone();
    run_day();
  }

  const std::vector<Network>& networks() const { return networks_; }
  std::vector<std::string> arrivals() const { return matrix_.values("arrivals"); }
  std::vector<std::string> policies() const { return matrix_.values("policy"); }
  std::size_t sections() const { return matrix_.values("day_percent").size(); }
  double simulated_ms() const { return static_cast<double>(section_ * sections()) / 1e12; }
  std::vector<Case> cases() const { return day_.keys(); }
  const ServiceResult& result(const Case& c) const { return day_.result(c); }
  std::uint64_t requests(std::size_t network) const { return requests_[network]; }
  std::uint64_t launches() const {
    std::uint64_t all = 0;
    for (std::size_t n = 0; n < networks_.size(); ++n) all += requests_[n] * networks_[n].layers.size();
    return all;
  }
  std::size_t urgent() const {
    const std::string name = matrix_.values("urgent").at(0);
    const auto found =
        std::find_if(networks_.begin(), networks_.end(), [&](const Network& n) { return n.name == name; });
    return static_cast<std::size_t>(found - networks_.begin());
  }
  double microseconds(double cycles) const { return cycles / clock_mhz_; }
  double alone(std::size_t network) const { return static_cast<double>(alone_[network]); }
  double p50(const Case& c, std::size_t network) const { return over_alone(c, network, &Served::p50); }
  double p99(const Case& c, std::size_t network) const { return over_alone(c, network, &Served::p99); }
  double p99(const Case& c, std::size_t network, std::size_t section) const {
    return static_cast<double>(result(c).networks[network].p99_by_section.at(section)) / alone(network);
  }
  double slowdown(const Case& c, std::size_t network) const {
    return result(c).networks[network].mean / alone(network);
  }
  /// Jain's index of how fast each network is on average, compared with alone.
  double fairness(const Case& c) const {
    std::vector<double> speeds;
    for (std::size_t n = 0; n < networks_.size(); ++n) speeds.push_back(1 / slowdown(c, n));
    return jain_index(speeds);
  }
  double requests_a_second(const Case& c) const {
    std::uint64_t all = 0;
    for (const Served& s : result(c).networks) all += s.requests;
    return static_cast<double>(all) / microseconds(static_cast<double>(result(c).cycles)) * 1e6;
  }

 private:
  GpuConfig gpu(const Policy& policy) const {
    ParameterSettings settings(matrix_.settings().begin(), matrix_.settings().end());
    settings.insert(settings.end(), policy.settings.begin(), policy.settings.end());
    return experiment_gpu(matrix_.gpu(), settings);
  }

  double over_alone(const Case& c, std::size_t network, Cycle Served::*time) const {
    return static_cast<double>(result(c).networks[network].*time) / alone(network);
  }

  /// A request of each network on an empty GPU.
  void run_alone() {
    Sweep<std::size_t, ServiceRun> sweep;
    const GpuConfig config = gpu(policy_of("fifo"));
    clock_mhz_ = config.core_mhz;
    for (std::size_t n = 0; n < networks_.size(); ++n) sweep.add(n, {config, {{networks_[n], {0}}}});
    sweep.run(options_.jobs());
    for (std::size_t n = 0; n < networks_.size(); ++n) alone_.push_back(sweep.result(n).networks.at(0).p50);
  }

  Requests requests_of(const std::string& arrivals) const {
    Day day;
    day.load = matrix_.numbers("load_percent").at(0) / 100.0;
    for (const unsigned percent : matrix_.numbers("day_percent")) day.sections.push_back(percent);
    day.launches = matrix_.numbers("launches").at(0);
    day.burst = arrivals == "bursty" ? matrix_.numbers("burst").at(0) : 1;
    day.seed = options_.seed;
    const std::vector<unsigned> shares = matrix_.numbers("share_percent");
    std::vector<Demand> demands;
    const Clock clock = Clock::from_mhz(clock_mhz_);
    for (std::size_t n = 0; n < networks_.size(); ++n) {
      demands.push_back(
          {clock.edge(alone_[n]), static_cast<unsigned>(networks_[n].layers.size()), shares.at(n) / 100.0});
    }
    return request_times(day, demands);
  }

  void run_day() {
    for (const std::string& arrivals : matrix_.values("arrivals")) {
      const Requests requests = requests_of(arrivals);
      section_ = requests.section;
      if (requests_.empty()) {
        for (const auto& times : requests.times) requests_.push_back(times.size());
      }
      for (const std::string& name : matrix_.values("policy")) {
        const Policy& policy = policy_of(name);
        ServiceRun run{gpu(policy), {}, {matrix_.values("day_percent").size(), requests.section}};
        for (std::size_t n = 0; n < networks_.size(); ++n) {
          Service service{networks_[n], requests.times[n]};
          service.priority = policy.urgent_first && n == urgent() ? -1 : 0;
          if (policy.shares) service.share.sm_percent = static_cast<unsigned>(100 / networks_.size());
          run.services.push_back(std::move(service));
        }
        day_.add({name, arrivals}, std::move(run));
      }
    }
    day_.run(options_.jobs());
  }

  ExperimentOptions options_;
  Matrix matrix_;
  double clock_mhz_ = 0;
  std::vector<Network> networks_;
  std::vector<Cycle> alone_;  ///< response time of a request on an empty GPU
  std::vector<std::uint64_t> requests_;
  Femtoseconds section_ = 0;
  Sweep<Case, ServiceRun> day_;
};

std::string text_of(const ServiceDay& day) {
  using Form = Column::Form;
  std::vector<TableRow> alone;
  for (std::size_t n = 0; n < day.networks().size(); ++n) {
    alone.push_back({day.networks()[n].name, fmt::to_string(day.networks()[n].layers.size()),
                     fmt::format("{:.1f}", day.microseconds(day.alone(n))), fmt::to_string(day.requests(n))});
  }
  std::vector<Column> columns{
      {"policy", Form::kKey}, {"arrivals", Form::kKey}, {"requests/s", Form::kNumber}, {"Jain", Form::kNumber}};
  for (const Network& n : day.networks()) columns.push_back({n.name, Form::kNumber});
  std::vector<TableRow> rows;
  for (const Case& c : day.cases()) {
    TableRow row{c.first, c.second, fmt::format("{:.0f}", day.requests_a_second(c)),
                 fmt::format("{:.2f}", day.fairness(c))};
    for (std::size_t n = 0; n < day.networks().size(); ++n)
      row.push_back(fmt::format("{:.1f} {:.1f}", day.p50(c, n), day.p99(c, n)));
    rows.push_back(std::move(row));
  }
  return table({{"network", Form::kKey},
                {"kernels", Form::kNumber},
                {"alone [us]", Form::kNumber},
                {"requests", Form::kNumber}},
               alone) +
         fmt::format("\n{} launches in {:.4g} ms.\n", day.launches(), day.simulated_ms()) +
         "\nMedian and 99th percentile of response times, as multiples of the time alone:\n" + table(columns, rows);
}

Chart chart_of(const ServiceDay& day, const char* axis, double (ServiceDay::*metric)(const Case&, std::size_t) const) {
  constexpr double kCut = 50;  // what waits for a whole burst of others would leave nothing to see of the rest
  BarChart chart{fmt::format("{} over the time alone, cut off at {:.0f}", axis, kCut), {}, {}};
  for (const Network& n : day.networks()) chart.series.push_back({n.name, ""});
  for (const Case& c : day.cases()) {
    BarChart::Group& group = chart.groups.emplace_back(BarChart::Group{c.first + ", " + c.second, {}});
    for (std::size_t n = 0; n < day.networks().size(); ++n) group.values.push_back(std::min(kCut, (day.*metric)(c, n)));
  }
  return chart;
}

/// A panel for each kind of arrivals: the tail of a network's response times over the day, a line a policy.
LineChart chart_over_day(const ServiceDay& day, std::size_t network) {
  LineChart chart;
  chart.title = day.networks()[network].name;
  for (const std::string& arrivals : day.arrivals()) {
    LineChart::Panel panel;
    panel.x_axis = "part of the day, " + arrivals;
    panel.y_axis = "99th percentile over the time alone";
    for (const std::string& policy : day.policies()) {
      LineChart::Line& line = panel.lines.emplace_back(LineChart::Line{policy, {}});
      for (std::size_t s = 0; s < day.sections(); ++s)
        line.points.emplace_back(static_cast<double>(s + 1), day.p99({policy, arrivals}, network, s));
    }
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

void write_files(const ServiceDay& day, const std::string& path) {
  std::string csv = "policy,arrivals,network,requests,alone_us,p50_us,p99_us,mean_us,requests_per_second,jain\n";
  for (const Case& c : day.cases()) {
    for (std::size_t n = 0; n < day.networks().size(); ++n) {
      const Served& s = day.result(c).networks[n];
      csv += fmt::format("{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.4f}\n", c.first, c.second,
                         day.networks()[n].name, s.requests, day.microseconds(day.alone(n)),
                         day.microseconds(static_cast<double>(s.p50)), day.microseconds(static_cast<double>(s.p99)),
                         day.microseconds(s.mean), day.requests_a_second(c), day.fairness(c));
    }
  }
  write_file(path + ".csv", csv);
  write_chart(path + "-p50.svg", chart_of(day, "median response time", &ServiceDay::p50));
  write_chart(path + "-p99.svg", chart_of(day, "99th percentile of response times", &ServiceDay::p99));
  for (std::size_t n = 0; n < day.networks().size(); ++n)
    write_chart(path + "-" + day.networks()[n].name + ".svg", chart_over_day(day, n));
}

/// `prioritised` stands for the policy that gives the urgent network a priority.
std::vector<Figure> figures_of(const ServiceDay& day, const std::string& prioritised) {
  std::vector<Figure> figures;
  const std::size_t urgent = day.urgent();
  const auto add = [&](std::string name, const char* direction, double ours, Band band, const char* why) {
    figures.push_back({std::move(name), direction, Quantity::number(ours, 2), std::move(band), why});
  };
  double least = 1;
  for (const Case& c : day.cases()) {
    for (std::size_t n = 0; n < day.networks().size(); ++n) {
      least = std::min(least,
                       static_cast<double>(day.result(c).networks[n].requests) / static_cast<double>(day.requests(n)));
    }
  }
  add("least share of requests served", "all", least, Band::range(1, 1, 2),
      "No policy may lose a request, nor answer one twice: the day ends when all are served.");
  for (const std::string arrivals : {"poisson", "bursty"}) {
    const Case fifo{"fifo", arrivals}, first{prioritised, arrivals};
    add(arrivals + ": urgent p99, priorities over fifo", "less", day.p99(first, urgent) / day.p99(fifo, urgent),
        Band::below(1), "What a priority is for; without preemption it still waits for blocks under way.");
  }
  double tail = 0, usual = 0;
  for (std::size_t n = 0; n < day.networks().size(); ++n) {
    tail += day.p99({"fifo", "bursty"}, n);
    usual += day.p99({"fifo", "poisson"}, n);
  }
  add("fifo: p99 of all networks, bursty over poisson", "more", tail / usual, Band::above(1),
      "The same requests in bursts wait for each other, in any queue.");
  return figures;
}

}  // namespace

ExperimentReport service_day(const ExperimentOptions& options, const std::string& prioritised) {
  const ServiceDay day(options);
  if (!options.out.empty()) write_files(day, options.out + "/service-day");
  return {text_of(day), figures_of(day, prioritised)};
}

GPUTLM_REGISTER {
  experiments().add({{"service/day", 901},
                     "A day of an inference service: latencies of its networks under six policies (no paper)",
                     [](const ExperimentOptions& options) { return service_day(options); }});
}

}  // namespace gputlm
