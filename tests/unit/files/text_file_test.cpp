#include "platform/files/atomic_file.h"

#include <gmock/gmock.h>

#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

TEST(TextFile, IsReadWholeAndNoFurtherThanItMayBeLong) {
  const TestFolder folder;
  for (const std::size_t length : {0, 1, 262'143, 262'144, 262'145, 600'000}) {
    const std::string text(length, 'x');
    folder.write("file", text);
    EXPECT_EQ(read_text(folder.path("file")), text);
    EXPECT_EQ(read_text(folder.path("file"), length), text);
    if (length > 0) {
      EXPECT_EQ(read_text(folder.path("file"), length - 1).size(), length) << "so that it is known to be too long";
    }
  }
  EXPECT_EQ(read_text("/dev/zero", 1'000'000).size(), 1'000'001u);
}

TEST(TextFile, ThatCannotBeReadIsNamedWithTheReason) {
  const TestFolder folder;
  const auto error_of = [](const std::string& path) -> std::string {
    try {
      read_text(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of(folder.path("none")), folder.path("none") + ": cannot be opened: No such file or directory");
  EXPECT_EQ(error_of(folder.path()), folder.path() + ": cannot be read: Is a directory");
}

}  // namespace
}  // namespace gputlm
