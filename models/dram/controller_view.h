/// QueueView of a queue of a DramControllerCore.
#pragma once

#include "models/dram/controller_core.h"
#include "models/dram/queue_view.h"

namespace gputlm {

class DramControllerCore::ControllerView final : public QueueView {
 public:
  ControllerView(const DramControllerCore& controller, std::size_t queue) : controller_(controller), queue_(queue) {}
  Cycle now() const override { return controller_.command_from_; }
  unsigned queued(ApplicationId application) const override;
  unsigned pending(unsigned bank) const override { return static_cast<unsigned>(banks()[bank].pending.size()); }
  Row open_row(unsigned bank) const override { return banks()[bank].open_row; }
  Cycle entered(const Request& request) const override { return controller_.slots_[request.slot].entered; }
  const Identity& identity(const Request& request) const override {
    return controller_.slots_[request.slot].access->identity;
  }
  std::uint64_t served(ApplicationId application) const override;

 private:
  const std::vector<BankQueue>& banks() const { return controller_.queues_[queue_]; }

  const DramControllerCore& controller_;
  std::size_t queue_;
};

}  // namespace gputlm
