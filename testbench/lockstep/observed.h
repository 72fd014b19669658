/// What a simulator provides for observing a design.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/lockstep/observed_nets.h"
#include "testbench/ports/device.h"
#include "testbench/ports/values.h"

namespace gputlm {

/// Thrown by a design that cannot continue, for example because its signals never settle.
struct DesignFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Observed {
 public:
  virtual ~Observed() = default;
  /// Whether an assertion has failed, or the design has called $fatal, $stop or $finish; it has printed its message.
  virtual bool failed() const = 0;
  /// Directs write_waveform() to the FST file `path`.
  virtual void open_waveform(const std::string& path) = 0;
  /// Writes the values of all signals, with this time in half cycles.
  virtual void write_waveform(std::uint64_t half_cycle) = 0;
  /// Writes line and toggle coverage, for designs built with it, in the format of `verilator_coverage`.
  virtual void write_coverage(const std::string& path) = 0;
  /// Counts the current values of the nets for this number of cycles, for designs with visible nets.
  virtual void count_nets(std::uint64_t cycles) = 0;
  virtual NetCounts nets() const = 0;
  /// The current values of rst_ni and of the ports of its kind (Kind::ports).
  virtual std::vector<PortWords> ports() = 0;
};

/// A design with the ports of its kind, e.g. ArbiterPorts.
template <class Ports>
class ObservedDevice : public Observed {
 public:
  virtual Device<Ports>& device() = 0;
};

/// Registers start with random contents determined by `seed`.
template <class Ports>
using MakeObserved = std::function<std::unique_ptr<ObservedDevice<Ports>>(std::uint64_t seed)>;

}  // namespace gputlm
