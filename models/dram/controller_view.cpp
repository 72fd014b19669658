#include "models/dram/controller_view.h"

#include <algorithm>

#include "tlm/base/error.h"

namespace gputlm {

unsigned DramControllerCore::ControllerView::queued(ApplicationId application) const {
  std::ptrdiff_t count = 0;
  for (const BankQueue& bank : banks()) {
    count += std::count_if(bank.pending.begin(), bank.pending.end(),
                           [&](const Request& request) { return request.application == application; });
  }
  return static_cast<unsigned>(count);
}

std::uint64_t DramControllerCore::ControllerView::served(ApplicationId application) const {
  const auto& applications = controller_.statistics_.applications;
  if (application >= applications.size()) return 0;
  return applications[application].reads + applications[application].writes;
}

const QueueView& DramControllerCore::view_of(std::size_t queue) {
  if (!views_[queue]) views_[queue] = std::make_unique<ControllerView>(*this, queue);
  return *views_[queue];
}

const QueueView& queue_of(const SchedulerSetup& setup) {
  if (!setup.queue) throw InputError("dram.scheduler: a policy that looks at its queue decides only in a controller");
  return setup.queue();
}

}  // namespace gputlm
