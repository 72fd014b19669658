#include "testbench/kind/own_policy.h"

#include <fmt/format.h>

namespace gputlm {
namespace {

constexpr const char* kMake = R"(
#include "Vdesign.h"
#include "{0}"
#include "testbench/ports/verilated.h"
extern "C" __attribute__((visibility("default"))) gputlm::Device<gputlm::{1}>* gputlm_make() {{
  return new gputlm::Verilated<gputlm::{1}, Vdesign>;
}}
)";

}  // namespace

RtlLibrary policy_library(const Kind& kind) { return {fmt::format(kMake, kind.header(), kind.ports_class)}; }

}  // namespace gputlm
