/// A transaction from outside the model, cut into the items that a unit works on, each in a payload of the model's own.
/// So nothing is put into the peer's payload, with or without a memory manager, and nothing is left behind in it.
#pragma once

#include <utility>

#include "tlm/payload.h"
#include "tlm/served_memory.h"

namespace gputlm {

/// Of launches, copies and the like: one segment, what the peer has put into its payload's extension, Carried<Item>. It
/// goes back there. COMMAND_ERROR without one.
template <class Item>
class Segments {
 public:
  Segments(tlm::tlm_generic_payload& payload, const ServedMemory&)
      : carried_(payload.get_extension<Carried<Item>>()), left_(carried_ != nullptr) {}

  tlm::tlm_response_status status() const { return carried_ ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE; }
  bool left() const { return left_; }
  Bytes next(Item& item) {
    tlm::tlm_generic_payload* const transaction = item.transaction;
    item = std::move(carried_->item);
    item.transaction = transaction;
    left_ = false;
    return 0;
  }
  void arrives(const Item&, Bytes) {}
  void ended(Item& item) {
    if (!carried_) return;
    carried_->item = std::move(item);
    carried_->item.transaction = nullptr;
  }
  void abandon() {
    carried_ = nullptr;
    left_ = false;
  }

 private:
  Carried<Item>* carried_;
  bool left_;
};

/// Of reads and writes: accesses that lie within a line each, in the order of the data array. A streaming
/// width below the data length reads or writes the same addresses again and again (14.15). An extension
/// Carried<Access>, if the peer gives one, says for whom.
template <>
class Segments<Access> {
 public:
  /// `memory` and the payload's arrays outlive it, or it is abandoned.
  Segments(tlm::tlm_generic_payload& payload, const ServedMemory& memory);

  tlm::tlm_response_status status() const { return status_; }
  bool left() const { return done_ < length_; }
  /// The next segment; `left()`. Returns where in the data array it begins.
  Bytes next(Access& access);
  /// Reads or writes the data of a segment, which begins at `offset` of the data array.
  void arrives(const Access& access, Bytes offset);
  void ended(Access&) {}
  /// The payload is not there any more: no segments are made, and no data is moved.
  void abandon() {
    data_ = nullptr;
    length_ = done_;
  }

 private:
  bool enabled(Bytes offset) const { return !enables_ || enables_[offset % enables_length_] == TLM_BYTE_ENABLED; }

  const ServedMemory& memory_;
  tlm::tlm_response_status status_;
  bool write_;
  Address address_;
  Bytes streaming_width_;
  Bytes length_;    ///< of what is read or written: 0 for an error
  Bytes done_ = 0;  ///< of it, by segments already made
  unsigned char* data_;
  const unsigned char* enables_;
  unsigned enables_length_;
  Identity identity_;
};

}  // namespace gputlm
