/// Pauses the simulation at every tick of the host's clock: sc_start() returns, and is to be called again. A thread watches
/// the clock and requests an update of a channel, the only call that SystemC accepts from other threads (IEEE 1666-2011,
/// 5.15.6). The simulation pays nothing between ticks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <systemc>
#include <thread>

namespace gputlm {

/// A channel, so it has to be constructed before elaboration.
class HostTimer final : private sc_core::sc_prim_channel {
 public:
  HostTimer() : sc_prim_channel(sc_core::sc_gen_unique_name("host_timer")) {}

  /// The timer ticks as long as this lives.
  class Ticks {
   public:
    Ticks(HostTimer& timer, std::chrono::milliseconds period);
    ~Ticks();
    Ticks(const Ticks&) = delete;
    Ticks& operator=(const Ticks&) = delete;

   private:
    std::mutex mutex_;
    std::condition_variable end_;
    bool ended_ = false;
    std::thread thread_;
  };

 private:
  void update() override { sc_core::sc_pause(); }
};

}  // namespace gputlm
