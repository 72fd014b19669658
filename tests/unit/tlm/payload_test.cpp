#include "tlm/payload.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace gputlm {
namespace {

TEST(PayloadPool, RecyclesPayloadsInsteadOfMakingMore) {
  PayloadPool<Access> pool;
  std::set<tlm::tlm_generic_payload*> seen;
  std::vector<Access*> held;
  std::mt19937 random(1);
  for (int i = 0; i < 10000; ++i) {
    if (held.size() < 16 && random() % 2) {
      held.push_back(&pool.allocate());
      seen.insert(held.back()->transaction);
    } else if (!held.empty()) {
      const std::size_t any = random() % held.size();
      pool.release(*held[any]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(any));
    }
    ASSERT_EQ(pool.in_use(), held.size());
  }
  EXPECT_LE(seen.size(), 16u);
}

TEST(PayloadPool, GivesAFreshItemEachTime) {
  PayloadPool<Access> pool;
  Access& first = pool.allocate();
  first.address = 128;
  first.l2_hit = true;
  first.transaction->set_response_status(tlm::TLM_OK_RESPONSE);
  pool.release(first);
  Access& second = pool.allocate();
  EXPECT_EQ(&second, &first);
  EXPECT_EQ(second.address, 0u);
  EXPECT_FALSE(second.l2_hit);
  EXPECT_EQ(second.transaction->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_EQ(second.transaction->get_ref_count(), 1);
}

TEST(PayloadPool, KeepsAPayloadThatSomebodyElseStillHolds) {
  PayloadPool<Access> pool;
  Access& first = pool.allocate();
  first.transaction->acquire();
  pool.release(first);
  EXPECT_NE(&pool.allocate(), &first);
  first.transaction->release();
  EXPECT_EQ(&pool.allocate(), &first);
}

TEST(PayloadPool, PutsTheItemAndWhatThePayloadSaysAtTheBeginningsOfLinesOfTheHostsCache) {
  PayloadPool<Access> pool;
  for (int i = 0; i < 8; ++i) {
    Access& access = pool.allocate();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&access) % 64, 0u);
    EXPECT_EQ((reinterpret_cast<std::uintptr_t>(access.transaction) + sizeof(void*)) % 64, 0u);
    EXPECT_EQ(&pooled_item<Access>(*access.transaction), &access);
    EXPECT_EQ(access.transaction->get_extension<Carried<Access>>()->item.transaction, access.transaction);
  }
}

TEST(Payload, TellsABaseProtocolPeerWhatTheAccessAsks) {
  PayloadPool<Access> pool;
  for (const bool write : {false, true}) {
    for (const bool atomic : {false, true}) {
      Access& access = pool.allocate();
      access.address = 0x1234560;
      access.bytes = 96;
      access.write = write;
      access.atomic = atomic;
      fill_payload(*access.transaction, access);
      EXPECT_EQ(access.transaction->get_address(), access.address);
      EXPECT_EQ(access.transaction->get_data_length(), access.bytes);
      EXPECT_EQ(access.transaction->is_write(), write || atomic);
      EXPECT_EQ(access.transaction->get_byte_enable_ptr(), nullptr);
      EXPECT_NE(access.transaction->get_data_ptr(), nullptr);
      EXPECT_EQ(access.transaction->get_streaming_width(), access.bytes);
    }
  }
}

}  // namespace
}  // namespace gputlm
