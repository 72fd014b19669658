#include "testbench/formal/induction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "tests/unit/error_of.h"

namespace gputlm::formal {
namespace {

using Literal = Circuit::Literal;
using Clauses = std::vector<std::vector<int>>;

Clauses clauses_of(const std::string& dimacs) {
  std::istringstream in(dimacs);
  std::string word;
  std::size_t variables = 0, count = 0;
  in >> word >> word >> variables >> count;
  Clauses clauses(1);
  for (int literal = 0; in >> literal;) {
    EXPECT_LE(static_cast<std::size_t>(std::abs(literal)), variables);
    if (literal == 0) {
      clauses.emplace_back();
    } else {
      clauses.back().push_back(literal);
    }
  }
  clauses.pop_back();
  EXPECT_EQ(clauses.size(), count);
  return clauses;
}

/// By trying: each clause's first literal that may still be true, then its negation.
bool satisfiable(const Clauses& clauses) {
  const std::vector<int>* shortest = nullptr;
  for (const auto& clause : clauses) {
    if (!shortest || clause.size() < shortest->size()) shortest = &clause;
  }
  if (!shortest) return true;
  if (shortest->empty()) return false;
  for (const int literal : {shortest->front(), -shortest->front()}) {
    Clauses rest;
    for (const auto& clause : clauses) {
      if (std::find(clause.begin(), clause.end(), literal) != clause.end()) continue;
      rest.push_back(clause);
      rest.back().erase(std::remove(rest.back().begin(), rest.back().end(), -literal), rest.back().end());
    }
    if (satisfiable(rest)) return true;
  }
  return false;
}

Answer solve_by_trying(std::size_t, const std::string& dimacs, const std::atomic<bool>&) {
  return satisfiable(clauses_of(dimacs)) ? Answer::kCan : Answer::kCannot;
}

void one_by_one(std::size_t count, const std::function<void(std::size_t, const std::atomic<bool>&)>& job) {
  for (std::size_t i = 0; i < count; ++i) job(i, tools::kNeverStopped);
}

/// As the format has it: counts of variables, inputs, latches, outputs, gates, bad outputs and constraints; a literal a line;
/// the differences of a gate's literals, seven bits a byte. (Biere, Heljanko, Wieringa, 2011.)
std::string to_aiger(const Circuit& circuit) {
  std::ostringstream text;
  text << "aig " << circuit.inputs + circuit.nexts.size() + circuit.gates.size() << ' ' << circuit.inputs << ' '
       << circuit.nexts.size() << " 0 " << circuit.gates.size() << ' ' << circuit.bads.size() << ' '
       << circuit.constraints.size() << '\n';
  for (const auto* of : {&circuit.nexts, &circuit.bads, &circuit.constraints}) {
    for (const Literal literal : *of) text << literal << '\n';
  }
  auto gate = static_cast<Literal>(2 * (1 + circuit.inputs + circuit.nexts.size()));
  for (const auto& [a, b] : circuit.gates) {
    for (Literal difference : {gate - a, a - b}) {
      for (; difference >= 128; difference >>= 7) text << static_cast<char>((difference & 127) | 128);
      text << static_cast<char>(difference);
    }
    gate += 2;
  }
  return text.str();
}

Circuit random_circuit(std::mt19937& random) {
  const auto below = [&](std::size_t bound) { return static_cast<Literal>(random() % bound); };
  Circuit circuit;
  circuit.inputs = 1 + below(2);
  const std::size_t latches = 1 + below(3), gates = 3 + below(6);
  for (std::size_t i = 0; i < gates; ++i) {
    const auto gate = static_cast<Literal>(2 * (1 + circuit.inputs + latches + i));
    const Literal a = below(gate), b = below(gate);
    circuit.gates.emplace_back(std::max(a, b), std::min(a, b));
  }
  const std::size_t literals = 2 * (1 + circuit.inputs + latches + gates);
  for (std::size_t i = 0; i < latches; ++i) circuit.nexts.push_back(below(literals));
  for (unsigned i = 0; i < 3; ++i) circuit.bads.push_back(below(literals));
  for (unsigned i = 0; i < below(2); ++i) circuit.constraints.push_back(below(literals));
  return circuit;
}

/// What each literal is in a cycle with this state and these inputs, a bit each.
std::vector<bool> values(const Circuit& circuit, unsigned state, unsigned inputs) {
  std::vector<bool> of{false, true};
  const auto add = [&](bool value) { of.insert(of.end(), {value, !value}); };
  for (std::size_t i = 0; i < circuit.inputs; ++i) add((inputs >> i & 1) != 0);
  for (std::size_t i = 0; i < circuit.nexts.size(); ++i) add((state >> i & 1) != 0);
  for (const auto& [a, b] : circuit.gates) add(of[a] && of[b]);
  return of;
}

/// Whether a property fails in the last of `frames` cycles from such a state, where what is assumed holds.
bool fails(const Circuit& circuit, unsigned frames, unsigned state, const std::vector<bool>& set, std::size_t asked) {
  for (unsigned inputs = 0; inputs < 1U << circuit.inputs; ++inputs) {
    const std::vector<bool> of = values(circuit, state, inputs);
    if (!std::all_of(circuit.constraints.begin(), circuit.constraints.end(), [&](Literal c) { return of[c]; }))
      continue;
    if (frames == 1) {
      if (of[circuit.bads[asked]]) return true;
      continue;
    }
    bool all_hold = true;
    for (std::size_t i = 0; i < set.size(); ++i) all_hold = all_hold && !(set[i] && of[circuit.bads[i]]);
    unsigned next = 0;
    for (std::size_t i = 0; i < circuit.nexts.size(); ++i) next |= static_cast<unsigned>(of[circuit.nexts[i]]) << i;
    if (all_hold && fails(circuit, frames - 1, next, set, asked)) return true;
  }
  return false;
}

std::vector<bool> by_enumeration(const Circuit& circuit, unsigned frames, std::vector<bool> set) {
  for (;;) {
    std::vector<bool> kept = set;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (unsigned state = 0; state < 1U << circuit.nexts.size(); ++state) {
        if (kept[i] && fails(circuit, frames, state, set, i)) kept[i] = false;
      }
    }
    if (kept == set) return set;
    set = kept;
  }
}

TEST(Induction, FindsTheSetThatEnumerationFindsInRandomCircuits) {
  std::mt19937 random(1);
  unsigned whole = 0, part = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const Circuit circuit = read_aiger(to_aiger(random_circuit(random)), "random");
    std::vector<bool> candidates{true, true, random() % 4 != 0};
    for (unsigned frames = 1; frames <= 3; ++frames) {
      const std::vector<bool> set = inductive_set(circuit, frames, candidates, solve_by_trying, one_by_one);
      ASSERT_EQ(set, by_enumeration(circuit, frames, candidates)) << "circuit " << i << ", frames " << frames;
      const auto size = std::count(set.begin(), set.end(), true);
      whole += set == candidates;
      part += size > 0 && set != candidates;
    }
  }
  EXPECT_GT(whole, 50U);
  EXPECT_GT(part, 50U);
}

/// What the solver leaves open is not in the set, and not assumed either.
TEST(Induction, LeavesOutWhatTheSolverLeavesOpen) {
  // Two registers that swap their values: each is false if the other one was.
  Circuit swap;
  swap.nexts = {4, 2};
  swap.bads = {2, 4};
  EXPECT_EQ(inductive_set(swap, 2, {true, true}, solve_by_trying, one_by_one), (std::vector<bool>{true, true}));
  const auto late = [](std::size_t property, const std::string& formula, const std::atomic<bool>& stop) {
    return property == 1 ? Answer::kUnknown : solve_by_trying(property, formula, stop);
  };
  EXPECT_EQ(inductive_set(swap, 2, {true, true}, late, one_by_one), (std::vector<bool>{false, false}));
  EXPECT_EQ(inductive_set(swap, 2, {true, false}, solve_by_trying, one_by_one), (std::vector<bool>{false, false}));
}

TEST(Aiger, IsRefusedWhereItIsNone) {
  const auto refusal = [](const std::string& data) { return error_of([&] { read_aiger(data, "x.aig"); }); };
  EXPECT_EQ(refusal("aag 1 1 0 0 0\n"), "x.aig: is no binary AIGER file");
  EXPECT_EQ(refusal("aig 3 1 1 0 0\n2\n"), "x.aig: has variables that nothing defines");
  EXPECT_EQ(refusal("aig 1 0 1 0 0 1\n2\n"), "x.aig: ends early, or has a literal of no variable");
  EXPECT_EQ(refusal("aig 1 0 1 0 0 1\n2\n9\n"), "x.aig: ends early, or has a literal of no variable");
  EXPECT_EQ(refusal("aig 2 1 0 0 1\n\x02"), "x.aig: ends in its gates");
  EXPECT_EQ(refusal(std::string("aig 2 1 0 0 1\n\x05\x00", 16)), "x.aig: has a gate before what it depends on");
}

}  // namespace
}  // namespace gputlm::formal
