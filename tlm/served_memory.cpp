#include "tlm/served_memory.h"

#include <algorithm>

namespace gputlm {
namespace {

bool legal_byte_enables(const tlm::tlm_generic_payload& payload) {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  if (!enables) return true;
  const unsigned length = payload.get_byte_enable_length();
  return length > 0 && std::all_of(enables, enables + length, [](unsigned char enable) {
           return enable == TLM_BYTE_DISABLED || enable == TLM_BYTE_ENABLED;
         });
}

}  // namespace

tlm::tlm_response_status ServedMemory::status_of(const tlm::tlm_generic_payload& payload) const {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const Bytes bytes = std::min(payload.get_data_length(), payload.get_streaming_width());
  if (bytes == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  const Address address = payload.get_address();
  if (bytes > capacity || address > capacity - bytes) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (holds) {
    for (Address line = address / kLineBytes; line <= (address + bytes - 1) / kLineBytes; ++line) {
      if (!holds(line * kLineBytes)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
  }
  if (!legal_byte_enables(payload)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (store && !payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

unsigned ServedMemory::debug(const tlm::tlm_generic_payload& payload) const {
  const Address address = payload.get_address();
  if (!store || !payload.get_data_ptr() || address >= capacity) return 0;
  const auto bytes = static_cast<unsigned>(std::min<Bytes>(payload.get_data_length(), capacity - address));
  if (payload.is_read()) {
    store->read(address, payload.get_data_ptr(), bytes);
  } else if (payload.is_write()) {
    store->write(address, payload.get_data_ptr(), bytes);
  } else {
    return 0;
  }
  return bytes;
}

}  // namespace gputlm
