#include "testbench/cost/netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "testbench/design/sources.h"
#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

/// Structure affects the delay more than technology does: no single abc script is best for every netlist, so each netlist is
/// made by all of them, and the best one counts. All end with buffers for large fan-outs and with sizing. The default script
/// of yosys' abc is not among them: it destroys prefix trees of logarithmic depth.
struct MappingScript {
  const char* name;
  const char* commands;
};
constexpr MappingScript kScripts[] = {
    {"nf", "strash\n&get -n\n&dch -f\n&nf {D}\n&put\n"},
    {"map", "strash\ndch\nmap -B 0.9\ntopo\n"},
    {"map_choices", "strash\nifraig\nscorr\ndch -f\nmap -B 0.9 -D 1\ntopo\n"},
};
constexpr const char* kBuffersAndSizes = "buffer -c\ntopo\nupsize {D}\ndnsize {D}\nstime -p\n";

/// dfflibmap only reports that it does not consider a scan flip-flop.
constexpr const char* kHarmlessWarning = "Found unsupported expression .* in pin attribute of cell";

void check_cells(const CellCounts& cells, const Library& library) {
  for (const auto& [name, count] : cells) {
    if (library.cells.count(name) != 0) continue;
    throw InputError(library.path, 0,
                     fmt::format("the library has no cell for yosys' {} ({} of them in the block)", name, count));
  }
}

/// The words of a source outside comments, which include the modules that it instantiates.
std::set<std::string> words_of(const std::string& text) {
  static const std::regex comment(R"(//[^\n]*)"), word(R"(\w+)");
  const std::string code = std::regex_replace(text, comment, " ");
  return {std::sregex_token_iterator(code.begin(), code.end(), word), std::sregex_token_iterator()};
}

/// Files of rtl/ that the module needs, including its own file, in the order of rtl/. Others are not read: yosys numbers
/// everything that it reads, and abc processes gates in the order of these numbers, so a further file would change the costs
/// of all blocks.
std::vector<std::string> files_of(const std::string& module) {
  std::map<std::string, std::string> texts;  // texts of the modules of rtl/
  for (const RtlSource& source : rtl_sources()) {
    const std::filesystem::path file = source.name;
    if (file.extension() == ".sv") texts.emplace(file.stem(), source.text);
  }
  std::set<std::string> needed;
  std::vector<std::string> open;
  const auto add = [&](const std::string& name) {
    if (texts.count(name) != 0 && needed.insert(name).second) open.push_back(texts.at(name));
  };
  add(module);
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    for (const std::string& name : words_of(next)) add(name);
  }
  std::vector<std::string> files;
  for (const RtlSource& source : rtl_sources()) {
    if (needed.count(std::filesystem::path(source.name).stem()) != 0) files.push_back(source.name);
  }
  return files;
}

}  // namespace

void prepare_sources(const Library& library, const std::vector<const BlockType*>& blocks, const std::string& folder) {
  std::filesystem::create_directory(folder + "/rtl");
  for (const RtlSource& source : rtl_sources()) tools::write_file(folder + "/rtl/" + source.name, source.text);
  for (const BlockType* block : blocks) {
    if (block->own) link_includes(block->own->sources, folder);
  }
  // A link, because a yosys script cannot contain a path with blanks or quotes.
  std::filesystem::create_symlink(std::filesystem::absolute(library.path), folder + "/library.lib");
}

RtlParameters parameters_of(const BlockType& block, const Geometry& geometry) {
  RtlParameters values;
  if (block.own) values = block.own->set;
  for (std::size_t i = 0; i < geometry.size(); ++i) {
    const BlockParameter& parameter = block.parameters[i];
    const auto& has = block.own ? block.own->parameters : std::vector<std::string>{parameter.name};
    if (std::find(has.begin(), has.end(), parameter.name) != has.end()) {
      values[parameter.name] = geometry[i];
    } else if (geometry[i] != 0) {  // a parameter that it does not have, with a value other than 0
      throw InputError(block.own->file, 0,
                       fmt::format("found no parameter {}, which --{} sets", parameter.name, parameter.option));
    }
  }
  return values;
}

std::string read_commands(const BlockType& block, const Geometry& geometry) {
  std::string files, options, parameters;
  if (block.own) {
    options = read_options(block.own->sources, "../");
    for (const std::string& file : block.own->sources.files) files += quoted(file);
  } else {
    options = " -I../rtl";
    for (const std::string& file : files_of(block.name)) files += " ../rtl/" + file;
  }
  for (const auto& [name, value] : parameters_of(block, geometry))
    parameters += fmt::format(" -chparam {} {}", name, value);
  return fmt::format("read_verilog -sv -defer{}{}\nhierarchy -check -top {}{}\n", options, files, block.name,
                     parameters);
}

void run_yosys(const tools::Tool& yosys, const std::string& commands, const std::string& folder,
               const std::atomic<bool>& stop) {
  tools::write_file(folder + "/synthesis.ys", commands);
  tools::run_tool(yosys, {"-e", ".*", "-w", kHarmlessWarning, "-s", "synthesis.ys"}, folder, "yosys.log", stop);
}

CellCounts read_cell_counts(const std::string& path) {
  const auto json = nlohmann::json::parse(tools::read_file(path));
  return json.at("modules").begin().value().at("num_cells_by_type").get<CellCounts>();
}

std::vector<Netlist> map_to_library(const tools::Tool& yosys, const BlockType& block, const Geometry& geometry,
                                    const Library& library, const std::string& folder, const std::atomic<bool>& stop) {
  std::filesystem::create_directory(folder);
  tools::write_file(folder + "/boundary.constr",
                    fmt::format("set_driving_cell {}\nset_load {:.3f} [all_outputs]\n", library.inverter.name,
                                kOutputLoad * library.inverter_input));
  std::string commands = read_commands(block, geometry);
  commands += fmt::format(
      "synth -flatten -top {}\ncheck -assert\n{}dfflibmap -liberty ../library.lib\ndesign -save registers\n",
      block.name, block.own ? "design -save gates\n" : "");
  for (const MappingScript& script : kScripts) {
    tools::write_file(fmt::format("{}/{}.abc", folder, script.name), std::string(script.commands) + kBuffersAndSizes);
    commands += fmt::format(
        "design -load registers\n"
        "abc -liberty ../library.lib -constr boundary.constr -script {0}.abc\n"
        "setundef -zero\nsplitnets\nopt_clean -purge\n"
        "tee -o {0}.json stat -json\nwrite_verilog -noattr -noexpr -nohex {0}.v\n",
        script.name);
  }
  if (block.own)
    commands += fmt::format("design -load gates\nrename -top {}\nwrite_verilog -noattr {}\n", kGatesModule, kGatesFile);
  run_yosys(yosys, commands, folder, stop);
  std::vector<Netlist> netlists;
  for (const MappingScript& script : kScripts) {
    const std::string name = script.name;
    netlists.push_back({name, name + ".v", read_cell_counts(folder + "/" + name + ".json")});
    check_cells(netlists.back().cells, library);
  }
  return netlists;
}

}  // namespace gputlm::cost
