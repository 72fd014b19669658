#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace gputlm::fuzz {
namespace {

/// At the edges of the types and limits that readers have, and beyond them.
constexpr const char* kEdges[] = {"0",
                                  "1",
                                  "-1",
                                  "2",
                                  "31",
                                  "32",
                                  "33",
                                  "64",
                                  "127",
                                  "128",
                                  "255",
                                  "256",
                                  "1023",
                                  "1024",
                                  "1025",
                                  "65535",
                                  "65536",
                                  "65537",
                                  "1000000",
                                  "2147483647",
                                  "2147483648",
                                  "4294967295",
                                  "4294967296",
                                  "140737488355327",
                                  "140737488355328",
                                  "4611686018427387904",
                                  "9223372036854775807",
                                  "-9223372036854775808",
                                  "9223372036854775808",
                                  "18446744073709551615",
                                  "18446744073709551616",
                                  "100000000000000000000",
                                  "0x7fffffffffff",
                                  "0xffffffffffffffff",
                                  "0x10000000000000000",
                                  "0.001",
                                  "1e-9",
                                  "1e18",
                                  "1e308",
                                  "1e999",
                                  "nan",
                                  "inf",
                                  "-0.0",
                                  "48KiB",
                                  "1GiB",
                                  "16777216GiB",
                                  "true",
                                  "false",
                                  "~",
                                  "''"};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  lines.push_back(text.substr(begin));  // what no line feed ends; mostly nothing
  return lines;
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  return text;
}

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

bool is_blank(const std::string& line) { return indent_of(line) == line.size(); }

/// The line and, where indentation counts, all that is below it.
std::size_t end_of_block(const std::vector<std::string>& lines, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < lines.size() && (is_blank(lines[end]) || indent_of(lines[end]) > indent_of(lines[begin]))) ++end;
  return end;
}

/// From an opening bracket to the one that closes it; the end of the line if none does.
std::size_t closing(const std::string& line, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    if (line[i] == '[' || line[i] == '{') ++depth;
    if ((line[i] == ']' || line[i] == '}') && --depth == 0) return i;
  }
  return line.size();
}

/// Items of a flow collection that begins at `open`.
std::vector<std::string> flow_items(const std::string& line, std::size_t open, std::size_t close) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (line[i] == '[' || line[i] == '{') ++depth;
    if (line[i] == ']' || line[i] == '}') --depth;
    if (line[i] == ',' && depth == 0)
      items.emplace_back();
    else
      items.back() += line[i];
  }
  return items;
}

}  // namespace

std::string Mutator::mutate(const std::string& text) { return cross(text, text); }

std::string Mutator::cross(const std::string& text, const std::string& other) {
  Lines lines = split(text);
  const Lines others = split(other);
  for (std::size_t changes = draws_.chance(60) ? 1 : 2 + draws_.below(3); changes > 0; --changes) {
    change(lines, others);
    if (lines.empty()) lines.emplace_back();
  }
  return join(lines);
}

void Mutator::change(Lines& lines, const Lines& other) {
  const std::size_t kind = draws_.below(100);
  if (kind < 35)
    change_word(lines);
  else if (kind < 70)
    change_parts(lines, other);
  else if (kind < 97)
    grammar_ == Grammar::kYaml ? change_flow(lines[draws_.below(lines.size())]) : change_columns(lines);
  else
    cut_off(lines);
}

Mutator::Part Mutator::part(const Lines& lines) {
  const std::size_t begin = draws_.below(lines.size());
  if (grammar_ == Grammar::kYaml) return {begin, end_of_block(lines, begin)};
  return {begin, std::min(lines.size(), begin + 1 + draws_.below(draws_.chance(20) ? lines.size() : 3))};
}

/// A part, moved to another indentation.
Mutator::Lines Mutator::taken(const Lines& lines, Part part, std::size_t indent) const {
  Lines block(lines.begin() + static_cast<std::ptrdiff_t>(part.begin),
              lines.begin() + static_cast<std::ptrdiff_t>(part.end));
  if (grammar_ != Grammar::kYaml) return block;
  const std::size_t from = indent_of(block.front());
  for (std::string& line : block) line = std::string(indent, ' ') + line.substr(std::min(from, indent_of(line)));
  return block;
}

/// Deletes, repeats, replaces, moves or inserts a part: a line, or a block with what is below it.
void Mutator::change_parts(Lines& lines, const Lines& other) {
  const Part old = part(lines);
  const auto at = [&](std::size_t line) { return lines.begin() + static_cast<std::ptrdiff_t>(line); };
  const std::size_t indent = indent_of(lines[old.begin]);
  switch (draws_.below(6)) {
    case 0: lines.erase(at(old.begin), at(old.end)); break;
    case 1: {
      const Lines again = taken(lines, old, indent);
      for (std::size_t copies = draws_.chance(5) ? 1 + draws_.below(100) : 1; copies > 0; --copies)
        lines.insert(at(old.end), again.begin(), again.end());
      break;
    }
    case 2:
    case 3: {  // of the other text, in its place or before it
      const Lines block = taken(other, part(other), indent);
      if (draws_.chance(50)) lines.erase(at(old.begin), at(old.end));
      lines.insert(at(old.begin), block.begin(), block.end());
      break;
    }
    case 4: {  // deeper or less deep
      const std::size_t by = draws_.chance(80) ? 2 : 1 + draws_.below(8);
      const Lines block = taken(lines, old, draws_.chance(50) ? indent + by : indent - std::min(indent, by));
      std::copy(block.begin(), block.end(), at(old.begin));
      break;
    }
    default: {  // changes places with another
      const Part with = part(lines);
      if (with.begin < old.end && old.begin < with.end) break;
      const Part &first = std::min(old, with, [](Part a, Part b) { return a.begin < b.begin; }),
                 &second = first.begin == old.begin ? with : old;
      const Lines a = taken(lines, first, indent_of(lines[second.begin])),
                  b = taken(lines, second, indent_of(lines[first.begin]));
      lines.erase(at(second.begin), at(second.end));
      lines.insert(at(second.begin), a.begin(), a.end());
      lines.erase(at(first.begin), at(first.end));
      lines.insert(at(first.begin), b.begin(), b.end());
    }
  }
}

/// Items of a flow collection of the line, or the whole of it; anchors and aliases.
void Mutator::change_flow(std::string& line) {
  std::vector<std::size_t> opens;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '[' || line[i] == '{') opens.push_back(i);
  }
  if (opens.empty() || draws_.chance(10)) {
    const std::size_t colon = line.find(": ");
    const std::size_t value = colon == std::string::npos ? line.size() : colon + 2;
    switch (draws_.below(6)) {
      case 0: line.insert(value, "&a "); break;
      case 1: line = line.substr(0, value) + "*a"; break;
      case 2: line = line.substr(0, value) + "[" + line.substr(value) + "]"; break;
      case 3: line = line.substr(0, value) + "{" + any_word() + ": " + line.substr(value) + "}"; break;
      case 4: line.insert(value, "!!" + any_word() + " "); break;
      default:
        line =
            line.substr(0, indent_of(line)) + any_word() + ": " + (draws_.chance(50) ? any_word() : number_near("1"));
    }
    return;
  }
  const std::size_t open = opens[draws_.below(opens.size())], close = closing(line, open);
  std::vector<std::string> items = flow_items(line, open, close);
  const std::size_t which = draws_.below(items.size());
  switch (draws_.below(6)) {
    case 0: items.erase(items.begin() + static_cast<std::ptrdiff_t>(which)); break;
    case 1: items.push_back(items[which]); break;
    case 2: std::swap(items[which], items[draws_.below(items.size())]); break;
    case 3: items[which] = " " + any_word() + ": " + number_near("1"); break;
    case 4: items.push_back(" " + any_word() + ": " + (draws_.chance(50) ? any_word() : number_near("1"))); break;
    default: items[which] = draws_.chance(50) ? " [" + items[which] + "]" : " " + any_word();
  }
  std::string inside;
  for (std::size_t i = 0; i < items.size(); ++i) inside += (i == 0 ? "" : ",") + items[i];
  line = line.substr(0, open + 1) + inside + line.substr(std::min(close, line.size()));
}

/// Another number, or another of the known words, in the place of a word.
void Mutator::change_word(Lines& lines) {
  std::string& line = lines[draws_.below(lines.size())];
  std::vector<Range> all;
  for (Range word = next_word(line, 0); word.begin < line.size(); word = next_word(line, word.end)) all.push_back(word);
  if (all.empty()) return;
  const Range word = all[draws_.below(all.size())];
  const std::string old = line.substr(word.begin, word.end - word.begin);
  const bool number = std::isdigit(static_cast<unsigned char>(old[0])) != 0 || old[0] == '-';
  line.replace(word.begin, old.size(), number == draws_.chance(90) ? number_near(old) : any_word());
}

/// Words of lines: one is deleted, repeated, or goes to another line; two lines become one.
void Mutator::change_columns(Lines& lines) {
  const std::size_t which = draws_.below(lines.size());
  std::string& line = lines[which];
  std::vector<Range> all;
  for (Range word = next_word(line, 0); word.begin < line.size(); word = next_word(line, word.end)) all.push_back(word);
  if (all.empty()) return;
  const Range word = all[draws_.below(all.size())];
  const std::string old = line.substr(word.begin, word.end - word.begin);
  switch (draws_.below(5)) {
    case 0: line.erase(word.begin, old.size()); break;
    case 1: line.insert(word.end, " " + old); break;
    case 2: line.insert(word.begin, any_word() + " "); break;
    case 3: lines[draws_.below(lines.size())] += " " + old; break;
    default:
      if (which + 1 == lines.size()) break;
      line += " " + lines[which + 1];
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(which) + 1);
  }
}

void Mutator::cut_off(Lines& lines) {
  lines.resize(1 + draws_.below(lines.size()));
  if (draws_.chance(50)) lines.back().resize(draws_.below(lines.back().size() + 1));
}

std::string Mutator::number_near(const std::string& word) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  if (draws_.chance(40) || std::from_chars(word.data(), end, number).ptr != end)
    return kEdges[draws_.below(std::size(kEdges))];
  switch (draws_.below(6)) {
    case 0: return std::to_string(number + 1);
    case 1: return std::to_string(number - 1);
    case 2: return std::to_string(number * 2);
    case 3: return std::to_string(number / 2);
    case 4: return std::to_string(std::uint64_t{1} << draws_.below(64));
    default: return std::to_string(draws_.below(1000));
  }
}

std::string Mutator::any_word() { return words_.empty() ? "x" : words_.pick(draws_.bits()); }

}  // namespace gputlm::fuzz
