#include "testbench/formal/induction.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <sstream>
#include <unordered_map>

#include "tlm/base/error.h"

namespace gputlm::formal {
namespace {

using Literal = Circuit::Literal;
using Gate = std::pair<Literal, Literal>;

/// Consecutive cycles of a circuit, from any state: equal gates are merged, constants are propagated.
class Unrolled {
 public:
  explicit Unrolled(const Circuit& circuit) : circuit_(circuit) {
    for (std::size_t i = 0; i < circuit.nexts.size(); ++i) state_.push_back(free());
  }

  struct Cycle {
    std::vector<Literal> bads, constraints;
  };
  Cycle next();
  /// The formula, in DIMACS format, that all of these are true at once: only the gates that they depend on.
  std::string formula(const std::vector<Literal>& all) const;

 private:
  Literal free() {
    operands_.emplace_back(0, 0);
    return 2 * static_cast<Literal>(operands_.size() - 1);
  }
  Literal both(Literal a, Literal b);
  bool is_gate(Literal variable) const { return operands_[variable].second != 0; }

  const Circuit& circuit_;
  std::vector<Gate> operands_{{0, 0}};  ///< operands of each variable; {0, 0} for a free variable
  std::unordered_map<Gate, Literal, boost::hash<Gate>> gates_;
  std::vector<Literal> state_;
};

Literal Unrolled::both(Literal a, Literal b) {
  if (a > b) std::swap(a, b);
  if (a == 0 || (a ^ b) == 1) return 0;
  if (a == 1 || a == b) return b;
  const auto [found, is_new] = gates_.try_emplace({a, b}, 0);
  if (is_new) {
    found->second = free();
    operands_.back() = {a, b};
  }
  return found->second;
}

Unrolled::Cycle Unrolled::next() {
  std::vector<Literal> values{0};
  for (std::size_t i = 0; i < circuit_.inputs; ++i) values.push_back(free());
  values.insert(values.end(), state_.begin(), state_.end());
  const auto value = [&](Literal literal) { return values[literal >> 1] ^ (literal & 1); };
  for (const auto& [a, b] : circuit_.gates) values.push_back(both(value(a), value(b)));
  Cycle cycle;
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = value(circuit_.nexts[i]);
  for (const Literal bad : circuit_.bads) cycle.bads.push_back(value(bad));
  for (const Literal constraint : circuit_.constraints) cycle.constraints.push_back(value(constraint));
  return cycle;
}

std::string Unrolled::formula(const std::vector<Literal>& all) const {
  const auto number = [](Literal literal) {
    const auto variable = static_cast<std::int64_t>(literal >> 1);
    return (literal & 1) != 0 ? -variable : variable;
  };
  std::vector<Literal> pending;
  std::size_t clauses = 0;
  fmt::memory_buffer text;
  for (const Literal literal : all) {
    if (literal == 1) continue;
    pending.push_back(literal >> 1);
    // A constant-false literal cannot be true: the empty clause.
    fmt::format_to(std::back_inserter(text), literal == 0 ? "0\n" : "{} 0\n", number(literal));
    ++clauses;
  }
  std::vector<bool> seen(operands_.size());
  while (!pending.empty()) {
    const Literal gate = pending.back();
    pending.pop_back();
    if (seen[gate] || !is_gate(gate)) continue;
    seen[gate] = true;
    const auto& [a, b] = operands_[gate];
    pending.insert(pending.end(), {a >> 1, b >> 1});
    const auto g = static_cast<std::int64_t>(gate);
    fmt::format_to(std::back_inserter(text), "{} {} 0\n{} {} 0\n{} {} {} 0\n", -g, number(a), -g, number(b), g,
                   -number(a), -number(b));
    clauses += 3;
  }
  return fmt::format("p cnf {} {}\n", operands_.size() - 1, clauses) + fmt::to_string(text);
}

}  // namespace

Circuit read_aiger(const std::string& data, const std::string& name) {
  const auto refuse = [&](const char* what) { throw InputError(name, 0, what); };
  std::istringstream in(data);
  std::string line, format;
  std::getline(in, line);
  std::istringstream header(line);
  // Variables, inputs, latches, outputs, gates, bad outputs, constraints; the last two are optional.
  std::size_t sizes[7] = {};
  header >> format;
  for (std::size_t& size : sizes) header >> size;
  if (format != "aig") refuse("is no binary AIGER file");
  const auto [all, inputs, latches, outputs, gates, bads, constraints] = sizes;
  if (all != inputs + latches + gates) refuse("has variables that nothing defines");
  const auto literals = [&](std::size_t count) {
    std::vector<Literal> read(count);
    for (Literal& literal : read) {
      if (!std::getline(in, line) || !(std::istringstream(line) >> literal) || literal > 2 * all + 1)
        refuse("ends early, or has a literal of no variable");
    }
    return read;
  };
  Circuit circuit;
  circuit.inputs = inputs;
  circuit.nexts = literals(latches);
  literals(outputs);
  circuit.bads = literals(bads);
  circuit.constraints = literals(constraints);
  const auto number = [&] {  // seven bits per byte, lowest first
    Literal value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const int byte = in.get();
      if (byte < 0 || shift > 28) refuse("ends in its gates");
      value |= static_cast<Literal>(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (std::size_t i = 0; i < gates; ++i) {
    const auto gate = static_cast<Literal>(2 * (1 + inputs + latches + i));
    const Literal less = number(), further = number();
    if (less > gate || further > gate - less) refuse("has a gate before what it depends on");
    circuit.gates.emplace_back(gate - less, gate - less - further);
  }
  return circuit;
}

Answer solve(const tools::Tool& cadical, std::vector<std::string> arguments, const std::string& dimacs,
             const std::string& folder, const std::string& name, const std::atomic<bool>& stop) {
  tools::write_file(folder + "/" + name + ".cnf", dimacs);
  arguments.insert(arguments.end(), {"-q", "-n", name + ".cnf"});
  const int code = tools::exit_code_of(cadical, arguments, folder, name + ".log", stop);
  // The exit codes of solver competitions; 0: no result in time.
  if (code == 10) return Answer::kCan;
  if (code == 20) return Answer::kCannot;
  if (code == 0) return Answer::kUnknown;
  throw InputError(
      fmt::format("cadical failed (exit code {}): {}", code, tools::read_file(folder + "/" + name + ".log")));
}

std::vector<bool> inductive_set(const Circuit& circuit, unsigned frames, const std::vector<bool>& candidates,
                                const Solver& solve, const ForEach& for_each) {
  Unrolled unrolled(circuit);
  std::vector<Unrolled::Cycle> cycles;
  for (unsigned i = 0; i < frames; ++i) cycles.push_back(unrolled.next());
  std::vector<bool> in_set = candidates;
  for (bool failed = true; failed;) {
    std::vector<Literal> known = cycles.back().constraints;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < in_set.size(); ++i) {
      if (in_set[i] && cycles.back().bads[i] != 0) asked.push_back(i);
    }
    for (std::size_t cycle = 0; cycle + 1 < cycles.size(); ++cycle) {
      known.insert(known.end(), cycles[cycle].constraints.begin(), cycles[cycle].constraints.end());
      for (std::size_t i = 0; i < in_set.size(); ++i) {
        if (in_set[i]) known.push_back(cycles[cycle].bads[i] ^ 1);
      }
    }
    std::vector<Answer> answers(asked.size());
    for_each(asked.size(), [&](std::size_t n, const std::atomic<bool>& stop) {
      std::vector<Literal> all = known;
      all.push_back(cycles.back().bads[asked[n]]);
      answers[n] = solve(asked[n], unrolled.formula(all), stop);
    });
    failed = false;
    for (std::size_t n = 0; n < asked.size(); ++n) {
      if (answers[n] == Answer::kCannot) continue;
      in_set[asked[n]] = false;
      failed = true;
    }
  }
  return in_set;
}

}  // namespace gputlm::formal
