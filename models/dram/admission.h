/// The admission decision: which application's access enters the scheduler's queue next, where applications are admitted
/// apart (DramConfig::applications). Each has DramConfig::reserved entries of the queue kept for it, which hold a whole
/// access at least.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "models/policy/policy.h"
#include "models/policy/reserved_entries.h"
#include "tlm/identity.h"

namespace gputlm {

inline constexpr unsigned kMaxAdmitted = 8;  ///< applications

/// What waits in front of the queue and fits, one access of an application. Applications are numbered from 0 up.
struct AdmissionHeads {
  std::uint64_t waiting = 0;                    ///< set of applications
  std::array<unsigned, kMaxAdmitted> bursts{};  ///< of the access of each of them
};

/// What the turn of applications is decided by.
class AdmissionPolicy : public PolicyObject {
 public:
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<AdmissionPolicy> guarded(std::unique_ptr<AdmissionPolicy> policy, const PolicySeam& seam);
  /// One of those that wait; some do. Asked again whenever one has come, or there is more room, so it may be revised
  /// until the access has entered.
  virtual unsigned next(const AdmissionHeads& heads) const = 0;
  /// The access of `application`, the last one that was next, has entered.
  virtual void entered(unsigned application) = 0;
  /// A burst of `application` has been served.
  virtual void left(unsigned /*application*/) {}
};

/// What a policy is made for.
struct AdmissionSetup {
  unsigned entries = 64;  ///< of the queue
  unsigned applications = 2;
  unsigned reserved = 0;       ///< entries for each
  unsigned longest = 4;        ///< bursts of an access, at most
  PolicyOptions options = {};  ///< DramConfig::options
};

/// All policies.
ObjectDecision<AdmissionPolicy, AdmissionSetup>& admission_policies();

/// The room in the queue, and the policy. The rule of the reserved entries is that of rtl/reserved_admission.sv.
class Admission {
 public:
  /// Throws InputError if there is no policy of this name.
  Admission(const std::string& policy, const AdmissionSetup& setup);

  /// As what this application counts.
  unsigned number(ApplicationId application) const { return application % entries_.users(); }
  bool fits(unsigned number, unsigned bursts) const { return entries_.fits(number, bursts); }
  /// Bursts of an access that ever fits.
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
