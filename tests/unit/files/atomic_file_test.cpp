#include "platform/files/atomic_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

constexpr const char* kPartOfFile = "file[.]part-[0-9a-f]+";

TEST(AtomicFile, AppearsWhenItIsCommittedAndNotBefore) {
  const TestFolder folder;
  AtomicFile file(folder.path("file"));
  file.write("text");
  EXPECT_EQ(file.digest(), "372ea08cab33e71c02c651dbc83a474d32c676ea") << "sha1sum";
  EXPECT_THAT(folder.files(), ElementsAre(MatchesRegex(kPartOfFile)));
  file.commit();
  EXPECT_THAT(folder.files(), ElementsAre("file"));
  EXPECT_EQ(folder.read("file"), "text");
}

TEST(AtomicFile, LeavesTheLastOneAloneIfItIsNotCommitted) {
  const TestFolder folder;
  folder.write("file", "before");
  { AtomicFile(folder.path("file")).write("after"); }
  EXPECT_THAT(folder.files(), ElementsAre("file"));
  EXPECT_EQ(folder.read("file"), "before");
}

TEST(AtomicFile, TakesThePermissionsThatNewFilesHave) {
  const TestFolder folder;
  const mode_t mask = umask(027);
  write_file(folder.path("file"), "");
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(folder.path("file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, GoesThroughNoLinkThatSomebodyHasPutThere) {
  const TestFolder folder;
  folder.write("victim", "precious");
  std::filesystem::create_symlink("victim", folder.path("file"));
  write_file(folder.path("file"), "text");
  EXPECT_EQ(folder.read("victim"), "precious");
  EXPECT_FALSE(std::filesystem::is_symlink(folder.path("file")));
}

TEST(AtomicFile, HasANameThatIsItsOwnEachTime) {
  const TestFolder folder;
  const AtomicFile first(folder.path("file")), second(folder.path("file"));
  EXPECT_EQ(folder.files().size(), 2u);
  const std::string common = "file.part-";
  EXPECT_THAT(folder.files(), testing::Each(StartsWith(common)));
  EXPECT_NE(folder.files()[0].substr(common.size(), 4), folder.files()[1].substr(common.size(), 4)) << "no counter";
}

TEST(AtomicFile, ThatCannotBeWrittenIsAnErrorWithItsName) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.path("taken"));
  for (const std::string& path : {folder.path("taken"), folder.path("none/file")}) {
    EXPECT_THAT([&] { AtomicFile file(path); }, testing::ThrowsMessage<InputError>(StartsWith(path))) << path;
  }
}

/// Leaves what a program leaves that is killed while it writes.
void write_and_be_killed(const std::string& path) {
  const pid_t program = fork();
  if (program == 0) {
    AtomicFile file(path);
    file.write("half");
    raise(SIGKILL);
  }
  waitpid(program, nullptr, 0);
}

TEST(AbandonedParts, AreRemovedButNoFileThatIsUnderWayAndNoneOfOthers) {
  const TestFolder folder;
  write_and_be_killed(folder.path("file"));
  EXPECT_THAT(folder.files(), ElementsAre(MatchesRegex(kPartOfFile)));
  remove_abandoned_parts(folder.path());
  EXPECT_THAT(folder.files(), IsEmpty());

  AtomicFile under_way(folder.path("file"));
  const std::vector<std::string> others{"a.part-12", "b.part-0123456789abcdeg", "c-0123456789abcdef",
                                        ".part-0123456789abcdef", "e.part-0123456789ABCDEF"};
  for (const std::string& name : others) folder.write(name, "");
  std::filesystem::create_directory(folder.path("f.part-0123456789abcdef"));
  std::filesystem::create_symlink("a.part-12", folder.path("g.part-0123456789abcdef"));
  ASSERT_EQ(mkfifo(folder.path("h.part-0123456789abcdef").c_str(), 0600), 0);
  remove_abandoned_parts(folder.path());
  EXPECT_EQ(folder.files().size(), others.size() + 4);
  under_way.commit();
}

}  // namespace
}  // namespace gputlm
