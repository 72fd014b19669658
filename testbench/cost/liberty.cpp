#include "testbench/cost/liberty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

constexpr std::size_t kMaxLevels = 50;  // libraries have about five

std::string read_text(const std::string& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    throw InputError(path, 0, "is a folder; a Liberty file is needed");
  // Pipes and devices may be endless, and yosys reads the file again.
  if (std::error_code ignored;
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw InputError(path, 0, "is no regular file; a Liberty file is needed");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, 0, std::string("the Liberty file cannot be read: ") + std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (text.str().compare(0, 2, "\x1f\x8b") == 0)
    throw InputError(path, 0, "the Liberty file is compressed, which yosys does not read: decompress it first");
  return text.str();
}

class LibertyParser {
 public:
  LibertyParser(const std::string& path, const std::vector<std::string>& keep)
      : path_(path), keep_(keep), text_(read_text(path)) {}

  LibertyGroup parse() {
    LibertyGroup file;
    statement(file);
    if (file.groups.size() != 1) fail("found no group, expected library (NAME) { ... }");
    skip();
    if (at_ != text_.size()) fail(fmt::format("found '{}' after the end of the library", text_[at_]));
    return std::move(file.groups.front());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_, line_, "not a Liberty file: " + what);
  }

  void advance(std::size_t n = 1) {
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(at_ + n), '\n'));
    at_ += n;
  }
  bool starts(const char* what) const { return text_.compare(at_, std::strlen(what), what) == 0; }
  void skip_to_after(const char* what) {
    const std::size_t found = text_.find(what, at_);
    if (found == std::string::npos) fail(fmt::format("the file ends before {}", what));
    advance(found + std::strlen(what) - at_);
  }

  /// Skips blanks, comments, and backslashes before a line break.
  void skip(bool lines = true) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (starts("/*")) {
        skip_to_after("*/");
      } else if (starts("//")) {
        advance(std::min(text_.find('\n', at_), text_.size()) - at_);
      } else if (starts("\\\n")) {
        advance(2);
      } else if (starts("\\\r\n")) {
        advance(3);
      } else if (std::isspace(static_cast<unsigned char>(c)) && (lines || c != '\n')) {
        advance();
      } else {
        return;
      }
    }
  }
  char next(bool lines = true) {
    skip(lines);
    if (at_ == text_.size()) fail("the file ends inside a group");
    return text_[at_];
  }
  bool accept(char c) {
    if (next() != c) return false;
    advance();
    return true;
  }

  /// Reads a string or a bare word; empty if there is neither.
  std::string word() {
    if (next() == '"') {
      advance();
      const std::size_t begin = at_;
      skip_to_after("\"");
      return text_.substr(begin, at_ - 1 - begin);
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::strchr("(){}:;,\"\\", text_[at_]) == nullptr &&
           !std::isspace(static_cast<unsigned char>(text_[at_])))
      advance();
    return text_.substr(begin, at_ - begin);
  }

  /// Reads the text between a colon and the semicolon, which some files omit at the end of a line.
  std::string value() {
    if (next() == '"') return word();
    std::string text;
    while (next(false) != ';' && next(false) != '\n' && next(false) != '}') {
      if (!text.empty()) text += ' ';
      const std::string more = word();
      text += more.empty() ? std::string(1, text_[at_]) : more;
      if (more.empty()) advance();
    }
    return text;
  }

  void statement(LibertyGroup& group, std::size_t level = 0) {
    const bool top = level == 0;
    if (level > kMaxLevels) fail(fmt::format("nested too deeply: more than {} levels", kMaxLevels));
    const std::string name = word();
    if (name.empty()) fail(fmt::format("found '{}', expected a name", text_[at_]));
    if (!top && accept(':')) {
      group.attributes[name] = value();
    } else if (accept('(')) {
      LibertyGroup inner;
      inner.type = name;
      while (!accept(')')) {
        const std::string argument = word();
        if (!argument.empty())
          inner.arguments.push_back(argument);
        else if (!accept(','))
          fail(fmt::format("found '{}' among the arguments of {}", text_[at_], name));
      }
      const bool is_group = at_ < text_.size() && (skip(), at_ < text_.size()) && text_[at_] == '{';
      if (is_group) {
        advance();
        while (!accept('}')) {
          if (!accept(';')) statement(inner, level + 1);
        }
        const bool kept = top || std::find(keep_.begin(), keep_.end(), name) != keep_.end();
        if (kept) group.groups.push_back(std::move(inner));
      } else {
        group.complex_attributes[name] = std::move(inner.arguments);
      }
    } else {
      fail(fmt::format("found '{}' after {}", text_[at_], name));
    }
  }

  const std::string& path_;
  const std::vector<std::string>& keep_;
  std::string text_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::string LibertyGroup::attribute(const std::string& name) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::string() : found->second;
}

LibertyGroup read_liberty(const std::string& path, const std::vector<std::string>& keep) {
  return LibertyParser(path, keep).parse();
}

}  // namespace gputlm::cost
