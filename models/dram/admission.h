/// Which application's access enters the scheduler's queue next, where applications are admitted apart
/// (DramConfig::applications). They take turns: the next one, in the order of their numbers and around, after the one
/// that was admitted last, of those with an access that waits and fits. Each has DramConfig::reserved entries kept for
/// it, which hold a whole access at least; so one that waits enters after no more than `applications` - 1 accesses of
/// others once its own entries are free, independent of the others.
///
/// The reference of rtl/reserved_admission.sv.
#pragma once

#include <cstdint>

#include "models/policy/reserved_entries.h"
#include "tlm/identity.h"

namespace gputlm {

class Admission {
 public:
  static constexpr unsigned kMax = 8;  ///< applications

  Admission(unsigned entries, unsigned applications, unsigned reserved)
      : entries_(entries, applications, reserved), last_(applications - 1) {}

  /// As what this application counts.
  unsigned number(ApplicationId application) const { return application % entries_.users(); }
  bool fits(unsigned number, unsigned bursts) const { return entries_.fits(number, bursts); }
  /// Bursts of an access that ever fits.
  unsigned most() const { return entries_.most(); }
  /// Of the applications in the set `waiting`, which is not empty.
  unsigned next(std::uint64_t waiting) const {
    const std::uint64_t after = waiting & ~std::uint64_t{0} << 1 << last_;
    return static_cast<unsigned>(__builtin_ctzll(after != 0 ? after : waiting));
  }
  void entered(unsigned number, unsigned bursts) {
    entries_.take(number, bursts);
    last_ = number;
  }
  /// A burst has been served.
  void left(unsigned number) { entries_.give_back(number); }

 private:
  ReservedEntries entries_;
  unsigned last_;  ///< so that application 0 is first
};

}  // namespace gputlm
