#pragma once

namespace gputlm {

/// What makes calls out of a unit once it has computed a window: a port, which sends what the core has put into its
/// outbox, or a log of events, which tells its observers.
class Flushable {
 public:
  virtual ~Flushable() = default;
  virtual void flush() = 0;
};

}  // namespace gputlm
