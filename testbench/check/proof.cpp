#include "testbench/check/proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/files/atomic_file.h"
#include "testbench/check/property.h"
#include "testbench/check/same_netlist.h"
#include "testbench/check/yosys_sources.h"
#include "testbench/kind/kind.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Outcome = formal::PropertyProof::Outcome;
using Strings = std::vector<std::string>;

/// A module with the kind's ports and parameters around the design, which need not have these parameters.
std::string wrapper_of(const SizedDesign& design, const Kind& kind, const std::vector<UserProperty>& properties) {
  Strings parameters, ports, own, connections;
  for (const auto& [name, value] : design.size) parameters.push_back(fmt::format("parameter {} = {}", name, value));
  for (const auto& [name, value] : design.parameters) own.push_back(fmt::format(".{}({})", name, value));
  const auto add = [&](const std::string& name, const char* direction) {
    ports.push_back(fmt::format("{} logic [{}:0] {}", direction, design.interface.ports.at(name).bits - 1, name));
    connections.push_back(fmt::format(".{0}({0})", name));
  };
  for (const char* name : {"clk_i", "rst_ni"}) add(name, "input");
  for (const DesignPort& port : kind.ports(design.size)) add(port.name, port.input ? "input" : "output");
  std::string beside;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    // When yosys flattens the design, it joins a wire that has this attribute with the signal of its name. Two properties may
    // share the wire.
    for (const InnerSignal& signal : properties[i].inner) {
      const std::string wire = fmt::format("(* hierconn *) logic [{}:0] \\own.{} ;\n  ", signal.bits - 1, signal.path);
      if (beside.find(wire) == std::string::npos) beside += wire;
    }
    beside += instance_of(properties[i], fmt::format("property_{}", i), design, "\\own.");
  }
  return fmt::format("module gputlm_dut #({}) (\n  {}\n);\n  {}{} own ({});\n{}endmodule\n",
                     fmt::join(parameters, ", "), fmt::join(ports, ",\n  "), design.design.top(),
                     own.empty() ? "" : fmt::format(" #({})", fmt::join(own, ", ")), fmt::join(connections, ", "),
                     beside);
}

const char* word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kProved: return "proved";
    case Outcome::kBounded: return "bounded";
    case Outcome::kRefuted: return "refuted";
  }
  return "";
}

}  // namespace

SizedDesign size_for_proof(const RtlDesign& design, const RtlDesign::Interface& plain, const Kind& kind,
                           const ProofOptions& options, const std::vector<std::string>& parameters) {
  RtlParameters given = given_size(kind, options.size, {}, "--proof-size");
  for (const auto& [name, value] : given_size(kind, "", parameters)) {
    const auto in_size = kind.size.begin() + kind.in_size;
    if (std::none_of(kind.size.begin(), in_size, [&, &of = name](const SizeParameter& one) { return one.name == of; }))
      given.emplace(name, value);
  }
  for (const std::string& name : plain.parameters) {
    const auto small = kind.contract.size.find(name);
    if (small != kind.contract.size.end()) given.insert(*small);
  }
  return in_size(design, plain, kind, given);
}

ContractProof prove_contract(const SizedDesign& design, const Kind& kind, const std::string& policy,
                             const ProofOptions& options, const std::string& waveforms,
                             const std::function<bool(std::size_t, std::size_t)>& proceed) {
  const tools::WorkFolder folder;
  formal::ProofRequest request;
  request.contract = kind.contract.module;
  request.parameters = kind.contract.parameters(design.size, policy);
  request.parameters["Lemmas"] = 0;  // lemmas are only for the repository's own designs
  std::vector<UserProperty> properties;
  for (const std::string& file : options.properties) {
    properties.push_back(read_property(file, kind, design));
    request.asserted.push_back(properties.back().path);
  }
  request.wrapper = wrapper_of(design, kind, properties);
  request.sources = yosys_sources(design.design, design.interface);
  request.signals = {"rst_ni"};
  for (const DesignPort& port : kind.ports(design.size)) request.signals.push_back(port.name);
  request.cycles = options.cycles;
  request.seconds = options.seconds;
  request.folder = folder.path();
  request.netlist_module = kNetlistModule;
  request.compare = [&](const std::string& netlist, const std::atomic<bool>& stop) {
    expect_same_netlist(design, kind, netlist, stop);
  };

  ContractProof result;
  result.size = design.size;
  result.ordered = request.parameters.at("Ordered") != 0;
  result.seconds = options.seconds;
  try {
    result.proof = formal::prove(request, proceed);
  } catch (const OtherNetlist&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", design.design.path(), yosys_error(design.interface, error.what())));
  }
  if (result.proof.refuted()) {
    make_output_folder(waveforms);
    result.waveform = fmt::format("{}/{}-proof.vcd", waveforms, design.design.top());
    AtomicFile file(result.waveform);
    file.write(read_text(folder.path() + "/" + result.proof.counterexample->waveform));
    file.commit();
  }
  return result;
}

std::string outcome_text(const formal::PropertyProof& property) {
  switch (property.outcome) {
    case Outcome::kProved: return "proved";
    case Outcome::kBounded: return fmt::format("no counterexample in {} cycles", property.cycles);
    case Outcome::kRefuted: return fmt::format("REFUTED by {} cycles", property.cycles);
  }
  return "";
}

std::string counterexample_text(const ContractProof& proof) {
  const formal::Counterexample& example = proof.proof.counterexample.value();
  std::size_t width = 1, name_width = 0;
  for (const auto& [name, values] : example.signals) {
    name_width = std::max(name_width, name.size());
    for (const std::string& value : values) width = std::max(width, value.size());
  }
  std::string text = fmt::format("  {:<{}}", "cycle", name_width);
  for (unsigned cycle = 0; cycle < example.cycles; ++cycle) text += fmt::format(" {:>{}}", cycle, width);
  for (const auto& [name, values] : example.signals) {
    text += fmt::format("\n  {:<{}}", name, name_width);
    for (const std::string& value : values) text += fmt::format(" {:>{}}", value, width);
  }
  return text + fmt::format("\n  waveform: {}\n", proof.waveform);
}

std::string to_text(const ContractProof& proof, const std::string& policy) {
  std::string size;
  std::size_t width = 0;
  for (const auto& [name, value] : proof.size) size += fmt::format(" {}={}", name, value);
  std::string text = fmt::format("contract{},{}\n", proof.ordered ? ", with the order of " + policy : "", size);
  for (const formal::PropertyProof& property : proof.proof.properties) width = std::max(width, property.name.size());
  for (const formal::PropertyProof& property : proof.proof.properties)
    text += fmt::format("  {:<{}}  {}\n", property.name, width, outcome_text(property));
  if (!proof.proof.refuted()) return text;
  return text + fmt::format("REFUTED: {}\n", proof.proof.counterexample->property) + counterexample_text(proof);
}

nlohmann::ordered_json to_json(const ContractProof& proof) {
  nlohmann::ordered_json json{{"size", proof.size},
                              {"ordered", proof.ordered},
                              {"seconds", proof.seconds},
                              {"properties", nlohmann::ordered_json::array()},
                              {"counterexample", nullptr}};
  for (const formal::PropertyProof& property : proof.proof.properties) {
    nlohmann::ordered_json one{{"name", property.name}, {"outcome", word_of(property.outcome)}, {"cycles", nullptr}};
    if (property.outcome != Outcome::kProved) one["cycles"] = property.cycles;
    json["properties"].push_back(std::move(one));
  }
  if (const auto& example = proof.proof.counterexample) {
    json["counterexample"] = {{"property", example->property},
                              {"cycles", example->cycles},
                              {"signals", nlohmann::ordered_json::object()},
                              {"waveform", proof.waveform}};
    for (const auto& [name, values] : example->signals) json["counterexample"]["signals"][name] = values;
  }
  return json;
}

}  // namespace gputlm
