#include "models/policy/policy.h"

#include <algorithm>
#include <stdexcept>

namespace gputlm {
namespace {

/// Decisions add themselves when they are made, which is when their first policy is added.
std::vector<const DecisionInfo*>& all_decisions() {
  static std::vector<const DecisionInfo*> all;
  return all;
}

}  // namespace

PropertyInfo info_of(Property property) {
  switch (property) {
    case Property::kNeedsAloneCycles: return {"needs_alone_cycles", "every launch must have alone_cycles"};
    case Property::kNeedsPredictor: return {"needs_predictor", "decides by predicted runtimes"};
    case Property::kHeedsPriorities: return {"heeds_priorities", "uses priorities of streams"};
    case Property::kHeedsDemands: return {"heeds_demands", "uses the demands of kernels"};
    case Property::kHeedsBudgets: return {"heeds_budgets", "uses budgets of launches"};
    case Property::kHeedsShares: return {"heeds_shares", "uses applications' shares of SMs and of their threads"};
    case Property::kSharesBudgets:
      return {"shares_budgets", "gives the unused part of an application's memory budget to others"};
    case Property::kHeedsTimeSlices:
      return {"heeds_time_slices", "uses time_slice_us and timeslice_priority of applications"};
    case Property::kOneContext: return {"one_context", "puts all applications into one context"};
    case Property::kRepeats:
      return {"repeats", "decides the same in the same state; of its history only the last choice matters"};
    case Property::kNeedsDurations:
      return {"needs_durations", "needs durations of blocks measured by gputlm calibrate"};
    case Property::kSendsRequests:
      return {"sends_requests", "accesses of its blocks load the memory, which lengthens their durations"};
  }
  return {"", ""};
}

std::vector<Field> policy_detail::counters_in(const CounterLayout& layout) {
  for (const Counter& counter : layout.counters) {
    if (counter.kind != Counter::Kind::kSum)
      throw std::logic_error("policy: '" + counter.name + "' is no single counter");
  }
  return layout.fields();
}

bool PolicyInfo::has(Property property) const {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

std::string_view options_owner(std::string_view policy) { return policy.substr(0, policy.find('@')); }

DecisionInfo::DecisionInfo(std::string name, unsigned rank, std::string parameter)
    : name_(std::move(name)), rank_(rank), parameter_(std::move(parameter)) {
  all_decisions().push_back(this);
}

std::vector<const PolicyInfo*> DecisionInfo::policies_with(Property property) const {
  std::vector<const PolicyInfo*> list = policies();
  list.erase(std::remove_if(list.begin(), list.end(), [=](const PolicyInfo* p) { return !p->has(property); }),
             list.end());
  return list;
}

std::vector<const DecisionInfo*> decisions() {
  Registration::run_pending();
  std::vector<const DecisionInfo*> list = all_decisions();
  // The order of registration depends on the order of linking.
  std::sort(list.begin(), list.end(), [](const DecisionInfo* a, const DecisionInfo* b) {
    return a->rank() != b->rank() ? a->rank() < b->rank() : a->parameter() < b->parameter();
  });
  return list;
}

const DecisionInfo& decision(std::string_view name) {
  for (const DecisionInfo* const one : decisions()) {
    if (one->name() == name) return *one;
  }
  throw std::logic_error("no decision '" + std::string(name) + "'");
}

}  // namespace gputlm
