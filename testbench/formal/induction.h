/// Determines which properties of a circuit are inductive, relying on each other.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/base/tools/tool.h"

namespace gputlm::formal {

/// And-inverter graph. Literals are 2 * variable, plus 1 if negated; 0 is false, 1 true. Variables number inputs first, then
/// latches, then gates. Format: Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", FMV report 11/2, JKU Linz 2011.
struct Circuit {
  using Literal = std::uint32_t;

  std::size_t inputs = 0;
  std::vector<Literal> nexts;  ///< value of each latch in the next cycle
  std::vector<Literal> bads;   ///< outputs that are true if a property fails
  std::vector<Literal> constraints;
  std::vector<std::pair<Literal, Literal>> gates;
};

/// Parses the contents of a binary AIGER file. Throws InputError, with `name`, for another format.
Circuit read_aiger(const std::string& data, const std::string& name);

/// Whether a DIMACS formula in conjunctive normal form is satisfiable; kUnknown if the solver has no answer in time.
enum class Answer { kCan, kCannot, kUnknown };
using Solver = std::function<Answer(std::size_t property, const std::string& dimacs, const std::atomic<bool>& stop)>;
/// Runs CaDiCaL with `arguments`, on files of the folder whose names begin with `name`. Throws InputError if it fails.
Answer solve(const tools::Tool& cadical, std::vector<std::string> arguments, const std::string& dimacs,
             const std::string& folder, const std::string& name, const std::atomic<bool>& stop);
/// Calls the job with 0 to count - 1, in any order or in parallel, and with a flag that becomes true if it is to end early.
using ForEach =
    std::function<void(std::size_t count, const std::function<void(std::size_t, const std::atomic<bool>&)>& job)>;

/// For each bad output, whether it is in the largest inductive set: from any state, if no output of the set is true in
/// `frames` - 1 consecutive cycles, and the constraints hold in these and the next cycle, none is true in the next cycle.
/// Starts with `candidates` and drops those that fail, until none does (as in Houdini: Flanagan, Leino, FME 2001). If a
/// search also excludes violations in the first `frames` - 1 cycles, the set holds in every reachable state.
std::vector<bool> inductive_set(const Circuit& circuit, unsigned frames, const std::vector<bool>& candidates,
                                const Solver& solve, const ForEach& for_each);

}  // namespace gputlm::formal
