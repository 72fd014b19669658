/// A design of rtl/ beside the C++ model that it must match: the interface that each kind of design implements.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbench/lockstep/observed.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/points.h"
#include "testbench/lockstep/random_traffic.h"

namespace gputlm {

/// One run, starting with a reset. A cycle is settle(), then, unless the two differ, rise() and step().
class Bench {
 public:
  virtual ~Bench() = default;
  virtual Observed& observed() = 0;
  /// Draws the inputs of the next cycle and applies them to the design, whose clock is low.
  virtual void settle() = 0;
  /// Whether every output of the design equals the model's.
  virtual bool agrees() const = 0;
  /// Several lines: expected and actual outputs, the inputs, the state of the model.
  virtual std::string describe() const = 0;
  /// The rising edge of the design.
  virtual void rise() = 0;
  /// The same for the model. True if a decision was taken.
  virtual bool step() = 0;
  virtual const CoveragePoints& coverage() const = 0;
  /// Whether everything has been played.
  virtual bool ended() const = 0;
  /// Number of clock cycles for which the design keeps the inputs of settle(); nothing would change in them.
  virtual std::uint64_t cycles() const = 0;
  virtual Played played() const = 0;
};

/// A design in its size, under random traffic of its kind or a recording.
struct Design {
  std::string name;          ///< name, which states policy and size
  std::string policy;        ///< the policy that it must match, as in a configuration
  std::vector<Field> knobs;  ///< knobs of its traffic, with the limits of this size
  /// The seed determines the traffic and the initial contents of registers.
  std::function<std::unique_ptr<Bench>(std::uint64_t seed, const FixedKnobs& fixed)> make_bench;
};

}  // namespace gputlm
