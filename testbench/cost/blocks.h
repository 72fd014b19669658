/// The blocks of rtl/ whose cost can be computed, and their geometries.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cost/sources.h"
#include "testbench/ports/ports.h"

namespace gputlm::cost {

struct BlockParameter : SizeParameter {
  bool has_effect = true;  ///< false: the block has it only to have the same ports as others
};

struct BlockType {
  std::string name;  ///< name of the top module, POLICY_KIND
  std::string description;
  std::string clock;                       ///< name of its clock port
  std::vector<BlockParameter> parameters;  ///< the first is the size on the x axis of plots
  std::string kind = {};                   ///< the kind with these ports; block_types() sets it
  /// A user's own block; none: a block of rtl/.
  struct Own {
    std::string file;
    Sources sources;
    std::vector<std::string> parameters;  ///< parameters of the module, even those not in BlockType::parameters
    std::map<std::string, unsigned> set;  ///< values of those that are not in BlockType::parameters
  };
  std::optional<Own> own = {};
};

/// The modules of all kinds (testbench/kind/kind.h).
const std::vector<BlockType>& block_types();

/// Null if there is no such block.
const BlockType* find_block(const std::string& name);

/// A user's own module, with the clock and the parameters of `like`. Throws InputError if the name is not a valid module
/// name, or if rtl/ has a module of that name.
BlockType own_block(const std::string& module, const BlockType& like, BlockType::Own own);

/// One value for each of the block's parameters, in order.
using Geometry = std::vector<unsigned>;

/// `geometry` with default values for parameters that have no effect on the block: equal results mean equal netlists.
Geometry effective(const BlockType& block, Geometry geometry);

/// Options of the command line with their text: "16,32,64".
using GivenParameters = std::map<std::string, std::string>;

/// The values of one parameter from the command line: "16,32,64". Throws InputError as geometries() does.
std::vector<unsigned> parameter_values(const BlockType& block, const BlockParameter& parameter,
                                       const std::string& text);

/// All combinations of the given values, the last parameter varying fastest; a parameter that is not given has its default.
/// Throws InputError for an option that the block does not have, a value out of range, and text that is not a list of
/// numbers.
std::vector<Geometry> geometries(const BlockType& block, const GivenParameters& given);

}  // namespace gputlm::cost
