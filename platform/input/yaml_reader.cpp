#include "platform/input/yaml_reader.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <unordered_map>

#include "models/kernel/text_source.h"
#include "platform/input/nearest.h"
#include "tlm/error.h"
#include "tlm/utf8.h"

namespace gputlm {
namespace {

/// The whole text as a number, or nothing. Unlike the stream operators it depends on no locale and accepts no rest.
template <class T>
std::optional<T> parse_number(const std::string& text) {
  const char* first = text.data();
  const char* last = first + text.size();
  T value{};
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<T>) {
    result = std::from_chars(first, last, value);
  } else {
    const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    result = hexadecimal ? std::from_chars(first + 2, last, value, 16) : std::from_chars(first, last, value, 10);
  }
  if (result.ec != std::errc() || result.ptr != last) return std::nullopt;
  return value;
}

std::string shown(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// "0 to 7", "at least 1", "a whole number"
template <class T>
std::string range(const std::string& kind, T least, T most) {
  if (most != std::numeric_limits<T>::max())
    return kind + " from " + std::to_string(least) + " to " + std::to_string(most);
  return least == std::numeric_limits<T>::min() ? kind : kind + " of at least " + std::to_string(least);
}

const char* kind_of(const YamlDocument::Node& node) {
  if (node.kind == YamlDocument::Node::Kind::kMap) return "a mapping";
  if (node.kind == YamlDocument::Node::Kind::kList) return "a list";
  return "nothing";
}

/// All of the file, but no more than one byte beyond what is allowed: it may be endless (/dev/zero).
std::string read_text(const std::string& path) {
  const std::unique_ptr<ByteSource> file = open_plain(path);
  std::string text;
  for (std::size_t size = 0;;) {
    constexpr std::size_t kChunk = 64 * 1024;
    text.resize(size + kChunk);
    const std::size_t got = file->read(text.data() + size, kChunk);
    size += got;
    text.resize(size);
    if (got == 0 || size > YamlDocument::kMaxBytes) return text;
  }
}

}  // namespace

YamlNode YamlNode::load_file(const std::string& path) { return load_text(read_text(path), path); }

YamlNode YamlNode::load_text(const std::string& text, const std::string& name) {
  const auto document = YamlDocument::parse(text, name);
  return {document, document->root(), ""};
}

void YamlNode::fail(const std::string& message) const {
  throw InputError(file(), line(), what_.empty() ? message : shortened(what_) + ": " + message);
}

void YamlNode::expected(const std::string& allowed) const {
  const std::string found = is_scalar() ? "'" + shortened(node_->text) + "'" : kind_of(*node_);
  fail("found " + found + ", but expected " + allowed);
}

std::string YamlNode::lines() const {
  if (!is_scalar() || node_->text.empty()) expected("a text");
  return node_->text;
}

std::string YamlNode::text() const {
  const std::string text = lines();
  if (find_control_character(text) < text.size()) fail("found a control character in the text");
  return text;
}

bool YamlNode::boolean() const {
  if (is_scalar() && node_->text == "true") return true;
  if (is_scalar() && node_->text == "false") return false;
  expected("true or false");
}

std::uint64_t YamlNode::unsigned_number(std::uint64_t least, std::uint64_t most) const {
  const auto value = is_scalar() ? parse_number<std::uint64_t>(node_->text) : std::nullopt;
  if (!value || *value < least || *value > most) expected(range("a whole number", least, most));
  return *value;
}

std::int64_t YamlNode::signed_number(std::int64_t least, std::int64_t most) const {
  const auto value = is_scalar() ? parse_number<std::int64_t>(node_->text) : std::nullopt;
  if (!value || *value < least || *value > most) expected(range("a whole number", least, most));
  return *value;
}

double YamlNode::number(double least, double most) const {
  const auto value = is_scalar() ? parse_number<double>(node_->text) : std::nullopt;
  if (!value || !(*value >= least && *value <= most)) expected("a number from " + shown(least) + " to " + shown(most));
  return *value;
}

Bytes YamlNode::bytes(Bytes least, Bytes most) const {
  const std::string allowed = range("a number of bytes (also with KiB, MiB or GiB)", least, most);
  if (!is_scalar()) expected(allowed);
  std::string digits = node_->text;
  unsigned shift = 0;
  for (const auto& [suffix, bits] : {std::pair<std::string, unsigned>{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}) {
    if (digits.size() <= suffix.size() || digits.compare(digits.size() - suffix.size(), suffix.size(), suffix) != 0)
      continue;
    digits.resize(digits.size() - suffix.size());
    while (!digits.empty() && digits.back() == ' ') digits.pop_back();
    shift = bits;
    break;
  }
  const auto value = parse_number<std::uint64_t>(digits);
  if (!value || *value > std::numeric_limits<Bytes>::max() >> shift) expected(allowed + byte_suggestion(node_->text));
  const Bytes total = *value << shift;
  if (total < least || total > most) expected(allowed);
  return total;
}

std::size_t YamlNode::one_of(const std::vector<std::string>& names) const {
  const std::string found = text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == found) return i;
  fail("unknown name '" + shortened(found) + "'" + suggestion(found, names));
}

std::vector<YamlNode> YamlNode::items() const {
  if (!is_list()) expected("a list");
  std::vector<YamlNode> result;
  result.reserve(node_->children.size());
  for (const YamlDocument::Node* item : node_->children)
    result.push_back({document_, *item, what_ + "[" + std::to_string(result.size()) + "]"});
  return result;
}

std::vector<std::pair<std::string, YamlNode>> YamlNode::entries() const {
  if (!is_map()) expected("a mapping");
  std::vector<std::pair<std::string, YamlNode>> result;
  result.reserve(node_->children.size() / 2);
  std::unordered_map<std::string, std::size_t> first;  // line of each key
  for (std::size_t i = 0; i < node_->children.size(); i += 2) {
    const YamlNode key(document_, *node_->children[i], what_), value(document_, *node_->children[i + 1], "");
    const std::string name = key.text();
    if (const auto [earlier, added] = first.emplace(name, value.line()); !added)
      key.fail("'" + name + "' is given twice, first in line " + std::to_string(earlier->second));
    result.emplace_back(name, value);
    result.back().second.what_ = what_.empty() ? name : what_ + "." + name;
  }
  return result;
}

std::pair<std::string, YamlNode> YamlNode::only_entry() const {
  auto all = entries();
  if (all.size() != 1) fail("found " + std::to_string(all.size()) + " keys, but expected one");
  return all.front();
}

YamlMap::YamlMap(const YamlNode& node, const std::vector<std::string>& keys) : node_(node), entries_(node.entries()) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string& key = entries_[i].first;
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    YamlNode(node.document_, *node.node_->children[2 * i], node.what_)
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

}  // namespace gputlm
