/// An SM's ends of the links for GridSignal.
#pragma once

#include <algorithm>

#include "tlm/grid_signal.h"
#include "tlm/item_source.h"
#include "tlm/link.h"

namespace gputlm {

struct GridSignals {
  /// `items` must outlive it. `link`: the same for both kinds of signal.
  GridSignals(ItemSource<GridSignal>& items, const Link& link)
      : source(items), ended(link.request.queue), ended_heard(1, link.response.queue), let_go(1, link.request.queue),
        let_go_heard(link.response.queue) {}

  Cycle next() const { return std::min(ended.next(), let_go_heard.next()); }
  /// Signals that a block of the kernel lets dependents begin.
  void send(KernelId kernel, Cycle now) {
    GridSignal& signal = source.allocate();
    signal.kernel = kernel;
    let_go.send(std::max(now, let_go.ready_at()), signal);
  }

  ItemSource<GridSignal>& source;
  Inbox<GridSignal> ended;         ///< signals from the work distributor
  Outbox<GridSignal> ended_heard;  ///< these signals, returned
  Outbox<GridSignal> let_go;       ///< signals to the work distributor
  Inbox<GridSignal> let_go_heard;  ///< these signals, returned
};

}  // namespace gputlm
