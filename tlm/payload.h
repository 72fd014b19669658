/// Items (Access, BlockLaunch, KernelLaunch) inside `tlm_generic_payload`s, and the pool that recycles them.
#pragma once

#include <array>
#include <memory>
#include <tlm>
#include <utility>
#include <vector>

#include "tlm/access.h"

namespace gputlm {

/// An item as an extension of the payload. Ignorable (IEEE 1666-2011, 14.21.1): a peer that does not know it sees a
/// plain base-protocol read or write.
template <class Item>
class Carried : public tlm::tlm_extension<Carried<Item>> {
 public:
  tlm::tlm_extension_base* clone() const override { return nullptr; }  // belongs to one transaction only
  void copy_from(const tlm::tlm_extension_base&) override {}
  Item item;
};

/// Credits on their way back to a sender: those of a look-ahead window in one transaction, valid during the call that
/// carries it.
struct CreditGrant {
  const std::vector<Cycle>* freed = nullptr;  ///< cycles in order, at least one; the call has the time of the first
  Femtoseconds cycle = 0;                     ///< period of the clock of `freed`
  unsigned each = 0;                          ///< number of credits in each of these cycles
  tlm::tlm_generic_payload* transaction = nullptr;

  /// Calls `each_at(time, credits)` for all of them; the first time is `at`.
  template <class F>
  void for_each(Femtoseconds at, F each_at) const {
    if (!freed || freed->empty()) return;
    at -= freed->front() * cycle;
    for (const Cycle n : *freed) each_at(at + n * cycle, each);
  }
};

/// Sets the payload's attributes for an item. Launches, copies and the like have no base-protocol equivalent.
template <class Item>
void fill_payload(tlm::tlm_generic_payload&, const Item&) {}
inline void fill_payload(tlm::tlm_generic_payload& payload, const Access& access) {
  payload.set_command(access.write || access.atomic ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(access.address);
  payload.set_data_length(access.bytes);
  payload.set_streaming_width(access.bytes);
}

/// Padding before a payload's vtable pointer, which completes the cache line (PooledPayload).
struct BeforePayload {
  unsigned char unused[64 - sizeof(void*)];
};

/// A payload of the model, with its extension before it in memory: units of the model find the item without the extension
/// array. The model touches three cache lines of it: the item; the base-protocol attributes; the memory manager and
/// reference count.
template <class Item>
class PooledPayload : public Carried<Item>, private BeforePayload, public tlm::tlm_generic_payload {
 public:
  explicit PooledPayload(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) {
    set_extension<Carried<Item>>(this);
  }
  ~PooledPayload() override { clear_extension<Carried<Item>>(); }
};

/// The item of a payload from a pool of the model.
template <class Item>
Item& pooled_item(tlm::tlm_generic_payload& payload) {
  return static_cast<PooledPayload<Item>&>(payload).item;
}

/// Recycles payloads with an `Item` each: the memory manager that the standard requires (14.5). The model carries no data,
/// so all payloads share a scratch buffer, which a peer may read and write. `Payload`: PooledPayload<Item>, or a class that
/// adds to it.
template <class Item, class Payload = PooledPayload<Item>>
class PayloadPool final : public ItemSource<Item>, public tlm::tlm_mm_interface {
 public:
  PayloadPool() = default;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;

  /// A default-valued item in a payload with one reference.
  Item& allocate() override {
    if (free_.empty()) grow();
    Payload* payload = free_.back();
    free_.pop_back();
    payload->acquire();
    payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    Item& item = payload->item;
    item = Item{};
    item.transaction = payload;
    return item;
  }
  void release(Item& item) override { item.transaction->release(); }
  /// Payloads in use.
  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  void free(tlm::tlm_generic_payload* payload) override { free_.push_back(&static_cast<Payload&>(*payload)); }
  void grow() {
    all_.push_back(std::make_unique<Payload>(this));
    auto* payload = all_.back().get();
    payload->set_command(tlm::TLM_IGNORE_COMMAND);
    payload->set_data_ptr(scratch_.data());
    payload->set_data_length(1);
    payload->set_streaming_width(1);
    free_.reserve(all_.capacity());
    free_.push_back(payload);
  }
  std::array<unsigned char, 256> scratch_{};
  std::vector<std::unique_ptr<Payload>> all_;
  std::vector<Payload*> free_;
};

}  // namespace gputlm
