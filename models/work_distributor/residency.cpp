#include <algorithm>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {
namespace {

/// A fixed number of blocks of each kernel on an SM, even if there is more room. Durations of blocks are measured under it, by
/// residency and beside others (srtf, section 3.4).
class Residency final : public KernelOrder {
 public:
  struct Options {
    unsigned first = 1, others = 1;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::first, "first", "blocks", 1, 128, "Maximum blocks per SM of the run's first launch",
               "srtf, section 3.4: 1 to 8");
      v.number(&Options::others, "others", "blocks", 1, 128, "Maximum blocks per SM of each other launch",
               "srtf, section 3.4: 1 to 8");
    }
  };
  explicit Residency(const Options& options) : options_(options) {}

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i].all_dispatched()) continue;
      const unsigned limit = kernels[i].launch->identity.kernel == 0 ? options_.first : options_.others;
      offers.push_back({i, kernels[i].sms, std::max(limit, kernels[i].least_residency)});
    }
  }

 private:
  Options options_;
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<Residency>(
      {{"residency", 20}, "A fixed number of blocks of a kernel on an SM, for measurements", "srtf, section 3.4"});
}

}  // namespace gputlm
