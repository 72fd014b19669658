#include "tlm/base/registry.h"

namespace gputlm {
namespace {

Registration* pending = nullptr;  // set before any constructor runs
std::string running;              // plugin that owns the running blocks

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

unsigned Registration::run_pending_of(const std::string& plugin) {
  struct Scope {
    explicit Scope(const std::string& name) { running = name; }
    ~Scope() { running.clear(); }
  } const scope(plugin);
  return run_pending();
}

const std::string& Registration::plugin() noexcept { return running; }

void Registration::drop_pending() noexcept { pending = nullptr; }

}  // namespace gputlm
