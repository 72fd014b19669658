#include "platform/cli/check/bench_library.h"

#include <fmt/format.h>

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

constexpr const char* kMakeObserved = R"(
#include "Vdesign.h"
#include "{1}"
#include "testbench/lockstep/observed_verilated.h"
extern "C" __attribute__((visibility("default")))
gputlm::ObservedDevice<gputlm::Rtl{0}>* gputlm_make(std::uint64_t seed) {{
  return gputlm::make_verilated<gputlm::Rtl{0}, gputlm::Verilated{0}<Vdesign>>(seed);
}}
)";

}  // namespace

RtlLibrary bench_library(const RtlKind& kind, bool with_coverage) {
  RtlLibrary library;
  library.code = kFatal + fmt::format(kMakeObserved, kind.ports, kind.header);
  library.verilate = {"--trace-fst", "--assert", "--x-initial", "unique", "--x-assign", "unique"};
  if (with_coverage) library.verilate.insert(library.verilate.end(), {"--coverage-line", "--coverage-toggle"});
  library.sources = {"verilated_cov.cpp", "verilated_fst_c.cpp"};
  // What a design prints is no part of the program's output.
  library.compile = {"-DVL_USER_FATAL", "-DVL_PRINTF(...)=std::fprintf(stderr, __VA_ARGS__)"};
  library.link = {"-lz"};
  return library;
}

}  // namespace gputlm
