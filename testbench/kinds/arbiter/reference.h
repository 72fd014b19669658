/// What an arbiter of rtl/ must do, cycle by cycle: a queue, the banks' rows, and the C++ policy that decides.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/dram/rtl_arbiter.h"
#include "models/dram/scheduler.h"

namespace gputlm {

/// Makes the schedulers of a queue; what make_request_schedulers() does for a name.
using SchedulerMaker = std::function<RequestSchedulers(const SchedulerSetup&)>;

/// What the outputs must be while the inputs are stable. Without a grant, only that there is none.
struct ArbiterExpected {
  bool req_ready = false;
  bool grant_valid = false;
  bool grant_hit = false;
  std::size_t index = 0;  ///< of the granted request among those of its bank
  Request request{};      ///< the granted one; `slot` is its id
};

class ArbiterReference {
 public:
  struct Bank {
    std::vector<Request> pending;  ///< oldest first
    Row open_row = kNoRow;
    unsigned served = 0;       ///< since the last ACTIVATE, or since reset
    unsigned last_served = 0;  ///< application; the last one after reset
    bool never_served = true;  ///< since reset
  };

  /// Starts reset.
  ArbiterReference(const ArbiterSize& size, SchedulerMaker make_schedulers);

  ArbiterExpected expect(const ArbiterInputs& inputs) const;
  /// The rising edge, with `expected` from before it. A reset takes the cap from the inputs.
  void rise(const ArbiterInputs& inputs, const ArbiterExpected& expected);

  const ArbiterSize& size() const { return size_; }
  const Bank& bank(unsigned index) const { return banks_[index]; }
  unsigned waiting() const { return waiting_; }
  unsigned hit_cap() const { return hit_cap_; }
  /// The bank has served as many since its row was opened as the cap allows.
  bool capped(const Bank& bank) const { return hit_cap_ != 0 && bank.served >= hit_cap_; }

 private:
  void reset(unsigned hit_cap);

  ArbiterSize size_;
  SchedulerMaker make_schedulers_;
  RequestSchedulers schedulers_;
  std::vector<Bank> banks_;
  unsigned waiting_ = 0;
  unsigned hit_cap_ = 0;
  std::uint64_t arrivals_ = 0;
};

}  // namespace gputlm
