// How the memory budgets of a workload (models/regulator/budget.h) are divided among the places in a part of the GPU that
// enforce them: its SMs or its L2 slices, by NocConfig::regulator_place.
#include <algorithm>
#include <map>

#include "models/work_distributor/application.h"
#include "platform/run/shares.h"

namespace gputlm {
namespace {

std::vector<bool> slices_of(const GpuConfig& config, const ApplicationSpec& application) {
  const std::vector<unsigned> own = coloured_slices(config, application);
  std::vector<bool> slices(config.slices(), own.empty());
  for (const unsigned slice : own) slices[slice] = true;
  return slices;
}

/// The places that enforce an application's budget.
std::vector<bool> places_of(const GpuConfig& config, const ApplicationSpec& application, const ContextLimits& limits) {
  if (regulator_places().at(config.noc.regulator_place).make == RegulatorPlace::kL2)
    return slices_of(config, application);
  const SmSet sms = limits.sms & application.sms.value_or(SmSet().set());
  std::vector<bool> places;
  for (unsigned sm = 0; sm < config.sms; ++sm) places.push_back(sms[sm]);
  return places;
}

/// The limits of all applications that run on a part.
std::vector<ContextLimits> limits_on(const Sharing& s, std::size_t part) {
  const GpuConfig& config = s.parts[part].config;
  const WorkDistributorConfig& distribution = config.work_distributor;
  const auto policy = make_application_policy(
      distribution.application, {s.parts.engine_shares(part, s.applications()), config.sms, config.sm.threads,
                                 Clock::from_mhz(config.core_mhz), distribution.options});
  std::vector<ContextLimits> limits;
  for (std::size_t a = 0; a < s.applications().size(); ++a)
    limits.push_back(policy->limits(static_cast<ApplicationId>(a)));
  return limits;
}

void check_budgets(const Sharing& s) {
  const bool shares = bandwidth_regulators().at(s.gpu.noc.regulator).has(Property::kSharesBudgets);
  std::map<std::string, const ApplicationSpec*> first;  // first application with a budget, by GPU
  std::map<std::string, unsigned> budgets;
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    const ApplicationSpec& application = s.applications()[a];
    if (!application.memory_budget) continue;
    const GpuConfig& config = s.parts.gpu_of(a);
    if (++budgets[config.name] > kMaxRegulated)
      refuse(application, "found one budget too many, allowed: {} applications with one", kMaxRegulated);
    const std::vector<bool> places = places_of(config, application, limits_on(s, s.parts.of(a))[a]);
    const auto count = static_cast<Bytes>(std::count(places.begin(), places.end(), true));
    const MemoryBudget& budget = *application.memory_budget;
    if (budget.bytes < count) {
      refuse(application, "found memory_budget.bytes {}, allowed: {} or more, a byte for each {}", budget.bytes, count,
             config.noc.regulator_place == "l2" ? "L2 slice" : "SM");
    }
    const ApplicationSpec& other = *first.try_emplace(config.name, &application).first->second;
    if (shares && other.memory_budget->period != budget.period) {
      refuse(application,
             "found memory_budget.period_us {}, allowed: {}, that of application {}, since noc.regulator={} gives "
             "unused budget to others",
             static_cast<double>(budget.period) / 1e9, static_cast<double>(other.memory_budget->period) / 1e9,
             other.name, config.noc.regulator);
    }
  }
}

void set_up_budgets(const Sharing& s, std::size_t part, PartShares& shares) {
  const auto has_budget = [](const ApplicationSpec& application) { return application.memory_budget.has_value(); };
  if (std::none_of(s.applications().begin(), s.applications().end(), has_budget)) return;
  const GpuConfig& config = s.parts[part].config;
  const Clock clock = config.noc.clock(Clock::from_mhz(config.core_mhz));
  Regulation& regulation = shares.regulation;
  regulation.policy = config.noc.regulator;
  const std::vector<ContextLimits> limits = limits_on(s, part);
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    if (s.parts.of(a) != part || !has_budget(s.applications()[a])) continue;
    const MemoryBudget& budget = *s.applications()[a].memory_budget;
    regulation.applications.push_back(
        {static_cast<ApplicationId>(a), clock.at_or_after(budget.period), budget.reads, budget.writes});
    const std::vector<bool> places = places_of(config, s.applications()[a], limits[a]);
    const auto count = static_cast<unsigned>(std::count(places.begin(), places.end(), true));
    regulation.budgets.resize(places.size());
    unsigned next = 0;
    for (std::size_t place = 0; place < places.size(); ++place)
      regulation.budgets[place].push_back(places[place] ? part_of_budget(budget.bytes, next++, count) : 0);
  }
}

}  // namespace

const ShareMechanism kMemoryBudgets{check_budgets, set_up_budgets, nullptr};

}  // namespace gputlm
