#include "platform/files/result_schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/files/split.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr const char* kBefore = "gputlm-result-2";

/// What gputlm-result-2 called what, in the entries of a list or the lines of its CSV file.
struct OldName {
  std::string_view list, was, is;
};
constexpr OldName kOldNames[] = {{"kernels", "label", "kernel"},
                                 {"kernels", "kernel", "name"},
                                 {"kernels", "release_cycle", "released_cycle"},
                                 {"kernels", "launch_cycle", "submitted_cycle"},
                                 {"kernels", "arrival_cycle", "arrived_cycle"},
                                 {"unfinished", "label", "kernel"},
                                 {"unfinished", "launch_cycle", "submitted_cycle"},
                                 {"copies", "label", "copy"},
                                 {"copies", "arrival_cycle", "arrived_cycle"},
                                 {"copies", "started_cycle", "start_cycle"},
                                 {"copies", "ended_cycle", "end_cycle"},
                                 {"jobs", "release_cycle", "released_cycle"}};

std::string_view current_name(std::string_view list, std::string_view name) {
  for (const OldName& old : kOldNames) {
    if (old.list == list && old.was == name) return old.is;
  }
  return name;
}

}  // namespace

void bring_up_to_date(nlohmann::ordered_json& result, const std::string& path) {
  const auto schema = result.find("schema");
  const std::string found = schema != result.end() && schema->is_string() ? schema->get<std::string>() : "";
  if (found == kResultSchema) return;
  if (found != kBefore)
    throw InputError(
        path, 0,
        found.rfind("gputlm-result-", 0) == 0
            ? fmt::format("is of another version of the program: found the schema {}, allowed are {} and {}",
                          shortened(found), kBefore, kResultSchema)
            : fmt::format("is no result of gputlm run: allowed are the schemas {} and {}", kBefore, kResultSchema));
  for (const char* list : {"kernels", "unfinished", "copies"}) {
    if (!result.contains(list)) continue;
    for (nlohmann::ordered_json& entry : result[list]) {
      auto renamed = nlohmann::ordered_json::object();
      for (auto& [name, value] : entry.items()) renamed[std::string(current_name(list, name))] = std::move(value);
      entry = std::move(renamed);
    }
  }
  *schema = kResultSchema;
}

std::string with_current_header(std::string_view list, std::string csv) {
  const std::size_t end = std::min(csv.find('\n'), csv.size());
  std::string header;
  for (const std::string& name : split(std::string_view(csv).substr(0, end), ','))
    header += (header.empty() ? "" : ",") + std::string(current_name(list, name));
  return csv.replace(0, end, header);
}

}  // namespace gputlm
