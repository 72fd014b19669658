// The store of finished runs: which are found again, and which are not.

#include "platform/lab/run_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "platform/files/atomic_file.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

class RunStoreTest : public testing::Test {
 protected:
  RunStoreTest() {
    std::string name = (fs::temp_directory_path() / "gputlm_store_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~RunStoreTest() override { fs::remove_all(folder_); }

  void overwrite(const std::string& id, const std::string& content) const {
    std::ofstream(folder_ + "/" + id + ".run", std::ios::binary) << content;
  }
  std::string content(const std::string& id) const {
    std::ifstream file(folder_ + "/" + id + ".run", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder_;
};

TEST_F(RunStoreTest, FindsWhatWasKeptAndNothingElse) {
  const RunStore store(folder_);
  EXPECT_FALSE(store.find("a"));
  const std::string bytes("\0result\xff", 8);
  store.keep("a", bytes);
  EXPECT_EQ(store.find("a"), bytes);
  EXPECT_FALSE(store.find("b"));
  EXPECT_EQ(RunStore(folder_).find("a"), bytes) << "another program";
}

TEST_F(RunStoreTest, KeepsAnEmptyResult) {
  const RunStore store(folder_);
  store.keep("a", "");
  EXPECT_EQ(store.find("a"), "");
}

TEST_F(RunStoreTest, IgnoresAnEntryOfWhichAByteIsWrongOrMissing) {
  const RunStore store(folder_);
  store.keep("a", "result");
  const std::string whole = content("a");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] ^= 1;
    overwrite("a", damaged);
    EXPECT_FALSE(store.find("a")) << "byte " << i;
    overwrite("a", whole.substr(0, i));
    EXPECT_FALSE(store.find("a")) << "cut to " << i;
  }
  store.keep("a", "result");
  EXPECT_EQ(store.find("a"), "result") << "a damaged entry is replaced";
}

TEST_F(RunStoreTest, ShrinksToTheEntriesThatWereUsedLast) {
  const RunStore store(folder_);
  const auto hours_ago = [&](const std::string& id, int hours) {
    fs::last_write_time(folder_ + "/" + id + ".run", fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (const char* id : {"a", "b", "c"}) store.keep(id, std::string(1000, 'x'));
  hours_ago("a", 3);
  hours_ago("b", 2);
  hours_ago("c", 1);
  EXPECT_TRUE(store.find("a"));  // now the last one
  EXPECT_EQ(store.shrink(2500), 1u);
  EXPECT_TRUE(store.find("a"));
  EXPECT_FALSE(store.find("b"));
  EXPECT_TRUE(store.find("c"));
  EXPECT_EQ(store.shrink(0), 2u);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(RunStoreTest, RemovesWhatAnInterruptedProgramLeftButNoFilesOfOthers) {
  const RunStore store(folder_);
  const std::string abandoned = folder_ + "/old.run.part-0123456789abcdef";
  std::ofstream(abandoned) << "half a res";
  std::ofstream(folder_ + "/notes.txt") << "mine";
  {
    AtomicFile under_way(folder_ + "/new.run");
    under_way.write("result");
    store.shrink(RunStore::kMax);
    EXPECT_FALSE(fs::exists(abandoned));
    under_way.commit();  // another program's, perhaps
  }
  store.shrink(0);
  EXPECT_FALSE(fs::exists(folder_ + "/new.run"));
  EXPECT_TRUE(fs::exists(folder_ + "/notes.txt"));
}

}  // namespace
}  // namespace gputlm
