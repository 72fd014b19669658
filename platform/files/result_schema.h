/// Versions of result.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gputlm {

inline constexpr const char* kResultSchema = "gputlm-result-3";

/// Gives what an earlier version has written the names of this one: the entries of its lists `kernels`, `copies` and
/// `unfinished`. Throws InputError, which names `path`, if it is not of `gputlm run` or too old.
void bring_up_to_date(nlohmann::ordered_json& result, const std::string& path);

/// The text of a CSV file beside such a result, with today's header. `list`: its name without ".csv".
std::string with_current_header(std::string_view list, std::string csv);

}  // namespace gputlm
