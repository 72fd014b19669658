/// blocks.csv as a report holds it: every block, or, of more than a page can hold, neighbours drawn as one.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gputlm {

/// {"launches": table of kernel, application, stream, threads;
///  "boxes": table of launch, block, sm, slot, end, cycles; "blocks" where one stands for several;
///  "merged_below_cycles": only if boxes were merged}
///
/// If there are more than `most` blocks, those of a launch in one slot of an SM that follow each other are merged where
/// each of them, and what is between them, is shorter than a time: the shortest power of two for which they come to
/// `most` or fewer. `block` is the first of them then. Memory does not grow with what is merged.
nlohmann::ordered_json packed_blocks(const std::string& path, std::string_view text, std::size_t most);

}  // namespace gputlm
