#include "models/kernel/sass_warnings.h"

#include <algorithm>
#include <utility>

namespace gputlm {
namespace {

constexpr std::size_t kMaxOpcodes = 20;  // with more, it is not just a new architecture

}  // namespace

void SassWarnings::add(std::string kind, const LineReader& where, const std::string& what) {
  all_.push_back({std::move(kind), where.path() + ":" + std::to_string(where.number()) + ": " + what});
}

void SassWarnings::once(Kind kind, const LineReader& where, const std::string& what) {
  if (told_[kind]) return;
  told_[kind] = true;
  add(std::to_string(kind), where, what);
}

void SassWarnings::opcode(const LineReader& where, std::string_view name, std::string_view what) {
  std::string text(what);
  text.replace(text.find("{}"), 2, name.substr(0, name.find('.')));
  const auto known = std::find_if(all_.begin(), all_.end(), [&](const SassWarning& w) { return w.kind == text; });
  if (known != all_.end()) {
    ++known->instructions;
  } else if (opcodes_ < kMaxOpcodes) {
    ++opcodes_;
    add(text, where, text);
    all_.back().instructions = 1;
  }
}

void SassWarnings::header(const std::string& path, const std::string& what) {
  all_.push_back({what, path + ": " + what});
}

}  // namespace gputlm
