#include "testbench/formal/proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/design/sources.h"
#include "testbench/formal/induction.h"
#include "testbench/lockstep/parallel.h"
#include "tlm/base/error.h"

namespace gputlm::formal {
namespace {

using Outcome = PropertyProof::Outcome;

constexpr unsigned kPeriod = 10;  // clock period in the dump that yosys writes
// Frames of an inductive step. An assertion at the clock edge is a register that records a failure in the previous cycle, so
// its value for one cycle is known in the second and checked in the third.
constexpr unsigned kFrames = 3;

// Properties have the names of yosys' cells: "arbiter_proof/u_contract.grant_asked".
constexpr const char* kRead = R"(read_verilog -sv -formal -DDUT=gputlm_dut{contract}
{asserted}read_verilog -sv -defer -noassert -noassume{options} wrapper.sv{files}
hierarchy -check -top {top}{parameters}
proc
flatten
opt -full
check -assert
chformal -cover -remove
async2sync
dffunmap
opt -nodffe -nosdff
write_rtlil design.il
tee -o properties select -list t:$assert
techmap
opt -nodffe -nosdff
abc -g AND -fast
opt_clean
write_rtlil gates.il
)";
// The design by itself, as read there.
constexpr const char* kNetlist = R"(read_verilog -sv -defer -noassert -noassume{options} wrapper.sv{files}{asserted}
hierarchy -check -top gputlm_dut
proc
flatten
opt -full
check -assert
rename gputlm_dut {module}
write_verilog -noattr netlist.v
)";
// All properties; yosys lists them in the order in which it writes them.
constexpr const char* kWriteAll = R"(read_rtlil gates.il
tee -o written select -list t:$assert
write_aiger -zinit all.aig
design -reset
)";
// One property, and its cone of influence.
constexpr const char* kWrite = R"(read_rtlil gates.il
chformal -assert -remove t:$assert {property} %d
opt_clean
write_aiger -zinit -map {number}.aim {number}.aig
)";
constexpr const char* kSimulate = R"(read_rtlil design.il
sim -hdlname -clock clk_i -r witness.aiw -map {number}.aim -vcd counterexample.vcd
)";
// With an assumption about the reset cycle, a property is combinational only if yosys found it to be true.
constexpr const char* kNothingLeft = "Does not work for combinational networks";
constexpr const char* kSearch = "read_aiger {0}.aig; fold; strash; bmc3 -F {1} -T {2}; write_cex -a {0}.cex";
constexpr const char* kProve = "read_aiger {0}.aig; fold; strash; scorr; pdr -T {2}; write_cex -a {0}.cex";

/// The last part of a property's name, its label in the source.
std::string label(const std::string& name) { return name.substr(name.find_last_of("./") + 1); }

std::string last_number(const std::string& text, const std::regex& pattern) {
  std::smatch match;
  return std::regex_search(text, match, pattern) ? match[1].str() : "";
}

std::string as_number(const std::string& bits) {
  if (bits.find_first_not_of("01") != std::string::npos) return bits;
  std::string number;
  const std::string padded = std::string((4 - bits.size() % 4) % 4, '0') + bits;
  for (std::size_t i = 0; i < padded.size(); i += 4)
    number += "0123456789abcdef"[std::stoul(padded.substr(i, 4), nullptr, 2)];
  return number.substr(std::min(number.find_first_not_of('0'), number.size() - 1));
}

/// The names of the variables by their codes; several names may share one.
std::multimap<std::string, std::string> read_header(std::istream& in) {
  std::multimap<std::string, std::string> names;
  std::vector<std::string> scopes;
  for (std::string word; in >> word && word != "$enddefinitions";) {
    std::string type, name, bits, code;
    if (word == "$scope") {
      in >> type >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      in >> type >> bits >> code >> name;
      std::string path;
      for (const std::string& scope : scopes) path += scope + '.';
      names.emplace(code, path + name);
    }
  }
  return names;
}

/// Values of signals in a VCD file (IEEE 1800-2017, 21.7) as yosys' command `sim` writes it, in the cycles 0 to `cycles` - 1,
/// which begin `period` apart. A value is a hexadecimal number, or its bits if some are undefined. `names` are hierarchical:
/// "top.dut.clk_i"; names that the file does not have are not in the result.
std::map<std::string, std::vector<std::string>> values_by_cycle(const std::string& vcd,
                                                                const std::vector<std::string>& names, unsigned cycles,
                                                                unsigned period) {
  std::istringstream in(vcd);
  std::map<std::string, std::string> now;  // current values by code
  std::map<std::string, std::vector<std::string>> of_code, of_name;
  for (const auto& [code, name] : read_header(in)) {
    if (std::find(names.begin(), names.end(), name) != names.end()) of_name[name] = {code};
  }
  for (const auto& [name, code] : of_name) now[code.front()] = "0";
  // The values of a cycle are those at its beginning.
  const auto note_until = [&](unsigned long time) {
    for (auto& [code, value] : now) {
      auto& values = of_code[code];
      while (values.size() < cycles && values.size() * period < time) values.push_back(as_number(value));
    }
  };
  for (std::string word; in >> word;) {
    if (word.front() == '#') {
      note_until(std::stoul(word.substr(1)));
    } else if (word.front() == 'b') {
      std::string code;
      in >> code;
      if (const auto found = now.find(code); found != now.end()) found->second = word.substr(1);
    } else if (std::isdigit(word.front()) || word.front() == 'x') {
      if (const auto found = now.find(word.substr(1)); found != now.end()) found->second = word.substr(0, 1);
    }
  }
  note_until(static_cast<unsigned long>(cycles) * period);
  for (auto& [name, values] : of_name) values = of_code.at(values.front());
  return of_name;
}

class Prover {
 public:
  Prover(const ProofRequest& request, std::vector<tools::Tool> tools) : request_(request), tools_(std::move(tools)) {}

  void make_circuits(const std::atomic<bool>& stop);
  /// Searches for a counterexample in the first cycles, which an inductive step relies on, and in all requested cycles.
  void begin(std::size_t property, const std::atomic<bool>& stop) {
    ask(property, kSearch, std::min(kFrames - 1, request_.cycles), "begin", stop);
  }
  void search(std::size_t property, const std::atomic<bool>& stop) {
    if (proofs_[property].outcome == Outcome::kBounded) ask(property, kSearch, request_.cycles, "search", stop);
  }
  /// Proves properties that are inductive together: far more than individually if some of them support others.
  void prove_together(const std::function<bool()>& proceed);
  void prove(std::size_t property, const std::atomic<bool>& stop) {
    if (proofs_[property].outcome != Outcome::kProved) ask(property, kProve, 0, "prove", stop);
  }
  std::size_t size() const { return names_.size(); }
  bool refuted() const { return refuted_; }
  Proof result(const std::atomic<bool>& stop);

 private:
  void run_yosys(const std::string& commands, const std::string& log, const std::atomic<bool>& stop,
                 bool strict = true);
  void ask(std::size_t property, const char* question, unsigned cycles, const char* log, const std::atomic<bool>& stop);
  Counterexample counterexample(std::size_t property, const std::atomic<bool>& stop);

  const ProofRequest& request_;
  std::vector<tools::Tool> tools_;
  std::vector<std::string> names_;
  std::vector<PropertyProof> proofs_;
  std::atomic<bool> refuted_{false};
};

/// `strict`: warnings of yosys 0.23 are errors, since they may mean a wrong netlist.
void Prover::run_yosys(const std::string& commands, const std::string& log, const std::atomic<bool>& stop,
                       bool strict) {
  tools::write_file(request_.folder + "/" + log + ".ys", commands);
  std::vector<std::string> arguments{"-q", "-T", "-s", log + ".ys"};
  if (strict) arguments.insert(arguments.begin(), {"-e", ".*"});
  tools::run_tool(tools_[0], arguments, request_.folder, log + ".log", stop);
}

void Prover::make_circuits(const std::atomic<bool>& stop) {
  std::string contract, files, parameters;
  for (const RtlSource& source : contract_sources()) {
    tools::write_file(request_.folder + "/" + source.name, source.text);
    contract += " " + source.name;
  }
  tools::write_file(request_.folder + "/wrapper.sv", request_.wrapper);
  for (const std::string& file : request_.sources.files) files += cost::quoted(file);
  cost::link_includes(request_.sources, request_.folder);
  const std::string options = cost::read_options(request_.sources, "");
  std::string asserted;
  for (const std::string& file : request_.asserted)
    asserted += "read_verilog -sv -formal -defer" + options + cost::quoted(file) + '\n';
  if (request_.compare) {
    std::string asserted_files;
    for (const std::string& file : request_.asserted) asserted_files += cost::quoted(file);
    run_yosys(fmt::format(kNetlist, fmt::arg("options", options), fmt::arg("files", files),
                          fmt::arg("asserted", asserted_files), fmt::arg("module", request_.netlist_module)),
              "netlist", stop);
    request_.compare(request_.folder + "/netlist.v", stop);
  }
  for (const auto& [name, value] : request_.parameters) parameters += fmt::format(" -chparam {} {}", name, value);
  run_yosys(fmt::format(kRead, fmt::arg("contract", contract), fmt::arg("options", options), fmt::arg("files", files),
                        fmt::arg("asserted", asserted), fmt::arg("top", request_.contract),
                        fmt::arg("parameters", parameters)),
            "read", stop);
  std::istringstream list(tools::read_file(request_.folder + "/properties"));
  for (std::string name; list >> name;) names_.push_back(name);
  std::sort(names_.begin(), names_.end(), [](const auto& a, const auto& b) { return label(a) < label(b); });
  std::string commands = kWriteAll;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    proofs_.push_back({label(names_[i])});
    commands += fmt::format(kWrite, fmt::arg("property", names_[i]), fmt::arg("number", i)) + "design -reset\n";
  }
  run_yosys(commands, "write", stop);
}

void Prover::ask(std::size_t property, const char* question, unsigned cycles, const char* log,
                 const std::atomic<bool>& stop) {
  static const std::regex refuted("was asserted in frame ([0-9]+)"), bounded("No output asserted in ([0-9]+) frames");
  const std::string name = fmt::format("{}.{}", property, log);
  tools::run_tool(tools_[1], {"-c", fmt::format(question, property, cycles, request_.seconds)}, request_.folder, name,
                  stop);
  const std::string said = tools::read_file(request_.folder + "/" + name);
  PropertyProof& proof = proofs_[property];
  if (const std::string frame = last_number(said, refuted); !frame.empty()) {
    proof.outcome = Outcome::kRefuted;
    proof.cycles = static_cast<unsigned>(std::stoul(frame)) + 1;
    refuted_ = true;
  } else if (said.find("Property proved") != std::string::npos || said.find(kNothingLeft) != std::string::npos) {
    proof.outcome = Outcome::kProved;
  } else if (const std::string frames = last_number(said, bounded); !frames.empty()) {
    proof.cycles = static_cast<unsigned>(std::stoul(frames));
  } else if (said.find("UNDECIDED") == std::string::npos) {
    throw InputError(fmt::format("yosys-abc gives no answer for {}: {}", proof.name, said.substr(0, 500)));
  }
}

void Prover::prove_together(const std::function<bool()>& proceed) {
  // The property of each bad output of the circuit. Properties that yosys found to be true have none.
  std::vector<std::size_t> property_of;
  std::istringstream written(tools::read_file(request_.folder + "/written"));
  for (std::string name; written >> name;)
    property_of.push_back(static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin()));
  const std::string file = request_.folder + "/all.aig";
  const Circuit circuit = read_aiger(tools::read_file(file), file);
  if (circuit.bads.size() != property_of.size())
    throw std::logic_error("yosys has written other properties than it has listed");

  // Other properties are not known to hold in the first cycles.
  std::vector<bool> candidates;
  for (const std::size_t property : property_of) {
    const PropertyProof& proof = proofs_[property];
    candidates.push_back(proof.outcome == Outcome::kProved || proof.cycles >= kFrames - 1);
  }
  const auto solve_step = [&](std::size_t bad, const std::string& formula, const std::atomic<bool>& stop) {
    return solve(tools_[2], {"-t", std::to_string(request_.seconds)}, formula, request_.folder,
                 fmt::format("{}.step", bad), stop);
  };
  const auto each = [&](std::size_t count, const auto& ask) {
    run_parallel(count, request_.parallel, ask, [&](std::size_t, std::size_t) { return proceed(); });
  };
  const std::vector<bool> inductive = inductive_set(circuit, kFrames, candidates, solve_step, each);
  for (std::size_t i = 0; i < inductive.size(); ++i) {
    if (inductive[i]) proofs_[property_of[i]].outcome = Outcome::kProved;
  }
}

/// ABC's state and inputs of each cycle in the form that yosys reads with the circuit's names: AIGER's witness.
Counterexample Prover::counterexample(std::size_t property, const std::atomic<bool>& stop) {
  const std::string number = std::to_string(property),
                    aiger = tools::read_file(request_.folder + "/" + number + ".aig");
  std::size_t all = 0, inputs = 0, latches = 0;
  std::string form;
  std::istringstream(aiger.substr(0, aiger.find('\n'))) >> form >> all >> inputs >> latches;
  std::istringstream lines(tools::read_file(request_.folder + "/" + number + ".cex"));
  std::string line, witness = "1\nb0\n" + std::string(latches, '0') + "\n";
  std::getline(lines, line);  // the state: zeros, and one more that `fold` adds
  // The last one ends with " # DONE".
  while (lines >> line && line.size() >= inputs) witness += line.substr(0, inputs) + "\n";
  tools::write_file(request_.folder + "/witness.aiw", witness + ".\n");
  // In this simulation, the failure of the property is only a warning.
  run_yosys(fmt::format(kSimulate, fmt::arg("number", number)), "simulate", stop, false);

  Counterexample found{proofs_[property].name, proofs_[property].cycles, {}, "counterexample.vcd"};
  std::vector<std::string> names;
  const std::string scope = request_.contract + ".dut.";
  for (const std::string& signal : request_.signals) names.push_back(scope + signal);
  auto values = values_by_cycle(tools::read_file(request_.folder + "/" + found.waveform), names, found.cycles, kPeriod);
  for (const std::string& signal : request_.signals) {
    if (const auto of = values.find(scope + signal); of != values.end()) found.signals.emplace_back(signal, of->second);
  }
  return found;
}

Proof Prover::result(const std::atomic<bool>& stop) {
  Proof proof{proofs_, {}};
  std::size_t shortest = size();
  for (std::size_t i = 0; i < size(); ++i) {
    if (proofs_[i].outcome != Outcome::kRefuted) continue;
    if (shortest == size() || proofs_[i].cycles < proofs_[shortest].cycles) shortest = i;
  }
  if (shortest < size()) proof.counterexample = counterexample(shortest, stop);
  return proof;
}

}  // namespace

std::vector<tools::Tool> proof_tools() {
  return {tools::find_tool("yosys", "yosys"), tools::find_tool("yosys-abc", "yosys"),
          tools::find_tool("cadical", "cadical")};
}

Proof prove(const ProofRequest& request, const std::function<bool(std::size_t, std::size_t)>& proceed) {
  Prover prover(request, proof_tools());
  const auto alone = [&](auto step) {
    run_parallel(
        1, 1, [&](std::size_t, const std::atomic<bool>& stop) { step(stop); },
        [&](std::size_t, std::size_t) { return proceed(0, 0); });
  };
  alone([&](const std::atomic<bool>& stop) { prover.make_circuits(stop); });
  const auto each = [&](auto step, std::size_t before, std::size_t weight) {
    run_parallel(
        prover.size(), request.parallel, [&](std::size_t i, const std::atomic<bool>& stop) { (prover.*step)(i, stop); },
        [&](std::size_t done, std::size_t) { return proceed(before + weight * done, 2 * prover.size()); });
  };
  each(&Prover::begin, 0, 0);
  // Properties that are proved by then need no long search.
  if (!prover.refuted()) prover.prove_together([&] { return proceed(0, 2 * prover.size()); });
  each(&Prover::search, 0, 1);
  if (!prover.refuted()) each(&Prover::prove, prover.size(), 1);
  Proof proof;
  alone([&](const std::atomic<bool>& stop) { proof = prover.result(stop); });
  return proof;
}

}  // namespace gputlm::formal
