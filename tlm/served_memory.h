/// The memory behind a target port, as an initiator outside the model sees it: what it may ask for, and with what error
/// status it is answered otherwise (IEEE 1666-2011, clause 14).
#pragma once

#include <functional>
#include <tlm>

#include "tlm/access.h"
#include "tlm/backing_store.h"

namespace gputlm {

struct ServedMemory {
  Bytes capacity = kNever;               ///< addresses are below it
  BackingStore* store = nullptr;         ///< no smaller than the capacity; null: there is no data
  std::function<bool(Address)> holds{};  ///< whether the line of an address is in it; empty: all are

  /// The response status that a transaction gets for its attributes alone:
  /// - BURST_ERROR: a data length or streaming width of 0;
  /// - ADDRESS_ERROR: a byte beyond the capacity, or in a line that it does not hold;
  /// - BYTE_ENABLE_ERROR: byte enables of length 0, or other than 0x00 and 0xff;
  /// - GENERIC_ERROR: no data pointer, though there is data;
  /// - COMMAND_ERROR: no command of the standard's.
  /// OK_RESPONSE otherwise: what is refused is refused before anything has been read or written. TLM_IGNORE_COMMAND is
  /// always OK, and nothing is done.
  tlm::tlm_response_status status_of(const tlm::tlm_generic_payload& payload) const;

  /// transport_dbg (clause 11.3): reads or writes at once, as many bytes as there are; none without a store. Byte
  /// enables and streaming width are not looked at, as the standard has it.
  unsigned debug(const tlm::tlm_generic_payload& payload) const;
};

}  // namespace gputlm
