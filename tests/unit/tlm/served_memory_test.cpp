#include "tlm/served_memory.h"

#include <gtest/gtest.h>

#include <array>

namespace gputlm {
namespace {

/// A transaction whose attributes are legal until a test changes one.
class Attributes : public testing::Test {
 protected:
  Attributes() {
    payload.set_read();
    payload.set_address(64);
    payload.set_data_ptr(data.data());
    payload.set_data_length(32);
    payload.set_streaming_width(32);
  }
  tlm::tlm_response_status status() const { return memory.status_of(payload); }
  BackingStore store{1000};
  ServedMemory memory{store.capacity(), &store};
  std::array<unsigned char, 64> data{};
  std::array<unsigned char, 4> enables{0xff, 0, 0xff, 0xff};
  tlm::tlm_generic_payload payload;
};

TEST_F(Attributes, ThatAreLegalAreServed) {
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
  payload.set_write();
  payload.set_streaming_width(1000);  // no streaming
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
  payload.set_streaming_width(8);
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
}

TEST_F(Attributes, OfNoBytesAreABurstError) {
  payload.set_data_length(0);
  EXPECT_EQ(status(), tlm::TLM_BURST_ERROR_RESPONSE);
  payload.set_data_length(32);
  payload.set_streaming_width(0);
  EXPECT_EQ(status(), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST_F(Attributes, BeyondTheCapacityAreAnAddressError) {
  payload.set_address(1000 - 32);
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
  payload.set_address(1000 - 31);
  EXPECT_EQ(status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  payload.set_address(~std::uint64_t{0} - 15);  // where address plus length wraps
  EXPECT_EQ(status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  payload.set_address(0);
  payload.set_data_length(1001);
  payload.set_streaming_width(1001);
  EXPECT_EQ(status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(Attributes, OfAStreamNeedRoomForItsWidthOnly) {
  payload.set_address(1000 - 8);
  payload.set_streaming_width(8);
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
  payload.set_address(1000 - 7);
  EXPECT_EQ(status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(Attributes, ThatReachALineOfSomebodyElsesAreAnAddressError) {
  memory.holds = [](Address line) { return line / kLineBytes % 2 == 0; };
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
  payload.set_address(127);
  EXPECT_EQ(status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(Attributes, WithByteEnablesHaveSomeAndOnlyOnesOfTheStandards) {
  payload.set_byte_enable_ptr(enables.data());
  payload.set_byte_enable_length(4);
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
  payload.set_byte_enable_length(0);
  EXPECT_EQ(status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload.set_byte_enable_length(4);
  enables[3] = 0x12;
  EXPECT_EQ(status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload.set_byte_enable_length(3);
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE) << "the fourth is none of it";
}

TEST_F(Attributes, NeedADataPointerWhereThereIsData) {
  payload.set_data_ptr(nullptr);
  EXPECT_EQ(status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  memory.store = nullptr;
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
}

TEST_F(Attributes, OfTheIgnoreCommandMeanNothing) {
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_data_length(0);
  payload.set_data_ptr(nullptr);
  EXPECT_EQ(status(), tlm::TLM_OK_RESPONSE);
  payload.set_command(static_cast<tlm::tlm_command>(17));
  EXPECT_EQ(status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST_F(Attributes, AreLookedAtByTheDebugTransportAsFarAsTheStandardSays) {
  data.fill(9);
  payload.set_write();
  payload.set_byte_enable_ptr(enables.data());  // ignored
  payload.set_byte_enable_length(4);
  payload.set_streaming_width(1);
  EXPECT_EQ(memory.debug(payload), 32u);
  payload.set_read();
  payload.set_address(64 + 31);
  EXPECT_EQ(memory.debug(payload), 32u);
  EXPECT_EQ(data[0], 9);
  EXPECT_EQ(data[1], 0);
}

TEST_F(Attributes, BeyondTheEndGiveTheDebugTransportAsManyBytesAsThereAre) {
  payload.set_address(990);
  EXPECT_EQ(memory.debug(payload), 10u);
  payload.set_address(1000);
  EXPECT_EQ(memory.debug(payload), 0u);
  payload.set_address(0);
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  EXPECT_EQ(memory.debug(payload), 0u);
  payload.set_read();
  payload.set_data_ptr(nullptr);
  EXPECT_EQ(memory.debug(payload), 0u);
  payload.set_data_ptr(data.data());
  memory.store = nullptr;
  EXPECT_EQ(memory.debug(payload), 0u);
}

}  // namespace
}  // namespace gputlm
