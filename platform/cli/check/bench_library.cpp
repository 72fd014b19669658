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
struct Ports {{
  static std::vector<std::vector<std::uint32_t>> of(const Vdesign& module) {{ return {{{2}}}; }}
}};
extern "C" __attribute__((visibility("default")))
gputlm::ObservedDevice<gputlm::Rtl{0}>* {3}(std::uint64_t seed) {{
  return gputlm::make_verilated<gputlm::Rtl{0}, gputlm::Verilated{0}<Vdesign>, Ports>(seed);
}}
)";

// Behind the one above, whose gputlm_make() has another name then.
constexpr const char* kMakeNetlist = R"(
#include "testbench/lockstep/observed_netlist_verilated.h"
struct Inputs {{
  static void drive(Vdesign& module, const std::vector<gputlm::PortWords>& inputs) {{ {0} }}
}};
extern "C" __attribute__((visibility("default"))) gputlm::NetlistLibrary gputlm_make() {{
  return {{reinterpret_cast<void*>(gputlm_make_observed), gputlm::play_netlist<Vdesign, Inputs>}};
}}
)";

std::string observed_code(const RtlKind& kind, const char* function) {
  std::string ports;
  for (const std::string& name : observed_ports(kind))
    ports += fmt::format("{}gputlm::words_of(module.{})", ports.empty() ? "" : ", ", name);
  return kFatal + fmt::format(kMakeObserved, kind.ports, kind.header, ports, function);
}

}  // namespace

std::vector<std::string> observed_ports(const RtlKind& kind) {
  std::vector<std::string> names{"rst_ni"};
  names.insert(names.end(), kind.inputs.begin(), kind.inputs.end());
  names.insert(names.end(), kind.outputs.begin(), kind.outputs.end());
  return names;
}

RtlLibrary bench_library(const RtlKind& kind, bool with_coverage) {
  RtlLibrary library;
  library.code = observed_code(kind, "gputlm_make");
  library.verilate = {"--trace-fst", "--assert", "--x-initial", "unique", "--x-assign", "unique"};
  if (with_coverage) library.verilate.insert(library.verilate.end(), {"--coverage-line", "--coverage-toggle"});
  library.sources = {"verilated_cov.cpp", "verilated_fst_c.cpp"};
  // What a design prints is no part of the program's output.
  library.compile = {"-DVL_USER_FATAL", "-DVL_PRINTF(...)=std::fprintf(stderr, __VA_ARGS__)"};
  library.link = {"-lz"};
  return library;
}

RtlLibrary netlist_library(const RtlKind& kind) {
  std::string drives = "gputlm::drive_words(module.rst_ni, inputs[0].data());";
  for (std::size_t i = 0; i < kind.inputs.size(); ++i)
    drives += fmt::format(" gputlm::drive_words(module.{}, inputs[{}].data());", kind.inputs[i], i + 1);
  RtlLibrary library = bench_library(kind, false);
  library.code = observed_code(kind, "gputlm_make_observed") + fmt::format(kMakeNetlist, drives);
  library.verilate = {"--trace-fst", "--x-initial", "0", "--x-assign", "unique"};
  library.optimize = "-O0";  // it runs for less than it is compiled
  return library;
}

}  // namespace gputlm
