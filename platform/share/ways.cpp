#include "platform/share/ways.h"

#include <algorithm>

#include "platform/files/atomic_file.h"
#include "platform/input/document.h"
#include "platform/input/nearest.h"
#include "platform/input/variants.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Document::Node& node) {
  using Kind = Document::Node::Kind;
  switch (node.kind) {
    case Kind::kNull: return nullptr;
    case Kind::kList: {
      Json list = Json::array();
      for (const Document::Node* item : node.children) list.push_back(json_of(*item));
      return list;
    }
    case Kind::kMap: {
      Json map = Json::object();
      for (std::size_t i = 0; i + 1 < node.children.size(); i += 2)
        map[node.children[i]->text] = json_of(*node.children[i + 1]);
      return map;
    }
    default: return node.text;
  }
}

}  // namespace

Registry<WayKind>& way_kinds() {
  static Registry<WayKind> registry("way to share");
  return registry;
}

std::vector<SharingWay> standard_ways(const ToShare& what) {
  std::vector<SharingWay> all;
  for (const WayKind& kind : way_kinds()) {
    for (SharingWay& way : kind.make(what)) {
      way.kind = kind.name;
      all.push_back(std::move(way));
    }
  }
  return all;
}

namespace {

std::vector<SharingWay> ways_of(const YamlNode& root) {
  const auto variants = root.is_map() ? root.find("variants") : std::nullopt;
  if (!variants || !variants->is_map()) root.fail("there are no `variants`, each of which is a way");
  std::vector<SharingWay> ways;
  for (const auto& [name, change] : variants->entries()) {
    if (!change.is_map()) change.refuse("a mapping of what the way changes");
    if (name.find_first_of("#+") != std::string::npos)
      change.fail("'" + name + "': a way has neither # nor + in its name");
    ways.push_back({name, kOwnWays, json_of(change.node())});
  }
  return ways;
}

}  // namespace

std::vector<SharingWay> ways_of_file(const std::string& path) { return ways_of(YamlNode::load_file(path)); }

std::vector<SharingWay> ways_of_text(const std::string& text, const std::string& name) {
  return ways_of(YamlNode::load_text(text, name));
}

Json document_of_text(const std::string& text, const std::string& name) {
  return json_of(YamlNode::load_text(text, name).node());
}

std::vector<SharingWay> chosen(const std::vector<SharingWay>& ways, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const SharingWay& way : ways) {
    for (const std::string& name : {way.kind, way.name}) {
      if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("--way: no way '" + shortened(name) + "'" + suggestion(name, known));
  }
  std::vector<SharingWay> some;
  for (const SharingWay& way : ways) {
    const auto asked = [&](const std::string& name) { return name == way.name || name == way.kind; };
    if (names.empty() || std::any_of(names.begin(), names.end(), asked)) some.push_back(way);
  }
  return some;
}

std::vector<std::vector<unsigned>> splits(std::size_t parts) {
  if (parts == 0) return {};
  const auto whole = [](std::vector<unsigned> split) {
    unsigned sum = 0;
    for (const unsigned part : split) sum += part;
    split.back() += 100 - sum;  // the rounding error
    return split;
  };
  const auto n = static_cast<unsigned>(parts);
  std::vector<std::vector<unsigned>> all{whole(std::vector<unsigned>(parts, 100 / n))};
  if (parts == 1) return all;
  for (std::size_t large = 0; large < parts; ++large) {
    std::vector<unsigned> split(parts, (parts == 2 ? 25 : 50 / (n - 1)));
    split[large] = parts == 2 ? 75 : 50;
    unsigned sum = 0;
    for (const unsigned part : split) sum += part;
    split[large] += 100 - sum;
    all.push_back(std::move(split));
  }
  return all;
}

}  // namespace gputlm
