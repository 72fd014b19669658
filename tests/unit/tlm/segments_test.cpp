#include "tlm/segments.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "tlm/identity.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using Cut = std::tuple<Address, unsigned, Bytes>;  ///< address, bytes, offset in the data array

class Transactions : public testing::Test {
 protected:
  void ask(bool write, Address address, unsigned length, unsigned streaming_width) {
    data.resize(length);
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(length);
    payload.set_streaming_width(streaming_width);
  }
  void enable(std::vector<unsigned char> pattern) {
    enables = std::move(pattern);
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
  }
  /// Makes all segments, each of which arrives at once.
  std::vector<Cut> cut() {
    Segments<Access> segments(payload, memory);
    std::vector<Cut> cuts;
    while (segments.left()) {
      Access access;
      const Bytes offset = segments.next(access);
      segments.arrives(access, offset);
      EXPECT_EQ(access.write, payload.is_write());
      partial.push_back(access.partial);
      cuts.emplace_back(access.address, access.bytes, offset);
    }
    return cuts;
  }
  unsigned char stored(Address address) const {
    unsigned char byte = 0;
    store.read(address, &byte, 1);
    return byte;
  }
  BackingStore store{1 << 20};
  ServedMemory memory{store.capacity(), &store};
  std::vector<unsigned char> data, enables;
  std::vector<bool> partial;
  tlm::tlm_generic_payload payload;
};

TEST_F(Transactions, AreCutAtTheBoundariesOfLines) {
  ask(false, 100, 200, 200);
  EXPECT_THAT(cut(), ElementsAre(Cut{100, 28, 0}, Cut{128, 128, 28}, Cut{256, 44, 156}));
}

TEST_F(Transactions, OfMoreThan64KiBAreServedInFull) {
  ask(false, 0, 65536 + 32, 65536 + 32);
  const auto cuts = cut();
  EXPECT_EQ(cuts.size(), 513u);
  EXPECT_EQ(cuts.back(), (Cut{65536, 32, 65536}));
}

TEST_F(Transactions, ThatStreamGoToTheSameAddressesAgain) {
  ask(true, 120, 20, 16);
  for (unsigned i = 0; i < 20; ++i) data[i] = static_cast<unsigned char>(i + 1);
  EXPECT_THAT(cut(), ElementsAre(Cut{120, 8, 0}, Cut{128, 8, 8}, Cut{120, 4, 16}));
  EXPECT_EQ(stored(120), 17) << "the last beat";
  EXPECT_EQ(stored(124), 5) << "the first one";
  EXPECT_EQ(stored(135), 16);
  EXPECT_EQ(stored(136), 0);
}

TEST_F(Transactions, WriteEnabledBytesOnlyAndCountFromTheStartOfTheDataArray) {
  ask(true, 127, 6, 6);
  std::fill(data.begin(), data.end(), static_cast<unsigned char>(5));
  enable({0xff, 0, 0xff});
  cut();
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(stored(127 + i), i % 3 == 1 ? 0 : 5) << i;
}

TEST_F(Transactions, ReadEnabledBytesOnly) {
  ask(false, 0, 4, 4);
  std::fill(data.begin(), data.end(), static_cast<unsigned char>(5));
  enable({0, 0xff});
  cut();
  EXPECT_THAT(data, ElementsAre(5, 0, 5, 0));
}

TEST_F(Transactions, ArePartialWritesWhereASectorIsNotCovered) {
  ask(true, 96, 64, 64);
  cut();
  ask(true, 100, 60, 60);
  cut();
  ask(true, 128, 32, 32);
  enable({0xff, 0xff, 0});
  cut();
  EXPECT_THAT(partial, ElementsAre(false, false, true, false, true));
}

TEST_F(Transactions, ThatAreRefusedOrAskForNothingHaveNoSegments) {
  ask(false, 1 << 20, 32, 32);
  EXPECT_THAT(cut(), ElementsAre());
  EXPECT_EQ((Segments<Access>(payload, memory).status()), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  ask(false, 0, 32, 32);
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  EXPECT_THAT(cut(), ElementsAre());
  EXPECT_EQ((Segments<Access>(payload, memory).status()), tlm::TLM_OK_RESPONSE);
}

TEST_F(Transactions, MoveNoMoreDataOnceTheyAreAbandoned) {
  ask(true, 0, 256, 256);
  std::fill(data.begin(), data.end(), static_cast<unsigned char>(5));
  Segments<Access> segments(payload, memory);
  Access access;
  const Bytes offset = segments.next(access);
  segments.abandon();
  segments.arrives(access, offset);
  EXPECT_EQ(stored(0), 0);
  EXPECT_FALSE(segments.left());
}

TEST_F(Transactions, TellForWhomTheyAreInAnExtension) {
  ask(false, 0, 32, 32);
  Carried<Access> carried;
  carried.item.identity.application = 3;
  payload.set_extension(&carried);
  Access access;
  Segments<Access>(payload, memory).next(access);
  EXPECT_EQ(access.identity.application, 3);
  payload.clear_extension(&carried);
}

/// What has no address: its extension is all of it.
struct Task {
  Identity identity;
  unsigned done = 0;
  tlm::tlm_generic_payload* transaction = nullptr;
};

TEST(TransactionsWithoutAddress, AreTheItemOfTheirExtensionWhichComesBackThere) {
  const ServedMemory none;
  tlm::tlm_generic_payload payload, pooled;
  Segments<Task> refused(payload, none);
  EXPECT_EQ(refused.status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_FALSE(refused.left());

  Carried<Task> carried;
  carried.item.identity.kernel = 7;
  payload.set_extension(&carried);
  Segments<Task> segments(payload, none);
  EXPECT_EQ(segments.status(), tlm::TLM_OK_RESPONSE);
  Task task;
  task.transaction = &pooled;
  segments.next(task);
  EXPECT_EQ(task.identity.kernel, 7u);
  EXPECT_EQ(task.transaction, &pooled);
  EXPECT_FALSE(segments.left());
  task.done = 5;
  segments.ended(task);
  EXPECT_EQ(carried.item.done, 5u);
  payload.clear_extension(&carried);
}

}  // namespace
}  // namespace gputlm
