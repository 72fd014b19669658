#include "platform/input/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <numeric>

#include "platform/files/atomic_file.h"
#include "platform/files/numbers.h"
#include "platform/input/nearest.h"
#include "tlm/base/error.h"
#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

/// "0 to 7", "at least 1", "a whole number"
template <class T>
std::string range(const std::string& kind, T least, T most) {
  if (most != std::numeric_limits<T>::max())
    return kind + " from " + std::to_string(least) + " to " + std::to_string(most);
  return least == std::numeric_limits<T>::min() ? kind : kind + " of at least " + std::to_string(least);
}

}  // namespace

YamlNode YamlNode::load_file(const std::string& path) { return load_text(read_text(path, Document::kMaxBytes), path); }

YamlNode YamlNode::load_text(const std::string& text, const std::string& name) {
  return root_of(Document::parse_yaml(text, name));
}

YamlNode YamlNode::root_of(std::shared_ptr<const Document> document) {
  const Document::Node& root = document->root();
  return {std::move(document), root};
}

YamlNode YamlNode::load_json_file(const std::string& path) {
  return load_json_text(read_text(path, Document::kMaxBytes), path);
}

YamlNode YamlNode::load_json_text(const std::string& text, const std::string& name) {
  return root_of(Document::parse_json(text, name));
}

void YamlNode::fail(const std::string& message) const {
  const std::string place = what();
  throw InputError(file(), line(), place.empty() ? message : shortened(place) + ": " + message);
}

void YamlNode::refuse(const std::string& allowed) const {
  const auto found = [&]() -> std::string {
    switch (node_->kind) {
      case Kind::kNull: return "nothing";
      case Kind::kText:
      case Kind::kString: return "'" + shortened(node_->text) + "'";
      case Kind::kLiteral: return shortened(node_->text);
      case Kind::kList: return "a list";
      case Kind::kMap: return "a mapping";
    }
    return "";
  };
  fail("found " + found() + ", allowed: " + allowed);
}

const std::string& YamlNode::lines() const {
  if (!is_text()) refuse("a text");
  if (node_->text.empty()) refuse("a text that is not empty");
  return node_->text;
}

const std::string& YamlNode::possibly_empty_text() const {
  if (!is_text()) refuse("a text");
  if (find_control_character(node_->text) < node_->text.size()) fail("found a control character in the text");
  return node_->text;
}

const std::string& YamlNode::text() const {
  lines();
  return possibly_empty_text();
}

bool YamlNode::boolean() const {
  if (may_be_literal() && node_->text == "true") return true;
  if (may_be_literal() && node_->text == "false") return false;
  refuse("true or false");
}

std::uint64_t YamlNode::unsigned_number(std::uint64_t least, std::uint64_t most) const {
  const auto value = is_scalar() ? parse_whole(node_->text) : std::nullopt;
  if (!value || *value < least || *value > most) refuse(range("a whole number", least, most));
  return *value;
}

std::int64_t YamlNode::signed_number(std::int64_t least, std::int64_t most) const {
  const auto value = is_scalar() ? parse_number<std::int64_t>(node_->text) : std::nullopt;
  if (!value || *value < least || *value > most) refuse(range("a whole number", least, most));
  return *value;
}

double YamlNode::number(double least, double most) const {
  const auto value = may_be_literal() ? parse_number<double>(node_->text) : std::nullopt;
  if (!value || !(*value >= least && *value <= most)) refuse(fmt::format("a number from {:g} to {:g}", least, most));
  return *value;
}

Bytes YamlNode::bytes(Bytes least, Bytes most) const {
  const std::string allowed = range("a number of bytes (also with KiB, MiB or GiB)", least, most);
  if (!is_scalar()) refuse(allowed);
  const auto value = parse_size(node_->text);
  if (!value) refuse(allowed + byte_suggestion(node_->text));
  if (*value < least || *value > most) refuse(allowed);
  return *value;
}

std::size_t YamlNode::one_of(const std::vector<std::string>& names) const {
  const std::string& found = text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == found) return i;
  fail("unknown name '" + shortened(found) + "'" + suggestion(found, names));
}

std::vector<YamlNode> YamlNode::items() const {
  if (!is_list()) refuse("a list");
  std::vector<YamlNode> result;
  result.reserve(node_->children.size());
  for (const Document::Node* item : node_->children) result.push_back({document_, *item});
  return result;
}

std::vector<std::pair<std::string, YamlNode>> YamlNode::entries() const {
  if (!is_map()) refuse("a mapping");
  std::vector<std::pair<std::string, YamlNode>> result;
  result.reserve(node_->children.size() / 2);
  for (std::size_t i = 0; i < node_->children.size(); i += 2) {
    const std::string& name = YamlNode(document_, *node_->children[i]).text();
    result.emplace_back(name, YamlNode(document_, *node_->children[i + 1]));
  }
  check_keys_differ();
  return result;
}

/// Reports the first repeated key, if any.
void YamlNode::check_keys_differ() const {
  const auto key = [this](std::size_t place) -> const Document::Node& { return *node_->children[2 * place]; };
  boost::container::small_vector<std::size_t, 16> places(node_->children.size() / 2);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    const int order = key(a).text.compare(key(b).text);
    return order != 0 ? order < 0 : a < b;
  });
  std::optional<std::pair<std::size_t, std::size_t>>
      again;  // the first repetition in the file: its index, and that of the
              // earlier key
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (key(places[i]).text != key(places[i - 1]).text || (again && again->first < places[i])) continue;
    again = {places[i], places[i - 1]};
  }
  if (!again) return;
  YamlNode(document_, key(again->first))
      .fail("'" + key(again->first).text + "' is given twice, first in line " +
            std::to_string(node_->children[2 * again->second + 1]->line));
}

std::pair<std::string, YamlNode> YamlNode::only_entry() const {
  auto all = entries();
  if (all.size() != 1) fail("found " + std::to_string(all.size()) + " keys, allowed: one");
  return all.front();
}

std::optional<YamlNode> YamlNode::find(const std::string& key) const {
  if (!is_map()) refuse("a mapping");
  for (std::size_t i = 0; i < node_->children.size(); i += 2)
    if (node_->children[i]->text == key) return YamlNode(document_, *node_->children[i + 1]);
  return std::nullopt;
}

YamlNode YamlNode::at(const std::string& key) const {
  if (const auto found = find(key)) return *found;
  fail("key '" + key + "' is missing");
}

void YamlNode::note_unknown_keys(const std::vector<std::string>& known, std::vector<std::string>& warnings) const {
  if (!is_map()) refuse("a mapping");
  const std::string place = what();
  for (std::size_t i = 0; i < node_->children.size(); i += 2) {
    const Document::Node& key = *node_->children[i];
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    warnings.push_back(fmt::format("{}:{}: {}key '{}' is not known and has no effect{}", file(), key.line,
                                   place.empty() ? "" : place + ": ", shortened(key.text),
                                   question(names_meant(key.text, known))));
  }
}

YamlMap::YamlMap(const YamlNode& node, const std::vector<std::string>& keys) : node_(node), entries_(node.entries()) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string& key = entries_[i].first;
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    YamlNode(node.document_, *node.node_->children[2 * i])
        .fail("unknown key '" + shortened(key) + "'" + suggestion(key, keys));
  }
}

std::optional<YamlNode> YamlMap::find(const std::string& key) const {
  for (const auto& entry : entries_)
    if (entry.first == key) return entry.second;
  return std::nullopt;
}

YamlNode YamlMap::at(const std::string& key) const {
  if (auto node = find(key)) return *node;
  node_.fail("key '" + key + "' is missing");
}

bool YamlMap::is_true(const std::string& key) const {
  const auto node = find(key);
  return node && node->boolean();
}

}  // namespace gputlm
