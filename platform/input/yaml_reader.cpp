#include "platform/input/yaml_reader.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "platform/input/nearest.h"
#include "tlm/error.h"

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

const char* kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  return "nothing";
}

}  // namespace

YamlNode YamlNode::load_file(const std::string& path) {
  std::ifstream input(path);
  if (!input) throw InputError(path, 0, "cannot be opened");
  std::ostringstream text;
  text << input.rdbuf();
  // A folder opens, but has nothing to read. (yaml-cpp would find out too, and leak its buffer.)
  if (std::filesystem::is_directory(path) || input.bad()) throw InputError(path, 0, "cannot be read");
  return load_text(text.str(), path);
}

YamlNode YamlNode::load_text(const std::string& text, const std::string& name) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.empty() || documents.front().IsNull()) throw InputError(name, 0, "the file is empty");
    if (documents.size() > 1)
      throw InputError(name, static_cast<std::size_t>(documents[1].Mark().line + 1),
                       std::to_string(documents.size()) + " YAML documents, but one is allowed");
    return {documents.front(), std::make_shared<const std::string>(name), ""};
  } catch (const YAML::Exception& error) {
    throw InputError(name, static_cast<std::size_t>(error.mark.line + 1), "not YAML: " + error.msg);
  }
}

std::size_t YamlNode::line() const { return static_cast<std::size_t>(node_.Mark().line + 1); }

void YamlNode::fail(const std::string& message) const {
  throw InputError(*file_, line(), what_.empty() ? message : what_ + ": " + message);
}

void YamlNode::expected(const std::string& allowed) const {
  const std::string found = node_.IsScalar() ? "'" + node_.Scalar() + "'" : kind_of(node_);
  fail("found " + found + ", but expected " + allowed);
}

std::string YamlNode::text() const {
  if (!node_.IsScalar() || node_.Scalar().empty()) expected("a text");
  return node_.Scalar();
}

bool YamlNode::boolean() const {
  if (node_.IsScalar() && node_.Scalar() == "true") return true;
  if (node_.IsScalar() && node_.Scalar() == "false") return false;
  expected("true or false");
}

std::uint64_t YamlNode::unsigned_number(std::uint64_t least, std::uint64_t most) const {
  const auto value = node_.IsScalar() ? parse_number<std::uint64_t>(node_.Scalar()) : std::nullopt;
  if (!value || *value < least || *value > most) expected(range("a whole number", least, most));
  return *value;
}

std::int64_t YamlNode::signed_number(std::int64_t least, std::int64_t most) const {
  const auto value = node_.IsScalar() ? parse_number<std::int64_t>(node_.Scalar()) : std::nullopt;
  if (!value || *value < least || *value > most) expected(range("a whole number", least, most));
  return *value;
}

double YamlNode::number(double least, double most) const {
  const auto value = node_.IsScalar() ? parse_number<double>(node_.Scalar()) : std::nullopt;
  if (!value || !(*value >= least && *value <= most)) expected("a number from " + shown(least) + " to " + shown(most));
  return *value;
}

Bytes YamlNode::bytes(Bytes least, Bytes most) const {
  const std::string allowed = range("a number of bytes (also with KiB, MiB or GiB)", least, most);
  if (!node_.IsScalar()) expected(allowed);
  std::string digits = node_.Scalar();
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
  if (!value || *value > std::numeric_limits<Bytes>::max() >> shift) expected(allowed);
  const Bytes total = *value << shift;
  if (total < least || total > most) expected(allowed);
  return total;
}

std::size_t YamlNode::one_of(const std::vector<std::string>& names) const {
  const std::string found = text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == found) return i;
  fail("unknown name '" + found + "'" + suggestion(found, names));
}

std::vector<YamlNode> YamlNode::items() const {
  if (!node_.IsSequence()) expected("a list");
  std::vector<YamlNode> result;
  for (const YAML::Node& item : node_)
    result.push_back({item, file_, what_ + "[" + std::to_string(result.size()) + "]"});
  return result;
}

std::vector<std::pair<std::string, YamlNode>> YamlNode::entries() const {
  if (!node_.IsMap()) expected("a mapping");
  std::vector<std::pair<std::string, YamlNode>> result;
  for (const auto& entry : node_) {
    const YamlNode key(entry.first, file_, what_);
    const std::string name = key.text();
    for (const auto& earlier : result)
      if (earlier.first == name)
        key.fail("'" + name + "' is given twice, first in line " + std::to_string(earlier.second.line()));
    result.emplace_back(name, YamlNode(entry.second, file_, what_.empty() ? name : what_ + "." + name));
  }
  return result;
}

std::pair<std::string, YamlNode> YamlNode::only_entry() const {
  auto all = entries();
  if (all.size() != 1) fail("found " + std::to_string(all.size()) + " keys, but expected one");
  return all.front();
}

YamlMap::YamlMap(const YamlNode& node, const std::vector<std::string>& keys) : node_(node), entries_(node.entries()) {
  for (const auto& entry : node.node_) {
    const std::string& key = entry.first.Scalar();
    bool known = false;
    for (const std::string& allowed : keys) known = known || allowed == key;
    if (!known) YamlNode(entry.first, node.file_, node.what_).fail("unknown key '" + key + "'" + suggestion(key, keys));
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
