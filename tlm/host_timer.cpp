#include "tlm/host_timer.h"

namespace gputlm {

HostTimer::Ticks::Ticks(HostTimer& timer, std::chrono::milliseconds period)
    : thread_([this, &timer, period] {
        std::unique_lock lock(mutex_);
        while (!end_.wait_for(lock, period, [this] { return ended_; })) timer.async_request_update();
      }) {}

HostTimer::Ticks::~Ticks() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  thread_.join();
}

}  // namespace gputlm
