/// Every parameter of a GPU and every option that a policy declares (`sm.two_level.active_warps`: unit, policy, option): key,
/// type, unit, range and meaning. Preset files, `--set key=value`, `list parameters`, the configuration in result.json and the
/// checks use this one table.
///
/// A key is the path of the member in GpuConfig (`sm.l1.ways`, `dram.timing.tRRDS`). Values are written as text: integers
/// in decimal, byte counts also as `48KiB` or `2MiB`, reals in decimal, `true` or `false`, names as `list policies`
/// prints them. The table gives the units. All functions throw InputError, which says what was found and what is allowed.
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

/// The source of a value, for messages: a file and a line (0: unknown), or a command line option.
struct Origin {
  std::string source;
  std::size_t line = 0;
};

/// The sources of values by the parameter's key, in the order in which they were set. Messages about contradictions name them.
using Origins = std::vector<std::pair<std::string, Origin>>;

/// The place of a parameter's value in a configuration; the alternative is the parameter's type.
using ValuePointer = std::variant<unsigned*, Bytes*, double*, bool*, std::string*>;

/// The name is the key. A GpuConfig has the defaults; only options of policies have a default and a source here.
struct Parameter : Field {
  std::string decision;  ///< the allowed names are the policies of this decision; empty: any text
  std::function<ValuePointer(GpuConfig&)> value;
  bool may_be_unknown = false;  ///< 0 means unknown, and a result's configuration leaves it out

  std::string type() const;     ///< `integer`, `bytes`, `real`, `boolean` or `name`
  std::string allowed() const;  ///< range or names, as a user reads it
};

/// All parameters in the order of every listing and dump; the options of a policy follow the parameter that selects
/// the policy. The first call makes the table, so plugins must be loaded before it.
const std::vector<Parameter>& parameters();

/// The subject of a group of parameters, whose keys have the same first part. The group without a name holds the keys
/// without a dot.
struct ParameterGroup {
  std::string name;
  std::string description;
  std::string place;  ///< the unit's folder in the source tree
};

/// In the order of the parameters.
const std::vector<ParameterGroup>& parameter_groups();
/// The group of a parameter.
const ParameterGroup& group_of(const Parameter& parameter);

/// The parameter with this key; an unknown one is an error that names the nearest.
const Parameter& find_parameter(std::string_view key, const Origin& origin);

/// Sets one parameter from text after a check of type and range, and adds it to `origins` unless that is null.
void set_parameter(GpuConfig& config, std::string_view key, std::string_view value, const Origin& origin,
                   Origins* origins = nullptr);

/// Sets one parameter from `key=value`, as given to `--set`.
void set_assignment(GpuConfig& config, std::string_view assignment, Origins* origins = nullptr);

/// The value as text, in a form that set_parameter() takes.
std::string parameter_text(const Parameter& parameter, const GpuConfig& config);

/// The whole configuration, nested by the dots of the keys, in the table's order. A GPU file may contain it.
nlohmann::ordered_json to_json(const GpuConfig& config);

/// Checks every range and every relation between parameters (sub-cores divide the warps, sets the caches, ...).
/// Call it when all values are set, before a GPU is built. `origin`: the source of values that have no other.
void validate(const GpuConfig& config, const Origin& origin, const Origins& origins = {});

/// Throws InputError for parameters that contradict each other: `what` names their keys, and the message says where each was
/// set. The error's place is where the last of them was set.
[[noreturn]] void fail_together(const std::string& what, const Origin& origin, const Origins& origins);

}  // namespace gputlm
