#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/cli/catalogue.h"
#include "platform/files/json_text.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

/// The folder of the workloads that come with the program: beside an installed program, or in the source tree of its build.
/// Empty if neither exists.
fs::path folder_of_workloads() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {program / "../share/gputlm/workloads", program / "../../workloads"}) {
    if (fs::is_directory(place, error)) return place.lexically_normal();
  }
  return {};
}

/// The first sentence of the comment at the beginning of the file.
std::string first_sentence(const fs::path& file) {
  std::ifstream input(file);
  std::string text;
  for (std::string line; std::getline(input, line) && line.rfind("# ", 0) == 0;) {
    text += (text.empty() ? "" : " ") + line.substr(2);
    if (const std::size_t end = std::min(text.find(". "), text.find(": ")); end != std::string::npos)
      return text.substr(0, end);
  }
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

/// The file's own description: a workload file's first sentence, or the name in another tool's configuration.
std::string description_of(const fs::path& file) {
  if (file.extension() != ".json") return first_sentence(file);
  const auto json = read_members(file.string(), {"name"});
  return json.is_object() ? json.value("name", "") : "";
}

/// The sorted workload files: files of the folder itself precede the files of subfolders.
std::vector<fs::path> workload_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".yaml" || extension == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end(), [&](const fs::path& a, const fs::path& b) {
    const bool a_deep = a.parent_path() != folder, b_deep = b.parent_path() != folder;
    return a_deep != b_deep ? b_deep : a < b;
  });
  return files;
}

/// Each with the path for `gputlm run`: relative to the current folder, if it lies below that.
Listing listing_of_workloads(const ListOptions&) {
  std::vector<std::pair<std::string, std::string>> entries;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  for (const fs::path& file : workload_files(folder_of_workloads())) {
    const fs::path near = file.lexically_relative(here);
    entries.emplace_back(near.empty() || *near.begin() == ".." ? file : near, description_of(file));
  }
  return plain_listing("workload", entries);
}

/// The same on every machine: relative to the source tree.
std::string reference_of_workloads() {
  const fs::path folder = folder_of_workloads();
  std::vector<TableRow> rows;
  for (const fs::path& file : workload_files(folder))
    rows.push_back({fmt::format("`workloads/{}`", file.lexically_relative(folder).string()), description_of(file)});
  return markdown_table({{"workload"}, {"description"}}, rows);
}

GPUTLM_REGISTER {
  catalogues().add({{"workloads"},
                    "workload",
                    "Workloads that come with the program: arguments of `gputlm run`, in addition to your own files "
                    "(docs/workload.md)",
                    listing_of_workloads,
                    nullptr,
                    nullptr,
                    reference_of_workloads});
}

}  // namespace
}  // namespace gputlm
