/// Every parameter of a GPU: its key, type, unit, range and meaning, and likewise every option of a policy, which the
/// policy has declared (`sm.two_level.active_warps`: unit, policy, option). One table serves preset files, `--set key=value`,
/// `list parameters`, the configuration in result.json and the checks.
///
/// A key is the path of the member in GpuConfig (`sm.l1.ways`, `dram.timing.tRRDS`). Values are written as text: integers
/// in decimal, byte counts also as `48KiB` or `2MiB`, reals in decimal, `true` or `false`, names as `list policies`
/// prints them. Units stand in the table. Everything here throws InputError with what was found and what is allowed.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/config.h"
#include "tlm/base/field.h"

namespace gputlm {

/// Where a value came from, for messages: a file and a line (0: unknown), or an option of the command line.
struct Origin {
  std::string source;
  std::size_t line = 0;
};

/// Where values were set, by the parameter's key, in the order in which they were: what a contradiction names.
using Origins = std::vector<std::pair<std::string, Origin>>;

/// Where a configuration holds the value of a parameter; the alternative is the parameter's type.
using ValuePointer = std::variant<unsigned*, Bytes*, double*, bool*, std::string*>;

/// Its name is its key. The defaults are those of a GpuConfig; only options of policies have default and source here.
struct Parameter : Field {
  std::string decision;  ///< of a name: the decision whose policies are the allowed ones; empty: any text
  std::function<ValuePointer(GpuConfig&)> value;
  bool may_be_unknown = false;  ///< of a number that is 0 then: the configuration of a result leaves it out

  std::string type() const;     ///< `integer`, `bytes`, `real`, `boolean` or `name`
  std::string allowed() const;  ///< range or names, as a user reads it
};

/// All parameters in the order of every listing and dump; the options of policies follow the parameter that chooses
/// among them. Made once: plugins have to be there before.
const std::vector<Parameter>& parameters();

/// What the parameters of a group, those whose keys begin alike, are about. The group without a name is that of the keys
/// without a dot.
struct ParameterGroup {
  std::string name;
  std::string description;
  std::string place;  ///< of the unit in the source tree
};

/// In the order of the parameters.
const std::vector<ParameterGroup>& parameter_groups();
/// The group of a parameter.
const ParameterGroup& group_of(const Parameter& parameter);

/// The parameter with this key; an unknown one is an error that names the nearest.
const Parameter& find_parameter(std::string_view key, const Origin& origin);

/// Sets one parameter from text, checked against its type and range; notes it in `origins`, if there are any.
void set_parameter(GpuConfig& config, std::string_view key, std::string_view value, const Origin& origin,
                   Origins* origins = nullptr);

/// Sets one parameter from `key=value`, as given to `--set`.
void set_assignment(GpuConfig& config, std::string_view assignment, Origins* origins = nullptr);

/// The value as text, in a form that set_parameter() takes.
std::string parameter_text(const Parameter& parameter, const GpuConfig& config);

/// The whole configuration, nested by the dots of the keys and ordered as the table. A GPU file may contain it.
nlohmann::ordered_json to_json(const GpuConfig& config);

/// Checks every range and what must hold between parameters (warps divide over sub-cores, caches into sets, ...).
/// To be called once all values are set, before a GPU is built. `origin`: of the whole, where nothing better is known.
void validate(const GpuConfig& config, const Origin& origin, const Origins& origins = {});

/// Throws InputError for parameters that do not go together: `what` names their keys, and the message where each was set.
/// It is about the place at which the last of them was.
[[noreturn]] void fail_together(const std::string& what, const Origin& origin, const Origins& origins);

}  // namespace gputlm
