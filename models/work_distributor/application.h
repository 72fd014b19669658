/// The application decision: whose kernels may be on the execution engine now (cuda-hierarchy, section III-A). Each
/// application has its own context (context.h), unless a policy puts all into one.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "models/kernel/launch.h"
#include "models/policy/policy.h"
#include "tlm/base/time.h"
#include "tlm/engine_share.h"
#include "tlm/identity.h"
#include "tlm/pending_work.h"

namespace gputlm {

/// A context as a policy sees it: the channel of its application.
struct Channel {
  bool has_work = false;  ///< it has kernels in flight, or launches that the host has announced (tlm/pending_work.h)
  Cycle since = 0;        ///< cycle since which it has work
};

/// A turn, in which a context has the engine to itself.
struct Turn {
  ApplicationId application = 0;
  Cycle length = kNever;  ///< cycles after which another context may have it; kNever: as long as it has work
};

/// What a context may have of the SMs, and its priority over others.
struct ContextLimits {
  SmSet sms = SmSet().set();
  unsigned threads = std::numeric_limits<unsigned>::max();  ///< threads resident on an SM at once, whole warps
  /// Among contexts that are on the engine together: kernels of a lower value are more urgent, regardless of their streams'
  /// priorities.
  unsigned client_priority = 0;
};

/// The policy, a pure decision: it is told what has happened since its last decision when it is asked for the next.
class ApplicationPolicy : public PolicyObject {
 public:
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<ApplicationPolicy> guarded(std::unique_ptr<ApplicationPolicy> policy, const PolicySeam& seam);
  /// Whether all contexts are on the engine at once; otherwise one at a time, in turn.
  virtual bool together() const { return false; }
  /// Whether running blocks are taken off the SMs at the end of a turn, at an instruction boundary, and continue in the next
  /// turn of their context; otherwise a turn ends when they do. Not used if contexts are together.
  virtual bool preempts_instructions() const { return false; }
  /// Whether taking blocks off takes as long as before, without packets of their state, if no kernel of a run uses memory.
  virtual bool learns_switches() const { return true; }
  /// Cycles to exchange one context for another, in addition to those for blocks; not part of a turn.
  virtual Cycle switch_cycles() const { return 0; }
  /// Whether, if contexts take turns, launches that wait for something other than kernels of their application, such as
  /// copies, also count as work. Otherwise the engine goes to others meanwhile.
  virtual bool waits_are_work() const { return false; }
  /// The limits of an application's context, for the whole run.
  virtual ContextLimits limits(ApplicationId /*application*/) const { return {}; }
  /// The next turn. Called when a turn ends: by time, whether or not others have work, or because nothing
  /// is left to do in it. `channels`: indexed by application; at least one has work, and one that has must be chosen. It may
  /// be the same as before, which then continues. Never called if contexts are together.
  virtual Turn next(const std::vector<Channel>& /*channels*/) { return {}; }
};

/// The parameters of a policy.
struct ApplicationSetup {
  std::vector<EngineShare> shares;  ///< indexed by application
  unsigned sms = 1;
  unsigned sm_threads = 1;     ///< threads that an SM holds
  Clock clock{1};              ///< clock of the cycles
  PolicyOptions options = {};  ///< WorkDistributorConfig::options
};

/// All policies. One with Property::kOneContext has a single context for all applications.
ObjectDecision<ApplicationPolicy, ApplicationSetup>& application_policies();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<ApplicationPolicy> make_application_policy(const std::string& name, const ApplicationSetup& setup);
/// What the host must know about the policy called `name`.
TurnTaking turn_taking(const std::string& name, const PolicyOptions& options);
/// Number of contexts that `applications` have under the policy called `name`.
std::size_t context_count(const std::string& name, std::size_t applications);

}  // namespace gputlm
