/// The host tells a GPU whose contexts take turns which applications hold further launches. A real channel is pending until
/// all work submitted to it has been taken, while here only the head of a stream goes to the work distributor; without this
/// message the GPU would mistake the time between two kernels of a stream for the end of the work. A launch carries this
/// information for what follows it; later launches, behind kernels in flight, need a separate message.
#include <algorithm>

#include "models/host/core.h"

namespace gputlm {

using Kind = HostCall::Kind;

void HostCore::doubt(ApplicationId application) {
  if (!turns_.by_turns || applications_[application].in_doubt) return;
  applications_[application].in_doubt = true;
  of(application).in_doubt.push_back(application);
}

bool HostCore::holds_next(ApplicationId application, bool anew) const {
  const std::vector<StreamId>& streams = queues_.of(application);
  return std::any_of(streams.begin(), streams.end(), [&](StreamId s) { return stream_holds_next(s, anew); });
}

bool HostCore::stream_holds_next(StreamId s, bool anew) const {
  if (!queues_.has_next(s)) return false;
  const Stream& stream = streams_[s];
  if (!stream.let_go) return turns_.waits_are_work ? queues_.holds_launch(s) : queues_.launch_follows_kernels(s);
  if (queues_.next(s).kind != Kind::kLaunch) return turns_.waits_are_work && queues_.holds_launch(s);
  // A delay after a kernel is time of the GPU between two kernels. The delay of a launch that found its stream empty is time
  // of the driver, which has not submitted the launch yet.
  return !anew && (!stream.delays || stream.follows || !stream.running.empty());
}

void HostCore::say_what_is_pending(Gpu& gpu, Cycle now) {
  std::size_t kept = 0;
  for (const ApplicationId a : gpu.in_doubt) {
    Application& application = applications_[a];
    const bool pending = holds_next(a, !application.said);
    if (pending != application.said && gpu.words.ready_at() > now) {
      gpu.in_doubt[kept++] = a;
      continue;
    }
    application.in_doubt = false;
    if (pending == application.said) continue;
    application.said = pending;
    PendingWork& word = word_source_.allocate();
    word.application = a;
    word.pending = pending;
    gpu.words.send(now, word);
  }
  gpu.in_doubt.resize(kept);
}

}  // namespace gputlm
