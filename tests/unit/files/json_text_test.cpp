// A list that is written item by item is the same text as one that is in the object.

#include "platform/files/json_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, OfAListMadeItemByItemIsThatOfTheWhole) {
  const std::vector<Json> items{{{"id", 0}, {"deep", {{"list", {1, 2}}, {"none", Json::array()}}}},
                                "text,\n  \"list\": [ with a line's end",
                                Json::array({1, Json::object()}),
                                nullptr,
                                Json::object()};
  for (std::size_t count = 0; count <= items.size(); ++count) {
    Json whole{{"before", "\n  \"list\": []"}, {"inner", {{"list", Json::array()}}}};
    whole["list"] = Json::array();
    whole["after"] = {{"list", Json::array()}};
    const Json around = whole;
    for (std::size_t i = 0; i < count; ++i) whole["list"].push_back(items[i]);
    EXPECT_EQ(json_text(around, "list", count, [&](std::size_t i) { return items[i]; }), json_text(whole)) << count;
  }
}

}  // namespace
}  // namespace gputlm
