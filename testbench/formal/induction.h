/// Which properties of a circuit carry over from some cycles to the next one, resting on each other.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/tools/tool.h"

namespace gputlm::formal {

/// And-inverter graph. Literals are 2 * variable, plus 1 where negated; 0 is false, 1 true. Variables count inputs first, then
/// latches, then gates. Format: Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", FMV report 11/2, JKU Linz 2011.
struct Circuit {
  using Literal = std::uint32_t;

  std::size_t inputs = 0;
  std::vector<Literal> nexts;  ///< of each latch, its value in the next cycle
  std::vector<Literal> bads;   ///< true where a property fails
  std::vector<Literal> constraints;
  std::vector<std::pair<Literal, Literal>> gates;
};

/// Of a binary AIGER file's contents. Throws InputError, with `name`, for another format.
Circuit read_aiger(const std::string& data, const std::string& name);

/// Whether a formula in DIMACS' conjunctive normal form can be true; false too where a solver has no answer in time.
enum class Answer { kCan, kCannot, kUnknown };
using Solver = std::function<Answer(std::size_t property, const std::string& dimacs, const std::atomic<bool>& stop)>;
/// CaDiCaL's answer, with `arguments` for it, in files of the folder that begin with `name`. Throws InputError if it fails.
Answer solve(const tools::Tool& cadical, std::vector<std::string> arguments, const std::string& dimacs,
             const std::string& folder, const std::string& name, const std::atomic<bool>& stop);
/// Calls the job with 0 to count - 1, in any order or at once, and with what becomes true when it shall end early.
using ForEach =
    std::function<void(std::size_t count, const std::function<void(std::size_t, const std::atomic<bool>&)>& job)>;

/// By bad output, whether it is in the largest set of those with which this holds: from any state, if none of the set is true in
/// `frames` - 1 consecutive cycles, and the constraints hold in these and the next one, none is true in the next one. Looked
/// for among `candidates`: what fails is left out, until nothing does (as in Houdini: Flanagan, Leino, FME 2001). With what a
/// search says of the first `frames` - 1 cycles, the set holds in every reachable state.
std::vector<bool> inductive_set(const Circuit& circuit, unsigned frames, const std::vector<bool>& candidates,
                                const Solver& solve, const ForEach& for_each);

}  // namespace gputlm::formal
