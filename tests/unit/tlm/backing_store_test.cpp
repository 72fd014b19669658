#include "tlm/backing_store.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace gputlm {
namespace {

TEST(BackingStore, ReadsZerosWhereNothingHasBeenWritten) {
  const BackingStore store(1 << 20);
  std::array<unsigned char, 16> data;
  data.fill(7);
  store.read(4090, data.data(), data.size());
  for (const unsigned char byte : data) EXPECT_EQ(byte, 0);
  EXPECT_EQ(store.pages(), 0u);
}

TEST(BackingStore, GivesBackWhatWasWrittenAcrossPagesAndNothingBeside) {
  BackingStore store(1 << 20);
  std::vector<unsigned char> data(3 * BackingStore::kPageBytes);
  std::iota(data.begin(), data.end(), static_cast<unsigned char>(1));
  store.write(BackingStore::kPageBytes - 5, data.data(), data.size());
  std::vector<unsigned char> read(data.size() + 2);
  store.read(BackingStore::kPageBytes - 6, read.data(), read.size());
  EXPECT_EQ(read.front(), 0);
  EXPECT_EQ(read.back(), 0);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), read.begin() + 1));
}

TEST(BackingStore, HoldsOnlyPagesThatHaveBeenWrittenTo) {
  BackingStore store(Bytes{1} << 60);
  const unsigned char byte = 1;
  store.write(0, &byte, 1);
  store.write((Bytes{1} << 60) - 1, &byte, 1);
  EXPECT_EQ(store.pages(), 2u);
}

}  // namespace
}  // namespace gputlm
