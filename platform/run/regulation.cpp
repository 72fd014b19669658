#include "platform/run/regulation.h"

#include <fmt/format.h>

#include <map>

#include "models/work_distributor/application.h"
#include "platform/run/page_colours.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

template <class... Values>
[[noreturn]] void refuse_budget(const ApplicationSpec& application, fmt::format_string<Values...> format,
                                Values&&... values) {
  throw InputError(application.file, application.line,
                   "application " + application.name + ": " + fmt::format(format, std::forward<Values>(values)...));
}

std::vector<bool> slices_of(const GpuConfig& config, const ApplicationSpec& application) {
  const std::vector<unsigned> own = coloured_slices(config, application);
  std::vector<bool> slices(config.slices(), own.empty());
  for (const unsigned slice : own) slices[slice] = true;
  return slices;
}

/// Where the budget of an application is enforced.
std::vector<bool> places_of(const GpuConfig& config, const ApplicationSpec& application, const ContextLimits& limits) {
  if (regulator_places().at(config.noc.regulator_place).make == RegulatorPlace::kL2)
    return slices_of(config, application);
  const SmSet sms = limits.sms & application.sms.value_or(SmSet().set());
  std::vector<bool> places;
  for (unsigned sm = 0; sm < config.sms; ++sm) places.push_back(sms[sm]);
  return places;
}

/// Of all applications, as far as they are there.
std::vector<ContextLimits> limits_of(const GpuConfig& config, const std::vector<ApplicationSpec>& applications,
                                     const std::vector<bool>& is_there) {
  const WorkDistributorConfig& distribution = config.work_distributor;
  ApplicationSetup setup{{}, config.sms, config.sm.threads, Clock::from_mhz(config.core_mhz), distribution.options};
  for (std::size_t a = 0; a < applications.size(); ++a)
    setup.shares.push_back(is_there[a] ? applications[a].share : EngineShare());
  const auto policy = make_application_policy(distribution.application, setup);
  std::vector<ContextLimits> limits;
  for (std::size_t a = 0; a < applications.size(); ++a) limits.push_back(policy->limits(static_cast<ApplicationId>(a)));
  return limits;
}

bool has_budget(const ApplicationSpec& application) { return application.memory_budget.has_value(); }

}  // namespace

Regulation regulation_of(const GpuConfig& config, const Clock& clock, const std::vector<ApplicationSpec>& applications,
                         const std::vector<bool>& is_there) {
  Regulation regulation;
  if (std::none_of(applications.begin(), applications.end(), has_budget)) return regulation;
  regulation.policy = config.noc.regulator;
  const std::vector<ContextLimits> limits = limits_of(config, applications, is_there);
  for (std::size_t a = 0; a < applications.size(); ++a) {
    if (!is_there[a] || !has_budget(applications[a])) continue;
    const MemoryBudget& budget = *applications[a].memory_budget;
    regulation.applications.push_back(
        {static_cast<ApplicationId>(a), clock.at_or_after(budget.period), budget.reads, budget.writes});
    const std::vector<bool> places = places_of(config, applications[a], limits[a]);
    const auto count = static_cast<unsigned>(std::count(places.begin(), places.end(), true));
    regulation.budgets.resize(places.size());
    unsigned part = 0;
    for (std::size_t place = 0; place < places.size(); ++place)
      regulation.budgets[place].push_back(places[place] ? part_of_budget(budget.bytes, part++, count) : 0);
  }
  return regulation;
}

void check_budgets(const GpuConfig& whole, const GpusOfApplications& gpus, const Workload& workload) {
  const bool shares = bandwidth_regulators().at(whole.noc.regulator).has(Property::kSharesBudgets);
  std::map<std::string, const ApplicationSpec*> first;  // with a budget, by GPU
  std::map<std::string, unsigned> budgets;
  for (std::size_t a = 0; a < workload.applications.size(); ++a) {
    const ApplicationSpec& application = workload.applications[a];
    if (!has_budget(application)) continue;
    const GpuConfig& config = gpus.of(a);
    if (++budgets[config.name] > kMaxRegulated)
      refuse_budget(application, "found a budget too many, allowed: {} applications with one", kMaxRegulated);
    std::vector<bool> is_there;
    for (std::size_t b = 0; b < workload.applications.size(); ++b) is_there.push_back(gpus.of(b).name == config.name);
    const std::vector<bool> places =
        places_of(config, application, limits_of(config, workload.applications, is_there)[a]);
    const auto count = static_cast<Bytes>(std::count(places.begin(), places.end(), true));
    const MemoryBudget& budget = *application.memory_budget;
    if (budget.bytes < count) {
      refuse_budget(application, "found memory_budget.bytes {}, allowed: {} or more, a byte for each {}", budget.bytes,
                    count, config.noc.regulator_place == "l2" ? "L2 slice" : "SM");
    }
    const ApplicationSpec& other = *first.try_emplace(config.name, &application).first->second;
    if (shares && other.memory_budget->period != budget.period) {
      refuse_budget(
          application,
          "found memory_budget.period_us {}, allowed: {}, that of application {}, as noc.regulator={} gives what "
          "one leaves to others",
          static_cast<double>(budget.period) / 1e9, static_cast<double>(other.memory_budget->period) / 1e9, other.name,
          config.noc.regulator);
    }
  }
}

}  // namespace gputlm
