/// A day of an inference service: several networks on one GPU, with random requests, single or in bursts, under policies of
/// every level. No paper has these numbers; the direction in which a policy must move them is judged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "platform/experiments/service/service_run.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

struct Policy {
  std::string name;
  ParameterSettings settings;
  bool urgent_first = false;  ///< the urgent network's stream has a priority
  bool shares = false;        ///< each network gets an equal share of the SMs
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

using ServiceCase = std::pair<std::string, std::string>;  ///< policy, arrivals

/// The response times of the day's networks, by policy and arrivals.
class ServiceDay {
 public:
  explicit ServiceDay(const ExperimentOptions& options) : options_(options), plan_(plan("service/day", options)) {
    const std::vector<std::string> names = plan_.programs().at(0);
    for (const std::string& name : names) networks_.push_back(service_network(name, options.seed));
    run_alone();
    run_day();
  }

  const std::vector<Network>& networks() const { return networks_; }
  std::size_t sections() const { return plan_.values("day_percent").size(); }
  double simulated_ms() const { return static_cast<double>(section_ * sections()) / 1e12; }
  std::vector<ServiceCase> cases() const { return day_.keys(); }
  const ServiceResult& result(const ServiceCase& c) const { return day_.result(c); }
  std::uint64_t requests(std::size_t network) const { return requests_[network]; }
  std::uint64_t launches() const {
    std::uint64_t all = 0;
    for (std::size_t n = 0; n < networks_.size(); ++n) all += requests_[n] * networks_[n].layers.size();
    return all;
  }
  std::size_t urgent() const {
    const std::string name = plan_.values("urgent").at(0);
    const auto found =
        std::find_if(networks_.begin(), networks_.end(), [&](const Network& n) { return n.name == name; });
    return static_cast<std::size_t>(found - networks_.begin());
  }
  double microseconds(double cycles) const { return cycles / clock_mhz_; }
  double alone(std::size_t network) const { return static_cast<double>(alone_[network]); }
  double p50(const ServiceCase& c, std::size_t network) const { return over_alone(c, network, &Served::p50); }
  double p99(const ServiceCase& c, std::size_t network) const { return over_alone(c, network, &Served::p99); }
  double p99(const ServiceCase& c, std::size_t network, std::size_t section) const {
    return static_cast<double>(result(c).networks[network].p99_by_section.at(section)) / alone(network);
  }
  double slowdown(const ServiceCase& c, std::size_t network) const {
    return result(c).networks[network].mean / alone(network);
  }
  /// Jain's index of the networks' mean speeds relative to alone.
  double fairness(const ServiceCase& c) const {
    std::vector<double> speeds;
    for (std::size_t n = 0; n < networks_.size(); ++n) speeds.push_back(1 / slowdown(c, n));
    return jain_index(speeds);
  }
  double requests_a_second(const ServiceCase& c) const {
    std::uint64_t all = 0;
    for (const Served& s : result(c).networks) all += s.requests;
    return static_cast<double>(all) / microseconds(static_cast<double>(result(c).cycles)) * 1e6;
  }

 private:
  GpuConfig gpu(const Policy& policy) const { return plan_.config_with(policy.settings); }

  double over_alone(const ServiceCase& c, std::size_t network, Cycle Served::*time) const {
    return static_cast<double>(result(c).networks[network].*time) / alone(network);
  }

  /// One request of each network on an empty GPU.
  void run_alone() {
    RunSet<std::size_t, ServiceRun> runs;
    const GpuConfig config = gpu(policy_of("fifo"));
    clock_mhz_ = config.core_mhz;
    for (std::size_t n = 0; n < networks_.size(); ++n) runs.add(n, {config, {{networks_[n], {0}}}});
    runs.run(options_.jobs());
    for (std::size_t n = 0; n < networks_.size(); ++n) alone_.push_back(runs.result(n).networks.at(0).p50);
  }

  Requests requests_of(const std::string& arrivals) const {
    Day day;
    day.load = plan_.number("load_percent") / 100.0;
    for (const unsigned percent : plan_.numbers("day_percent")) day.sections.push_back(percent);
    day.launches = plan_.number("launches");
    day.burst = arrivals == "bursty" ? plan_.number("burst") : 1;
    day.seed = options_.seed;
    const std::vector<unsigned> shares = plan_.numbers("share_percent");
    std::vector<Demand> demands;
    const Clock clock = Clock::from_mhz(clock_mhz_);
    for (std::size_t n = 0; n < networks_.size(); ++n) {
      demands.push_back(
          {clock.edge(alone_[n]), static_cast<unsigned>(networks_[n].layers.size()), shares.at(n) / 100.0});
    }
    return request_times(day, demands);
  }

  void run_day() {
    for (const std::string& arrivals : plan_.values("arrivals")) {
      const Requests requests = requests_of(arrivals);
      section_ = requests.section;
      if (requests_.empty()) {
        for (const auto& times : requests.times) requests_.push_back(times.size());
      }
      for (const std::string& name : plan_.values("policy")) {
        const Policy& policy = policy_of(name);
        ServiceRun run{gpu(policy), {}, {plan_.values("day_percent").size(), requests.section}};
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
  Study plan_;
  double clock_mhz_ = 0;
  std::vector<Network> networks_;
  std::vector<Cycle> alone_;  ///< response time of a request on an empty GPU
  std::vector<std::uint64_t> requests_;
  Femtoseconds section_ = 0;
  RunSet<ServiceCase, ServiceRun> day_;
};

void add_tables(const ServiceDay& day, ExperimentReport& report) {
  Table alone({{"network"}, {"kernels"}, {"alone_us", "us", "A request on an empty GPU", "alone", 1}, {"requests"}});
  Table all({{"policy"},
             {"arrivals"},
             {"network"},
             {"requests"},
             {"alone_us", "us", "Response time on an empty GPU", "", 3},
             {"p50_us", "us", "Median response time", "", 3},
             {"p99_us", "us", "99th percentile of response times", "", 3},
             {"mean_us", "us", "Mean response time", "", 3},
             {"p50", "", "median response time over the time alone", "", 1},
             {"p99", "", "99th percentile of response times over the time alone", "", 1},
             {"requests_per_second", "1/s", "Rate of all networks", "", 0},
             {"jain", "", "Jain's index of the networks' speeds", "Jain", 2}});
  Table parts({{"network"},
               {"policy"},
               {"arrivals"},
               {"part", "", "part of the day"},
               {"p99", "", "99th percentile over the time alone", "", 1}});
  for (std::size_t n = 0; n < day.networks().size(); ++n) {
    alone.add(
        {day.networks()[n].name, day.networks()[n].layers.size(), day.microseconds(day.alone(n)), day.requests(n)});
  }
  for (const ServiceCase& c : day.cases()) {
    for (std::size_t n = 0; n < day.networks().size(); ++n) {
      const Served& s = day.result(c).networks[n];
      const auto us = [&](Cycle cycles) { return day.microseconds(static_cast<double>(cycles)); };
      all.add({c.first, c.second, day.networks()[n].name, s.requests, day.microseconds(day.alone(n)), us(s.p50),
               us(s.p99), day.microseconds(s.mean), day.p50(c, n), day.p99(c, n), day.requests_a_second(c),
               day.fairness(c)});
      for (std::size_t part = 0; part < day.sections(); ++part)
        parts.add({day.networks()[n].name, c.first, c.second, part + 1, day.p99(c, n, part)});
    }
  }
  const std::vector<std::string> of_case{"policy", "arrivals"};
  const Table over_alone = pivot(all, of_case, "network", {"p50", "p99"});
  report.tables = {
      {fmt::format("{} launches in {:.4g} ms", day.launches(), day.simulated_ms()), alone, "alone"},
      {"Requests a second of all networks, and how fair a policy is",
       means(all, of_case, {"requests_per_second", "jain"}), "policies"},
      {"Median and 99th percentile of response times, as multiples of the time alone", over_alone, "over-alone"},
      {"", all},
      {"", parts, "parts"}};
  for (const char* metric : {"p50", "p99"}) {
    constexpr double kCut = 50;  // waits for a whole burst of others would dwarf everything else
    std::vector<std::string> bars;
    for (const Network& n : day.networks()) bars.push_back(std::string(metric) + "_" + n.name);
    report.charts.push_back(
        {bar_chart(over_alone, all.columns()[all.column(metric)].meaning, of_case, bars, kCut), metric});
  }
  for (const Network& n : day.networks()) {
    LineChart chart = line_chart(lines_with(parts, "network", n.name), {"part", "p99", {"policy"}, "arrivals"});
    chart.title = n.name;
    report.charts.push_back({std::move(chart), n.name});
  }
}

void add_figures(const ServiceDay& day, const std::string& prioritised, ExperimentReport& report) {
  const std::size_t urgent = day.urgent();
  const auto add = [&](std::string name, const char* direction, double ours, Band band, const char* why) {
    report.figures.push_back({std::move(name), direction, Quantity::number(ours, 2), std::move(band), why});
  };
  double least = 1;
  for (const ServiceCase& c : day.cases()) {
    for (std::size_t n = 0; n < day.networks().size(); ++n) {
      least = std::min(least,
                       static_cast<double>(day.result(c).networks[n].requests) / static_cast<double>(day.requests(n)));
    }
  }
  add("least share of requests served", "all", least, Band::range(1, 1, 2),
      "No policy may lose a request, nor answer one twice: the day ends when all are served.");
  for (const std::string arrivals : {"poisson", "bursty"}) {
    const ServiceCase fifo{"fifo", arrivals}, first{prioritised, arrivals};
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
}

ExperimentReport service_day(const ExperimentOptions& options) {
  // The runs of all policies, so that a replaced policy need not run.
  ExperimentOptions all = options;
  all.instead.clear();
  const ServiceDay day(all);
  ExperimentReport report;
  add_tables(day, report);
  add_figures(day, options.policy("priorities"), report);
  return report;
}

GPUTLM_REGISTER {
  add_experiment("service/day", service_day,
                 {"policy", "arrivals", "urgent", "share_percent", "load_percent", "day_percent", "burst", "launches"});
}

}  // namespace
}  // namespace gputlm
