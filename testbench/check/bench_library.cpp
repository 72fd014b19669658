#include "testbench/check/bench_library.h"

#include <fmt/format.h>

namespace gputlm {
namespace {

// Verilator's library ends the program on such an error; since it is the design's error, the bench reports it.
constexpr const char* kFatal = R"(
#include <string>
#include "testbench/lockstep/observed.h"
void vl_fatal(const char* file, int line, const char*, const char* what) {
  throw gputlm::DesignFailure(std::string(file) + ":" + std::to_string(line) + ": " + what);
}
)";

constexpr const char* kMakeObserved = R"(
#include "Vdesign.h"
#include "{0}"
#include "testbench/lockstep/observed_verilated.h"
extern "C" __attribute__((visibility("default")))
gputlm::ObservedDevice<gputlm::{1}>* {2}(std::uint64_t seed) {{
  return gputlm::make_verilated<gputlm::{1}, Vdesign>(seed);
}}
)";

// Used together with the source above, in which gputlm_make() then has another name.
constexpr const char* kMakeNetlist = R"(
#include "testbench/lockstep/observed_netlist_verilated.h"
extern "C" __attribute__((visibility("default"))) gputlm::NetlistLibrary gputlm_make() {{
  return {{reinterpret_cast<void*>(gputlm_make_observed), gputlm::play_netlist<gputlm::{0}, Vdesign>}};
}}
)";

std::string observed_code(const Kind& kind, const char* function) {
  return kFatal + fmt::format(kMakeObserved, kind.header(), kind.ports_class, function);
}

}  // namespace

std::vector<std::string> observed_ports(const Kind& kind) {
  std::vector<std::string> names{"rst_ni"};
  for (const std::vector<std::string>& ports : {kind.inputs(), kind.outputs()})
    names.insert(names.end(), ports.begin(), ports.end());
  return names;
}

RtlLibrary bench_library(const Kind& kind, bool with_coverage) {
  RtlLibrary library;
  library.code = observed_code(kind, "gputlm_make");
  library.verilate = {"--trace-fst", "--assert", "--x-initial", "unique", "--x-assign", "unique"};
  if (with_coverage) library.verilate.insert(library.verilate.end(), {"--coverage-line", "--coverage-toggle"});
  library.sources = {"verilated_cov.cpp", "verilated_fst_c.cpp"};
  // A design's own messages do not belong to the program's output.
  library.compile = {"-DVL_USER_FATAL", "-DVL_PRINTF(...)=std::fprintf(stderr, __VA_ARGS__)"};
  library.link = {"-lz"};
  return library;
}

RtlLibrary netlist_library(const Kind& kind) {
  RtlLibrary library = bench_library(kind, false);
  library.code = observed_code(kind, "gputlm_make_observed") + fmt::format(kMakeNetlist, kind.ports_class);
  library.verilate = {"--trace-fst", "--x-initial", "0", "--x-assign", "unique"};
  library.optimize = "-O0";  // compiling takes longer than running
  return library;
}

}  // namespace gputlm
