#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/sm/blocks/durations.h"
#include "platform/input/durations_file.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

/// What has been read is written and read again: the same. And every kernel gets on, alone and beside each other one.
void attack_durations(const std::string& text) {
  const DurationTable table = parse_durations(text, kName);
  const std::string written = to_text(table);
  require(to_text(parse_durations(written, kName)) == written, "durations that are written and read again are others");
  const BlockDurations durations(table);
  const auto kernels = static_cast<BlockDurations::Profile>(std::min<std::size_t>(table.kernels.size(), 8));
  for (BlockDurations::Profile a = 0; a < kernels; ++a) {
    for (BlockDurations::Profile b = 0; b < kernels; ++b) {
      for (const unsigned blocks : {1u, 2u, 7u, 128u}) {
        std::vector<BlockDurations::Resident> all{{a, blocks}};
        if (a != b) all.push_back({b, 3});
        for (const bool first : {true, false}) {
          const Work rate = durations.rate(all, 0, first);
          require(rate >= 1 && rate <= kWork, "a block gets on by nothing, or by more than all of its work");
          const Work work = durations.work(a, blocks, {}, first);
          if (table.delay > 0) {
            durations.requests(all, 0);
            const BlockDurations::Waits waits = durations.waits(a, work, first);
            require(waits.all <= work && durations.tail(a, work, first) <= work, "a part of a block's work is more");
          }
        }
      }
    }
  }
}

const Registration of_durations{{"durations", Grammar::kYaml, attack_durations}};

}  // namespace
}  // namespace gputlm::fuzz
