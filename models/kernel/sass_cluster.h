/// The clusters of a kernel, from what tracers since version 6 say about its blocks: the header does not have their shape.
#pragma once

#include "models/kernel/sass_header.h"

namespace gputlm {

/// `lines`: after the header. Reads blocks until the position in the cluster repeats in each dimension of the grid: a row
/// of blocks and the first block of the next, if it has two. 1 x 1 x 1 if the blocks say nothing about clusters, or a shape
/// that does not divide the grid.
Dim3 read_sass_cluster(LineReader& lines, const SassHeader& header);

}  // namespace gputlm
