#include "platform/files/output_folder.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/test_folder.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr const char* kRecord = "record.json";

/// The text of a record that says so of these files.
std::string record_of(const std::map<std::string, std::string>& digests) {
  std::string text;
  for (const auto& [name, digest] : digests) {
    text += (text.empty() ? "" : ", ") + ("\"" + name + "\": \"" + digest + "\"");
  }
  return "{\"files\": {" + text + "}}\n";
}

/// A set of a record and these files.
void write_set(const TestFolder& folder, const std::map<std::string, std::string>& contents) {
  OutputFolder output(folder.path(), kRecord);
  std::map<std::string, std::string> digests;
  for (const auto& [name, content] : contents) {
    output.file(name).write(content);
    digests[name] = output.file(name).digest();
  }
  output.file(kRecord).write(record_of(digests));
  output.commit();
}

TEST(OutputFolder, ShowsNothingOfASetBeforeAllOfItIsThere) {
  const TestFolder folder;
  {
    OutputFolder output(folder.path("new/folder"), kRecord);
    output.file("a").write("text");
    EXPECT_FALSE(std::filesystem::exists(folder.path("new/folder/a")));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("new/folder"))) << "it was not committed";
  write_set(folder, {{"a", "1"}, {"b", "2"}});
  EXPECT_THAT(folder.files(), ElementsAre("a", "b", "new", kRecord));
}

TEST(OutputFolder, RefusesASecondProgramAndNamesTheFirst) {
  const TestFolder folder;
  {
    const OutputFolder first(folder.path(), kRecord);
    const auto names = folder.files();
    EXPECT_THAT([&] { OutputFolder(folder.path(), kRecord); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr(folder.path() + ": "), HasSubstr("(process " + std::to_string(getpid()) + ")"))));
    EXPECT_EQ(folder.files(), names);
  }
  EXPECT_NO_THROW(OutputFolder(folder.path(), kRecord));
}

TEST(OutputFolder, IsFreeWhenItsProgramIsKilledAndNothingOfThatStays) {
  const TestFolder folder;
  const pid_t program = fork();
  if (program == 0) {
    OutputFolder output(folder.path(), kRecord);
    output.file("a").write("half");
    raise(SIGKILL);
  }
  waitpid(program, nullptr, 0);
  EXPECT_EQ(folder.files().size(), 2u);
  { const OutputFolder next(folder.path()); }
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(OutputFolder, RemovesFilesOfTheLastSetThatTheNewOneDoesNotHave) {
  const TestFolder folder;
  write_set(folder, {{"a", "1"}, {"b", "2"}, {"c", "3"}});
  folder.write("notes", "mine");
  write_set(folder, {{"b", "4"}});
  EXPECT_THAT(folder.files(), ElementsAre("b", "notes", kRecord));
  EXPECT_EQ(folder.read("b"), "4");
}

TEST(OutputFolder, HasFilesInFoldersBelowIt) {
  const TestFolder folder;
  write_set(folder, {{"below/a", "1"}, {"below/b", "2"}});
  EXPECT_EQ(folder.read("below/a"), "1");
  write_set(folder, {{"below/a", "3"}});
  EXPECT_EQ(folder.read("below/a"), "3");
  EXPECT_FALSE(std::filesystem::exists(folder.path("below/b"))) << "this set does not have it";
}

TEST(OutputFolder, RemovesNothingThatIsNotAsTheLastRecordSays) {
  const TestFolder folder;
  write_set(folder, {{"changed", "1"}, {"linked", "2"}});
  folder.write("changed", "by a user");
  std::filesystem::rename(folder.path("linked"), folder.path("elsewhere"));
  std::filesystem::create_symlink("elsewhere", folder.path("linked"));
  write_set(folder, {});
  EXPECT_THAT(folder.files(), ElementsAre("changed", "elsewhere", "linked", kRecord));

  const TestFolder above;
  above.write("precious", "text");
  std::filesystem::create_directory(above.path("out"));
  for (const std::string& record :
       {record_of({{"../precious", sha1("text")}}), record_of({{"below/../../precious", sha1("text")}}),
        record_of({{"..", ""}}), std::string("{\"files\": {\"a\": 3}}"), std::string("{\"files\": [1]}"),
        std::string("[]"), std::string("no JSON"), std::string()}) {
    above.write(std::string("out/") + kRecord, record);
    OutputFolder output(above.path("out"), kRecord);
    output.commit();
    EXPECT_EQ(above.read("precious"), "text") << record;
  }
}

TEST(OutputFolder, HasNoRecordWhereASetCouldNotBePutInPlace) {
  const TestFolder folder;
  write_set(folder, {{"a", "1"}});
  {
    OutputFolder output(folder.path(), kRecord);
    output.file("a").write("2");
    output.file("b").write("3");
    std::filesystem::create_directory(folder.path("b"));
    EXPECT_THROW(output.commit(), InputError);
  }
  EXPECT_THAT(folder.files(), ElementsAre("a", "b"));
}

TEST(OutputFolder, ThatCannotBeIsRefusedBeforeAnythingIsDone) {
  const TestFolder folder;
  folder.write("file", "");
  EXPECT_THROW(OutputFolder(folder.path("file")), InputError);
  EXPECT_THROW(OutputFolder(folder.path("file/below")), InputError);
  std::filesystem::create_directory(folder.path(kRecord));
  EXPECT_THROW(OutputFolder(folder.path(), kRecord), InputError);
  EXPECT_NO_THROW(OutputFolder(folder.path())) << "the lock of the last one is gone";
}

}  // namespace
}  // namespace gputlm
