/// What the blocks of a BlockSm read and write.
#include <algorithm>

#include "models/sm/blocks/block_sm.h"

namespace gputlm {

void BlockSm::reply(Cycle now, const Access& access) {
  Place& place = places_[access.slot];
  if (const Group* const group = group_of(place)) {
    const Cycle expected = place.first ? group->requests.first : group->requests.later;
    place.wait += group->requests.exposed * (static_cast<Wait>(now - access.issued) - static_cast<Wait>(expected));
  }
  memory_->load_store.reply(now, access);
}

/// Who could not issue at once goes first when there is room again.
void BlockSm::step_memory(Cycle now) {
  Memory& memory = *memory_;
  if (memory.load_store.next() <= now) memory.load_store.step(now);
  if (memory.stopping) return;
  bool room = true;
  for (std::size_t k = 0, i = memory.turn; k < places_.size(); ++k, i = i + 1 == places_.size() ? 0 : i + 1) {
    if (!places_[i].launch || places_[i].held || issue(places_[i], i, now) || !room) continue;
    room = false;
    memory.turn = i;
  }
}

/// All that is due at `place`; false if not all has been taken.
bool BlockSm::issue(Place& place, std::size_t index, Cycle now) {
  LoadStoreUnit& unit = memory_->load_store;
  place.stuck = false;
  while (place.accesses.left() > 0 && place.left <= place.accesses.due()) {
    if (unit.full()) {
      place.stuck = true;
      return false;
    }
    const BlockAccesses::Next next = place.accesses.take();
    ++place.outstanding;
    unit.issue(now, {static_cast<unsigned>(index), next.instruction, place.launch->code.get(), next.position});
  }
  return true;
}

bool BlockSm::drained() const {
  return memory_->l1.mshrs_in_use() == 0 &&
         std::all_of(places_.begin(), places_.end(), [](const Place& p) { return !p.launch || p.outstanding == 0; });
}

void BlockSm::loaded(unsigned place, const Instruction& /*instruction*/, Cycle at) { stored(place, at); }

void BlockSm::stored(unsigned place, Cycle at) {
  Place& of = places_[place];
  --of.outstanding;
  of.settled = std::max(of.settled, at);
}

}  // namespace gputlm
