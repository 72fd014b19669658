#include "testbench/design/sources.h"

#include <filesystem>

#include "platform/files/atomic_file.h"
#include "platform/lab/run_store.h"
#include "tlm/base/digest.h"

namespace gputlm {

namespace {

namespace fs = std::filesystem;

/// Whether the modules in a folder are the compiled-in ones.
bool has_sources(const fs::path& folder) {
  std::error_code error;
  for (const RtlSource& source : rtl_sources()) {
    if (!fs::is_regular_file(folder / source.name, error) || read_text(folder / source.name) != source.text)
      return false;
  }
  return true;
}

/// The folder beside an installed program, or in the source tree of its build; empty if neither exists.
std::string installed_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {program / "../share/gputlm/rtl", program / "../../rtl"}) {
    if (has_sources(place)) return place.lexically_normal();
  }
  return "";
}

}  // namespace

std::string rtl_source_folder() {
  static const std::string installed = installed_folder();
  if (!installed.empty()) return installed;
  const std::string cache = RunStore::default_folder();
  if (cache.empty()) return "";
  static const std::string identity = [] {
    std::string all;
    for (const RtlSource& source : rtl_sources()) all += source.name + '\n' + source.text;
    return digest(all);
  }();
  std::string folder = cache + "/rtl/sources-" + identity;
  make_output_folder(folder);
  for (const RtlSource& source : rtl_sources()) {
    const std::string path = folder + "/" + source.name;
    if (std::filesystem::exists(path)) continue;
    AtomicFile file(path);
    file.write(source.text);
    file.commit();
  }
  return folder;
}

}  // namespace gputlm
