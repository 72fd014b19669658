/// A design as a plain C++ object, for any simulator.
#pragma once

#include <functional>
#include <memory>

namespace gputlm {

/// A device with the ports of its kind (ports.h).
template <class Ports>
class Device {
 public:
  virtual ~Device() = default;
  /// Sets the clock low, with a falling edge if it was high: only combinational logic changes.
  virtual void settle(const typename Ports::Inputs& inputs) = 0;
  /// The rising edge, with these inputs before and after it. The clock must be low.
  virtual void rise(const typename Ports::Inputs& inputs) = 0;
  virtual typename Ports::Outputs outputs() const = 0;
};

/// A model of designs of one size.
template <class Ports>
struct HardwareModel {
  typename Ports::Size size;
  std::function<std::unique_ptr<Device<Ports>>()> make;
};

}  // namespace gputlm
