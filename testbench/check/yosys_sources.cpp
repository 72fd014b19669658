#include "testbench/check/yosys_sources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "platform/files/atomic_file.h"
#include "testbench/design/sources.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

void add_list_options(const RtlDesign& design, const fs::path& folder, cost::Sources& sources) {
  std::istringstream words(read_text(design.path()));
  for (std::string word; words >> word;) {
    for (const std::string_view begin : {"+incdir+", "-I"}) {
      if (word.rfind(begin, 0) == 0) sources.includes.push_back((folder / word.substr(begin.size())).string());
    }
    for (const std::string_view begin : {"+define+", "-D"}) {
      if (word.rfind(begin, 0) == 0) sources.defines.push_back(word.substr(begin.size()));
    }
  }
}

}  // namespace

cost::Sources yosys_sources(const RtlDesign& design, const RtlDesign::Interface& interface) {
  cost::Sources sources;
  const std::string rtl = rtl_source_folder();
  for (const RtlSource& source : rtl_sources()) {
    const std::string path = rtl + "/" + source.name;
    if (fs::path(path).extension() == ".sv" &&
        std::find(interface.files.begin(), interface.files.end(), path) != interface.files.end())
      sources.files.push_back(path);
  }
  for (const std::string& file : interface.files) {
    const std::string ending = fs::path(file).extension();
    if ((ending == ".sv" || ending == ".v") &&
        std::find(sources.files.begin(), sources.files.end(), file) == sources.files.end())
      sources.files.push_back(file);
  }
  const fs::path folder = fs::path(design.path()).parent_path();
  sources.includes.push_back(folder.string());
  if (!rtl.empty()) sources.includes.push_back(rtl);
  if (fs::path(design.path()).extension() == ".f") add_list_options(design, folder, sources);
  return sources;
}

std::string yosys_error(const RtlDesign::Interface& interface, const std::string& error) {
  if (error.find("syntax error") == std::string::npos) return error;
  std::string why = "yosys reads less of SystemVerilog than Verilator does";
  // yosys 0.23: "syntax error, unexpected '['", at the port.
  if (!interface.arrays.empty() && error.find("unexpected '['") != std::string::npos) {
    why = fmt::format(
        "this yosys reads no packed array of several dimensions as a port ({}), allowed: a vector of the same bits, "
        "its "
        "first element in the lowest",
        fmt::join(interface.arrays, ", "));
  }
  return error + "; " + why +
         ". Proofs, gates and energy need yosys; `check` without --proof and `run --rtl` take the design as it is";
}

}  // namespace gputlm
