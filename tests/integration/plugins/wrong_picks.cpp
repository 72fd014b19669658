// A plugin whose policies pick, each once asked, what is none of their candidates, and one that throws.
#include <stdexcept>

#include "models/cache/replacement.h"
#include "models/dram/admission.h"
#include "models/dram/scheduler.h"
#include "models/noc/flit_arbiter.h"
#include "models/sm/warp_scheduler.h"
#include "models/work_distributor/application.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/placement.h"

namespace {

using namespace gputlm;

class WarpOrder : public WarpScheduler {
 public:
  void issued(unsigned) override {}
  void assigned(unsigned, unsigned) override {}
  void released(unsigned) override {}
};
class Beyond final : public WarpOrder {
 public:
  unsigned pick(std::uint64_t) const override { return 1000; }
};
class Idle final : public WarpOrder {
 public:
  unsigned pick(std::uint64_t candidates) const override { return static_cast<unsigned>(__builtin_ctzll(~candidates)); }
};
class Throwing final : public WarpOrder {
 public:
  unsigned pick(std::uint64_t) const override { throw std::runtime_error("lost the list"); }
};
class ThrowingNumber final : public WarpOrder {
 public:
  unsigned pick(std::uint64_t candidates) const override { return static_cast<unsigned>(__builtin_ctzll(candidates)); }
  void issued(unsigned) override { throw 7; }
};
class ThrowingWhenMade final : public WarpOrder {
 public:
  ThrowingWhenMade() { throw std::out_of_range("no table"); }
  unsigned pick(std::uint64_t) const override { return 0; }
};

class NoRequest final : public RequestScheduler {
 public:
  std::size_t pick(const RequestView& candidates, Row) const override { return candidates.size(); }
};

class NoApplication final : public AdmissionPolicy {
 public:
  unsigned next(const AdmissionHeads&) const override { return 70; }
  void entered(unsigned) override {}
};

class NoInput final : public FlitArbiter {
 public:
  unsigned next(const FlitHeads&) const override { return 255; }
  void served(unsigned, const FlitHead&) override {}
};

class NoChannel final : public ApplicationPolicy {
 public:
  Turn next(const std::vector<Channel>& channels) override { return {static_cast<ApplicationId>(channels.size()), 1}; }
};
class NoTurn final : public ApplicationPolicy {
 public:
  Turn next(const std::vector<Channel>& channels) override {
    for (ApplicationId a = 0; a < channels.size(); ++a) {
      if (channels[a].has_work) return {a, 0};
    }
    return {};
  }
};

class NoKernel final : public KernelOrder {
 public:
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    if (!kernels.empty()) offers.push_back({kernels.size(), all_sms(1)});
  }
};
class OtherSms final : public KernelOrder {
 public:
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (!kernels[k].all_dispatched()) offers.push_back({k, SmSet().set()});
    }
  }
};

class SmsInTurn : public Placement {
 public:
  void placed(SmId) override {}
  void idle() override {}
};
class NoSm final : public SmsInTurn {
 public:
  std::optional<SmId> choose(const BlockDemand&, const std::vector<Resources>& free, const SmSet&) const override {
    return static_cast<SmId>(free.size());
  }
};
class FullSm final : public SmsInTurn {
 public:
  std::optional<SmId> choose(const BlockDemand&, const std::vector<Resources>&, const SmSet&) const override {
    return SmId{0};
  }
};

class NoWay final : public Replacement {
 public:
  void used(unsigned, unsigned) override {}
  void filled(unsigned, unsigned) override {}
  unsigned victim(unsigned, const SetView& view) const override { return view.ways; }
  void reset() override {}
};

std::vector<SmId> first_twice(unsigned sms) { return std::vector<SmId>(sms); }

GPUTLM_REGISTER {
  const std::string text = "Wrong", source = "a test";
  warp_schedulers().add<Beyond>({{"beyond"}, text, source});
  warp_schedulers().add<Idle>({{"idle"}, text, source});
  warp_schedulers().add<Throwing>({{"throwing"}, text, source});
  warp_schedulers().add<ThrowingNumber>({{"throwing_number"}, text, source});
  warp_schedulers().add<ThrowingWhenMade>({{"throwing_when_made"}, text, source});
  request_schedulers().add<NoRequest>({{"no_request"}, text, source});
  admission_policies().add<NoApplication>({{"no_application"}, text, source});
  flit_arbiters().add<NoInput>({{"no_input"}, text, source});
  application_policies().add<NoChannel>({{"no_channel"}, text, source});
  application_policies().add<NoTurn>({{"no_turn"}, text, source});
  kernel_orders().add<NoKernel>({{"no_kernel"}, text, source});
  kernel_orders().add<OtherSms>({{"other_sms"}, text, source});
  placements().add<NoSm>({{"no_sm"}, text, source});
  placements().add<FullSm>({{"full_sm"}, text, source});
  add_replacement<NoWay>({{"no_way"}, text, source});
  sm_orders().add({{"first_twice"}, text, source}, first_twice);
}

}  // namespace
