/// What a simulator offers for looking at a design.
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

/// Thrown by a design that cannot go on, as one whose signals never settle.
struct DesignFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Observed {
 public:
  virtual ~Observed() = default;
  /// An assertion has failed, or the design has called $fatal, $stop or $finish; it has printed so itself.
  virtual bool failed() const = 0;
  /// From now on write_waveform() writes to the FST file `path`.
  virtual void open_waveform(const std::string& path) = 0;
  /// The values of all signals, as those of half a cycle.
  virtual void write_waveform(std::uint64_t half_cycle) = 0;
  /// Line and toggle coverage, for designs built with it, in the form of `verilator_coverage`.
  virtual void write_coverage(const std::string& path) = 0;
  /// Counts what the nets are now, as that of so many cycles, for designs that show their nets.
  virtual void count_nets(std::uint64_t cycles) = 0;
  virtual NetCounts nets() const = 0;
  /// What rst_ni and the ports of its kind (Kind::ports) are now.
  virtual std::vector<PortWords> ports() = 0;
};

/// With the ports of the design, e.g. ArbiterPorts.
template <class Ports>
class ObservedDevice : public Observed {
 public:
  virtual Device<Ports>& device() = 0;
};

/// Registers start with random contents that `seed` decides.
template <class Ports>
using MakeObserved = std::function<std::unique_ptr<ObservedDevice<Ports>>(std::uint64_t seed)>;

}  // namespace gputlm
