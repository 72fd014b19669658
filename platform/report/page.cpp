#include "platform/report/report_file.h"

// The assembler includes the files: compilers are slow on megabyte string literals.
#define GPUTLM_EMBED(symbol, file)                                       \
  asm(".pushsection .rodata\n"                                           \
      ".global gputlm_" #symbol "_begin\n.global gputlm_" #symbol        \
      "_end\n"                                                           \
      "gputlm_" #symbol "_begin:\n.incbin \"" file "\"\ngputlm_" #symbol \
      "_end:\n.byte 0\n"                                                 \
      ".popsection");                                                    \
  extern "C" const char gputlm_##symbol##_begin[], gputlm_##symbol##_end[]

GPUTLM_EMBED(page, GPUTLM_PAGE_FILE);
GPUTLM_EMBED(echarts, GPUTLM_ECHARTS_FILE);

namespace gputlm {

std::string_view page_source() {
  return {gputlm_page_begin, static_cast<std::size_t>(gputlm_page_end - gputlm_page_begin)};
}
std::string_view chart_library() {
  return {gputlm_echarts_begin, static_cast<std::size_t>(gputlm_echarts_end - gputlm_echarts_begin)};
}

}  // namespace gputlm
