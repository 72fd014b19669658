/// The admission decision: which application's access enters the scheduler's queue next, if applications are admitted
/// separately (DramConfig::applications). Each has DramConfig::reserved reserved entries of the queue, which hold at least
/// one access.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "models/policy/policy.h"
#include "models/policy/reserved_entries.h"
#include "tlm/identity.h"

namespace gputlm {

inline constexpr unsigned kMaxAdmitted = 8;  ///< maximum number of applications admitted separately

/// The accesses that wait for the queue and fit, one per application. Applications are numbered from 0.
struct AdmissionHeads {
  std::uint64_t waiting = 0;                    ///< set of applications with such an access
  std::array<unsigned, kMaxAdmitted> bursts{};  ///< bursts of each application's access
};

/// Decides the turn of applications.
class AdmissionPolicy : public PolicyObject {
 public:
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<AdmissionPolicy> guarded(std::unique_ptr<AdmissionPolicy> policy, const PolicySeam& seam);
  /// Returns one of the waiting applications; there is at least one. Called again whenever an access arrives or room is
  /// freed, so the choice may change until the access has entered.
  virtual unsigned next(const AdmissionHeads& heads) const = 0;
  /// The access of `application`, the last choice, has entered.
  virtual void entered(unsigned application) = 0;
  /// A burst of `application` has been served.
  virtual void left(unsigned /*application*/) {}
};

/// The parameters of a policy.
struct AdmissionSetup {
  unsigned entries = 64;  ///< entries of the queue
  unsigned applications = 2;
  unsigned reserved = 0;       ///< entries reserved for each application
  unsigned longest = 4;        ///< maximum bursts of an access
  PolicyOptions options = {};  ///< DramConfig::options
};

/// All policies.
ObjectDecision<AdmissionPolicy, AdmissionSetup>& admission_policies();

/// The room in the queue, and the policy. The rule of the reserved entries is that of rtl/reserved_admission.sv.
class Admission {
 public:
  /// Throws InputError if there is no policy of this name.
  Admission(const std::string& policy, const AdmissionSetup& setup);

  /// The number by which this application is admitted.
  unsigned number(ApplicationId application) const { return application % entries_.users(); }
  bool fits(unsigned number, unsigned bursts) const { return entries_.fits(number, bursts); }
  /// Maximum bursts of an access that can fit.
  unsigned most() const { return entries_.most(); }
  unsigned next(const AdmissionHeads& heads) const { return policy_->next(heads); }
  void entered(unsigned number, unsigned bursts) {
    entries_.take(number, bursts);
    policy_->entered(number);
  }
  /// A burst has been served.
  void left(unsigned number) {
    entries_.give_back(number);
    policy_->left(number);
  }
  void count(PolicyCounts& counts) const { policy_->count(counts); }

 private:
  ReservedEntries entries_;
  std::unique_ptr<AdmissionPolicy> policy_;
};

}  // namespace gputlm
