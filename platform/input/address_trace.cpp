#include "platform/input/address_trace.h"

#include <fmt/format.h>

#include <string_view>

#include "models/kernel/sass_scan.h"
#include "models/kernel/text_source.h"
#include "platform/input/generated_trace.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

struct Word {
  std::string_view text;
  bool write;
};
constexpr Word kWords[] = {{"R", false}, {"W", true}, {"LD", false}, {"ST", true}};
constexpr Word kTimedWords[] = {{"read", false}, {"write", true}};

/// Takes one of the words, if it is what comes next.
template <std::size_t n>
bool scan_word(const char*& p, const Word (&words)[n], bool& write) {
  const std::string_view token(p, static_cast<std::size_t>(sass::token_end(p) - p));
  for (const Word& word : words) {
    if (token != word.text) continue;
    write = word.write;
    p += token.size();
    return true;
  }
  return false;
}

class FileTrace final : public AddressTrace {
 public:
  explicit FileTrace(const std::string& path) : reader_(path) {}

  bool next(TraceAccess& access) override {
    while (reader_.next()) {
      if (reader_.unterminated()) {
        throw InputError(reader_.path(), reader_.number(), "the line has no line feed: the trace is cut off here");
      }
      const char* p = reader_.begin();
      sass::skip_blanks(p);
      if (*p == '\n' || *p == '#') continue;
      access = parse(p);
      return true;
    }
    return false;
  }
  [[noreturn]] void fail(const std::string& what) const override {
    throw InputError(reader_.path(), reader_.number(), what);
  }

 private:
  TraceAccess parse(const char* p) const {
    TraceAccess access;
    const char* q = p;
    if (sass::scan_digits(q, access.earliest) && *q == ':') {
      p = q + 1;
      sass::skip_blanks(p);
      if (access.earliest > kMaxTraceCycle) reject();
      if (!scan_word(p, kTimedWords, access.write)) reject();
    } else {
      access.earliest = 0;
      scan_word(p, kWords, access.write);
    }
    if (!sass::scan_hex(p, access.address)) reject();
    sass::skip_blanks(p);
    std::uint64_t application = 0;
    if (*p != '\n' && *p != '#' && !sass::scan_decimal(p, application)) reject();
    sass::skip_blanks(p);
    if ((*p != '\n' && *p != '#') || application > kMaxTraceApplication) reject();
    access.application = static_cast<ApplicationId>(application);
    return access;
  }
  [[noreturn]] void reject() const {
    fail(
        fmt::format("found '{}', allowed: [R|W] HEX [APPLICATION], LD|ST HEX [APPLICATION] or CYCLE: "
                    "read|write HEX [APPLICATION]; CYCLE up to {}, APPLICATION up to {}",
                    shortened({reader_.begin(), reader_.end()}), kMaxTraceCycle, kMaxTraceApplication));
  }

  LineReader reader_;
};

}  // namespace

std::unique_ptr<AddressTrace> open_address_trace(const std::string& name, Bytes step, std::uint64_t seed) {
  if (auto generated = make_generated_trace(name, step, seed)) return generated;
  return std::make_unique<FileTrace>(name);
}

}  // namespace gputlm
