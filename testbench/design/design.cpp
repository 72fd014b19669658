#include "testbench/design/design.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "platform/files/atomic_file.h"
#include "testbench/design/sources.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using boost::property_tree::ptree;

const std::set<std::string>& endings() {
  static const std::set<std::string> all{".sv", ".v", ".f"};
  return all;
}

/// The errors in Verilator's log, one per line.
std::string errors_in(const std::string& log) {
  std::istringstream lines(log);
  std::string errors, line;
  while (std::getline(lines, line)) {
    const bool is_error = line.rfind("%Error", 0) == 0 && line.rfind("%Error: Exiting", 0) != 0;
    const bool is_warning = line.rfind("%Warning-", 0) == 0;  // warnings that are left on count as errors
    if (!is_error && !is_warning) continue;
    errors += "\n  " + line.substr(1);
  }
  return errors;
}

/// Lint is up to the designer, except for likely mistakes in any style. Besides combinational loops and multiple drivers,
/// which Verilator always reports, these are an unintended latch, an undriven signal, and a register whose value depends on
/// the simulator's order of processes (Verilator's guide, "Errors and Warnings"). docs/rtl.md lists them.
constexpr const char* kErrors[] = {"LATCH", "UNDRIVEN", "BLKSEQ", "BLKANDNBLK", "COMBDLY", "MULTIDRIVEN"};

/// Reports the actual names of the modules in the file.
[[noreturn]] void refuse_name(const RtlDesign& design) {
  static const std::regex module("(?:^|\n)\\s*module\\s+(?:automatic\\s+|static\\s+)?(\\w+)");
  std::string found;
  if (fs::path(design.path()).extension() == ".f") {
    found = "found no such module in its files, ";
  } else {
    const std::string text = read_text(design.path());
    for (std::sregex_iterator at(text.begin(), text.end(), module), end; at != end; ++at)
      found += (found.empty() ? "found module " : ", ") + (*at)[1].str();
    if (found.empty()) found = "found no module";
    found += ", ";
  }
  throw InputError(design.path() + ": " + found + "allowed: one that is called as the file, " + design.top());
}

/// A bound of a packed array's range, "32'h7".
int bound_of(const ptree& constant) {
  const auto text = constant.get<std::string>("<xmlattr>.name");
  return static_cast<int>(std::stoul(text.substr(text.find('h') + 1), nullptr, 16));
}

/// Bits of a type in the netlist's table: a number, a packed array or struct, or a typedef of one. 0: not a packed type.
unsigned bits_of(const ptree& types, const std::string& id) {
  for (const auto& [tag, type] : types) {
    if (type.get<std::string>("<xmlattr>.id", "") != id) continue;
    if (tag == "basicdtype")
      return type.get<unsigned>("<xmlattr>.left", 0) - type.get<unsigned>("<xmlattr>.right", 0) + 1;
    if (tag == "structdtype") {
      unsigned bits = 0;
      for (const auto& [kind, member] : type) {
        if (kind == "memberdtype") bits += bits_of(types, member.get<std::string>("<xmlattr>.sub_dtype_id"));
      }
      return bits;
    }
    const auto of = type.get_optional<std::string>("<xmlattr>.sub_dtype_id");
    if (!of || tag == "unpackarraydtype") return 0;
    if (tag != "packarraydtype") return bits_of(types, *of);
    std::vector<int> bounds;
    for (const auto& [kind, constant] : type.get_child("range")) {
      if (kind == "const") bounds.push_back(bound_of(constant));
    }
    return bits_of(types, *of) * static_cast<unsigned>(std::abs(bounds.at(0) - bounds.at(1)) + 1);
  }
  return 0;
}

/// Whether a type is a multidimensional packed array, or a typedef of one: a single dimension is part of the basic type.
bool is_array(const ptree& types, const std::string& id) {
  for (const auto& [tag, type] : types) {
    if (type.get<std::string>("<xmlattr>.id", "") != id) continue;
    const auto of = type.get_optional<std::string>("<xmlattr>.sub_dtype_id");
    return tag == "packarraydtype" || (tag == "refdtype" && of && is_array(types, *of));
  }
  return false;
}

/// The name in the source: Verilator writes the second of two underscores as "__05F", and similarly other characters that C++
/// does not allow in names.
std::string name_in_source(const std::string& name) {
  static const std::regex encoded("__0([0-9A-F]{2})");
  std::string source = name;
  for (std::smatch found; std::regex_search(source, found, encoded);)
    source = found.prefix().str() + static_cast<char>(std::stoi(found[1], nullptr, 16)) + found.suffix().str();
  return source;
}

/// The value of a parameter, "32'h20": none unless it is a number of up to 32 bits.
std::optional<unsigned> whole_number(const ptree& var) {
  const auto text = var.get_optional<std::string>("const.<xmlattr>.name");
  static const std::regex form("(?:\\d+)'s?h([0-9a-fA-F]{1,8})");
  std::smatch found;
  if (!text || !std::regex_match(*text, found, form)) return std::nullopt;
  return static_cast<unsigned>(std::stoul(found[1], nullptr, 16));
}

/// Options in a list may make Verilator do something other than elaborate the design, and succeed: --version, -E.
ptree netlist_in(const std::string& path, const RtlDesign& design) {
  ptree xml;
  try {
    boost::property_tree::read_xml(path, xml);
  } catch (const boost::property_tree::xml_parser_error&) {
    throw InputError(design.path() +
                     ": Verilator has made no netlist of it; allowed in a list: files, and options for reading them "
                     "(-f, -F, -I, -y, -v, -D, -G, +incdir+, +define+, +libext+)");
  }
  return xml;
}

}  // namespace

bool is_rtl(const std::string& path) { return endings().count(fs::path(path).extension().string()) > 0; }

RtlDesign::RtlDesign(const std::string& path)
    : path_(fs::absolute(path).lexically_normal().string()), top_(fs::path(path).stem().string()) {
  if (!is_rtl(path)) throw InputError(path + ": allowed are MODULE.sv, MODULE.v and a list of files MODULE.f");
  read_text(path_);
}

std::vector<std::string> RtlDesign::arguments(const RtlParameters& parameters) const {
  const std::string folder = fs::path(path_).parent_path().string();
  std::vector<std::string> all{"--top-module", around_.empty() ? top_ : around_, "-y", folder, "-I" + folder};
  if (const std::string rtl = rtl_source_folder(); !rtl.empty()) all.insert(all.end(), {"-y", rtl, "-I" + rtl});
  RtlParameters values;
  if (around_.empty()) values = set_;
  for (const auto& [name, value] : parameters) values[name] = value;
  for (const auto& [name, value] : values) all.push_back("-G" + name + "=" + std::to_string(value));
  if (fs::path(path_).extension() == ".f") all.push_back("-F");
  all.push_back(path_);
  all.insert(all.end(), beside_.begin(), beside_.end());
  return all;
}

void RtlDesign::set(const RtlParameters& parameters) {
  const Interface plain = interface({});
  for (const auto& [name, value] : parameters) {
    if (std::find(plain.parameters.begin(), plain.parameters.end(), name) == plain.parameters.end()) {
      throw InputError(fmt::format("--parameter: module {} has no {}; allowed: {}", top_, shortened(name),
                                   fmt::join(plain.parameters, ", ")));
    }
  }
  set_ = parameters;
}

RtlParameters with_defaults(const RtlDesign::Interface& interface, RtlParameters given) {
  for (const auto& value : interface.values) given.insert(value);
  return given;
}

RtlParameters parse_parameters(const std::vector<std::string>& texts) {
  RtlParameters parameters;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : parse_number<unsigned>(text.substr(equals + 1));
    if (!value) throw InputError(fmt::format("--parameter: found '{}', allowed: NAME=NUMBER", shortened(text)));
    if (!parameters.emplace(text.substr(0, equals), *value).second)
      throw InputError(fmt::format("--parameter: {} is given twice", text.substr(0, equals)));
  }
  return parameters;
}

void run_verilator(const RtlDesign& design, const std::vector<std::string>& arguments, const std::string& folder,
                   const std::atomic<bool>& stop) {
  const tools::Tool verilator = tools::find_tool("verilator", "verilator");
  std::vector<std::string> all{"-Wno-lint", "-Wno-style"};
  for (const char* const one : kErrors) all.push_back(std::string("-Wwarn-") + one);
  all.insert(all.end(), arguments.begin(), arguments.end());
  try {
    tools::run_tool(verilator, all, folder, "verilator.log", stop);
  } catch (const InputError& error) {
    const std::string log = read_text(folder + "/verilator.log");
    if (log.find("--top-module '" + design.top() + "' was not found") != std::string::npos) refuse_name(design);
    const std::string errors = errors_in(log);
    throw InputError(design.path() + ": " + (errors.empty() ? error.what() : "Verilator refuses it" + errors));
  }
}

RtlDesign::Interface RtlDesign::interface(const RtlParameters& parameters, const std::atomic<bool>& stop) const {
  const tools::WorkFolder folder;
  std::vector<std::string> all{"--xml-only", "--xml-output", "design.xml"};
  const std::vector<std::string> design = arguments(parameters);
  all.insert(all.end(), design.begin(), design.end());
  run_verilator(*this, all, folder.path(), stop);
  const ptree xml = netlist_in(folder.path() + "/design.xml", *this);
  const ptree& root = xml.get_child("verilator_xml");
  const ptree& netlist = root.get_child("netlist");
  const ptree& types = netlist.get_child("typetable");
  Interface found;
  found.files.push_back(path_);  // Verilator does not report the list itself
  for (const auto& [tag, module] : netlist) {
    if (tag != "module" || module.get<std::string>("<xmlattr>.topModule", "") != "1") continue;
    for (const auto& [kind, var] : module) {
      if (kind != "var") continue;
      const auto name = name_in_source(var.get<std::string>("<xmlattr>.origName"));
      if (const auto direction = var.get_optional<std::string>("<xmlattr>.dir")) {
        const auto type = var.get<std::string>("<xmlattr>.dtype_id");
        found.ports[name] = {*direction == "input", bits_of(types, type)};
        if (is_array(types, type)) found.arrays.push_back(name);
      } else if (var.get<std::string>("<xmlattr>.param", "") == "true") {
        found.parameters.push_back(name);
        if (const auto value = whole_number(var)) found.values[name] = *value;
      }
    }
  }
  for (const auto& [tag, file] : root.get_child("files")) {
    const auto name = tag == "file" ? file.get<std::string>("<xmlattr>.filename") : "";
    if (!name.empty() && name.front() != '<') found.files.push_back(name);  // <built-in>, <command-line>
  }
  return found;
}

}  // namespace gputlm
