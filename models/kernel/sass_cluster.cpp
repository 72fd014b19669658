#include "models/kernel/sass_cluster.h"

#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "models/kernel/sass_fields.h"
#include "models/kernel/sass_scan.h"

namespace gputlm {
namespace {

constexpr std::size_t kDimensions = 3;
using Place = std::array<std::uint64_t, kDimensions>;

const FormatField kInCluster(sass::trace_format, "thread block", "cluster cta", "place of the block in its cluster",
                             "blocks", "`x,y,z`, decimal, from 0 on (PTX: %cluster_ctaid); since version 6",
                             sass::kPostProcessing);

/// The place in a line `KEY = x,y,z`; none for other lines.
std::optional<Place> place_in(const char* line, std::string_view key) {
  if (std::strncmp(line, key.data(), key.size()) != 0) return std::nullopt;
  line += key.size();
  Place place{};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (*line++ != (d == 0 ? '=' : ',')) return std::nullopt;
    sass::skip_blanks(line);
    if (!sass::scan_digits(line, place[d])) return std::nullopt;
  }
  return place;
}

}  // namespace

Dim3 read_sass_cluster(LineReader& lines, const SassHeader& header) {
  const Place grid{header.grid.x, header.grid.y, header.grid.z};
  std::array<std::optional<std::uint64_t>, kDimensions> size;
  std::optional<Place> block;
  while (!(size[0] && size[1] && size[2]) && lines.next()) {
    const char* line = lines.begin();
    sass::skip_blanks(line);
    if (*line != 't' && *line != 'c' && *line != 'w') continue;  // the first letter rules out most lines
    if (const auto place = place_in(line, "thread block ")) block = place;
    if (block && std::strncmp(line, "warp ", 5) == 0) return {};
    const auto in_cluster = block ? place_in(line, "cluster cta ") : std::nullopt;
    if (!in_cluster) continue;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      // It differs from the first block at most in this dimension.
      const bool on_axis = (*block)[(d + 1) % kDimensions] == 0 && (*block)[(d + 2) % kDimensions] == 0;
      if (size[d] || !on_axis) continue;
      const std::uint64_t at = (*block)[d], place = (*in_cluster)[d];
      if (at > place) size[d] = at - place;
      if (at + 1 == grid[d]) size[d] = size[d].value_or(grid[d]);
    }
    block.reset();
  }
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (!size[d] || *size[d] == 0 || grid[d] % *size[d] != 0) return {};
  }
  return {static_cast<std::uint32_t>(*size[0]), static_cast<std::uint32_t>(*size[1]),
          static_cast<std::uint32_t>(*size[2])};
}

}  // namespace gputlm
