#include "platform/input/address_trace.h"

#include <fmt/format.h>

#include <vector>

#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

std::vector<TraceAccess> accesses_of(const std::string& text) {
  const FileInMemory file(text);
  const auto trace = open_address_trace(file.path(), 32, 1);
  std::vector<TraceAccess> accesses;
  for (TraceAccess access; trace->next(access);) accesses.push_back(access);
  return accesses;
}

/// What has been read is written, in the forms that can tell it, and read again: the same.
void attack_address_trace(const std::string& text) {
  const auto accesses = accesses_of(text);
  for (const bool timed : {false, true}) {
    std::string written;
    for (const TraceAccess& access : accesses) {
      if (timed || access.earliest > 0)
        written += fmt::format("{}: {}", access.earliest, access.write ? "write" : "read");
      else
        written += access.write ? "W" : "R";
      written += fmt::format(" {:x} {}\n", access.address, access.application);
    }
    const auto again = accesses_of(written);
    require(again.size() == accesses.size(), "an address trace that is written and read again has another length");
    for (std::size_t i = 0; i < again.size(); ++i) {
      const TraceAccess &a = accesses[i], &b = again[i];
      require(
          a.address == b.address && a.earliest == b.earliest && a.application == b.application && a.write == b.write,
          "an access that is written and read again is another");
    }
  }
}

const Registration of_address_trace{{"address_trace", Grammar::kLines, attack_address_trace}};

}  // namespace
}  // namespace gputlm::fuzz
