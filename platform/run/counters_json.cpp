#include "platform/run/counters_json.h"

#include <vector>

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

class ToJson final : public CounterVisitor {
 public:
  explicit ToJson(Json& json) : open_{&json} {}
  void counter(const char* name, std::uint64_t value) override { add(name) = value; }
  void counters(const char* name, const std::vector<std::uint64_t>& values) override { add(name) = values; }
  void ratio(const char* name, std::uint64_t part, std::uint64_t whole) override {
    add(name) = whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  }
  void begin(const char* name) override {
    Json& object = object_at(*open_.back(), name);
    if (object.is_null()) object = Json::object();
    open_.push_back(&object);
  }
  void begin_list(const char* name) override { open_.push_back(&(add(name) = Json::array())); }
  void begin_item() override {
    open_.back()->push_back(Json::object());
    open_.push_back(&open_.back()->back());
  }
  void end() override { open_.pop_back(); }

 private:
  /// A new member. It is not looked for: each name is there once.
  Json& add(std::string_view path) {
    Json* json = open_.back();
    if (const std::size_t dot = path.rfind('.'); dot != std::string_view::npos) {
      json = &object_at(*json, path.substr(0, dot));
      path.remove_prefix(dot + 1);
    }
    if (json->is_null()) *json = Json::object();
    return json->get_ref<Json::object_t&>().emplace_back(path, nullptr).second;
  }

  std::vector<Json*> open_;  ///< the object or list that is being filled, behind those that it is in
};

}  // namespace

Json counters_json(const std::function<void(CounterVisitor&)>& tell) {
  auto json = Json::object();
  ToJson to(json);
  tell(to);
  return json;
}

}  // namespace gputlm
