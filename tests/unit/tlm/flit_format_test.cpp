#include "tlm/flit_format.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

Access access(bool write, bool atomic) {
  Access access;
  access.bytes = 128;
  access.write = write;
  access.atomic = atomic;
  return access;
}

TEST(FlitFormat, SendsDataWithWritesAndAtomicsAndBringsItBackWithReadsAndAtomics) {
  const FlitFormat format{40, 8};  // 136 bytes in flits of 40
  const Access read = access(false, false), write = access(true, false), atomic = access(false, true);
  EXPECT_EQ(format.request_flits(read), 1);
  EXPECT_EQ(format.reply_flits(read), 4);
  EXPECT_EQ(format.request_flits(write), 4);
  EXPECT_EQ(format.reply_flits(write), 1);
  EXPECT_EQ(format.request_flits(atomic), 4);
  EXPECT_EQ(format.reply_flits(atomic), 4);
}

TEST(FlitFormat, TakesAFlitForAPacketWithoutHeaderAndData) {
  const FlitFormat format{32, 0};
  EXPECT_EQ(format.request_flits(access(false, false)), 1);
  EXPECT_EQ(format.request_flits(access(true, false)), 4);
}

}  // namespace
}  // namespace gputlm
