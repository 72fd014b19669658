#include "platform/lab/run_store.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "platform/files/atomic_file.h"
#include "tlm/base/digest.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".run";
constexpr std::size_t kDigestLength = 36;

}  // namespace

RunStore::RunStore(std::string folder) : folder_(std::move(folder)) { make_output_folder(folder_); }

std::string RunStore::default_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return std::string(cache) + "/gputlm";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/gputlm";
  return "";
}

std::string RunStore::path_of(const std::string& id) const { return folder_ + "/" + id + kSuffix; }

std::optional<std::string> RunStore::find(const std::string& id) const {
  std::ifstream file(path_of(id), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream content;
  content << file.rdbuf();
  std::string bytes = content.str();
  // The digest precedes the contents: after a full disk or a crash of the machine no partial result is accepted.
  if (bytes.size() < kDigestLength) return std::nullopt;
  const std::string found = bytes.substr(0, kDigestLength);
  bytes.erase(0, kDigestLength);
  if (found != digest(bytes)) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path_of(id), fs::file_time_type::clock::now(), ignored);
  return bytes;
}

void RunStore::keep(const std::string& id, std::string_view result) const {
  AtomicFile file(path_of(id));
  file.write(digest(result));
  file.write(result);
  file.commit();
}

std::size_t RunStore::shrink(Bytes most) const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    Bytes bytes;
  };
  std::vector<Entry> entries;
  std::size_t removed = 0;
  std::error_code error;  // another program may remove entries during the iteration
  remove_abandoned_parts(folder_);
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    const fs::file_time_type used = file.last_write_time(error);
    if (error || !file.is_regular_file(error)) continue;
    if (file.path().extension() == kSuffix) entries.push_back({file.path(), used, file.file_size(error)});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used > b.used; });
  Bytes kept = 0;
  for (const Entry& entry : entries) {
    kept += entry.bytes;
    if (kept > most) removed += fs::remove(entry.path, error) ? 1 : 0;
  }
  return removed;
}

}  // namespace gputlm
