#include "tlm/registry.h"

namespace gputlm {
namespace {

Registration* pending = nullptr;  // set before any constructor runs

}  // namespace

Registration::Registration(Block block) noexcept : block_(block), next_(pending) { pending = this; }

unsigned Registration::run_pending() {
  unsigned ran = 0;
  while (pending) {
    const Block block = pending->block_;
    pending = pending->next_;
    block();
    ++ran;
  }
  return ran;
}

void Registration::drop_pending() noexcept { pending = nullptr; }

}  // namespace gputlm
