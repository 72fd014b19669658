#include "platform/cli/check/checked_kind.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace gputlm {
namespace {

// Verilator's library ends the program on such an error; as it is the design's, the bench reports it.
constexpr const char* kFatal = R"(
#include <string>
#include "testbench/lockstep/observed.h"
void vl_fatal(const char* file, int line, const char*, const char* what) {
  throw gputlm::DesignFailure(std::string(file) + ":" + std::to_string(line) + ": " + what);
}
)";

}  // namespace

Registry<CheckedKind>& checked_kinds() {
  static Registry<CheckedKind> all("kind of RTL that can be checked");
  return all;
}

RecordedDecisions decisions_of(const CheckedKind& kind, const std::string& folder) {
  if (!kind.recorded) {
    throw InputError(
        fmt::format("{}: no probe records the decisions of a {}; allowed: {}", folder, kind.name, recorded_kinds()));
  }
  return kind.recorded(RecordedRun(folder));
}

std::string recorded_kinds() {
  std::string kinds;
  for (const CheckedKind& kind : checked_kinds()) {
    if (kind.recorded) kinds += (kinds.empty() ? "" : ", ") + kind.name;
  }
  return kinds;
}

RtlLibrary bench_library(const CheckedKind& kind, bool with_coverage) {
  RtlLibrary library;
  library.code = kFatal + kind.device;
  library.verilate = {"--trace-fst", "--assert", "--x-initial", "unique", "--x-assign", "unique"};
  if (with_coverage) library.verilate.insert(library.verilate.end(), {"--coverage-line", "--coverage-toggle"});
  library.sources = {"verilated_cov.cpp", "verilated_fst_c.cpp"};
  // What a design prints is no part of the program's output.
  library.compile = {"-DVL_USER_FATAL", "-DVL_PRINTF(...)=std::fprintf(stderr, __VA_ARGS__)"};
  library.link = {"-lz"};
  return library;
}

std::string model_of(const std::string& policy) { return policy.substr(0, policy.find('@')); }

unsigned bits_to_name(unsigned count) { return count > 2 ? 32 - static_cast<unsigned>(__builtin_clz(count - 1)) : 1; }

}  // namespace gputlm
