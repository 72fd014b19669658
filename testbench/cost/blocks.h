/// The blocks of rtl/ whose cost can be asked for, and the geometries that they take.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cost/sources.h"

namespace gputlm::cost {

struct BlockParameter {
  std::string option;  ///< its name on the command line, without dashes
  std::string name;    ///< its name in the source
  unsigned least, most;
  bool power_of_two;
  unsigned standard;  ///< the value unless given
  std::string meaning;
  bool has_effect = true;  ///< false: the block has it only to have the ports of others
};

struct BlockType {
  std::string name;  ///< of the top module, POLICY_KIND
  std::string description;
  std::string clock;                       ///< its clock port
  std::vector<BlockParameter> parameters;  ///< the first is the size that plots have on their x axis
  std::string kind = {};                   ///< whose ports it has; block_types() knows it
  /// Of a user's own block; none: it is one of rtl/.
  struct Own {
    std::string file;
    Sources sources;
    std::vector<std::string> parameters;  ///< that the module has, of `parameters` or not
    std::map<std::string, unsigned> set;  ///< values of those that are not of `parameters`
  };
  std::optional<Own> own = {};
};

/// The modules of all kinds (testbench/kind/kind.h).
const std::vector<BlockType>& block_types();

/// Null if there is no such block.
const BlockType* find_block(const std::string& name);

/// A user's own module, with the clock and the parameters of `like`. Throws InputError if its name is none of a module,
/// or if rtl/ has one of that name.
BlockType own_block(const std::string& module, const BlockType& like, BlockType::Own own);

/// One value for each of the block's parameters, in their order.
using Geometry = std::vector<unsigned>;

/// `geometry` with the standard values of parameters that have no effect on the block: those that have the same are the
/// same netlist.
Geometry effective(const BlockType& block, Geometry geometry);

/// What was given on the command line: option and its text, "16,32,64".
using GivenParameters = std::map<std::string, std::string>;

/// The values of one parameter, as the command line gives them: "16,32,64". Throws InputError as geometries() does.
std::vector<unsigned> parameter_values(const BlockType& block, const BlockParameter& parameter,
                                       const std::string& text);

/// All combinations of the given values, the last parameter changing fastest; a parameter that is not given has its
/// standard value. Throws InputError for an option that the block does not have, for a value that it does not take, and
/// for text that is not a list of numbers.
std::vector<Geometry> geometries(const BlockType& block, const GivenParameters& given);

}  // namespace gputlm::cost
