#include "platform/rtl/sources.h"

#include <filesystem>

#include "models/rtl_sources.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/run_store.h"
#include "tlm/digest.h"

namespace gputlm {

std::string rtl_source_folder() {
  const std::string cache = RunStore::default_folder();
  if (cache.empty()) return "";
  static const std::string identity = [] {
    std::string all;
    for (const RtlSource& source : rtl_sources()) all += source.name + '\n' + source.text;
    return digest(all);
  }();
  const std::string folder = cache + "/rtl/sources-" + identity;
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
