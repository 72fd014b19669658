/// A design of rtl/ beside the C++ model that it must agree with: what each kind of design brings along.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/observed.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

/// One run, after reset. A cycle is settle(), then, unless the two differ, rise() and step().
class Bench {
 public:
  virtual ~Bench() = default;
  virtual Observed& observed() = 0;
  /// Draws the inputs of the next cycle and shows them to the design, whose clock is low.
  virtual void settle() = 0;
  /// Every output of the design is what the model says.
  virtual bool agrees() const = 0;
  /// Several lines: what was expected and found, the inputs, what the model holds.
  virtual std::string describe() const = 0;
  /// The rising edge, for the design.
  virtual void rise() = 0;
  /// The same for the model. True if a decision was taken.
  virtual bool step() = 0;
  virtual const CoveragePoints& coverage() const = 0;
  /// There is nothing more to play.
  virtual bool ended() const = 0;
  /// For how many cycles of the clock the design keeps what settle() has shown it: nothing would change in them.
  virtual std::uint64_t cycles() const = 0;
  virtual Played played() const = 0;
};

/// A design in its size, under the traffic of its kind or what was recorded.
struct Design {
  std::string name;         ///< says policy and size
  std::string policy;       ///< as in a configuration, that it must agree with
  std::vector<Knob> knobs;  ///< of its traffic, with what this size allows
  /// The seed decides the traffic and the registers' first contents.
  std::function<std::unique_ptr<Bench>(std::uint64_t seed, const FixedKnobs& fixed)> make_bench;
};

}  // namespace gputlm
