#include "platform/input/address_trace.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "models/kernel/random.h"
#include "models/kernel/sass_scan.h"
#include "models/kernel/text_source.h"
#include "platform/input/trace_files.h"
#include "tlm/base/error.h"
#include "tlm/base/format_field.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {
namespace {

constexpr Bytes kRange = Bytes{512} << 20;  // range of random addresses
constexpr std::uint64_t kMaxAccesses = std::uint64_t{1} << 40;

/// Accesses 0 to count - 1, each a function of its number.
template <class Make>
class GeneratedTrace final : public AddressTrace {
 public:
  GeneratedTrace(std::string name, std::uint64_t count, Make make)
      : name_(std::move(name)), count_(count), make_(make) {}
  bool next(TraceAccess& access) override {
    if (made_ == count_) return false;
    access = make_(made_++);
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const override {
    throw InputError(name_, 0, fmt::format("access {}: {}", made_, what));
  }

 private:
  std::string name_;
  std::uint64_t count_;
  std::uint64_t made_ = 0;
  Make make_;
};

template <class Make>
std::unique_ptr<AddressTrace> generate(const std::string& name, std::uint64_t count, Make make) {
  return std::make_unique<GeneratedTrace<Make>>(name, count, make);
}

/// Generated address traces (listed in platform/input/address_trace.h): the trace called `name`, `KIND:COUNT`; null if there
/// is no such kind. Accesses lie at multiples of `step`, a power of two. Throws InputError if COUNT is not a number from
/// 1 to 2^40.
std::unique_ptr<AddressTrace> make_generated_trace(const std::string& name, Bytes step, std::uint64_t seed) {
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon);
  if (colon == std::string::npos || (kind != "random" && kind != "mix" && kind != "stream")) return nullptr;
  const std::uint64_t count = parse_number<std::uint64_t>(name.substr(colon + 1)).value_or(0);
  if (count == 0 || count > kMaxAccesses) {
    throw InputError(name, 0,
                     fmt::format("found '{}' accesses, allowed: 1 to {}", name.substr(colon + 1), kMaxAccesses));
  }
  if (kind == "stream")
    return generate(name, count, [step](std::uint64_t i) { return TraceAccess{i * step, 0, 0, false}; });
  // Place and direction come from different bits of one draw.
  const std::uint64_t places = kRange / step, key = mix(seed), mixed = kind == "mix" ? 1 : 0;
  return generate(name, count, [=](std::uint64_t i) {
    const std::uint64_t bits = derive(key, i);
    return TraceAccess{uniform_below(bits, places) * step, 0, 0, (bits & mixed) != 0};
  });
}

namespace own_trace {
FileFormat format{"address trace", "this program's users", "the only one"};
constexpr const char *kLine = "line", *kSource = "docs/memory.md, Traces";
const FormatField kRead(format, kLine, "R", "begins a read; may be left out", "", "", kSource);
const FormatField kWrite(format, kLine, "W", "begins a write", "", "", kSource);
const FormatField kAddress(format, kLine, "ADDRESS", "address", "B", "hexadecimal, with or without 0x", kSource);
const FormatField kApplication(format, kLine, "APPLICATION", "application of the access", "",
                               "decimal, 0 to 255; default 0", kSource);
}  // namespace own_trace

namespace ramulator {
FileFormat format{"Ramulator memory trace", "Ramulator", "1.0, of 2015 to 2023"};
constexpr const char *kLine = "line",
                     *kSource =
                         "ramulator, README.md, Memory Trace Driven; src/Processor.cpp, Trace::get_dramtrace_request";
const FormatField kAddress(format, kLine, "address", "address", "B", "hexadecimal, with or without 0x", kSource);
const FormatField kRead(format, kLine, "R", "a read, behind the address; may be left out", "", "", kSource);
const FormatField kWrite(format, kLine, "W", "a write, behind the address", "", "", kSource);
}  // namespace ramulator

namespace ramulator2 {
FileFormat format{"Ramulator 2 load-store trace", "Ramulator 2 (LoadStoreTrace)", "2.0 and 2.1"};
constexpr const char *kLine = "line",
                     *kSource = "ramulator2, src/frontend/impl/memory_trace/loadstore_trace.cpp, init_trace";
const FormatField kLoad(format, kLine, "LD", "begins a read", "", "", kSource);
const FormatField kStore(format, kLine, "ST", "begins a write", "", "", kSource);
const FormatField kAddress(format, kLine, "addr", "address; the last field of the line", "B",
                           "hexadecimal with 0x, decimal without", kSource);
}  // namespace ramulator2

namespace dramsys {
FileFormat format{"DRAMSys STL trace", "DRAMSys", "4.0 to 5.1"};
constexpr const char *kLine = "line", *kSource =
                                          "DRAMSys, configs/README.md, Trace Files; "
                                          "src/simulator/simulator/player/StlPlayer.cpp, parseTraceFile";
const FormatField kCycle(format, kLine, "cycle",
                         "earliest issue; in a .rstl relative to the issue of the access before it",
                         "cycles of the trace's device (clkMhz)", "decimal; a colon behind it", kSource);
const FormatField kLength(format, kLine, "(length)", "length of the access; default one burst", "B",
                          "decimal, in parentheses", kSource);
const FormatField kRead(format, kLine, "read", "a read", "", "", kSource);
const FormatField kWrite(format, kLine, "write", "a write", "", "", kSource);
const FormatField kAddress(format, kLine, "hex-address", "address", "B", "hexadecimal, with or without 0x", kSource);
const FormatField kData(format, kLine, "hex-data", "data written; passed over", "", "hexadecimal with 0x", kSource);
}  // namespace dramsys

namespace dramsim3 {
FileFormat format{"DRAMsim3 trace", "DRAMsim3", "1.0, of 2017 to 2020"};
constexpr const char *kLine = "line", *kSource = "DRAMsim3, src/common.cc, operator>>(istream, Transaction)";
const FormatField kAddress(format, kLine, "addr", "address", "B", "hexadecimal, with or without 0x", kSource);
const FormatField kRead(format, kLine, "READ", "a read", "", "", kSource);
const FormatField kWrite(format, kLine, "WRITE", "a write", "", "", kSource);
const FormatField kCycle(format, kLine, "added_cycle", "earliest issue", "cycles of the memory's clock", "decimal",
                         kSource);
}  // namespace dramsim3

/// Consumes a word if it comes next.
bool scan_word(const char*& p, const FormatField& word) {
  const char* q = p;
  for (const char* c = word.name; *c != '\0'; ++c, ++q) {
    if (*q != *c) return false;
  }
  if (!sass::is_separator(*q)) return false;
  p = q;
  return true;
}
/// Consumes one of two words if it comes next.
bool scan_either(const char*& p, const FormatField& read, const FormatField& write, bool& writes) {
  writes = scan_word(p, write);
  return writes || scan_word(p, read);
}

class FileTrace final : public AddressTrace {
 public:
  FileTrace(const std::string& path, Bytes step)
      : reader_(path), step_(step), relative_(ends_with(unpacked_name(path), ".rstl")) {}

  bool next(TraceAccess& access) override {
    if (parts_ > 0) {
      --parts_;
      access = part_;
      part_.address += step_;
      return true;
    }
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
  TraceAccess parse(const char* p) {
    TraceAccess access;
    if (!read_dramsys(p, access) && !read_ramulator2(p, access)) read_address_first(p, access);
    sass::skip_blanks(p);
    if ((*p != '\n' && *p != '#') || access.earliest > kMaxTraceCycle) reject();
    return access;
  }

  /// A line that begins with a cycle; false for other lines.
  bool read_dramsys(const char*& p, TraceAccess& access) {
    const char* q = p;
    Cycle cycle = 0;
    if (!sass::scan_digits(q, cycle)) return false;
    const bool colon = *q == ':';  // DRAMSys ignores the text after the digits
    if (colon) ++q;
    sass::skip_blanks(q);
    const bool has_length = *q == '(';
    Bytes length = step_;
    if (has_length) {
      if (!sass::scan_digits(++q, length) || *q++ != ')' || length == 0 || length > kMaxTraceLength) reject();
      sass::skip_blanks(q);
    }
    if (!scan_either(q, dramsys::kRead, dramsys::kWrite, access.write)) {
      if (colon || has_length) reject();
      return false;
    }
    access.earliest = cycle;
    access.relative = relative_;
    if (!sass::scan_hex(q, access.address)) reject();
    sass::skip_blanks(q);
    if (q[0] == '0' && (q[1] == 'x' || q[1] == 'X')) {
      q = sass::token_end(q);  // data
    } else {
      read_application(q, access);
    }
    if (has_length) divide(access, length);
    p = q;
    return true;
  }

  bool read_ramulator2(const char*& p, TraceAccess& access) {
    if (!scan_either(p, ramulator2::kLoad, ramulator2::kStore, access.write)) return false;
    sass::skip_blanks(p);
    const bool hexadecimal = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    if (!(hexadecimal ? sass::scan_hex(p, access.address) : sass::scan_decimal(p, access.address))) reject();
    return true;
  }

  void read_address_first(const char*& p, TraceAccess& access) {
    const bool said = scan_either(p, own_trace::kRead, own_trace::kWrite, access.write);
    if (!sass::scan_hex(p, access.address)) reject();
    sass::skip_blanks(p);
    if (!said && scan_either(p, dramsim3::kRead, dramsim3::kWrite, access.write)) {
      if (!sass::scan_decimal(p, access.earliest)) reject();
    } else if (said || !scan_either(p, ramulator::kRead, ramulator::kWrite, access.write)) {
      read_application(p, access);
    }
  }

  void read_application(const char*& p, TraceAccess& access) const {
    std::uint64_t application = 0;
    if (*p == '\n' || *p == '#') return;
    if (!sass::scan_decimal(p, application) || application > kMaxTraceApplication) reject();
    access.application = static_cast<ApplicationId>(application);
  }

  /// The access is the first of those needed for its bytes; the others follow immediately.
  void divide(const TraceAccess& access, Bytes length) {
    if (access.address + (length - 1) < access.address) reject();
    const Address first = access.address / step_, last = (access.address + length - 1) / step_;
    part_ = access;
    part_.address = (first + 1) * step_;
    part_.earliest = 0;
    part_.relative = false;
    parts_ = last - first;
  }

  [[noreturn]] void reject() const {
    fail(fmt::format(
        "found '{}', allowed: [R|W] HEX [APPLICATION], HEX [R|W], LD|ST 0xHEX, LD|ST DECIMAL, CYCLE: [(LENGTH)] "
        "read|write HEX [0xDATA|APPLICATION] or HEX READ|WRITE CYCLE; CYCLE up to {}, LENGTH 1 to {}, APPLICATION "
        "up to {}",
        shortened({reader_.begin(), reader_.end()}), kMaxTraceCycle, kMaxTraceLength, kMaxTraceApplication));
  }

  LineReader reader_;
  Bytes step_;
  bool relative_;
  TraceAccess part_;         ///< next part of a divided access
  std::uint64_t parts_ = 0;  ///< number of parts of that access to come
};

}  // namespace

std::unique_ptr<AddressTrace> open_address_trace(const std::string& name, Bytes step, std::uint64_t seed) {
  if (auto generated = make_generated_trace(name, step, seed)) return generated;
  return std::make_unique<FileTrace>(name, step);
}

}  // namespace gputlm
