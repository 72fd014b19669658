/// Application: whose kernels may be on the execution engine now (cuda-hierarchy, section III-A). Each application has a
/// context of its own (context.h), unless a policy puts all into one.
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

/// What a policy sees of a context: the channel of its application.
struct Channel {
  bool has_work = false;  ///< kernels in flight, or launches of which the host has told (tlm/pending_work.h)
  Cycle since = 0;        ///< it has
};

/// A context has the engine for itself.
struct Turn {
  ApplicationId application = 0;
  Cycle length = kNever;  ///< after which another one may have it; kNever: as long as it has work
};

/// What a context may have of the SMs, and before whom.
struct ContextLimits {
  SmSet sms = SmSet().set();
  unsigned threads = std::numeric_limits<unsigned>::max();  ///< resident on an SM at once, whole warps
  /// Among contexts that are on the engine together: kernels of a lower one are more urgent, regardless of their streams'
  /// priorities.
  unsigned client_priority = 0;
};

/// The policy, a pure decision: what happens between two decisions, it is told when it is asked.
class ApplicationPolicy : public PolicyObject {
 public:
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<ApplicationPolicy> guarded(std::unique_ptr<ApplicationPolicy> policy, const PolicySeam& seam);
  /// All contexts are on the engine at once; otherwise one at a time, by turns.
  virtual bool together() const { return false; }
  /// At the end of a turn, running blocks are taken off the SMs, at an instruction boundary, and go on in the next turn of
  /// their context; otherwise it ends with them. Not where contexts are together.
  virtual bool preempts_instructions() const { return false; }
  /// Where no kernel of a run uses memory, taking blocks off is as long as it was before, without packets of their state.
  virtual bool learns_switches() const { return true; }
  /// What it takes to exchange one context for another, beside what becomes of blocks; no part of a turn.
  virtual Cycle switch_cycles() const { return 0; }
  /// Where turns are taken: launches that wait for something else than kernels of their application, copies for
  /// instance, are work as well. Otherwise the engine goes to others meanwhile.
  virtual bool waits_are_work() const { return false; }
  /// Of the context of an application, for the whole run.
  virtual ContextLimits limits(ApplicationId /*application*/) const { return {}; }
  /// Who has the engine next; asked when a turn ends: by time, with others that have work or none, or because nothing
  /// is left to do in it. `channels`: by application; at least one has work, and one that has is to be chosen. It may be
  /// the same as before, which goes on then. Never asked where contexts are together.
  virtual Turn next(const std::vector<Channel>& /*channels*/) { return {}; }
};

/// What a policy is made for.
struct ApplicationSetup {
  std::vector<EngineShare> shares;  ///< by application
  unsigned sms = 1;
  unsigned sm_threads = 1;     ///< that an SM holds
  Clock clock{1};              ///< of the cycles
  PolicyOptions options = {};  ///< WorkDistributorConfig::options
};

/// All policies. One with Property::kOneContext has a single context for all applications.
ObjectDecision<ApplicationPolicy, ApplicationSetup>& application_policies();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<ApplicationPolicy> make_application_policy(const std::string& name, const ApplicationSetup& setup);
/// What the host has to know of the policy called `name`.
TurnTaking turn_taking(const std::string& name, const PolicyOptions& options);
/// How many contexts `applications` have under the policy called `name`.
std::size_t context_count(const std::string& name, std::size_t applications);

}  // namespace gputlm
