/// Divides a transaction from outside the model into the items that a unit works on, each in a payload of the model. So the
/// model adds nothing to the peer's payload, with or without a memory manager.
#pragma once

#include <utility>

#include "tlm/payload.h"
#include "tlm/served_memory.h"

namespace gputlm {

/// Launches, copies and the like have one segment: the item in the payload's extension Carried<Item>, to which it returns.
/// The response is COMMAND_ERROR if the payload has none.
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

/// Reads and writes are divided into accesses within one line each, in the order of the data array. A streaming width below
/// the data length accesses the same addresses repeatedly (14.15). An extension Carried<Access>, if the peer provides one,
/// gives the identity.
template <>
class Segments<Access> {
 public:
  /// `memory` and the payload's arrays outlive it, or it is abandoned.
  Segments(tlm::tlm_generic_payload& payload, const ServedMemory& memory);

  tlm::tlm_response_status status() const { return status_; }
  bool left() const { return done_ < length_; }
  /// Makes the next segment; requires left(). Returns its offset in the data array.
  Bytes next(Access& access);
  /// Reads or writes the data of a segment, which begins at `offset` of the data array.
  void arrives(const Access& access, Bytes offset);
  void ended(Access&) {}
  /// The payload is gone: makes no more segments and moves no more data.
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
  Bytes length_;    ///< bytes to be read or written; 0 for an error
  Bytes done_ = 0;  ///< bytes of it in segments already made
  unsigned char* data_;
  const unsigned char* enables_;
  unsigned enables_length_;
  Identity identity_;
};

}  // namespace gputlm
