/// The memory behind a target port, as an initiator outside the model sees it: which accesses are allowed, and the error
/// status of all others (IEEE 1666-2011, clause 14).
#pragma once

#include <functional>
#include <tlm>

#include "tlm/access.h"
#include "tlm/backing_store.h"

namespace gputlm {

struct ServedMemory {
  Bytes capacity = kNever;               ///< exclusive upper bound of addresses
  BackingStore* store = nullptr;         ///< data, at least as large as the capacity; null: no data
  std::function<bool(Address)> holds{};  ///< whether the memory holds the line of an address; empty: it holds all

  /// The response status that follows from a transaction's attributes alone:
  /// - BURST_ERROR: a data length or streaming width of 0;
  /// - ADDRESS_ERROR: a byte beyond the capacity, or in a line that it does not hold;
  /// - BYTE_ENABLE_ERROR: byte enables of length 0, or other than 0x00 and 0xff;
  /// - GENERIC_ERROR: no data pointer, though there is data;
  /// - COMMAND_ERROR: not a command of the standard. OK_RESPONSE otherwise. A transaction is rejected before any data is
  ///   read or written. TLM_IGNORE_COMMAND is always OK and does nothing.
  tlm::tlm_response_status status_of(const tlm::tlm_generic_payload& payload) const;

  /// transport_dbg (clause 11.3): reads or writes at once, up to the end of the memory; returns the number of bytes, 0
  /// without a store. Ignores byte enables and streaming width, as the standard says.
  unsigned debug(const tlm::tlm_generic_payload& payload) const;
};

}  // namespace gputlm
