#include "platform/files/json_text.h"

#include <gtest/gtest.h>

#include "tests/support/test_folder.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

Json members_of(const std::string& text, const std::set<std::string>& members) {
  const TestFolder folder;
  folder.write("file.json", text);
  return read_members(folder.path("file.json"), members);
}

TEST(JsonFile, HasTheMembersThatAreAskedForAndOfTheseAll) {
  const std::string text = R"({"a": {"b": [1, {"c": null}], "a": 2}, "b": [{"a": 3}, 4], "c": "b"})";
  EXPECT_EQ(members_of(text, {"a", "c"}), Json::parse(R"({"a": {"b": [1, {"c": null}], "a": 2}, "c": "b"})"));
  EXPECT_EQ(members_of(text, {"b", "d"}), Json::parse(R"({"b": [{"a": 3}, 4]})"));
  EXPECT_EQ(members_of(text, {}), Json::object());
}

TEST(JsonFile, ThatIsNoObjectOrNoneHasNone) {
  for (const char* text : {"", "[{\"a\": 1}]", "1", "{\"a\": 1", "{\"a\": 1} x", "{\"b\": [1,}, \"a\": 1}"}) {
    EXPECT_TRUE(members_of(text, {"a"}).is_null()) << text;
  }
  const TestFolder folder;
  EXPECT_TRUE(read_members(folder.path("missing.json"), {"a"}).is_null());
  EXPECT_TRUE(read_members(folder.path(""), {"a"}).is_null());
}

}  // namespace
}  // namespace gputlm
