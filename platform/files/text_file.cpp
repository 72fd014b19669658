#include "platform/files/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tlm/error.h"

namespace gputlm {

std::string read_text(const std::string& path, std::size_t most) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) throw InputError(path, 0, std::string("cannot be opened: ") + std::strerror(errno));
  const std::size_t limit = std::max(most, most + 1);
  std::string text;
  for (std::size_t size = 0, wanted = 0; text.size() == size + wanted && text.size() < limit;) {
    constexpr std::size_t kChunk = std::size_t{1} << 18;
    size = text.size();
    wanted = std::min(kChunk, limit - size);
    text.resize(size + wanted);
    text.resize(size + std::fread(text.data() + size, 1, wanted, file.get()));
    if (std::ferror(file.get()) != 0) throw InputError(path, 0, std::string("cannot be read: ") + std::strerror(errno));
  }
  return text;
}

}  // namespace gputlm
