#include "tlm/base/error.h"

#include "tlm/base/utf8.h"

namespace gputlm {

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::string mark = " ... (" + std::to_string(text.size()) + " bytes) ... ";
  const std::size_t kept = most > mark.size() ? most - mark.size() : 0;
  std::size_t head = kept / 2, tail = text.size() - (kept - kept / 2);
  while (head > 0 && continues_utf8(text[head])) --head;
  while (tail < text.size() && continues_utf8(text[tail])) ++tail;
  return text.substr(0, head) + mark + text.substr(tail);
}

}  // namespace gputlm
