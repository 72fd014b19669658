/// Random transactions of the generic payload and their expected results: response status, and data by a reference
/// memory. They are sent in the order in which they are made.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tlm>
#include <utility>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

struct TrafficSetup {
  unsigned transactions = 100;
  Address base = 0;    ///< first of the initiator's own addresses
  Bytes bytes = 4096;  ///< number of its own addresses, a multiple of 128
  Bytes longest = 600;
  /// Addresses from this one on are refused; kNever: none is.
  Address capacity = kNever;
  bool data = true;      ///< there is a store: the data of reads is compared
  bool illegal = false;  ///< also what the standard forbids an initiator, and a checker would complain of
};

class RandomTraffic {
 public:
  /// One transaction: the arrays of its payload, and its expected outcome.
  struct Order {
    std::vector<unsigned char> data, enables, expected;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    bool compare = false;
  };

  RandomTraffic(const TrafficSetup& setup, unsigned seed) : setup_(setup), random_(seed), memory_(setup.bytes) {}

  /// A number below `end`.
  unsigned draw(unsigned end) { return static_cast<unsigned>(random_() % end); }
  bool one_in(unsigned n) { return draw(n) == 0; }

  void make(tlm::tlm_generic_payload& payload, Order& order) {
    order = Order{};
    const Bytes length = pick_length();
    const Bytes streaming = one_in(5) ? 1 + random_() % length : length + draw(2) * draw(100);
    const Bytes span = std::min({length, streaming, setup_.bytes});
    const Address offset = random_() % (setup_.bytes - span + 1);
    order.data.resize(length);
    for (unsigned char& byte : order.data) byte = static_cast<unsigned char>(random_());
    if (one_in(4)) {
      order.enables.resize(one_in(2) ? length : 1 + random_() % 40);
      for (unsigned char& enable : order.enables) enable = one_in(3) ? 0 : 0xff;
    }
    const bool write = one_in(2);
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(setup_.base + offset);
    payload.set_data_ptr(order.data.data());
    payload.set_data_length(static_cast<unsigned>(length));
    payload.set_streaming_width(static_cast<unsigned>(streaming));
    payload.set_byte_enable_ptr(order.enables.empty() ? nullptr : order.enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(order.enables.size()));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_dmi_allowed(false);
    spoil(payload, order);
    expect(payload, order, write, offset, streaming);
  }
  /// Checks a transaction that has been answered.
  void check(const tlm::tlm_generic_payload& payload, const Order& order) const {
    EXPECT_EQ(payload.get_response_status(), order.status) << payload.get_response_string();
    if (order.compare) {
      EXPECT_EQ(order.data, order.expected);
    }
  }
  const TrafficSetup& setup() const { return setup_; }

 private:
  Bytes pick_length() {
    const Bytes most = std::min<Bytes>(setup_.longest, setup_.bytes);
    if (one_in(3)) return 1 + random_() % std::min<Bytes>(most, 16);
    if (one_in(2)) return std::min<Bytes>(most, 32u << draw(3));
    return 1 + random_() % most;
  }
  /// Sometimes makes it a transaction that is refused, or asks for nothing.
  void spoil(tlm::tlm_generic_payload& payload, Order& order) {
    if (setup_.capacity != kNever && one_in(20)) {
      payload.set_address(one_in(2) ? setup_.capacity : kNever - draw(1000));
      order.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    } else if (one_in(30)) {
      payload.set_command(tlm::TLM_IGNORE_COMMAND);
    } else if (setup_.illegal && one_in(6)) {
      static unsigned char enable = 0x12;
      switch (draw(4)) {
        case 0: payload.set_data_length(0); break;
        case 1: payload.set_streaming_width(0); break;
        case 2: payload.set_byte_enable_ptr(&enable), payload.set_byte_enable_length(0); break;
        default: payload.set_byte_enable_ptr(&enable), payload.set_byte_enable_length(1); break;
      }
      const bool burst = payload.get_data_length() == 0 || payload.get_streaming_width() == 0;
      order.status = burst ? tlm::TLM_BURST_ERROR_RESPONSE : tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    }
  }
  void expect(const tlm::tlm_generic_payload& payload, Order& order, bool write, Address offset, Bytes streaming) {
    order.expected = order.data;
    order.compare = setup_.data;
    if (order.status != tlm::TLM_OK_RESPONSE || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    for (std::size_t i = 0; i < order.data.size(); ++i) {
      if (!order.enables.empty() && order.enables[i % order.enables.size()] == 0) continue;
      unsigned char& cell = memory_[offset + i % streaming];
      write ? cell = order.data[i] : order.expected[i] = cell;
    }
  }

  TrafficSetup setup_;
  std::mt19937_64 random_;
  std::vector<unsigned char> memory_;  ///< memory of the reference
};

}  // namespace gputlm
