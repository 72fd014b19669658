#include "tlm/base/digest.h"

#include <gtest/gtest.h>

#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// As sha1sum (coreutils) has them; the first two are in RFC 3174, 7.3.
TEST(Sha1, IsWhatSha1sumSays) {
  EXPECT_EQ(sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  const std::pair<std::size_t, const char*> lengths[] = {
      {55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"},  {56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"},
      {63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"},  {64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"},
      {65, "11655326c708d70319be2610e8a57d9a5b959d3b"},  {119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"},
      {120, "f34c1488385346a55709ba056ddd08280dd4c6d6"}, {1'000'000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
  };
  for (const auto& [length, digest] : lengths) EXPECT_EQ(sha1(std::string(length, 'a')), digest) << length;
}

TEST(Sha1, OfAFileIsThatOfItsContentHoweverLong) {
  const TestFolder folder;
  for (const std::size_t length : {0, 1, 64, 262'143, 262'144, 262'145, 600'000}) {
    std::string content(length, '\0');
    for (std::size_t i = 0; i < length; ++i) content[i] = static_cast<char>(i * i >> 3);
    folder.write("file", content);
    EXPECT_EQ(sha1_of_file(folder.path("file")), sha1(content)) << length;
  }
  EXPECT_THROW(sha1_of_file(folder.path("none")), InputError);
}

/// They stand in files of durations that users have made.
TEST(Digest, StaysWhatItWas) {
  EXPECT_EQ(digest("abc"), "b01d8779-68c6-576d-bef4-26488c9c9223") << "as Python's uuid5(UUID(int=0), 'abc')";
  const TestFolder folder;
  folder.write("file", "abc");
  EXPECT_EQ(file_digest(folder.path("file")), digest(digest("abc")));
  EXPECT_THROW(file_digest(folder.path("none")), InputError);
}

}  // namespace
}  // namespace gputlm
