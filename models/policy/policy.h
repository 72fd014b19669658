/// Decisions and the policies that take them. A policy is one file, which says everything about it:
///
///   class MyPolicy final : public WarpScheduler {
///    public:
///     struct Options {...};    // if it has some (models/policy/options.h)
///     struct Counters {...};   // if it counts something (tlm/base/counters.h)
///     MyPolicy(const WarpSchedulerSetup& setup, const Options& options);   // or of one of the two, or of neither
///     ...
///     void count(PolicyCounts& counts) const override { counts.add(counters_); }
///   };
///   GPUTLM_REGISTER { warp_schedulers().add<MyPolicy>({{"my_policy"}, "What it does in a line", "its source"}); }
///
/// `list policies`, `--set`, presets, checks, the configuration and the results then include it. docs/policies.md explains
/// how to write one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/policy/options.h"
#include "models/policy/seam.h"
#include "tlm/base/counters.h"
#include "tlm/base/registry.h"

namespace gputlm {

/// What a policy needs from a run, or uses of a workload; also used to detect settings without effect.
enum class Property : std::uint8_t {
  kNeedsAloneCycles,  ///< LaunchCommand::alone_cycles of every launch
  kNeedsPredictor,    ///< runtimes predicted by SlicingPredictor
  kHeedsPriorities,   ///< StreamSpec::priority
  kHeedsBudgets,      ///< LaunchCommand::budget
  kHeedsDemands,      ///< Kernel::demand
  kHeedsShares,       ///< EngineShare: shares of the SMs and of their threads
  kSharesBudgets,     ///< gives the unused part of an application's memory budget to others
  kHeedsTimeSlices,   ///< EngineShare::time_slice and timeslice_priority
  kOneContext,        ///< puts all applications into one context
  kRepeats,           ///< decisions depend only on the current state and its last choice
  kNeedsDurations,    ///< block durations measured by `gputlm calibrate`
  kSendsRequests,     ///< block durations measured on one SM; the memory model determines the rest
};
struct PropertyInfo {
  const char* name;
  const char* meaning;
};
PropertyInfo info_of(Property property);

/// The description of a policy.
struct PolicyInfo : Registered {
  std::string description;  ///< one-line description
  std::string source;       ///< source of the policy, such as a paper
  std::vector<Property> properties = {};
  // Filled in from the policy's own structs when it is added:
  std::vector<Field> options = {};
  std::vector<Field> counters = {};

  bool has(Property property) const;
};

/// The policy whose options a policy has: its own name, and for NAME@rtl, which decides the same in hardware, NAME.
std::string_view options_owner(std::string_view policy);

/// The summed counters of a policy's objects, in the order of PolicyInfo::counters.
class PolicyCounts {
 public:
  /// `Counters` describes single counters only (tlm/base/counters.h: counter()).
  template <class Counters>
  void add(const Counters& counters) {
    add(counter_layout<Counters>().sums(&counters).whole);
  }
  PolicyCounts& operator+=(const PolicyCounts& other) {
    add(other.values_);
    return *this;
  }
  const std::vector<std::uint64_t>& values() const { return values_; }

 private:
  void add(const std::vector<std::uint64_t>& values) {
    if (values_.size() < values.size()) values_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values_[i] += values[i];
  }
  std::vector<std::uint64_t> values_;
};

/// Base of the interfaces of policies that are objects.
class PolicyObject {
 public:
  virtual ~PolicyObject() = default;
  /// Adds its counters since construction.
  virtual void count(PolicyCounts& /*counts*/) const {}
};

/// A decision, as configurations, listings and results see it.
class DecisionInfo {
 public:
  /// `rank`: place among the decisions. `parameter`: the parameter that chooses the policy: "sm.warp_scheduler"; its first
  /// part is the unit whose configuration holds the options.
  DecisionInfo(std::string name, unsigned rank, std::string parameter);
  DecisionInfo(const DecisionInfo&) = delete;
  DecisionInfo& operator=(const DecisionInfo&) = delete;
  virtual ~DecisionInfo() = default;

  const std::string& name() const { return name_; }
  unsigned rank() const { return rank_; }
  const std::string& parameter() const { return parameter_; }
  /// "sm" of "sm.warp_scheduler"
  std::string unit() const { return parameter_.substr(0, parameter_.find('.')); }
  /// The policies, in the order of listings.
  virtual std::vector<const PolicyInfo*> policies() const = 0;
  /// Throws InputError, with the existing names, for an unknown name.
  virtual const PolicyInfo& policy(std::string_view name) const = 0;
  std::vector<const PolicyInfo*> policies_with(Property property) const;

 private:
  std::string name_;
  unsigned rank_;
  std::string parameter_;
};

/// All decisions that have policies, in the order of listings.
std::vector<const DecisionInfo*> decisions();
/// Throws std::logic_error for an unknown name.
const DecisionInfo& decision(std::string_view name);

template <class Make>
struct Policy : PolicyInfo {
  Policy(PolicyInfo info, Make how) : PolicyInfo(std::move(info)), make(std::move(how)) {}
  Make make;  ///< function that makes the policy, or its value
};

/// A decision and its policies.
template <class Make>
class Decision : public DecisionInfo {
 public:
  Decision(std::string name, unsigned rank, std::string parameter)
      : DecisionInfo(std::move(name), rank, parameter), table_(std::move(parameter)) {}

  /// Throws InputError if the name is taken.
  void add(PolicyInfo info, Make make) { table_.add({std::move(info), std::move(make)}); }

  const Policy<Make>& at(std::string_view name) const { return table_.at(name); }
  auto begin() const { return table_.begin(); }
  auto end() const { return table_.end(); }
  std::size_t size() const { return table_.size(); }

  std::vector<const PolicyInfo*> policies() const override {
    std::vector<const PolicyInfo*> list;
    for (const Policy<Make>& policy : table_) list.push_back(&policy);
    return list;
  }
  const PolicyInfo& policy(std::string_view name) const override { return at(name); }

 private:
  Registry<Policy<Make>> table_;
};

namespace policy_detail {

/// Throws std::logic_error for a counter that PolicyCounts does not sum.
std::vector<Field> counters_in(const CounterLayout& layout);

template <class P, class = void>
struct OptionsOf {
  struct type {
    template <class Visitor>
    static void describe(Visitor&) {}
  };
};
template <class P>
struct OptionsOf<P, std::void_t<typename P::Options>> {
  using type = typename P::Options;
};

template <class P, class = void>
struct CountersOf {
  static std::vector<Field> list() { return {}; }
};
template <class P>
struct CountersOf<P, std::void_t<typename P::Counters>> {
  static std::vector<Field> list() { return counters_in(counter_layout<typename P::Counters>()); }
};

}  // namespace policy_detail

/// Adds the class's description of the policy to `info`.
template <class P>
PolicyInfo described_by(PolicyInfo info) {
  info.options = option_list<typename policy_detail::OptionsOf<P>::type>();
  info.counters = policy_detail::CountersOf<P>::list();
  return info;
}

/// Makes a policy of class `P`, with whichever constructor it has and its options from `setup.options`.
template <class P, class Setup>
std::unique_ptr<P> make_policy(const Setup& setup, std::string_view name) {
  using Options = typename policy_detail::OptionsOf<P>::type;
  if constexpr (std::is_constructible_v<P, const Setup&, const Options&>) {
    return std::make_unique<P>(setup, read_options<Options>(setup.options, options_owner(name)));
  } else if constexpr (std::is_constructible_v<P, const Options&>) {
    return std::make_unique<P>(read_options<Options>(setup.options, options_owner(name)));
  } else if constexpr (std::is_constructible_v<P, const Setup&>) {
    return std::make_unique<P>(setup);
  } else {
    return std::make_unique<P>();
  }
}

/// A decision whose policies are objects, one made for each `Setup`. Interface::guarded() wraps one in a guard.
template <class Interface, class Setup>
class ObjectDecision final : public Decision<std::function<std::unique_ptr<Interface>(const Setup&)>> {
  using Base = Decision<std::function<std::unique_ptr<Interface>(const Setup&)>>;

 public:
  using Base::Base;
  /// A plugin's policy is guarded (seam.h). Throws InputError if the name is taken.
  void add(PolicyInfo info, std::function<std::unique_ptr<Interface>(const Setup&)> make) {
    if (const std::string& plugin = Registration::plugin(); !plugin.empty())
      make = guarded_make<Interface, Setup>(std::move(make), {Base::parameter(), info.name, plugin});
    Base::add(std::move(info), std::move(make));
  }
  /// Adds the policy of class `P`, which describes itself.
  template <class P>
  void add(const PolicyInfo& info) {
    add(described_by<P>(info), [name = info.name](const Setup& setup) { return make_policy<P>(setup, name); });
  }
};

}  // namespace gputlm
