#include <algorithm>
#include <vector>

#include "models/kernel/text_source.h"
#include "tests/fuzz/target.h"
#include "tlm/base/error.h"

namespace gputlm::fuzz {
namespace {

struct Read {
  std::vector<std::string> lines;
  std::string error;
};

Read read_lines(const std::string& path, ReadAhead read_ahead, std::size_t chunk) {
  Read read;
  try {
    LineReader reader(path, read_ahead, chunk);
    while (reader.next()) read.lines.emplace_back(reader.begin(), reader.end());
  } catch (const InputError& error) {
    read.error = error.what();
    read.error.resize(std::min(read.error.size(), read.error.find(" at byte ")));  // of which chunks have a part
  }
  return read;
}

/// The same lines; those before corrupt data may not be seen, as many as one chunk is before the other.
bool same(const Read& a, const Read& b) {
  if (a.error != b.error) return false;
  const auto common = static_cast<std::ptrdiff_t>(std::min(a.lines.size(), b.lines.size()));
  return (!a.error.empty() || a.lines.size() == b.lines.size()) &&
         std::equal(a.lines.begin(), a.lines.begin() + common, b.lines.begin());
}

/// Compressed or not: the same lines whether or not another thread reads ahead, and however much at a time.
void attack_compressed(const std::string& text) {
  const FileInMemory file(text);
  const Read whole = read_lines(file.path(), ReadAhead::kNo, LineReader::kChunkBytes);
  require(same(whole, read_lines(file.path(), ReadAhead::kCompressed, LineReader::kChunkBytes)),
          "reading ahead changes lines");
  require(same(whole, read_lines(file.path(), ReadAhead::kNo, 16)), "the size of chunks changes lines");
  if (!whole.error.empty()) throw InputError(whole.error);
}

const Registration of_compressed{{"compressed", Grammar::kBytes, attack_compressed}};

}  // namespace
}  // namespace gputlm::fuzz
