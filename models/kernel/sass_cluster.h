/// The clusters of a kernel, from what tracers since version 6 say of its blocks: the header has no shape of them.
#pragma once

#include "models/kernel/sass_header.h"

namespace gputlm {

/// `lines`: behind the header. Reads blocks until the place of one in its cluster begins again, in each dimension that the
/// grid has: a row of blocks and one of the next, where it has two. 1 x 1 x 1 if the blocks say nothing of clusters, or
/// something that does not divide the grid.
Dim3 read_sass_cluster(LineReader& lines, const SassHeader& header);

}  // namespace gputlm
