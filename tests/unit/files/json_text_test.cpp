// A list that is written item by item has the same text as a list in the object.

#include "platform/files/json_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, OfListsMadeItemByItemIsThatOfTheWhole) {
  const std::vector<Json> items{{{"id", 0}, {"deep", {{"list", {1, 2}}, {"none", Json::array()}}}},
                                "text,\n  \"list\": [ with a line's end",
                                Json::array({1, Json::object()}),
                                nullptr,
                                Json::object()};
  for (std::size_t count = 0; count <= items.size(); ++count) {
    Json whole{{"before", "\n  \"list\": []"}, {"inner", {{"list", Json::array()}}}};
    whole["list"] = Json::array();
    whole["after"] = {{"list", Json::array()}, {"other", Json::array()}};
    whole["other"] = Json::array();
    whole["last"] = 0;
    const Json around = whole;
    for (std::size_t i = 0; i < count; ++i) whole["list"].push_back(items[i]);
    for (std::size_t i = 0; i < items.size() - count; ++i) whole["other"].push_back(items[i]);
    std::string text;
    const auto item = [&](std::size_t i) { return items[i]; };
    const std::vector<JsonList> lists{{"list", count, item}, {"other", items.size() - count, item}};
    write_json(around, lists, [&](std::string_view part) { text += part; });
    EXPECT_EQ(text, json_text(whole)) << count;
  }
}

TEST(JsonText, OfALongListComesInParts) {
  const Json item{{"name", std::string(1000, 'x')}};
  std::string text;
  std::size_t longest = 0;
  const JsonList list{"list", 1000, [&](std::size_t) -> Json { return item; }};
  write_json(Json{{"list", Json::array()}}, {list}, [&](std::string_view part) {
    text += part;
    longest = std::max(longest, part.size());
  });
  EXPECT_EQ(text, json_text(Json{{"list", Json(1000, item)}}));
  EXPECT_LT(longest, text.size() / 10);
}

}  // namespace
}  // namespace gputlm
